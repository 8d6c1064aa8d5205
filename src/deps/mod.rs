//! Dependency intelligence: what manifests ask for and what lockfiles settled on, never in one field.
//!
//! Each file is read on its own ([`read`]) into a [`Reading`]; [`join`](fn@join) puts a manifest and its lockfile together, says
//! which dependency is direct and by which path a transitive one is reached, and keeps every version of a name. A file
//! that cannot be read is a note and a state, never an empty list. A format is one row of the table in `format`.

mod cargo_lock;
mod cargo_manifest;
mod change;
mod document;
mod ecosystem;
mod evidence;
mod fact;
mod format;
mod graph;
mod include;
mod inherit;
mod join;
mod note;
mod npm_lock;
mod npm_lock_nested;
mod npm_manifest;
mod npm_source;
mod pdm_lock;
mod pipfile;
mod pipfile_lock;
mod poetry_lock;
mod project;
mod pylock;
mod pyproject;
mod pyproject_group;
mod python_entry;
mod python_lock;
mod python_requirement;
mod python_table;
mod python_version;
mod requirements;
mod requirements_address;
mod requirements_line;
mod requirements_via;
mod setup_cfg;
mod setup_py;
mod uv_lock;

pub use change::{Change, DependencyChange, changes};
pub use fact::{Declared, Relation, Resolved};
pub use format::{Reading, is_manifest, read, read_included};
pub use include::unread;
pub use join::{Dependencies, Dependency, join};
pub use note::CODES;

#[cfg(test)]
mod tests;
