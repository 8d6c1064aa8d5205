//! The state of the files when an index was begun: what changes from then on is not what it was made of.

use std::collections::BTreeMap;

use super::find::IndexFile;
use super::seal::{SealError, listing};
use crate::model::RepoPath;
use crate::repo::Repository;
use crate::system::{FileStat, Folder, Stamp, next_tick};

/// What the files were before the index was made of them.
pub struct Before {
    /// Files that changed at this time or later may have been read in another state.
    limit_ns: i128,
    /// Every file of the working tree; none where nobody looked.
    files: Option<BTreeMap<RepoPath, Option<Stamp>>>,
}

impl Before {
    /// For an index that somebody made: its files must be older than it.
    pub fn of_index(file: &IndexFile) -> Self {
        Self { limit_ns: file.written_ns(), files: None }
    }

    /// For an index that will be made now. `clock` is a folder of the file system.
    ///
    /// # Errors
    /// When the files cannot be listed, or the file system does not say what time it is.
    pub fn now(repository: &Repository, clock: &Folder) -> Result<Self, SealError> {
        let limit_ns = next_tick(clock).map_err(SealError::Clock)?;
        let snapshot = listing(repository)?;
        let files = snapshot.files.iter().map(|it| (it.path.clone(), it.stat().and_then(Stamp::of)));
        Ok(Self { limit_ns, files: Some(files.collect()) })
    }

    /// Whether a file, by its state, is what an index was made of.
    pub fn holds_for(&self, path: &RepoPath, stat: &FileStat) -> bool {
        let is_older = stat.mtime_ns < self.limit_ns && stat.ctime_ns < self.limit_ns;
        let was = self.files.as_ref().and_then(|it| it.get(path));
        // A file that no listing has, such as an ignored one, is known by its times alone.
        is_older && was.is_none_or(|it| it.is_some() && *it == Stamp::of(stat))
    }

    /// Whether a file was there, as far as anybody looked.
    pub fn has(&self, path: &RepoPath) -> bool {
        self.files.as_ref().is_none_or(|it| it.contains_key(path))
    }
}
