//! What callers see of a definition: everything before its body.

use super::lines::Words;
use crate::model::{LineIndex, Point};
use crate::syntax::{Definition, Language};

/// The words before the body, from the name on; of a definition without a body all of them.
pub(super) fn signature<'t>(
    definition: &Definition,
    index: &LineIndex<'t>,
    text: &'t str,
    language: Language,
) -> String {
    let end = definition.body_start.unwrap_or(definition.span.end);
    flat(between(index, text, definition.span.start, end), language)
}

/// The words of the body, with the definition's own name left open.
pub(super) fn body<'t>(
    definition: &Definition,
    index: &LineIndex<'t>,
    text: &'t str,
    language: Language,
) -> String {
    let Some(start) = definition.body_start else { return String::new() };
    let body = between(index, text, start, definition.span.end);
    let words = Words::of(body, language);
    let count = u32::try_from(body.lines().count()).unwrap_or(u32::MAX);
    let name = definition.name.as_ref();
    let words = words.within(1..count.saturating_add(1)).into_iter();
    words.map(|it| if it == name { "\u{0}" } else { it }).collect::<Vec<_>>().join("\u{1}")
}

fn between<'t>(index: &LineIndex<'t>, text: &'t str, start: Point, end: Point) -> &'t str {
    match (index.offset(start), index.offset(end)) {
        (Some(start), Some(end)) => text.get(start..end).unwrap_or_default(),
        _ => "",
    }
}

fn flat(text: &str, language: Language) -> String {
    let count = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
    let words = Words::of(text, language).within(1..count.saturating_add(1));
    words.into_iter().filter(|it| !it.trim().is_empty()).collect::<Vec<_>>().join("\u{1}")
}
