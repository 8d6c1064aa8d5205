//! The past of single files, and the files that used to change with them.

use std::collections::{BTreeMap, BTreeSet};

use super::fix::is_fix;
use crate::model::{Note, RepoPath};
use crate::repo::{Log, Logged};

/// What the notes of this layer mean.
pub const CODES: &[(&str, &str)] = &[(
    "history_shallow",
    "The clone is shallow: commits behind its edge are not there, so changes and fixes can be missing. Fetch the whole \
     history (`git fetch --unshallow`, `fetch-depth: 0`).",
)];

/// What is known of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePast<'l> {
    pub path: RepoPath,
    /// Newest first.
    pub commits: Vec<&'l Logged>,
    pub fixes: Vec<&'l Logged>,
}

/// A file that used to change with one of a change and is no part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Partner {
    pub of: RepoPath,
    pub path: RepoPath,
    /// How often both changed.
    pub together: usize,
    /// How often the file of the change did.
    pub changes: usize,
}

/// A commit of more files says nothing of pairs.
const MOST_FILES: usize = 30;
/// Fewer common changes are chance.
const LEAST_TOGETHER: usize = 4;

/// The commits that changed each of the files.
pub fn past<'l>(log: &'l Log, files: &BTreeSet<RepoPath>) -> (Vec<FilePast<'l>>, Vec<Note>) {
    let mut found: BTreeMap<&RepoPath, Vec<&Logged>> = files.iter().map(|it| (it, Vec::new())).collect();
    for commit in log.commits.iter().filter(|it| it.parents < 2) {
        for path in &commit.files {
            if let Some(commits) = found.get_mut(path) {
                commits.push(commit);
            }
        }
    }
    let pasts = found.into_iter().map(|(path, commits)| FilePast {
        path: path.clone(),
        fixes: commits.iter().copied().filter(|it| is_fix(&it.subject)).collect(),
        commits,
    });
    let notes = log.is_shallow.then(|| {
        Note::new("history_shallow", "the clone is shallow: what happened behind its edge is not counted")
    });
    (pasts.collect(), notes.into_iter().collect())
}

/// The files that changed with one of the change at least half of the time, and do not now; surest first.
pub fn partners(log: &Log, files: &BTreeSet<RepoPath>) -> Vec<Partner> {
    let mut changes: BTreeMap<&RepoPath, usize> = BTreeMap::new();
    let mut pairs: BTreeMap<(&RepoPath, &RepoPath), usize> = BTreeMap::new();
    let telling =
        log.commits.iter().filter(|it| it.parents < 2 && !it.is_cut && it.files.len() <= MOST_FILES);
    for commit in telling {
        for of in commit.files.iter().filter(|it| files.contains(it)) {
            *changes.entry(of).or_default() += 1;
            for with in commit.files.iter().filter(|it| !files.contains(it)) {
                *pairs.entry((of, with)).or_default() += 1;
            }
        }
    }
    let mut partners: Vec<Partner> = pairs
        .into_iter()
        .filter_map(|((of, path), together)| {
            let changes = *changes.get(of)?;
            let is_sure = together >= LEAST_TOGETHER && together * 2 >= changes;
            is_sure.then(|| Partner { of: of.clone(), path: path.clone(), together, changes })
        })
        .collect();
    partners.sort_by(|left, right| {
        let share = |it: &Partner| it.together * 1_000 / it.changes.max(1);
        share(right).cmp(&share(left)).then_with(|| (&left.of, &left.path).cmp(&(&right.of, &right.path)))
    });
    partners
}
