//! The Python package index: pip, uv, poetry, pdm, pipenv and setuptools.

mod entry;
mod lock;
mod locked_by;
mod pdm_lock;
mod pipfile;
mod pipfile_lock;
mod poetry;
mod poetry_lock;
mod pylock;
mod pyproject;
mod pyproject_group;
mod requirement;
mod requirements;
mod requirements_address;
mod requirements_line;
mod requirements_via;
pub mod script;
mod setup_cfg;
mod setup_py;
mod table;
mod unnamed;
mod uv_lock;
pub mod version;

pub use entry::{Wanted, declared, within};
pub use locked_by::{is_certain, is_locked_by};
pub use requirements::is_evident;
pub use unnamed::name;

use super::ecosystem::Ecosystem::Pypi;
use super::format::Row;

pub const FORMATS: &[Row] = &[
    Row::manifest("pyproject.toml", Pypi, pyproject::read),
    Row::lockfile("uv.lock", Pypi, uv_lock::read),
    Row::lockfile("*.py.lock", Pypi, uv_lock::read),
    Row::lockfile("poetry.lock", Pypi, poetry_lock::read),
    Row::lockfile("pdm.lock", Pypi, pdm_lock::read),
    Row::lockfile("pylock.toml", Pypi, pylock::read),
    Row::lockfile("pylock.*.toml", Pypi, pylock::read),
    Row::manifest("Pipfile", Pypi, pipfile::read),
    Row::lockfile("Pipfile.lock", Pypi, pipfile_lock::read),
    Row::manifest("setup.cfg", Pypi, setup_cfg::read),
    Row::manifest("setup.py", Pypi, setup_py::read),
    requirements("*requirements*.txt"),
    requirements("*requirements*.in"),
    requirements("requirements/*.txt"),
    requirements("requirements/*.in"),
];

/// A script that says what it needs: its name alone does not tell.
pub const SCRIPT: Row = Row::manifest("*.py", Pypi, script::read);

/// A requirements file is a manifest unless a tool compiled it, which its reader finds out.
pub const fn requirements(name: &'static str) -> Row {
    Row::manifest(name, Pypi, requirements::read)
}
