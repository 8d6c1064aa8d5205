//! Where our code uses what the installed version of a package says is deprecated.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::family::Family;
use super::library::{Allowance, Library};
use super::lookup::{declared, deprecated};
use super::machine::Places;
use super::package::{Package, Presence, find};
use super::usage::{Attributed, Key, key};
use super::uses::UseKind;
use crate::deps::{Dependencies, Dependency};
use crate::model::{
    DeprecationDetail, Detail, Evidence, Kind, Location, Method, Note, Reason, Redacted, RepoPath, Staged,
    SymbolId, Tier, distinguish,
};

/// The uses of dependencies in one file.
pub type FileUses<'s> = (&'s RepoPath, Vec<Attributed<'s>>);

/// The most packages that are looked into.
const MOST_PACKAGES: usize = 1_000;

/// How many names a note has room for.
const MOST_NAMES: usize = 5;

/// Uses of one package by one name, as code in one folder imports it.
struct Group<'s, 'u> {
    dependency: &'s Dependency,
    presence: Presence<'s>,
    uses: Vec<(&'u RepoPath, &'u Attributed<'u>)>,
}

/// A record for each place of ours that names something deprecated.
pub fn deprecated_uses(
    dependencies: &Dependencies,
    places: &Places<'_>,
    files: &[FileUses<'_>],
) -> Staged<Vec<Evidence>> {
    let groups = groups(dependencies, places, files);
    if groups.is_empty() {
        return Staged::disabled(Reason::new("docs_nothing_imported", "no file imports a known dependency"));
    }
    let mut notes = Vec::new();
    let (mut packages, mut absent) = (Vec::new(), BTreeSet::new());
    for group in groups {
        match group.presence {
            Presence::Exact(package) => {
                packages.push((group.dependency, package, Method::DocsVersionExact, group.uses));
            }
            Presence::Unsettled(package) => {
                packages.push((group.dependency, package, Method::DocsFallback, group.uses));
            }
            Presence::Stale { installed } => notes.push(stale(group.dependency, &installed)),
            Presence::Absent => {
                absent.insert(group.dependency.name.as_str());
            }
        }
    }
    if packages.is_empty() && notes.is_empty() {
        let message = "no imported package is installed here, so what its version deprecates is not known";
        return Staged::unavailable(Reason::new("docs_not_installed", message));
    }
    notes.extend(missing(&absent));
    let found: Vec<(Vec<Evidence>, Option<Note>)> = packages
        .into_par_iter()
        .map(|(dependency, package, method, uses)| of_package(dependency, package, method, &uses))
        .collect();
    let mut records = Vec::new();
    for (evidence, note) in found {
        records.extend(evidence);
        notes.extend(note);
    }
    let mut by_file: BTreeMap<RepoPath, Vec<Evidence>> = BTreeMap::new();
    for it in records {
        by_file.entry(it.place.path.clone()).or_default().push(it);
    }
    by_file.values_mut().for_each(|it| distinguish(it));
    notes.sort();
    notes.dedup();
    Staged::available(by_file.into_values().flatten().collect(), notes)
}

/// The uses by package and by the folder from which it is looked for.
fn groups<'s, 'u>(
    dependencies: &'s Dependencies,
    places: &'s Places<'_>,
    files: &'u [FileUses<'u>],
) -> Vec<Group<'s, 'u>> {
    type Asked<'u> = (&'u Key, &'u str, Option<RepoPath>);
    let mut asked: BTreeMap<Asked<'u>, Vec<(&'u RepoPath, &'u Attributed<'u>)>> = BTreeMap::new();
    for (path, uses) in files {
        for it in uses {
            let from = match Family::of_ecosystem(it.key.0) {
                Some(Family::Script) => path.parent(),
                Some(Family::Python | Family::Rust) | None => None,
            };
            asked.entry((&it.key, it.root.as_str(), from)).or_default().push((path, it));
        }
    }
    let by_key: BTreeMap<Key, &Dependency> =
        dependencies.dependencies.iter().map(|it| (key(it), it)).collect();
    let mut groups: Vec<Group<'s, 'u>> = Vec::new();
    // Packages that are looked for from several folders are most often one.
    let mut seen: BTreeMap<(&Key, RepoPath), usize> = BTreeMap::new();
    for ((key, root, from), uses) in asked {
        let Some(dependency) = by_key.get(key) else { continue };
        let presence = find(places, dependency, root, from.as_ref());
        let folder = match &presence {
            Presence::Exact(it) | Presence::Unsettled(it) => Some(it.folder.clone()),
            Presence::Stale { .. } | Presence::Absent => None,
        };
        let known = folder.clone().and_then(|it| seen.get(&(key, it)).copied());
        match known.and_then(|it| groups.get_mut(it)) {
            Some(group) => group.uses.extend(uses),
            None => {
                if let Some(folder) = folder {
                    seen.insert((key, folder), groups.len());
                }
                groups.push(Group { dependency, presence, uses });
            }
        }
    }
    groups.truncate(MOST_PACKAGES);
    groups
}

