//! Where symbols are named: ranges and roles.

use super::wire::{Fields, Value, WireError, int32, packed};

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

/// The occurrences of a document.
#[derive(Debug)]
pub struct Occurrences<'b> {
    /// Sorted by range, symbol and roles; no two are equal.
    pub sound: Vec<Occurrence<'b>>,
    /// How many were left out because they are wrong.
    pub malformed: usize,
}

const DEFINITION: u32 = 1;
const IMPORT: u32 = 2;

impl<'b> Occurrences<'b> {
    /// Those of all records of one document, in which each was seen to be whole.
    pub fn of(records: &[&'b [u8]]) -> Self {
        let all = || records.iter().flat_map(|it| Fields::new(it).flatten()).filter(|it| it.number == 2);
        let mut sound = Vec::with_capacity(all().count());
        let mut malformed = 0;
        for field in all() {
            let Value::Bytes(record) = field.value else { continue };
            match occurrence(record) {
                Ok(Some(it)) => sound.push(it),
                Ok(None) | Err(_) => malformed += 1,
            }
        }
        sound.sort_unstable();
        sound.dedup();
        Self { sound, malformed }
    }
}

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
