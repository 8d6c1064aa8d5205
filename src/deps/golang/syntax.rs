//! The lines that `go.mod` and `go.work` are made of: <https://go.dev/ref/mod#go-mod-file-lexical>.

use std::borrow::Cow;
use std::ops::Range;

use crate::deps::document::Document;
use crate::deps::note::ENTRY_MALFORMED;
use crate::model::Note;

/// A directive with its words; those of a block have the verb that stands before the block.
#[derive(Debug)]
pub struct Line<'t> {
    pub verb: &'t str,
    pub words: Vec<Word<'t>>,
    /// The comment behind it, without the slashes.
    pub comment: &'t str,
    pub offset: usize,
}

#[derive(Clone, Debug)]
pub struct Word<'t> {
    /// Without quotes and escapes.
    pub text: Cow<'t, str>,
    /// Without quotes.
    pub place: Range<usize>,
}

impl<'t> Line<'t> {
    /// The texts of the words, for matching.
    pub fn texts(&self) -> Vec<&str> {
        self.words.iter().map(|it| &*it.text).collect()
    }

    /// That the line is left out.
    pub fn malformed(&self, document: &Document<'_>, reason: &str) -> Note {
        document.note(ENTRY_MALFORMED, self.offset, format!("the line was left out: {reason}"))
    }

    /// What keeps the line from being one of the directive.
    pub fn unknown(&self, document: &Document<'_>) -> Note {
        self.malformed(document, "it is no directive of this file, or not written as one")
    }
}

/// The directives of a file in order.
///
/// # Errors
/// When a string or a block does not end, or what stands in it is no word.
pub fn lines<'t>(document: &Document<'t>) -> Result<Vec<Line<'t>>, Note> {
    let mut lines = Vec::new();
    let mut block: Option<(&'t str, usize)> = None;
    let mut at = 0;
    for text in document.text.split_inclusive('\n') {
        let start = at;
        at += text.len();
        let (mut words, comment) =
            words(text, start).map_err(|(offset, reason)| document.unreadable(offset, reason))?;
        let Some(first) = words.first() else { continue };
        let offset = first.place.start;
        match (block, words.as_slice()) {
            (Some(_), [only]) if is(only, ")") => block = None,
            (Some((verb, _)), _) => lines.push(Line { verb, words, comment, offset }),
            (None, [verb, open]) if is(open, "(") => block = Some((written(document, verb), offset)),
            (None, [_, open, close]) if is(open, "(") && is(close, ")") => {}
            (None, [verb, ..]) => {
                let verb = written(document, verb);
                words.remove(0);
                lines.push(Line { verb, words, comment, offset });
            }
            (None, []) => {}
        }
    }
    match block {
        Some((verb, offset)) => Err(document.unreadable(offset, &format!("the block `{verb}` does not end"))),
        None => Ok(lines),
    }
}

fn is(word: &Word<'_>, punctuation: &str) -> bool {
    word.text == punctuation && word.place.len() == punctuation.len()
}

fn written<'t>(document: &Document<'t>, word: &Word<'_>) -> &'t str {
    document.text.get(word.place.clone()).unwrap_or_default()
}

/// The words of a line and the comment behind them, or the offset of what is none and why.
fn words(line: &str, start: usize) -> Result<(Vec<Word<'_>>, &str), (usize, &'static str)> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(rest) = line.get(at..).filter(|it| !it.is_empty()) {
        let first = rest.chars().next().unwrap_or_default();
        let (text, length, quotes) = match first {
            ' ' | '\t' | '\r' | '\n' => {
                at += 1;
                continue;
            }
            '(' | ')' | '[' | ']' | '{' | '}' | ',' => {
                (Cow::Borrowed(rest.get(..1).unwrap_or_default()), 1, 0)
            }
            '"' | '`' => {
                let (text, length) = quoted(rest, first).ok_or((start + at, "a string does not end"))?;
                (text, length, 1)
            }
            _ if rest.starts_with("//") => {
                return Ok((words, rest.trim_start_matches('/').trim()));
            }
            _ if rest.starts_with("/*") => return Err((start + at, "comments begin with `//` here")),
            _ => {
                let length = bare(rest);
                if length == 0 {
                    return Err((start + at, "only blanks and tabs separate words here"));
                }
                (Cow::Borrowed(rest.get(..length).unwrap_or_default()), length, 0)
            }
        };
        let place = start + at + quotes..start + at + length - quotes;
        words.push(Word { text, place });
        at += length;
    }
    Ok((words, ""))
}

/// The length of a word without quotes, which a comment or a bracket ends too.
fn bare(text: &str) -> usize {
    let ends = |(at, letter): &(usize, char)| {
        letter.is_whitespace()
            || "()[]{},".contains(*letter)
            || text.get(*at..).is_some_and(|it| it.starts_with("//") || it.starts_with("/*"))
    };
    text.char_indices().find(ends).map_or(text.len(), |it| it.0)
}

/// The text of a string at the start of a text, and the length of the whole string.
fn quoted(text: &str, quote: char) -> Option<(Cow<'_, str>, usize)> {
    let body = text.get(1..)?;
    let mut is_escaped = false;
    for (at, letter) in body.char_indices() {
        match letter {
            '\n' => return None,
            _ if is_escaped => is_escaped = false,
            '\\' if quote == '"' => is_escaped = true,
            _ if letter == quote => {
                let inside = body.get(..at)?;
                let has_escapes = quote == '"' && inside.contains('\\');
                let text = if has_escapes { Cow::Owned(unescaped(inside)) } else { Cow::Borrowed(inside) };
                return Some((text, at + 2));
            }
            _ => {}
        }
    }
    None
}

/// Paths and versions need no other escapes than those of the quote and the backslash.
fn unescaped(text: &str) -> String {
    let mut is_escaped = false;
    let keep = |it: &char| {
        is_escaped = *it == '\\' && !is_escaped;
        !is_escaped
    };
    text.chars().filter(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::lines;
    use crate::deps::document::Document;

    #[test]
    fn lines_have_the_verb_of_their_block_and_know_their_words() {
        let text = "module \"a b\" // é\nrequire (\n\tx v1 // indirect; see y\n\n\t`z` v2//c\n)\nretract [v1, v2]\nexclude ()\nq \"a\\\"b\"\n";
        let path = "go.mod".parse().unwrap();
        let document = Document::open(&path, text.as_bytes()).unwrap();
        let shown = lines(&document)
            .unwrap()
            .iter()
            .map(|it| {
                for word in it.words.iter().filter(|it| !it.text.contains('"')) {
                    assert_eq!(text.get(word.place.clone()), Some(&*word.text));
                }
                format!("{} {:?} {}", it.verb, it.texts(), it.comment)
            })
            .collect::<Vec<_>>();
        let expected = [
            r#"module ["a b"] é"#,
            r#"require ["x", "v1"] indirect; see y"#,
            r#"require ["z", "v2"] c"#,
            r#"retract ["[", "v1", ",", "v2", "]"] "#,
            r#"q ["a\"b"] "#,
        ];
        assert_eq!(shown, expected);
    }
}