fn of_package(
    dependency: &Dependency,
    package: Package<'_>,
    method: Method,
    uses: &[(&RepoPath, &Attributed<'_>)],
) -> (Vec<Evidence>, Option<Note>) {
    let library = Library::new(package, Allowance::NAMES);
    let mut known: BTreeMap<(&str, &[&str]), Option<Item>> = BTreeMap::new();
    let mut found: Vec<(&RepoPath, &Attributed<'_>, Item)> = Vec::new();
    for (path, it) in uses {
        let asked = (it.used.module, it.used.members.as_slice());
        let item = known.entry(asked).or_insert_with(|| item(&library, it));
        if let Some(item) = item {
            found.push((path, it, item.clone()));
        }
    }
    // An import brings a name in; where it is used is what has to change. One that is only handed on counts itself.
    let used: BTreeSet<(&RepoPath, Item)> = found
        .iter()
        .filter(|it| it.1.used.kind != UseKind::Import)
        .map(|(path, _, item)| (*path, item.clone()))
        .collect();
    found
        .retain(|(path, it, item)| it.used.kind != UseKind::Import || !used.contains(&(*path, item.clone())));
    let records = found.iter().map(|(path, it, item)| record(dependency, &library, method, (path, it, item)));
    let cut = library.is_cut().then(|| {
        let message = format!(
            "{} is larger or hands on more names than is read: what it deprecates may be missing",
            dependency.name
        );
        Note::new("docs_limit", message)
    });
    (records.collect(), cut)
}

/// What is deprecated, and where the package says so.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Item {
    name: String,
    path: String,
    line: u32,
    note: String,
}

fn item(library: &Library<'_>, used: &Attributed<'_>) -> Option<Item> {
    let declarations = declared(library, used);
    let (declaration, deprecated) = deprecated(&declarations)?;
    Some(Item {
        name: declaration.name.clone(),
        path: declaration.path.clone(),
        line: declaration.line,
        note: deprecated.note.clone(),
    })
}

fn record(
    dependency: &Dependency,
    library: &Library<'_>,
    method: Method,
    (path, used, item): (&RepoPath, &Attributed<'_>, &Item),
) -> Evidence {
    let version = &library.package.version;
    let name = used.full_name().unwrap_or_else(|| item.name.clone());
    let why = if item.note.is_empty() { String::new() } else { format!(": {}", item.note) };
    let is_doubtful = method == Method::DocsFallback;
    let doubt = if is_doubtful { ", the installed version, which no lockfile confirms" } else { "" };
    let message = format!("`{name}` is deprecated in {} {version}{doubt}{why}", dependency.name);
    let place = Location { path: path.clone(), span: used.used.place };
    let subject = format!("deprecated {} {name}", dependency.purl);
    let mut record = Evidence::new(Kind::Documentation, method, place, &subject, Redacted::new(message));
    // A member of an imported name: nothing but its import says what the name holds.
    if used.used.members.len() > 1 && !matches!(used.used.members.first(), Some(&"default")) {
        record = record.at_most(Tier::InferredHigh);
    }
    let target = format!("{}#{}", dependency.ecosystem.purl(&dependency.name, Some(version)), item.name);
    record.target = SymbolId::try_from(target).ok();
    record.detail = Detail::Deprecation(DeprecationDetail {
        ecosystem: dependency.ecosystem.name().to_owned(),
        package: dependency.name.clone(),
        version: version.clone(),
        name,
        declared_path: item.path.clone(),
        declared_line: item.line,
        note: Redacted::new(item.note.as_str()),
    });
    record
}

fn stale(dependency: &Dependency, installed: &str) -> Note {
    let versions: BTreeSet<&str> = dependency.resolved.iter().map(|it| it.version.as_str()).collect();
    let versions: Vec<&str> = versions.into_iter().collect();
    let message = format!(
        "{} is installed at {installed}, and the project has {}: what its version deprecates is not known",
        dependency.name,
        versions.join(", ")
    );
    Note::new("docs_stale", message)
}

fn missing(absent: &BTreeSet<&str>) -> Option<Note> {
    let shown: Vec<&str> = absent.iter().copied().take(MOST_NAMES).collect();
    let more = absent.len() - shown.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!absent.is_empty()).then(|| {
        let message =
            format!("not installed here, so what they deprecate is not known: {}{more}", shown.join(", "));
        Note::new("docs_absent", message)
    })
}

/// Every code of this module with its explanation.
pub const CODES: &[(&str, &str)] = &[
    (
        "deprecated_use",
        "A place of the code that uses what the installed version of a package says is deprecated: by `@deprecated` in \
         JSDoc, `#[deprecated]` in Rust, a decorator, a warning that every call gives or a directive in Python. The name \
         is resolved through an import of that package; `rules.severity` raises it or switches it off.",
    ),
    (
        "docs_nothing_imported",
        "No file imports a package that a manifest or lockfile lists, so there is nothing to look up in installed packages.",
    ),
    (
        "docs_not_installed",
        "None of the imported packages is installed on this machine (in `node_modules`, a virtual environment or Cargo's \
         registry), so what their versions deprecate is not known. Install them to know it.",
    ),
    (
        "docs_off",
        "`rules.severity` has `deprecated-use` as `off`, so installed packages were not looked into.",
    ),
    (
        "docs_stale",
        "A package is installed in another version than the project settled on. What the installed one says does not hold \
         for the other, so nothing is said. Install what the lockfile has.",
    ),
    (
        "docs_absent",
        "Some imported packages are not installed on this machine, so what their versions deprecate is not known.",
    ),
    (
        "docs_limit",
        "A package has more or larger sources than are read for one run, or its modules hand names on in more ways than \
         are followed. What it deprecates may be missing.",
    ),
    (
        "docs_unread",
        "A file of an installed package could not be read: it is too large, a link, not UTF-8 or nested too deep; or there \
         is no file that the package begins with. Declarations may be missing.",
    ),
];
