//! What differs between two states of the files: by the names of their content, then renames by likeness.

use std::collections::BTreeMap;

use super::ids::BlobId;
use super::similarity::{self, Candidate};
use super::snapshot::{FileMode, Snapshot};
use crate::model::{Note, RepoPath};

/// A file of the newer state whose content has been named.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HeadFile {
    pub path: RepoPath,
    pub mode: FileMode,
    pub blob: BlobId,
}

/// One file that differs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// In the newer state; in the older one for a removed file.
    pub path: RepoPath,
    pub kind: Alteration,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Alteration {
    Added,
    Removed,
    Modified,
    /// Same content, other permission to execute.
    ModeOnly,
    Renamed {
        from: RepoPath,
        likeness: Likeness,
    },
}

/// How far a renamed file's content is that of the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    Equal,
    /// The share of the larger side's bytes that stand in lines of both, in percent.
    Percent(u8),
}

/// The changes, sorted by path, and what cut their search short.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    pub changes: Vec<Change>,
    pub notes: Vec<Note>,
}

/// Compares the files of `head`, whose contents are named in `files`, with those of `base`.
///
/// A path that one side left out (too large, hidden, unreadable) is neither added nor removed.
pub fn changes(base: &Snapshot<'_>, head: &Snapshot<'_>, files: &[HeadFile]) -> Changes {
    let after: BTreeMap<&RepoPath, &HeadFile> = files.iter().map(|it| (&it.path, it)).collect();
    let mut found = Changes::default();
    let mut removed = BTreeMap::new();
    let mut added = BTreeMap::new();
    for file in &base.files {
        let Some(blob) = file.blob else { continue };
        match after.get(&file.path) {
            Some(newer) if newer.blob != blob => found.push(&file.path, Alteration::Modified),
            Some(newer) if newer.mode != file.mode => found.push(&file.path, Alteration::ModeOnly),
            Some(_) => {}
            // Left out, or listed but not readable.
            None if head.skips(&file.path) || head.find(&file.path).is_some() => {}
            None => {
                removed.insert(file.path.clone(), blob);
            }
        }
    }
    for file in files {
        if base.find(&file.path).is_none() && !base.skips(&file.path) {
            added.insert(file.path.clone(), file.blob);
        }
    }
    found.pair_equal(&mut removed, &mut added);
    found.pair_alike((base, &mut removed), (head, &mut added));
    found.finish(removed, added)
}

type Sides = BTreeMap<RepoPath, BlobId>;

impl Changes {
    /// The changes and, out of what was removed and added, renames of equal content; sorted.
    pub fn of_names(changes: Vec<Change>, mut removed: Sides, mut added: Sides) -> Vec<Change> {
        let mut found = Self { changes, notes: Vec::new() };
        found.pair_equal(&mut removed, &mut added);
        found.finish(removed, added).changes
    }

    fn finish(mut self, removed: Sides, added: Sides) -> Self {
        for path in removed.into_keys() {
            self.changes.push(Change { path, kind: Alteration::Removed });
        }
        for path in added.into_keys() {
            self.changes.push(Change { path, kind: Alteration::Added });
        }
        self.changes.sort_unstable();
        self
    }

    fn push(&mut self, path: &RepoPath, kind: Alteration) {
        self.changes.push(Change { path: path.clone(), kind });
    }

    /// Equal content: the same file name first, then in the order of paths.
    fn pair_equal(&mut self, removed: &mut Sides, added: &mut Sides) {
        let mut by_blob: BTreeMap<BlobId, Vec<RepoPath>> = BTreeMap::new();
        for (path, blob) in removed.iter() {
            by_blob.entry(*blob).or_default().push(path.clone());
        }
        let same_name = |sources: &[RepoPath], to: &RepoPath| {
            sources.iter().position(|it| it.file_name() == to.file_name())
        };
        let any = |sources: &[RepoPath], _: &RepoPath| (!sources.is_empty()).then_some(0);
        for choose in [same_name, any] {
            for (to, blob) in added.clone() {
                let Some(sources) = by_blob.get_mut(&blob) else { continue };
                let Some(position) = choose(sources, &to) else { continue };
                let from = sources.remove(position);
                added.remove(&to);
                removed.remove(&from);
                self.push(&to, Alteration::Renamed { from, likeness: Likeness::Equal });
            }
        }
    }

    fn pair_alike(&mut self, base: (&Snapshot<'_>, &mut Sides), head: (&Snapshot<'_>, &mut Sides)) {
        let ((base, removed), (head, added)) = (base, head);
        let limit = similarity::MAX_FILES;
        if removed.is_empty() || added.is_empty() {
            return;
        }
        if removed.len() > limit || added.len() > limit {
            let message = format!(
                "{} removed and {} added files: only the first {limit} of each were compared for renames",
                removed.len(),
                added.len()
            );
            self.notes.push(Note::new("rename_search_cut", message));
        }
        let olds = candidates(base, removed);
        let news = candidates(head, added);
        let large = [(base, &*removed), (head, &*added)].into_iter().map(|(side, it)| large_files(side, it));
        let large: usize = large.sum();
        if large > 0 {
            let message = format!("{large} added or removed files are too large to be compared for renames");
            self.notes.push(Note::new("rename_search_cut", message));
        }
        for (from, to, percent) in similarity::pair(&olds, &news) {
            removed.remove(&from);
            added.remove(&to);
            self.push(&to, Alteration::Renamed { from, likeness: Likeness::Percent(percent) });
        }
    }
}

fn large_files(snapshot: &Snapshot<'_>, paths: &Sides) -> usize {
    let files = paths.keys().filter_map(|it| snapshot.find(it));
    files.filter(|it| it.size > similarity::MAX_BYTES).count()
}

fn candidates(snapshot: &Snapshot<'_>, paths: &Sides) -> Vec<Candidate> {
    let files = paths.keys().take(similarity::MAX_FILES).filter_map(|it| snapshot.find(it));
    let small = files.filter(|it| it.size <= similarity::MAX_BYTES);
    small.filter_map(|it| Candidate::new(it.path.clone(), &snapshot.read(it).ok()?.bytes)).collect()
}
