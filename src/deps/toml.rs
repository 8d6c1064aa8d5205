//! TOML as the readers of several ecosystems need it.

use std::ops::Range;

use toml_edit::{Document as Toml, Item, Key};

use crate::model::Note;

use super::document::Document;

/// Parses TOML; the parser bounds its own depth.
pub fn parse<'t>(document: &Document<'t>) -> Result<Toml<&'t str>, Note> {
    Toml::parse(document.text).map_err(|error| {
        let offset = error.span().map_or(0, |it| it.start);
        document.unreadable(offset, error.message())
    })
}

/// The range of a string's text, without its quotes.
pub fn inside_quotes(text: &str, range: Range<usize>) -> Range<usize> {
    let quoted = text.get(range.clone()).unwrap_or_default();
    let quotes = if quoted.starts_with("\"\"\"") || quoted.starts_with("'''") { 3 } else { 1 };
    let start = (range.start + quotes).min(range.end);
    start..range.end.saturating_sub(quotes).max(start)
}

/// The entries of a table of any style.
pub fn entries(item: &Item) -> impl Iterator<Item = (&Key, &Item)> {
    let table = item.as_table_like();
    table.into_iter().flat_map(|table| table.iter().filter_map(|(name, _)| table.get_key_value(name)))
}
