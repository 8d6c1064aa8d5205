//! Where the git data of a root lies, and whether it may be read.
//!
//! A `.git` file, `commondir` or symbolic link can point anywhere. It is followed only to where git itself keeps
//! the data of this very root: a linked worktree that is registered there, or a submodule of a parent. What lies
//! there must consist of plain files of bounded size, so that nothing blocks, leads away or exhausts memory.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::model::{Reason, RepoPath};
use crate::system::{FileKind, Root, Unread};

/// A path in a `.git` file or `commondir`.
const LINK_LIMIT: u64 = 8 * 1024;
/// Names below `refs` and `objects`; more than this is not looked through.
const MAX_ENTRIES: usize = 500_000;
const MAX_DEPTH: usize = 64;
/// The most bytes of a file that a name of a commit can lead to. Only `FETCH_HEAD` and messages are more than a line.
const REF_LIMIT: u64 = 16 * 1024 * 1024;
/// Files that are read whole, with the most bytes each may have.
const BOUNDED: [(&str, u64); 7] = [
    ("HEAD", 8 * 1024),
    ("config", 1024 * 1024),
    ("config.worktree", 1024 * 1024),
    ("commondir", LINK_LIMIT),
    ("gitdir", LINK_LIMIT),
    ("packed-refs", 128 * 1024 * 1024),
    ("shallow", 16 * 1024 * 1024),
];

/// The folders of a repository's data.
#[derive(Clone, Debug)]
pub struct GitFolder {
    /// `HEAD` and the index of this worktree.
    pub private: PathBuf,
    /// Objects, refs and configuration, shared between worktrees.
    pub common: PathBuf,
}

/// The git data that belongs to `root`, none when there is none.
///
/// # Errors
/// With the reason when there is some but it is not to be trusted.
pub fn locate(root: &Root) -> Result<Option<GitFolder>, Reason> {
    let dot_git = name(".git");
    let folder = match root.stat(&dot_git).map(|it| it.kind) {
        Err(Unread::Missing) => return Ok(None),
        Ok(FileKind::Directory) => own_folder(root)?,
        Ok(FileKind::Regular) => linked_folder(root, &dot_git)?,
        Ok(FileKind::Symlink | FileKind::Special) => return Err(refused("`.git` is not a folder or a file")),
        Err(error) => return Err(Reason::new("git_unreadable", format!("`.git`: {error}"))),
    };
    vet(&folder.private)?;
    if folder.common != folder.private {
        vet(&folder.common)?;
    }
    Ok(Some(folder))
}

fn name(text: &str) -> RepoPath {
    RepoPath::new(text.as_bytes()).expect("because the names in this file are relative paths")
}

fn refused(what: &str) -> Reason {
    Reason::new("git_link_refused", format!("{what}; the scan goes on without git"))
}

fn own_folder(root: &Root) -> Result<GitFolder, Reason> {
    if root.stat(&name(".git/commondir")).is_ok() {
        return Err(refused("`.git/commondir` sends the reader of this repository elsewhere"));
    }
    let private = root.path().join(".git");
    Ok(GitFolder { common: private.clone(), private })
}

fn linked_folder(root: &Root, dot_git: &RepoPath) -> Result<GitFolder, Reason> {
    let link = root.read(dot_git, LINK_LIMIT).map_err(|error| refused(&format!("`.git`: {error}")))?;
    let target =
        link.strip_prefix(b"gitdir:").ok_or_else(|| refused("`.git` is a file but names no folder"))?;
    let private =
        resolve(root.path(), target).ok_or_else(|| refused("`.git` names a folder that is not there"))?;
    if let Some(common) = worktree_of(&private, root.path()) {
        return Ok(GitFolder { private, common });
    }
    let is_own = private.starts_with(root.path()) || is_submodule(&private, root.path());
    if is_own && !private.join("commondir").exists() {
        return Ok(GitFolder { common: private.clone(), private });
    }
    Err(refused("`.git` names a folder outside that does not know this worktree"))
}

/// The shared folder, when `private` is registered there as the data of the worktree at `root`.
fn worktree_of(private: &Path, root: &Path) -> Option<PathBuf> {
    let private_root = Root::open(private).ok()?;
    let read = |file: &str| private_root.read(&name(file), LINK_LIMIT).ok();
    let back = resolve_parent(private, &read("gitdir")?)?;
    let common = resolve(private, &read("commondir")?)?;
    let is_registered = private.parent()? == common.join("worktrees");
    (back == root.join(".git") && is_registered).then_some(common)
}

