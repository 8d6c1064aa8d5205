//! The repository that a path belongs to.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::git_folder::locate;
use super::head::{Head, HeadState};
use super::ignore_rules::MAX_IGNORE_FILE;
use super::index::Index;
use super::snapshot::{self, Options, Snapshot, SnapshotError, View};
use super::store::Store;
use crate::model::{Note, Reason, RepoPath};
use crate::system::{Root, RootError, Unread};

/// A root folder and, where there is one that may be read, its git data.
pub struct Repository {
    pub root: Root,
    git: Git,
    head: Head,
}

enum Git {
    Absent,
    Refused(Reason),
    Open(Box<Store>),
}

/// Why a path belongs to no repository.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("there is nothing at `{path}`; name an existing folder or file", path = .0.display())]
    Missing(PathBuf),
    #[error("`{path}` is a bare git repository: it has no files to scan; check it out", path = .0.display())]
    Bare(PathBuf),
    #[error("cannot open `{path}`: {source}", path = .path.display())]
    Unreachable { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Root(#[from] RootError),
}

impl Repository {
    /// The repository around a folder or file, and the part of it that the path asks for (none for all).
    ///
    /// The root is the nearest folder upwards that has `.git`; without one, the folder itself.
    ///
    /// # Errors
    /// When there is nothing at the path or it cannot be opened. Unreadable git data is a state, not an error.
    pub fn discover(path: &Path) -> Result<(Self, Option<RepoPath>), OpenError> {
        let canonical = path.canonicalize().map_err(|source| {
            let path = path.to_owned();
            let is_missing = source.kind() == std::io::ErrorKind::NotFound;
            if is_missing { OpenError::Missing(path) } else { OpenError::Unreachable { path, source } }
        })?;
        let is_folder = canonical.is_dir();
        let start = if is_folder { Some(canonical.as_path()) } else { canonical.parent() };
        let start = start.unwrap_or(&canonical);
        let has_git = |folder: &&Path| folder.join(".git").symlink_metadata().is_ok();
        let top = start.ancestors().find(has_git).unwrap_or(start);
        let is_bare = ["HEAD", "objects", "refs"].iter().all(|it| top.join(it).exists());
        if is_bare && !has_git(&top) {
            return Err(OpenError::Bare(path.to_owned()));
        }
        let scope =
            canonical.strip_prefix(top).ok().and_then(|it| RepoPath::new(it.as_os_str().as_bytes()).ok());
        Ok((Self::at(Root::open(top)?), scope))
    }

    fn at(root: Root) -> Self {
        let (git, head) = match locate(&root).and_then(|it| it.map(Store::open).transpose()) {
            Ok(None) => (Git::Absent, Head::without_git()),
            Err(reason) => (Git::Refused(reason.clone()), Head::unavailable(reason)),
            Ok(Some(store)) => {
                let head = Head::of(&store);
                (Git::Open(Box::new(store)), head)
            }
        };
        Self { root, git, head }
    }

    pub const fn root(&self) -> &Root {
        &self.root
    }

    pub const fn head(&self) -> &Head {
        &self.head
    }

    /// Whether git tracks the file at an absolute path.
    pub fn tracks(&self, path: &Path) -> bool {
        let inside = path.strip_prefix(self.root.path()).ok();
        let inside = inside.and_then(|it| RepoPath::new(it.as_os_str().as_bytes()).ok());
        inside.zip(self.git_index()).is_some_and(|(path, index)| index.find(&path).is_some())
    }

    /// The git index; none where there is none that can be used.
    pub fn git_index(&self) -> Option<Index> {
        self.store().and_then(|it| Index::read(&it.folder).ok())
    }

    /// # Errors
    /// When the staged files or a commit are asked for and cannot be read. The working tree always can.
    pub fn snapshot(&self, view: View, options: &Options) -> Result<Snapshot<'_>, SnapshotError> {
        let mut snapshot = match view {
            View::Worktree => snapshot::of_worktree(self, options),
            View::Staged => snapshot::of_index(self.readable_store()?, options)?,
            View::Commit(commit) => snapshot::of_commit(self.readable_store()?, commit, options)?,
        };
        if let HeadState::Unavailable(reason) = &self.head.state {
            let message = format!("history is unavailable: {}", reason.message);
            snapshot.notes.push(Note { code: reason.code.clone(), ..Note::new("git_unreadable", message) });
            snapshot.notes.sort_unstable();
        }
        Ok(snapshot)
    }

    /// The git data, when it may be read.
    pub fn store(&self) -> Option<&Store> {
        match &self.git {
            Git::Open(store) => Some(store),
            Git::Absent | Git::Refused(_) => None,
        }
    }

    fn readable_store(&self) -> Result<&Store, SnapshotError> {
        match &self.git {
            Git::Open(store) => Ok(store),
            Git::Refused(reason) => Err(SnapshotError::Unavailable(reason.clone())),
            Git::Absent => Err(SnapshotError::NoGit),
        }
    }

    /// The text of `info/exclude`, empty when there is none.
    pub fn exclude(&self, notes: &mut Vec<Note>) -> Vec<u8> {
        let Some(store) = self.store() else { return Vec::new() };
        let path = RepoPath::new(b"info/exclude").expect("because this is a relative path");
        let Ok(common) = Root::open(&store.folder.common) else { return Vec::new() };
        match common.read(&path, MAX_IGNORE_FILE) {
            Ok(text) => text,
            Err(Unread::Missing) => Vec::new(),
            Err(error) => {
                let message = format!("`.git/info/exclude` has no effect: {error}");
                notes.push(Note::new("ignore_file_unread", message));
                Vec::new()
            }
        }
    }
}
