//! `project.assets.json`, which a restore leaves behind, and `*.deps.json`, which a build does:
//! <https://github.com/dotnet/sdk/blob/main/documentation/specs/runtime-configuration-file.md>. Both list libraries
//! under `NAME/VERSION`, and for each framework who needs whom.

use std::collections::{BTreeMap, BTreeSet};

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged as _;

use crate::config::inside_quotes;
use crate::deps::document::{Document, MAX_PACKAGES};
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::Resolved;
use crate::deps::format::{Contents, Lockfile, Parts};
use crate::deps::graph::pin_edges;
use crate::deps::json::{last, object};
use crate::deps::note::ENTRY_MALFORMED;
use crate::model::Note;

use super::version::common_name;

/// # Errors
/// When the file is not a JSON object.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let root = object(document)?;
    if ["libraries", "targets"].iter().all(|it| last(&root, it).is_none()) {
        return Err(document.unreadable(root.start(), "it lists neither libraries nor targets"));
    }
    let (mut resolved, mut notes) = (Vec::new(), Vec::new());
    let mut index_of: BTreeMap<String, usize> = BTreeMap::new();
    let mut projects: BTreeSet<&str> = BTreeSet::new();
    for entry in table(&root, "libraries") {
        if resolved.len() == MAX_PACKAGES {
            notes.push(document.too_many(entry.start()));
            break;
        }
        let key = entry.name.as_str();
        let text = |name: &str| last(entry.value.as_object()?, name)?.value.as_string_lit();
        let kind = text("type").map(|it| it.value.to_lowercase());
        match (kind.as_deref(), library(document, entry)) {
            (Some("package"), Some(package)) => {
                let checksum =
                    text("sha512").filter(|it| !it.value.is_empty()).map(|it| it.value.to_string());
                index_of.insert(common_name(key), resolved.len());
                resolved.push(Resolved { checksum, ..package });
            }
            (Some("project"), _) => {
                projects.insert(key);
            }
            // Assemblies of the platform, and such that lie in the file system.
            (Some(_), _) => {}
            (None, _) => {
                let message = format!("the library `{key}` has no type and was left out");
                notes.push(document.note(ENTRY_MALFORMED, entry.start(), message));
            }
        }
    }
    let mut lockfile = Lockfile { edges: vec![Vec::new(); resolved.len()], ..Lockfile::default() };
    let mut edges: BTreeSet<(usize, usize)> = BTreeSet::new();
    for framework in table(&root, "targets").iter().filter_map(|it| it.value.as_object()) {
        let by_name = names(framework, &index_of);
        for entry in &framework.properties {
            let needs = entry.value.as_object().map(|it| table(it, "dependencies")).unwrap_or_default();
            let targets = needs.iter().filter_map(|it| by_name.get(&common_name(it.name.as_str())).copied());
            match index_of.get(&common_name(entry.name.as_str())) {
                Some(from) => edges.extend(targets.map(|it| (*from, it))),
                None if projects.contains(entry.name.as_str()) => lockfile.direct.extend(targets),
                None => {}
            }
        }
        // `NAME >= VERSION`, by framework.
        let asked = table(&root, "projectFileDependencyGroups").iter();
        let asked = asked.filter_map(|it| it.value.as_array()).flat_map(|it| &it.elements);
        let asked = asked.filter_map(|it| it.as_string_lit()?.value.split(' ').next().map(common_name));
        lockfile.direct.extend(asked.filter_map(|it| by_name.get(&it).copied()));
    }
    for (from, to) in edges {
        lockfile.edges.get_mut(from).into_iter().for_each(|it| it.push(to));
    }
    pin_edges(&lockfile.edges, &mut resolved);
    Ok(Parts { contents: Contents::Lockfile(lockfile), declared: Vec::new(), resolved, notes })
}

/// The entries of a table; none when it has none or is none.
fn table<'o, 't>(object: &'o Object<'t>, name: &str) -> &'o [ObjectProp<'t>] {
    match last(object, name).map(|it| &it.value) {
        Some(Value::Object(it)) => &it.properties,
        Some(_) | None => &[],
    }
}

/// The one version of each name that a framework takes.
fn names(framework: &Object<'_>, index_of: &BTreeMap<String, usize>) -> BTreeMap<String, usize> {
    let keys = framework.properties.iter().map(|it| common_name(it.name.as_str()));
    let found = keys.filter_map(|it| Some((it.split('/').next()?.to_owned(), *index_of.get(&it)?)));
    found.collect()
}

fn library(document: &Document<'_>, entry: &ObjectProp<'_>) -> Option<Resolved> {
    let (name, version) = entry.name.as_str().split_once('/')?;
    if name.is_empty() || version.is_empty() {
        return None;
    }
    let key = entry.name.range();
    let end = inside_quotes(&key).end;
    let place = document.place(end - version.len()..end);
    Some(Resolved::locked(Ecosystem::Nuget, common_name(name), version.to_owned(), place))
}
