//! XML as poms and the like need it: elements by a path of names.

use roxmltree::Node;

pub use crate::deps::xml::{Text, attribute, elements, parse, text};

use crate::deps::document::Document;

/// The elements of a name directly below one.
pub fn named<'a, 'i>(node: Node<'a, 'i>, name: &str) -> impl Iterator<Item = Node<'a, 'i>> {
    elements(node).filter(move |it| it.tag_name().name() == name)
}

/// The elements at the end of a path of names.
pub fn at<'a, 'i>(node: Node<'a, 'i>, path: &[&str]) -> Vec<Node<'a, 'i>> {
    path.iter().fold(vec![node], |nodes, name| nodes.into_iter().flat_map(|it| named(it, name)).collect())
}

/// The text of an element directly below one.
pub fn child(document: &Document<'_>, node: Node<'_, '_>, name: &str) -> Option<Text> {
    text(document, named(node, name).next()?)
}
