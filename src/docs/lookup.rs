//! The declarations of what a file of ours uses of a package.

use super::declaration::{Declaration, Deprecated};
use super::family::Family;
use super::library::Library;
use super::usage::Attributed;
use super::uses::{EVERYTHING, segments};
use super::{python_lookup, rust_lookup, script_lookup};

/// The declarations behind a use; none where it is not certain what is meant.
pub fn declared(library: &Library<'_>, used: &Attributed<'_>) -> Vec<Declaration> {
    let members = &used.used.members;
    if members.contains(&EVERYTHING) {
        return Vec::new();
    }
    let path = || {
        let depth = segments(&used.root).count();
        let below = segments(used.used.module).skip(depth);
        below.chain(members.iter().copied()).collect::<Vec<_>>()
    };
    match library.package.family {
        Family::Script => {
            let below = used.used.module.get(used.root.len()..).unwrap_or_default();
            script_lookup::find(library, below.trim_start_matches('/'), members)
        }
        Family::Python => {
            let path: Vec<&str> = segments(used.used.module).chain(members.iter().copied()).collect();
            python_lookup::find(library, &path)
        }
        Family::Rust => rust_lookup::find(library, &path()),
    }
}

/// That something is deprecated: every declaration of it says so. Where only some do, which one a call means is not
/// known.
pub fn deprecated(declarations: &[Declaration]) -> Option<(&Declaration, &Deprecated)> {
    let all = declarations.iter().all(|it| it.deprecated.is_some());
    let first = declarations.first().filter(|_| all)?;
    Some((first, first.deprecated.as_ref()?))
}
