//! Files that a requirements file takes in: those of further requirements, and those of mere constraints.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::model::{Location, Note, RepoPath};

use super::document::Document;
use super::fact::Scope;
use super::format::{Contents, Reading, is_manifest};
use super::note::NOT_INCLUDED;

/// A file that another one takes in.
#[derive(Clone, Debug)]
pub struct Include {
    pub path: RepoPath,
    pub kind: IncludeKind,
    pub place: Location,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IncludeKind {
    Requirements,
    Constraints,
}

/// Resolves the path of an include, from the folder of the file that has it.
///
/// # Errors
/// When it leads out of the repository; the note says so.
pub fn include(
    document: &Document<'_>,
    path: &str,
    place: Range<usize>,
    kind: IncludeKind,
) -> Result<Include, Note> {
    let path = path.trim_matches(['"', '\'']);
    let folder = document.path.parent();
    let mut parts: Vec<&[u8]> = folder.iter().flat_map(|it| it.as_bytes().split(|it| *it == b'/')).collect();
    let mut is_inside = !path.contains("://") && !path.starts_with(['/', '~']) && !path.contains("${");
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => is_inside &= parts.pop().is_some(),
            part => parts.push(part.as_bytes()),
        }
    }
    match RepoPath::new(&parts.join(&b'/')).ok().filter(|_| is_inside) {
        Some(path) => Ok(Include { path, kind, place: document.place(place) }),
        None => {
            let message = "the included file is not one of this repository and was not read";
            Err(document.note(NOT_INCLUDED, place.start, message))
        }
    }
}

fn includes(reading: &Reading) -> &[Include] {
    match &reading.contents {
        Contents::Manifest(it) => &it.includes,
        Contents::Lockfile(_) | Contents::Unreadable => &[],
    }
}

/// The included files that are not among the readings.
pub fn unread(readings: &[Reading]) -> BTreeSet<RepoPath> {
    let read: BTreeSet<&RepoPath> = readings.iter().map(|it| &it.path).collect();
    let wanted = readings.iter().flat_map(includes).map(|it| &it.path);
    wanted.filter(|it| !read.contains(it)).cloned().collect()
}

/// Notes includes that lead nowhere or in circles, makes what is only a constraint no dependency, and tells for every
/// file that is taken in the file that it belongs to.
pub fn follow(readings: &mut [Reading]) -> BTreeMap<RepoPath, RepoPath> {
    let index_of: BTreeMap<RepoPath, usize> =
        readings.iter().enumerate().map(|(index, it)| (it.path.clone(), index)).collect();
    let mut notes = Vec::new();
    let (mut includer, mut constrains, mut required) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
    for (index, reading) in readings.iter().enumerate() {
        for it in includes(reading) {
            let note = |message: &str| {
                Note::new(NOT_INCLUDED, message).at_point(it.place.path.clone(), it.place.span.start)
            };
            let Some(target) = index_of.get(&it.path).copied() else {
                notes.push((index, note(&format!("the included file `{}` was not found", it.path))));
                continue;
            };
            if leads_to(&includer, index, target) {
                notes.push((index, note(&format!("`{}` includes itself by this line", it.path))));
                continue;
            }
            match it.kind {
                IncludeKind::Requirements => required.insert(target),
                IncludeKind::Constraints => constrains.insert(target),
            };
            includer.entry(target).or_insert(index);
        }
    }
    for (index, note) in notes {
        readings.get_mut(index).into_iter().for_each(|it| it.notes.push(note.clone()));
    }
    for index in constrains.difference(&required) {
        let Some(reading) = readings.get_mut(*index) else { continue };
        let says_so = reading.path.file_name().windows(10).any(|it| it == b"constraint");
        if says_so || !is_manifest(&reading.path) {
            reading.declared.iter_mut().for_each(|it| it.scope = Scope::Override);
        }
    }
    let path = |index: usize| readings.get(index).map(|it| it.path.clone());
    includer.keys().filter_map(|it| Some((path(*it)?, path(outermost(&includer, *it))?))).collect()
}

/// Whether the way up from a file passes another one.
fn leads_to(includer: &BTreeMap<usize, usize>, from: usize, to: usize) -> bool {
    way_up(includer, from).any(|it| it == to)
}

fn outermost(includer: &BTreeMap<usize, usize>, from: usize) -> usize {
    way_up(includer, from).last().unwrap_or(from)
}

fn way_up(includer: &BTreeMap<usize, usize>, from: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(from), |it| includer.get(it).copied())
}
