//! Requirements of Python packages as statements with places.

use std::ops::Range;

use toml_edit::Value;

use crate::deps::document::Document;
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Declared, Scope, Settled, Source};
use crate::deps::note::ENTRY_MALFORMED;
use crate::deps::toml::inside_quotes;
use crate::model::{Note, Redacted};

use super::requirement::requirement;
use super::version::common_name;

/// What a requirement is wanted for.
#[derive(Clone, Copy)]
pub struct Wanted<'t> {
    pub scope: Scope,
    /// Beside the requirement's own marker.
    pub condition: Option<&'t str>,
}

/// Reads a requirement; `place` leads from ranges of the text to those of the document.
///
/// # Errors
/// When the text is no requirement; the note says why.
pub fn declared(
    document: &Document<'_>,
    text: &str,
    place: impl Fn(Range<usize>) -> Range<usize>,
    wanted: Wanted<'_>,
) -> Result<Declared, Note> {
    let found = requirement(text).map_err(|it| {
        let message = format!("`{}` is no requirement and was left out: {}", Redacted::new(text), it.reason);
        document.note(ENTRY_MALFORMED, place(it.offset..it.offset).start, message)
    })?;
    let part = |it: &Range<usize>| text.get(it.clone()).unwrap_or_default();
    let name = part(&found.name);
    let source = found.address.as_ref().map_or(Source::Registry, |it| address_source(part(it)));
    let asked = found.address.as_ref().or(found.constraint.as_ref());
    Ok(Declared {
        ecosystem: Ecosystem::Pypi,
        name: common_name(name),
        raw_name: name.to_owned(),
        constraint: asked.map(|it| part(it).to_owned()),
        evaluated: None,
        settled: Settled::Unknown,
        place: document.place(place(asked.unwrap_or(&found.name).clone())),
        scope: wanted.scope,
        target: both(wanted.condition, found.marker.as_ref().map(part)),
        source,
        origin: found.address.as_ref().map(|it| Redacted::new(part(it))),
        via: None,
    })
}

/// Reads a requirement that is a string of TOML.
///
/// # Errors
/// When it is no string, or no requirement.
pub fn of_value(document: &Document<'_>, value: &Value, wanted: Wanted<'_>) -> Result<Declared, Note> {
    let range = value.span().unwrap_or(0..0);
    let Some(text) = value.as_str() else {
        let message = "a requirement that is not a text was left out";
        return Err(document.note(ENTRY_MALFORMED, range.start, message));
    };
    let inside = inside_quotes(document.text, range);
    declared(document, text, |it| within(document, text, &inside, it), wanted)
}

/// The range in the document of a part of a string's text. Escapes shift it; then the part is looked for.
pub fn within(
    document: &Document<'_>,
    text: &str,
    inside: &Range<usize>,
    part: Range<usize>,
) -> Range<usize> {
    let written = document.text.get(inside.clone()).unwrap_or_default();
    let searched = text.get(part.clone()).unwrap_or_default();
    if written == text {
        return inside.start + part.start..inside.start + part.end;
    }
    match written.find(searched) {
        Some(at) => inside.start + at..inside.start + at + searched.len(),
        None => inside.clone(),
    }
}

/// Two conditions that must both hold.
pub fn both(left: Option<&str>, right: Option<&str>) -> Option<String> {
    match (left, right) {
        (Some(left), Some(right)) => Some(format!("({left}) and ({right})")),
        (one, other) => one.or(other).map(str::to_owned),
    }
}

/// The kind of place that the address of a requirement leads to.
pub fn address_source(address: &str) -> Source {
    let scheme = address.split("://").next().filter(|it| it.len() < address.len());
    match scheme {
        Some(it) if it == "git" || it.starts_with("git+") => Source::Git,
        Some("file") | None => Source::Path,
        Some(_) => Source::Url,
    }
}
