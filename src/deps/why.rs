//! By which ways a package got into a project.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::model::{Location, RepoPath};

use super::ecosystem::Ecosystem;
use super::fact::{Declared, Pin, Relation, Resolved, Scope};
use super::join::{Dependencies, Dependency};

/// The most ways that are spelled out for one version; the shortest come first.
const MOST_WAYS: usize = 50;

/// One package in one project, at one version where a version is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presence {
    pub ecosystem: Ecosystem,
    pub project: Option<RepoPath>,
    pub name: String,
    pub version: Option<String>,
    /// Where a file settles the version, else where one asks for the package.
    pub place: Option<Location>,
    pub ways: Vec<Way>,
    /// How many ways there are, one for each direct dependency that leads here.
    pub total: usize,
}

/// A shortest way from one direct dependency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// Who asks for the direct dependency.
    pub declared: Vec<Declared>,
    /// From the direct dependency to the package, both included; empty when no version is known.
    pub steps: Vec<String>,
}

/// Finds a package in every project by its name, `NAME@VERSION`, the key that a manifest has for it, or its package
/// URL with or without a version.
pub fn why(dependencies: &Dependencies, wanted: &str) -> Vec<Presence> {
    let mut found = Vec::new();
    let mut projects: BTreeMap<(Ecosystem, Option<&RepoPath>), Vec<&Dependency>> = BTreeMap::new();
    for it in &dependencies.dependencies {
        projects.entry((it.ecosystem, it.project.as_ref())).or_default().push(it);
    }
    for project in projects.values() {
        let mut graph = None;
        for dependency in project {
            let named = is_named(dependency, wanted);
            let versions: BTreeMap<&str, &Resolved> = dependency
                .resolved
                .iter()
                .rev()
                .filter(|it| named && keyed(dependency, it, wanted) || is_version(dependency, it, wanted))
                .map(|it| (it.version.as_str(), it))
                .collect();
            if named && versions.is_empty() {
                found.push(unsettled(dependency));
            }
            for resolved in versions.values() {
                let graph = graph.get_or_insert_with(|| Graph::of(project));
                found.push(graph.presence(dependency, resolved));
            }
        }
    }
    found
}

/// Whether a person means this dependency by a name.
pub fn is_named(dependency: &Dependency, wanted: &str) -> bool {
    dependency.name == wanted
        || dependency.purl == wanted
        || dependency.declared.iter().any(|it| it.raw_name == wanted)
}

/// Whether a version is one of those that the entries of a key got, where it is a key that is asked after.
fn keyed(dependency: &Dependency, resolved: &Resolved, wanted: &str) -> bool {
    dependency.name == wanted || dependency.purl == wanted || {
        let mut entries = dependency.declared.iter().filter(|it| it.raw_name == wanted);
        entries.any(|it| is_got(dependency, it, &resolved.version))
    }
}

/// Whether an entry got a version: the lockfile says so, or the entry is itself what settles it.
fn is_got(dependency: &Dependency, declared: &Declared, version: &str) -> bool {
    let mut versions = dependency.resolved.iter().filter(|it| it.version == version);
    declared.settled.admits(version) || versions.any(|it| it.place == declared.place)
}

fn is_version(dependency: &Dependency, resolved: &Resolved, wanted: &str) -> bool {
    let pin = resolved.pin().to_string();
    pin == wanted || dependency.ecosystem.purl(&dependency.name, Some(&resolved.version)) == wanted
}

/// A package that is asked for and has no version.
fn unsettled(dependency: &Dependency) -> Presence {
    let place = dependency.declared.first().map(|it| it.place.clone());
    let ways = vec![Way { declared: dependency.declared.clone(), steps: Vec::new() }];
    presence(dependency, None, place, ways)
}

fn presence(
    dependency: &Dependency,
    version: Option<&str>,
    place: Option<Location>,
    mut ways: Vec<Way>,
) -> Presence {
    let total = ways.len();
    ways.sort_by(|left, right| (left.steps.len(), &left.steps).cmp(&(right.steps.len(), &right.steps)));
    ways.truncate(MOST_WAYS);
    Presence {
        ecosystem: dependency.ecosystem,
        project: dependency.project.clone(),
        name: dependency.name.clone(),
        version: version.map(str::to_owned),
        place,
        ways,
        total,
    }
}

/// What needs what in one project.
struct Graph<'d> {
    needed_by: BTreeMap<&'d Pin, BTreeSet<Pin>>,
    direct: BTreeMap<Pin, &'d Dependency>,
}

impl<'d> Graph<'d> {
    fn of(project: &[&'d Dependency]) -> Self {
        let mut graph = Self { needed_by: BTreeMap::new(), direct: BTreeMap::new() };
        for dependency in project {
            for resolved in &dependency.resolved {
                if resolved.relation == Relation::Direct {
                    graph.direct.insert(resolved.pin(), dependency);
                }
                for needed in &resolved.dependencies {
                    graph.needed_by.entry(needed).or_default().insert(resolved.pin());
                }
            }
        }
        graph
    }

    fn presence(&self, dependency: &Dependency, resolved: &Resolved) -> Presence {
        let target = resolved.pin();
        // For each package that leads to the target, the next step towards it.
        let mut next: BTreeMap<&Pin, Option<&Pin>> = BTreeMap::from([(&target, None)]);
        let mut queue = VecDeque::from([&target]);
        let mut ways = Vec::new();
        while let Some(pin) = queue.pop_front() {
            if let Some(direct) = self.direct.get(pin) {
                let steps = std::iter::successors(Some(pin), |it| next.get(it).copied().flatten());
                let asks = |it: &&Declared| it.scope.is_wanted() && is_got(direct, it, &pin.version);
                ways.push(Way {
                    declared: direct.declared.iter().filter(asks).cloned().collect(),
                    steps: steps.map(ToString::to_string).collect(),
                });
            }
            for above in self.needed_by.get(pin).into_iter().flatten() {
                if !next.contains_key(above) {
                    next.insert(above, Some(pin));
                    queue.push_back(above);
                }
            }
        }
        // A list of a build says that others bring a package, and not which.
        if ways.is_empty() {
            let declared = dependency.declared.iter().filter(|it| it.scope == Scope::Indirect).cloned();
            let declared: Vec<Declared> = declared.collect();
            let steps = vec![target.to_string()];
            ways.extend((!declared.is_empty()).then_some(Way { declared, steps }));
        }
        presence(dependency, Some(&resolved.version), Some(resolved.place.clone()), ways)
    }
}
