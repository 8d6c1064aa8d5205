//! The comments by which pip-compile and uv say who needs a package.

use std::collections::BTreeMap;

use crate::deps::fact::{Relation, Resolved};
use crate::deps::format::Lockfile;
use crate::deps::graph::pin_edges;

use super::version::common_name;

/// Who needs the packages of a file.
#[derive(Debug, Default)]
pub struct Via {
    /// Whether the last entry is a package; else comments behind it are about nothing that is kept.
    is_package: bool,
    is_list: bool,
    /// A package's index and who needs it; none is the project itself.
    needs: Vec<(usize, Option<String>)>,
}

impl Via {
    /// Takes a comment behind the last of so many packages.
    pub fn comment(&mut self, comment: &str, packages: usize) {
        let Some(package) = packages.checked_sub(1).filter(|_| self.is_package) else { return };
        let is_start = comment == "via" || comment.starts_with("via ");
        if !is_start && !self.is_list {
            return;
        }
        self.is_list = true;
        let listed = if is_start { comment.trim_start_matches("via") } else { comment };
        for who in listed.split(',').map(str::trim).filter(|it| !it.is_empty()) {
            self.needs.extend(needed_by(who).map(|it| (package, it)));
        }
    }

    /// A line that is no comment alone: it ends a list.
    pub const fn entry(&mut self, is_package: bool) {
        self.is_package = is_package;
        self.is_list = false;
    }

    /// Links the packages. Without any comment the file does not say; then what a manifest declares is direct.
    pub fn lockfile(self, resolved: &mut [Resolved]) -> Lockfile {
        let mut lockfile = Lockfile { edges: vec![Vec::new(); resolved.len()], ..Lockfile::default() };
        if self.needs.is_empty() {
            lockfile.top = (0..resolved.len()).collect();
        }
        let index_of: BTreeMap<String, usize> =
            resolved.iter().enumerate().map(|(index, it)| (it.name.clone(), index)).collect();
        for (package, who) in self.needs {
            match who {
                None => {
                    lockfile.direct.insert(package);
                }
                Some(who) => {
                    // Of what has no version, such as a repository without a revision, it is known only that it leads here.
                    if let Some(it) = resolved.get_mut(package) {
                        it.relation = Relation::Transitive { path: Vec::new() };
                    }
                    let edges = index_of.get(&who).and_then(|it| lockfile.edges.get_mut(*it));
                    edges.into_iter().for_each(|it| it.push(package));
                }
            }
        }
        pin_edges(&lockfile.edges, resolved);
        lockfile
    }
}

/// The package that needs another; none inside for the project itself, none for a mere constraint.
fn needed_by(who: &str) -> Option<Option<String>> {
    let word = who.split([' ', '[', ':']).next().unwrap_or(who);
    match word {
        "-c" | "--constraint" | "--override" => None,
        _ if word.starts_with('-') || who.ends_with(')') => Some(None),
        name => Some(Some(common_name(name))),
    }
}
