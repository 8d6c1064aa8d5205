//! The repository as a jail and as a snapshot: which files there are, what they hold, which commit they come from
//! and what changed since another one. Git data is read without running anything and without trusting it.

mod change;
mod codes;
mod git_folder;
mod head;
mod hunks;
mod ids;
mod ignore_rules;
mod index;
mod layout;
mod lfs;
mod log;
mod repository;
mod revision;
mod similarity;
mod skip;
mod snapshot;
mod store;
#[cfg(test)]
mod tests;
mod tree;
mod walk;

pub use change::{Alteration, Change, Changes, HeadFile, changes};
pub use codes::CODES;
pub use head::{Depth, Head, HeadState};
pub use hunks::{Hunk, hunks};
pub use ids::{BlobId, CommitId};
pub use index::Index as GitIndex;
pub use layout::Layout;
pub use log::{Log, Logged, Reach};
pub use repository::Repository;
pub use revision::{Base, RevisionError};
pub use skip::{SkipReason, Skipped};
pub use snapshot::{File, FileMode, Options, Snapshot, SnapshotError, View};
