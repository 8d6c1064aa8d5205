//! Points of tree positions without counting a line from its start each time.

use tree_sitter::Node;

use crate::model::{Point, Span};

/// Bytes between two remembered counts.
const STRIDE: usize = 256;
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Turns a row, a byte column and a byte offset into a point. A file of one huge line costs no more than another.
pub(super) struct Columns<'t> {
    text: &'t [u8],
    /// The number of bytes that continue a character before each stride; empty for a text of ASCII only.
    continued: Vec<u32>,
    mark: usize,
}

impl<'t> Columns<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let mut continued = Vec::new();
        if !text.is_ascii() {
            let mut sum = 0;
            for chunk in bytes.chunks(STRIDE) {
                continued.push(sum);
                sum += continuations(chunk);
            }
            continued.push(sum);
        }
        let mark = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        Self { text: bytes, continued, mark }
    }

    pub(super) fn point(&self, place: tree_sitter::Point, offset: usize) -> Point {
        let start = offset.saturating_sub(place.column).max(if place.row == 0 { self.mark } else { 0 });
        let bytes = offset.saturating_sub(start);
        let column = if self.continued.is_empty() || bytes == 0 {
            bytes
        } else {
            bytes.saturating_sub(self.before(offset).saturating_sub(self.before(start)))
        };
        Point { line: narrow(place.row + 1), column: narrow(column + 1) }
    }

    pub(super) fn start(&self, node: Node<'_>) -> Point {
        self.point(node.start_position(), node.start_byte())
    }

    pub(super) fn end(&self, node: Node<'_>) -> Point {
        self.point(node.end_position(), node.end_byte())
    }

    pub(super) fn span(&self, node: Node<'_>) -> Span {
        Span { start: self.start(node), end: self.end(node) }
    }

    /// The number of continuing bytes before an offset.
    fn before(&self, offset: usize) -> usize {
        let stride = offset / STRIDE;
        let counted = self.continued.get(stride).copied().unwrap_or(0);
        let rest = self.text.get(stride * STRIDE..offset).unwrap_or_default();
        (counted + continuations(rest)) as usize
    }
}

fn continuations(bytes: &[u8]) -> u32 {
    narrow(bytes.iter().filter(|it| **it & 0xc0 == 0x80).count())
}

fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::Columns;
    use crate::model::LineIndex;

    proptest! {
        #[test]
        fn points_agree_with_the_line_index(text in "\u{feff}?[a-c\\né😀\\r]{0,900}") {
            let (columns, index) = (Columns::new(&text), LineIndex::new(&text));
            for (offset, _) in text.char_indices().filter(|(at, it)| *at > 0 || *it != '\u{feff}') {
                let before = text.get(..offset).unwrap();
                let row = before.matches('\n').count();
                let column = offset - before.rfind('\n').map_or(0, |it| it + 1);
                prop_assert_eq!(columns.point(tree_sitter::Point { row, column }, offset), index.point(offset));
            }
        }
    }
}
