//! The words, strings and signs of Groovy, Kotlin and Scala: as much of their syntax as build scripts need to be read
//! without being run. It never fails: what it does not know are single signs.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Word,
    /// A string; whether `$` in it starts an expression.
    Text(Dollar),
    Sign(u8),
    Line,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dollar {
    Plain,
    Expression,
}

#[derive(Clone, Debug)]
pub struct Token {
    pub kind: Kind,
    pub range: Range<usize>,
    /// A string without its quotes.
    pub inside: Range<usize>,
}

/// The tokens of a part of a text.
pub fn tokens(text: &str, part: Range<usize>) -> Vec<Token> {
    let bytes = text.as_bytes().get(..part.end).unwrap_or_default();
    let mut found = Vec::new();
    let mut at = part.start;
    while let Some(byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        let start = at;
        if rest.starts_with(b"//") {
            at = behind(bytes, at, |it| it == b'\n');
            continue;
        }
        if rest.starts_with(b"/*") {
            at = comment_end(bytes, at);
            continue;
        }
        let mut inside = None;
        let kind = match *byte {
            b'\n' => {
                at += 1;
                Kind::Line
            }
            b'\\' if rest.starts_with(b"\\\n") => {
                at += 2;
                continue;
            }
            it if it.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'"' | b'\'' => match string(bytes, at) {
                Some((kind, content, end)) => {
                    inside = Some(content);
                    at = end;
                    kind
                }
                None => {
                    at += 1;
                    Kind::Sign(*byte)
                }
            },
            it if is_word(it) => {
                at = behind(bytes, at, |it| !is_word(it));
                // Scala's strings with expressions: `s"…"`.
                match bytes
                    .get(at)
                    .filter(|it| **it == b'"' && at == start + 1)
                    .and_then(|_| string(bytes, at))
                {
                    Some((_, content, end)) => {
                        inside = Some(content);
                        at = end;
                        Kind::Text(Dollar::Expression)
                    }
                    None => Kind::Word,
                }
            }
            it => {
                at += 1;
                // A character of several bytes is none of a script's signs.
                while bytes.get(at).is_some_and(|it| it & 0xC0 == 0x80) {
                    at += 1;
                }
                Kind::Sign(it)
            }
        };
        found.push(Token { kind, range: start..at, inside: inside.unwrap_or(start..at) });
    }
    found
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn behind(bytes: &[u8], from: usize, is_end: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().position(|it| is_end(*it)).unwrap_or(rest.len())
}

fn comment_end(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from + 2..).unwrap_or_default();
    rest.windows(2).position(|it| it == b"*/").map_or(bytes.len(), |it| from + it + 4)
}

/// A string that starts at a quote: what it is, its content and where it ends. None when its line ends before it does.
fn string(bytes: &[u8], start: usize) -> Option<(Kind, Range<usize>, usize)> {
    let quote = *bytes.get(start)?;
    let dollar = if quote == b'"' { Dollar::Expression } else { Dollar::Plain };
    let triple = [quote; 3];
    let is_long = bytes.get(start..).is_some_and(|it| it.starts_with(&triple));
    let marks = if is_long { 3 } else { 1 };
    let mut at = start + marks;
    loop {
        let rest = bytes.get(at..)?;
        match rest.first()? {
            b'\\' => at += 2,
            b'\n' if !is_long => return None,
            b'$' if dollar == Dollar::Expression && rest.get(1) == Some(&b'{') => {
                at = braces_end(bytes, at + 1);
            }
            it if *it == quote && (!is_long || rest.starts_with(&triple)) => {
                return Some((Kind::Text(dollar), start + marks..at, at + marks));
            }
            _ => at += 1,
        }
    }
}

/// Behind the brace that closes the one at a place; strings between them can hold braces.
pub fn braces_end(bytes: &[u8], open: usize) -> usize {
    /// Longer expressions are no versions; many that never end would each be read to the end of their line.
    const LONGEST: usize = 4_096;
    let bytes = bytes.get(..bytes.len().min(open + LONGEST)).unwrap_or_default();
    let (mut depth, mut at, mut quote) = (0_usize, open, None);
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match (quote, *byte) {
            (_, b'\n') => return at,
            (Some(it), byte) if it == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(*byte),
            (None, b'{') => depth += 1,
            (None, b'}') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            (None, _) => {}
        }
    }
    at
}
