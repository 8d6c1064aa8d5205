//! Whether a pattern means what it says.
//!
//! The engine accepts any text with one root node, drops what its parser made up, and keeps what it did not
//! understand: such a pattern finds nothing or too much without a word. Here it is an error.

use std::collections::BTreeSet;

use ast_grep_core::matcher::{Pattern, PatternNode};
use ast_grep_core::tree_sitter::LanguageExt as _;
use ast_grep_core::{Language as _, PatternError};

use crate::syntax::Language;

/// The engine's pattern compiler recurses; beyond these bounds it can overflow its stack.
const MAX_BYTES: usize = 8 * 1024;
const MAX_NESTING: usize = 200;

/// Why a pattern is refused.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    #[error("the pattern is longer than {MAX_BYTES} bytes")]
    TooLong,
    #[error("the pattern's brackets nest more than {MAX_NESTING} deep")]
    TooDeep,
    #[error("the pattern is empty")]
    Empty,
    #[error("the pattern `{text}` is not {language}: {cause}")]
    Invalid { text: String, language: Language, cause: String },
}

/// The literals and variables of a sound pattern.
pub struct Sound {
    /// Texts that every match holds.
    pub literals: BTreeSet<String>,
}

/// Compiles a pattern and checks all of it, not only its root.
///
/// # Errors
/// When the pattern is too large, or has a part that the language's grammar cannot read.
pub fn check(text: &str, selector: Option<&str>, language: Language) -> Result<Sound, Refusal> {
    if text.trim().is_empty() {
        return Err(Refusal::Empty);
    }
    if text.len() > MAX_BYTES {
        return Err(Refusal::TooLong);
    }
    if nesting(text) > MAX_NESTING {
        return Err(Refusal::TooDeep);
    }
    let invalid = |cause: String| Refusal::Invalid { text: excerpt(text), language, cause };
    let engine = language.engine();
    let compiled = match selector {
        Some(selector) => Pattern::contextual(text, selector, engine),
        None => Pattern::try_new(text, engine),
    };
    let pattern = compiled.map_err(|it| invalid(cause(&it)))?;
    if has_unreadable_part(&pattern.node) {
        return Err(invalid("a part of it cannot be parsed".to_owned()));
    }
    if selector.is_none()
        && let Some(missing) = made_up_token(text, language)
    {
        return Err(invalid(format!("`{missing}` is missing")));
    }
    Ok(Sound { literals: literals(&pattern.node) })
}

fn cause(error: &PatternError) -> String {
    match error {
        PatternError::Parse(_) => "it cannot be parsed".to_owned(),
        PatternError::NoContent(_) => "it holds no code".to_owned(),
        PatternError::MultipleNode(_) => "it holds several pieces of code; a pattern is one".to_owned(),
        PatternError::RootMultiMetaVar(_) => "`$$$` alone matches nothing in particular".to_owned(),
        PatternError::InvalidKind(kind) => format!("the grammar has no node kind `{kind}`"),
        PatternError::NoSelectorInContext { selector, .. } => format!("its context holds no `{selector}`"),
    }
}

fn excerpt(text: &str) -> String {
    let mut short: String = text.chars().take(60).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0usize);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b')' | b']' | b'}' | b'>' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// The kind id that tree-sitter gives to ERROR nodes.
const ERROR_KIND: u16 = u16::MAX;

fn has_unreadable_part(root: &PatternNode) -> bool {
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        match node {
            PatternNode::MetaVar { .. } => {}
            PatternNode::Terminal { kind_id, .. } if *kind_id == ERROR_KIND => return true,
            PatternNode::Internal { kind_id, .. } if *kind_id == ERROR_KIND => return true,
            PatternNode::Terminal { .. } => {}
            PatternNode::Internal { children, .. } => open.extend(children),
        }
    }
    false
}

/// A token that the parser put in because the text lacks it. A statement's `;` is not held against a pattern.
fn made_up_token(text: &str, language: Language) -> Option<String> {
    let engine = language.engine();
    let grep = engine.ast_grep(engine.pre_process_pattern(text));
    let root = grep.root();
    root.dfs().find(|it| it.is_missing() && it.kind() != ";").map(|it| it.kind().into_owned())
}

/// The named leaves: texts that a match repeats to the letter (the engine compares other tokens by kind only).
fn literals(root: &PatternNode) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        match node {
            PatternNode::MetaVar { .. } => {}
            PatternNode::Terminal { text, is_named: true, .. } if !text.is_empty() => {
                found.insert(text.clone());
            }
            PatternNode::Terminal { .. } => {}
            PatternNode::Internal { children, .. } => open.extend(children),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::syntax::Language;

    #[track_caller]
    fn verdict(language: &str, pattern: &str) -> Result<Vec<String>, String> {
        let language = Language::of_name(language).unwrap();
        check(pattern, None, language)
            .map(|it| it.literals.into_iter().collect())
            .map_err(|it| it.to_string())
    }

    /// Patterns that the engine takes without a word, and that match nothing or the wrong thing.
    #[test]
    fn patterns_that_the_grammar_cannot_read_are_refused() {
        for (language, pattern) in [
            ("python", "old("),
            ("python", "def f(:"),
            ("python", "if $A: $B else: $C"),
            ("js", "foo({a: $X, ...})"),
            ("ts", "const $A: = 1"),
            ("js", "function $F($$$) {"),
            ("scala", "old($X"),
            ("rust", "fn ("),
            ("python", "a; b"),
            ("python", "   "),
        ] {
            assert!(verdict(language, pattern).is_err(), "{language}: {pattern}");
        }
        assert!(verdict("python", &"f(".repeat(300)).unwrap_err().contains("nest more than 200"));
        assert!(verdict("python", &"a".repeat(9_000)).unwrap_err().contains("8192 bytes"));
    }

    #[test]
    fn sound_patterns_pass_with_the_texts_that_every_match_holds() {
        assert_eq!(verdict("python", "old($X)"), Ok(vec!["old".to_owned()]));
        assert_eq!(verdict("ts", "$A.then($$$B)"), Ok(vec!["then".to_owned()]));
        assert_eq!(verdict("java", "class C { $$$B }"), Ok(vec!["C".to_owned()]));
        assert_eq!(verdict("js", "return $X"), Ok(vec![]));
        assert_eq!(verdict("rust", "match $X { $$$ARMS }"), Ok(vec![]));
        assert_eq!(
            verdict("go", "if err != nil { return $$$R }"),
            Ok(vec!["err".to_owned(), "nil".to_owned()])
        );
    }
}
