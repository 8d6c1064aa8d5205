//! What a snapshot leaves out, and why: nothing is dropped without a record.

use crate::model::RepoPath;
use crate::system::Unread;

/// A file or a whole folder that is not part of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    pub path: RepoPath,
    pub reason: SkipReason,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum SkipReason {
    /// An ignore file says so, and git does not track it.
    #[error("an ignore file names it")]
    Ignored,
    /// A component of the path begins with a dot.
    #[error("it is hidden")]
    Hidden,
    #[error("it has {size} bytes, more than the limit")]
    TooLarge { size: u64 },
    #[error("it is a symbolic link")]
    Symlink,
    /// A FIFO, socket or device.
    #[error("it is neither a regular file nor a folder")]
    Special,
    /// A submodule, or a repository of its own in an untracked folder.
    #[error("it is a repository of its own")]
    Submodule,
    #[error("{0}")]
    Unreadable(Unread),
    /// A git-lfs pointer stands in the place of the content.
    #[error("it holds a git-lfs pointer, not the content")]
    LfsPointer,
    /// More folders above it than the walk enters.
    #[error("too many folders lie above it")]
    TooDeep,
}

impl SkipReason {
    /// The stable code that `cortex explain` knows.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Ignored => "ignored",
            Self::Hidden => "hidden",
            Self::TooLarge { .. } => "too_large",
            Self::Symlink => "symlink",
            Self::Special => "special_file",
            Self::Submodule => "submodule",
            Self::Unreadable(unread) => unread.code(),
            Self::LfsPointer => "lfs_pointer",
            Self::TooDeep => "too_deep",
        }
    }
}

impl From<Unread> for SkipReason {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Symlink => Self::Symlink,
            Unread::Special => Self::Special,
            Unread::TooLarge { size } => Self::TooLarge { size },
            Unread::Missing | Unread::Directory | Unread::Denied | Unread::Failed(_) => {
                Self::Unreadable(unread)
            }
        }
    }
}
