//! From what single files say to what the repository depends on.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Note, Redacted, RepoPath};

use super::dotnet;
use super::ecosystem::Ecosystem;
use super::fact::{Declared, Relation, Resolved, Scope, SettledBy, Source};
use super::format::{Contents, Reading};
use super::golang;
use super::graph::relations;
use super::include::follow;
use super::inherit::inherit;
use super::jvm;
use super::project::{Key, Project, group};
use super::python;
use super::settle::settle;

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
    /// The manifest says, which is a list of what the build takes.
    Selected,
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
            Self::Selected => "selected",
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
    golang::settle(&mut readings);
    dotnet::evaluate(&mut readings);
    jvm::evaluate(&mut readings);
    python::name(&mut readings);
    let includers = follow(&mut readings);
    // Here every statement is made, whatever reader or evaluation made it.
    readings.iter_mut().for_each(Reading::redact);
    let mut notes: Vec<Note> = readings.iter_mut().flat_map(|it| std::mem::take(&mut it.notes)).collect();
    let (projects, shadowed) = group(readings, &includers);
    notes.extend(shadowed);
    let mut dependencies: Vec<Dependency> =
        projects.into_iter().flat_map(|(key, project)| of_project(&key, project)).collect();
    dependencies.sort_by(|left, right| left.identity().cmp(&right.identity()));
    // Two tools of one folder, such as npm and Deno, can want the same package.
    dependencies.dedup_by(|next, kept| next.identity() == kept.identity() && kept.absorb(next));
    notes.extend(dependencies.iter().flat_map(Dependency::drifts).map(|it| it.note()));
    for it in &mut notes {
        it.message = Redacted::new(std::mem::take(&mut it.message)).into();
    }
    notes.sort();
    // Files that take the same from a third one can miss the same in it.
    notes.dedup();
    Dependencies { dependencies, notes }
}

impl Dependency {
    /// What tells it from all others of a repository.
    pub fn identity(&self) -> (Ecosystem, Option<&RepoPath>, &str) {
        (self.ecosystem, self.project.as_ref(), &self.name)
    }

    /// Whether it is only an entry that nothing uses.
    pub fn is_unused(&self) -> bool {
        self.state == State::Unused
    }

    /// Whether it is named only where a version or a source is replaced, and nothing has it.
    pub fn is_only_replaced(&self) -> bool {
        self.resolved.is_empty() && self.declared.iter().all(|it| it.scope == Scope::Override)
    }

    /// Takes in what another tool says of the same package.
    fn absorb(&mut self, other: &mut Self) -> bool {
        self.declared.append(&mut other.declared);
        self.resolved.append(&mut other.resolved);
        self.relation = std::mem::replace(&mut self.relation, Relation::Unlinked).min(other.relation.clone());
        self.state = self.state.min(other.state);
        true
    }
}

/// What one project says about one package.
#[derive(Default)]
struct Statements {
    declared: Vec<Declared>,
    resolved: Vec<Resolved>,
}

fn of_project(key: &Key, project: Project) -> Vec<Dependency> {
    let own: BTreeSet<String> = project.manifests.iter().filter_map(package).collect();
    let (mut declared, mut resolved) = (Vec::new(), Vec::new());
    for mut it in project.manifests {
        for lockfile in &project.lockfiles {
            settle(&mut it, lockfile, key.1.as_ref());
        }
        declared.extend(it.declared);
        resolved.extend(it.resolved);
    }
    let mut locks = Vec::new();
    let mut compiled = Vec::new();
    for reading in project.lockfiles {
        compiled.extend(reading.declared);
        let Contents::Lockfile(lockfile) = reading.contents else {
            locks.push((reading.path, Lock::Unreadable));
            continue;
        };
        locks.push((reading.path, Lock::Read));
        let relations = relations(&lockfile, &reading.resolved, &declared);
        let placed = reading.resolved.into_iter().zip(relations);
        resolved.extend(placed.filter_map(|(it, relation)| Some(Resolved { relation: relation?, ..it })));
    }
    // What a lockfile only asks for it settles no version of.
    let open: BTreeSet<(Ecosystem, String)> =
        compiled.iter().map(|it| (it.ecosystem, it.name.clone())).collect();
    declared.extend(compiled);
    // One file can want packages of several registries.
    let mut packages: BTreeMap<(Ecosystem, String), Statements> = BTreeMap::new();
    for it in declared {
        packages.entry((it.ecosystem, it.name.clone())).or_default().declared.push(it);
    }
    for it in resolved {
        packages.entry((it.ecosystem, it.name.clone())).or_default().resolved.push(it);
    }
    let mut dependencies: Vec<Dependency> = packages
        .into_iter()
        .map(|(package, statements)| {
            let locks: &Locks = if open.contains(&package) { &[] } else { &locks };
            dependency(package.0, key, package.1, statements, locks)
        })
        .collect();
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

/// Whether a lockfile could be read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Lock {
    Read,
    Unreadable,
}

