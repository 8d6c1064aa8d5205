//! Version 1 of npm's lockfile: `dependencies` that nest as the folders do.

use std::collections::{BTreeMap, BTreeSet};

use jsonc_parser::ast::{Object, Value};

use crate::config::inside_quotes;
use crate::deps::document::{Document, MAX_PACKAGES};
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Resolved, Source};
use crate::deps::format::{Contents, Lockfile, Parts};
use crate::deps::json::{by_key, text};
use crate::deps::note::ENTRY_MALFORMED;
use crate::model::Redacted;

use super::npm_lock::{LONGEST_FOLDER, TOO_LONG, malformed, stated_scope};
use super::source::{source, split_version};

/// One level of `dependencies`: the folder that holds it and what it holds by name.
struct Level {
    above: Option<usize>,
    entries: BTreeMap<String, usize>,
}

/// Reads the `dependencies` of the file.
pub fn read(document: &Document<'_>, root: &Object<'_>) -> Parts {
    let mut walk =
        Walk { document, levels: Vec::new(), resolved: Vec::new(), needs: Vec::new(), notes: Vec::new() };
    let mut open = vec![(root, None, String::new())];
    while let Some((object, above, folder)) = open.pop() {
        let level = walk.levels.len();
        walk.levels.push(Level { above, entries: BTreeMap::new() });
        for property in &object.properties {
            let Value::Object(entry) = &property.value else {
                walk.notes.push(malformed(document, property));
                continue;
            };
            let entry = by_key(entry);
            let folder = format!("{folder}node_modules/{}", property.name.as_str());
            if folder.len() > LONGEST_FOLDER {
                walk.notes.push(document.note(ENTRY_MALFORMED, property.range.start, TOO_LONG));
                continue;
            }
            if walk.resolved.len() == MAX_PACKAGES {
                walk.notes.push(document.too_many(property.range.start));
                return walk.parts();
            }
            let nested = entry.get("dependencies").and_then(|it| it.as_object());
            walk.entry(property.name.as_str(), &folder, &entry, level, nested.is_some());
            if let Some(nested) = nested {
                open.push((nested, Some(level), format!("{folder}/")));
            }
        }
    }
    walk.parts()
}

struct Walk<'d, 't> {
    document: &'d Document<'t>,
    levels: Vec<Level>,
    resolved: Vec<Resolved>,
    /// For each resolved package, its folder, the level it stands in and the names it requires.
    needs: Vec<(String, usize, Vec<String>)>,
    notes: Vec<crate::model::Note>,
}

impl Walk<'_, '_> {
    fn entry(
        &mut self,
        name: &str,
        folder: &str,
        entry: &BTreeMap<&str, &Value<'_>>,
        level: usize,
        nests: bool,
    ) {
        let Some(Value::StringLit(literal)) = entry.get("version") else {
            let message = format!("the entry `{name}` has no version and was left out");
            let offset = entry.values().next().map_or(0, |it| jsonc_parser::common::Ranged::start(*it));
            self.notes.push(self.document.note(ENTRY_MALFORMED, offset, message));
            return;
        };
        let inside = inside_quotes(&literal.range);
        let alias = literal.value.strip_prefix("npm:").map(split_version);
        let (name_of, version, place) = match alias {
            Some((real, Some(version))) => {
                (real, version, inside.end.saturating_sub(version.len())..inside.end)
            }
            _ => (name, literal.value.as_ref(), inside),
        };
        let source = if alias.is_some() { Source::Registry } else { source(version) };
        let address = version;
        // A repository's version is the commit.
        let commit = version.rsplit_once('#').map(|it| it.1).filter(|_| source == Source::Git);
        let version = commit.unwrap_or(version);
        let place = place.end.saturating_sub(version.len())..place.end;
        let origin = match (text(entry, "resolved"), source) {
            (Some(it), _) => Some(it),
            (None, Source::Registry) => None,
            (None, Source::Git | Source::Path | Source::Url | Source::Workspace) => Some(address),
        };
        if let Some(level) = self.levels.get_mut(level) {
            level.entries.insert(name.to_owned(), self.resolved.len());
        }
        let requires = entry.get("requires").and_then(|it| it.as_object());
        let requires =
            requires.into_iter().flat_map(|it| it.properties.iter().map(|it| it.name.as_str().to_owned()));
        // What nests below a package is looked up first; its level is found by the folder.
        let nested = if nests { folder } else { "" };
        self.needs.push((nested.to_owned(), level, requires.collect()));
        self.resolved.push(Resolved {
            source,
            origin: origin.map(Redacted::new),
            checksum: text(entry, "integrity").map(str::to_owned),
            scope: stated_scope(entry),
            folder: Some(folder.to_owned()),
            ..Resolved::locked(
                Ecosystem::Npm,
                name_of.to_owned(),
                version.to_owned(),
                self.document.place(place),
            )
        });
    }

    fn parts(mut self) -> Parts {
        let by_folder: BTreeMap<&str, usize> = self
            .resolved
            .iter()
            .enumerate()
            .filter_map(|(index, it)| it.folder.as_deref().map(|it| (it, index)))
            .collect();
        let edges: Vec<Vec<usize>> = self
            .needs
            .iter()
            .map(|(nested, level, names)| {
                let targets = names.iter().filter_map(|name| {
                    let inner = (!nested.is_empty()).then(|| format!("{nested}/node_modules/{name}"));
                    let inner = inner.and_then(|it| by_folder.get(it.as_str()).copied());
                    inner.or_else(|| self.lookup(*level, name))
                });
                targets.collect::<BTreeSet<usize>>().into_iter().collect()
            })
            .collect();
        for (index, targets) in edges.iter().enumerate() {
            let pins = targets.iter().filter_map(|it| self.resolved.get(*it)).map(Resolved::pin).collect();
            if let Some(it) = self.resolved.get_mut(index) {
                it.dependencies = pins;
            }
        }
        let top = self.levels.first().map(|it| it.entries.values().copied().collect()).unwrap_or_default();
        let lockfile = Lockfile { members: [String::new()].into(), edges, top, ..Lockfile::default() };
        Parts {
            contents: Contents::Lockfile(lockfile),
            declared: Vec::new(),
            resolved: self.resolved,
            notes: self.notes,
        }
    }

    /// The entry of a name at this level or above it.
    fn lookup(&self, level: usize, name: &str) -> Option<usize> {
        let mut level = self.levels.get(level)?;
        loop {
            if let Some(found) = level.entries.get(name) {
                return Some(*found);
            }
            level = self.levels.get(level.above?)?;
        }
    }
}
