//! Places in source text: one-based lines, one-based columns in Unicode code points, half-open spans.

use std::borrow::Cow;
use std::fmt;

use super::path::RepoPath;

/// A position: line and column, both from 1. A column counts code points; a tab is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    pub line: u32,
    pub column: u32,
}

impl Point {
    pub const START: Self = Self { line: 1, column: 1 };
}

/// A half-open range: `end` is the first position behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub start: Point,
    pub end: Point,
}

impl Span {
    /// The empty span at the start of a file, for facts about the whole file.
    pub const FILE: Self = Self { start: Point::START, end: Point::START };

    pub fn encloses(&self, other: &Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// A span of one file of the repository.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    pub path: RepoPath,
    pub span: Span,
}

impl fmt::Display for Point {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.line, self.column)
    }
}

/// Where the lines of a text begin: turns byte offsets into points.
///
/// A line ends with `\n`; a `\r` before it belongs to the line. A byte-order mark at the start of the text has no
/// column, so that the first character after it stands in column 1.
#[derive(Debug)]
pub struct LineIndex<'t> {
    text: &'t str,
    lines: Cow<'t, Lines>,
}

/// What a [`LineIndex`] counted, for who keeps the text and asks often.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<usize>,
    /// The number of characters before every [`BLOCK`]th byte; empty for ASCII text, where bytes are characters.
    blocks: Vec<usize>,
}

/// U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Bytes between two counted places: bounds what one look-up counts, however long a line is.
const BLOCK: usize = 512;

impl Lines {
    pub fn of(text: &str) -> Self {
        let first = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).map(|it| it + 1);
        let starts = std::iter::once(first).chain(breaks).collect();
        let blocks = if text.is_ascii() { Vec::new() } else { counted_blocks(text.as_bytes()) };
        Self { starts, blocks }
    }

    /// The index of the text that was counted.
    pub const fn index<'t>(&'t self, text: &'t str) -> LineIndex<'t> {
        LineIndex { text, lines: Cow::Borrowed(self) }
    }
}

impl<'t> LineIndex<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, lines: Cow::Owned(Lines::of(text)) }
    }

    /// The number of lines; a text that ends with a line break has an empty last line.
    pub fn lines(&self) -> usize {
        self.lines.starts.len()
    }

    /// The point of a byte offset. An offset inside a character counts as that character's start, one behind the
    /// text as its end.
    pub fn point(&self, offset: usize) -> Point {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.lines.starts.partition_point(|it| *it <= offset).max(1);
        let start = self.lines.starts.get(line - 1).copied().unwrap_or(0).min(offset);
        let column = self.characters_before(offset) - self.characters_before(start);
        Point { line: narrow(line), column: narrow(column + 1) }
    }

    fn characters_before(&self, offset: usize) -> usize {
        let Some(before) = self.lines.blocks.get(offset / BLOCK) else { return offset };
        let block = self.text.as_bytes().get(offset / BLOCK * BLOCK..offset).unwrap_or_default();
        before + characters(block)
    }

    pub fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span { start: self.point(range.start), end: self.point(range.end) }
    }

    /// The byte offset of a point, when the text has it. The column behind a line's last character is one.
    pub fn offset(&self, point: Point) -> Option<usize> {
        let line = usize::try_from(point.line).ok()?.checked_sub(1)?;
        let start = *self.lines.starts.get(line)?;
        let text = self.line(line)?;
        let column = usize::try_from(point.column).ok()?.checked_sub(1)?;
        let at = self.character(self.characters_before(start) + column)?;
        (at <= start + text.len()).then_some(at)
    }

    /// The byte offset of a character counted from 0; that of the end for the one behind the last.
    fn character(&self, number: usize) -> Option<usize> {
        if self.lines.blocks.is_empty() {
            return Some(number);
        }
        let block = self.lines.blocks.partition_point(|it| *it <= number).checked_sub(1)?;
        let before = self.lines.blocks.get(block)?;
        let mut starts = (block * BLOCK..=self.text.len()).filter(|it| self.text.is_char_boundary(*it));
        starts.nth(number - before)
    }

    /// The text from a point to the end of its line, when the text has the point.
    pub fn rest(&self, from: Point) -> Option<&'t str> {
        let line = usize::try_from(from.line).ok()?.checked_sub(1)?;
        let end = self.lines.starts.get(line + 1).map_or(self.text.len(), |it| it - 1);
        self.text.get(self.offset(from)?..end)
    }

    /// The text of a line counted from 0, without its line break.
    pub fn line(&self, line: usize) -> Option<&'t str> {
        let start = *self.lines.starts.get(line)?;
        let end = self.lines.starts.get(line + 1).map_or(self.text.len(), |it| it - 1);
        self.text.get(start..end)
    }
}

fn counted_blocks(bytes: &[u8]) -> Vec<usize> {
    let mut total = 0;
    let counts = bytes.chunks_exact(BLOCK).map(|block| {
        total += characters(block);
        total
    });
    std::iter::once(0).chain(counts).collect()
}

/// The characters that begin in these bytes.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|it| **it & 0b1100_0000 != 0b1000_0000).count()
}

fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::{LineIndex, Point};

    #[test]
    fn columns_count_code_points_and_lines_end_at_line_feeds() {
        let text = "aé😀b\r\n\tc\n";
        let index = LineIndex::new(text);
        let at = |needle: char| index.point(text.find(needle).unwrap());
        assert_eq!(at('b'), Point { line: 1, column: 4 });
        assert_eq!(at('c'), Point { line: 2, column: 2 });
        assert_eq!(index.point(text.len()), Point { line: 3, column: 1 });
        assert_eq!(index.lines(), 3);
    }

    #[test]
    fn a_byte_order_mark_has_no_column() {
        let index = LineIndex::new("\u{feff}ab");
        assert_eq!(index.point(3), Point { line: 1, column: 1 });
        assert_eq!(index.point(0), Point { line: 1, column: 1 });
        assert_eq!(index.point(4), Point { line: 1, column: 2 });
    }

    proptest! {
        #[test]
        fn a_point_leads_back_to_its_offset(short in "[a-c\\né😀\\r]{0,40}", repeat in 1usize..60) {
            let text = short.repeat(repeat);
            let index = LineIndex::new(&text);
            for offset in text.char_indices().map(|it| it.0).chain([text.len()]) {
                prop_assert_eq!(index.offset(index.point(offset)), Some(offset));
            }
        }
    }
}
