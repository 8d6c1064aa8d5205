//! `packages.lock.json`: <https://learn.microsoft.com/nuget/consume-packages/package-references-in-project-files#locking-dependencies>.
//! For each framework it holds both what was asked for and what that was resolved to.

use std::collections::BTreeMap;

use jsonc_parser::ast::{Object, ObjectProp, StringLit, Value};
use jsonc_parser::common::Ranged as _;

use crate::config::inside_quotes;
use crate::deps::document::{Document, MAX_PACKAGES};
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Declared, Relation, Resolved, Scope};
use crate::deps::format::{Contents, Lockfile, Parts};
use crate::deps::graph::pin_edges;
use crate::deps::json::{last, object};
use crate::deps::note::{ENTRY_MALFORMED, LOCK_VERSION_UNKNOWN};
use crate::model::Note;

use super::exact::declared;
use super::version::common_name;

/// The newest version of the format that is known.
const NEWEST: &str = "2";

/// # Errors
/// When the file is not a JSON object.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let root = object(document)?;
    let mut reader = Reader {
        document,
        declared: Vec::new(),
        resolved: Vec::new(),
        needs: Vec::new(),
        lockfile: Lockfile::default(),
        notes: Vec::new(),
    };
    if let Some(version) = last(&root, "version")
        && !matches!(&version.value, Value::NumberLit(it) if ["1", NEWEST].contains(&it.value))
    {
        let message = format!("the lockfile's format version is not known; it is read as {NEWEST}");
        reader.notes.push(document.note(LOCK_VERSION_UNKNOWN, version.value.start(), message));
    }
    let frameworks = last(&root, "dependencies").and_then(|it| it.value.as_object());
    for framework in frameworks.into_iter().flat_map(|it| &it.properties) {
        if let Value::Object(packages) = &framework.value {
            reader.framework(framework.name.as_str(), packages);
        }
    }
    let Reader { declared, mut resolved, lockfile, notes, .. } = reader;
    pin_edges(&lockfile.edges, &mut resolved);
    Ok(Parts { contents: Contents::Lockfile(lockfile), declared, resolved, notes })
}

struct Reader<'d, 't> {
    document: &'d Document<'t>,
    declared: Vec<Declared>,
    resolved: Vec<Resolved>,
    /// For each package of the framework that is read the names that it needs.
    needs: Vec<Vec<String>>,
    lockfile: Lockfile,
    notes: Vec<Note>,
}

impl Reader<'_, '_> {
    fn framework(&mut self, framework: &str, packages: &Object<'_>) {
        let first = self.resolved.len();
        for entry in &packages.properties {
            if self.resolved.len() == MAX_PACKAGES {
                self.notes.push(self.document.too_many(entry.start()));
                break;
            }
            self.entry(framework, entry);
        }
        let packages = self.resolved.iter().enumerate().skip(first);
        let index_of: BTreeMap<&str, usize> = packages.map(|(index, it)| (it.name.as_str(), index)).collect();
        let edges = self.needs.drain(..).map(|needs| {
            needs.iter().filter_map(|it| index_of.get(it.as_str()).copied()).collect::<Vec<usize>>()
        });
        self.lockfile.edges.extend(edges);
    }

    fn entry(&mut self, framework: &str, entry: &ObjectProp<'_>) {
        let name = entry.name.as_str();
        let fields = entry.value.as_object();
        let text = |key: &str| last(fields?, key)?.value.as_string_lit();
        let kind = text("type").map(|it| it.value.to_lowercase());
        // Another project, which has no version.
        if kind.as_deref() == Some("project") {
            return;
        }
        let Some(version) = text("resolved").filter(|it| !it.value.is_empty()) else {
            let message = format!("the package `{name}` has no resolved version and was left out");
            self.notes.push(self.document.note(ENTRY_MALFORMED, entry.start(), message));
            return;
        };
        let is_direct = kind.as_deref() == Some("direct");
        if is_direct {
            self.lockfile.direct.insert(self.resolved.len());
        }
        if let Some(requested) = text("requested") {
            let place = inside_quotes(&requested.range);
            let scope = if is_direct { Scope::Normal } else { Scope::Indirect };
            let asked = declared(self.document, name, Some(&requested.value), place, scope);
            self.declared.push(Declared { target: Some(framework.to_owned()), ..asked });
        }
        let needs = fields.and_then(|it| last(it, "dependencies")).and_then(|it| it.value.as_object());
        let needs = needs.into_iter().flat_map(|it| &it.properties);
        self.needs.push(needs.map(|it| common_name(it.name.as_str())).collect());
        self.resolved.push(Resolved {
            checksum: text("contentHash").map(|it| it.value.to_string()),
            // Another project may be what needs it.
            relation: Relation::Transitive { path: Vec::new() },
            ..locked(self.document, name, version)
        });
    }
}

fn locked(document: &Document<'_>, name: &str, version: &StringLit<'_>) -> Resolved {
    let place = document.place(inside_quotes(&version.range));
    Resolved::locked(Ecosystem::Nuget, common_name(name), version.value.to_string(), place)
}
