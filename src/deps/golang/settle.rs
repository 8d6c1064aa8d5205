//! What the modules of a build settle together: versions, replacements and checksums.

use std::collections::{BTreeMap, BTreeSet};

use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Declared, Pin, Resolved, Scope, Source};
use crate::deps::format::{Contents, FileKind, Reading};
use crate::deps::project::{folder, project_folder};
use crate::model::RepoPath;

use super::build::{Build, builds};
use super::copied::compare as compare_copies;
use super::module::selected_by;
use super::version::compare;

/// Of several versions that the modules of a workspace select keeps the newest, replaces what is replaced, and adds
/// the checksums.
pub fn settle(readings: &mut [Reading]) {
    let builds: Vec<Build> = builds(readings).collect();
    for build in builds {
        compare_copies(readings, &build);
        settle_build(readings, &build);
    }
    let mut folders: BTreeSet<Option<RepoPath>> = BTreeSet::new();
    for it in readings.iter().filter(|it| it.ecosystem == Ecosystem::Golang && it.kind == FileKind::Manifest)
    {
        folders.insert(folder(&it.path));
    }
    for reading in readings.iter_mut().filter(|it| it.ecosystem == Ecosystem::Golang) {
        // What a copy marks as explicit may be required for others only: where there is a module, it says.
        let is_of_a_module = folders.contains(&project_folder(reading));
        if let Contents::Lockfile(it) = &mut reading.contents
            && is_of_a_module
        {
            it.direct.clear();
        }
    }
}

fn settle_build(readings: &mut [Reading], build: &Build) {
    let mut checksums: BTreeMap<Pin, String> = BTreeMap::new();
    for index in &build.sums {
        checksums.extend(readings.get_mut(*index).map(take_checksums).unwrap_or_default());
    }
    let replacements = Replacements::of(readings, build);
    let selected = selected(readings, build);
    let own = match build.workspace {
        Some(_) => packages(readings, build),
        None => BTreeSet::new(),
    };
    for index in &build.modules {
        let Some(reading) = readings.get_mut(*index) else { continue };
        let is_taken = |name: &str, version: &str| {
            !own.contains(name) && selected.get(name).is_none_or(|it| it == version)
        };
        reading.resolved.retain(|it| is_taken(&it.name, &it.version));
        for it in reading.declared.iter_mut().filter(|it| it.scope != Scope::Override) {
            if own.contains(&it.name) {
                it.source = Source::Workspace;
                continue;
            }
            let version = selected.get(&it.name).or(it.constraint.as_ref());
            if let Some(other) = replacements.find(&it.name, version) {
                // What every version is replaced by is settled, even where the version itself is not.
                if other.target.is_none() && !selected.contains_key(&it.name) {
                    reading.resolved.extend(taken_instead(other, it));
                }
                it.name.clone_from(&other.name);
                it.source = other.source;
                it.origin.clone_from(&other.origin);
            }
        }
        reading.resolved.retain_mut(|it| {
            if let Some(other) = replacements.find(&it.name, Some(&it.version)) {
                // A folder has no version.
                let Some(version) = &other.constraint else { return false };
                it.name.clone_from(&other.name);
                it.version.clone_from(version);
                it.place.clone_from(&other.place);
            }
            it.checksum = checksums.get(&it.pin()).cloned();
            true
        });
    }
}

/// The version that a replacement settles for a requirement; a folder has none.
fn taken_instead(replacement: &Declared, required: &Declared) -> Option<Resolved> {
    let version = replacement.constraint.clone()?;
    let resolved =
        Resolved::locked(Ecosystem::Golang, replacement.name.clone(), version, replacement.place.clone());
    Some(selected_by(required.scope, resolved))
}

fn take_checksums(reading: &mut Reading) -> BTreeMap<Pin, String> {
    match &mut reading.contents {
        Contents::Manifest(it) => std::mem::take(&mut it.checksums),
        Contents::Lockfile(_) | Contents::Unreadable => BTreeMap::new(),
    }
}

/// The newest version of each module that any of the build's selects.
fn selected(readings: &[Reading], build: &Build) -> BTreeMap<String, String> {
    let mut selected: BTreeMap<String, String> = BTreeMap::new();
    for it in build.modules.iter().filter_map(|it| readings.get(*it)).flat_map(|it| &it.resolved) {
        let newest = selected.entry(it.name.clone()).or_insert_with(|| it.version.clone());
        if compare(newest, &it.version).is_lt() {
            newest.clone_from(&it.version);
        }
    }
    selected
}

/// The paths of the build's own modules.
fn packages(readings: &[Reading], build: &Build) -> BTreeSet<String> {
    let manifests = build.modules.iter().filter_map(|it| readings.get(*it)?.manifest());
    manifests.filter_map(|it| it.package.clone()).collect()
}

/// What is replaced, by the module and the one version of it, if only one is.
struct Replacements(BTreeMap<(String, Option<String>), Declared>);

impl Replacements {
    /// A workspace's word about a module takes the place of all that its modules say of it.
    fn of(readings: &[Reading], build: &Build) -> Self {
        let entries = |index: &usize| {
            let declared = readings.get(*index).map(|it| it.declared.as_slice()).unwrap_or_default();
            declared.iter().filter(|it| it.scope == Scope::Override)
        };
        let mut all: BTreeMap<(String, Option<String>), Declared> = BTreeMap::new();
        let of_workspace: BTreeSet<&str> =
            build.workspace.iter().flat_map(entries).map(|it| it.raw_name.as_str()).collect();
        let of_modules = build.modules.iter().flat_map(entries);
        let of_modules = of_modules.filter(|it| !of_workspace.contains(it.raw_name.as_str()));
        for it in of_modules.chain(build.workspace.iter().flat_map(entries)) {
            all.insert((it.raw_name.clone(), it.target.clone()), it.clone());
        }
        Self(all)
    }

    fn find(&self, name: &str, version: Option<&String>) -> Option<&Declared> {
        let exact = self.0.get(&(name.to_owned(), version.cloned()));
        exact.or_else(|| self.0.get(&(name.to_owned(), None)))
    }
}
