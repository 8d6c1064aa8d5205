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
        for node in parsed.root().root().dfs() {
            found.add(&node);
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

    fn add(&mut self, node: &Node<'_, StrDoc<SupportLang>>) {
        if !node.kind().contains("comment") {
            return;
        }
        let text = node.text();
        let Some(silenced) = directive(&text) else { return };
        let line = node.start_pos().line();
        let statement = node.prev().filter(|it| it.end_pos().line() == line);
        match statement {
            Some(statement) => {
                self.lines.insert(statement.start_pos().line(), silenced);
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
