//! Asks an index whatever can be asked of one, over files that are hard to place a range in.
//!
//! The fuzz target calls this with what it makes up, and a test of the library with what was kept of it.

use std::path::Path;

use tempfile::TempDir;

use crate::model::Point;
use crate::precision::{Freshness, Index, IndexFile, Library, Question, Status, open};
use crate::repo::Repository;

/// A folder of files that an index may describe.
pub struct Place {
    _folder: TempDir,
    repository: Repository,
    /// The index file; its bytes are those that are asked.
    stat: crate::system::FileStat,
}

thread_local! {
    /// One for all inputs: nothing is written after it is made.
    pub static PLACE: Place = Place::new();
}

/// Line feeds, carriage returns, separators, marks and characters of one to four bytes.
const FILES: [(&str, &[u8]); 5] = [
    ("a", b"ab ab ab\nab ab\n\nab\n"),
    ("b", "\u{feff}é\u{1f600}x x\r\ny\rz\u{2028}x é\n".as_bytes()),
    ("c", b"\xff\xfea\0b\0\n\0\x3d\xd8\x00\xde"),
    ("d", b"\xfc x \xc3\n"),
    ("e", b""),
];
/// Documents, occurrences of one and symbols that are asked about: an input may have thousands.
const MAX_ASKED: usize = 4;

impl Place {
    fn new() -> Self {
        let folder = TempDir::new().expect("because the temporary folder can be written");
        for (name, bytes) in FILES {
            write(folder.path(), name, bytes);
        }
        write(folder.path(), "index", b"");
        let (repository, _) = Repository::discover(folder.path()).expect("because the folder was just made");
        let mut stat = open(&folder.path().join("index")).expect("because the file was just written").stat;
        // An hour later than the files: they are as fresh as they can be.
        stat.mtime_ns += 3_600_000_000_000;
        stat.ctime_ns += 3_600_000_000_000;
        Self { _folder: folder, repository, stat }
    }

    /// Whether the bytes are an index.
    pub fn ask_everything(&self, bytes: &[u8]) -> bool {
        let Ok(index) = Index::parse(bytes) else { return false };
        let file =
            IndexFile { place: "index".to_owned(), bytes: bytes.to_vec(), stat: self.stat, seal: None };
        let root = self.repository.root();
        let freshness = Freshness::check(&self.repository, &index, &file);
        let library = Library { root, index: &index, freshness: &freshness };
        // Before anything else is decoded.
        library.named("f");
        for document in index.documents.iter().take(MAX_ASKED) {
            for occurrence in document.occurrences().iter().take(MAX_ASKED) {
                let (line, column) = occurrence.range.start;
                let point = Point { line: line.saturating_add(1), column: column.saturating_add(1) };
                for question in [Question::Definition, Question::References, Question::Implementations] {
                    library.at(question, &document.path, point);
                }
                library.named(occurrence.symbol);
            }
        }
        let mut freshness = freshness;
        freshness.witness(root, &index);
        let status = Status::of(&index, &freshness);
        assert!(status.stale <= status.documents);
        true
    }
}

fn write(folder: &Path, name: &str, bytes: &[u8]) {
    #[expect(clippy::disallowed_methods, reason = "a test makes the files that it is about")]
    std::fs::write(folder.join(name), bytes).expect("because the temporary folder can be written");
}
