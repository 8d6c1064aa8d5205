//! Places in source text: one-based lines, one-based columns in Unicode code points, half-open spans.

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

    pub fn contains(&self, point: Point) -> bool {
        self.start <= point && point < self.end
    }

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
    starts: Vec<usize>,
    /// The number of code points before each block of the text, so that a long line costs no more than a short one.
    counts: Vec<usize>,
}

/// Bytes between two entries of [`LineIndex::counts`].
const BLOCK: usize = 1 << 9;

/// U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";

impl<'t> LineIndex<'t> {
    pub fn new(text: &'t str) -> Self {
        let first = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).map(|it| it + 1);
        let mut before = 0;
        let counts = text.as_bytes().chunks(BLOCK).map(|block| {
            let here = before;
            before += characters(block);
            here
        });
        Self { text, counts: counts.collect(), starts: std::iter::once(first).chain(breaks).collect() }
    }

    /// The number of lines; a text that ends with a line break has an empty last line.
    pub fn lines(&self) -> usize {
        self.starts.len()
    }

    /// The point of a byte offset. An offset inside a character counts as that character's start, one behind the
    /// text as its end.
    pub fn point(&self, offset: usize) -> Point {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|it| *it <= offset).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0).min(offset);
        let column = self.characters_before(offset) - self.characters_before(start);
        Point { line: narrow(line), column: narrow(column + 1) }
    }

    fn characters_before(&self, offset: usize) -> usize {
        let block = (offset / BLOCK).min(self.counts.len().saturating_sub(1));
        let rest = self.text.as_bytes().get(block * BLOCK..offset).unwrap_or_default();
        self.counts.get(block).copied().unwrap_or(0) + characters(rest)
    }

    pub fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span { start: self.point(range.start), end: self.point(range.end) }
    }

    /// The byte offset of a point, when the text has it. The column behind a line's last character is one.
    pub fn offset(&self, point: Point) -> Option<usize> {
        let line = usize::try_from(point.line).ok()?.checked_sub(1)?;
        let start = *self.starts.get(line)?;
        let text = self.line(line)?;
        let column = usize::try_from(point.column).ok()?.checked_sub(1)?;
        let ends = text.char_indices().map(|(at, _)| at).chain(std::iter::once(text.len()));
        ends.into_iter().nth(column).map(|it| start + it)
    }

    /// The text of a line counted from 0, without its line break.
    pub fn line(&self, line: usize) -> Option<&'t str> {
        let start = *self.starts.get(line)?;
        let end = self.starts.get(line + 1).map_or(self.text.len(), |it| it - 1);
        self.text.get(start..end)
    }
}

/// The code points that start in a piece of UTF-8.
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
    fn a_long_line_is_counted_from_its_start() {
        let text = format!("a\n{}b", "é".repeat(5_000));
        assert_eq!(LineIndex::new(&text).point(text.len() - 1), Point { line: 2, column: 5_001 });
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
        fn a_point_leads_back_to_its_offset(text in "[a-c\\né😀\\r]{0,40}") {
            let index = LineIndex::new(&text);
            for (offset, _) in text.char_indices() {
                prop_assert_eq!(index.offset(index.point(offset)), Some(offset));
            }
        }
    }
}
