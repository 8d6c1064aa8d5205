//! `Cargo.lock`, versions 1 to 4: <https://doc.rust-lang.org/cargo/guide/cargo-toml-vs-cargo-lock.html>.
//!
//! One pass over the syntax tree gives both meaning and places, in time that grows with the file and not with its
//! square. The tests compare the meaning with that of the `cargo-lock` crate.

use std::collections::{BTreeMap, BTreeSet};

use toml_edit::{Document as Toml, Item, Table};

use crate::deps::document::{Document, MAX_PACKAGES};
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Resolved, Source};
use crate::deps::format::{Contents, Lockfile, Parts};
use crate::deps::graph::pin_edges;
use crate::deps::note::{ENTRY_MALFORMED, LOCK_VERSION_UNKNOWN};
use crate::deps::toml::{inside_quotes, parse};
use crate::model::{Note, Redacted};

/// The newest version of the format that is known.
const NEWEST: i64 = 4;

/// # Errors
/// When the file is not TOML.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let toml = parse(document)?;
    let mut notes = Vec::new();
    if let Some(item) = toml.get("version")
        && !item.as_integer().is_some_and(|it| (1..=NEWEST).contains(&it))
    {
        let offset = item.span().map_or(0, |it| it.start);
        let message =
            format!("the lockfile's format version is not one of 1 to {NEWEST}; it is read as {NEWEST}");
        notes.push(document.note(LOCK_VERSION_UNKNOWN, offset, message));
    }
    let mut resolved = Vec::new();
    let (mut wanted, mut sources) = (Vec::new(), Vec::new());
    for table in packages(&toml) {
        if resolved.len() == MAX_PACKAGES {
            let offset = table.span().map_or(0, |it| it.start);
            notes.push(document.too_many(offset));
            break;
        }
        match package(document, table) {
            Some(it) => {
                resolved.push(it);
                wanted.push(dependency_texts(table));
                sources.push(table.get("source").and_then(Item::as_str).unwrap_or_default());
            }
            None => {
                let offset = table.span().map_or(0, |it| it.start);
                let message = "a package without a name or a version was left out";
                notes.push(document.note(ENTRY_MALFORMED, offset, message));
            }
        }
    }
    old_checksums(&toml, &mut resolved);
    let edges = link(&resolved, &sources, &wanted);
    pin_edges(&edges, &mut resolved);
    let contents = Contents::Lockfile(lockfile(&resolved, edges));
    Ok(Parts { contents, declared: Vec::new(), resolved, notes })
}

/// The packages; the `[root]` of the oldest files is one too.
fn packages<'t>(toml: &'t Toml<&str>) -> impl Iterator<Item = &'t Table> {
    let listed = toml.get("package").and_then(Item::as_array_of_tables).into_iter().flatten();
    toml.get("root").and_then(Item::as_table).into_iter().chain(listed)
}

fn package(document: &Document<'_>, table: &Table) -> Option<Resolved> {
    let text = |name: &str| table.get(name).and_then(Item::as_str);
    let version = table.get("version")?;
    let place = inside_quotes(document.text, version.span()?);
    let origin = text("source");
    let source = match origin {
        None => Source::Workspace,
        Some(it) if it.starts_with("git+") => Source::Git,
        Some(it) if it.starts_with("path+") => Source::Path,
        Some(_) => Source::Registry,
    };
    Some(Resolved {
        source,
        origin: origin.map(Redacted::new),
        checksum: text("checksum").map(str::to_owned),
        ..Resolved::locked(
            Ecosystem::Cargo,
            text("name")?.to_owned(),
            version.as_str()?.to_owned(),
            document.place(place),
        )
    })
}

fn dependency_texts(table: &Table) -> Vec<&str> {
    let list = table.get("dependencies").and_then(Item::as_array);
    list.into_iter().flatten().filter_map(toml_edit::Value::as_str).collect()
}

/// Version 1 keeps checksums apart, under `checksum NAME VERSION (SOURCE)`.
fn old_checksums(toml: &Toml<&str>, resolved: &mut [Resolved]) {
    let Some(metadata) = toml.get("metadata").and_then(Item::as_table_like) else { return };
    let mut sums: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    for (key, sum) in metadata.iter() {
        let mut words = key.split(' ');
        if let (Some("checksum"), Some(name), Some(version), Some(sum)) =
            (words.next(), words.next(), words.next(), sum.as_str())
        {
            sums.insert((name, version), sum);
        }
    }
    for it in resolved.iter_mut().filter(|it| it.checksum.is_none() && it.source == Source::Registry) {
        it.checksum = sums.get(&(it.name.as_str(), it.version.as_str())).map(|it| (*it).to_owned());
    }
}

/// Follows `NAME`, `NAME VERSION` and `NAME VERSION (SOURCE)` to the package that it names. Cargo writes as much as it
/// takes to be clear; of several that fit, the first is taken.
fn link(resolved: &[Resolved], sources: &[&str], wanted: &[Vec<&str>]) -> Vec<Vec<usize>> {
    let mut known: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    for ((index, it), source) in resolved.iter().enumerate().zip(sources) {
        known.entry((&it.name, &it.version, source)).or_insert(index);
    }
    let follow = |text: &&str| {
        let mut words = text.splitn(3, ' ');
        let name = words.next()?;
        let version = words.next();
        let source = words.next().map(|it| it.trim_start_matches('(').trim_end_matches(')'));
        let exact = known.get(&(name, version.unwrap_or_default(), source.unwrap_or_default()));
        let first = known.range((name, version.unwrap_or_default(), "")..).next();
        let first = first.filter(|(it, _)| it.0 == name && version.is_none_or(|version| it.1 == version));
        exact.copied().or(first.map(|it| *it.1))
    };
    let links = wanted.iter().map(|texts| {
        let mut targets: Vec<usize> = texts.iter().filter_map(follow).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    });
    links.collect()
}

fn lockfile(resolved: &[Resolved], edges: Vec<Vec<usize>>) -> Lockfile {
    let own: Vec<usize> =
        resolved.iter().enumerate().filter(|(_, it)| it.source == Source::Workspace).map(|it| it.0).collect();
    let members = own.iter().filter_map(|it| resolved.get(*it)).map(|it| it.name.clone()).collect();
    let direct: BTreeSet<usize> = own.iter().filter_map(|it| edges.get(*it)).flatten().copied().collect();
    let mut wants: BTreeMap<String, BTreeMap<String, Vec<usize>>> = BTreeMap::new();
    for member in &own {
        let Some(package) = resolved.get(*member) else { continue };
        let wants = wants.entry(package.name.clone()).or_default();
        for index in edges.get(*member).into_iter().flatten() {
            let Some(wanted) = resolved.get(*index) else { continue };
            wants.entry(wanted.name.clone()).or_default().push(*index);
        }
    }
    Lockfile { members, edges, own, direct, wants, ..Lockfile::default() }
}