/// Whether `private` is where a folder above `root` keeps the data of its submodules.
fn is_submodule(private: &Path, root: &Path) -> bool {
    root.ancestors().skip(1).any(|above| {
        let dot_git = above.join(".git");
        if dot_git.is_dir() {
            return private.starts_with(dot_git.join("modules"));
        }
        let Ok(parent) = Root::open(above) else { return false };
        let Ok(link) = parent.read(&name(".git"), LINK_LIMIT) else { return false };
        let target = link.strip_prefix(b"gitdir:").and_then(|it| resolve(parent.path(), it));
        target.is_some_and(|it| {
            worktree_of(&it, parent.path()).is_some() && private.starts_with(it.join("modules"))
        })
    })
}

fn resolve(from: &Path, target: &[u8]) -> Option<PathBuf> {
    from.join(OsStr::from_bytes(target.trim_ascii())).canonicalize().ok()
}

/// As `resolve`, for a path whose last component is kept as it is.
fn resolve_parent(from: &Path, target: &[u8]) -> Option<PathBuf> {
    let path = from.join(OsStr::from_bytes(target.trim_ascii()));
    Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?))
}

fn vet(folder: &Path) -> Result<(), Reason> {
    let unreadable = |what: &str, error: &dyn std::fmt::Display| {
        Reason::new("git_unreadable", format!("the git data (`{what}`) cannot be used: {error}"))
    };
    let root = Root::open(folder).map_err(|error| unreadable("the folder", &error.source))?;
    for (file, limit) in BOUNDED {
        match root.stat(&name(file)) {
            Ok(stat) if stat.kind != FileKind::Regular => return Err(refused_file(&file)),
            Ok(stat) if stat.size > limit => {
                return Err(unreadable(file, &Unread::TooLarge { size: stat.size }));
            }
            Ok(_) | Err(Unread::Missing) => {}
            Err(error) => return Err(unreadable(file, &error)),
        }
    }
    if root.stat(&name("objects/info/alternates")).is_ok_and(|it| it.size > 0) {
        return Err(refused("`objects/info/alternates` borrows objects from another repository"));
    }
    let top = root.folder(None).and_then(|it| it.entries()).map_err(|it| unreadable("the folder", &it))?;
    for entry in top.into_iter().filter(|it| is_ref_name(&it.name)) {
        let Ok(path) = RepoPath::new(&entry.name) else { continue };
        vet_ref(&root, &path, entry.kind)?;
    }
    ["refs", "objects", "worktrees"].into_iter().try_for_each(|it| vet_tree(&root, it))
}

/// `HEAD`, `ORIG_HEAD` and their like, which also a damaged ref may name.
fn is_ref_name(name: &[u8]) -> bool {
    name.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_')
}

/// Whether a ref can lead to a path below the git data.
fn is_ref(path: &RepoPath) -> bool {
    let mut components = path.as_bytes().split(|byte| *byte == b'/');
    components.clone().next_back().is_some_and(is_ref_name) || components.any(|it| it == b"refs")
}

fn vet_ref(root: &Root, path: &RepoPath, kind: FileKind) -> Result<(), Reason> {
    match kind {
        FileKind::Directory => return Ok(()),
        FileKind::Symlink | FileKind::Special => return Err(refused_file(path)),
        FileKind::Regular => {}
    }
    match root.stat(path) {
        Ok(stat) if stat.size > REF_LIMIT => {
            let error = Unread::TooLarge { size: stat.size };
            Err(Reason::new("git_unreadable", format!("the git data (`{path}`) cannot be used: {error}")))
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

fn refused_file(path: &dyn std::fmt::Display) -> Reason {
    refused(&format!("`{path}` in the git data is a link or a special file"))
}

fn vet_tree(root: &Root, top: &str) -> Result<(), Reason> {
    let mut pending = vec![(name(top), 0)];
    let mut count = 0;
    while let Some((path, depth)) = pending.pop() {
        let entries = match root.folder(Some(&path)).and_then(|it| it.entries()) {
            Ok(entries) => entries,
            Err(Unread::Missing) if depth == 0 => return Ok(()),
            Err(Unread::Symlink) => return Err(refused_file(&path)),
            Err(error) => return Err(Reason::new("git_unreadable", format!("git data `{path}`: {error}"))),
        };
        count += entries.len();
        if count > MAX_ENTRIES || depth > MAX_DEPTH {
            let message = format!("`{top}` in the git data has too many files; run `git gc`");
            return Err(Reason::new("git_too_large", message));
        }
        for entry in entries {
            let Ok(below) = path.join(&entry.name) else { continue };
            match entry.kind {
                FileKind::Directory => pending.push((below, depth + 1)),
                FileKind::Regular | FileKind::Special if is_ref(&below) => vet_ref(root, &below, entry.kind)?,
                // The data of a worktree may hold the socket of a monitor.
                FileKind::Special if top == "worktrees" => {}
                FileKind::Regular => {}
                FileKind::Symlink | FileKind::Special => return Err(refused_file(&below)),
            }
        }
    }
    Ok(())
}
