//! YAML as a tree of texts with places. Scalars stay as written, so that `1.10` is not 1.1; aliases are not followed, so
//! that nothing grows.

use std::ops::Range;

use granit_parser::{Event, Parser, Span};

use crate::model::Note;

use super::document::Document;

/// A node and where it stands.
#[derive(Debug)]
pub struct Node {
    pub place: Range<usize>,
    pub value: Value,
}

#[derive(Debug)]
pub enum Value {
    /// The text, without quotes and escapes.
    Scalar(String),
    /// Keys that are no scalars are left out.
    Mapping(Vec<(Scalar, Node)>),
    Sequence(Vec<Node>),
    /// A reference to another node.
    Alias,
}

#[derive(Debug)]
pub struct Scalar {
    pub text: String,
    /// With its quotes.
    pub place: Range<usize>,
}

impl Node {
    /// The entries of a mapping; none for anything else.
    pub fn entries(&self) -> &[(Scalar, Self)] {
        match &self.value {
            Value::Mapping(entries) => entries,
            Value::Scalar(_) | Value::Sequence(_) | Value::Alias => &[],
        }
    }

    /// The value of a key; the last one counts.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.entries().iter().rev().find(|it| it.0.text == key).map(|it| &it.1)
    }

    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(text) => Some(text),
            Value::Mapping(_) | Value::Sequence(_) | Value::Alias => None,
        }
    }

    /// The range of a scalar's text, without quotes.
    pub fn inside(&self, text: &str) -> Range<usize> {
        let written = text.get(self.place.clone()).unwrap_or_default();
        let quoted = written.len() > 1 && written.starts_with(['"', '\'']);
        if quoted { self.place.start + 1..self.place.end - 1 } else { self.place.clone() }
    }

    /// The items of a sequence; none for anything else.
    pub fn items(&self) -> &[Self] {
        match &self.value {
            Value::Sequence(items) => items,
            Value::Scalar(_) | Value::Mapping(_) | Value::Alias => &[],
        }
    }
}

/// A mapping or sequence that is being read.
enum Open {
    Mapping(usize, Vec<(Scalar, Node)>, Option<Option<Scalar>>),
    Sequence(usize, Vec<Node>),
}

/// The documents of a file.
///
/// # Errors
/// When it is not YAML, or nests deeper than the parser allows.
pub fn documents(document: &Document<'_>) -> Result<Vec<Node>, Note> {
    let mut roots = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    for event in Parser::new_from_str(document.text) {
        let (event, span) = event.map_err(|error| {
            let offset = error.marker().byte_offset().unwrap_or_default();
            document.unreadable(offset.min(document.text.len()), &error.info())
        })?;
        let place = range(span);
        let done = match event {
            Event::MappingStart(..) => {
                open.push(Open::Mapping(place.start, Vec::new(), None));
                continue;
            }
            Event::SequenceStart(..) => {
                open.push(Open::Sequence(place.start, Vec::new()));
                continue;
            }
            // The parser calls what is not written `~`.
            Event::Scalar(..) if place.is_empty() => Node { place, value: Value::Scalar(String::new()) },
            Event::Scalar(text, ..) => Node { place, value: Value::Scalar(text.into_owned()) },
            Event::Alias(_) | Event::UnresolvedAlias(_) => Node { place, value: Value::Alias },
            Event::MappingEnd | Event::SequenceEnd => match open.pop() {
                Some(Open::Mapping(start, entries, _)) => {
                    Node { place: start..place.end, value: Value::Mapping(entries) }
                }
                Some(Open::Sequence(start, items)) => {
                    Node { place: start..place.end, value: Value::Sequence(items) }
                }
                None => continue,
            },
            Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(..)
            | Event::DocumentEnd
            | Event::Anchor(..)
            | _ => continue,
        };
        match open.last_mut() {
            None => roots.push(done),
            Some(Open::Sequence(_, items)) => items.push(done),
            Some(Open::Mapping(_, entries, key)) => match key.take() {
                None => *key = Some(scalar(done)),
                Some(Some(name)) => entries.push((name, done)),
                Some(None) => {}
            },
        }
    }
    Ok(roots)
}

fn scalar(node: Node) -> Option<Scalar> {
    match node.value {
        Value::Scalar(text) => Some(Scalar { text, place: node.place }),
        Value::Mapping(_) | Value::Sequence(_) | Value::Alias => None,
    }
}

fn range(span: Span) -> Range<usize> {
    let start = span.start.byte_offset().unwrap_or_default();
    start..span.end.byte_offset().unwrap_or(start).max(start)
}

#[cfg(test)]
mod tests {
    use super::documents;
    use crate::deps::document::Document;

    #[test]
    fn scalars_stay_as_written_and_know_their_place() {
        let text =
            "none:\né: 1.10\n'q': \"1.0\"\nlist: [a, {b: c}]\n? [k]\n: v\n---\nsecond: &a 0x1f\nalias: *a\n";
        let path = "x.yaml".parse().unwrap();
        let document = Document::open(&path, text.as_bytes()).unwrap();
        let roots = documents(&document).unwrap();
        assert_eq!(roots.len(), 2);
        let number = roots[0].get("é").unwrap();
        assert_eq!(number.text(), Some("1.10"));
        assert_eq!(text.get(number.place.clone()).unwrap(), "1.10");
        let key = &roots[0].entries()[2].0;
        assert_eq!((key.text.as_str(), text.get(key.place.clone()).unwrap()), ("q", "'q'"));
        assert_eq!(roots[0].entries().len(), 4);
        assert_eq!(roots[0].get("none").unwrap().text(), Some(""));
        let items = roots[0].get("list").unwrap().items();
        assert_eq!((items.len(), items[0].text()), (2, Some("a")));
        assert_eq!(items[1].get("b").unwrap().text(), Some("c"));
        assert_eq!(roots[1].get("second").unwrap().text(), Some("0x1f"));
        assert_eq!(roots[1].get("alias").unwrap().text(), None);
    }

    #[test]
    fn what_is_no_yaml_or_nests_too_deep_is_an_error() {
        let path = "x.yaml".parse().unwrap();
        for text in ["a: [", "a: b: c", "\"open", &"[".repeat(100_000), &"- ".repeat(100_000)] {
            let document = Document::open(&path, text.as_bytes()).unwrap();
            assert_eq!(documents(&document).unwrap_err().code, "dependency_file_unreadable");
        }
    }
}
