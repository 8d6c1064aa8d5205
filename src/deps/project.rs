//! Which manifests and which lockfile belong together.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::model::{Note, RepoPath};

use super::ecosystem::Ecosystem;
use super::format::{Contents, FileKind, Reading};
use super::jvm;
use super::note::LOCK_SHADOWED;

/// Manifests that lockfiles of one folder settle, or that have none.
#[derive(Debug, Default)]
pub struct Project {
    pub lockfiles: Vec<Reading>,
    pub manifests: Vec<Reading>,
}

/// An ecosystem and the folder of the lockfile, else of the workspace root, else of the manifest.
pub type Key = (Ecosystem, Option<RepoPath>);

/// The folder of a file; none is the root of the repository.
pub fn folder(path: &RepoPath) -> Option<RepoPath> {
    path.parent()
}

/// The folder of the project that a file is about: some files stand in a folder of their own below it.
pub fn project_folder(reading: &Reading) -> Option<RepoPath> {
    const APART: [&str; 3] = ["vendor/modules.txt", "obj/project.assets.json", ".config/dotnet-tools.json"];
    let path = &reading.path;
    if reading.ecosystem == Ecosystem::Gradle {
        jvm::gradle_home(path)
    } else if reading.ecosystem == Ecosystem::Ivy {
        jvm::sbt_home(path)
    } else if reading.ecosystem == Ecosystem::Pypi
        && let Some(script) = script(path)
    {
        Some(script)
    } else if APART.iter().any(|it| is_at(path, it)) {
        folder(path).as_ref().and_then(folder)
    } else {
        folder(path)
    }
}

/// The script that a file is, or is the lockfile of: such a script is a project of its own.
fn script(path: &RepoPath) -> Option<RepoPath> {
    let bytes = path.as_bytes();
    let name = bytes.strip_suffix(b".lock").unwrap_or(bytes);
    let is_script = name.ends_with(b".py") && path.file_name() != b"setup.py";
    if is_script { RepoPath::new(name).ok() } else { None }
}

/// Whether a path ends in these folders and this name.
fn is_at(path: &RepoPath, end: &str) -> bool {
    let above = path.as_bytes().strip_suffix(end.as_bytes());
    above.is_some_and(|it| it.is_empty() || it.ends_with(b"/"))
}

/// A folder and those above it, nearest first; the root of the repository is last.
pub fn at_or_above(folder: Option<RepoPath>) -> impl Iterator<Item = Option<RepoPath>> {
    std::iter::successors(Some(folder), |it| it.as_ref().map(RepoPath::parent))
}

/// Sorts the readings into projects. A manifest belongs to the nearest lockfile at or above it that knows it.
/// A manifest that another one above it includes belongs where that one does.
pub fn group(
    mut readings: Vec<Reading>,
    includers: &BTreeMap<RepoPath, RepoPath>,
) -> (BTreeMap<Key, Project>, Vec<Note>) {
    readings.sort_by(|left, right| left.path.cmp(&right.path));
    let (mut lockfiles, manifests): (Vec<Reading>, Vec<Reading>) =
        readings.into_iter().partition(|it| it.kind == FileKind::Lockfile);
    // One that was read says more than one that could not be, such as a binary one.
    lockfiles.sort_by_key(|it| matches!(it.contents, Contents::Unreadable));
    let mut projects: BTreeMap<Key, Project> = BTreeMap::new();
    let mut notes = Vec::new();
    for reading in lockfiles {
        let project = projects.entry((reading.ecosystem, project_folder(&reading))).or_default();
        match project.lockfiles.first() {
            Some(first) if !reading.ecosystem.has_several_lockfiles() => {
                let message = format!("the lockfile is ignored because `{}` stands beside it", first.path);
                notes.push(Note::new(LOCK_SHADOWED, message).at(reading.path));
            }
            _ => project.lockfiles.push(reading),
        }
    }
    let roots: BTreeMap<Key, Gitignore> = manifests
        .iter()
        .filter_map(|it| match &it.contents {
            Contents::Manifest(manifest) => {
                Some(((it.ecosystem, folder(&it.path)), matcher(manifest.workspace.as_ref()?)))
            }
            Contents::Lockfile(_) | Contents::Unreadable => None,
        })
        .collect();
    for reading in manifests {
        let key = home(&reading, includers.get(&reading.path), &projects, &roots);
        projects.entry(key).or_default().manifests.push(reading);
    }
    (projects, notes)
}

