//! What a build script writes where a text is expected: strings, variables and their sums.

use std::ops::Range;

use super::token::{Dollar, Kind, Token, braces_end, tokens};

/// A sum of texts.
#[derive(Clone, Debug)]
pub struct Expression {
    pub pieces: Vec<Piece>,
    pub range: Range<usize>,
}

impl Expression {
    /// Whether any part of it is known only when the script is run.
    pub fn is_computed(&self) -> bool {
        self.pieces.iter().any(|it| matches!(it.value, Value::Computed))
    }
}

#[derive(Clone, Debug)]
pub struct Piece {
    pub value: Value,
    pub range: Range<usize>,
}

#[derive(Clone, Debug)]
pub enum Value {
    Text(String),
    /// A name with dots, without the words that only say where variables are kept.
    Variable(String),
    /// Known only when the script is run.
    Computed,
}

/// Expressions inside of strings inside of expressions go no deeper than this.
const DEEPEST: usize = 4;

/// Functions that give the variable of the name that they are given.
const GETTERS: [&str; 6] = ["property", "getProperty", "findProperty", "get", "gradleProperty", "getByName"];
/// Functions that only unwrap a value.
const UNWRAPPERS: [&str; 3] = ["get", "toString", "trim"];
/// What stands before the name of a variable to say where it is kept.
pub const KEEPERS: [&str; 8] =
    ["project", "rootProject", "ext", "extra", "properties", "providers", "this", "parent"];

pub struct Parser<'t> {
    pub text: &'t str,
    pub tokens: &'t [Token],
    pub depth: usize,
}

impl<'t> Parser<'t> {
    pub fn new(text: &'t str, tokens: &'t [Token]) -> Self {
        Self { text, tokens, depth: 0 }
    }

