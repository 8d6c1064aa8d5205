//! A SCIP index, decoded without copying a text.
//!
//! <https://github.com/scip-code/scip/blob/main/scip.proto>. Every length is checked against what is left, numbers of
//! records are bounded before anything is reserved for them, and a record that is wrong by itself (a range that runs
//! backwards) is left out and counted. What breaks the protocol for the index as a whole refuses it.

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::document::{Document, Occurrence, Relation, Symbols};
use super::refusal::Refusal;
use super::wire::{Fields, Value};

/// An index whose documents have one path each, sorted by it.
#[derive(Debug)]
pub struct Index<'b> {
    pub metadata: Metadata<'b>,
    pub documents: Vec<Document<'b>>,
    /// What is said of symbols that are defined elsewhere.
    pub external: Symbols<'b>,
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
        let counts = records.documents.par_iter().map(|it| Document::count(it));
        let occurrences = counts.try_reduce(|| 0, |a, b| Ok(a.saturating_add(b)));
        if occurrences.map_err(Refusal::of_record)? > MAX_OCCURRENCES {
            return Err(Refusal::TooMany { what: "occurrences and symbols", most: MAX_OCCURRENCES });
        }
        let documents: Result<Vec<_>, _> =
            records.documents.par_iter().map(|it| Document::decode(it)).collect();
        let documents = paths(documents?)?;
        let mut external = Symbols::default();
        for record in &records.external {
            external.add(record).map_err(Refusal::of_record)?;
        }
        Ok(Self { metadata: records.metadata, documents: Document::merge(documents), external })
    }

    pub fn document(&self, path: &crate::model::RepoPath) -> Option<(usize, &Document<'b>)> {
        let position = self.documents.binary_search_by(|it| it.path.cmp(path)).ok()?;
        self.documents.get(position).map(|it| (position, it))
    }

    /// Every occurrence with the number of its document.
    pub fn occurrences(&self) -> impl Iterator<Item = (usize, &Occurrence<'b>)> {
        let documents = self.documents.iter().enumerate();
        documents.flat_map(|(number, it)| it.occurrences.iter().map(move |it| (number, it)))
    }

    /// Every relation with the number of its document; none for that of an external symbol.
    pub fn relations(&self) -> impl Iterator<Item = (Option<usize>, &Relation<'b>)> {
        let documents = self.documents.iter().enumerate();
        let own =
            documents.flat_map(|(number, it)| it.symbols.relations.iter().map(move |it| (Some(number), it)));
        own.chain(self.external.relations.iter().map(|it| (None, it)))
    }

    /// The number of occurrences and relations that were left out because they are wrong.
    pub fn malformed(&self) -> usize {
        self.documents.iter().map(|it| it.malformed).sum()
    }
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
fn paths<'b>(documents: Vec<Result<Document<'b>, String>>) -> Result<Vec<Document<'b>>, Refusal> {
    let total = documents.len();
    let count = documents.iter().filter(|it| it.is_err()).count();
    let sound: Result<Vec<_>, _> = documents.into_iter().collect();
    sound.map_err(|first| Refusal::Paths { first, count, total })
}
