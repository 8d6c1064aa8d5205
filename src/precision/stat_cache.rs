//! What files held when they were last looked at, by the state that they were in then: a file that is still in that
//! state need not be read again.
//!
//! The cache lies in the repository and may come from anywhere: be damaged, or belong to another copy. What it says
//! counts only for a file in the very state that it names (size, both times, inode), so all that a wrong one costs is
//! to read files again.

use serde::{Deserialize, Serialize};

use crate::model::{Digest, RepoPath};
use crate::repo::Layout;
use crate::system::{FileStat, Folder, Root, Stamp, Unread, write_below};

/// A document of its own, never committed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatCache {
    schema: String,
    /// Device and inode of the root.
    root: (u64, u64),
    pub index: Option<(Stamp, Digest)>,
    /// A seal, and the layout in which the repository has the files of configuration that it names and no source file
    /// that it does not know.
    pub layout: Option<(Digest, Layout)>,
    /// Sorted by path.
    pub files: Vec<(RepoPath, Stamp, Digest)>,
}

const SCHEMA: &str = "cortex.precision-stat-cache/1";
/// An entry has about 200 bytes.
const MAX_BYTES: u64 = 64 << 20;

fn folder() -> RepoPath {
    ".codecortex/cache".parse().expect("because this is a relative path")
}

fn inside(name: &str) -> RepoPath {
    folder().join(name.as_bytes()).expect("because the names are constants")
}

impl StatCache {
    /// Empty, for this root.
    pub fn new(root: &Root) -> Self {
        let stat = root.folder(None).and_then(|it| FileStat::of_handle(&it));
        let root = stat.map_or((0, 0), |it| (it.device, it.inode));
        Self { schema: SCHEMA.to_owned(), root, ..Self::default() }
    }

    /// Empty where there is none that can be used.
    pub fn read(root: &Root) -> Self {
        let empty = Self::new(root);
        let bytes = root.read(&inside("precision.json"), MAX_BYTES).ok();
        let found = bytes.and_then(|it| serde_json::from_slice::<Self>(&it).ok());
        found.filter(|it| (&it.schema, it.root) == (&empty.schema, empty.root)).unwrap_or(empty)
    }

    /// The folder that it is kept in, which is made; git is told to leave it alone.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn make_folder(root: &Root) -> Result<Folder, Unread> {
        let folder = root.make_folder(Some(&folder()))?;
        if folder.stat(b".gitignore") == Err(Unread::Missing) {
            let written = write_below(root, &inside(".gitignore"), b"*\n");
            written.map_err(|it| Unread::Failed(it.to_string()))?;
        }
        Ok(folder)
    }

    /// Keeps what was settled for a tick before a time: another write within that tick would leave no trace.
    ///
    /// # Errors
    /// When it cannot be written, with the reason.
    pub fn write(&self, root: &Root, time_ns: i128) -> Result<(), String> {
        let mut kept = self.clone();
        kept.files.retain(|(_, stamp, _)| stamp.is_settled_before(time_ns));
        kept.index = kept.index.filter(|(stamp, _)| stamp.is_settled_before(time_ns));
        kept.layout = kept.layout.filter(|(_, it)| it.is_settled_before(time_ns));
        let bytes = serde_json::to_vec(&kept).map_err(|it| it.to_string())?;
        write_below(root, &inside("precision.json"), &bytes).map_err(|it| it.to_string())
    }

    /// The last known state of a file and what it held in it.
    pub fn last(&self, path: &RepoPath) -> Option<(Stamp, Digest)> {
        let position = self.files.binary_search_by(|it| it.0.cmp(path)).ok()?;
        self.files.get(position).map(|it| (it.1, it.2))
    }
}
