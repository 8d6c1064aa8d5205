//! Comments that take matches back: `ast-grep-ignore` with the engine's own meaning, and `cortex-ignore`.
//!
//! A comment alone on its line speaks for the next line, one behind code for the statement that ends there, and one
//! on the first line with an empty second line for the whole file. `: id, id` names the rules; without it, all.

use std::collections::{BTreeMap, BTreeSet};

use ast_grep_core::Node;
use ast_grep_core::tree_sitter::StrDoc;
use ast_grep_language::SupportLang;

use crate::syntax::Parsed;

const MARKERS: [&str; 2] = ["ast-grep-ignore", "cortex-ignore"];

type Tree<'t> = Node<'t, StrDoc<SupportLang>>;

/// Which rules a comment silences.
#[derive(Debug, PartialEq, Eq)]
enum Silenced {
    All,
    Rules(BTreeSet<String>),
}

/// The suppressions of one file.
#[derive(Debug, Default)]
pub struct Suppressions {
    file: Option<Silenced>,
    /// By the zero-based line at which a silenced match starts.
    lines: BTreeMap<usize, Silenced>,
}

impl Suppressions {
    pub fn of(parsed: &Parsed) -> Self {
        let mut found = Self::default();
        // The text is a thousand times cheaper to search than the tree, and hardly any file has one.
        if !MARKERS.iter().any(|it| memchr::memmem::find(parsed.text().as_bytes(), it.as_bytes()).is_some()) {
            return found;
        }
        let mut before = None;
        for node in parsed.root().root().dfs() {
            if is_comment(&node) {
                found.add(&node, before.as_ref().filter(|it| is_comment(it)), parsed.text());
            }
            before = Some(node);
            if found.file == Some(Silenced::All) {
                break;
            }
        }
        found
    }

    pub fn silence(&self, rule: &str, line: usize) -> bool {
        let names = |it: &Silenced| match it {
            Silenced::All => true,
            Silenced::Rules(ids) => ids.contains(rule),
        };
        self.file.as_ref().is_some_and(names) || self.lines.get(&line).is_some_and(names)
    }

    /// `before` is the comment, if any, that was met last: a run of comments is no tree, so that asking each for its
    /// neighbour would walk the run every time.
    fn add(&mut self, node: &Tree<'_>, before: Option<&Tree<'_>>, text: &str) {
        let comment = node.text();
        let Some(silenced) = directive(&comment) else { return };
        let line = node.start_pos().line();
        let on_this_line = |it: &Tree<'_>| it.end_pos().line() == line;
        let statement = match before.filter(|it| on_this_line(it)) {
            Some(comment) => Some(comment.start_pos().line()),
            None if starts_line(text, node.range().start) => None,
            None => node.prev().filter(on_this_line).map(|it| it.start_pos().line()),
        };
        match statement {
            Some(line) => {
                self.lines.insert(line, silenced);
            }
            None if line == 0 && node.next().is_none_or(|it| it.start_pos().line() >= 2) => {
                self.file = Some(silenced);
            }
            None => {
                self.lines.insert(line + 1, silenced);
            }
        }
    }
}

fn is_comment(node: &Tree<'_>) -> bool {
    node.kind().contains("comment")
}

/// Whether only white space stands between the start of a line and an offset.
fn starts_line(text: &str, offset: usize) -> bool {
    let before = text.as_bytes().iter().take(offset).rev();
    before.take_while(|it| **it != b'\n').all(u8::is_ascii_whitespace)
}

/// What a comment's text silences. The marker must be its first word.
fn directive(comment: &str) -> Option<Silenced> {
    let start = comment.find(char::is_alphabetic)?;
    let text = comment.get(start..)?;
    let rest = MARKERS.iter().find_map(|it| text.strip_prefix(it))?;
    let Some((_, ids)) = rest.split_once(':') else { return Some(Silenced::All) };
    let ids = ids.split(" -- ").next().unwrap_or_default();
    let ids = ids.split(',').filter_map(|it| it.split_whitespace().next()).map(str::to_owned);
    Some(Silenced::Rules(ids.collect()))
}

#[cfg(test)]
mod tests {
    use super::Suppressions;
    use crate::syntax::{Language, Limits, parse};

    /// The one-based lines on which rule `r` is silent.
    fn silent(text: &str) -> Vec<usize> {
        let python = Language::of_name("python").unwrap();
        let parsed = parse(text.to_owned(), python, Limits::default()).unwrap();
        let suppressions = Suppressions::of(&parsed);
        (0..text.lines().count()).filter(|it| suppressions.silence("r", *it)).map(|it| it + 1).collect()
    }

    #[test]
    fn a_comment_silences_the_line_that_it_speaks_for() {
        assert_eq!(silent("a()\n# ast-grep-ignore\nb()\nc()\n"), [3]);
        assert_eq!(silent("a()\nb() # cortex-ignore: q, r -- known\nc()\n"), [2]);
        assert_eq!(silent("a()\nb() # cortex-ignore: q\nc()\n"), Vec::<usize>::new());
        assert_eq!(silent("f(\n  1,\n) # ast-grep-ignore: r\nc()\n"), [1]);
        assert_eq!(silent("# ast-grep-ignore: r\n\na()\nb()\n"), [1, 2, 3, 4]);
        assert_eq!(silent("# see ast-grep-ignore\na()\n"), Vec::<usize>::new());
    }
}
