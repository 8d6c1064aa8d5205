//! The text of a document, and where the ranges of an indexer lie in it.

use std::ops::Range as Bytes;

use super::encoding::{Basis, Breaks, Convention, Mark, Unit};
use super::occurrence::Range;

/// U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";
/// Bytes between two counted places: bounds what one look-up counts, however long a line is.
const BLOCK: usize = 512;

/// How bytes became text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decoded {
    Utf8,
    /// By a byte-order mark.
    Utf16,
    /// What is not UTF-8 was replaced, so that columns behind it are a guess.
    Lossy,
}

/// Whether the positions of a document are known or rest on an assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    Known,
    Assumed,
}

/// The bytes of a source file as text.
pub fn decode(bytes: Vec<u8>) -> (String, Decoded) {
    let utf16 = |order: fn([u8; 2]) -> u16| {
        let (pairs, rest) = bytes.as_chunks::<2>();
        let units: Vec<u16> = pairs.iter().map(|it| order(*it)).collect();
        String::from_utf16(&units).ok().filter(|_| rest.is_empty())
    };
    let wide = match bytes.as_slice() {
        [0xff, 0xfe, ..] => utf16(u16::from_le_bytes),
        [0xfe, 0xff, ..] => utf16(u16::from_be_bytes),
        _ => None,
    };
    match wide {
        Some(text) => (text, Decoded::Utf16),
        None => match String::from_utf8(bytes) {
            Ok(text) => (text, Decoded::Utf8),
            Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), Decoded::Lossy),
        },
    }
}

/// A text as an indexer counts it.
pub struct Grid<'t> {
    text: &'t str,
    unit: Unit,
    /// The first byte of each line and the one behind its last that is no line break.
    lines: Vec<Bytes<usize>>,
    /// The units before every [`BLOCK`]th byte; empty where bytes are units.
    blocks: Vec<usize>,
    pub certainty: Certainty,
}

impl<'t> Grid<'t> {
    pub fn new(text: &'t str, decoded: Decoded, convention: Convention) -> Self {
        let has_mark = text.starts_with(BYTE_ORDER_MARK);
        let breaks = convention.breaks.unwrap_or(Breaks::LineFeed);
        let mut lines = lines(text, breaks);
        if has_mark
            && convention.mark == Some(Mark::LeftOut)
            && let Some(first) = lines.first_mut()
        {
            first.start = BYTE_ORDER_MARK.len();
        }
        let is_plain = convention.unit == Unit::Utf8 || text.is_ascii();
        let blocks = if is_plain { Vec::new() } else { counted_blocks(text, convention.unit) };
        let is_guess = convention.basis == Basis::Assumed
            || (has_mark && convention.mark.is_none())
            || (convention.breaks.is_none() && has_doubtful_breaks(text))
            || match decoded {
                Decoded::Utf8 => false,
                Decoded::Utf16 => convention.unit != Unit::Utf16,
                Decoded::Lossy => true,
            };
        let certainty = if is_guess { Certainty::Assumed } else { Certainty::Known };
        Self { text, unit: convention.unit, lines, blocks, certainty }
    }

    /// Where a range lies; none when it does not lie in the text or cuts a character.
    pub fn bytes(&self, range: &Range) -> Option<Bytes<usize>> {
        Some(self.offset(range.start)?..self.offset(range.end)?)
    }

    fn offset(&self, (line, column): (u32, u32)) -> Option<usize> {
        let line = self.lines.get(usize::try_from(line).ok()?)?;
        let column = usize::try_from(column).ok()?;
        let offset = if self.blocks.is_empty() {
            line.start.checked_add(column)?
        } else {
            self.nth(self.units_before(line.start).checked_add(column)?)?
        };
        (offset <= line.end && self.text.is_char_boundary(offset)).then_some(offset)
    }

    fn units_before(&self, offset: usize) -> usize {
        let block = offset / BLOCK;
        let counted = self.blocks.get(block).copied().unwrap_or(0);
        let rest = self.text.as_bytes().get(block * BLOCK..offset).unwrap_or_default();
        counted + units(rest, self.unit)
    }

    /// The byte with so many units before it; none when that is inside a character.
    fn nth(&self, count: usize) -> Option<usize> {
        let last = self.text.len().div_ceil(BLOCK).checked_sub(1)?;
        let block = self.blocks.partition_point(|it| *it <= count).checked_sub(1)?.min(last);
        let mut seen = *self.blocks.get(block)?;
        let start = block * BLOCK;
        let bytes = self.text.as_bytes().get(start..)?;
        // One block, and the rest of the character that its last byte is part of.
        for (offset, byte) in bytes.iter().enumerate().take(BLOCK + 4) {
            if !is_continuation(*byte) {
                match seen.cmp(&count) {
                    std::cmp::Ordering::Equal => return Some(start + offset),
                    std::cmp::Ordering::Greater => return None,
                    std::cmp::Ordering::Less => {}
                }
            }
            seen += unit(*byte, self.unit);
        }
        (seen == count).then_some(self.text.len())
    }

