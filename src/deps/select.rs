//! The part of the dependencies that a path is about.

use crate::model::RepoPath;

use super::fact::{Declared, Resolved};
use super::format::{FileKind, Reading};
use super::join::{Dependencies, Dependency};
use super::project::folder;

impl Dependencies {
    /// What a file or the files below a folder state, with the versions that the project settled on. Constraints from
    /// elsewhere are kept only where the path states none, so that a lockfile's packages still say who asks for them.
    pub fn within(self, path: &RepoPath) -> Self {
        let dependencies = self.dependencies.into_iter().filter_map(|it| within(it, path)).collect();
        Self { dependencies, notes: self.notes }
    }
}

fn within(mut dependency: Dependency, path: &RepoPath) -> Option<Dependency> {
    let asks = |it: &Declared| it.place.path.is_within(path);
    let has = |it: &Resolved| it.place.path.is_within(path);
    if dependency.declared.iter().any(asks) {
        dependency.declared.retain(asks);
        return Some(dependency);
    }
    dependency.resolved.iter().any(has).then_some(dependency)
}

/// Leaves a lockfile that someone names the only one of its folder: it is read though a tool would read another. Where
/// each lockfile of a folder counts, it is read anyway.
pub fn prefer(readings: &mut Vec<Reading>, named: &RepoPath) {
    let Some(preferred) = readings.iter().find(|it| it.path == *named && it.kind == FileKind::Lockfile)
    else {
        return;
    };
    let (ecosystem, home) = (preferred.ecosystem, folder(named));
    if ecosystem.has_several_lockfiles() {
        return;
    }
    readings.retain(|it| {
        let shadows = it.kind == FileKind::Lockfile && it.ecosystem == ecosystem && folder(&it.path) == home;
        it.path == *named || !shadows
    });
}
