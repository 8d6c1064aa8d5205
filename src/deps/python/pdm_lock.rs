//! `pdm.lock`: <https://pdm-project.org/en/latest/usage/lockfile/>.

use toml_edit::{Item, Table, Value};

use crate::deps::document::Document;
use crate::deps::fact::{Scope, Source};
use crate::deps::format::Parts;
use crate::model::{Note, Redacted};

use super::lock::{Entry, Found, Need, Style, first_hash, read as read_lock, resolved};
use super::requirement::requirement;
use super::version::{common_name, pinned};

const STYLE: Style =
    Style { packages: "package", version: &["metadata", "lock_version"], known: &["2", "3", "4"], entry };

/// # Errors
/// When the file is not TOML.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    read_lock(document, &STYLE)
}

fn entry(document: &Document<'_>, table: &Table) -> Found {
    let found = table.get("version").and_then(|it| resolved(document, table, it));
    let Some(mut found) = found else { return Found::Malformed };
    let text = |name: &str| table.get(name).and_then(Item::as_str);
    let kinds = [("git", Source::Git), ("path", Source::Path), ("url", Source::Url)];
    if let Some((kind, origin)) = kinds.iter().find_map(|(key, kind)| Some((*kind, text(key)?))) {
        found.source = kind;
        found.origin = Some(Redacted::new(origin));
    }
    found.checksum = first_hash(table.get("files"));
    found.scope = scope(table);
    let needs = table.get("dependencies").and_then(Item::as_array).into_iter().flatten();
    let needs = needs.filter_map(Value::as_str).filter_map(need).collect();
    Found::Package(Box::new(Entry { resolved: found, needs }))
}

fn need(text: &str) -> Option<Need> {
    let found = requirement(text).ok()?;
    let version = found.constraint.and_then(|it| text.get(it)).and_then(pinned);
    Some(Need { name: common_name(text.get(found.name)?), version: version.map(str::to_owned) })
}

fn scope(table: &Table) -> Option<Scope> {
    let groups = table.get("groups").and_then(Item::as_array)?;
    let is_default = groups.iter().filter_map(Value::as_str).any(|it| it == "default");
    Some(if is_default { Scope::Normal } else { Scope::Dev })
}
