//! Every effect but reading the tree of a repository: confined opens, whole-or-nothing writes, bounded processes.

mod root;

pub use root::{FileKind, FileStat, Folder, FolderEntry, Root, RootError, Unread};
