//! What the files were when the index was made of them, written beside the index.
//!
//! Times alone prove little: a fresh clone gives an index and its sources one time. A seal names the content, and so
//! holds on every machine. Which file still has that content is known without reading it by the state in which it was
//! last read here, or by the git index, which vouches for the name of its content.

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use serde::{Deserialize, Serialize};

use super::before::Before;
use super::find::{IndexFile, SEAL};
use super::index::Index;
use crate::model::{Digest, RepoPath};
use crate::repo::{BlobId, GitIndex, Options, Repository, Snapshot, SnapshotError, View};
use crate::system::{Root, Unread};

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
    /// None for a file that was gone, or changed when the index was being made or there already: it is never current.
    pub content: Option<Content>,
}

/// What a file held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Content {
    pub size: u64,
    pub sha256: Digest,
    /// The name that git has for it: that of the bytes, unless the git index knows the file by another one because
    /// they are converted on checkout.
    pub blob: String,
}

const SCHEMA: &str = "cortex.precision-seal/1";
/// Files above this are not source code that anybody indexed.
pub const MAX_FILE_BYTES: u64 = 64 << 20;
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

/// Why there is no seal.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    #[error(transparent)]
    Listing(#[from] SnapshotError),
    #[error("the time of the file system cannot be read: {0}")]
    Clock(Unread),
}

impl Seal {
    /// Reads every document and every file of configuration.
    ///
    /// # Errors
    /// When the files of the repository cannot be listed.
    pub fn make(
        repository: &Repository,
        index: &Index<'_>,
        bytes: &[u8],
        before: &Before,
    ) -> Result<Self, SealError> {
        let snapshot = listing(repository)?;
        let git = repository.git_index();
        let sealed = |path: &RepoPath| {
            let content = content(repository.root(), path, git.as_ref(), before).ok().flatten();
            Sealed { path: path.clone(), content }
        };
        let surroundings = Surroundings::of(&snapshot, index);
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        Ok(Self {
            schema: SCHEMA.to_owned(),
            index: SealedIndex { size, sha256: Digest::of(bytes), documents: index.documents.len() },
            documents: index.documents.par_iter().map(|it| sealed(&it.path)).collect(),
            configuration: surroundings.configuration.iter().map(sealed).collect(),
            // One that came while the index was made may not be known to it.
            others: surroundings.others.into_iter().filter(|it| before.has(it)).collect(),
        })
    }

    /// The seal in these bytes, when it is one of the index with these documents and this content.
    pub fn read(bytes: &[u8], index: &Index<'_>, content: &Digest) -> Option<Self> {
        let seal: Self = serde_json::from_slice(bytes).ok()?;
        let paths = seal.documents.iter().map(|it| &it.path);
        let is_meant = paths.eq(index.documents.iter().map(|it| &it.path)) && seal.index.sha256 == *content;
        (seal.schema == SCHEMA && is_meant).then_some(seal)
    }

    /// The seal beside an index, when it is its own.
    pub fn of(index: &Index<'_>, file: &IndexFile) -> Option<Self> {
        Self::read(file.seal.as_deref()?, index, &Digest::of(&file.bytes))
    }

    /// The number of documents that can never be current.
    pub fn raced(&self) -> usize {
        self.documents.iter().filter(|it| it.content.is_none()).count()
    }
}

/// The files of the working tree.
///
/// # Errors
/// When they cannot be listed.
pub fn listing(repository: &Repository) -> Result<Snapshot<'_>, SnapshotError> {
    repository.snapshot(View::Worktree, &Options { max_file_bytes: MAX_FILE_BYTES, scope: None })
}

/// None for a file that changed since before the index was made, or while it was read.
fn content(
    root: &Root,
    path: &RepoPath,
    git: Option<&GitIndex>,
    before: &Before,
) -> Result<Option<Content>, Unread> {
    let (bytes, stat) = root.read_file(path, MAX_FILE_BYTES)?;
    if !before.holds_for(path, &stat) || root.stat(path)? != stat {
        return Ok(None);
    }
    let blob = git.and_then(|it| it.blob_of(path, &stat)).unwrap_or_else(|| BlobId::of(&bytes));
    Ok(Some(Content { size: stat.size, sha256: Digest::of(&bytes), blob: blob.to_string() }))
}

/// The files beside the documents that an index depends on.
pub struct Surroundings {
    pub configuration: Vec<RepoPath>,
    pub others: Vec<RepoPath>,
}

/// Endings of files that can name each other's symbols: a new one of any of them may use what the index knows.
const FAMILIES: [&[&str]; 4] = [
    &["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"],
    &["py", "pyi"],
    &["java", "kt", "scala"],
    &["c", "cc", "cpp", "cxx", "h", "hh", "hpp"],
];

/// Files of the documents' languages that an index does not have.
pub fn uncovered(repository: &Repository, index: &Index<'_>) -> Vec<RepoPath> {
    listing(repository).map(|it| Surroundings::of(&it, index).others).unwrap_or_default()
}

impl Surroundings {
    pub fn of(snapshot: &Snapshot<'_>, index: &Index<'_>) -> Self {
        let own: Vec<&[u8]> = index.documents.iter().filter_map(|it| it.path.extension()).collect();
        let kin = FAMILIES.iter().filter(|family| family.iter().any(|it| own.contains(&it.as_bytes())));
        let mut endings: Vec<&[u8]> =
            own.iter().copied().chain(kin.flat_map(|it| it.iter().map(|it| it.as_bytes()))).collect();
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
