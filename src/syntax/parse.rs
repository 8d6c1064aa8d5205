//! One bounded parse of one file.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ast_grep_core::AstGrep;
use ast_grep_core::tree_sitter::{LanguageExt as _, StrDoc};
use ast_grep_language::SupportLang;
use tree_sitter::{ParseOptions, Parser};

use super::language::Language;

/// Bounds of one parse.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long one file may take.
    pub deadline: Duration,
    /// How deep brackets may nest before the file is left alone: readers of trees recurse.
    pub nesting: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { deadline: Duration::from_secs(2), nesting: 1_000 }
    }
}

/// A parsed file: text, language and tree, in the form that the engine's matchers take.
pub struct Parsed {
    pub language: Language,
    pub(super) limits: Limits,
    root: AstGrep<StrDoc<SupportLang>>,
}

/// Why a file was not parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("it did not parse within {0:?}")]
    Deadline(Duration),
    #[error("its brackets nest more than {0} deep")]
    Nesting(usize),
    #[error("the grammar does not fit this parser")]
    Grammar,
}

/// A text of at least this many bytes is parsed while no other such is: the parser keeps up to a kilobyte for a token
/// that opens something, and threads times the largest file would exhaust a small machine.
const LARGE_BYTES: usize = 256 * 1024;

static LARGE: Mutex<()> = Mutex::new(());

thread_local! {
    /// Parsers keep buffers worth keeping; one per thread and language change is cheap to set.
    static PARSER: std::cell::RefCell<Parser> = std::cell::RefCell::new(Parser::new());
}

/// Parses a text within the limits.
///
/// # Errors
/// When the text exceeds a limit. A text with syntax errors is no error: its tree says so.
pub fn parse(text: String, language: Language, limits: Limits) -> Result<Parsed, Refusal> {
    if nesting(text.as_bytes()) > limits.nesting {
        return Err(Refusal::Nesting(limits.nesting));
    }
    let is_large = text.len() >= LARGE_BYTES;
    let turn = is_large.then(|| LARGE.lock().unwrap_or_else(PoisonError::into_inner));
    let tree = PARSER.with_borrow_mut(|parser| {
        parser.set_language(&language.engine().get_ts_language()).map_err(|_| Refusal::Grammar)?;
        parser.reset();
        let started = Instant::now();
        let mut late = |_: &tree_sitter::ParseState| {
            if started.elapsed() > limits.deadline {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let bytes = text.as_bytes();
        let mut chunk = |offset: usize, _| bytes.get(offset..).unwrap_or_default();
        let options = ParseOptions::new().progress_callback(&mut late);
        parser.parse_with_options(&mut chunk, None, Some(options)).ok_or(Refusal::Deadline(limits.deadline))
    })?;
    drop(turn);
    let root = AstGrep::doc(StrDoc { src: text, lang: language.engine(), tree });
    Ok(Parsed { language, limits, root })
}

/// The deepest nesting of round, square and curly brackets, wherever they stand (strings and comments count too).
fn nesting(bytes: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0usize, 0usize);
    for byte in bytes {
        match byte {
            b'(' | b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

impl Parsed {
    /// The root as the engine's matchers take it.
    pub const fn root(&self) -> &AstGrep<StrDoc<SupportLang>> {
        &self.root
    }

    pub fn text(&self) -> &str {
        self.root.root().get_doc().src.as_str()
    }

    pub fn tree(&self) -> &tree_sitter::Tree {
        &self.root.root().get_doc().tree
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Limits, Refusal, parse};
    use crate::syntax::Language;

    #[test]
    fn a_file_that_exceeds_a_limit_is_refused_with_the_limit() {
        let python = Language::of_name("python").unwrap();
        let deep = format!("x = {}{}", "[".repeat(5_000), "]".repeat(5_000));
        assert_eq!(parse(deep, python, Limits::default()).err(), Some(Refusal::Nesting(1_000)));
        let hasty = Limits { deadline: Duration::ZERO, ..Limits::default() };
        let long = "f(1)\n".repeat(20_000);
        assert_eq!(parse(long, python, hasty).err(), Some(Refusal::Deadline(Duration::ZERO)));
        assert!(parse("f(1)".to_owned(), python, Limits::default()).is_ok());
    }
}
