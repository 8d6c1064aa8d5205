//! How much of the code a row of the list of dependencies speaks for.

use std::collections::{BTreeMap, BTreeSet};

use crate::bundle::{Declared, Dependency, UsedBy};
use crate::model::{RepoPath, counted};
use crate::ops::DependencyProject;

/// The folders whose manifests one project has; none is the root of the repository.
pub struct Members {
    /// Those of each folder of a manifest, which are other ones for a list that stands beside the code.
    reach: BTreeMap<Option<RepoPath>, Option<RepoPath>>,
    folders: BTreeSet<Option<RepoPath>>,
    /// Whether code of a member has what a folder above it declares, as Node and Python look for it.
    is_handed_down: bool,
}

/// How many names a row has room for; `--json` has them all.
const MOST_NAMES: usize = 4;

impl Members {
    pub fn of(project: &DependencyProject) -> Self {
        let declared = project.dependencies.iter().flat_map(|it| &it.declared);
        let own: BTreeSet<Option<RepoPath>> = declared.map(|it| it.path.parent()).collect();
        let used: Vec<&UsedBy> =
            project.dependencies.iter().flat_map(|it| it.used_by.iter().flatten()).collect();
        // `requirements/base.txt` is about what lies beside that folder, which has no code itself.
        let reach = |folder: &Option<RepoPath>| match folder {
            Some(it) if project.ecosystem == "pypi" && !used.iter().any(|file| file.path.is_within(it)) => {
                it.parent()
            }
            Some(_) | None => folder.clone(),
        };
        let reach: BTreeMap<_, _> = own.iter().map(|it| (it.clone(), reach(it))).collect();
        let folders = reach.values().cloned().collect();
        Self { reach, folders, is_handed_down: project.ecosystem != "cargo" }
    }

    /// In how many files, and what of it: those for which an entry of a manifest speaks, or all without one. Nothing where
    /// imports are not matched with packages.
    pub fn used_in(&self, dependency: &Dependency, entry: Option<&Declared>) -> String {
        let Some(files) = &dependency.used_by else { return String::new() };
        let by_custom = dependency.imported_as.as_ref().is_some_and(|it| it.known_by == "convention");
        if files.is_empty() && by_custom {
            return "unknown".to_owned();
        }
        let files: Vec<&UsedBy> = match entry {
            Some(entry) => files.iter().filter(|it| self.speaks_for(dependency, entry, it)).collect(),
            None => files.iter().collect(),
        };
        let names: BTreeSet<&str> = files.iter().flat_map(|it| &it.names).map(String::as_str).collect();
        let more = names.len().saturating_sub(MOST_NAMES);
        let more = (more > 0).then(|| format!("{more} more"));
        let names: Vec<String> = names.into_iter().take(MOST_NAMES).map(str::to_owned).chain(more).collect();
        let names = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
        format!("{}{names}", counted(files.len() as u64, "file"))
    }

    /// Whether an entry is the one by which a file has a package: that of the nearest member above the file, or of the
    /// nearest one above that which asks for it.
    fn speaks_for(&self, dependency: &Dependency, entry: &Declared, file: &UsedBy) -> bool {
        let reach = |entry: &Declared| self.reach.get(&entry.path.parent()).cloned().flatten();
        let asking: BTreeSet<Option<RepoPath>> = dependency.declared.iter().map(reach).collect();
        let Some(home) = nearest(&self.folders, &file.path) else { return false };
        let asks = if asking.contains(home) {
            Some(home)
        } else {
            nearest(&asking, &file.path).filter(|_| self.is_handed_down)
        };
        asks.is_some_and(|it| *it == reach(entry))
    }
}

/// The deepest folder at or above a file.
fn nearest<'f>(folders: &'f BTreeSet<Option<RepoPath>>, file: &RepoPath) -> Option<&'f Option<RepoPath>> {
    let above = folders.iter().filter(|it| it.as_ref().is_none_or(|it| file.is_within(it)));
    above.max_by_key(|it| it.as_ref().map_or(0, |it| it.as_bytes().len() + 1))
}
