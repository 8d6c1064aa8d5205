//! What the members of a workspace take from its root: entries of a Cargo workspace, and of the catalogs of pnpm, yarn
//! and bun.

use std::collections::BTreeMap;

use crate::model::{Note, RepoPath, counted};

use super::ecosystem::Ecosystem;
use super::fact::{Declared, Scope, Via};
use super::format::{Contents, Manifest, Reading};
use super::note::{NOT_INHERITED, WORKSPACE_MISSING, WORKSPACE_OUTSIDE};
use super::project::{Key, at_or_above, folder};

/// The entries that members may inherit, by catalog and key.
type Catalog = BTreeMap<(String, String), Declared>;

/// What begins the constraint of an entry that takes it from a catalog.
pub const CATALOG: &str = "catalog:";

/// The one nameless catalog, which pnpm also calls `default`.
pub const DEFAULT_CATALOG: &str = "default";

/// Fills what members inherit from the nearest root at or above them.
pub fn inherit(readings: &mut [Reading]) {
    let mut roots: BTreeMap<Key, Catalog> = BTreeMap::new();
    for reading in readings.iter() {
        let catalog: Catalog = reading
            .declared
            .iter()
            .filter(|it| it.scope == Scope::Catalog)
            .map(|it| ((it.target.clone().unwrap_or_default(), it.raw_name.clone()), it.clone()))
            .collect();
        if is_root(reading) || !catalog.is_empty() {
            // The list of members and the catalogs can stand in two files of one folder.
            roots.entry((reading.ecosystem, folder(&reading.path))).or_default().extend(catalog);
        }
    }
    for reading in readings {
        let Contents::Manifest(manifest) = &reading.contents else { continue };
        let ecosystem = reading.ecosystem;
        if let Some((named, place)) = &manifest.root
            && !leads_to(&reading.path, named).is_some_and(|it| roots.contains_key(&(ecosystem, it)))
        {
            let message = format!("there is no workspace root at `{named}`, which this member names");
            let note = Note::new(WORKSPACE_MISSING, message);
            reading.notes.push(note.at_point(place.path.clone(), place.span.start));
        }
        reading.notes.extend(outside(ecosystem, &reading.path, manifest));
        let root = at_or_above(folder(&reading.path)).find_map(|it| roots.get(&(ecosystem, it)));
        for index in &manifest.inherited {
            let Some(member) = reading.declared.get_mut(*index) else { continue };
            let key = (catalog_of(member).unwrap_or_default().to_owned(), member.raw_name.clone());
            match root.and_then(|it| it.get(&key)) {
                Some(entry) => take(member, entry),
                None => reading.notes.push(not_inherited(member)),
            }
        }
    }
}

/// That members lie outside of the folder of their workspace. Go and Maven take them from the whole repository.
fn outside(ecosystem: Ecosystem, path: &RepoPath, manifest: &Manifest) -> Option<Note> {
    let takes_all = matches!(ecosystem, Ecosystem::Golang | Ecosystem::Maven);
    let is_above = |it: &&String| it.trim_start_matches("./").split('/').next() == Some("..");
    let is_outside = |it: &&String| if takes_all { leads_to(path, it).is_none() } else { is_above(it) };
    let named = || manifest.workspace.iter().flatten().filter(is_outside);
    let first = named().next()?;
    let members = counted(named().count() as u64, "member");
    let message = format!("{members} outside of the workspace left out of it, the first of them `{first}`");
    Some(Note::new(WORKSPACE_OUTSIDE, message).at(path.clone()))
}

fn is_root(reading: &Reading) -> bool {
    matches!(&reading.contents, Contents::Manifest(it) if it.workspace.is_some())
}

/// The catalog that an entry such as `catalog:react18` names; none for an entry that names none.
pub fn catalog_of(declared: &Declared) -> Option<&str> {
    let name = declared.constraint.as_deref()?.strip_prefix(CATALOG)?.trim();
    Some(if name == DEFAULT_CATALOG { "" } else { name })
}

/// The folder that a path relative to a manifest's folder leads to, inside the repository; the inner none is its root.
pub fn leads_to(manifest: &RepoPath, relative: &str) -> Option<Option<RepoPath>> {
    let mut at = folder(manifest);
    for part in relative.split('/').filter(|it| !matches!(*it, "" | ".")) {
        at = match (part, at) {
            ("..", None) => return None,
            ("..", Some(folder)) => folder.parent(),
            (name, Some(folder)) => Some(folder.join(name.as_bytes()).ok()?),
            (name, None) => Some(RepoPath::new(name.as_bytes()).ok()?),
        };
    }
    Some(at)
}

fn take(member: &mut Declared, entry: &Declared) {
    member.name.clone_from(&entry.name);
    member.constraint.clone_from(&entry.constraint);
    member.evaluated.clone_from(&entry.evaluated);
    member.source = entry.source;
    member.origin.clone_from(&entry.origin);
    member.via = Some(Via::Entry(entry.place.clone()));
}

fn not_inherited(member: &Declared) -> Note {
    let message = format!(
        "`{}` is inherited from the workspace, but no workspace root at or above lists it; its constraint is unknown",
        member.raw_name
    );
    Note::new(NOT_INHERITED, message).at_point(member.place.path.clone(), member.place.span.start)
}
