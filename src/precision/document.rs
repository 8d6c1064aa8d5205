//! One document of an index: its occurrences and what is said of the symbols in it.

use super::encoding::{Declared, Unit};
use super::wire::{Fields, Value, WireError, int32, packed};
use crate::model::RepoPath;

/// A source file as the indexer saw it.
#[derive(Debug)]
pub struct Document<'b> {
    pub path: RepoPath,
    pub declared: Declared,
    /// Sorted by range, symbol and roles; no two are equal.
    pub occurrences: Vec<Occurrence<'b>>,
    pub symbols: Symbols<'b>,
    /// How often the index has the path: a file that two projects share is written twice.
    pub copies: usize,
    /// Occurrences that were left out because they are wrong.
    pub malformed: usize,
}

/// A place where a symbol is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Occurrence<'b> {
    pub range: Range,
    pub symbol: &'b str,
    roles: u32,
}

/// Zero-based lines and columns in the unit of the indexer; half-open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Range {
    pub start: (u32, u32),
    pub end: (u32, u32),
}

/// What an index says of symbols beyond their occurrences.
#[derive(Debug, Default)]
pub struct Symbols<'b> {
    pub count: usize,
    pub relations: Vec<Relation<'b>>,
    /// Symbol and the name that a person gives it.
    pub names: Vec<(&'b str, &'b str)>,
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

const DEFINITION: u32 = 1;
const IMPORT: u32 = 2;

impl Occurrence<'_> {
    pub const fn is_definition(&self) -> bool {
        self.roles & DEFINITION != 0
    }

    pub const fn is_import(&self) -> bool {
        self.roles & IMPORT != 0
    }
}

impl Range {
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Three or four numbers, none negative, the end not before the start.
    fn of(numbers: &[i32]) -> Option<Self> {
        let (start_line, start, end_line, end) = match *numbers {
            [line, start, end] => (line, start, line, end),
            [start_line, start, end_line, end] => (start_line, start, end_line, end),
            _ => return None,
        };
        let pair = |line, column| Some((u32::try_from(line).ok()?, u32::try_from(column).ok()?));
        let range = Self { start: pair(start_line, start)?, end: pair(end_line, end)? };
        (range.start <= range.end).then_some(range)
    }
}

impl Relation<'_> {
    pub const fn is(&self, kind: RelationKind) -> bool {
        self.kinds & (1 << kind as u8) != 0
    }
}

impl<'b> Document<'b> {
    /// How many occurrences and symbols a record holds.
    pub fn count(record: &[u8]) -> Result<usize, WireError> {
        let mut count = 0;
        for field in Fields::new(record) {
            count += usize::from(matches!(field?.number, 2 | 3));
        }
        Ok(count)
    }

    /// The document, or its path when that violates the protocol.
    ///
    /// # Errors
    /// When the record is malformed.
    pub fn decode(record: &'b [u8]) -> Result<Result<Self, String>, super::refusal::Refusal> {
        Self::read(record).map_err(super::refusal::Refusal::of_record)
    }

    fn read(record: &'b [u8]) -> Result<Result<Self, String>, WireError> {
        let mut path: &[u8] = b"";
        let mut declared = Declared::Nothing;
        let (mut malformed, mut count) = (0, 0);
        for field in Fields::new(record) {
            count += usize::from(field?.number == 2);
        }
        let mut occurrences = Vec::with_capacity(count);
        let mut symbols = Symbols::default();
        for field in Fields::new(record) {
            let field = field?;
            match (field.number, field.value) {
                (1, Value::Bytes(bytes)) => path = bytes,
                (2, Value::Bytes(bytes)) => match occurrence(bytes)? {
                    Some(it) => occurrences.push(it),
                    None => malformed += 1,
                },
                (3, Value::Bytes(bytes)) => symbols.add(bytes)?,
                (6, Value::Varint(number)) => declared = declaration(number),
                _ => {}
            }
        }
        Ok(canonical(path).map(|path| Self { path, declared, occurrences, symbols, copies: 1, malformed }))
    }

