//! The indexes beside the repository, small ones written here, and projects to hold them against.
#![expect(clippy::disallowed_methods, reason = "a test makes the files that it is about")]

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use crate::precision::{Before, Freshness, Index, IndexFile, Seal, open};
use crate::repo::Repository;
use crate::system::Root;

/// The folder of real indexes; none, said aloud, where it is absent.
pub fn folder() -> Option<PathBuf> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut places = package.ancestors().skip(1).map(|it| it.join("shared/data/precision"));
    let found = places.find(|it| it.is_dir());
    if found.is_none() {
        println!("skipped: the real indexes are not beside the repository");
    }
    found
}

/// The names and bytes of the indexes in a folder, sorted.
pub fn indexes(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let mut found: Vec<_> = entries
        .filter(|it| it.extension().is_some_and(|it| it == "scip"))
        .map(|it| (it.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read(it).unwrap()))
        .collect();
    found.sort();
    found
}

/// A folder with files that are an hour older than now, and an index that is new.
pub struct Project {
    folder: TempDir,
    pub repository: Repository,
}

impl Project {
    pub fn empty() -> Self {
        let folder = TempDir::new().unwrap();
        let (repository, _) = Repository::discover(folder.path()).unwrap();
        Self { folder, repository }
    }

    pub fn with(files: &[(&str, &[u8])]) -> Self {
        let project = Self::empty();
        for (path, bytes) in files {
            project.write(path, bytes);
        }
        project
    }

    /// A copy of a folder.
    pub fn copy(from: &Path) -> Self {
        let project = Self::empty();
        let mut open = vec![from.to_owned()];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    let bytes = std::fs::read(&path).unwrap();
                    project.write(path.strip_prefix(from).unwrap().to_str().unwrap(), &bytes);
                }
            }
        }
        project
    }

    pub const fn root(&self) -> &Root {
        self.repository.root()
    }

    pub fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// An index file of these bytes, an hour newer than everything here.
    pub fn index(&self, bytes: &[u8]) -> IndexFile {
        self.write("index.scip", bytes);
        let mut file = open(&self.path("index.scip")).unwrap();
        let hour = 3_600_000_000_000;
        file.stat.mtime_ns += hour;
        file.stat.ctime_ns += hour;
        file
    }

    /// The same index with a seal that was made at once.
    pub fn sealed(&self, bytes: &[u8]) -> IndexFile {
        let file = self.index(bytes);
        let index = Index::parse(bytes).unwrap();
        let seal = Seal::make(&self.repository, &index, bytes, &Before::of_index(&file)).unwrap();
        IndexFile { seal: Some(serde_json::to_vec(&seal).unwrap()), ..file }
    }

    /// Sets the modification time of a file to so long after now.
    pub fn set_time(&self, path: &str, after: Duration) {
        let file = std::fs::File::options().write(true).open(self.path(path)).unwrap();
        file.set_modified(SystemTime::now() + after).unwrap();
    }

    /// Sets the modification time of a file to long ago.
    pub fn set_time_back(&self, path: &str) {
        let file = std::fs::File::options().write(true).open(self.path(path)).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    }

    pub fn freshness(&self, index: &Index<'_>, file: &IndexFile) -> Freshness {
        Freshness::check(&self.repository, index, file)
    }
}

/// A field whose value is bytes.
pub fn field(number: u8, value: &[u8]) -> Vec<u8> {
    let mut bytes = vec![number << 3 | 2];
    let mut length = value.len();
    while length >= 0x80 {
        bytes.push(u8::try_from(length & 0x7f).unwrap() | 0x80);
        length >>= 7;
    }
    bytes.push(u8::try_from(length).unwrap());
    bytes.extend(value);
    bytes
}

pub fn metadata(tool: &str, version: &str) -> Vec<u8> {
    field(1, &field(2, &[field(1, tool.as_bytes()), field(2, version.as_bytes())].concat()))
}

pub fn document(path: &str, parts: &[Vec<u8>]) -> Vec<u8> {
    field(2, &[field(1, path.as_bytes()), parts.concat()].concat())
}

/// An occurrence on one line below 128, with its roles.
pub fn occurrence(range: [u8; 3], symbol: &str, roles: u8) -> Vec<u8> {
    field(2, &[field(1, &range), field(2, symbol.as_bytes()), vec![3 << 3, roles]].concat())
}

/// What is said of a symbol: relations as (symbol, field number of the kind).
pub fn information(symbol: &str, relations: &[(&str, u8)]) -> Vec<u8> {
    let relations =
        relations.iter().map(|(to, kind)| field(4, &[field(1, to.as_bytes()), vec![kind << 3, 1]].concat()));
    field(3, &[field(1, symbol.as_bytes()), relations.collect::<Vec<_>>().concat()].concat())
}
