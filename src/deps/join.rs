//! From what single files say to what the repository depends on.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Note, RepoPath};

use super::ecosystem::Ecosystem;
use super::fact::{Declared, Relation, Resolved, SettledBy, Source};
use super::format::{Contents, Reading};
use super::graph::relations;
use super::include::follow;
use super::inherit::inherit;
use super::project::{Key, Project, group};

/// All dependencies of a repository, sorted by ecosystem, project and name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependencies {
    pub dependencies: Vec<Dependency>,
    /// What could not be read or understood, sorted.
    pub notes: Vec<Note>,
}

/// One package as one project depends on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    pub ecosystem: Ecosystem,
    /// The folder of the project: that of the lockfile, else of the workspace root, else of the manifest. None is the
    /// root of the repository.
    pub project: Option<RepoPath>,
    pub name: String,
    /// The package URL, without a version.
    pub purl: String,
    /// What is asked for, by place.
    pub declared: Vec<Declared>,
    /// All versions that were settled on, by name, version and place.
    pub resolved: Vec<Resolved>,
    pub relation: Relation,
    pub state: State,
}

/// Whether it is known which version the project has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// The lockfile says.
    Locked,
    /// There is no lockfile, but the constraint admits one version only.
    Pinned,
    /// There is no lockfile: the version is unknown.
    Unlocked,
    /// The lockfile does not list it: the version is unknown, and the lockfile may be out of date.
    Missing,
    /// The lockfile cannot be read: the version is unknown.
    LockUnreadable,
    /// It comes from a path, so that the repository's own source is its version.
    Local,
    /// An entry that nothing uses.
    Unused,
}

impl Dependency {
    /// Whether it comes from outside of the repository, so that others may know it by its name.
    pub fn is_from_elsewhere(&self) -> bool {
        let registry = |it: &Source| *it == Source::Registry;
        self.state != State::Local
            && (self.declared.iter().any(|it| registry(&it.source))
                || self.resolved.iter().any(|it| registry(&it.source)))
    }
}

impl State {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Locked => "locked",
            Self::Pinned => "pinned",
            Self::Unlocked => "unlocked",
            Self::Missing => "missing",
            Self::LockUnreadable => "lock_unreadable",
            Self::Local => "local",
            Self::Unused => "unused",
        }
    }
}

/// Puts manifests and lockfiles together. The order of the readings does not matter.
pub fn join(mut readings: Vec<Reading>) -> Dependencies {
    readings.sort_by(|left, right| left.path.cmp(&right.path));
    inherit(&mut readings);
    let includers = follow(&mut readings);
    let mut notes: Vec<Note> = readings.iter_mut().flat_map(|it| std::mem::take(&mut it.notes)).collect();
    let (projects, shadowed) = group(readings, &includers);
    notes.extend(shadowed);
    notes.sort();
    let dependencies = projects.into_iter().flat_map(|(key, project)| of_project(&key, project)).collect();
    Dependencies { dependencies, notes }
}

/// What one project says about one name.
#[derive(Default)]
struct Statements {
    declared: Vec<Declared>,
    resolved: Vec<Resolved>,
}

fn of_project(key: &Key, project: Project) -> Vec<Dependency> {
    let own: BTreeSet<String> = project.manifests.iter().filter_map(package).collect();
    let (mut declared, mut resolved) = (Vec::new(), Vec::new());
    for it in project.manifests {
        declared.extend(it.declared);
        resolved.extend(it.resolved);
    }
    let mut lock = if project.lockfiles.is_empty() { Lock::Absent } else { Lock::Read };
    let mut compiled = Vec::new();
    for reading in project.lockfiles {
        compiled.extend(reading.declared);
        let Contents::Lockfile(lockfile) = reading.contents else {
            lock = Lock::Unreadable;
            continue;
        };
        let relations = relations(&lockfile, &reading.resolved, &declared);
        let placed = reading.resolved.into_iter().zip(relations);
        resolved.extend(placed.filter_map(|(it, relation)| Some(Resolved { relation: relation?, ..it })));
    }
    declared.extend(compiled);
    let mut names: BTreeMap<String, Statements> = BTreeMap::new();
    for it in declared {
        names.entry(it.name.clone()).or_default().declared.push(it);
    }
    for it in resolved {
        names.entry(it.name.clone()).or_default().resolved.push(it);
    }
    let mut dependencies: Vec<Dependency> =
        names.into_iter().map(|(name, statements)| dependency(key, name, statements, lock)).collect();
    // Yarn 1 and pnpm lock no package of the workspace itself.
    for it in dependencies.iter_mut().filter(|it| it.state == State::Missing && own.contains(&it.name)) {
        it.state = State::Local;
    }
    dependencies
}