    /// Whether a range that lies in the text cuts a word in two.
    pub fn splits_word(&self, range: &Bytes<usize>) -> bool {
        let is_word = |it: char| it == '_' || it.is_alphanumeric();
        let is_inside = |at: usize| {
            let Some((before, after)) = self.text.split_at_checked(at) else { return true };
            before.chars().next_back().is_some_and(is_word) && after.chars().next().is_some_and(is_word)
        };
        !range.is_empty() && (is_inside(range.start) || is_inside(range.end))
    }
}

const fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// The units of the character that a byte begins.
const fn unit(byte: u8, unit: Unit) -> usize {
    match (unit, byte) {
        (Unit::Utf8, _) => 1,
        (Unit::Utf16 | Unit::CodePoint, 0x80..=0xbf) => 0,
        (Unit::Utf16, 0xf0..) => 2,
        (Unit::Utf16 | Unit::CodePoint, _) => 1,
    }
}

fn units(bytes: &[u8], of: Unit) -> usize {
    bytes.iter().map(|it| unit(*it, of)).sum()
}

fn counted_blocks(text: &str, of: Unit) -> Vec<usize> {
    let mut total = 0;
    let counts = text.as_bytes().chunks(BLOCK).map(|block| {
        total += units(block, of);
        total
    });
    std::iter::once(0).chain(counts).collect()
}

/// The lines of a text without what ends them.
fn lines(text: &str, breaks: Breaks) -> Vec<Bytes<usize>> {
    let bytes = text.as_bytes();
    let mut lines = Vec::new();
    let mut start = 0;
    for (at, first) in bytes.iter().enumerate() {
        let rest = bytes.get(at..).unwrap_or_default();
        let length = match (first, breaks) {
            (b'\n', _) => 1,
            // A line feed behind it ends the same line.
            (b'\r', Breaks::CarriageReturn | Breaks::Separators) if rest.get(1) != Some(&b'\n') => 1,
            (0xe2, Breaks::Separators) if is_separator(rest) => 3,
            _ => continue,
        };
        let is_pair = *first == b'\n'
            && breaks != Breaks::LineFeed
            && bytes.get(..at).is_some_and(|it| it.ends_with(b"\r"));
        lines.push(start..if is_pair { at - 1 } else { at });
        start = at + length;
    }
    lines.push(start..text.len());
    lines
}

/// U+2028 or U+2029.
fn is_separator(bytes: &[u8]) -> bool {
    matches!(bytes, [0xe2, 0x80, 0xa8 | 0xa9, ..])
}

