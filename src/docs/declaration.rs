//! What a package says of one thing that it declares: signature, documentation, and whether it is deprecated.

use super::family::Family;
use super::library::{Library, Module};
use super::{python_text, rust_text, script_text};
use crate::model::Span;
use crate::syntax::Definition;

/// A declaration of an installed package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Inside the package.
    pub path: String,
    pub line: u32,
    pub column: u32,
    /// Inside its file: `Outer.inner`.
    pub name: String,
    pub kind: &'static str,
    /// On one line.
    pub signature: String,
    pub documentation: Option<String>,
    pub deprecated: Option<Deprecated>,
}

/// That something is not to be used any more.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deprecated {
    /// What the package says about it, on one line; empty when it only says that.
    pub note: String,
}

const SIGNATURE_CHARACTERS: usize = 240;
const NOTE_CHARACTERS: usize = 240;
const DOCUMENTATION_CHARACTERS: usize = 2_000;

/// Reads one definition.
pub fn declaration(library: &Library<'_>, module: &Module, definition: &Definition) -> Declaration {
    let start = definition.name_span.start;
    // What stands inside another definition is read with that too.
    let is_afforded = library.spend(1 + u64::from(definition.span.end.line.saturating_sub(start.line)));
    let (documentation, deprecated) = match library.package.family {
        _ if !is_afforded => (None, None),
        Family::Script => script_text::read(module.lead(definition)),
        Family::Rust => rust_text::read(module.lead(definition)),
        Family::Python => python_text::read(module, definition),
    };
    Declaration {
        path: library.shown(&module.path),
        line: start.line,
        column: start.column,
        name: definition.qualified.to_string(),
        kind: definition.kind.name(),
        signature: if is_afforded { signature(module, definition) } else { String::new() },
        documentation: documentation
            .map(|it| cut(it.trim(), DOCUMENTATION_CHARACTERS))
            .filter(|it| !it.is_empty()),
        deprecated,
    }
}

impl Deprecated {
    pub fn new(note: &str) -> Self {
        Self { note: cut(&one_line(note), NOTE_CHARACTERS) }
    }
}

/// From the start of the name's line to the body, without the comments between.
fn signature(module: &Module, definition: &Definition) -> String {
    let mut start = definition.name_span.start;
    start.column = 1;
    let end = definition.body_start.unwrap_or(definition.span.end).max(definition.name_span.end);
    let lines = module.slice(Span { start, end }).lines();
    let lines: Vec<&str> = lines.filter(|it| !it.trim_start().starts_with(['#', '/', '*'])).collect();
    let text = one_line(&lines.join(" "));
    let text = text.trim_end_matches(['{', ':', ';', ' ']);
    cut(text.strip_suffix("=>").unwrap_or(text).trim_end_matches([' ', '=']), SIGNATURE_CHARACTERS)
}

pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