    pub fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|it| it.kind)
    }

    pub fn is_sign(&self, at: usize, sign: u8) -> bool {
        self.kind(at) == Some(Kind::Sign(sign))
    }

    pub fn word(&self, at: usize) -> Option<&'t str> {
        let token = self.tokens.get(at).filter(|it| it.kind == Kind::Word)?;
        self.text.get(token.range.clone())
    }

    /// A string without expressions.
    pub fn plain(&self, at: usize) -> Option<&'t str> {
        let token = self.tokens.get(at).filter(|it| matches!(it.kind, Kind::Text(_)))?;
        self.text.get(token.inside.clone()).filter(|it| !it.contains('$'))
    }

    /// The first token at or behind a place that is no end of a line.
    pub fn skip_lines(&self, mut at: usize) -> usize {
        while self.kind(at) == Some(Kind::Line) {
            at += 1;
        }
        at
    }

    /// Behind the sign that closes the one at a place; no further than arguments go.
    pub fn closed(&self, open: usize) -> usize {
        /// More tokens than the arguments of a dependency have; what is deeper is looked through again.
        const MOST: usize = 1_000;
        self.closed_within(open, MOST)
    }

    /// Behind the sign that closes the one at a place, or that many tokens behind it.
    pub fn closed_within(&self, open: usize, most: usize) -> usize {
        let (mut depth, mut at) = (0_usize, open);
        while let Some(kind) = self.kind(at).filter(|_| at < open + most) {
            at += 1;
            match kind {
                Kind::Sign(b'(' | b'[' | b'{') => depth += 1,
                Kind::Sign(b')' | b']' | b'}') => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return at;
                    }
                }
                Kind::Sign(_) | Kind::Word | Kind::Text(_) | Kind::Line => {}
            }
        }
        at
    }

    /// The sum at a place and what follows it; none when no text or name stands there.
    pub fn expression(&self, at: usize) -> Option<(Expression, usize)> {
        let start = self.tokens.get(at)?.range.start;
        let (mut pieces, mut at) = self.term(at)?;
        while self.is_sign(at, b'+') && !self.is_sign(at + 1, b'=') {
            let (more, next) = self.term(self.skip_lines(at + 1))?;
            pieces.extend(more);
            at = next;
        }
        let end = self.tokens.get(at.checked_sub(1)?)?.range.end;
        Some((Expression { pieces, range: start..end }, at))
    }

    fn term(&self, at: usize) -> Option<(Vec<Piece>, usize)> {
        let token = self.tokens.get(at)?;
        match token.kind {
            Kind::Text(dollar) => Some((self.pieces(token, dollar), at + 1)),
            Kind::Word => {
                let (piece, next) = self.variable(at)?;
                Some((vec![piece], next))
            }
            Kind::Sign(_) | Kind::Line => None,
        }
    }

    /// A name with dots, indices and calls.
    fn variable(&self, first: usize) -> Option<(Piece, usize)> {
        let start = self.tokens.get(first)?.range.start;
        let mut names = vec![self.word(first)?.to_owned()];
        let (mut at, mut is_computed) = (first + 1, false);
        loop {
            if self.is_sign(at, b'.') && self.word(at + 1).is_some() {
                names.extend(self.word(at + 1).map(str::to_owned));
                at += 2;
            } else if let (true, Some(key), true) =
                (self.is_sign(at, b'['), self.plain(at + 1), self.is_sign(at + 2, b']'))
            {
                names.push(key.to_owned());
                at += 3;
            } else if self.is_sign(at, b'(') {
                let called = names.pop().unwrap_or_default();
                match self.plain(at + 1).filter(|_| self.is_sign(at + 2, b')')) {
                    Some(key) if GETTERS.contains(&called.as_str()) => names.push(key.to_owned()),
                    None if self.is_sign(at + 1, b')') && UNWRAPPERS.contains(&called.as_str()) => {}
                    Some(_) | None => is_computed = true,
                }
                at = self.closed(at);
            } else if self.is_assertion(at) {
                at += 2;
            } else {
                break;
            }
        }
        let end = self.tokens.get(at.checked_sub(1)?)?.range.end;
        let kept = names.iter().skip_while(|it| KEEPERS.contains(&it.as_str())).cloned();
        let name = kept.collect::<Vec<_>>().join(".");
        let is_name = !is_computed && !name.is_empty();
        let value = if is_name { Value::Variable(name) } else { Value::Computed };
        Some((Piece { value, range: start..end }, at))
    }

    /// What Kotlin says only of a value's type: `!!`, `as String`.
    fn is_assertion(&self, at: usize) -> bool {
        self.is_sign(at, b'!') && self.is_sign(at + 1, b'!')
            || self.word(at) == Some("as") && self.word(at + 1) == Some("String")
    }

    /// The texts and expressions of a string.
    fn pieces(&self, token: &Token, dollar: Dollar) -> Vec<Piece> {
        let inside = token.inside.clone();
        let content = self.text.get(inside.clone()).unwrap_or_default();
        let text = |range: Range<usize>| Piece {
            value: Value::Text(self.text.get(range.clone()).unwrap_or_default().to_owned()),
            range,
        };
        if dollar == Dollar::Plain || !content.contains('$') {
            return vec![text(inside)];
        }
        let (mut pieces, mut from) = (Vec::new(), inside.start);
        let bytes = self.text.as_bytes();
        while let Some(found) = self.text.get(from..inside.end).and_then(|it| it.find('$')) {
            let at = from + found;
            if at > from {
                pieces.push(text(from..at));
            }
            let (part, end) = if bytes.get(at + 1) == Some(&b'{') {
                let end = braces_end(bytes, at + 1).min(inside.end);
                (at + 2..end.saturating_sub(1).max(at + 2), end)
            } else {
                let end = self.name_end(at + 1, inside.end);
                (at + 1..end, end)
            };
            from = end.max(at + 1);
            pieces.extend(self.inner(part, at..from));
        }
        if from < inside.end {
            pieces.push(text(from..inside.end));
        }
        pieces
    }

    /// Where a name behind a `$` ends: at a dot that no name follows.
    fn name_end(&self, from: usize, end: usize) -> usize {
        let bytes = self.text.as_bytes().get(..end).unwrap_or_default();
        let is_word = |at: usize| bytes.get(at).is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_');
        let mut at = from;
        while is_word(at) || (at > from && bytes.get(at) == Some(&b'.') && is_word(at + 1)) {
            at += 1;
        }
        at
    }

    /// The pieces of an expression within a string, which stand at the place of the whole expression.
    fn inner(&self, part: Range<usize>, whole: Range<usize>) -> Vec<Piece> {
        let found = (self.depth < DEEPEST)
            .then(|| {
                let tokens = tokens(self.text, part);
                let parser = Parser { text: self.text, tokens: &tokens, depth: self.depth + 1 };
                parser.expression(0).filter(|it| it.1 == tokens.len())
            })
            .flatten();
        match found {
            Some((found, _)) => {
                found.pieces.into_iter().map(|it| Piece { range: whole.clone(), ..it }).collect()
            }
            None => vec![Piece { value: Value::Computed, range: whole }],
        }
    }
}
