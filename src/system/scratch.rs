//! A folder for a copy of the files, gone when it is dropped.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use crate::model::RepoPath;

/// A temporary folder with files of the repository.
#[derive(Debug)]
pub struct Scratch {
    folder: tempfile::TempDir,
}

impl Scratch {
    /// # Errors
    /// When the folder cannot be made below `parent`.
    pub fn new(parent: &Path) -> std::io::Result<Self> {
        Ok(Self { folder: tempfile::Builder::new().prefix("cortex-").tempdir_in(parent)? })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Puts a file there that is not there yet; its folders are made. Nothing here outlives the run, so nothing is
    /// synced to the disk.
    ///
    /// # Errors
    /// When it is there already or cannot be written.
    pub fn add(&self, path: &RepoPath, bytes: &[u8], mode: u32) -> std::io::Result<()> {
        let target = self.folder.path().join(path.as_path());
        if let Some(folder) = target.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(&target)?.write_all(bytes)
    }
}
