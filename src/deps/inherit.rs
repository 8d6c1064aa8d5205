//! What the members of a Cargo workspace take from its root.

use std::collections::BTreeMap;

use crate::model::{Note, RepoPath};

use super::fact::{Declared, Scope};
use super::format::{Contents, Reading};
use super::note::NOT_INHERITED;
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

fn take(member: &mut Declared, entry: &Declared) {
    member.name.clone_from(&entry.name);
    member.constraint.clone_from(&entry.constraint);
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
