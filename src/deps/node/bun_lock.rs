//! `bun.lock`, JSON with comments and trailing commas: <https://bun.com/docs/pm/lockfile>.
//!
//! The key of a package is the way to it through `node_modules`: `b` stands at the top, `a/b` below `a`. Its value begins
//! with `name@version`; the element that is an object says what it needs.

use std::collections::BTreeMap;

use jsonc_parser::ast::{Array, Object, ObjectProp, Value};
use jsonc_parser::common::Ranged as _;

use crate::config::inside_quotes;
use crate::deps::document::{Document, MAX_PACKAGES};
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Resolved, Source};
use crate::deps::format::{Contents, Lockfile, Parts};
use crate::deps::graph::pin_edges;
use crate::deps::json::{commented_object, last};
use crate::deps::note::{ENTRY_MALFORMED, LOCK_VERSION_UNKNOWN};
use crate::model::{Note, Redacted};

use super::npm_lock::{LONGEST_FOLDER, TOO_LONG, malformed};
use super::source::{source, split_version};

const NEWEST: &str = "2";

/// What a member of the workspace wants.
const WANTS: [&str; 4] = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
/// What a package needs; optional peers are not installed for it.
const NEEDS: [&str; 3] = ["dependencies", "optionalDependencies", "peerDependencies"];

/// # Errors
/// When the file is not a JSON object, or has no object of `packages`.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let root = commented_object(document)?;
    let Some(packages) = last(&root, "packages").and_then(|it| it.value.as_object()) else {
        return Err(document.unreadable(root.range.start, "it has no object of `packages`"));
    };
    let mut reader = Reader {
        document,
        notes: Vec::new(),
        resolved: Vec::new(),
        by_key: BTreeMap::new(),
        needs: Vec::new(),
    };
    if let Some(version) = last(&root, "lockfileVersion")
        && !matches!(&version.value, Value::NumberLit(it) if matches!(it.value, "0" | "1" | NEWEST))
    {
        let message = format!("`lockfileVersion` is not 0, 1 or 2; the file is read as version {NEWEST}");
        reader.notes.push(document.note(LOCK_VERSION_UNKNOWN, version.value.start(), message));
    }
    if let Some(version) = last(&root, "configVersion")
        && !matches!(&version.value, Value::NumberLit(_))
    {
        let message = "`configVersion` is not a number, so that bun refuses the file";
        reader.notes.push(document.note(ENTRY_MALFORMED, version.value.start(), message));
    }
    reader.packages(packages);
    let mut lockfile = Lockfile { edges: reader.edges(), ..Lockfile::default() };
    for member in
        last(&root, "workspaces").and_then(|it| it.value.as_object()).iter().flat_map(|it| &it.properties)
    {
        lockfile.members.insert(member.name.as_str().to_owned());
        let folder = member.name.as_str().to_owned();
        let Some(member) = member.value.as_object() else { continue };
        let name = last(member, "name").and_then(|it| it.value.as_string_lit()).map(|it| it.value.as_ref());
        let wants = lockfile.wants.entry(folder).or_default();
        for key in names(member, &WANTS) {
            let found = reader.find(name.unwrap_or_default(), key);
            lockfile.direct.extend(found);
            wants.insert(key.to_owned(), found.into_iter().collect());
        }
    }
    let Reader { notes, mut resolved, .. } = reader;
    pin_edges(&lockfile.edges, &mut resolved);
    Ok(Parts { contents: Contents::Lockfile(lockfile), declared: Vec::new(), resolved, notes })
}

struct Reader<'d, 't> {
    document: &'d Document<'t>,
    notes: Vec<Note>,
    resolved: Vec<Resolved>,
    by_key: BTreeMap<&'d str, usize>,
    /// For each resolved package its key and what it needs.
    needs: Vec<(&'d str, Vec<&'d str>)>,
}

