//! Where a build script sets a variable, and to what.

use super::expression::{Expression, KEEPERS, Parser};
use super::token::Kind;

/// What is set: a name with dots, and where its value stands.
pub struct Assignment {
    pub name: String,
    pub value: Given,
}

/// Where a value stands.
pub enum Given {
    /// The first token of an expression.
    Value(usize),
    /// The sign that opens a map.
    Map(usize),
}

/// Words before the name of a variable.
const MODIFIERS: [&str; 12] = [
    "def",
    "val",
    "var",
    "const",
    "private",
    "public",
    "internal",
    "protected",
    "final",
    "static",
    "lateinit",
    "lazy",
];

/// Maps of maps go no deeper than this.
const DEEPEST: usize = 8;

/// The assignment that starts at a place, which is that of the first word of a statement.
pub fn variable(parser: &Parser<'_>, head: Option<usize>, at: usize) -> Option<Assignment> {
    (head == Some(at)).then_some(())?;
    let mut at = at;
    while parser.word(at).is_some_and(|it| MODIFIERS.contains(&it)) {
        at += 1;
    }
    // A type before the name.
    if parser.word(at + 1).is_some_and(|it| it != "by") {
        at += 1;
    }
    let (mut names, mut at) = path(parser, at)?;
    if names.last().is_some_and(|it| it == "set") && parser.is_sign(at, b'(') {
        names.pop();
        names.push(parser.plain(at + 1)?.to_owned());
        parser.is_sign(at + 2, b',').then_some(())?;
        return Some(Assignment { name: joined(&names)?, value: given(parser, at + 3) });
    }
    if parser.is_sign(at, b':') && parser.word(at + 1).is_some() {
        at += 2;
        at += usize::from(parser.is_sign(at, b'?'));
    }
    let name = joined(&names)?;
    if parser.word(at) == Some("by") {
        let is_kept = parser.word(at + 1) == Some("extra");
        let opens = parser.is_sign(at + 2, b'(') || parser.is_sign(at + 2, b'{');
        return (is_kept && opens).then(|| Assignment { name, value: given(parser, at + 3) });
    }
    at += usize::from(parser.is_sign(at, b'+'));
    let is_set = parser.is_sign(at, b'=') && !parser.is_sign(at + 1, b'=');
    is_set.then(|| Assignment { name, value: given(parser, at + 1) })
}

/// A name with dots and indices.
fn path(parser: &Parser<'_>, at: usize) -> Option<(Vec<String>, usize)> {
    let mut names = vec![parser.word(at)?.to_owned()];
    let mut at = at + 1;
    loop {
        if let (true, Some(name)) = (parser.is_sign(at, b'.'), parser.word(at + 1)) {
            names.push(name.to_owned());
            at += 2;
        } else if let (true, Some(name)) = (parser.is_sign(at, b'['), parser.plain(at + 1)) {
            names.push(name.to_owned());
            at += 3;
        } else {
            return Some((names, at));
        }
    }
}

fn joined(names: &[String]) -> Option<String> {
    let kept: Vec<&str> = names.iter().map(String::as_str).skip_while(|it| KEEPERS.contains(it)).collect();
    (!kept.is_empty()).then(|| kept.join("."))
}

fn given(parser: &Parser<'_>, at: usize) -> Given {
    let at = parser.skip_lines(at);
    opened(parser, at).map_or(Given::Value(at), Given::Map)
}

/// The sign that opens a map at a place: `[key: …]`, `mapOf("key" to …)`.
fn opened(parser: &Parser<'_>, at: usize) -> Option<usize> {
    let is_call = matches!(parser.word(at), Some("mapOf" | "mutableMapOf" | "hashMapOf"));
    if is_call {
        return parser.is_sign(at + 1, b'(').then_some(at + 1);
    }
    let key = parser.skip_lines(at + 1);
    let is_key = matches!(parser.kind(key), Some(Kind::Word | Kind::Text(_)));
    (parser.is_sign(at, b'[') && is_key && parser.is_sign(key + 1, b':')).then_some(at)
}

/// Adds the entries of a map as variables of their own, and those of the maps in it.
pub fn map(parser: &Parser<'_>, open: usize, name: &str, found: &mut Vec<(String, Expression)>) {
    entries(parser, open, name, found, 0);
}

fn entries(
    parser: &Parser<'_>,
    open: usize,
    name: &str,
    found: &mut Vec<(String, Expression)>,
    depth: usize,
) {
    /// More tokens than the maps of real builds have.
    const MOST: usize = 5_000;
    let end = parser.closed_within(open, MOST);
    let mut at = open + 1;
    while at < end && depth < DEEPEST {
        at = parser.skip_lines(at);
        let key = parser.word(at).or_else(|| parser.plain(at));
        let is_entry = parser.is_sign(at + 1, b':') || parser.word(at + 1) == Some("to");
        let Some(key) = key.filter(|_| is_entry) else {
            at += 1;
            continue;
        };
        let value = parser.skip_lines(at + 2);
        let name = format!("{name}.{key}");
        if let Some(open) = opened(parser, value) {
            entries(parser, open, &name, found, depth + 1);
            at = parser.closed(open);
        } else if let Some((value, after)) = parser.expression(value) {
            found.push((name, value));
            at = after;
        } else {
            at = value + 1;
        }
    }
}
