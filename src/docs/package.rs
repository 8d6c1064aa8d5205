//! A package as it lies on this machine, and whether it is the version that the project settled on.

use serde_json::Value;

use super::family::Family;
use super::machine::{Places, at_or_above};
use crate::deps::{Dependency, Relation, Resolved};
use crate::model::RepoPath;
use crate::system::{FileKind, Root};

/// The files of one version of a package.
pub struct Package<'p> {
    pub family: Family,
    pub version: String,
    pub(super) root: &'p Root,
    /// Its own folder; for Python the one that the modules of all packages lie in.
    pub(super) folder: RepoPath,
    /// The modules by which Python imports it.
    pub(super) modules: Vec<String>,
}

/// Whether a package is here, and how its version stands to the project's.
pub enum Presence<'p> {
    /// The version that the project settled on.
    Exact(Package<'p>),
    /// The project has settled on no version, so that this one may or may not be meant.
    Unsettled(Package<'p>),
    /// Another version: what it says holds for that one alone.
    Stale {
        installed: String,
    },
    Absent,
}

/// The largest manifest of a package that is read.
pub(super) const MANIFEST_BYTES: u64 = 1 << 20;

/// Finds a package as code in a folder imports it.
pub fn find<'p>(
    places: &'p Places<'_>,
    dependency: &Dependency,
    root: &str,
    from: Option<&RepoPath>,
) -> Presence<'p> {
    match Family::of_ecosystem(dependency.ecosystem) {
        Some(Family::Script) => judged(dependency, of_script(places, dependency, root, from)),
        Some(Family::Python) => judged(dependency, of_python(places, dependency)),
        Some(Family::Rust) => of_rust(places, dependency),
        None => Presence::Absent,
    }
}

fn judged<'p>(dependency: &Dependency, package: Option<Package<'p>>) -> Presence<'p> {
    let Some(package) = package else { return Presence::Absent };
    let release = |it: &str| dependency.ecosystem.release(it);
    let installed = release(&package.version);
    if dependency.resolved.is_empty() {
        return Presence::Unsettled(package);
    }
    if dependency.resolved.iter().any(|it| release(&it.version) == installed) {
        return Presence::Exact(package);
    }
    Presence::Stale { installed: package.version }
}

/// As Node finds it: in the nearest `node_modules` at or above the importing file that has it. One that is a link is
/// looked for where pnpm keeps what it links to.
fn of_script<'p>(
    places: &'p Places<'_>,
    dependency: &Dependency,
    name: &str,
    from: Option<&RepoPath>,
) -> Option<Package<'p>> {
    let root = places.repository;
    at_or_above(from.cloned()).find_map(|folder| {
        let modules = below(folder.as_ref(), "node_modules")?;
        let own = below(Some(&modules), name)?;
        let folder = match root.stat(&own).ok()?.kind {
            FileKind::Directory => own,
            FileKind::Symlink => linked_by_pnpm(root, &modules, dependency, name)?,
            FileKind::Regular | FileKind::Special => return None,
        };
        let manifest = root.read(&below(Some(&folder), "package.json")?, MANIFEST_BYTES).ok()?;
        let manifest: Value = serde_json::from_slice(&manifest).ok()?;
        let version = manifest.get("version")?.as_str()?.to_owned();
        Some(Package { family: Family::Script, version, root, folder, modules: Vec::new() })
    })
}

fn linked_by_pnpm(root: &Root, modules: &RepoPath, dependency: &Dependency, name: &str) -> Option<RepoPath> {
    at_or_above(modules.parent()).find_map(|folder| {
        let store = below(folder.as_ref(), "node_modules/.pnpm")?;
        let entries = root.folder(Some(&store)).and_then(|it| it.entries()).ok()?;
        let wanted = name.replace('/', "+");
        let found = entries.iter().filter_map(|it| std::str::from_utf8(&it.name).ok()).find(|it| {
            dependency.resolved.iter().any(|resolved| {
                let rest = it.strip_prefix(&format!("{wanted}@{}", resolved.version));
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', '(']))
            })
        })?;
        below(Some(&store), &format!("{found}/node_modules/{name}"))
    })
}

fn of_python<'p>(places: &'p Places<'_>, dependency: &Dependency) -> Option<Package<'p>> {
    let (root, found) = places.distribution(dependency.project.as_ref(), &dependency.name)?;
    Some(Package {
        family: Family::Python,
        version: found.version,
        root,
        folder: found.folder,
        modules: found.modules,
    })
}

/// As Cargo unpacks it, in a folder of the version's name. Of several versions the direct one is meant.
fn of_rust<'p>(places: &'p Places<'_>, dependency: &Dependency) -> Presence<'p> {
    let direct: Vec<&Resolved> =
        dependency.resolved.iter().filter(|it| it.relation == Relation::Direct).collect();
    let versions = if direct.is_empty() { dependency.resolved.iter().collect() } else { direct };
    let mut versions: Vec<&str> = versions.iter().map(|it| it.version.as_str()).collect();
    versions.dedup();
    let [version] = versions.as_slice() else { return Presence::Absent };
    let folder = RepoPath::new(format!("{}-{version}", dependency.name).as_bytes()).ok();
    let found = folder.and_then(|folder| {
        let is_here = |it: &&Root| it.stat(&folder).is_ok_and(|it| it.kind == FileKind::Directory);
        let root = places.registries.iter().find(is_here)?;
        let version = (*version).to_owned();
        Some(Package { family: Family::Rust, version, root, folder, modules: Vec::new() })
    });
    found.map_or(Presence::Absent, Presence::Exact)
}

/// The name of the library of a crate, as its own manifest states it.
pub fn library_name(places: &Places<'_>, dependency: &Dependency) -> Option<String> {
    let Presence::Exact(package) = of_rust(places, dependency) else { return None };
    let manifest = package.root.read(&below(Some(&package.folder), "Cargo.toml")?, MANIFEST_BYTES).ok()?;
    let manifest: toml_edit::DocumentMut = std::str::from_utf8(&manifest).ok()?.parse().ok()?;
    let stated = manifest.get("lib").and_then(|it| it.get("name")?.as_str());
    // Without one Cargo makes it from the name of the package.
    Some(stated.map_or_else(|| dependency.name.replace('-', "_"), str::to_owned))
}

/// A path below a folder, the root for none.
pub(super) fn below(folder: Option<&RepoPath>, path: &str) -> Option<RepoPath> {
    match folder {
        Some(folder) => folder.join(path.as_bytes()).ok(),
        None => RepoPath::new(path.as_bytes()).ok(),
    }
}
