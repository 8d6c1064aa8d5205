//! `package-lock.json` and `npm-shrinkwrap.json`, versions 1 to 3:
//! <https://docs.npmjs.com/cli/v11/configuring-npm/package-lock-json>.
//!
//! Versions 2 and 3 list folders; which folder a dependency means follows from Node's way of looking up modules.

use std::collections::{BTreeMap, BTreeSet};

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged as _;

use crate::config::inside_quotes;
use crate::model::{Note, Redacted};

use super::document::Document;
use super::ecosystem::Ecosystem;
use super::fact::{Relation, Resolved, Scope, SettledBy, Source};
use super::format::{Contents, Lockfile, Parts};
use super::note::{ENTRY_MALFORMED, LOCK_VERSION_UNKNOWN};
use super::npm_lock_nested;
use super::npm_manifest::{last, object};
use super::npm_source::source;

const NEWEST: &str = "3";

/// # Errors
/// When the file is not a JSON object, or lists no packages in either way.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let root = object(document)?;
    let version = last(&root, "lockfileVersion").map(|it| &it.value);
    let mut parts = match (last(&root, "packages"), last(&root, "dependencies")) {
        (Some(ObjectProp { value: Value::Object(folders), .. }), _) => Folders::of(document, folders).parts(),
        (None, Some(ObjectProp { value: Value::Object(nested), .. })) => {
            npm_lock_nested::read(document, nested)
        }
        (None, None) if version.is_some() => Parts {
            contents: Contents::Lockfile(Lockfile { members: [String::new()].into(), ..Lockfile::default() }),
            declared: Vec::new(),
            resolved: Vec::new(),
            notes: Vec::new(),
        },
        _ => {
            return Err(
                document.unreadable(root.range.start, "it has no object of `packages` or `dependencies`")
            );
        }
    };
    if let Some(value) = version
        && !matches!(value, Value::NumberLit(it) if matches!(it.value, "1" | "2" | NEWEST))
    {
        let message = format!("`lockfileVersion` is not 1, 2 or 3; the file is read as version {NEWEST}");
        parts.notes.push(document.note(LOCK_VERSION_UNKNOWN, value.start(), message));
    }
    Ok(parts)
}

/// The scope that an entry's flags state.
pub fn stated_scope(entry: &BTreeMap<&str, &Value<'_>>) -> Option<Scope> {
    let flag = |name: &str| matches!(entry.get(name), Some(Value::BooleanLit(it)) if it.value);
    if flag("dev") {
        Some(Scope::Dev)
    } else if flag("optional") || flag("devOptional") {
        Some(Scope::Optional)
    } else if flag("peer") {
        Some(Scope::Peer)
    } else {
        Some(Scope::Normal)
    }
}

/// An object's values by their keys; the last of equal keys counts.
pub fn by_key<'o, 't>(object: &'o Object<'t>) -> BTreeMap<&'o str, &'o Value<'t>> {
    object.properties.iter().map(|it| (it.name.as_str(), &it.value)).collect()
}

pub fn text<'v>(entry: &BTreeMap<&str, &'v Value<'_>>, key: &str) -> Option<&'v str> {
    match entry.get(key) {
        Some(Value::StringLit(it)) => Some(&it.value),
        _ => None,
    }
}

/// The entries of `packages` by folder.
struct Folders<'o, 't> {
    document: &'o Document<'t>,
    entries: BTreeMap<&'o str, BTreeMap<&'o str, &'o Value<'t>>>,
    notes: Vec<Note>,
}

/// The keys under which an installed entry names what it needs.
const NEEDS: [&str; 3] = ["dependencies", "optionalDependencies", "peerDependencies"];

const MODULES: &str = "node_modules/";

impl<'o, 't> Folders<'o, 't> {
    fn of(document: &'o Document<'t>, folders: &'o Object<'t>) -> Self {
        let mut entries = BTreeMap::new();
        let mut notes = Vec::new();
        for property in &folders.properties {
            match &property.value {
                Value::Object(entry) => drop(entries.insert(property.name.as_str(), by_key(entry))),
                _ => notes.push(malformed(document, property)),
            }
        }
        Self { document, entries, notes }
    }

