//! A SCIP index, decoded without copying a text.
//!
//! <https://github.com/scip-code/scip/blob/main/scip.proto>. Every length is checked against what is left, numbers of
//! records are bounded before anything is reserved for them, and an occurrence or a symbol that is wrong by itself (a
//! range that runs backwards, a field that is cut) is left out and counted. What breaks the protocol for the index or
//! a document refuses the whole, at once: what is inside of the documents is decoded when a question needs it, and
//! must not change what became of the index.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use memchr::memmem::Finder;
use rayon::iter::{IntoParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};

use super::document::{Document, Outline};
use super::information::{Relation, Symbols, shown_as};
use super::occurrence::Occurrence;
use super::refusal::Refusal;
use super::wire::{Fields, Value};
use crate::model::RepoPath;

/// An index whose documents have one path each, sorted by it.
#[derive(Debug)]
pub struct Index<'b> {
    pub metadata: Metadata<'b>,
    pub documents: Vec<Document<'b>>,
    /// The records of what is said of symbols that are defined elsewhere.
    outside: Vec<&'b [u8]>,
    external: OnceLock<Symbols<'b>>,
}

/// Who wrote the index, and where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Metadata<'b> {
    pub tool: &'b str,
    pub version: &'b str,
    /// A URI on the machine of the indexer: never a place to look at.
    pub project_root: &'b str,
}

/// Bounds what an index of five bytes for each document costs.
const MAX_DOCUMENTS: usize = 1_000_000;
/// Above this, decoding every document costs less than looking for each text in all of them.
const MAX_SOUGHT: usize = 8;
const MAX_SOUGHT_BYTES: usize = 32;
/// Bounds what an index of ten bytes for each occurrence costs.
const MAX_OCCURRENCES: usize = 10_000_000;

impl<'b> Index<'b> {
    /// # Errors
    /// When the bytes are not an index, or one that breaks the protocol.
    pub fn parse(bytes: &'b [u8]) -> Result<Self, Refusal> {
        if let Some(other) = Refusal::of_content(bytes) {
            return Err(other);
        }
        let records = Records::split(bytes)?;
        let outlines: Result<Vec<_>, _> = records.documents.par_iter().map(|it| Outline::of(it)).collect();
        let outlines = outlines?;
        if outlines.iter().fold(0, |sum: usize, it| sum.saturating_add(it.parts)) > MAX_OCCURRENCES {
            return Err(Refusal::TooMany { what: "occurrences and symbols", most: MAX_OCCURRENCES });
        }
        let documents = Document::merge(paths(outlines)?);
        let (metadata, outside) = (records.metadata, records.external);
        Ok(Self { metadata, documents, outside, external: OnceLock::new() })
    }

    pub fn document(&self, path: &RepoPath) -> Option<(usize, &Document<'b>)> {
        let position = self.documents.binary_search_by(|it| it.path.cmp(path)).ok()?;
        self.documents.get(position).map(|it| (position, it))
    }

    /// Every occurrence with the number of its document.
    pub fn occurrences(&self) -> impl Iterator<Item = (usize, &Occurrence<'b>)> {
        self.documents.par_iter().for_each(|it| {
            it.occurrences();
        });
        let documents = self.documents.iter().enumerate();
        documents.flat_map(|(number, it)| it.occurrences().iter().map(move |it| (number, it)))
    }

    /// Every relation with the number of its document; none for that of an external symbol.
    pub fn relations(&self) -> impl Iterator<Item = (Option<usize>, &Relation<'b>)> {
        let documents = self.documents.iter().enumerate();
        let own = documents
            .flat_map(|(number, it)| it.symbols().relations.iter().map(move |it| (Some(number), it)));
        own.chain(self.external().relations.iter().map(|it| (None, it)))
    }

