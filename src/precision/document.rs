//! One document of an index: where it is at once, what it holds when that is asked for.
//!
//! Decoding is what reading an index costs, and a question about one symbol needs a few documents.

use std::sync::OnceLock;

use memchr::memmem::Finder;

use super::encoding::{Declared, Unit};
use super::information::{Symbols, shown_as};
use super::occurrence::{Occurrence, Occurrences};
use super::refusal::Refusal;
use super::wire::{Fields, Value};
use crate::model::RepoPath;

/// A source file as the indexer saw it.
#[derive(Debug)]
pub struct Document<'b> {
    pub path: RepoPath,
    pub declared: Declared,
    /// Whole as far as their fields go.
    records: Vec<&'b [u8]>,
    occurrences: OnceLock<Occurrences<'b>>,
    symbols: OnceLock<Symbols<'b>>,
}

/// What is known of a record before its parts are decoded.
pub struct Outline<'b> {
    /// The document, or its path when that violates the protocol.
    pub document: Result<Document<'b>, String>,
    /// How many occurrences and symbols it has.
    pub parts: usize,
}

impl<'b> Outline<'b> {
    /// # Errors
    /// When the fields of the record are not whole.
    pub fn of(record: &'b [u8]) -> Result<Self, Refusal> {
        let mut path: &[u8] = b"";
        let mut declared = Declared::Nothing;
        let mut parts = 0;
        for field in Fields::new(record) {
            let field = field.map_err(Refusal::of_record)?;
            match (field.number, field.value) {
                (1, Value::Bytes(bytes)) => path = bytes,
                (2 | 3, _) => parts += 1,
                (6, Value::Varint(number)) => declared = declaration(number),
                _ => {}
            }
        }
        let document = canonical(path).map(|path| Document {
            path,
            declared,
            records: vec![record],
            occurrences: OnceLock::new(),
            symbols: OnceLock::new(),
        });
        Ok(Self { document, parts })
    }
}

impl<'b> Document<'b> {
    /// One document for each path, sorted by path.
    pub fn merge(mut documents: Vec<Self>) -> Vec<Self> {
        // Stable: what two copies say of one symbol stays in the order of the index.
        documents.sort_by(|a, b| a.path.cmp(&b.path));
        documents.dedup_by(|next, kept| {
            let is_copy = next.path == kept.path;
            if is_copy {
                kept.records.append(&mut next.records);
                if kept.declared != next.declared {
                    kept.declared = Declared::Unknown;
                }
            }
            is_copy
        });
        documents
    }

    /// Whether the index has the path more than once: a file that two projects share is written twice.
    pub const fn is_copied(&self) -> bool {
        self.records.len() > 1
    }

    /// Sorted by range, symbol and roles; no two are equal.
    pub fn occurrences(&self) -> &[Occurrence<'b>] {
        &self.decoded().sound
    }

    /// What is said of its symbols; the first of its copies counts them.
    pub fn symbols(&self) -> &Symbols<'b> {
        self.symbols.get_or_init(|| {
            let mut symbols = Symbols::default();
            for (number, record) in self.records.iter().enumerate() {
                let counted = symbols.count;
                information(record).for_each(|it| symbols.add(it));
                symbols.count = if number == 0 { symbols.count } else { counted };
            }
            symbols
        })
    }

    /// The symbols that a person calls by a name.
    pub fn shown_as(&self, name: &str) -> impl Iterator<Item = &'b str> {
        let records = self.records.iter().flat_map(|it| information(it));
        records.filter_map(|it| shown_as(it, name.as_bytes()))
    }

    /// The number of occurrences and symbols that were left out because they are wrong.
    pub fn malformed(&self) -> usize {
        self.decoded().malformed + self.symbols().malformed
    }

    /// Whether a text stands anywhere in it.
    pub fn holds(&self, text: &Finder<'_>) -> bool {
        self.records.iter().any(|it| text.find(it).is_some())
    }

    fn decoded(&self) -> &Occurrences<'b> {
        self.occurrences.get_or_init(|| Occurrences::of(&self.records))
    }
}

/// The records of what is said of symbols.
fn information(record: &[u8]) -> impl Iterator<Item = &[u8]> {
    Fields::new(record).flatten().filter_map(|it| match (it.number, it.value) {
        (3, Value::Bytes(bytes)) => Some(bytes),
        _ => None,
    })
}

fn declaration(number: u64) -> Declared {
    match number {
        0 => Declared::Nothing,
        1 => Declared::Unit(Unit::Utf8),
        2 => Declared::Unit(Unit::Utf16),
        3 => Declared::Unit(Unit::CodePoint),
        _ => Declared::Unknown,
    }
}

/// Relative, `/` between components, none of them empty, `.` or `..`, no drive.
fn canonical(path: &[u8]) -> Result<RepoPath, String> {
    let has_drive = matches!(path, [b'a'..=b'z' | b'A'..=b'Z', b':', ..]);
    let refused = || String::from_utf8_lossy(path).into_owned();
    if has_drive || path.contains(&b'\\') {
        return Err(refused());
    }
    RepoPath::new(path).map_err(|_| refused())
}
