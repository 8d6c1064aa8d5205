//! Every effect but reading the tree of a repository: confined opens, whole-or-nothing writes, bounded processes.

mod kept;
mod process;
mod publish;
mod replace;
mod root;
mod scratch;
mod staging;
mod stamp;
mod strays;
#[cfg(test)]
mod tests;

pub use kept::{forget, read_kept, write_kept};
pub use process::{Command, Status, resolve, run};
pub use publish::{Target, publish, write_below, write_file};
pub use replace::{ReplaceError, Replacement, replace_all};
pub use root::{FileKind, FileStat, Folder, FolderEntry, Root, RootError, Unread};
pub use scratch::Scratch;
pub use stamp::{Stamp, TICK_NS, next_tick};
