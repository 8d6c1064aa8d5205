//! What a snapshot leaves out, and why: nothing is dropped without a record.

use crate::model::RepoPath;
use crate::system::Unread;

/// A file or a whole folder that is not part of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    pub path: RepoPath,
    pub reason: SkipReason,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkipReason {
    /// An ignore file says so, and git does not track it.
    Ignored,
    /// A component of the path begins with a dot.
    Hidden,
    TooLarge {
        size: u64,
    },
    Symlink,
    /// A FIFO, socket or device.
    Special,
    /// A submodule, or a repository of its own in an untracked folder.
    Submodule,
    Unreadable(Unread),
    /// A git-lfs pointer stands in the place of the content.
    LfsPointer,
    /// More folders above it than the walk enters.
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
