//! Entries of Python manifests that are tables, in the styles of Poetry and Pipenv:
//! <https://python-poetry.org/docs/dependency-specification/>, <https://pipenv.pypa.io/en/latest/pipfile.html>.

use std::ops::Range;

use toml_edit::{Item, Key, TableLike};

use crate::deps::document::Document;
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Declared, Scope, Settled, Source};
use crate::deps::note::ENTRY_MALFORMED;
use crate::deps::toml::{entries, inside_quotes};
use crate::model::{Note, Redacted};

use super::entry::{Wanted, both};
use super::poetry::interpreter;
use super::version::common_name;

/// Reads a table of packages into its entries and the notes about those that are none.
pub fn packages(
    document: &Document<'_>,
    table: &Item,
    wanted: Wanted<'_>,
    found: &mut Vec<Result<Declared, Note>>,
) {
    if table.as_table_like().is_none() {
        let offset = table.span().map_or(0, |it| it.start);
        let message = "the packages are not a table and were left out";
        found.push(Err(document.note(ENTRY_MALFORMED, offset, message)));
    }
    for (key, item) in entries(table) {
        match item.as_array() {
            // Several constraints, each under its own condition.
            Some(list) => found.extend(list.iter().map(|value| {
                entry(
                    document,
                    key,
                    value.as_str(),
                    value.as_inline_table().map(as_table),
                    value.span(),
                    wanted,
                )
            })),
            None => {
                found.push(entry(document, key, item.as_str(), item.as_table_like(), item.span(), wanted));
            }
        }
    }
}

fn as_table(table: &toml_edit::InlineTable) -> &dyn TableLike {
    table
}

fn entry(
    document: &Document<'_>,
    key: &Key,
    text: Option<&str>,
    table: Option<&dyn TableLike>,
    span: Option<Range<usize>>,
    wanted: Wanted<'_>,
) -> Result<Declared, Note> {
    let key_place = key.span().unwrap_or(0..0);
    let malformed = |reason: &str| {
        let message = format!("the entry `{}` was left out: {reason}", key.get());
        document.note(ENTRY_MALFORMED, key_place.start, message)
    };
    let string = |name: &str| table.and_then(|it| it.get(name)).and_then(Item::as_str);
    let version = match (text, table.and_then(|it| it.get("version"))) {
        (Some(text), _) => Some((text, span)),
        (None, Some(item)) => {
            let text = item.as_str().ok_or_else(|| malformed("its version is not a text"))?;
            Some((text, item.span()))
        }
        (None, None) if table.is_some() => None,
        (None, None) => return Err(malformed("it is neither a text nor a table")),
    };
    if version.as_ref().is_some_and(|(text, _)| !is_constraint(text)) {
        return Err(malformed("its version is no constraint"));
    }
    let (source, origin) = table.map_or((Source::Registry, None), origin);
    let is_optional = table.and_then(|it| it.get("optional")).and_then(Item::as_bool) == Some(true);
    let place = version.as_ref().and_then(|it| it.1.clone());
    Ok(Declared {
        ecosystem: Ecosystem::Pypi,
        name: common_name(key.get()),
        raw_name: key.get().to_owned(),
        constraint: version.map(|it| it.0.to_owned()),
        evaluated: None,
        settled: Settled::Unknown,
        place: document.place(place.map_or(key_place, |it| inside_quotes(document.text, it))),
        scope: if is_optional && wanted.scope == Scope::Normal { Scope::Optional } else { wanted.scope },
        target: both(wanted.condition, marker(string).as_deref()),
        source,
        origin: origin.map(Redacted::new),
        via: None,
    })
}

/// The condition on the environment: the marker itself, and what Poetry has keys of its own for.
fn marker<'t>(text: impl Fn(&str) -> Option<&'t str>) -> Option<String> {
    let interpreter = text("python").and_then(interpreter);
    let platform = text("platform").map(|it| format!("sys_platform == '{it}'"));
    [interpreter, platform]
        .into_iter()
        .flatten()
        .fold(text("markers").map(str::to_owned), |left, right| both(left.as_deref(), Some(&right)))
}

fn origin(table: &dyn TableLike) -> (Source, Option<String>) {
    let text = |name: &str| table.get(name).and_then(Item::as_str);
    if let Some(repository) = text("git") {
        let reference = ["rev", "tag", "branch", "ref"].iter().find_map(|it| Some((it, text(it)?)));
        let reference = reference.map(|(kind, it)| format!("?{kind}={it}")).unwrap_or_default();
        return (Source::Git, Some(format!("{repository}{reference}")));
    }
    if let Some(path) = text("path") {
        return (Source::Path, Some(path.to_owned()));
    }
    if let Some(address) = text("url").or_else(|| text("file")) {
        return (Source::Url, Some(address.to_owned()));
    }
    (Source::Registry, text("source").or_else(|| text("index")).map(str::to_owned))
}

/// Whether a text is clauses with `,`, `|` or blanks between them, each of an operator and a version that may have
/// wildcards.
fn is_constraint(text: &str) -> bool {
    let text = text.trim();
    let mut clauses = 0;
    let mut lacks_version = false;
    for word in text.split([',', '|', ' ', '\t']).filter(|it| !it.is_empty()) {
        let version = word.trim_start_matches(['^', '~', '=', '!', '<', '>']);
        // A blank may stand between operator and version.
        lacks_version = version.is_empty();
        let is_version = version.starts_with(|it: char| it.is_ascii_digit() || "v*".contains(it))
            && version.chars().all(|it| it.is_ascii_alphanumeric() || "._*+!-".contains(it));
        if !lacks_version && !is_version {
            return false;
        }
        clauses += 1;
    }
    clauses > 0 && !lacks_version
}

#[cfg(test)]
mod tests {
    use super::is_constraint;

    #[test]
    fn constraints_are_clauses_of_versions() {
        for text in [
            "*",
            "1.2.3",
            "==1.0",
            "^1.2",
            "~1",
            ">=1,<2 || 3.*",
            "!=1.0",
            "< 2",
            ">= 1.0 , < 2",
            "1!2.0",
            "1.x",
        ] {
            assert!(is_constraint(text), "{text}");
        }
        for text in ["", " ", "2.18.^", ">=", "one", "https://example.org", ">= , <"] {
            assert!(!is_constraint(text), "{text}");
        }
    }
}
