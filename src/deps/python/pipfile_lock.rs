//! `Pipfile.lock`: <https://pipenv.pypa.io/en/latest/locking.html>. It does not say who needs whom.

use jsonc_parser::ast::{ObjectProp, StringLit, Value};

use crate::config::inside_quotes;
use crate::deps::document::{Document, MAX_PACKAGES};
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Resolved, Scope, Source};
use crate::deps::format::{Contents, Lockfile, Parts};
use crate::deps::json::object;
use crate::deps::json::{by_key, text};
use crate::deps::note::ENTRY_MALFORMED;
use crate::model::{Note, Redacted};

use super::version::{common_name, pinned};

/// # Errors
/// When the file is not a JSON object.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let root = object(document)?;
    let (mut resolved, mut notes) = (Vec::new(), Vec::new());
    for category in root.properties.iter().filter(|it| it.name.as_str() != "_meta") {
        let scope = if category.name.as_str() == "default" { Scope::Normal } else { Scope::Dev };
        let Value::Object(packages) = &category.value else {
            let message = format!("`{}` is not an object and was left out", category.name.as_str());
            notes.push(document.note(ENTRY_MALFORMED, category.range.start, message));
            continue;
        };
        for property in &packages.properties {
            if resolved.len() == MAX_PACKAGES {
                notes.push(document.too_many(property.range.start));
                break;
            }
            match package(document, property, scope) {
                Some(it) => resolved.push(it),
                None if is_local(property) => {}
                None => {
                    let message =
                        format!("the entry `{}` has no version and was left out", property.name.as_str());
                    notes.push(document.note(ENTRY_MALFORMED, property.range.start, message));
                }
            }
        }
    }
    let lockfile = Lockfile {
        edges: vec![Vec::new(); resolved.len()],
        top: (0..resolved.len()).collect(),
        ..Lockfile::default()
    };
    Ok(Parts { contents: Contents::Lockfile(lockfile), declared: Vec::new(), resolved, notes })
}

/// A folder, which has no version.
fn is_local(property: &ObjectProp<'_>) -> bool {
    property.value.as_object().is_some_and(|it| text(&by_key(it), "path").is_some())
}

fn package(document: &Document<'_>, property: &ObjectProp<'_>, scope: Scope) -> Option<Resolved> {
    // A hand may leave the bare version.
    let entry = match &property.value {
        Value::Object(entry) => by_key(entry),
        Value::StringLit(_) => [("version", &property.value)].into(),
        Value::NumberLit(_) | Value::BooleanLit(_) | Value::Array(_) | Value::NullKeyword(_) => return None,
    };
    let literal = |key: &str| match entry.get(key) {
        Some(Value::StringLit(it)) => Some(it),
        _ => None,
    };
    let git = text(&entry, "git");
    // What a repository is settled on, it is by the commit.
    let literal: &StringLit<'_> = literal("version").or_else(|| literal("ref").filter(|_| git.is_some()))?;
    let version = if git.is_some() { literal.value.trim_start_matches('=') } else { pinned(&literal.value)? };
    let inside = inside_quotes(&literal.range);
    let origin = git.or_else(|| text(&entry, "file")).or_else(|| text(&entry, "index"));
    let hashes = entry.get("hashes").and_then(|it| it.as_array());
    let hash = hashes.and_then(|it| it.elements.first()).and_then(Value::as_string_lit);
    Some(Resolved {
        source: if git.is_some() {
            Source::Git
        } else if entry.contains_key("file") {
            Source::Url
        } else {
            Source::Registry
        },
        origin: origin.map(Redacted::new),
        checksum: hash.map(|it| it.value.clone().into_owned()),
        scope: Some(scope),
        ..Resolved::locked(
            Ecosystem::Pypi,
            common_name(property.name.as_str()),
            version.to_owned(),
            document.place(inside.end.saturating_sub(version.len()).max(inside.start)..inside.end),
        )
    })
}
