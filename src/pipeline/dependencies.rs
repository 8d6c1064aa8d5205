//! The dependency stage: every manifest and lockfile of both states.

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::deps::{self, Dependencies, DependencyChange};
use crate::docs::{Machine, Usages};
use crate::model::{Note, Reason, RepoPath, Staged, counted};
use crate::repo::{File, SkipReason, Skipped, Snapshot};

use super::local_maven;

/// What the repository depends on, and what the change did to that.
#[derive(Clone, Debug, Default)]
pub struct DependencyFacts {
    pub dependencies: Dependencies,
    pub changes: Vec<DependencyChange>,
    pub usages: Usages,
}

/// Resolves the dependencies of the snapshot, and what differs from the base.
pub fn resolve(
    snapshot: &Snapshot<'_>,
    base: Option<&Snapshot<'_>>,
    machine: &Machine,
) -> Staged<DependencyFacts> {
    let manifests = manifests(snapshot, None);
    let newer = Some((snapshot, manifests.as_slice()));
    let older =
        base.map(|base| (base, self::manifests(base, newer))).filter(|(_, older)| !same(older, &manifests));
    let unread = unread(snapshot);
    if manifests.is_empty() && older.is_none() && unread.is_empty() {
        return Staged::unavailable(Reason::new(
            "no_manifest",
            "no manifest or lockfile of a known format was found",
        ));
    }
    let (mut dependencies, included) = read(snapshot, &manifests, None, machine);
    // What a manifest includes can change without it.
    let older = older.or_else(|| {
        let base = base.filter(|it| !included.iter().all(|file| same_blob(it.find(&file.path), file)))?;
        Some((base, self::manifests(base, newer)))
    });
    let changes = older.map_or_else(Vec::new, |(base, older)| {
        deps::changes(&read(base, &older, None, machine).0, &dependencies)
    });
    let mut notes = std::mem::take(&mut dependencies.notes);
    notes.extend(unread);
    notes.extend(left_out(snapshot, None));
    Staged::available(DependencyFacts { dependencies, changes, usages: Usages::default() }, notes)
}

/// Resolves the dependencies of the snapshot; none when it has no manifest. A file that someone names is read though it
/// stands where manifests are not looked for, and before another lockfile beside it.
pub fn dependencies(
    snapshot: &Snapshot<'_>,
    named: Option<&RepoPath>,
    machine: &Machine,
) -> Option<Dependencies> {
    let is_named = |it: &&File| named == Some(&it.path);
    let scripts: BTreeSet<&RepoPath> = scripts(snapshot, None).into_iter().map(|it| &it.path).collect();
    let is_wanted = |it: &&File| deps::is_manifest(&it.path) || scripts.contains(&it.path) || is_named(it);
    let manifests: Vec<&File> = snapshot.files.iter().filter(is_wanted).collect();
    (!manifests.is_empty()).then(|| read(snapshot, &manifests, named, machine).0)
}

/// A snapshot and the files in it that are manifests or lockfiles.
type Known<'k, 's> = (&'k Snapshot<'s>, &'k [&'k File]);

/// The manifests and lockfiles, also those that are too large for everything else. What is the same in a snapshot that
/// was looked through need not be read to know what it is.
fn manifests<'s>(snapshot: &'s Snapshot<'_>, newer: Option<Known<'_, '_>>) -> Vec<&'s File> {
    let all = snapshot.files.iter().chain(&snapshot.large);
    let mut manifests: Vec<&File> =
        all.filter(|it| deps::is_manifest(&it.path) && it.size <= LIMIT).collect();
    manifests.extend(scripts(snapshot, newer));
    manifests.sort_by(|left, right| left.path.cmp(&right.path));
    manifests
}

/// The scripts that say what they need.
fn scripts<'s>(snapshot: &'s Snapshot<'_>, newer: Option<Known<'_, '_>>) -> Vec<&'s File> {
    let scripts = snapshot.files.par_iter().filter(|it| deps::may_hold_manifest(&it.path));
    let says_so = |file: &&File| {
        let same = newer.and_then(|(newer, _)| newer.find(&file.path)).filter(|it| same_blob(Some(it), file));
        if let (Some((_, known)), Some(same)) = (newer, same) {
            return known.iter().any(|it| it.path == same.path);
        }
        snapshot.read_up_to(file, LIMIT).is_ok_and(|it| deps::holds_manifest(&it.bytes))
    };
    scripts.filter(says_so).collect()
}

/// The largest manifest or lockfile that is read.
const LIMIT: u64 = deps::MAX_FILE_BYTES as u64;

/// The word for a file that could not be opened.
pub const UNREAD: &str = "manifest_unread";

