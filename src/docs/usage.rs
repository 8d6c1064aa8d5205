//! Which files use a dependency, by the imports that name it.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::deprecated_use::FileUses;
use super::family::Family;
use super::import_name::{ImportedAs, imported_as};
use super::machine::{Places, at_or_above};
use super::package;
use super::uses::{Source, Use, segments, uses};
use crate::deps::{Dependencies, Dependency, Ecosystem, Relation};
use crate::model::{RepoPath, Span};
use crate::syntax::Language;

/// A package as one project depends on it: ecosystem, project and name.
pub type Key = (Ecosystem, Option<RepoPath>, String);

/// What the code makes of each dependency.
#[derive(Clone, Debug, Default)]
pub struct Usages(BTreeMap<Key, Usage>);

/// Who uses one dependency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    pub imported_as: ImportedAs,
    /// By path.
    pub files: Vec<FileUse>,
}

/// A file that uses a dependency.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileUse {
    pub path: RepoPath,
    /// The first place that names it.
    pub place: Span,
    /// What it uses of it, sorted; empty where it only runs it.
    pub names: Vec<String>,
}

/// A use of a dependency at a place of ours.
#[derive(Clone, Debug)]
pub struct Attributed<'s> {
    pub key: Key,
    /// The name by which the package is imported.
    pub root: String,
    pub used: Use<'s>,
}

/// The packages that the names in imports can mean.
pub struct Packages {
    by_name: BTreeMap<(Family, String), Vec<Key>>,
    known: BTreeMap<Key, ImportedAs>,
    /// The modules of Python that the repository has itself, as paths without an ending.
    own: BTreeSet<String>,
    /// Its folders that are packages of Python.
    packages: BTreeSet<String>,
}

impl Usages {
    pub fn of(&self, dependency: &Dependency) -> Option<&Usage> {
        self.0.get(&key(dependency))
    }
}

/// Whether files of a language can import what these dependencies bring.
pub fn is_imported_from(dependencies: &Dependencies, language: Language) -> bool {
    let family = Family::of_language(language);
    family.is_some()
        && dependencies.dependencies.iter().any(|it| Family::of_ecosystem(it.ecosystem) == family)
}

pub fn key(dependency: &Dependency) -> Key {
    (dependency.ecosystem, dependency.project.clone(), dependency.name.clone())
}

/// Finds who uses what.
pub fn usages(packages: &Packages, files: &[FileUses<'_>]) -> Usages {
    let mut usages: BTreeMap<Key, Usage> = packages
        .known
        .iter()
        .map(|(key, it)| (key.clone(), Usage { imported_as: it.clone(), files: Vec::new() }))
        .collect();
    for (path, attributed) in files {
        let mut of_file: BTreeMap<Key, (Span, BTreeSet<String>)> = BTreeMap::new();
        for it in attributed {
            let name = it.name();
            let entry = of_file.entry(it.key.clone()).or_insert((it.used.place, BTreeSet::new()));
            entry.0 = entry.0.min(it.used.place);
            entry.1.extend(name);
        }
        for (key, (place, names)) in of_file {
            let file = FileUse { path: (*path).clone(), place, names: names.into_iter().collect() };
            if let Some(usage) = usages.get_mut(&key) {
                usage.files.push(file);
            }
        }
    }
    for usage in usages.values_mut() {
        usage.files.sort();
    }
    Usages(usages)
}

impl Packages {
    /// The packages of the dependencies, by the names that code has for them.
    pub fn new(dependencies: &Dependencies, places: &Places<'_>, files: &[Source<'_>]) -> Self {
        let installed = installed(dependencies, places);
        let mut packages = Self {
            by_name: BTreeMap::new(),
            known: BTreeMap::new(),
            own: BTreeSet::new(),
            packages: BTreeSet::new(),
        };
        for dependency in &dependencies.dependencies {
            let key = key(dependency);
            let Some(family) = Family::of_ecosystem(dependency.ecosystem) else { continue };
            let Some(known) = imported_as(dependency, installed.get(&key).map_or(&[], Vec::as_slice)) else {
                continue;
            };
            for name in &known.names {
                packages.by_name.entry((family, name.clone())).or_default().push(key.clone());
            }
            packages.known.insert(key, known);
        }
        for file in files.iter().filter(|it| Family::of_language(it.language) == Some(Family::Python)) {
            let path = file.path.to_string();
            let Some(stem) = path.strip_suffix(".py").or_else(|| path.strip_suffix(".pyi")) else { continue };
            let package = stem.strip_suffix("/__init__");
            packages.own.insert(package.unwrap_or(stem).to_owned());
            packages.packages.extend(package.map(str::to_owned));
        }
        packages
    }

    /// The uses of dependencies in each file, in the order of the files.
    pub fn uses<'s>(&self, files: &[Source<'s>]) -> Vec<FileUses<'s>> {
        files.par_iter().map(|it| (it.path, self.attributed(it))).collect()
    }

    /// The uses of dependencies in one file.
    pub fn attributed<'s>(&self, source: &Source<'s>) -> Vec<Attributed<'s>> {
        let Some(family) = Family::of_language(source.language) else { return Vec::new() };
        if !self.by_name.keys().any(|it| it.0 == family) {
            return Vec::new();
        }
        let found = uses(source, family).into_iter().filter_map(|used| {
            let (root, keys) = self.meant(family, &used)?;
            if family == Family::Python && self.is_own(source.path, &used) {
                return None;
            }
            let key = nearest(keys, source.path)?;
            Some(Attributed { key: key.clone(), root, used })
        });
        found.collect()
    }

    /// The packages that a use can mean, with the name by which it names them.
    fn meant(&self, family: Family, used: &Use<'_>) -> Option<(String, &[Key])> {
        let look_up = |name: String| {
            let keys = self.by_name.get(&(family, name.clone()))?;
            Some((name, keys.as_slice()))
        };
        match family {
            Family::Script => {
                let parts = if used.module.starts_with('@') { 2 } else { 1 };
                look_up(used.module.split('/').take(parts).collect::<Vec<_>>().join("/"))
            }
            Family::Rust => look_up(segments(used.module).next()?.to_owned()),
            Family::Python => {
                let path: Vec<&str> = segments(used.module).chain(used.members.iter().copied()).collect();
                (1..=path.len()).rev().find_map(|it| look_up(path.get(..it)?.join(".")))
            }
        }
    }

    /// Whether an import of Python can mean a module of the repository: one beside a file that is run, or below a folder
    /// that is no package and so may be on the search path.
    fn is_own(&self, path: &RepoPath, used: &Use<'_>) -> bool {
        let Some(top) = segments(used.module).next() else { return false };
        let own = path.to_string();
        at_or_above(path.parent()).any(|folder| {
            let folder = folder.map(|it| it.to_string());
            if folder.as_ref().is_some_and(|it| self.packages.contains(it)) {
                return false;
            }
            let below = |middle: &str| match &folder {
                Some(folder) => format!("{folder}/{middle}{top}"),
                None => format!("{middle}{top}"),
            };
            ["", "src/", "lib/"].iter().any(|it| {
                let module = below(it);
                self.own.contains(&module) && own.strip_suffix(".py") != Some(&module)
            })
        })
    }
}

