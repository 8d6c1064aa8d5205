//! Whether the copies in `vendor` are those of the module, by the rules of the `go` command: from Go 1.14 on each
//! requirement is marked as explicit there, at its version, and each replacement stands there as it is.
//! <https://go.dev/ref/mod#build-commands>

use std::collections::{BTreeMap, BTreeSet};

use crate::deps::fact::{Declared, Scope, Settled};
use crate::deps::format::{Contents, Reading};
use crate::deps::note::LOCK_DRIFTED;
use crate::deps::project::{folder, project_folder};
use crate::model::{Location, Note};

use super::build::Build;
use super::version::is_canonical;

/// A module as the list of copies names it.
#[derive(Clone, Debug)]
pub struct Copied {
    pub module: Module,
    pub is_explicit: bool,
    /// What takes its place: a module, or a folder without a version.
    pub replaced_by: Option<Module>,
    pub place: Location,
}

/// A path and a version; none stands for all.
pub type Module = (String, Option<String>);

/// Marks what a module asks for and its copies do not have, and notes what the copies have and the module does not.
pub fn compare(readings: &mut [Reading], build: &Build) {
    // The copies of a workspace are those of all its modules; which command takes them depends on where it runs.
    let (None, [module]) = (build.workspace, build.modules.as_slice()) else { return };
    let Some(home) = readings.get(*module).map(|it| folder(&it.path)) else { return };
    let marks_all = readings.get(*module).and_then(Reading::manifest).is_some_and(|it| it.marks_copies);
    let list = readings.iter().position(|it| {
        matches!(&it.contents, Contents::Lockfile(list) if !list.copied.is_empty())
            && project_folder(it) == home
    });
    let (true, Some(list)) = (marks_all, list) else { return };
    let copied = readings.get(list).map(copies).unwrap_or_default();
    let Some(module) = readings.get_mut(*module) else { return };
    for it in module.declared.iter_mut().filter(|it| is_absent(it, &copied)) {
        it.settled = Settled::Missing;
    }
    let notes: Vec<Note> = copied.values().filter_map(|it| unwanted(it, &module.declared)).collect();
    if let Some(list) = readings.get_mut(list) {
        list.notes.extend(notes);
    }
}

/// The copies by module; of one that is listed twice, which the list does for replacements, what either says.
fn copies(list: &Reading) -> BTreeMap<Module, Copied> {
    let Contents::Lockfile(list) = &list.contents else { return BTreeMap::new() };
    let mut copies: BTreeMap<Module, Copied> = BTreeMap::new();
    for it in &list.copied {
        let known = copies.entry(it.module.clone()).or_insert_with(|| it.clone());
        known.is_explicit |= it.is_explicit;
        if it.replaced_by.is_some() {
            known.replaced_by.clone_from(&it.replaced_by);
        }
    }
    copies
}

/// Whether the copies lack a requirement or a replacement.
fn is_absent(declared: &Declared, copied: &BTreeMap<Module, Copied>) -> bool {
    if declared.scope == Scope::Override {
        let replaced = copied.get(&(declared.raw_name.clone(), declared.target.clone()));
        return replaced.and_then(|it| it.replaced_by.as_ref()) != Some(&replacement(declared));
    }
    // The command itself looks up the version of a branch or a commit first.
    let is_version = declared.constraint.as_deref().is_some_and(is_canonical);
    let required = copied.get(&(declared.name.clone(), declared.constraint.clone()));
    is_version && !required.is_some_and(|it| it.is_explicit)
}

fn replacement(declared: &Declared) -> Module {
    let path = declared.origin.as_ref().map_or(declared.name.as_str(), |it| it.as_str());
    (path.to_owned(), declared.constraint.clone())
}

/// That the copies have what the module does not ask for.
fn unwanted(copied: &Copied, declared: &[Declared]) -> Option<Note> {
    let (path, version) = &copied.module;
    let shown = version.as_ref().map_or_else(|| path.clone(), |it| format!("{path} {it}"));
    let required: BTreeSet<(&str, Option<&str>)> = declared
        .iter()
        .filter(|it| it.scope != Scope::Override)
        .map(|it| (it.name.as_str(), it.constraint.as_deref()))
        .collect();
    let mut replaced = declared.iter().filter(|it| it.scope == Scope::Override && it.raw_name == *path);
    let is_replaced = replaced.any(|it| it.target.is_none() || it.target == *version);
    let message = if copied.is_explicit && !required.contains(&(path.as_str(), version.as_deref())) {
        format!("marks `{shown}` as explicit, which `go.mod` does not require")
    } else if copied.replaced_by.is_some() && !is_replaced {
        format!("replaces `{shown}`, which `go.mod` does not")
    } else {
        return None;
    };
    Some(Note::new(LOCK_DRIFTED, message).at_point(copied.place.path.clone(), copied.place.span.start))
}