    /// One document for each path, sorted by path.
    pub fn merge(mut documents: Vec<Self>) -> Vec<Self> {
        // Stable: what two copies say of one symbol stays in the order of the index.
        documents.sort_by(|a, b| a.path.cmp(&b.path));
        let mut merged: Vec<Self> = Vec::with_capacity(documents.len());
        for document in documents {
            match merged.last_mut() {
                Some(last) if last.path == document.path => last.absorb(document),
                Some(_) | None => merged.push(document),
            }
        }
        for document in &mut merged {
            document.occurrences.sort_unstable();
            document.occurrences.dedup();
        }
        merged
    }

    fn absorb(&mut self, other: Self) {
        self.copies += 1;
        self.malformed += other.malformed;
        if self.declared != other.declared {
            self.declared = Declared::Unknown;
        }
        self.occurrences.extend(other.occurrences);
        self.symbols.relations.extend(other.symbols.relations);
        self.symbols.names.extend(other.symbols.names);
    }
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

/// None when the occurrence is wrong by itself.
fn occurrence(record: &[u8]) -> Result<Option<Occurrence<'_>>, WireError> {
    let mut numbers = Numbers::default();
    let mut typed = None;
    let (mut symbol, mut roles): (&[u8], _) = (b"", 0);
    for field in Fields::new(record) {
        let field = field?;
        match (field.number, field.value) {
            (1, Value::Varint(number)) => numbers.push(int32(number)),
            (1, Value::Bytes(bytes)) => {
                for number in packed(bytes) {
                    numbers.push(number?);
                }
            }
            (2, Value::Bytes(bytes)) => symbol = bytes,
            (3, Value::Varint(number)) => roles = number,
            (8, Value::Bytes(bytes)) => typed = Some(typed_range::<3>(bytes)?),
            (9, Value::Bytes(bytes)) => typed = Some(typed_range::<4>(bytes)?),
            _ => {}
        }
    }
    let range = match typed {
        Some(typed) => typed,
        None => numbers.range(),
    };
    let symbol = std::str::from_utf8(symbol).ok();
    let roles = u32::try_from(roles).ok();
    Ok(range.zip(symbol).zip(roles).map(|((range, symbol), roles)| Occurrence { range, symbol, roles }))
}

/// A message whose fields 1 to N are the numbers of a range; a field that is left out is 0.
fn typed_range<const N: usize>(record: &[u8]) -> Result<Option<Range>, WireError> {
    let mut numbers = [Some(0); N];
    for field in Fields::new(record) {
        let field = field?;
        let place = usize::try_from(field.number).ok().and_then(|it| it.checked_sub(1));
        if let (Some(slot), Value::Varint(number)) = (place.and_then(|it| numbers.get_mut(it)), field.value) {
            *slot = int32(number);
        }
    }
    let numbers: Option<Vec<i32>> = numbers.into_iter().collect();
    Ok(numbers.and_then(|it| Range::of(&it)))
}

/// The numbers of a range, written at once, apart, or in parts.
#[derive(Default)]
struct Numbers {
    held: [i32; 4],
    count: usize,
    is_wrong: bool,
}

impl Numbers {
    fn push(&mut self, number: Option<i32>) {
        match (self.held.get_mut(self.count), number) {
            (Some(slot), Some(number)) => *slot = number,
            (None, _) | (_, None) => self.is_wrong = true,
        }
        self.count += 1;
    }

    fn range(&self) -> Option<Range> {
        self.held.get(..self.count).filter(|_| !self.is_wrong).and_then(Range::of)
    }
}

impl<'b> Symbols<'b> {
    /// Adds what a record says of one symbol; a text that is not UTF-8 says nothing.
    pub fn add(&mut self, record: &'b [u8]) -> Result<(), WireError> {
        let (mut symbol, mut name) = ("", "");
        let first = self.relations.len();
        for field in Fields::new(record) {
            let field = field?;
            match (field.number, field.value) {
                (1, Value::Bytes(bytes)) => symbol = std::str::from_utf8(bytes).unwrap_or_default(),
                (4, Value::Bytes(bytes)) => self.relations.extend(relation(bytes)?),
                (6, Value::Bytes(bytes)) => name = std::str::from_utf8(bytes).unwrap_or_default(),
                _ => {}
            }
        }
        if symbol.is_empty() {
            self.relations.truncate(first);
            return Ok(());
        }
        self.count += 1;
        for relation in self.relations.iter_mut().skip(first) {
            relation.from = symbol;
        }
        if !name.is_empty() {
            self.names.push((symbol, name));
        }
        Ok(())
    }
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