/// The patterns of a workspace's members, each from the root of the workspace. One that is invalid matches nothing.
fn matcher(patterns: &[String]) -> Gitignore {
    /// More patterns than any workspace has; the rest is not looked at.
    const MOST: usize = 1_000;
    let mut builder = GitignoreBuilder::new("");
    for pattern in patterns.iter().take(MOST) {
        let (not, pattern) = pattern.strip_prefix('!').map_or(("", pattern.as_str()), |it| ("!", it));
        let pattern = pattern.trim_start_matches("./").trim_matches('/');
        drop(builder.add_line(None, &format!("{not}/{pattern}")));
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

fn home(
    manifest: &Reading,
    includer: Option<&RepoPath>,
    projects: &BTreeMap<Key, Project>,
    roots: &BTreeMap<Key, Gitignore>,
) -> Key {
    let own = project_folder(manifest);
    if own.as_ref() == Some(&manifest.path) {
        return (manifest.ecosystem, own);
    }
    let above = includer.map(folder).filter(|it| at_or_above(own.clone()).any(|own| own == *it));
    let own = above.unwrap_or(own);
    let keys = || at_or_above(own.clone()).map(|it| (manifest.ecosystem, it));
    let locked = keys().find(|key| {
        let mut lockfiles = projects.get(key).into_iter().flat_map(|it| &it.lockfiles);
        lockfiles.any(|it| key.1 == own || knows(it, key.1.as_ref(), manifest))
    });
    let member = |own: Option<RepoPath>| {
        at_or_above(own.clone()).map(|it| (manifest.ecosystem, it)).find(|key| {
            let below = own.as_ref().and_then(|it| below(it, key.1.as_ref()));
            let below = below.map(|it| Path::new(OsStr::from_bytes(it)));
            roots.get(key).zip(below).is_some_and(|(root, below)| root.matched(below, true).is_ignore())
        })
    };
    locked.or_else(|| outermost(member(own.clone())?, member)).unwrap_or((manifest.ecosystem, own))
}

/// The root of the workspace that a workspace is a member of, and so on: modules of Maven have modules.
fn outermost(root: Key, member: impl Fn(Option<RepoPath>) -> Option<Key>) -> Option<Key> {
    let up = |it: &Key| if it.0 == Ecosystem::Maven { member(it.1.clone()) } else { None };
    std::iter::successors(Some(root), up).last()
}

/// What is left of a path below a folder.
fn below<'p>(path: &'p RepoPath, folder: Option<&RepoPath>) -> Option<&'p [u8]> {
    path.as_bytes().get(folder.map_or(0, |it| it.as_bytes().len() + 1)..)
}

/// Whether a lockfile lists a manifest's package as one of the project's own. One that cannot be read may.
fn knows(lockfile: &Reading, at: Option<&RepoPath>, manifest: &Reading) -> bool {
    let members = match &lockfile.contents {
        Contents::Unreadable => return true,
        Contents::Manifest(_) => return false,
        Contents::Lockfile(it) => &it.members,
    };
    if manifest.ecosystem == Ecosystem::Cargo {
        return matches!(&manifest.contents, Contents::Manifest(it) if it.package.as_ref().is_some_and(|it| members.contains(it)));
    }
    member(manifest, at).is_some_and(|it| members.contains(it))
}

/// The folder of a manifest below that of its project, as lockfiles write it; empty for the project's own.
pub fn member<'m>(manifest: &'m Reading, at: Option<&RepoPath>) -> Option<&'m str> {
    let path = manifest.path.as_bytes();
    let folder = path.get(..path.len().checked_sub(manifest.path.file_name().len())?)?;
    let folder = folder.strip_suffix(b"/").unwrap_or(folder);
    let below = match at {
        None => folder,
        Some(at) => folder.strip_prefix(at.as_bytes())?,
    };
    std::str::from_utf8(below.strip_prefix(b"/").unwrap_or(below)).ok()
}
