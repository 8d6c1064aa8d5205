//! The git data of a repository, read without trusting it.
//!
//! Configuration is read from the repository's own file only and none of it runs a program; replacement refs and
//! the commit graph are left aside, because both can make history differ from what the commits say. Every object
//! is asked for its size before it is decoded, and a panic inside the reader is a reason, not a crash.

use std::panic::{AssertUnwindSafe, catch_unwind};

use gix::objs::Kind;

use super::git_folder::GitFolder;
use super::ids::{BlobId, CommitId};
use super::log::{Saying, subject};
use crate::model::Reason;
use crate::system::Unread;

/// The most bytes of a commit, a tag or one tree.
const MAX_STRUCTURE: u64 = 32 * 1024 * 1024;
/// The list of cut parents is read by nobody: a missing parent ends a walk just as well, and a damaged list does not.
const OVERRIDES: [&str; 4] = [
    "gitoxide.core.shallowFile=no-such-file",
    "gitoxide.objects.allocLimit=268435456",
    "core.useReplaceRefs=false",
    "core.commitGraph=false",
];

/// An opened object store, shared between threads.
pub struct Store {
    repository: gix::ThreadSafeRepository,
    pub folder: GitFolder,
}

impl Store {
    /// # Errors
    /// With the reason when what lies there is no readable repository.
    pub fn open(folder: GitFolder) -> Result<Self, Reason> {
        let options = gix::open::Options::isolated()
            .with(gix::sec::Trust::Full)
            .open_path_as_is(true)
            .config_overrides(OVERRIDES);
        let opened = guarded(|| options.open(folder.private.clone()))?;
        let repository = opened.map_err(|_| {
            Reason::new("git_unreadable", "the git data cannot be opened; check it with `git fsck`")
        })?;
        Ok(Self { repository, folder })
    }

    /// A handle for one thread.
    pub fn local(&self) -> gix::Repository {
        self.repository.to_thread_local()
    }
}

/// Runs a reader of untrusted data; a panic of it becomes a reason.
///
/// # Errors
/// When the reader panics.
pub fn guarded<T>(read: impl FnOnce() -> T) -> Result<T, Reason> {
    catch_unwind(AssertUnwindSafe(read))
        .map_err(|_| Reason::new("git_unreadable", "the git data is damaged; check it with `git fsck`"))
}

/// The size of a blob, without decoding it.
///
/// # Errors
/// When there is no such blob.
pub fn blob_size(git: &gix::Repository, id: BlobId) -> Result<u64, Unread> {
    size(git, id.to_git(), Kind::Blob)
}

/// The content of a blob of at most `limit` bytes.
///
/// # Errors
/// When there is no such blob, or it is larger.
pub fn blob(git: &gix::Repository, id: BlobId, limit: u64) -> Result<Vec<u8>, Unread> {
    object(git, id.to_git(), Kind::Blob, limit)
}

/// The name of the tree that a commit records.
///
/// # Errors
/// When there is no such commit.
pub fn tree_of(git: &gix::Repository, commit: CommitId) -> Result<gix::ObjectId, Unread> {
    let bytes = object(git, commit.to_git(), Kind::Commit, MAX_STRUCTURE)?;
    let mut fields = gix::objs::CommitRefIter::from_bytes(&bytes, gix::hash::Kind::Sha1);
    fields.tree_id().map_err(|_| Unread::Failed(format!("the commit `{commit}` is damaged")))
}

/// What a commit says of itself.
///
/// # Errors
/// When there is no such commit.
pub fn commit(git: &gix::Repository, id: gix::ObjectId) -> Result<Saying, Unread> {
    let bytes = object(git, id, Kind::Commit, MAX_STRUCTURE)?;
    let damaged = || Unread::Failed(format!("the commit `{id}` is damaged"));
    let read = guarded(|| {
        let read = gix::objs::CommitRef::from_bytes(&bytes, gix::hash::Kind::Sha1).ok()?;
        Some(Saying {
            tree: read.tree(),
            parents: read.parents().collect(),
            time: read.committer().ok()?.seconds(),
            subject: subject(read.message),
            author: String::from_utf8_lossy(read.author().ok()?.name).into_owned(),
        })
    });
    read.map_err(|_| damaged())?.ok_or_else(damaged)
}

/// The encoded entries of a tree.
///
/// # Errors
/// When there is no such tree.
pub fn tree(git: &gix::Repository, id: gix::ObjectId) -> Result<Vec<u8>, Unread> {
    object(git, id, Kind::Tree, MAX_STRUCTURE)
}

/// Whether the commit is there.
pub fn has_commit(git: &gix::Repository, id: CommitId) -> bool {
    size(git, id.to_git(), Kind::Commit).is_ok()
}

fn size(git: &gix::Repository, id: gix::ObjectId, kind: Kind) -> Result<u64, Unread> {
    let damaged = || Unread::Failed(format!("the git object `{id}` is damaged"));
    let header = guarded(|| git.try_find_header(id)).map_err(|_| damaged())?.map_err(|_| damaged())?;
    let header = header.ok_or(Unread::Missing)?;
    if header.kind() == kind {
        Ok(header.size())
    } else {
        Err(Unread::Failed(format!("the git object `{id}` is a {}, not a {kind}", header.kind())))
    }
}

fn object(git: &gix::Repository, id: gix::ObjectId, kind: Kind, limit: u64) -> Result<Vec<u8>, Unread> {
    let size = size(git, id, kind)?;
    if size > limit {
        return Err(Unread::TooLarge { size });
    }
    let damaged = || Unread::Failed(format!("the git object `{id}` is damaged"));
    let found = guarded(|| git.try_find_object(id).map(|it| it.map(|it| it.detach())));
    let found = found.map_err(|_| damaged())?.map_err(|_| damaged())?.ok_or(Unread::Missing)?;
    Ok(found.data)
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn a_panic_is_a_reason() {
        assert_eq!(guarded(|| 1), Ok(1));
        assert_eq!(guarded(|| panic!("as a reader of damaged data may")).unwrap_err().code, "git_unreadable");
    }
}
