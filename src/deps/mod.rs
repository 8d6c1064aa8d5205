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
mod pnpm_lock;
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
mod select;
mod setup_cfg;
mod setup_py;
mod uv_lock;
mod why;
mod yaml;
mod yarn_lock;

pub use change::{DependencyChange, changes};
pub use document::MAX_BYTES as MAX_FILE_BYTES;
pub use fact::{Declared, Relation, Resolved, Scope};
pub use format::{Reading, is_known, is_manifest, names, read, read_included};
pub use include::unread;
pub use join::{Dependencies, Dependency, join};
pub use note::{CODES, is_unread};
pub use select::prefer;
pub use why::{Presence, Way, why};

#[cfg(test)]
mod tests;
