//! Entries without a name or a version: whatever a format allows there, no package is called nothing.

use crate::model::{Location, Note};

use super::fact::{Declared, Resolved};
use super::format::{Contents, Lockfile, Parts};
use super::note::ENTRY_MALFORMED;

/// Leaves out what has no name or no version, with a note about each.
pub fn leave_out(parts: &mut Parts) {
    let has_name = |it: &Declared| !it.name.is_empty() && !it.raw_name.is_empty();
    let (kept, out) = retain(&mut parts.declared, has_name);
    parts.notes.extend(out.iter().map(|it| note(&it.place)));
    if let Contents::Manifest(it) = &mut parts.contents {
        it.inherited = renumbered(&it.inherited, &kept);
    }
    let (kept, out) =
        retain(&mut parts.resolved, |it: &Resolved| !it.name.is_empty() && !it.version.is_empty());
    if out.is_empty() {
        return;
    }
    parts.notes.extend(out.iter().map(|it| note(&it.place)));
    for it in &mut parts.resolved {
        it.dependencies.retain(|it| !it.name.is_empty() && !it.version.is_empty());
    }
    if let Contents::Lockfile(it) = &mut parts.contents {
        renumber(it, &kept);
    }
}

/// Splits off what is not whole; tells for each entry the index that it has now.
fn retain<T>(entries: &mut Vec<T>, is_whole: impl Fn(&T) -> bool) -> (Vec<Option<usize>>, Vec<T>) {
    let mut count = 0;
    let number = |it: &T| {
        let index = is_whole(it).then_some(count);
        count += usize::from(index.is_some());
        index
    };
    let kept = entries.iter().map(number).collect();
    let (whole, out) = std::mem::take(entries).into_iter().partition(is_whole);
    *entries = whole;
    (kept, out)
}

fn renumber(lockfile: &mut Lockfile, kept: &[Option<usize>]) {
    let now = |index: usize| kept.get(index).copied().flatten();
    let edges = std::mem::take(&mut lockfile.edges).into_iter().zip(kept).filter(|it| it.1.is_some());
    lockfile.edges = edges.map(|(targets, _)| renumbered(&targets, kept)).collect();
    lockfile.own = renumbered(&lockfile.own, kept);
    lockfile.direct = lockfile.direct.iter().filter_map(|it| now(*it)).collect();
    lockfile.top = renumbered(&lockfile.top, kept);
    for wanted in lockfile.wants.values_mut().flat_map(|it| it.values_mut()) {
        *wanted = renumbered(wanted, kept);
    }
    let asked_for = std::mem::take(&mut lockfile.asked_for).into_iter();
    lockfile.asked_for = asked_for.filter_map(|(text, index)| Some((text, now(index)?))).collect();
}

fn renumbered(indices: &[usize], kept: &[Option<usize>]) -> Vec<usize> {
    indices.iter().filter_map(|it| kept.get(*it).copied().flatten()).collect()
}

fn note(place: &Location) -> Note {
    Note::new(ENTRY_MALFORMED, "an entry without a name or a version was left out")
        .at_point(place.path.clone(), place.span.start)
}
