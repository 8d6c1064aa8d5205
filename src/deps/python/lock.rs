//! What the lockfiles of Python's tools have in common: a list of packages in TOML, and who needs whom by name.

use std::collections::BTreeMap;

use toml_edit::{Document as Toml, Item, Table, Value};

use crate::deps::document::{Document, MAX_PACKAGES};
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::Resolved;
use crate::deps::format::{Contents, Lockfile, Parts};
use crate::deps::graph::pin_edges;
use crate::deps::note::{ENTRY_MALFORMED, LOCK_VERSION_UNKNOWN};
use crate::deps::toml::{inside_quotes, parse};
use crate::model::Note;

use super::version::{common_name, release};

/// A package of a lockfile.
pub struct Entry {
    pub resolved: Resolved,
    pub needs: Vec<Need>,
}

/// A package that another one needs; the version when the lockfile names it.
pub struct Need {
    pub name: String,
    pub version: Option<String>,
}

/// How one tool writes its lockfile.
pub struct Style {
    /// The key of the list of packages.
    pub packages: &'static str,
    /// The way to the version of the format.
    pub version: &'static [&'static str],
    /// The parts of the version of the format that are known, as the start of its text.
    pub known: &'static [&'static str],
    pub entry: fn(&Document<'_>, &Table) -> Found,
}

pub enum Found {
    Package(Box<Entry>),
    /// A package without a version because it is a folder.
    Local,
    Malformed,
}

/// Reads a lockfile that does not say what is direct.
///
/// # Errors
/// When the file is not TOML.
pub fn read(document: &Document<'_>, style: &Style) -> Result<Parts, Note> {
    let toml = parse(document)?;
    let (entries, notes) = entries(document, &toml, style);
    let (mut resolved, needs): (Vec<Resolved>, Vec<Vec<Need>>) =
        entries.into_iter().map(|it| (it.resolved, it.needs)).unzip();
    let edges = link(&resolved, &needs);
    pin_edges(&edges, &mut resolved);
    let lockfile = Lockfile { edges, top: (0..resolved.len()).collect(), ..Lockfile::default() };
    Ok(Parts { contents: Contents::Lockfile(lockfile), declared: Vec::new(), resolved, notes })
}

/// The packages of a lockfile, and the notes about what is none.
pub fn entries(document: &Document<'_>, toml: &Toml<&str>, style: &Style) -> (Vec<Entry>, Vec<Note>) {
    let mut notes: Vec<Note> = unknown_version(document, toml, style).into_iter().collect();
    let mut entries = Vec::new();
    let list = toml.get(style.packages).and_then(Item::as_array_of_tables);
    for table in list.into_iter().flatten() {
        let offset = table.span().map_or(0, |it| it.start);
        if entries.len() == MAX_PACKAGES {
            notes.push(document.too_many(offset));
            break;
        }
        match (style.entry)(document, table) {
            Found::Package(it) => entries.push(*it),
            Found::Local => {}
            Found::Malformed => {
                let message = "a package without a name or a version was left out";
                notes.push(document.note(ENTRY_MALFORMED, offset, message));
            }
        }
    }
    (entries, notes)
}

fn unknown_version(document: &Document<'_>, toml: &Toml<&str>, style: &Style) -> Option<Note> {
    let item = super::pyproject::at(toml, style.version)?;
    let text = item.as_integer().map(|it| it.to_string()).or_else(|| item.as_str().map(str::to_owned));
    let major = |it: &str| it.split('.').next().map(str::to_owned);
    let is_known = text.as_deref().and_then(major).is_some_and(|it| style.known.contains(&it.as_str()));
    let newest = style.known.last().unwrap_or(&"");
    let message = format!("the lockfile's format version is not known; it is read as {newest}");
    (!is_known).then(|| document.note(LOCK_VERSION_UNKNOWN, item.span().map_or(0, |it| it.start), message))
}

/// A package's name and version; none when it lacks one.
pub fn resolved(document: &Document<'_>, table: &Table, version: &Item) -> Option<Resolved> {
    let text = |name: &str| table.get(name).and_then(Item::as_str);
    let place = inside_quotes(document.text, version.span()?);
    Some(Resolved::locked(
        Ecosystem::Pypi,
        common_name(text("name")?),
        version.as_str()?.to_owned(),
        document.place(place),
    ))
}

/// The first `hash` in a list of files.
pub fn first_hash(list: Option<&Item>) -> Option<String> {
    let list = list.and_then(Item::as_array)?;
    let hashes = list.iter().filter_map(Value::as_inline_table).filter_map(|it| it.get("hash"));
    hashes.filter_map(Value::as_str).map(str::to_owned).next()
}

/// Follows names to packages. Of several versions of a name all may be meant, unless the version is named too.
pub fn link(resolved: &[Resolved], needs: &[Vec<Need>]) -> Vec<Vec<usize>> {
    let mut known: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, it) in resolved.iter().enumerate() {
        known.entry(&it.name).or_default().push(index);
    }
    // More versions of one package than any lockfile has: a bound on the edges.
    const MOST: usize = 16;
    let follow = |need: &Need| {
        let versions = known.get(need.name.as_str()).into_iter().flatten().copied().take(MOST);
        let asked = need.version.as_deref().map(release);
        let is_meant = |index: &usize| {
            resolved
                .get(*index)
                .is_some_and(|it| asked.as_ref().is_none_or(|asked| release(&it.version) == *asked))
        };
        versions.filter(is_meant).collect::<Vec<_>>()
    };
    let links = needs.iter().map(|needs| {
        let mut targets: Vec<usize> = needs.iter().flat_map(follow).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    });
    links.collect()
}

/// The needs in a list of tables with a `name` and maybe a `version`.
pub fn named(list: Option<&Item>) -> Vec<Need> {
    let list = list.and_then(Item::as_array).into_iter().flatten();
    let tables = list.filter_map(Value::as_inline_table);
    let text =
        |it: &toml_edit::InlineTable, key: &str| it.get(key).and_then(Value::as_str).map(str::to_owned);
    let need = |it| Some(Need { name: common_name(&text(it, "name")?), version: text(it, "version") });
    tables.filter_map(need).collect()
}
