//! Where the index is.

use std::path::Path;

use super::refusal::Refusal;
use crate::model::RepoPath;
use crate::system::{FileStat, Folder, Root, Unread};

/// An index file that was read.
pub struct IndexFile {
    /// As a person would name it.
    pub place: String,
    pub bytes: Vec<u8>,
    pub stat: FileStat,
    /// What lies beside it as its seal.
    pub seal: Option<Vec<u8>>,
}

/// Tenfold what the largest repositories that were measured need; an index costs a few times its size in memory.
const MAX_BYTES: u64 = 256 << 20;
/// A seal has about 300 bytes for each document.
const MAX_SEAL_BYTES: u64 = 64 << 20;
/// Behind the name of the index.
pub const SEAL: &str = ".manifest.json";

/// In the order of looking. `index.scip` is the name that indexers write.
pub const PLACES: [&str; 8] = [
    ".codecortex/precision/index.cortexidx",
    ".codecortex/precision/index.scip",
    "index.cortexidx",
    "index.scip",
    ".codecortex/index.cortexidx",
    ".codecortex/index.scip",
    "build/index.cortexidx",
    "build/index.scip",
];

/// Whether a file is an index or the seal of one, by its name: it describes the code and is no part of it.
pub fn is_index_or_seal(path: &RepoPath) -> bool {
    let name = path.file_name();
    let name = name.strip_suffix(SEAL.as_bytes()).unwrap_or(name);
    name.ends_with(b".scip") || name.ends_with(b".cortexidx")
}

impl IndexFile {
    /// The earliest of its times: a modification time can be set to any value, in the future as well.
    pub fn written_ns(&self) -> i128 {
        self.stat.mtime_ns.min(self.stat.ctime_ns)
    }
}

/// The index of a repository: the configured one, else the first of the usual places. None when there is none.
///
/// # Errors
/// When the configured one is missing, or there is one that cannot be read.
pub fn find(root: &Root, configured: Option<&RepoPath>) -> Result<Option<IndexFile>, Refusal> {
    if let Some(path) = configured {
        let found = read(root, path)?;
        return found.map(Some).ok_or_else(|| Refusal::Missing(path.clone()));
    }
    for place in PLACES {
        let path = place.parse().expect("because the places are constants without `..`");
        if let Some(found) = read(root, &path)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn read(root: &Root, path: &RepoPath) -> Result<Option<IndexFile>, Refusal> {
    match root.read_file(path, MAX_BYTES) {
        Ok((_, stat)) if root.stat(path) != Ok(stat) => {
            Err(Refusal::Unread { path: path.to_string(), unread: unsettled() })
        }
        Ok((bytes, stat)) => {
            let beside = RepoPath::new(&[path.as_bytes(), SEAL.as_bytes()].concat());
            let seal = beside.ok().and_then(|it| seal(root.read(&it, MAX_SEAL_BYTES)));
            Ok(Some(IndexFile { place: path.to_string(), bytes, stat, seal }))
        }
        Err(Unread::Missing) => Ok(None),
        Err(unread) => Err(Refusal::Unread { path: path.to_string(), unread }),
    }
}

/// The beginning of an index is an index by itself, so one that is being written must not be taken for whole.
fn unsettled() -> Unread {
    Unread::Failed("it changed while it was read; ask again when its indexer has ended".to_owned())
}

/// What lies beside an index as its seal. One that cannot be read is none of this index: that is not the same as none.
fn seal(read: Result<Vec<u8>, Unread>) -> Option<Vec<u8>> {
    match read {
        Ok(bytes) => Some(bytes),
        Err(Unread::Missing) => None,
        Err(_) => Some(Vec::new()),
    }
}

/// The index that the operator names, wherever it is.
///
/// # Errors
/// When it cannot be read.
pub fn open(path: &Path) -> Result<IndexFile, Refusal> {
    let place = path.display().to_string();
    let refuse = |unread| Refusal::Unread { path: place.clone(), unread };
    let name = path.file_name().ok_or_else(|| refuse(Unread::Directory))?;
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let folder = Folder::open(folder).map_err(refuse)?;
    let (bytes, stat) = folder.read(name.as_encoded_bytes(), MAX_BYTES).map_err(refuse)?;
    if folder.stat(name.as_encoded_bytes()) != Ok(stat) {
        return Err(refuse(unsettled()));
    }
    let beside = [name.as_encoded_bytes(), SEAL.as_bytes()].concat();
    let seal = seal(folder.read(&beside, MAX_SEAL_BYTES).map(|it| it.0));
    Ok(IndexFile { place, bytes, stat, seal })
}
