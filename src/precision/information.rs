//! What an index says of symbols beyond their occurrences.

use super::wire::{Field, Fields, Value, WireError};

/// What is said of the symbols of one document, or of those that are defined elsewhere.
#[derive(Debug, Default)]
pub struct Symbols<'b> {
    pub count: usize,
    pub relations: Vec<Relation<'b>>,
    /// How many records were left out because they are wrong.
    pub malformed: usize,
}

/// `from` stands in a relation to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Relation<'b> {
    pub from: &'b str,
    pub to: &'b str,
    kinds: u8,
}

/// How one symbol stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationKind {
    Reference = 2,
    Implementation = 3,
    Definition = 5,
}

impl Relation<'_> {
    pub const fn is(&self, kind: RelationKind) -> bool {
        self.kinds & (1 << kind as u8) != 0
    }
}

impl<'b> Symbols<'b> {
    /// Adds what a record says of one symbol; a text that is not UTF-8 says nothing.
    pub fn add(&mut self, record: &'b [u8]) {
        let first = self.relations.len();
        match self.read(record) {
            Ok("") => self.relations.truncate(first),
            Ok(symbol) => {
                self.count += 1;
                for relation in self.relations.iter_mut().skip(first) {
                    relation.from = symbol;
                }
            }
            Err(_) => {
                self.relations.truncate(first);
                self.malformed += 1;
            }
        }
    }

    /// The symbol that a record is about; its relations are added without it.
    fn read(&mut self, record: &'b [u8]) -> Result<&'b str, WireError> {
        let mut symbol = "";
        for field in Fields::new(record) {
            let field = field?;
            match (field.number, field.value) {
                (1, Value::Bytes(bytes)) => symbol = std::str::from_utf8(bytes).unwrap_or_default(),
                (4, Value::Bytes(bytes)) => self.relations.extend(relation(bytes)?),
                _ => {}
            }
        }
        Ok(symbol)
    }
}

/// The symbol that a record is about, when it gives it this name for a person.
pub fn shown_as<'b>(record: &'b [u8], name: &[u8]) -> Option<&'b str> {
    let (mut symbol, mut shown): (_, &[u8]) = (None, b"");
    for field in Fields::new(record) {
        match field.ok()? {
            Field { number: 1, value: Value::Bytes(bytes) } => symbol = std::str::from_utf8(bytes).ok(),
            Field { number: 6, value: Value::Bytes(bytes) } => shown = bytes,
            _ => {}
        }
    }
    symbol.filter(|it| shown == name && !it.is_empty() && !name.is_empty())
}

fn relation(record: &[u8]) -> Result<Option<Relation<'_>>, WireError> {
    let mut relation = Relation { from: "", to: "", kinds: 0 };
    for field in Fields::new(record) {
        let field = field?;
        match (field.number, field.value) {
            (1, Value::Bytes(bytes)) => relation.to = std::str::from_utf8(bytes).unwrap_or_default(),
            (kind @ 2..=5, Value::Varint(1..)) => relation.kinds |= 1 << kind,
            _ => {}
        }
    }
    Ok(Some(relation).filter(|it| !it.to.is_empty() && it.kinds != 0))
}