/// The lockfiles of a project.
type Locks = [(RepoPath, Lock)];

fn dependency(
    ecosystem: Ecosystem,
    key: &Key,
    name: String,
    statements: Statements,
    locks: &Locks,
) -> Dependency {
    let Statements { mut declared, mut resolved } = statements;
    declared.sort_by(|left, right| left.place.cmp(&right.place).then_with(|| left.cmp(right)));
    let is_wanted = declared.iter().any(|it| it.scope.is_wanted());
    let settled: BTreeSet<String> = resolved.iter().map(|it| ecosystem.release(&it.version)).collect();
    if locks.is_empty() || (ecosystem.has_several_lockfiles() && settled.is_empty()) {
        let pins = declared.iter().filter(|it| it.scope.is_wanted()).filter_map(pinned);
        resolved.extend(pins.filter(|it| !settled.contains(&ecosystem.release(&it.version))));
        // What a constraints file pins is settled for those who want it.
        if resolved.is_empty() && is_wanted && ecosystem.has_several_lockfiles() {
            resolved.extend(declared.iter().filter_map(pinned));
        }
    }
    resolved.sort_by(|left, right| {
        (&left.version, &left.place, &left.folder).cmp(&(&right.version, &right.place, &right.folder))
    });
    let relation = if is_wanted { Relation::Direct } else { nearest(&declared, &resolved) };
    Dependency {
        ecosystem,
        project: key.1.clone(),
        purl: ecosystem.purl(&name, None),
        state: state(&declared, &resolved, locks),
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
    let asked = declared.asked()?;
    let version = declared.ecosystem.pinned(asked)?;
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
        settled_by: declared.ecosystem.settled_by(asked),
    })
}

/// The closest relation that any version has: direct, else the shortest path, else that others bring it.
fn nearest(declared: &[Declared], resolved: &[Resolved]) -> Relation {
    let brought = Relation::Transitive { path: Vec::new() };
    let is_brought = declared.iter().any(|it| it.scope == Scope::Indirect);
    let rank = |it: &&Relation| match it {
        Relation::Direct => 0,
        Relation::Transitive { path } if path.is_empty() => usize::MAX - 1,
        Relation::Transitive { path } => path.len(),
        Relation::Unlinked => usize::MAX,
    };
    let known = resolved.iter().map(|it| &it.relation).chain(is_brought.then_some(&brought));
    known.min_by_key(rank).cloned().unwrap_or(Relation::Unlinked)
}

fn state(declared: &[Declared], resolved: &[Resolved], locks: &Locks) -> State {
    let mut wanted = declared.iter().filter(|it| it.scope.is_present()).peekable();
    match resolved.iter().map(|it| it.settled_by).min() {
        Some(SettledBy::Lockfile) => return State::Locked,
        Some(SettledBy::BuildList) => return State::Selected,
        Some(SettledBy::Constraint | SettledBy::Nearest) => return State::Pinned,
        None => {}
    }
    if wanted.peek().is_none() {
        return State::Unused;
    }
    if wanted.all(|it| matches!(it.source, Source::Path | Source::Workspace)) {
        return State::Local;
    }
    let is_about = |lockfile: &RepoPath| {
        let mut wanted = declared.iter().filter(|it| it.scope.is_present());
        wanted.any(|it| it.ecosystem.is_locked_by(&it.place.path, lockfile))
    };
    match locks.iter().filter(|it| is_about(&it.0)).map(|it| it.1).max() {
        None => State::Unlocked,
        Some(Lock::Read) => State::Missing,
        Some(Lock::Unreadable) => State::LockUnreadable,
    }
}
