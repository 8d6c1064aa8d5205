//! XML as the readers of several ecosystems need it: elements by name whatever their namespace, texts with places.

use std::ops::Range;

use roxmltree::{Document as Tree, Node, ParsingOptions};

use crate::model::Note;

use super::document::Document;

/// More nodes than any hand-written file has.
const MAX_NODES: u32 = 2_000_000;

/// A text without the white space around it, and where it stands.
#[derive(Clone, Debug)]
pub struct Text {
    pub value: String,
    pub range: Range<usize>,
}

/// Parses XML without a document type, so that nothing is expanded. The parser keeps its own stack.
///
/// # Errors
/// When the file is not well-formed.
pub fn parse<'t>(document: &Document<'t>) -> Result<Tree<'t>, Note> {
    if let Some(offset) = crowded(document.text) {
        return Err(document.unreadable(offset, "an element has more attributes than are read"));
    }
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    Tree::parse_with_options(document.text, options).map_err(|error| {
        let at = error.pos();
        let count = |it: u32| usize::try_from(it).unwrap_or(1).saturating_sub(1);
        let mut lines = document.text.split_inclusive('\n');
        let before: usize = lines.by_ref().take(count(at.row)).map(str::len).sum();
        let line = lines.next().unwrap_or_default();
        let column: usize = line.chars().take(count(at.col)).map(char::len_utf8).sum();
        document.unreadable(before + column, &error.to_string())
    })
}

/// Where the first tag begins whose attributes are too many: the parser compares each with each.
fn crowded(text: &str) -> Option<usize> {
    /// More than any real element has.
    const MOST: usize = 256;
    let (mut start, mut count) = (0, 0);
    for (offset, byte) in text.bytes().enumerate() {
        match byte {
            b'<' | b'>' => (start, count) = (offset, 0),
            b'=' if text.as_bytes().get(start) == Some(&b'<') => count += 1,
            _ => {}
        }
        if count > MOST {
            return Some(start);
        }
    }
    None
}

/// The elements directly below one.
pub fn elements<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(Node::is_element)
}

/// Whether an element has this name, in whatever case.
pub fn is(node: Node<'_, '_>, name: &str) -> bool {
    node.tag_name().name().eq_ignore_ascii_case(name)
}

/// The text of an element that holds nothing else.
pub fn text(document: &Document<'_>, node: Node<'_, '_>) -> Option<Text> {
    let is_filled = |it: &Node<'_, '_>| it.is_text() && it.text().is_some_and(|it| !it.trim().is_empty());
    let mut parts = node.children().filter(|it| it.is_element() || is_filled(it));
    let part = parts.next().filter(Node::is_text)?;
    if parts.next().is_some() {
        return None;
    }
    Some(Text { value: part.text()?.trim().to_owned(), range: trimmed(document.text, part.range()) })
}

/// An attribute, in whatever case its name is written, and where its text stands.
pub fn attribute(document: &Document<'_>, node: Node<'_, '_>, name: &str) -> Option<Text> {
    let found = node.attributes().find(|it| it.name().eq_ignore_ascii_case(name))?;
    Some(Text { value: found.value().trim().to_owned(), range: trimmed(document.text, found.range_value()) })
}

/// An attribute, or else the text of an element directly below, of the same name.
pub fn field(document: &Document<'_>, node: Node<'_, '_>, name: &str) -> Option<Text> {
    attribute(document, node, name)
        .or_else(|| text(document, elements(node).filter(|it| is(*it, name)).last()?))
}

/// A range without white space at its ends, and without the marks of a CDATA section.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let whole = text.get(range.clone()).unwrap_or_default();
    let inside = whole.trim();
    let inside =
        inside.strip_prefix("<![CDATA[").and_then(|it| it.strip_suffix("]]>")).unwrap_or(inside).trim();
    let start = range.start + whole.find(inside).unwrap_or(0);
    start..start + inside.len()
}
