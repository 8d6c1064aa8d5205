//! `uv.lock`: <https://docs.astral.sh/uv/concepts/projects/layout/#the-lockfile>.

use std::collections::{BTreeMap, BTreeSet};

use toml_edit::{Document as Toml, Item, Table, Value};

use crate::deps::document::Document;
use crate::deps::fact::{Resolved, Source};
use crate::deps::format::{Contents, Lockfile, Parts};
use crate::deps::graph::pin_edges;
use crate::deps::note::ENTRY_MALFORMED;
use crate::deps::toml::{entries as entries_of, parse};
use crate::model::{Note, Redacted};

use super::lock::{Entry, Found, Need, Style, entries, first_hash, link, named, resolved};
use super::pyproject::at;
use super::version::common_name;

const STYLE: Style = Style { packages: "package", version: &["version"], known: &["1"], entry };

/// # Errors
/// When the file is not TOML.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let toml = parse(document)?;
    let (entries, mut notes) = entries(document, &toml, &STYLE);
    let (mut resolved, needs): (Vec<_>, Vec<Vec<Need>>) =
        entries.into_iter().map(|it| (it.resolved, it.needs)).unzip();
    let edges = link(&resolved, &needs);
    pin_edges(&edges, &mut resolved);
    let members = members(&toml);
    let own_tables = || packages(&toml).filter(|it| is_own(it, &members));
    let names: BTreeSet<String> = own_tables().map(name).collect();
    let is_local = |it: &Resolved| it.source == Source::Path && names.contains(&it.name);
    let asked = requirements(&toml);
    if names.is_empty() && asked.is_none() && !resolved.is_empty() {
        let message =
            "the lockfile lists no package of the project itself, so that none is known to be direct";
        notes.push(document.note(ENTRY_MALFORMED, 0, message));
    }
    let mut own = Vec::new();
    for (index, it) in resolved.iter_mut().enumerate().filter(|(_, it)| is_local(it)) {
        it.source = Source::Workspace;
        own.push(index);
    }
    // One of the project's own packages need not have a version; what it needs is direct all the same.
    let wanted: Vec<Vec<Need>> = own_tables().map(needs_of).collect();
    let linked = link(&resolved, &wanted);
    let mut wants: BTreeMap<String, BTreeMap<String, Vec<usize>>> = BTreeMap::new();
    for (table, targets) in own_tables().zip(&linked) {
        let Some(folder) = folder(table).map(member) else { continue };
        let wants = wants.entry(folder).or_default();
        for index in targets {
            let Some(wanted) = resolved.get(*index) else { continue };
            wants.entry(wanted.name.clone()).or_default().push(*index);
        }
    }
    let asked = asked.map(|it| link(&resolved, &[it])).into_iter().flatten();
    let direct = linked.into_iter().chain(asked).flatten().collect();
    let members = own_tables().filter_map(folder).map(member).collect();
    let lockfile = Lockfile { members, edges, own, direct, wants, ..Lockfile::default() };
    Ok(Parts { contents: Contents::Lockfile(lockfile), declared: Vec::new(), resolved, notes })
}

/// What a script asks for, whose lockfile lists no package of the project.
fn requirements(toml: &Toml<&str>) -> Option<Vec<Need>> {
    at(toml, &["manifest", "requirements"]).map(|it| named(Some(it)))
}

/// What a member's folder is called: that of the root has no name.
fn member(folder: &str) -> String {
    let folder = folder.trim_start_matches("./").trim_end_matches('/');
    if folder == "." { String::new() } else { folder.to_owned() }
}

fn packages<'t>(toml: &'t Toml<&str>) -> impl Iterator<Item = &'t Table> {
    toml.get("package").and_then(Item::as_array_of_tables).into_iter().flatten()
}

fn name(table: &Table) -> String {
    table.get("name").and_then(Item::as_str).map(common_name).unwrap_or_default()
}

/// The names of the workspace's members; empty when there is but the root.
fn members(toml: &Toml<&str>) -> BTreeSet<String> {
    let list = at(toml, &["manifest", "members"]).and_then(Item::as_array);
    list.into_iter().flatten().filter_map(Value::as_str).map(common_name).collect()
}

fn folder(table: &Table) -> Option<&str> {
    let source = table.get("source")?;
    ["editable", "virtual"].iter().find_map(|it| source.get(it)).and_then(Item::as_str)
}

fn is_own(table: &Table, members: &BTreeSet<String>) -> bool {
    folder(table)
        .is_some_and(|it| if members.is_empty() { it == "." } else { members.contains(&name(table)) })
}

fn entry(document: &Document<'_>, table: &Table) -> Found {
    let Some(version) = table.get("version") else {
        return if folder(table).is_some() { Found::Local } else { Found::Malformed };
    };
    let Some(mut found) = resolved(document, table, version) else { return Found::Malformed };
    let source = table.get("source");
    let text = |name: &str| source.and_then(|it| it.get(name)).and_then(Item::as_str);
    let kinds = [
        ("registry", Source::Registry),
        ("git", Source::Git),
        ("url", Source::Url),
        ("path", Source::Path),
        ("directory", Source::Path),
        ("editable", Source::Path),
        ("virtual", Source::Path),
    ];
    if let Some((kind, origin)) = kinds.iter().find_map(|(key, kind)| Some((*kind, text(key)?))) {
        found.source = kind;
        found.origin = Some(Redacted::new(origin));
    }
    let sdist = table.get("sdist").and_then(|it| it.get("hash")).and_then(Item::as_str);
    found.checksum = sdist.map(str::to_owned).or_else(|| first_hash(table.get("wheels")));
    Found::Package(Box::new(Entry { resolved: found, needs: needs_of(table) }))
}

fn needs_of(table: &Table) -> Vec<Need> {
    let mut needs = named(table.get("dependencies"));
    for key in ["optional-dependencies", "dev-dependencies"] {
        for (_, list) in table.get(key).into_iter().flat_map(entries_of) {
            needs.extend(named(Some(list)));
        }
    }
    needs
}