/// The names that installed packages state, where they may differ from the packages' own: modules of Python, and the
/// libraries of direct dependencies on crates.
fn installed(dependencies: &Dependencies, places: &Places<'_>) -> BTreeMap<Key, Vec<String>> {
    let mut projects: BTreeMap<Option<&RepoPath>, BTreeMap<String, Key>> = BTreeMap::new();
    let mut installed = BTreeMap::new();
    for it in &dependencies.dependencies {
        match Family::of_ecosystem(it.ecosystem) {
            Some(Family::Python) => {
                let name = it.ecosystem.common_name(&it.name);
                projects.entry(it.project.as_ref()).or_default().insert(name, key(it));
            }
            Some(Family::Rust) if it.relation == Relation::Direct => {
                installed.extend(package::library_name(places, it).map(|name| (key(it), vec![name])));
            }
            Some(Family::Script | Family::Rust) | None => {}
        }
    }
    for (project, names) in projects {
        for (_, it) in places.distributions(project, |name| names.contains_key(name)) {
            if let Some(key) = names.get(&it.name) {
                installed.insert(key.clone(), it.modules);
            }
        }
    }
    installed
}

/// The package of the project that a file belongs to: the nearest at or above it. What Python installs is for a whole
/// environment, so that lists in a folder beside the code count too.
fn nearest<'k>(keys: &'k [Key], path: &RepoPath) -> Option<&'k Key> {
    let depth = |folder: Option<&RepoPath>| folder.map_or(0, |it| it.as_bytes().len() + 1);
    let covers = |folder: Option<&RepoPath>| folder.is_none_or(|it| path.is_within(it));
    let at_or_above = keys.iter().filter(|it| covers(it.1.as_ref())).max_by_key(|it| depth(it.1.as_ref()));
    at_or_above.or_else(|| {
        let beside = keys.iter().filter(|it| it.0 == Ecosystem::Pypi);
        beside
            .filter(|it| covers(it.1.as_ref().and_then(RepoPath::parent).as_ref()))
            .max_by_key(|it| depth(it.1.as_ref()))
    })
}

impl Attributed<'_> {
    /// The same with all that is named of it: `Level.Low`, where [`Self::name`] is `Level`.
    pub fn full_name(&self) -> Option<String> {
        let name = self.name()?;
        let more = match (Family::of_ecosystem(self.key.0)?, self.used.members.as_slice()) {
            (Family::Script, ["default", _, more @ ..] | [_, more @ ..]) => more,
            (Family::Script | Family::Python | Family::Rust, _) => &[],
        };
        Some(std::iter::once(name.as_str()).chain(more.iter().copied()).collect::<Vec<_>>().join("."))
    }

    /// What is used of the package, below the name by which it is imported; none for the package itself.
    pub fn name(&self) -> Option<String> {
        let members = &self.used.members;
        let (parts, joint): (Vec<&str>, &str) = match Family::of_ecosystem(self.key.0)? {
            Family::Script => {
                let below = self.used.module.get(self.root.len() + 1..).filter(|it| !it.is_empty());
                // A member of the default export is known by its own name.
                let members = match members.as_slice() {
                    ["default", first, ..] => std::slice::from_ref(first),
                    [first, ..] => std::slice::from_ref(first),
                    [] => &[],
                };
                (below.into_iter().chain(members.iter().copied()).collect(), "/")
            }
            family @ (Family::Python | Family::Rust) => {
                let joint = if family == Family::Python { "." } else { "::" };
                let depth = segments(&self.root).count();
                let path = segments(self.used.module).chain(members.iter().copied());
                (path.skip(depth).collect(), joint)
            }
        };
        (!parts.is_empty()).then(|| parts.join(joint))
    }
}
