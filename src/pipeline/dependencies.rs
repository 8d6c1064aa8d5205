//! The dependency stage: every manifest and lockfile of both states.

use rayon::prelude::*;

use crate::deps::{self, Dependencies, DependencyChange};
use crate::model::{Note, Reason, RepoPath, Staged};
use crate::repo::{File, Snapshot};

/// What the repository depends on, and what the change did to that.
#[derive(Clone, Debug, Default)]
pub struct DependencyFacts {
    pub dependencies: Dependencies,
    pub changes: Vec<DependencyChange>,
}

/// Resolves the dependencies of the snapshot, and what differs from the base.
pub fn resolve(snapshot: &Snapshot<'_>, base: Option<&Snapshot<'_>>) -> Staged<DependencyFacts> {
    let manifests = manifests(snapshot);
    let older = base.map(|base| (base, self::manifests(base))).filter(|(_, older)| !same(older, &manifests));
    if manifests.is_empty() && older.is_none() {
        return Staged::unavailable(Reason::new(
            "no_manifest",
            "no manifest or lockfile of a known format was found",
        ));
    }
    let mut dependencies = read(snapshot, &manifests, None);
    let changes =
        older.map_or_else(Vec::new, |(base, older)| deps::changes(&read(base, &older, None), &dependencies));
    let notes = std::mem::take(&mut dependencies.notes);
    Staged::available(DependencyFacts { dependencies, changes }, notes)
}

/// Resolves the dependencies of the snapshot; none when it has no manifest. A file that someone names is read though it
/// stands where manifests are not looked for, and before another lockfile beside it.
pub fn dependencies(snapshot: &Snapshot<'_>, named: Option<&RepoPath>) -> Option<Dependencies> {
    let is_named = |it: &&File| named == Some(&it.path);
    let manifests: Vec<&File> =
        snapshot.files.iter().filter(|it| deps::is_manifest(&it.path) || is_named(it)).collect();
    (!manifests.is_empty()).then(|| read(snapshot, &manifests, named))
}

fn manifests<'s>(snapshot: &'s Snapshot<'_>) -> Vec<&'s File> {
    snapshot.files.iter().filter(|it| deps::is_manifest(&it.path)).collect()
}

/// Whether both states hold the same manifests, as far as that is known without reading them.
fn same(left: &[&File], right: &[&File]) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .all(|(left, right)| left.path == right.path && left.blob.is_some() && left.blob == right.blob)
}

fn read(snapshot: &Snapshot<'_>, manifests: &[&File], named: Option<&RepoPath>) -> Dependencies {
    let readings: Vec<Result<Option<deps::Reading>, Note>> = manifests
        .par_iter()
        .map(|file| match snapshot.read(file) {
            Ok(content) => Ok(deps::read(&file.path, &content.bytes)),
            Err(unread) => Err(Note::new("manifest_unread", unread.to_string()).at(file.path.clone())),
        })
        .collect();
    let (mut found, mut notes) = (Vec::new(), Vec::new());
    for reading in readings {
        match reading {
            Ok(reading) => found.extend(reading),
            Err(note) => notes.push(note),
        }
    }
    if let Some(named) = named {
        deps::prefer(&mut found, named);
    }
    let mut dependencies = deps::join(found);
    dependencies.notes.extend(notes);
    dependencies
}
