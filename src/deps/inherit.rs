//! What the members of a Cargo workspace take from its root.

use std::collections::BTreeMap;

use crate::model::{Note, RepoPath};

use super::fact::{Declared, Scope};
use super::format::{Contents, Reading};
use super::note::{NOT_INHERITED, WORKSPACE_MISSING};
use super::project::{at_or_above, folder};

/// The entries that members may inherit, by key.
type Catalog = BTreeMap<String, Declared>;

/// Fills what members inherit from the nearest workspace root at or above them.
pub fn inherit(readings: &mut [Reading]) {
    let mut roots: BTreeMap<Option<RepoPath>, Catalog> = BTreeMap::new();
    for reading in readings.iter() {
        if matches!(&reading.contents, Contents::Manifest(it) if it.workspace.is_some()) {
            let catalog = reading.declared.iter().filter(|it| it.scope == Scope::Catalog);
            roots
                .insert(folder(&reading.path), catalog.map(|it| (it.raw_name.clone(), it.clone())).collect());
        }
    }
    for reading in readings {
        let Contents::Manifest(manifest) = &reading.contents else { continue };
        if let Some((named, place)) = &manifest.root
            && !leads_to(&reading.path, named).is_some_and(|it| roots.contains_key(&it))
        {
            let message = format!("there is no workspace root at `{named}`, which this member names");
            let note = Note::new(WORKSPACE_MISSING, message);
            reading.notes.push(note.at_point(place.path.clone(), place.span.start));
        }
        let root = at_or_above(folder(&reading.path)).find_map(|it| roots.get(&it));
        for index in &manifest.inherited {
            let Some(member) = reading.declared.get_mut(*index) else { continue };
            match root.and_then(|it| it.get(&member.raw_name)) {
                Some(entry) => take(member, entry),
                None => reading.notes.push(not_inherited(member)),
            }
        }
    }
}

/// The folder that a path relative to a manifest's folder leads to, inside the repository; the inner none is its root.
fn leads_to(manifest: &RepoPath, relative: &str) -> Option<Option<RepoPath>> {
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
    member.via = Some(entry.place.clone());
}

fn not_inherited(member: &Declared) -> Note {
    let message = format!(
        "`{}` is inherited from the workspace, but no workspace root at or above lists it; its constraint is unknown",
        member.raw_name
    );
    Note::new(NOT_INHERITED, message).at_point(member.place.path.clone(), member.place.span.start)
}
