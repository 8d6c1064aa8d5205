//! The files that a project takes in, in the order in which MSBuild reads them:
//! <https://learn.microsoft.com/visualstudio/msbuild/customize-by-directory>.

use std::collections::{BTreeMap, BTreeSet};

use crate::deps::format::Reading;
use crate::deps::inherit::leads_to;
use crate::deps::project::{at_or_above, folder};
use crate::model::RepoPath;

use super::msbuild::Element;

/// Read before everything else, by the nearest of each name.
const BEFORE: [&str; 2] = ["Directory.Build.props", "Directory.Packages.props"];
/// Read after everything else.
const AFTER: [&str; 1] = ["Directory.Build.targets"];
/// More files than any project takes in, and deeper than any do.
const MOST_FILES: usize = 500;
const DEEPEST: usize = 50;

/// The elements of every file.
pub struct Files<'r>(BTreeMap<&'r RepoPath, &'r [Element]>);

/// The elements of one project with the file that each stands in.
pub type Sequence<'r> = Vec<(&'r RepoPath, &'r Element)>;

impl<'r> Files<'r> {
    pub fn of(readings: &'r [Reading]) -> Self {
        let elements = |it: &'r Reading| Some((&it.path, it.manifest()?.msbuild.as_slice()));
        Self(readings.iter().filter_map(elements).filter(|it| !it.1.is_empty()).collect())
    }

    pub fn paths(&self) -> impl Iterator<Item = &'r RepoPath> {
        self.0.keys().copied()
    }

    /// What a file is with all that it takes in. Each file counts once, so that circles end.
    pub fn sequence(&self, path: &RepoPath) -> Sequence<'r> {
        let mut walk = Walk { files: self, seen: BTreeSet::new(), elements: Vec::new() };
        let own = path.file_name();
        let implicit = |names: &[&str]| -> Vec<&'r RepoPath> {
            // A file of such a name takes in those that come before it only.
            let others = names.iter().take_while(|it| it.as_bytes() != own);
            others.filter_map(|it| self.nearest(folder(path), it)).collect()
        };
        for it in implicit(&BEFORE) {
            walk.file(it, 0);
        }
        walk.named(path, 0);
        if BEFORE.iter().all(|it| it.as_bytes() != own) {
            for it in implicit(&AFTER) {
                walk.file(it, 0);
            }
        }
        walk.elements
    }

    /// The file of a name in a folder or the nearest one above it.
    fn nearest(&self, from: Option<RepoPath>, name: &str) -> Option<&'r RepoPath> {
        at_or_above(from).find_map(|it| self.known(&below(it.as_ref(), name)?))
    }

    fn known(&self, path: &RepoPath) -> Option<&'r RepoPath> {
        self.0.get_key_value(path).map(|it| *it.0)
    }

    /// The file that an import in another file means, as far as its path can be known.
    fn imported(&self, by: &RepoPath, project: &str) -> Option<&'r RepoPath> {
        let project = project.replace('\\', "/");
        // $([MSBuild]::GetPathOfFileAbove('NAME', '$(MSBuildThisFileDirectory)../'))
        if project.contains("GetPathOfFileAbove(") {
            let name = project.split(['\'', '"', '(', ',', ')']).find(|it| {
                let ends = it.rsplit('.').next().unwrap_or_default().trim();
                it.contains('.') && ["props", "targets"].contains(&ends)
            })?;
            return self.nearest(folder(by)?.parent(), name.trim());
        }
        let relative = project.strip_prefix("$(MSBuildThisFileDirectory)").unwrap_or(&project);
        if relative.contains("$(") || relative.contains('*') {
            return None;
        }
        self.known(&leads_to(by, relative)??)
    }
}

fn below(folder: Option<&RepoPath>, name: &str) -> Option<RepoPath> {
    match folder {
        Some(folder) => folder.join(name.as_bytes()).ok(),
        None => RepoPath::new(name.as_bytes()).ok(),
    }
}

struct Walk<'f, 'r> {
    files: &'f Files<'r>,
    seen: BTreeSet<&'r RepoPath>,
    elements: Sequence<'r>,
}

impl<'r> Walk<'_, 'r> {
    fn named(&mut self, path: &RepoPath, depth: usize) {
        if let Some(path) = self.files.known(path) {
            self.file(path, depth);
        }
    }

    fn file(&mut self, path: &'r RepoPath, depth: usize) {
        if depth > DEEPEST || self.seen.len() > MOST_FILES || !self.seen.insert(path) {
            return;
        }
        for element in self.files.0.get(path).copied().unwrap_or_default() {
            match element {
                Element::Import(project) => {
                    if let Some(imported) = self.files.imported(path, project) {
                        self.file(imported, depth + 1);
                    }
                }
                Element::Property { .. } | Element::Item(_) => self.elements.push((path, element)),
            }
        }
    }
}
