//! `package-lock.json` and `npm-shrinkwrap.json`, versions 1 to 3:
//! <https://docs.npmjs.com/cli/v11/configuring-npm/package-lock-json>.
//!
//! Versions 2 and 3 list folders; which folder a dependency means follows from Node's way of looking up modules.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged as _;

use crate::config::inside_quotes;
use crate::deps::document::{Document, MAX_PACKAGES};
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Resolved, Scope, Source};
use crate::deps::format::{Contents, Lockfile, Parts};
use crate::deps::graph::pin_edges;
use crate::deps::json::{by_key, text};
use crate::deps::json::{last, object};
use crate::deps::note::{ENTRY_MALFORMED, LOCK_VERSION_UNKNOWN};
use crate::model::{Note, Redacted};

use super::npm_lock_nested;
use super::source::source;

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

/// The longest folder of an installed package. Real trees stay below the 260 characters of some file systems.
pub const LONGEST_FOLDER: usize = 1_024;
pub const TOO_LONG: &str = "an entry whose folder has more than 1024 bytes was left out";

/// The entries of `packages`.
struct Folders<'o, 't> {
    document: &'o Document<'t>,
    entries: BTreeMap<&'o str, BTreeMap<&'o str, &'o Value<'t>>>,
    /// By the folder that holds a `node_modules` and the name in it, the whole folder.
    installed: BTreeMap<&'o str, BTreeMap<&'o str, &'o str>>,
    notes: Vec<Note>,
}

/// The keys under which an installed entry names what it needs.
const NEEDS: [&str; 3] = ["dependencies", "optionalDependencies", "peerDependencies"];

const MODULES: &str = "node_modules/";

impl<'o, 't> Folders<'o, 't> {
    fn of(document: &'o Document<'t>, folders: &'o Object<'t>) -> Self {
        let mut it =
            Self { document, entries: BTreeMap::new(), installed: BTreeMap::new(), notes: Vec::new() };
        for property in &folders.properties {
            let folder = property.name.as_str();
            match &property.value {
                Value::Object(_) if folder.len() > LONGEST_FOLDER => {
                    it.notes.push(document.note(ENTRY_MALFORMED, property.range.start, TOO_LONG));
                }
                Value::Object(_) if it.entries.len() == MAX_PACKAGES => {
                    it.notes.push(document.too_many(property.range.start));
                    break;
                }
                Value::Object(entry) => {
                    it.entries.insert(folder, by_key(entry));
                    if let Some((holder, name)) = split_installed(folder) {
                        it.installed.entry(holder).or_default().insert(name, folder);
                    }
                }
                Value::StringLit(_)
                | Value::NumberLit(_)
                | Value::BooleanLit(_)
                | Value::Array(_)
                | Value::NullKeyword(_) => it.notes.push(malformed(document, property)),
            }
        }
        it
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
                let wants = self.wants(folder, entry, &index_of);
                // A file that was cut by hand may not say.
                if !wants.is_empty() {
                    lockfile.wants.insert((*folder).to_owned(), wants);
                }
                lockfile.own.extend(index_of.get(folder));
            }
            if let Some(edges) = index_of.get(folder).and_then(|it| lockfile.edges.get_mut(*it)) {
                edges.extend(targets);
            }
        }
        pin_edges(&lockfile.edges, &mut resolved);
        Parts { contents: Contents::Lockfile(lockfile), declared: Vec::new(), resolved, notes: self.notes }
    }

    fn resolved(&self, folder: &str, entry: &BTreeMap<&str, &Value<'_>>) -> Option<Resolved> {
        let (version, place) = version(entry)?;
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
            source,
            origin: origin.map(Redacted::new),
            checksum: text(entry, "integrity").map(str::to_owned),
            scope: installed_as.and_then(|_| stated_scope(entry)),
            folder: Some(folder.to_owned()),
            ..Resolved::locked(
                Ecosystem::Npm,
                name.to_owned(),
                version.to_owned(),
                self.document.place(place),
            )
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
        // A folder without a link to it is what a `file:` dependency means.
        let folders = NEEDS.iter().chain(&own).filter_map(|it| entry.get(it)?.as_object());
        let folders = folders.flat_map(|it| &it.properties).filter_map(|it| it.value.as_string_lit());
        let folders = folders.filter_map(|it| it.value.strip_prefix("file:"));
        let folders = folders.filter_map(|it| index_of.get(it.trim_start_matches("./")));
        let visible: Vec<_> = holders(folder).filter_map(|it| self.installed.get(it)).collect();
        let targets: BTreeSet<usize> = names
            .iter()
            .filter_map(|name| visible.iter().find_map(|it| it.get(name)))
            .filter_map(|it| index_of.get(self.target(it)?).copied())
            .chain(folders.copied())
            .collect();
        targets.into_iter().collect()
    }

    /// What each key of one of the project's own packages leads to.
    fn wants(
        &self,
        folder: &str,
        entry: &BTreeMap<&str, &'o Value<'t>>,
        index_of: &BTreeMap<&str, usize>,
    ) -> BTreeMap<String, Vec<usize>> {
        let visible: Vec<_> = holders(folder).filter_map(|it| self.installed.get(it)).collect();
        let tables = NEEDS.iter().chain(&["devDependencies"]).filter_map(|it| entry.get(it)?.as_object());
        let keys = tables.flat_map(|it| &it.properties).map(|it| it.name.as_str());
        let found = |key: &str| {
            let installed = visible.iter().find_map(|it| it.get(key))?;
            index_of.get(self.target(installed)?).copied()
        };
        keys.map(|key| (key.to_owned(), found(key).into_iter().collect())).collect()
    }

    /// The folder itself, or the one that it links to.
    fn target(&self, folder: &'o str) -> Option<&'o str> {
        let entry = self.entries.get(folder)?;
        if !is_link(entry) {
            return Some(folder);
        }
        let target = text(entry, "resolved")?;
        self.entries.get_key_value(target.trim_start_matches("./")).map(|it| *it.0)
    }
}

/// The version of an entry; that of a repository whose manifest states none is the commit.
fn version<'v>(entry: &BTreeMap<&str, &'v Value<'_>>) -> Option<(&'v str, Range<usize>)> {
    if let Some(Value::StringLit(version)) = entry.get("version") {
        return Some((&version.value, inside_quotes(&version.range)));
    }
    let Some(Value::StringLit(address)) = entry.get("resolved") else { return None };
    let (before, commit) = address.value.rsplit_once('#')?;
    let end = inside_quotes(&address.range).end;
    (source(before) == Source::Git).then(|| (commit, end.saturating_sub(commit.len())..end))
}

/// Splits `a/node_modules/b` into the holder `a`, which is empty for the root, and the name `b`.
fn split_installed(folder: &str) -> Option<(&str, &str)> {
    let (before, name) = folder.rsplit_once(MODULES)?;
    (before.is_empty() || before.ends_with('/')).then(|| (before.strip_suffix('/').unwrap_or(before), name))
}

/// The folders whose `node_modules` the code in a folder sees: the folder and those above it, nearest first.
fn holders(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |it| match it.rsplit_once('/') {
        Some((above, _)) => Some(above),
        None if it.is_empty() => None,
        None => Some(""),
    })
}

fn is_link(entry: &BTreeMap<&str, &Value<'_>>) -> bool {
    matches!(entry.get("link"), Some(Value::BooleanLit(it)) if it.value)
}

pub fn malformed(document: &Document<'_>, property: &ObjectProp<'_>) -> Note {
    let message = format!("the entry `{}` is not an object and was left out", property.name.as_str());
    document.note(ENTRY_MALFORMED, property.range.start, message)
}
