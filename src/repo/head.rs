//! What the repository says of itself: which commit, on which branch, with how much history.

use super::ids::CommitId;
use super::store::{Store, guarded, has_commit};
use crate::model::Reason;

/// The identity of what is checked out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    pub commit: Option<CommitId>,
    /// The short name of the branch; bytes that are not UTF-8 are replaced.
    pub branch: Option<String>,
    pub state: HeadState,
    pub depth: Depth,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeadState {
    Branch,
    Detached,
    /// A branch without a commit.
    Unborn,
    NoGit,
    Unavailable(Reason),
}

/// How much of the history is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    Complete,
    Shallow,
}

impl Head {
    pub const fn without_git() -> Self {
        Self { commit: None, branch: None, state: HeadState::NoGit, depth: Depth::Complete }
    }

    pub const fn unavailable(reason: Reason) -> Self {
        Self { commit: None, branch: None, state: HeadState::Unavailable(reason), depth: Depth::Complete }
    }

    pub fn of(store: &Store) -> Self {
        match guarded(|| read(store)).and_then(|it| it) {
            Ok(head) => head,
            Err(reason) => Self::unavailable(reason),
        }
    }
}

fn read(store: &Store) -> Result<Head, Reason> {
    let damaged = || Reason::new("git_head_unreadable", "`HEAD` cannot be read; check it with `git fsck`");
    let git = store.local();
    let mut head = git.head().map_err(|_| damaged())?;
    let branch = head.referent_name().map(|it| it.shorten().to_string());
    let depth = match store.folder.common.join("shallow").metadata() {
        Ok(file) if file.len() > 0 => Depth::Shallow,
        Ok(_) | Err(_) => Depth::Complete,
    };
    if head.is_unborn() {
        return Ok(Head { commit: None, branch, state: HeadState::Unborn, depth });
    }
    let state = if head.is_detached() { HeadState::Detached } else { HeadState::Branch };
    let id = head.try_peel_to_id().map_err(|_| damaged())?.ok_or_else(damaged)?;
    let commit = CommitId::from_git(&id).filter(|it| has_commit(&git, *it)).ok_or_else(damaged)?;
    Ok(Head { commit: Some(commit), branch, state, depth })
}
