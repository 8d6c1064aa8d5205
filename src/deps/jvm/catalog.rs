//! `libs.versions.toml`: <https://docs.gradle.org/current/userguide/version_catalogs.html>.

use std::collections::BTreeMap;
use std::ops::Range;

use toml_edit::Item;

use crate::deps::document::Document;
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Declared, Scope, Settled, Source, Via};
use crate::deps::format::{Contents, Manifest, Parts};
use crate::deps::note::{ENTRY_MALFORMED, NOT_INHERITED};
use crate::deps::toml::{entries, inside_quotes, parse};
use crate::model::{Location, Note};

use super::Model;
use super::catalog_script::dotted;
use super::evaluate::is_name;
use super::plugin_package;

/// What scripts can refer to, by the names that they use.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    pub versions: BTreeMap<String, (String, Location)>,
    /// Each an index into the declared entries.
    pub libraries: BTreeMap<String, usize>,
    pub plugins: BTreeMap<String, usize>,
    pub bundles: BTreeMap<String, Vec<String>>,
}

/// # Errors
/// When the file is not TOML.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let toml = parse(document)?;
    let mut reader =
        Reader { document, catalog: Catalog::default(), declared: Vec::new(), notes: Vec::new() };
    let of = |name: &str| toml.get(name).into_iter().flat_map(entries);
    for (key, item) in of("versions") {
        match reader.version(item) {
            Some((text, range)) => {
                let version = (text, document.place(range));
                reader.catalog.versions.insert(dotted(key.get()), version);
            }
            None => reader.malformed(key.get(), key.span().unwrap_or(0..0)),
        }
    }
    for (key, item) in of("libraries") {
        if let Some(index) = reader.entry(key.get(), key.span().unwrap_or(0..0), item, library) {
            reader.catalog.libraries.insert(dotted(key.get()), index);
        }
    }
    for (key, item) in of("plugins") {
        if let Some(index) = reader.entry(key.get(), key.span().unwrap_or(0..0), item, plugin) {
            reader.catalog.plugins.insert(dotted(key.get()), index);
        }
    }
    for (key, item) in of("bundles") {
        let aliases = item.as_array().into_iter().flatten().filter_map(toml_edit::Value::as_str);
        reader.catalog.bundles.insert(dotted(key.get()), aliases.map(dotted).collect());
    }
    let Reader { catalog, declared, notes, .. } = reader;
    let contents = Contents::Manifest(Manifest { jvm: Some(Model::Catalog(catalog)), ..Manifest::default() });
    Ok(Parts { contents, declared, resolved: Vec::new(), notes })
}

/// A name, and the text of a version behind it.
type Named = (String, Option<String>);

/// `group:name`, and the version of the short form `group:name:version`. No other form has one in its name.
fn library(item: &Item) -> Option<Named> {
    let text = |name: &str| item.get(name).and_then(Item::as_str);
    let (group, artifact, version) = if let Some(short) = item.as_str() {
        let mut parts = short.splitn(3, ':');
        (parts.next()?, parts.next()?, parts.next().map(str::to_owned))
    } else if let Some(module) = text("module") {
        let (group, artifact) = module.split_once(':')?;
        (group, artifact, None)
    } else {
        (text("group")?, text("name")?, None)
    };
    (is_name(group) && is_name(artifact)).then(|| (format!("{group}:{artifact}"), version))
}

/// The package of a plugin, whose short form is `id:version`.
fn plugin(item: &Item) -> Option<Named> {
    let (id, version) = match item.as_str() {
        Some(short) => short.rsplit_once(':').map(|(id, version)| (id, Some(version.to_owned())))?,
        None => (item.get("id").and_then(Item::as_str)?, None),
    };
    is_name(id).then(|| (plugin_package(id), version))
}

struct Reader<'d, 't> {
    document: &'d Document<'t>,
    catalog: Catalog,
    declared: Vec<Declared>,
    notes: Vec<Note>,
}

impl Reader<'_, '_> {
    /// The text of a version. Of a rich one it is what binds most.
    fn version(&self, item: &Item) -> Option<(String, Range<usize>)> {
        let of = |it: &Item| {
            let range = inside_quotes(self.document.text, it.span()?);
            Some((it.as_str()?.to_owned(), range))
        };
        if item.is_str() {
            return of(item);
        }
        ["strictly", "require", "prefer"].iter().find_map(|it| of(item.get(it)?))
    }

    fn entry(
        &mut self,
        key: &str,
        place: Range<usize>,
        item: &Item,
        name: impl Fn(&Item) -> Option<Named>,
    ) -> Option<usize> {
        let Some((name, short)) = name(item) else {
            self.malformed(key, place);
            return None;
        };
        let written = item.get("version");
        let reference = written.and_then(|it| it.get("ref")).and_then(Item::as_str);
        let (constraint, range, via) = if let Some(version) = short {
            let inside = inside_quotes(self.document.text, item.span().unwrap_or(0..0));
            let range = inside.end.saturating_sub(version.len())..inside.end;
            (Some(version), range, None)
        } else if let Some(reference) = reference {
            match self.catalog.versions.get(&dotted(reference)) {
                Some((text, at)) => (Some(text.clone()), place, Some(at.clone())),
                None => {
                    let message = format!(
                        "there is no version `{reference}` in the catalog; that of `{name}` is unknown"
                    );
                    self.notes.push(self.document.note(NOT_INHERITED, place.start, message));
                    (None, place, None)
                }
            }
        } else {
            match written.and_then(|it| self.version(it)) {
                Some((text, range)) => (Some(text), range, None),
                None => (None, place, None),
            }
        };
        self.declared.push(Declared {
            ecosystem: Ecosystem::Gradle,
            name,
            raw_name: key.to_owned(),
            constraint,
            evaluated: None,
            settled: Settled::Unknown,
            place: self.document.place(range),
            scope: Scope::Catalog,
            target: None,
            source: Source::Registry,
            origin: None,
            via: via.map(Via::Entry),
        });
        Some(self.declared.len() - 1)
    }

    fn malformed(&mut self, key: &str, place: Range<usize>) {
        let message = format!("the entry `{key}` is none of a catalog and was left out");
        self.notes.push(self.document.note(ENTRY_MALFORMED, place.start, message));
    }
}
