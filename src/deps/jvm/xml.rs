//! XML as the readers of this ecosystem need it: elements by name whatever their namespace, and texts with places.

use std::ops::Range;

use roxmltree::{Document as Tree, Node, NodeType, ParsingOptions};

use crate::deps::document::Document;
use crate::model::Note;

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
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    Tree::parse_with_options(document.text, options).map_err(|error| {
        let at = error.pos();
        let before = usize::try_from(at.row).unwrap_or(1).saturating_sub(1);
        let line: usize = document.text.split_inclusive('\n').take(before).map(str::len).sum();
        document.unreadable(line, &error.to_string())
    })
}

/// The elements directly below one.
pub fn elements<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(Node::is_element)
}

/// The elements of a name directly below one.
pub fn named<'a, 'i>(node: Node<'a, 'i>, name: &str) -> impl Iterator<Item = Node<'a, 'i>> {
    elements(node).filter(move |it| it.tag_name().name() == name)
}

/// The elements at the end of a path of names.
pub fn at<'a, 'i>(node: Node<'a, 'i>, path: &[&str]) -> Vec<Node<'a, 'i>> {
    path.iter().fold(vec![node], |nodes, name| nodes.into_iter().flat_map(|it| named(it, name)).collect())
}

/// The text of an element; none when it has none.
pub fn text(document: &Document<'_>, node: Node<'_, '_>) -> Option<Text> {
    let mut parts = node.children().filter(|it| match it.node_type() {
        NodeType::Text => it.text().is_some_and(|it| !it.trim().is_empty()),
        NodeType::Element => true,
        NodeType::Root | NodeType::Comment | NodeType::PI => false,
    });
    let part = parts.next().filter(Node::is_text)?;
    if parts.next().is_some() {
        return None;
    }
    Some(Text { value: part.text()?.trim().to_owned(), range: trimmed(document.text, part.range()) })
}

/// The text of an element directly below one.
pub fn child(document: &Document<'_>, node: Node<'_, '_>, name: &str) -> Option<Text> {
    text(document, named(node, name).next()?)
}

/// An attribute and where its text stands.
pub fn attribute(document: &Document<'_>, node: Node<'_, '_>, name: &str) -> Option<Text> {
    let found = node.attributes().find(|it| it.name() == name)?;
    Some(Text { value: found.value().trim().to_owned(), range: trimmed(document.text, found.range_value()) })
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