impl<'d> Reader<'d, '_> {
    fn packages(&mut self, packages: &'d Object<'_>) {
        for property in &packages.properties {
            let key = property.name.as_str();
            if key.len() > LONGEST_FOLDER {
                self.notes.push(self.document.note(ENTRY_MALFORMED, property.range.start, TOO_LONG));
                continue;
            }
            if self.resolved.len() == MAX_PACKAGES {
                self.notes.push(self.document.too_many(property.range.start));
                return;
            }
            match property.value.as_array().and_then(|it| self.package(key, it)) {
                Some(Entry::Package(package, needs)) => {
                    self.by_key.insert(key, self.resolved.len());
                    self.resolved.push(*package);
                    self.needs.push((key, needs));
                }
                Some(Entry::Member) => {}
                None => self.notes.push(malformed(self.document, property)),
            }
        }
    }

    fn package(&self, key: &str, entry: &'d Array<'_>) -> Option<Entry<'d>> {
        let literal = entry.elements.first()?.as_string_lit()?;
        let (name, version) = split_version(&literal.value);
        let version = version.filter(|it| !it.is_empty() && !name.is_empty())?;
        let source = source(version);
        if source == Source::Workspace {
            return Some(Entry::Member);
        }
        let inside = inside_quotes(&literal.range);
        let written = self.document.text.get(inside.clone()).unwrap_or_default();
        let length = if written.ends_with(version) { version.len() } else { written.len() };
        let table = entry.elements.iter().find_map(Value::as_object);
        let hash = entry.elements.iter().skip(1).filter_map(Value::as_string_lit).next_back();
        let package = Resolved {
            source,
            origin: (source != Source::Registry).then(|| Redacted::new(version)),
            checksum: hash.map(|it| it.value.as_ref()).filter(|it| it.contains('-')).map(str::to_owned),
            folder: Some(folder(key)),
            ..Resolved::locked(
                Ecosystem::Npm,
                name.to_owned(),
                version.to_owned(),
                self.document.place(inside.end - length..inside.end),
            )
        };
        Some(Entry::Package(Box::new(package), table.into_iter().flat_map(|it| names(it, &NEEDS)).collect()))
    }

    fn edges(&self) -> Vec<Vec<usize>> {
        let targets = |(key, needs): &(&str, Vec<&str>)| {
            let mut targets: Vec<usize> = needs.iter().filter_map(|it| self.find(key, it)).collect();
            targets.sort_unstable();
            targets.dedup();
            targets
        };
        self.needs.iter().map(targets).collect()
    }

    /// The package that a name means below a key: the nearest on the way up.
    fn find(&self, key: &str, name: &str) -> Option<usize> {
        let mut above = key;
        loop {
            if above.is_empty() {
                return self.by_key.get(name).copied();
            }
            if let Some(index) = self.by_key.get(format!("{above}/{name}").as_str()) {
                return Some(*index);
            }
            above = parent(above);
        }
    }
}

enum Entry<'d> {
    Package(Box<Resolved>, Vec<&'d str>),
    /// A package of the workspace itself.
    Member,
}

/// The keys of some of an object's tables.
fn names<'o>(object: &'o Object<'_>, tables: &[&str]) -> impl Iterator<Item = &'o str> {
    let tables: Vec<&Object<'_>> =
        tables.iter().filter_map(|it| last(object, it)).filter_map(|it| it.value.as_object()).collect();
    tables.into_iter().flat_map(|it| &it.properties).map(|it: &ObjectProp<'_>| it.name.as_str())
}

/// A key without its last name, which may have a scope.
fn parent(key: &str) -> &str {
    let Some((above, _)) = key.rsplit_once('/') else { return "" };
    let scope = above.rsplit('/').next().unwrap_or(above);
    if scope.starts_with('@') {
        above.strip_suffix(scope).unwrap_or_default().trim_end_matches('/')
    } else {
        above
    }
}

/// The folder of a key: `a/@s/b` is `node_modules/a/node_modules/@s/b`.
fn folder(key: &str) -> String {
    let mut names = Vec::new();
    let mut rest = key;
    while !rest.is_empty() {
        let above = parent(rest);
        names.push(rest.get(above.len()..).unwrap_or_default().trim_start_matches('/'));
        rest = above;
    }
    names.iter().rev().map(|it| format!("node_modules/{it}")).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::folder;

    #[test]
    fn keys_are_ways_through_node_modules() {
        for (key, expected) in [
            ("b", "node_modules/b"),
            ("a/b", "node_modules/a/node_modules/b"),
            ("@s/a", "node_modules/@s/a"),
            ("@s/a/@t/b/c", "node_modules/@s/a/node_modules/@t/b/node_modules/c"),
        ] {
            assert_eq!(folder(key), expected);
        }
    }
}