    /// What is said of symbols that are defined elsewhere.
    pub fn external(&self) -> &Symbols<'b> {
        self.external.get_or_init(|| {
            let mut symbols = Symbols::default();
            self.outside.iter().for_each(|it| symbols.add(it));
            symbols
        })
    }

    /// The symbols defined elsewhere that a person calls by a name.
    pub fn external_shown_as(&self, name: &str) -> impl Iterator<Item = &'b str> {
        self.outside.iter().filter_map(|it| shown_as(it, name.as_bytes()))
    }

    /// The documents in which one of the texts stands anywhere, by their numbers.
    pub fn holding(&self, texts: &[&str]) -> BTreeSet<usize> {
        let numbers = (0..self.documents.len()).into_par_iter();
        if texts.len() > MAX_SOUGHT {
            return numbers.collect();
        }
        let sought: Vec<Finder<'_>> = texts.iter().map(|it| Finder::new(end_of(it))).collect();
        let holds =
            |it: &usize| self.documents.get(*it).is_some_and(|it| sought.iter().any(|text| it.holds(text)));
        numbers.filter(holds).collect()
    }

    /// The number of occurrences and symbols that were left out because they are wrong.
    pub fn malformed(&self) -> usize {
        self.documents.iter().map(Document::malformed).sum::<usize>() + self.external().malformed
    }
}

/// The end of a text: that of a symbol tells more than its start, which a whole package shares, and a short text is
/// found faster.
fn end_of(text: &str) -> &[u8] {
    let bytes = text.as_bytes();
    bytes.get(bytes.len().saturating_sub(MAX_SOUGHT_BYTES)..).unwrap_or(bytes)
}

/// The records of an index before they are decoded.
struct Records<'b> {
    metadata: Metadata<'b>,
    documents: Vec<&'b [u8]>,
    external: Vec<&'b [u8]>,
}

impl<'b> Records<'b> {
    fn split(bytes: &'b [u8]) -> Result<Self, Refusal> {
        let (mut metadata, mut documents, mut external) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_late = false;
        for field in Fields::new(bytes) {
            let field = field.map_err(Refusal::of_file)?;
            let (1..=3, Value::Bytes(record)) = (field.number, field.value) else { continue };
            match field.number {
                1 => {
                    is_late |= metadata.is_empty() && !(documents.is_empty() && external.is_empty());
                    metadata.push(record);
                }
                2 => documents.push(record),
                _ => external.push(record),
            }
            if documents.len() + metadata.len() > MAX_DOCUMENTS {
                return Err(Refusal::TooMany { what: "documents", most: MAX_DOCUMENTS });
            }
            if external.len() > MAX_OCCURRENCES {
                return Err(Refusal::TooMany { what: "occurrences and symbols", most: MAX_OCCURRENCES });
            }
        }
        let metadata = match metadata.as_slice() {
            [] => return Err(Refusal::NoMetadata),
            [_] if is_late => return Err(Refusal::MetadataLate),
            [one] => Metadata::decode(one)?,
            several => return Err(Refusal::MetadataRepeated(several.len())),
        };
        if documents.is_empty() {
            return Err(Refusal::NoDocuments);
        }
        Ok(Self { metadata, documents, external })
    }
}

impl<'b> Metadata<'b> {
    fn decode(record: &'b [u8]) -> Result<Self, Refusal> {
        let mut metadata = Self::default();
        for field in Fields::new(record) {
            let field = field.map_err(Refusal::of_record)?;
            match (field.number, field.value) {
                (1, Value::Varint(version)) if version != 0 => return Err(Refusal::ProtocolVersion(version)),
                (2, Value::Bytes(tool)) => metadata.name(tool)?,
                (3, Value::Bytes(root)) => metadata.project_root = text(root)?,
                _ => {}
            }
        }
        Ok(metadata)
    }

    fn name(&mut self, tool: &'b [u8]) -> Result<(), Refusal> {
        for field in Fields::new(tool) {
            let field = field.map_err(Refusal::of_record)?;
            match (field.number, field.value) {
                (1, Value::Bytes(name)) => self.tool = text(name)?,
                (2, Value::Bytes(version)) => self.version = text(version)?,
                _ => {}
            }
        }
        Ok(())
    }
}

fn text(bytes: &[u8]) -> Result<&str, Refusal> {
    std::str::from_utf8(bytes).map_err(|_| Refusal::Malformed("a text of its metadata is not UTF-8"))
}

/// The documents, if each has a path.
fn paths(outlines: Vec<Outline<'_>>) -> Result<Vec<Document<'_>>, Refusal> {
    let total = outlines.len();
    let count = outlines.iter().filter(|it| it.document.is_err()).count();
    let sound: Result<Vec<_>, _> = outlines.into_iter().map(|it| it.document).collect();
    sound.map_err(|first| Refusal::Paths { first, count, total })
}
