//! `deno.lock`, versions 2 to 5: <https://docs.deno.com/runtime/fundamentals/modules/#integrity-checking-and-lock-files>.
//!
//! `specifiers` says what each specifier of the project was settled to, `jsr` and `npm` list the packages by
//! `name@version`; version 3 has all three below `packages`, version 2 those of npm below `npm`.

use std::collections::BTreeMap;

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged as _;

use crate::config::inside_quotes;
use crate::deps::document::{Document, MAX_PACKAGES};
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::Resolved;
use crate::deps::format::{Contents, Lockfile, Parts};
use crate::deps::graph::pin_edges;
use crate::deps::json::{last, object};
use crate::deps::note::{ENTRY_MALFORMED, LOCK_VERSION_UNKNOWN};
use crate::model::Note;

use super::specifier::specifier;

const KNOWN: [&str; 4] = ["2", "3", "4", "5"];
const NEWEST: &str = "5";

/// # Errors
/// When the file is not a JSON object.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let root = object(document)?;
    let mut notes = Vec::new();
    if let Some(version) = last(&root, "version")
        && !version.value.as_string_lit().is_some_and(|it| KNOWN.contains(&it.value.as_ref()))
    {
        let message = format!("`version` is not one of 2 to 5; the file is read as version {NEWEST}");
        notes.push(document.note(LOCK_VERSION_UNKNOWN, version.value.start(), message));
    }

    let table = |name: &str| {
        let npm = object_in(&root, "npm").filter(|it| last(it, "packages").is_some());
        let below = object_in(&root, "packages");
        match (name, npm) {
            ("npm", Some(npm)) => object_in(npm, "packages"),
            ("specifiers", Some(npm)) => object_in(npm, "specifiers"),
            _ => object_in(&root, name).or_else(|| object_in(below?, name)),
        }
    };
    let mut reader = Reader {
        document,
        notes,
        resolved: Vec::new(),
        by_key: BTreeMap::new(),
        by_name: BTreeMap::new(),
        needs: Vec::new(),
    };
    reader.packages(table("jsr"), Ecosystem::Jsr);
    reader.packages(table("npm"), Ecosystem::Npm);
    let specifiers = table("specifiers");
    let settled: BTreeMap<&str, &str> = specifiers
        .iter()
        .flat_map(|it| &it.properties)
        .filter_map(|it| Some((it.name.as_str(), it.value.as_string_lit()?.value.as_ref())))
        .collect();
    let edges = reader.edges(&settled);
    let wanted = wanted(&root);
    let lockfile = Lockfile {
        direct: wanted.iter().filter_map(|it| reader.find(it, &settled)).collect(),
        edges,
        members: members(&root),
        ..Lockfile::default()
    };
    let Reader { notes, mut resolved, .. } = reader;
    pin_edges(&lockfile.edges, &mut resolved);
    Ok(Parts { contents: Contents::Lockfile(lockfile), declared: Vec::new(), resolved, notes })
}

fn workspace<'o>(root: &'o Object<'_>) -> Option<&'o Object<'o>> {
    last(root, "workspace")?.value.as_object()
}

/// The specifiers that the members of the workspace want.
fn wanted<'o>(root: &'o Object<'_>) -> Vec<&'o str> {
    let Some(workspace) = workspace(root) else { return Vec::new() };
    let members = last(workspace, "members").and_then(|it| it.value.as_object());
    let members = members.iter().flat_map(|it| &it.properties).filter_map(|it| it.value.as_object());
    let all = members.chain([workspace]).flat_map(|member| {
        let package = last(member, "packageJson").and_then(|it| it.value.as_object());
        [Some(member), package].into_iter().flatten()
    });
    let lists = all.filter_map(|it| last(it, "dependencies")?.value.as_array());
    lists.flat_map(|it| &it.elements).filter_map(Value::as_string_lit).map(|it| it.value.as_ref()).collect()
}

fn members(root: &Object<'_>) -> std::collections::BTreeSet<String> {
    let listed = workspace(root).and_then(|it| last(it, "members")).and_then(|it| it.value.as_object());
    let listed = listed.iter().flat_map(|it| &it.properties).map(|it| it.name.as_str().to_owned());
    listed.chain([String::new()]).collect()
}