/// The manifests and lockfiles that are there and cannot be opened.
pub fn unread(snapshot: &Snapshot<'_>) -> Vec<Note> {
    let is_missed = |it: &&Skipped| match it.reason {
        SkipReason::TooLarge { size } => size > LIMIT,
        SkipReason::Unreadable(_) | SkipReason::LfsPointer => true,
        SkipReason::Ignored
        | SkipReason::Hidden
        | SkipReason::Symlink
        | SkipReason::Special
        | SkipReason::Submodule
        | SkipReason::TooDeep => false,
    };
    let missed = snapshot.skipped.iter().filter(is_missed).filter(|it| deps::is_manifest(&it.path));
    missed.map(|it| Note::new(UNREAD, it.reason.to_string()).at(it.path.clone())).collect()
}

/// Whether a note says that nothing of a manifest or lockfile is known, so that no result is complete.
pub fn is_unread(note: &Note) -> bool {
    note.code == UNREAD || deps::is_unread(note)
}

const LINKED: &str = "manifest_linked";
const NESTED: &str = "repository_nested";

/// What is not looked into on purpose, below a folder if one is given: a note for each kind, at the first of them.
pub fn left_out(snapshot: &Snapshot<'_>, below: Option<&RepoPath>) -> Vec<Note> {
    let is_below = |it: &&Skipped| below.is_none_or(|below| it.path.is_within(below));
    let skipped = || snapshot.skipped.iter().filter(is_below);
    let linked = skipped().filter(|it| it.reason == SkipReason::Symlink && deps::is_manifest(&it.path));
    let nested = skipped().filter(|it| it.reason == SkipReason::Submodule);
    let links = "of a manifest or lockfile left out; a file of the repository is read where it stands";
    let repositories = "left out; name its folder to list what it depends on";
    [
        note(LINKED, "symbolic link", links, linked.map(|it| &it.path)),
        note(NESTED, "nested repository", repositories, nested.map(|it| &it.path)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn note<'p>(
    code: &'static str,
    noun: &str,
    what: &str,
    paths: impl Iterator<Item = &'p RepoPath>,
) -> Option<Note> {
    let paths: BTreeSet<&RepoPath> = paths.collect();
    let first = *paths.first()?;
    Some(Note::new(code, format!("{} {what}", counted(paths.len() as u64, noun))).at(first.clone()))
}

/// Whether both states hold the same manifests, as far as that is known without reading them.
fn same(left: &[&File], right: &[&File]) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .all(|(left, right)| left.path == right.path && left.blob.is_some() && left.blob == right.blob)
}

fn same_blob(left: Option<&File>, right: &File) -> bool {
    left.is_some_and(|left| left.blob.is_some() && left.blob == right.blob)
}

/// Reads and joins manifests, and what they include; gives the included files too.
fn read<'s>(
    snapshot: &'s Snapshot<'_>,
    manifests: &[&'s File],
    named: Option<&RepoPath>,
    machine: &Machine,
) -> (Dependencies, Vec<&'s File>) {
    let mut notes = Vec::new();
    let read = |path: &RepoPath, bytes: &[u8]| match named {
        Some(named) if named == path => deps::read_named(path, bytes),
        Some(_) | None => deps::read(path, bytes),
    };
    let mut found = read_each(snapshot, manifests, read, &mut notes);
    let mut included: BTreeSet<RepoPath> = BTreeSet::new();
    loop {
        let further: Vec<&File> = deps::unread(&found)
            .into_iter()
            .filter(|it| included.insert(it.clone()))
            .filter_map(|it| snapshot.find(&it))
            .collect();
        if further.is_empty() {
            break;
        }
        let read = |path: &RepoPath, bytes: &[u8]| Some(deps::read_included(path, bytes));
        found.extend(read_each(snapshot, &further, read, &mut notes));
    }
    if let Some(named) = named {
        deps::prefer(&mut found, named);
    }
    local_maven::complete(&mut found, machine);
    let mut dependencies = deps::join(found);
    dependencies.notes.extend(notes);
    (dependencies, included.iter().filter_map(|it| snapshot.find(it)).collect())
}

fn read_each(
    snapshot: &Snapshot<'_>,
    files: &[&File],
    read: impl Fn(&RepoPath, &[u8]) -> Option<deps::Reading> + Sync,
    notes: &mut Vec<Note>,
) -> Vec<deps::Reading> {
    let readings: Vec<Result<Option<deps::Reading>, Note>> = files
        .par_iter()
        .map(|file| match snapshot.read_up_to(file, LIMIT) {
            Ok(content) => Ok(read(&file.path, &content.bytes)),
            Err(unread) => Err(Note::new(UNREAD, unread.to_string()).at(file.path.clone())),
        })
        .collect();
    let mut found = Vec::new();
    for reading in readings {
        match reading {
            Ok(reading) => found.extend(reading),
            Err(note) => notes.push(note),
        }
    }
    found
}
