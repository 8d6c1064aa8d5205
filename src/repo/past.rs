//! Single files of single commits, for a question about a few lines.

use super::change::{Alteration, Change};
use super::ids::{BlobId, CommitId};
use super::repository::Repository;
use super::store::{self, CommitText};
use super::tree_diff;
use crate::model::{Reason, RepoPath};
use crate::system::Unread;

/// Trees near the top are met in every commit.
const TREE_CACHE_BYTES: usize = 48 << 20;
/// A longer file is not one that a person wrote line by line.
const MOST_BYTES: u64 = 4 << 20;

/// The objects of a repository, for one thread.
pub struct Past {
    git: gix::Repository,
}

impl Repository {
    /// # Errors
    /// When there is no readable git data.
    pub fn past(&self) -> Result<Past, Reason> {
        let no_git = || Reason::new("history_without_git", "there is no readable git data here");
        let mut git = self.store().ok_or_else(no_git)?.local();
        git.object_cache_size(TREE_CACHE_BYTES);
        Ok(Past { git })
    }
}

impl Past {
    /// # Errors
    /// When the commit is not there.
    pub fn commit(&self, id: CommitId) -> Result<CommitText, Unread> {
        store::commit(&self.git, id)
    }

    /// The content of a path below a tree; none when there is no file.
    ///
    /// # Errors
    /// When a tree is not there.
    pub fn find(&self, commit: &CommitText, path: &RepoPath) -> Result<Option<BlobId>, Unread> {
        let mut tree = commit.tree;
        let mut names = path.as_bytes().split(|it| *it == b'/').peekable();
        while let Some(name) = names.next() {
            let bytes = store::tree(&self.git, tree)?;
            let entries = gix::objs::TreeRefIter::from_bytes(&bytes, gix::hash::Kind::Sha1);
            let entry = entries.map_while(Result::ok).find(|it| it.filename == name);
            let Some(entry) = entry else { return Ok(None) };
            match names.peek() {
                Some(_) if entry.mode.is_tree() => tree = entry.oid.to_owned(),
                None if entry.mode.is_blob() => return Ok(BlobId::from_git(entry.oid)),
                Some(_) | None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The name that a file of the commit had in its parent, where the content stayed the same.
    pub fn name_before(&self, parent: &CommitText, commit: &CommitText, path: &RepoPath) -> Option<RepoPath> {
        let changes = tree_diff::changes(&self.git, Some(parent.tree), commit.tree).ok()?;
        let change: Change = changes.into_iter().find(|it| &it.path == path)?;
        match change.kind {
            Alteration::Renamed { from, .. } => Some(from),
            Alteration::Added | Alteration::Removed | Alteration::Modified | Alteration::ModeOnly => None,
        }
    }

    /// # Errors
    /// When the content is not there, too long, or no text.
    pub fn text(&self, blob: BlobId) -> Result<String, Unread> {
        let bytes = store::blob(&self.git, blob, MOST_BYTES)?;
        String::from_utf8(bytes).map_err(|_| Unread::Failed(format!("`{blob}` is no text")))
    }
}
