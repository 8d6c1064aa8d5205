//! The commits behind one of them, newest first, each with the files that it changed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use rayon::prelude::*;

use super::change::Change;
use super::ids::CommitId;
use super::repository::Repository;
use super::store::{self, CommitText, Store};
use super::tree_diff::{self, NoDifference};
use crate::model::Reason;
use crate::system::Unread;

/// A subject is a line; the rest of a longer one is cut.
const MOST_SUBJECT: usize = 200;
/// Trees are met again in the next commit.
const TREE_CACHE_BYTES: usize = 48 << 20;

/// A commit and what it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    pub id: CommitId,
    pub parents: Vec<CommitId>,
    /// When it was committed, in seconds since 1970.
    pub time: i64,
    pub author: String,
    pub subject: String,
    pub files: LoggedFiles,
}

/// What a commit changed against its parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoggedFiles {
    Changed(Vec<Change>),
    /// What a merge brings is what the commits of the merged branch did.
    Merge,
    TooMany,
    /// The parent or a tree is not in this clone.
    Unknown,
}

/// A part of a history.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// By the time of the commit, newest first; a commit stands before its ancestors.
    pub commits: Vec<Logged>,
    /// Where it ends before its beginning.
    pub gap: Option<Gap>,
}

/// What of a history is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    pub cause: GapCause,
    /// Commits of this time and before may be missing, or what they changed.
    pub before: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapCause {
    /// Parents are not in this clone.
    Shallow,
    /// Trees are not in this clone, or damaged.
    Trees,
    /// There are more commits than were asked for.
    Limit,
}

impl Repository {
    /// The last `most` commits behind one, itself included. What `known` has of them is not read again.
    ///
    /// # Errors
    /// With the reason when the git data cannot be read or the first commit is not there.
    pub fn log(
        &self,
        from: CommitId,
        most: usize,
        mut known: BTreeMap<CommitId, Logged>,
    ) -> Result<Log, Reason> {
        let no_git = || Reason::new("history_without_git", "there is no readable git data here");
        let store = self.store().ok_or_else(no_git)?;
        let walked = walk(store, from, most, &known)?;
        let fresh: Vec<&Walked> = walked.commits.iter().filter(|it| it.text.is_some()).collect();
        let read = fresh.par_iter().map_init(
            || {
                let mut git = store.local();
                git.object_cache_size(TREE_CACHE_BYTES);
                git
            },
            |git, it| Some((it.id, logged(git, it)?)),
        );
        let mut read: BTreeMap<CommitId, Logged> = read.flatten().collect();
        let commits =
            walked.commits.iter().filter_map(|it| read.remove(&it.id).or_else(|| known.remove(&it.id)));
        let commits: Vec<Logged> = commits.collect();
        let unread =
            commits.iter().find(|it| it.files == LoggedFiles::Unknown && !walked.cut.contains(&it.id));
        let trees = unread.map(|it| Gap { cause: GapCause::Trees, before: it.time });
        // The newest gap says how far one may look.
        let gap = [walked.gap, trees].into_iter().flatten().max_by_key(|it| it.before);
        Ok(Log { commits, gap })
    }
}

struct Walked {
    id: CommitId,
    time: i64,
    parents: Vec<CommitId>,
    /// Whether the parents are there.
    is_cut: bool,
    /// What the commit says; none where it is known.
    text: Option<CommitText>,
}

#[derive(Default)]
struct Walk {
    commits: Vec<Walked>,
    cut: BTreeSet<CommitId>,
    gap: Option<Gap>,
}

/// The part of a commit that leads on.
struct Pending {
    parents: Vec<CommitId>,
    text: Option<CommitText>,
}

