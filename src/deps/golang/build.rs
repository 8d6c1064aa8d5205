//! Which modules of a repository are built together.

use std::collections::BTreeMap;

use crate::deps::ecosystem::Ecosystem;
use crate::deps::format::Reading;
use crate::deps::inherit::leads_to;
use crate::deps::project::folder;
use crate::model::RepoPath;

/// The modules of a workspace, or one module: each an index into the readings.
#[derive(Default)]
pub struct Build {
    pub workspace: Option<usize>,
    pub modules: Vec<usize>,
    /// The lists of checksums.
    pub sums: Vec<usize>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Root {
    Module(Option<RepoPath>),
    Workspace(Option<RepoPath>),
}

pub fn builds(readings: &[Reading]) -> impl Iterator<Item = Build> {
    let golang = || readings.iter().enumerate().filter(|it| it.1.ecosystem == Ecosystem::Golang);
    let mut builds: BTreeMap<Root, Build> = BTreeMap::new();
    let mut used: BTreeMap<Option<RepoPath>, Option<RepoPath>> = BTreeMap::new();
    for (index, reading) in golang() {
        let root = folder(&reading.path);
        let Some(folders) = reading.manifest().and_then(|it| it.workspace.as_ref()) else { continue };
        for used_folder in folders.iter().filter_map(|it| leads_to(&reading.path, it)) {
            used.insert(used_folder, root.clone());
        }
        builds.entry(Root::Workspace(root)).or_default().workspace = Some(index);
    }
    for (index, reading) in golang() {
        let own = folder(&reading.path);
        let root = match used.get(&own) {
            Some(root) => Root::Workspace(root.clone()),
            None => Root::Module(own.clone()),
        };
        match reading.path.file_name() {
            b"go.mod" => builds.entry(root).or_default().modules.push(index),
            b"go.sum" => builds.entry(root).or_default().sums.push(index),
            b"go.work.sum" => builds.entry(Root::Workspace(own)).or_default().sums.push(index),
            _ => {}
        }
    }
    builds.into_values()
}