struct Reader<'d, 't> {
    document: &'d Document<'t>,
    notes: Vec<Note>,
    resolved: Vec<Resolved>,
    by_key: BTreeMap<(Ecosystem, &'d str), usize>,
    /// None for a name that has several versions.
    by_name: BTreeMap<(Ecosystem, &'d str), Option<usize>>,
    needs: Vec<(Ecosystem, Vec<String>)>,
}

impl<'d> Reader<'d, '_> {
    fn packages(&mut self, table: Option<&'d Object<'_>>, ecosystem: Ecosystem) {
        for property in table.iter().flat_map(|it| &it.properties) {
            if self.resolved.len() == MAX_PACKAGES {
                self.notes.push(self.document.too_many(property.range.start));
                return;
            }
            let key = property.name.as_str();
            let Some((name, package)) =
                split_key(key).and_then(|it| Some((it.0, self.package(property, it, ecosystem)?)))
            else {
                let message = format!(
                    "the entry `{}` says no name and version and was left out",
                    property.name.as_str()
                );
                self.notes.push(self.document.note(ENTRY_MALFORMED, property.range.start, message));
                continue;
            };
            let index = self.resolved.len();
            self.by_key.insert((ecosystem, key), index);
            let only = self.by_name.entry((ecosystem, name)).or_insert(Some(index));
            *only = only.filter(|it| *it == index);
            self.needs.push((ecosystem, needs(&property.value)));
            self.resolved.push(package);
        }
    }

    fn package(
        &self,
        property: &ObjectProp<'_>,
        (name, version): (&str, &str),
        ecosystem: Ecosystem,
    ) -> Option<Resolved> {
        let entry = property.value.as_object()?;
        let range = property.name.range();
        let inside = inside_quotes(&range);
        let written = self.document.text.get(inside.clone()).unwrap_or_default();
        let place = match written.rfind(&format!("@{version}")) {
            Some(at) => inside.start + at + 1..inside.start + at + 1 + version.len(),
            None => inside,
        };
        let integrity = last(entry, "integrity").and_then(|it| it.value.as_string_lit());
        Some(Resolved {
            checksum: integrity.map(|it| it.value.clone().into_owned()),
            ..Resolved::locked(ecosystem, name.to_owned(), version.to_owned(), self.document.place(place))
        })
    }

    fn edges(&self, settled: &BTreeMap<&str, &str>) -> Vec<Vec<usize>> {
        let targets = |(ecosystem, needs): &(Ecosystem, Vec<String>)| {
            let own = |it: &str| self.by_key.get(&(*ecosystem, it)).copied();
            let found = needs.iter().filter_map(|it| {
                self.find(it, settled).or_else(|| own(it)).or_else(|| self.only(*ecosystem, it))
            });
            let mut targets: Vec<usize> = found.collect();
            targets.sort_unstable();
            targets.dedup();
            targets
        };
        self.needs.iter().map(targets).collect()
    }

    /// The package that a specifier was settled to.
    fn find(&self, wanted: &str, settled: &BTreeMap<&str, &str>) -> Option<usize> {
        let asked = specifier(wanted)?;
        let version = settled.get(wanted).copied().or(asked.constraint);
        match version {
            // Version 3 repeats the registry: `jsr:@std/path@1.0.0`.
            Some(version) => {
                let key = match specifier(version) {
                    Some(it) => format!("{}@{}", it.name, it.constraint?),
                    None => format!("{}@{version}", asked.name),
                };
                self.by_key.get(&(asked.ecosystem, key.as_str())).copied()
            }
            None => None,
        }
        .or_else(|| self.only(asked.ecosystem, asked.name))
    }

    /// The only package of a name: one that is settled once is named without a version.
    fn only(&self, ecosystem: Ecosystem, name: &str) -> Option<usize> {
        self.by_name.get(&(ecosystem, name)).copied().flatten()
    }
}

/// What an entry needs: a list of specifiers or keys, or, in version 3, an object by name.
fn needs(value: &Value<'_>) -> Vec<String> {
    let Some(table) = value.as_object().and_then(|it| last(it, "dependencies")) else { return Vec::new() };
    match &table.value {
        Value::Array(list) => list
            .elements
            .iter()
            .filter_map(Value::as_string_lit)
            .map(|it| it.value.clone().into_owned())
            .collect(),
        Value::Object(table) => {
            let rows = table.properties.iter().filter_map(|it| it.value.as_string_lit());
            rows.map(|it| it.value.clone().into_owned()).collect()
        }
        Value::StringLit(_) | Value::NumberLit(_) | Value::BooleanLit(_) | Value::NullKeyword(_) => {
            Vec::new()
        }
    }
}

/// The name and the version of a key, without the peers that `_` begins.
fn split_key(key: &str) -> Option<(&str, &str)> {
    let at = key.char_indices().skip(1).find(|it| it.1 == '@')?.0;
    let (name, version) = (key.get(..at)?, key.get(at + 1..)?);
    let version = version.split('_').next().filter(|it| !it.is_empty())?;
    Some((name, version))
}

fn object_in<'o>(object: &'o Object<'_>, name: &str) -> Option<&'o Object<'o>> {
    last(object, name)?.value.as_object()
}
