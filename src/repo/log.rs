//! The history behind a commit, from commits and trees alone: blobs can be missing, and are not needed to say which files
//! a commit changed.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use gix::objs::TreeRefIter;
use gix::objs::tree::EntryKind;
use rayon::prelude::*;

use super::ids::CommitId;
use super::repository::Repository;
use super::store::{commit, guarded, tree};
use crate::model::RepoPath;

/// A commit and the files that it changed against its first parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    pub id: CommitId,
    /// When it was committed, in seconds since 1970.
    pub time: i64,
    /// The first line of its message.
    pub subject: String,
    pub author: String,
    pub parents: usize,
    pub files: Vec<RepoPath>,
    /// Whether it changed more files than are listed.
    pub is_cut: bool,
}

/// What lies behind a commit, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    pub commits: Vec<Logged>,
    /// Whether commits are missing whose names are known: the clone is shallow, or damaged.
    pub is_shallow: bool,
}

/// How far back a log goes.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// The most commits.
    pub commits: usize,
    /// The seconds before the first commit.
    pub seconds: Option<i64>,
}

/// The most changed files of one commit that are listed.
const MOST_FILES: usize = 2_000;
/// The most trees that are compared for one commit.
const MOST_TREES: usize = 20_000;
/// The most characters of a subject.
const LONGEST_SUBJECT: usize = 200;

/// What a commit says of itself.
pub struct Saying {
    pub tree: gix::ObjectId,
    pub parents: Vec<gix::ObjectId>,
    pub time: i64,
    pub subject: String,
    pub author: String,
}

impl Repository {
    /// The commits behind one, itself included, with the files of those that `is_wanted`; none without git.
    pub fn log(&self, from: CommitId, reach: Reach, is_wanted: impl Fn(&str) -> bool + Sync) -> Option<Log> {
        let store = self.store()?;
        let (found, is_shallow) = walk(&store.local(), from, reach);
        let commits = found.into_par_iter().map_init(
            || store.local(),
            |git, (id, saying)| {
                let mut files = Vec::new();
                let mut is_cut = false;
                if is_wanted(&saying.subject) {
                    let parent =
                        saying.parents.first().and_then(|it| commit(git, *it).ok()).map(|it| it.tree);
                    // What a missing parent had is not known.
                    if parent.is_some() || saying.parents.is_empty() {
                        is_cut = changed(git, parent, saying.tree, &mut files);
                    }
                }
                files.sort();
                let Saying { time, subject, author, parents, .. } = saying;
                Logged { id, time, subject, author, parents: parents.len(), files, is_cut }
            },
        );
        Some(Log { commits: commits.collect(), is_shallow })
    }
}

/// The commits by time, newest first, and whether a parent is missing.
fn walk(git: &gix::Repository, from: CommitId, reach: Reach) -> (Vec<(CommitId, Saying)>, bool) {
    let mut open: BinaryHeap<(i64, gix::ObjectId)> = BinaryHeap::new();
    let mut sayings: BTreeMap<gix::ObjectId, Saying> = BTreeMap::new();
    let mut met = BTreeSet::new();
    let mut found = Vec::new();
    let mut is_shallow = false;
    let mut enter = |id: gix::ObjectId, open: &mut BinaryHeap<_>, sayings: &mut BTreeMap<_, _>| {
        if !met.insert(id) {
            return true;
        }
        let Ok(saying) = commit(git, id) else { return false };
        open.push((saying.time, id));
        sayings.insert(id, saying);
        true
    };
    let mut is_there = enter(from.to_git(), &mut open, &mut sayings);
    let mut last = None;
    while let Some((time, id)) = open.pop().filter(|_| found.len() < reach.commits) {
        let first = *last.get_or_insert(time);
        if reach.seconds.is_some_and(|it| first.saturating_sub(time) > it) {
            break;
        }
        let Some(saying) = sayings.remove(&id) else { continue };
        for parent in &saying.parents {
            is_there = enter(*parent, &mut open, &mut sayings);
            is_shallow |= !is_there;
        }
        found.extend(CommitId::from_git(&id).map(|it| (it, saying)));
    }
    is_shallow |= !is_there && found.is_empty();
    (found, is_shallow)
}

/// Adds the files that differ between two trees; says whether some were left out.
fn changed(
    git: &gix::Repository,
    older: Option<gix::ObjectId>,
    newer: gix::ObjectId,
    files: &mut Vec<RepoPath>,
) -> bool {
    let mut open: Vec<(Option<RepoPath>, Option<gix::ObjectId>, Option<gix::ObjectId>)> =
        vec![(None, older, Some(newer))];
    let mut trees = 0;
    while let Some((folder, older, newer)) = open.pop() {
        trees += 1;
        if trees > MOST_TREES || files.len() > MOST_FILES {
            files.truncate(MOST_FILES);
            return true;
        }
        let [older, newer] = [older, newer].map(|it| it.map(|it| entries(git, it)).unwrap_or_default());
        let names: BTreeSet<&Vec<u8>> = older.keys().chain(newer.keys()).collect();
        for name in names {
            let sides = [older.get(name), newer.get(name)];
            if sides[0] == sides[1] {
                continue;
            }
            let path = match &folder {
                Some(folder) => folder.join(name).ok(),
                None => RepoPath::new(name).ok(),
            };
            let Some(path) = path else { continue };
            let tree = |side: Option<&(bool, gix::ObjectId)>| side.filter(|it| it.0).map(|it| it.1);
            let [before, after] = sides.map(tree);
            if before.is_some() || after.is_some() {
                open.push((Some(path.clone()), before, after));
            }
            if sides.into_iter().flatten().any(|it| !it.0) {
                files.push(path);
            }
        }
    }
    false
}

/// The entries of a tree by name: whether each is a tree, and its id.
fn entries(git: &gix::Repository, id: gix::ObjectId) -> BTreeMap<Vec<u8>, (bool, gix::ObjectId)> {
    let Ok(bytes) = tree(git, id) else { return BTreeMap::new() };
    let read = guarded(|| {
        let entries = TreeRefIter::from_bytes(&bytes, gix::hash::Kind::Sha1).filter_map(Result::ok);
        let named =
            entries.map(|it| (it.filename.to_vec(), (it.mode.kind() == EntryKind::Tree, it.oid.to_owned())));
        named.collect()
    });
    read.unwrap_or_default()
}

/// The first line of a message, cut to a length that fits a line.
pub fn subject(message: &[u8]) -> String {
    let text = String::from_utf8_lossy(message);
    text.trim_start().lines().next().unwrap_or_default().chars().take(LONGEST_SUBJECT).collect()
}
