//! JSON with positions, from text that nobody vouches for.

use std::fmt;
use std::ops::Range;

use jsonc_parser::ast::Value;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

/// How deep objects and arrays may nest: the parser recurses.
const DEPTH: usize = 128;

/// Which texts count as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// RFC 8259 and nothing else.
    Strict,
    /// Comments and trailing commas too.
    Commented,
}

/// Why a text is not a document, and where.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Unreadable {
    /// Byte offset of the place.
    pub offset: usize,
    pub reason: String,
}

impl Unreadable {
    fn new(offset: usize, reason: impl fmt::Display) -> Self {
        Self { offset, reason: reason.to_string() }
    }
}

/// Parses one document. The offsets of its nodes are those of `text`, which has no byte-order mark.
///
/// # Errors
/// When the text is empty, nests too deep or is not of the dialect.
pub fn parse(text: &str, dialect: Dialect) -> Result<Value<'_>, Unreadable> {
    if let Some(offset) = too_deep(text.as_bytes()) {
        return Err(Unreadable::new(offset, format_args!("objects and arrays nest more than {DEPTH} deep")));
    }
    let commented = dialect == Dialect::Commented;
    let options = ParseOptions {
        allow_comments: commented,
        allow_trailing_commas: commented,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options)
        .map_err(|it| Unreadable::new(it.range().start, lowered(&it.kind().to_string())))?;
    parsed.value.ok_or_else(|| Unreadable::new(0, "the file is empty"))
}

/// The byte range of a string's text, without its quotes.
pub fn inside_quotes(range: &jsonc_parser::common::Range) -> Range<usize> {
    range.start + 1..range.end.saturating_sub(1).max(range.start + 1)
}

fn lowered(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|it| it.to_lowercase().chain(characters).collect()).unwrap_or_default()
}

/// The offset of the first bracket beyond the bound. Brackets in strings do not count.
fn too_deep(bytes: &[u8]) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for (offset, byte) in bytes.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => depth += 1,
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH {
            return Some(offset);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Dialect, parse};

    #[track_caller]
    fn check(text: &str, dialect: Dialect, expected: Result<(), usize>) {
        assert_eq!(parse(text, dialect).map(drop).map_err(|it| it.offset), expected, "{text:.60}");
    }

    #[test]
    fn the_strict_dialect_is_rfc_8259() {
        check(r#"{"a": [1, -2.5e3, "\u00e9", null, true]}"#, Dialect::Strict, Ok(()));
        for bad in
            ["{'a': 1}", "{a: 1}", "[1 2]", "[1,]", "[.5]", "[+1]", "[0x1]", "[NaN]", "// a\n1", "[1] 2"]
        {
            assert!(parse(bad, Dialect::Strict).is_err(), "{bad}");
        }
    }

    #[test]
    fn depth_is_bounded_before_the_parser_recurses() {
        check(&"[".repeat(1_000_000), Dialect::Strict, Err(128));
        check(&format!("{}{}", "[".repeat(128), "]".repeat(128)), Dialect::Strict, Ok(()));
        check(&format!("[\"{}\"]", "[".repeat(1_000)), Dialect::Strict, Ok(()));
        // A quote in a comment hides brackets from the count; the parser has a bound of its own.
        assert!(parse(&format!("//\"\n{}", "[".repeat(100_000)), Dialect::Commented).is_err());
    }

    #[test]
    fn an_empty_text_is_not_a_document() {
        check("", Dialect::Commented, Err(0));
        check(" // only a comment", Dialect::Commented, Err(0));
    }
}
