//! `pylock.toml`: <https://packaging.python.org/en/latest/specifications/pylock-toml/>.

use toml_edit::{Item, Table, Value};

use crate::deps::document::Document;
use crate::deps::fact::Source;
use crate::deps::format::Parts;
use crate::model::{Note, Redacted};

use super::lock::{Entry, Found, Style, named, read as read_lock, resolved};

const STYLE: Style = Style { packages: "packages", version: &["lock-version"], known: &["1"], entry };

/// # Errors
/// When the file is not TOML.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    read_lock(document, &STYLE)
}

fn entry(document: &Document<'_>, table: &Table) -> Found {
    // What a repository is settled on, it is by the commit.
    let commit = table.get("vcs").and_then(|it| it.get("commit-id"));
    let Some(version) = table.get("version").or(commit) else {
        return if table.get("directory").is_some() { Found::Local } else { Found::Malformed };
    };
    let Some(mut found) = resolved(document, table, version) else { return Found::Malformed };
    let kinds =
        [("vcs", "url", Source::Git), ("directory", "path", Source::Path), ("archive", "url", Source::Url)];
    let text = |table_key: &str, key: &str| table.get(table_key)?.get(key)?.as_str();
    if let Some((kind, origin)) = kinds.iter().find_map(|(table, key, kind)| Some((*kind, text(table, key)?)))
    {
        found.source = kind;
        found.origin = Some(Redacted::new(origin));
    }
    found.checksum = sha256(table);
    Found::Package(Box::new(Entry { resolved: found, needs: named(table.get("dependencies")) }))
}

/// Of the source archive, else of the first wheel.
fn sha256(table: &Table) -> Option<String> {
    let hash = |item: &Item| Some(item.get("hashes")?.get("sha256")?.as_str()?.to_owned());
    let wheel = || {
        let wheels = table.get("wheels")?;
        let inline = wheels.get(0).and_then(hash);
        inline.or_else(|| {
            let first = wheels.as_array()?.get(0).and_then(Value::as_inline_table)?;
            Some(first.get("hashes")?.as_inline_table()?.get("sha256")?.as_str()?.to_owned())
        })
    };
    table.get("sdist").and_then(hash).or_else(|| table.get("archive").and_then(hash)).or_else(wheel)
}
