//! What a change does to the dependencies of a repository.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Location, RepoPath};

use super::distance::{Distance, distance};
use super::ecosystem::Ecosystem;
use super::fact::{Declared, Relation, Resolved, Scope, SettledBy};
use super::join::{Dependencies, Dependency};

/// One difference in how a project depends on a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DependencyChange {
    pub ecosystem: Ecosystem,
    pub project: Option<RepoPath>,
    pub name: String,
    pub purl: String,
    /// The relation after the change; before it when the dependency is gone.
    pub relation: Relation,
    pub change: Change,
    /// The place before, where there was one.
    pub before: Option<Location>,
    /// The place after, where there is one.
    pub after: Option<Location>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// The project did not depend on it before: what it asks for, and its versions where they are known.
    Added { constraints: Vec<String>, versions: Vec<String> },
    /// The project no longer depends on it.
    Removed { constraints: Vec<String>, versions: Vec<String> },
    /// One entry of a manifest asks for something else; none where there is no such entry or it states no version.
    Constraint { scope: Scope, from: Option<String>, to: Option<String> },
    /// The versions that are gone and those that came; either may be empty when a version was only added or dropped.
    Version { from: Vec<String>, to: Vec<String> },
    /// A version that stayed comes from elsewhere.
    Origin { from: Vec<String>, to: Vec<String> },
    /// A version that stayed has another content.
    Checksum { from: Vec<String>, to: Vec<String> },
}

impl Change {
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Added { .. } => "added",
            Self::Removed { .. } => "removed",
            Self::Constraint { .. } => "constraint_changed",
            Self::Version { .. } => "version_moved",
            Self::Origin { .. } => "source_changed",
            Self::Checksum { .. } => "checksum_changed",
        }
    }

    /// How far a version moved, where one version took the place of one other.
    pub fn distance(&self) -> Option<Distance> {
        match self {
            Self::Version { from, to } => match (from.as_slice(), to.as_slice()) {
                ([from], [to]) => distance(from, to),
                _ => None,
            },
            Self::Added { .. }
            | Self::Removed { .. }
            | Self::Constraint { .. }
            | Self::Origin { .. }
            | Self::Checksum { .. } => None,
        }
    }

    /// What is asked for or settled on before and after.
    pub fn values(&self) -> (Vec<&str>, Vec<&str>) {
        match self {
            Self::Added { versions, .. } => (Vec::new(), texts(versions)),
            Self::Removed { versions, .. } => (texts(versions), Vec::new()),
            Self::Constraint { from, to, .. } => {
                (from.as_deref().into_iter().collect(), to.as_deref().into_iter().collect())
            }
            Self::Version { from, to } | Self::Origin { from, to } | Self::Checksum { from, to } => {
                (texts(from), texts(to))
            }
        }
    }

    /// What is asked for before and after, of a dependency that came or went.
    pub fn constraints(&self) -> (Vec<&str>, Vec<&str>) {
        match self {
            Self::Added { constraints, .. } => (Vec::new(), texts(constraints)),
            Self::Removed { constraints, .. } => (texts(constraints), Vec::new()),
            Self::Constraint { .. } | Self::Version { .. } | Self::Origin { .. } | Self::Checksum { .. } => {
                (Vec::new(), Vec::new())
            }
        }
    }
}

fn texts(versions: &[String]) -> Vec<&str> {
    versions.iter().map(String::as_str).collect()
}

/// What differs between two states of a repository, by ecosystem, project, name and kind of change.
pub fn changes(before: &Dependencies, after: &Dependencies) -> Vec<DependencyChange> {
    let (old, new) = (by_identity(before), by_identity(after));
    let identities: BTreeSet<_> = old.keys().chain(new.keys()).copied().collect();
    identities
        .into_iter()
        .flat_map(|identity| match (old.get(&identity), new.get(&identity)) {
            (None, None) => Vec::new(),
            (None, Some(new)) => {
                let kind = Change::Added { constraints: constraints(new), versions: versions(new) };
                vec![change(new, kind, None, any_place(new))]
            }
            (Some(old), None) => {
                let kind = Change::Removed { constraints: constraints(old), versions: versions(old) };
                vec![change(old, kind, any_place(old), None)]
            }
            (Some(old), Some(new)) => differences(old, new),
        })
        .collect()
}

type Identity<'d> = (Ecosystem, Option<&'d RepoPath>, &'d str);

fn by_identity(dependencies: &Dependencies) -> BTreeMap<Identity<'_>, &Dependency> {
    dependencies.dependencies.iter().map(|it| (it.identity(), it)).collect()
}

