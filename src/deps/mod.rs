//! Dependency intelligence: what manifests ask for and what lockfiles settled on, never in one field.
//!
//! Each file is read on its own ([`read`]) into a [`Reading`]; [`join`](fn@join) puts a manifest and its lockfile together, says
//! which dependency is direct and by which path a transitive one is reached, and keeps every version of a name. A file
//! that cannot be read is a note and a state, never an empty list. A format is one row in the table of its
//! ecosystem (`cargo`, `conda`, `deno`, `dotnet`, `golang`, `jvm`, `node`, `python`).

mod cargo;
mod change;
mod conda;
mod deno;
mod distance;
mod document;
mod dotnet;
mod drift;
mod ecosystem;
mod evidence;
mod fact;
mod format;
mod golang;
mod graph;
mod include;
mod inherit;
mod join;
mod json;
mod jvm;
mod nameless;
mod node;
mod note;
mod project;
mod python;
mod select;
mod settle;
mod toml;
mod why;
mod xml;
mod yaml;

pub use change::{Change, DependencyChange, changes};
pub use document::MAX_BYTES as MAX_FILE_BYTES;
pub use ecosystem::Ecosystem;
pub use fact::{Declared, Relation, Resolved, Scope};
pub use format::{
    Reading, holds_manifest, is_known, is_manifest, may_hold_manifest, names, read, read_included, read_named,
};
pub use include::unread;
pub use join::{Dependencies, Dependency, join};
pub use jvm::{Absence, Coordinates, Settings, read_published, settings as maven_settings, unpublished};
pub use note::{CODES, is_unread};
pub use select::prefer;
pub use why::{Presence, Way, is_named, why};

#[cfg(test)]
mod tests;
