//! The base of a comparison: which commit a change is measured against, and why that one.

use gix::revision::plumbing as walk;

use super::head::Depth;
use super::ids::CommitId;
use super::repository::Repository;
use super::store::{Store, guarded, has_commit};

/// A revision is a name or a few of them, not a text.
const MAX_SPEC: usize = 512;
/// What searches history or leaves the commits: reflogs, message searches, paths.
const REFUSED: [&str; 4] = ["@{", "^{/", ":", "^!"];

/// The commit that a change is measured against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    pub commit: CommitId,
    /// The commit on the other side; none for the files as they are (worktree or staged).
    pub head: Option<CommitId>,
    /// What was asked for.
    pub requested: String,
    /// Why this commit is the base, in one clause.
    pub reason: String,
}

/// Why there is no base.
#[derive(Debug, thiserror::Error)]
pub enum RevisionError {
    #[error("cannot compare with `{spec}`: there is no readable git data here")]
    NoGit { spec: String },
    #[error("`{spec}` is not a revision: give a branch, a tag, a commit, or two of them as `A..B`")]
    Malformed { spec: String },
    #[error("there is no commit `{revision}`{}", deepen(*.depth))]
    Unknown { revision: String, depth: Depth },
}

const fn deepen(depth: Depth) -> &'static str {
    match depth {
        Depth::Complete => "",
        Depth::Shallow => {
            "; the clone is shallow: fetch more history (`fetch-depth: 2` or more in the checkout step, or \
             `git fetch --unshallow`)"
        }
    }
}

impl Repository {
    /// Finds the base for `REV`, `A..B` or `A...B`: the merge base of both sides where there is one, else the first.
    ///
    /// # Errors
    /// When there is no git data, or a revision names no commit.
    pub fn resolve_base(&self, spec: &str) -> Result<Base, RevisionError> {
        let store = self.store().ok_or_else(|| RevisionError::NoGit { spec: spec.to_owned() })?;
        let malformed = || RevisionError::Malformed { spec: spec.to_owned() };
        let sides = spec.split_once("...").or_else(|| spec.split_once(".."));
        let (from, to) = match sides {
            Some((_, to)) if to.contains("..") => return Err(malformed()),
            Some((from, to)) => (from, Some(to)),
            None => (spec, None),
        };
        let find = |revision: &str| {
            let revision = if revision.is_empty() && sides.is_some() { "HEAD" } else { revision };
            if !is_plain(revision) {
                return Err(malformed());
            }
            let depth = self.head().depth;
            commit_of(store, revision)
                .ok_or_else(|| RevisionError::Unknown { revision: revision.to_owned(), depth })
        };
        let named = find(from)?;
        let head = to.map(find).transpose()?;
        let [from, to] = [from, to.unwrap_or("HEAD")].map(|it| if it.is_empty() { "HEAD" } else { it });
        let (commit, reason) = match head.or(self.head().commit) {
            None => (named, format!("there is no commit on this branch, so {from} itself is the base")),
            Some(other) => base_of(store, (named, from), (other, to), self.head().depth),
        };
        Ok(Base { commit, head, requested: spec.to_owned(), reason })
    }
}

fn base_of(store: &Store, from: (CommitId, &str), to: (CommitId, &str), depth: Depth) -> (CommitId, String) {
    let ((named, from), (other, to)) = (from, to);
    if named == other {
        let reason = match (from, to) {
            ("HEAD", "HEAD") => "HEAD is the current commit".to_owned(),
            _ if from == to => format!("both sides are {from}"),
            _ => format!("{from} is the same commit as {to}"),
        };
        return (named, reason);
    }
    match merge_base(store, named, other) {
        Some(base) if base == named => (base, format!("{from} is an ancestor of {to}")),
        Some(base) => (base, format!("it is the merge base of {from} and {to}")),
        None if depth == Depth::Shallow => (
            named,
            format!("the shallow clone holds no merge base of {from} and {to}, so {from} itself is the base"),
        ),
        None => (named, format!("{from} shares no history with {to}, so it is itself the base")),
    }
}

fn is_plain(revision: &str) -> bool {
    let length = 1..=MAX_SPEC;
    length.contains(&revision.len())
        && !revision.starts_with('-')
        && !revision.contains(char::is_control)
        && !REFUSED.iter().any(|it| revision.contains(it))
}

fn commit_of(store: &Store, revision: &str) -> Option<CommitId> {
    let git = store.local();
    let found = guarded(|| {
        let id = git.rev_parse_single(revision).ok()?;
        let object = id.object().ok()?.peel_to_commit().ok()?;
        CommitId::from_git(&object.id)
    });
    found.ok().flatten().filter(|it| has_commit(&git, *it))
}

fn merge_base(store: &Store, one: CommitId, two: CommitId) -> Option<CommitId> {
    let git = store.local();
    let found = guarded(|| {
        let mut graph = git.revision_graph(None);
        walk::merge_base(one.to_git(), &[two.to_git()], &mut graph).ok().flatten()
    });
    found.ok().flatten().and_then(|bases| CommitId::from_git(bases.first()))
}