/// Whether a text has something that ends a line for one tool and not for another.
fn has_doubtful_breaks(text: &str) -> bool {
    let bytes = text.as_bytes();
    let lone_return = memchr::memchr_iter(b'\r', bytes).any(|at| bytes.get(at + 1) != Some(&b'\n'));
    lone_return
        || memchr::memchr_iter(0xe2, bytes).any(|at| bytes.get(at..).is_some_and(is_separator))
        || text.contains(['\u{85}', '\u{b}', '\u{c}'])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Just, Strategy as _, prop_assert_eq, prop_oneof, proptest};

    use super::{Breaks, Certainty, Decoded, Grid, decode};
    use crate::precision::encoding::{Basis, Convention, Mark, Unit};
    use crate::precision::occurrence::Range;

    fn convention(unit: Unit, breaks: Breaks, mark: Mark) -> Convention {
        Convention { unit, basis: Basis::Declared, breaks: Some(breaks), mark: Some(mark) }
    }

    #[track_caller]
    fn check(text: &str, how: Convention, place: (u32, u32), expected: Option<&str>) {
        let grid = Grid::new(text, Decoded::Utf8, how);
        let found = grid.bytes(&Range { start: place, end: place }).map(|it| text.get(it.start..).unwrap());
        assert_eq!(found, expected, "{place:?} in {text:?}");
    }

    #[test]
    fn a_column_counts_the_unit_of_the_tool() {
        let text = "aé😀b\nc";
        let of = |unit| convention(unit, Breaks::LineFeed, Mark::LeftOut);
        check(text, of(Unit::Utf8), (0, 7), Some("b\nc"));
        check(text, of(Unit::Utf16), (0, 4), Some("b\nc"));
        check(text, of(Unit::CodePoint), (0, 3), Some("b\nc"));
        check(text, of(Unit::Utf16), (1, 1), Some(""));
        // Inside the surrogate pair, inside the two bytes, behind the line, behind the text.
        check(text, of(Unit::Utf16), (0, 3), None);
        check(text, of(Unit::Utf8), (0, 2), None);
        check(text, of(Unit::CodePoint), (0, 5), None);
        check(text, of(Unit::CodePoint), (2, 0), None);
        check(text, of(Unit::Utf8), (u32::MAX, u32::MAX), None);
    }

    #[test]
    fn a_line_ends_where_the_tool_says() {
        let text = "a\rb\u{2028}c\r\nd";
        let of = |breaks| convention(Unit::Utf16, breaks, Mark::LeftOut);
        check(text, of(Breaks::LineFeed), (1, 0), Some("d"));
        check(text, of(Breaks::CarriageReturn), (1, 0), Some("b\u{2028}c\r\nd"));
        check(text, of(Breaks::CarriageReturn), (2, 0), Some("d"));
        check(text, of(Breaks::Separators), (2, 0), Some("c\r\nd"));
        check(text, of(Breaks::Separators), (2, 2), None);
        check(text, of(Breaks::Separators), (3, 0), Some("d"));
    }

    #[test]
    fn a_byte_order_mark_is_counted_or_not() {
        let of = |unit, mark| convention(unit, Breaks::LineFeed, mark);
        check("\u{feff}ab", of(Unit::Utf16, Mark::LeftOut), (0, 1), Some("b"));
        check("\u{feff}ab", of(Unit::Utf16, Mark::Counted), (0, 2), Some("b"));
        check("\u{feff}ab", of(Unit::Utf8, Mark::Counted), (0, 4), Some("b"));
    }

    #[test]
    fn what_was_never_measured_is_an_assumption_where_it_matters() {
        let unknown = Convention { unit: Unit::Utf8, basis: Basis::Declared, breaks: None, mark: None };
        for (text, expected) in [
            ("a\r\né\n", Certainty::Known),
            ("a\rb", Certainty::Assumed),
            ("a\u{2029}b", Certainty::Assumed),
            ("\u{feff}a", Certainty::Assumed),
        ] {
            assert_eq!(Grid::new(text, Decoded::Utf8, unknown).certainty, expected, "{text:?}");
        }
        assert_eq!(Grid::new("a", Decoded::Lossy, unknown).certainty, Certainty::Assumed);
    }

    #[test]
    fn bytes_become_text_by_their_mark() {
        assert_eq!(
            decode(b"\xff\xfea\0\x3d\xd8\x00\xde".to_vec()),
            ("\u{feff}a😀".to_owned(), Decoded::Utf16)
        );
        assert_eq!(decode(b"\xff\xfea".to_vec()).1, Decoded::Lossy);
        assert_eq!(decode(b"\xfc".to_vec()), ("\u{fffd}".to_owned(), Decoded::Lossy));
    }

    #[test]
    fn a_word_is_not_cut() {
        let grid =
            Grid::new("ab.cd_é", Decoded::Utf8, convention(Unit::Utf8, Breaks::LineFeed, Mark::LeftOut));
        for (range, expected) in
            [(0..2, false), (0..1, true), (3..8, false), (3..5, true), (1..1, false), (1..2, true)]
        {
            assert_eq!(grid.splits_word(&range), expected, "{range:?}");
        }
    }

    proptest! {
        /// Against counting from the start of the line.
        #[test]
        fn a_column_leads_to_its_character(
            short in "[a-c\\né😀]{1,32}",
            repeat in 1usize..120,
            unit in prop_oneof![Just(Unit::Utf8), Just(Unit::Utf16), Just(Unit::CodePoint)].boxed(),
        ) {
            let text = short.repeat(repeat);
            let grid = Grid::new(&text, Decoded::Utf8, convention(unit, Breaks::LineFeed, Mark::LeftOut));
            let (mut line, mut column) = (0, 0);
            for (offset, character) in text.char_indices() {
                prop_assert_eq!(grid.offset((line, column)), Some(offset));
                match (character, unit) {
                    ('\n', _) => (line, column) = (line + 1, 0),
                    (it, Unit::Utf8) => column += u32::try_from(it.len_utf8()).unwrap(),
                    (it, Unit::Utf16) => column += u32::try_from(it.len_utf16()).unwrap(),
                    (_, Unit::CodePoint) => column += 1,
                }
            }
            prop_assert_eq!(grid.offset((line, column)), Some(text.len()));
        }
    }
}