    fn parts(mut self) -> Parts {
        let mut resolved: Vec<Resolved> = Vec::new();
        let mut index_of: BTreeMap<&str, usize> = BTreeMap::new();
        for (folder, entry) in &self.entries {
            if is_link(entry) {
                continue;
            }
            match self.resolved(folder, entry) {
                Some(it) => {
                    index_of.insert(folder, resolved.len());
                    resolved.push(it);
                }
                // The project's own packages need no version.
                None if !folder.contains(MODULES) => {}
                None => {
                    let offset = entry.values().next().map_or(0, |it| it.start());
                    let message = format!("the entry `{folder}` has no version and was left out");
                    self.notes.push(self.document.note(ENTRY_MALFORMED, offset, message));
                }
            }
        }
        let mut lockfile = Lockfile { edges: vec![Vec::new(); resolved.len()], ..Lockfile::default() };
        for (folder, entry) in &self.entries {
            if is_link(entry) {
                continue;
            }
            let is_own = !folder.contains(MODULES);
            let targets = self.needs(folder, entry, is_own, &index_of);
            if is_own {
                lockfile.members.insert((*folder).to_owned());
                lockfile.direct.extend(&targets);
                lockfile.own.extend(index_of.get(folder));
            }
            if let Some(edges) = index_of.get(folder).and_then(|it| lockfile.edges.get_mut(*it)) {
                edges.extend(targets);
            }
        }
        for (index, targets) in lockfile.edges.iter().enumerate() {
            let pins = targets.iter().filter_map(|it| resolved.get(*it)).map(Resolved::pin).collect();
            if let Some(it) = resolved.get_mut(index) {
                it.dependencies = pins;
            }
        }
        Parts { contents: Contents::Lockfile(lockfile), declared: Vec::new(), resolved, notes: self.notes }
    }

    fn resolved(&self, folder: &str, entry: &BTreeMap<&str, &Value<'_>>) -> Option<Resolved> {
        let Some(Value::StringLit(version)) = entry.get("version") else { return None };
        let installed_as = folder.rsplit_once(MODULES).map(|it| it.1);
        let name = text(entry, "name").or(installed_as).or_else(|| folder.rsplit('/').next())?;
        let origin = text(entry, "resolved");
        let source = match (installed_as, origin) {
            (None, _) => Source::Workspace,
            // Every address of a registry is that of an archive.
            (Some(_), Some(it)) if source(it) == Source::Url => Source::Registry,
            (Some(_), it) => it.map_or(Source::Registry, source),
        };
        Some(Resolved {
            ecosystem: Ecosystem::Npm,
            name: name.to_owned(),
            version: version.value.clone().into_owned(),
            place: self.document.place(inside_quotes(&version.range)),
            source,
            origin: origin.map(Redacted::new),
            checksum: text(entry, "integrity").map(str::to_owned),
            scope: installed_as.and_then(|_| stated_scope(entry)),
            folder: Some(folder.to_owned()),
            dependencies: Vec::new(),
            relation: Relation::Unlinked,
            settled_by: SettledBy::Lockfile,
        })
    }

    /// The entries that a package's needs lead to, in order and without repetition.
    fn needs(
        &self,
        folder: &str,
        entry: &BTreeMap<&str, &'o Value<'t>>,
        is_own: bool,
        index_of: &BTreeMap<&str, usize>,
    ) -> Vec<usize> {
        let own = if is_own { Some("devDependencies") } else { None };
        let tables = NEEDS.iter().copied().chain(own);
        let names: BTreeSet<&str> = tables
            .filter_map(|it| entry.get(it))
            .filter_map(|it| it.as_object())
            .flat_map(|it| it.properties.iter().map(|it| it.name.as_str()))
            .collect();
        let targets: BTreeSet<usize> =
            names.iter().filter_map(|it| index_of.get(self.lookup(folder, it)?).copied()).collect();
        targets.into_iter().collect()
    }

    /// The folder that a name means for the code in `folder`: the nearest `node_modules` at or above that has it.
    fn lookup(&self, folder: &str, name: &str) -> Option<&'o str> {
        /// No real tree nests deeper; a name is not looked for beyond.
        const DEEPEST: usize = 256;
        let mut base = folder;
        for _ in 0..DEEPEST {
            let candidate =
                if base.is_empty() { format!("{MODULES}{name}") } else { format!("{base}/{MODULES}{name}") };
            if let Some((found, entry)) = self.entries.get_key_value(candidate.as_str()) {
                return if is_link(entry) {
                    let target = text(entry, "resolved")?;
                    self.entries.get_key_value(target.trim_start_matches("./")).map(|it| *it.0)
                } else {
                    Some(*found)
                };
            }
            if base.is_empty() {
                return None;
            }
            base = base.rsplit_once('/').map_or("", |it| it.0);
            base = base.strip_suffix("/node_modules").unwrap_or(base);
            base = if base == "node_modules" { "" } else { base };
        }
        None
    }
}

fn is_link(entry: &BTreeMap<&str, &Value<'_>>) -> bool {
    matches!(entry.get("link"), Some(Value::BooleanLit(it)) if it.value)
}

pub fn malformed(document: &Document<'_>, property: &ObjectProp<'_>) -> Note {
    let message = format!("the entry `{}` is not an object and was left out", property.name.as_str());
    document.note(ENTRY_MALFORMED, property.range.start, message)
}
