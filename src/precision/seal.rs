//! What the files were when the index was made of them, written beside the index.
//!
//! Times alone prove little: a fresh clone gives an index and its sources one time. A seal names the content. A file
//! is then known without reading it: by the state that the seal saw it in on this machine, or by the git index, which
//! vouches for the name of its content.

use serde::{Deserialize, Serialize};

use super::find::{IndexFile, SEAL};
use super::index::Index;
use crate::model::{Digest, RepoPath};
use crate::repo::{Options, Repository, Snapshot, SnapshotError, View};
use crate::system::{FileStat, Root, Unread};

/// The document `<index>.manifest.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seal {
    schema: String,
    pub index: SealedIndex,
    /// The documents of the index, sorted by path.
    pub documents: Vec<Sealed>,
    /// Files that decide what an indexer finds, sorted by path.
    pub configuration: Vec<Sealed>,
    /// Files of the documents' languages that the index does not have, sorted.
    pub others: Vec<RepoPath>,
}

/// Which index is meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealedIndex {
    pub size: u64,
    pub sha256: Digest,
    pub documents: usize,
}

/// A file as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sealed {
    pub path: RepoPath,
    /// None for a file that was gone, or was written when the index was there already: it is never current.
    pub content: Option<Content>,
}

/// What a file held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Content {
    pub size: u64,
    pub sha256: Digest,
    /// The name that git gave it, where the git index vouched for it.
    pub blob: Option<String>,
    pub seen: Seen,
}

/// The state of a file on the machine that sealed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    mtime_ns: i64,
    ctime_ns: i64,
    inode: u64,
}

const SCHEMA: &str = "cortex.precision-seal/1";
/// Files above this are not source code that anybody indexed.
const MAX_FILE_BYTES: u64 = 64 << 20;
/// Names and endings of files that decide what an indexer finds.
const CONFIGURATION: [&str; 22] = [
    "tsconfig.json",
    "jsconfig.json",
    "package.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "requirements.txt",
    "poetry.lock",
    "uv.lock",
    "Cargo.toml",
    "Cargo.lock",
    "go.mod",
    "go.sum",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "compile_commands.json",
    "Gemfile.lock",
];

impl Seen {
    /// None for a time outside of what the seal can hold.
    pub fn of(stat: &FileStat) -> Option<Self> {
        let nanoseconds = |it: i128| i64::try_from(it).ok();
        Some(Self {
            mtime_ns: nanoseconds(stat.mtime_ns)?,
            ctime_ns: nanoseconds(stat.ctime_ns)?,
            inode: stat.inode,
        })
    }
}

impl Seal {
    /// Reads every document and every file of configuration.
    ///
    /// # Errors
    /// When the files of the repository cannot be listed.
    pub fn make(repository: &Repository, index: &Index<'_>, file: &IndexFile) -> Result<Self, SnapshotError> {
        let snapshot = listing(repository)?;
        let sealed = |path: &RepoPath| {
            let blob = snapshot.find(path).and_then(|it| it.blob).map(|it| it.to_string());
            let content = content(repository.root(), path, file.written_ns(), blob).ok().flatten();
            Sealed { path: path.clone(), content }
        };
        let surroundings = Surroundings::of(&snapshot, index);
        Ok(Self {
            schema: SCHEMA.to_owned(),
            index: SealedIndex::of(index, &file.bytes),
            documents: index.documents.iter().map(|it| sealed(&it.path)).collect(),
            configuration: surroundings.configuration.iter().map(sealed).collect(),
            others: surroundings.others,
        })
    }

    /// The seal in these bytes, when it is one of this very index.
    pub fn read(bytes: &[u8], index: &Index<'_>, content: &[u8]) -> Option<Self> {
        let seal: Self = serde_json::from_slice(bytes).ok()?;
        let is_known = seal.schema == SCHEMA && seal.documents.len() == index.documents.len();
        (is_known && seal.index == SealedIndex::of(index, content)).then_some(seal)
    }

    /// The number of documents that can never be current.
    pub fn raced(&self) -> usize {
        self.documents.iter().filter(|it| it.content.is_none()).count()
    }
}

impl SealedIndex {
    fn of(index: &Index<'_>, bytes: &[u8]) -> Self {
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        Self { size, sha256: Digest::of(bytes), documents: index.documents.len() }
    }
}

/// The files of the working tree.
///
/// # Errors
/// When they cannot be listed.
pub fn listing(repository: &Repository) -> Result<Snapshot<'_>, SnapshotError> {
    repository.snapshot(View::Worktree, &Options { max_file_bytes: MAX_FILE_BYTES, scope: None })
}

/// None for a file that changed since the index was made, or while it was read.
fn content(
    root: &Root,
    path: &RepoPath,
    index_ns: i128,
    blob: Option<String>,
) -> Result<Option<Content>, Unread> {
    let (bytes, stat) = root.read_file(path, MAX_FILE_BYTES)?;
    let is_older = stat.mtime_ns < index_ns && stat.ctime_ns < index_ns;
    if !is_older || root.stat(path)? != stat {
        return Ok(None);
    }
    let (size, sha256) = (stat.size, Digest::of(&bytes));
    Ok(Seen::of(&stat).map(|seen| Content { size, sha256, blob, seen }))
}

/// The files beside the documents that an index depends on.
pub struct Surroundings {
    pub configuration: Vec<RepoPath>,
    pub others: Vec<RepoPath>,
}

impl Surroundings {
    pub fn of(snapshot: &Snapshot<'_>, index: &Index<'_>) -> Self {
        let mut endings: Vec<&[u8]> = index.documents.iter().filter_map(|it| it.path.extension()).collect();
        endings.sort_unstable();
        endings.dedup();
        let is_configuration = |it: &RepoPath| {
            CONFIGURATION.iter().any(|name| it.file_name() == name.as_bytes())
                || (it.file_name().starts_with(b"tsconfig.") && it.extension() == Some(b"json"))
                || it.extension() == Some(b"csproj")
        };
        let is_other = |it: &RepoPath| {
            it.extension().is_some_and(|it| endings.binary_search(&it).is_ok())
                && index.document(it).is_none()
        };
        let is_seal = |it: &RepoPath| it.file_name().ends_with(SEAL.as_bytes());
        let all = || snapshot.files.iter().map(|it| &it.path).filter(|it| !is_seal(it));
        Self {
            configuration: all().filter(|it| is_configuration(it)).cloned().collect(),
            others: all().filter(|it| is_other(it)).cloned().collect(),
        }
    }
}