/// The name of the package that a manifest describes.
fn package(manifest: &Reading) -> Option<String> {
    match &manifest.contents {
        Contents::Manifest(it) => it.package.clone(),
        Contents::Lockfile(_) | Contents::Unreadable => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Lock {
    Absent,
    Read,
    Unreadable,
}

fn dependency(key: &Key, name: String, statements: Statements, lock: Lock) -> Dependency {
    let Statements { mut declared, mut resolved } = statements;
    declared.sort_by(|left, right| left.place.cmp(&right.place).then_with(|| left.cmp(right)));
    let is_wanted = declared.iter().any(|it| it.scope.is_wanted());
    let settled: BTreeSet<String> = resolved.iter().map(|it| key.0.release(&it.version)).collect();
    if lock == Lock::Absent || (key.0.has_several_lockfiles() && settled.is_empty()) {
        let pins = declared.iter().filter(|it| it.scope.is_wanted()).filter_map(pinned);
        resolved.extend(pins.filter(|it| !settled.contains(&key.0.release(&it.version))));
        // What a constraints file pins is settled for those who want it.
        if resolved.is_empty() && is_wanted && key.0.has_several_lockfiles() {
            resolved.extend(declared.iter().filter_map(pinned));
        }
    }
    resolved.sort_by(|left, right| {
        (&left.version, &left.place, &left.folder).cmp(&(&right.version, &right.place, &right.folder))
    });
    let relation = if is_wanted { Relation::Direct } else { nearest(&resolved) };
    Dependency {
        ecosystem: key.0,
        project: key.1.clone(),
        purl: key.0.purl(&name, None),
        state: state(&declared, &resolved, lock),
        name,
        declared,
        resolved,
        relation,
    }
}

/// The version that an entry settles by itself.
fn pinned(declared: &Declared) -> Option<Resolved> {
    if declared.source != Source::Registry {
        return None;
    }
    let version = declared.ecosystem.pinned(declared.constraint.as_deref()?)?;
    Some(Resolved {
        ecosystem: declared.ecosystem,
        name: declared.name.clone(),
        version: version.to_owned(),
        place: declared.place.clone(),
        source: declared.source,
        origin: declared.origin.clone(),
        checksum: None,
        scope: Some(declared.scope),
        folder: None,
        dependencies: Vec::new(),
        relation: Relation::Direct,
        settled_by: SettledBy::Constraint,
    })
}

/// The closest relation that any version has: direct, else the shortest path.
fn nearest(resolved: &[Resolved]) -> Relation {
    let rank = |it: &&Relation| match it {
        Relation::Direct => 0,
        Relation::Transitive { path } => path.len(),
        Relation::Unlinked => usize::MAX,
    };
    resolved.iter().map(|it| &it.relation).min_by_key(rank).cloned().unwrap_or(Relation::Unlinked)
}

fn state(declared: &[Declared], resolved: &[Resolved], lock: Lock) -> State {
    let mut wanted = declared.iter().filter(|it| it.scope.is_wanted()).peekable();
    if !resolved.is_empty() {
        let is_locked = resolved.iter().any(|it| it.settled_by == SettledBy::Lockfile);
        return if is_locked { State::Locked } else { State::Pinned };
    }
    if wanted.peek().is_none() {
        return State::Unused;
    }
    if wanted.all(|it| matches!(it.source, Source::Path | Source::Workspace)) {
        return State::Local;
    }
    match lock {
        Lock::Absent => State::Unlocked,
        Lock::Read => State::Missing,
        Lock::Unreadable => State::LockUnreadable,
    }
}
