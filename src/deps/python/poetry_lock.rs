//! `poetry.lock`, versions 1 and 2: <https://python-poetry.org/docs/basic-usage/#installing-with-poetrylock>.

use toml_edit::{Item, Table, Value};

use crate::deps::document::Document;
use crate::deps::fact::{Scope, Source};
use crate::deps::format::Parts;
use crate::deps::toml::entries;
use crate::model::{Note, Redacted};

use super::lock::{Entry, Found, Need, Style, first_hash, read as read_lock, resolved};
use super::version::common_name;

const STYLE: Style =
    Style { packages: "package", version: &["metadata", "lock-version"], known: &["1", "2"], entry };

/// # Errors
/// When the file is not TOML.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    read_lock(document, &STYLE)
}

fn entry(document: &Document<'_>, table: &Table) -> Found {
    let found = table.get("version").and_then(|it| resolved(document, table, it));
    let Some(mut found) = found else { return Found::Malformed };
    let source = |name: &str| table.get("source").and_then(|it| it.get(name)).and_then(Item::as_str);
    found.source = match source("type") {
        Some("git") => Source::Git,
        Some("directory" | "file") => Source::Path,
        Some("url") => Source::Url,
        _ => Source::Registry,
    };
    found.origin = source("url").map(Redacted::new);
    found.checksum = first_hash(table.get("files"));
    found.scope = scope(table);
    let needs = table.get("dependencies").into_iter().flat_map(entries);
    let needs = needs.map(|(key, _)| Need { name: common_name(key.get()), version: None });
    Found::Package(Box::new(Entry { resolved: found, needs: needs.collect() }))
}

/// Version 1 has a category, version 2 may have groups.
fn scope(table: &Table) -> Option<Scope> {
    let groups = table.get("groups").and_then(Item::as_array);
    let mut groups: Vec<&str> = groups.into_iter().flatten().filter_map(Value::as_str).collect();
    groups.extend(table.get("category").and_then(Item::as_str));
    if groups.is_empty() {
        return None;
    }
    let is_optional = table.get("optional").and_then(Item::as_bool) == Some(true);
    Some(match (groups.contains(&"main"), is_optional) {
        (true, true) => Scope::Optional,
        (true, false) => Scope::Normal,
        (false, _) => Scope::Dev,
    })
}