fn walk(
    store: &Store,
    from: CommitId,
    most: usize,
    known: &BTreeMap<CommitId, Logged>,
) -> Result<Walk, Reason> {
    let git = store.local();
    let load = |id: CommitId| match known.get(&id) {
        Some(it) => Ok((it.time, Pending { parents: it.parents.clone(), text: None })),
        None => store::commit(&git, id)
            .map(|it| (it.time, Pending { parents: it.parents.clone(), text: Some(it) })),
    };
    let unread =
        |it: Unread| Reason::new("history_unread", format!("the commit `{from}` cannot be read: {it}"));
    let mut waiting = BTreeMap::new();
    let (time, first) = load(from).map_err(unread)?;
    waiting.insert(from, first);
    let (mut seen, mut queue) = (BTreeSet::from([from]), BinaryHeap::from([(time, Reverse(from))]));
    let mut walk = Walk::default();
    while let Some((time, Reverse(id))) = queue.pop() {
        if walk.commits.len() >= most {
            let limit = Gap { cause: GapCause::Limit, before: time };
            walk.gap = walk.gap.into_iter().chain([limit]).max_by_key(|it| it.before);
            break;
        }
        let Some(pending) = waiting.remove(&id) else { continue };
        let mut is_cut = false;
        for parent in pending.parents.iter().filter(|it| seen.insert(**it)) {
            match load(*parent) {
                Ok((time, pending)) => {
                    queue.push((time, Reverse(*parent)));
                    waiting.insert(*parent, pending);
                }
                Err(_) => is_cut = true,
            }
        }
        if is_cut {
            walk.cut.insert(id);
            let shallow = Gap { cause: GapCause::Shallow, before: time };
            walk.gap = walk.gap.into_iter().chain([shallow]).max_by_key(|it| it.before);
        }
        walk.commits.push(Walked { id, time, parents: pending.parents, is_cut, text: pending.text });
    }
    walk.commits = children_first(walk.commits);
    Ok(walk)
}

/// Puts every commit before its ancestors, whatever its clock said; else the newest first.
fn children_first(commits: Vec<Walked>) -> Vec<Walked> {
    let mut children: BTreeMap<CommitId, usize> = commits.iter().map(|it| (it.id, 0)).collect();
    for parent in commits.iter().flat_map(|it| &it.parents) {
        if let Some(count) = children.get_mut(parent) {
            *count += 1;
        }
    }
    let is_free = |it: &&Walked| children.get(&it.id) == Some(&0);
    let mut free: BinaryHeap<_> =
        commits.iter().filter(is_free).map(|it| (it.time, Reverse(it.id))).collect();
    let mut rest: BTreeMap<CommitId, Walked> = commits.into_iter().map(|it| (it.id, it)).collect();
    let mut ordered = Vec::new();
    while let Some((_, Reverse(id))) = free.pop() {
        let Some(commit) = rest.remove(&id) else { continue };
        for parent in &commit.parents {
            let Some(count) = children.get_mut(parent) else { continue };
            *count -= 1;
            if *count == 0 {
                free.extend(rest.get(parent).map(|it| (it.time, Reverse(it.id))));
            }
        }
        ordered.push(commit);
    }
    ordered
}

fn logged(git: &gix::Repository, walked: &Walked) -> Option<Logged> {
    let text = walked.text.as_ref()?;
    let files = match text.parents.as_slice() {
        [_, _, ..] => LoggedFiles::Merge,
        _ if walked.is_cut => LoggedFiles::Unknown,
        parents => files(git, parents.first().copied(), text.tree),
    };
    Some(Logged {
        id: walked.id,
        parents: text.parents.clone(),
        time: text.time,
        author: text.author.clone(),
        subject: text.subject.chars().take(MOST_SUBJECT).collect(),
        files,
    })
}

fn files(git: &gix::Repository, parent: Option<CommitId>, tree: gix::ObjectId) -> LoggedFiles {
    let older = parent.map(|it| store::tree_of(git, it)).transpose();
    let Ok(older) = older else { return LoggedFiles::Unknown };
    match tree_diff::changes(git, older, tree) {
        Ok(changes) => LoggedFiles::Changed(changes),
        Err(NoDifference::TooMany) => LoggedFiles::TooMany,
        Err(NoDifference::Unread) => LoggedFiles::Unknown,
    }
}
