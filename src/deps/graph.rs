//! From what a project asks for to what that brings with it.

use std::collections::{BTreeSet, VecDeque};

use super::fact::{Declared, Relation, Resolved};
use super::format::Lockfile;

/// The most steps of a path that are spelled out: half from its start, half from its end.
const LONGEST_PATH: usize = 16;

/// The relation of each resolved package to the project; none for the project's own that nothing leads to.
pub fn relations(lockfile: &Lockfile, resolved: &[Resolved], declared: &[Declared]) -> Vec<Option<Relation>> {
    let wanted: Vec<&Declared> = declared.iter().filter(|it| it.scope.is_wanted()).collect();
    let names: BTreeSet<&str> = wanted.iter().map(|it| it.ecosystem.known_as(it)).collect();
    let asked = wanted.iter().filter_map(|it| asked_for(lockfile, it));
    let known_as = |index: &usize| match resolved.get(*index)? {
        Resolved { folder: Some(folder), .. } => folder.strip_prefix("node_modules/"),
        Resolved { name, .. } => Some(name.as_str()),
    };
    let top = lockfile.top.iter().filter(|it| known_as(it).is_some_and(|it| names.contains(it)));
    let direct: BTreeSet<usize> = lockfile.direct.iter().chain(top).copied().chain(asked).collect();
    let parents = shortest(&direct, lockfile, resolved.len());
    let own: BTreeSet<usize> = lockfile.own.iter().copied().collect();
    let relation = |index: usize| match parents.get(index).copied().flatten() {
        Some(Reached::Direct) => Some(Relation::Direct),
        Some(Reached::Through(_)) => Some(Relation::Transitive { path: path(index, &parents, resolved) }),
        None if own.contains(&index) => None,
        None => resolved.get(index).map(|it| it.relation.clone()),
    };
    (0..resolved.len()).map(relation).collect()
}

/// What an entry of a manifest was settled to by its own words; when they changed since, by its name if that is clear.
pub fn asked_for(lockfile: &Lockfile, declared: &Declared) -> Option<usize> {
    let (key, name) = (&declared.raw_name, &declared.name);
    let range = declared.constraint.as_deref().unwrap_or_default();
    let alias =
        if range.is_empty() { format!("{key}@npm:{name}") } else { format!("{key}@npm:{name}@{range}") };
    let spellings = [format!("{key}@{range}"), format!("{key}@npm:{range}"), alias];
    let exact = spellings.iter().find_map(|it| lockfile.asked_for.get(it));
    exact.copied().or_else(|| {
        let start = format!("{key}@");
        let mut found = lockfile.asked_for.range(start.clone()..).take_while(|it| it.0.starts_with(&start));
        let first = *found.next()?.1;
        found.all(|it| *it.1 == first).then_some(first)
    })
}

/// Names for each package what its edges lead to.
pub fn pin_edges(edges: &[Vec<usize>], resolved: &mut [Resolved]) {
    for (index, targets) in edges.iter().enumerate() {
        let pins = targets.iter().filter_map(|it| resolved.get(*it)).map(Resolved::pin).collect();
        if let Some(it) = resolved.get_mut(index) {
            it.dependencies = pins;
        }
    }
}

#[derive(Clone, Copy)]
enum Reached {
    Direct,
    Through(usize),
}

/// How each package is first reached, breadth first; the lower index wins among equals.
fn shortest(direct: &BTreeSet<usize>, lockfile: &Lockfile, packages: usize) -> Vec<Option<Reached>> {
    let mut reached = vec![None; packages];
    let mut queue = VecDeque::new();
    for index in direct {
        if let Some(slot) = reached.get_mut(*index) {
            *slot = Some(Reached::Direct);
            queue.push_back(*index);
        }
    }
    while let Some(from) = queue.pop_front() {
        for to in lockfile.edges.get(from).into_iter().flatten() {
            if let Some(slot @ None) = reached.get_mut(*to) {
                *slot = Some(Reached::Through(from));
                queue.push_back(*to);
            }
        }
    }
    reached
}

/// The way to a package, its ends only when it is very long.
fn path(index: usize, parents: &[Option<Reached>], resolved: &[Resolved]) -> Vec<String> {
    let mut steps = vec![index];
    let mut at = index;
    while let Some(Some(Reached::Through(above))) = parents.get(at) {
        at = *above;
        steps.push(at);
    }
    steps.reverse();
    let name = |it: &usize| resolved.get(*it).map(|it| it.pin().to_string());
    if steps.len() <= LONGEST_PATH {
        return steps.iter().filter_map(name).collect();
    }
    let omitted = format!("({} more)", steps.len() - LONGEST_PATH);
    let (start, end) =
        (steps.iter().take(LONGEST_PATH / 2), steps.iter().skip(steps.len() - LONGEST_PATH / 2));
    start.filter_map(name).chain(std::iter::once(omitted)).chain(end.filter_map(name)).collect()
}