fn differences(old: &Dependency, new: &Dependency) -> Vec<DependencyChange> {
    let (asked_before, asked_after) = (by_entry(old), by_entry(new));
    let entries: BTreeSet<_> = asked_before.keys().chain(asked_after.keys()).copied().collect();
    let mut changes: Vec<DependencyChange> = entries
        .into_iter()
        .filter_map(|entry| {
            let (before, after) = (asked_before.get(&entry), asked_after.get(&entry));
            // What is written with variables changes with them.
            let text = |it: Option<&&Declared>| it.and_then(|it| it.asked().map(str::to_owned));
            let (from, to) = (text(before), text(after));
            if from == to && before.is_some() == after.is_some() {
                return None;
            }
            let scope = entry.1;
            let place = |it: Option<&&Declared>| it.map(|it| it.place.clone());
            Some(change(new, Change::Constraint { scope, from, to }, place(before), place(after)))
        })
        .collect();
    let (had, has) = (releases(old), releases(new));
    if had != has {
        let place = |dependency: &Dependency, others: &BTreeSet<String>| {
            let is_other = |version: &str| !others.contains(&dependency.ecosystem.release(version));
            let resolved = dependency.resolved.iter().find(|it| is_other(&it.version));
            resolved.map(|it| it.place.clone())
        };
        let (before, after) = (place(old, &has), place(new, &had));
        let only = |dependency: &Dependency, others: &BTreeSet<String>| {
            let mut versions = versions(dependency);
            versions.retain(|it| !others.contains(&dependency.ecosystem.release(it)));
            versions
        };
        let (from, to) = (only(old, &has), only(new, &had));
        changes.push(change(new, Change::Version { from, to }, before, after));
    }
    for version in had.intersection(&has) {
        changes.extend(substitutions(old, new, version));
    }
    changes
}

/// What a lockfile states of a version.
type Statement = fn(&Resolved) -> Option<String>;
/// What it means that it states something else.
type Difference = fn(Vec<String>, Vec<String>) -> Change;

/// What a version that stayed has instead of what it had: its source, and its checksum where both sides state one.
fn substitutions(old: &Dependency, new: &Dependency, version: &str) -> Vec<DependencyChange> {
    let copies = |it: &'_ Dependency| -> Vec<Resolved> {
        let copies = it.resolved.iter().filter(|copy| it.ecosystem.release(&copy.version) == version);
        copies.filter(|it| it.settled_by == SettledBy::Lockfile).cloned().collect()
    };
    let (before, after) = (copies(old), copies(new));
    let place = |copies: &[Resolved]| copies.first().map(|it| it.place.clone());
    let compared: [(Statement, Difference); 2] = [
        (|it| Some(it.origin.as_ref()?.to_string()), |from, to| Change::Origin { from, to }),
        (|it| it.checksum.clone(), |from, to| Change::Checksum { from, to }),
    ];
    let mut changes = Vec::new();
    for (stated, build) in compared {
        let all = |copies: &[Resolved]| copies.iter().filter_map(stated).collect::<BTreeSet<String>>();
        let (from, to) = (all(&before), all(&after));
        // A lockfile of another format can leave either out.
        if from != to && !from.is_empty() && !to.is_empty() {
            let only =
                |one: &BTreeSet<String>, other: &BTreeSet<String>| one.difference(other).cloned().collect();
            let kind = build(only(&from, &to), only(&to, &from));
            changes.push(change(new, kind, place(&before), place(&after)));
        }
    }
    changes
}

/// What tells the entries of one package apart: file, scope, condition and key. Of equal entries the last counts.
type Entry<'d> = (&'d RepoPath, Scope, Option<&'d str>, &'d str);

fn by_entry(dependency: &Dependency) -> BTreeMap<Entry<'_>, &Declared> {
    dependency
        .declared
        .iter()
        .map(|it| ((&it.place.path, it.scope, it.target.as_deref(), it.raw_name.as_str()), it))
        .collect()
}

fn versions(dependency: &Dependency) -> Vec<String> {
    let versions: BTreeSet<&str> = dependency.resolved.iter().map(|it| it.version.as_str()).collect();
    versions.into_iter().map(str::to_owned).collect()
}

fn constraints(dependency: &Dependency) -> Vec<String> {
    let constraints: BTreeSet<&str> = dependency.declared.iter().filter_map(Declared::asked).collect();
    constraints.into_iter().map(str::to_owned).collect()
}

/// The versions without the differences between spellings of one release.
fn releases(dependency: &Dependency) -> BTreeSet<String> {
    dependency.resolved.iter().map(|it| dependency.ecosystem.release(&it.version)).collect()
}

/// The first place that states the dependency, in a manifest if it can be.
fn any_place(dependency: &Dependency) -> Option<Location> {
    let declared = dependency.declared.first().map(|it| &it.place);
    declared.or_else(|| dependency.resolved.first().map(|it| &it.place)).cloned()
}

fn change(
    dependency: &Dependency,
    change: Change,
    before: Option<Location>,
    after: Option<Location>,
) -> DependencyChange {
    DependencyChange {
        ecosystem: dependency.ecosystem,
        project: dependency.project.clone(),
        name: dependency.name.clone(),
        purl: dependency.purl.clone(),
        relation: dependency.relation.clone(),
        change,
        before,
        after,
    }
}
