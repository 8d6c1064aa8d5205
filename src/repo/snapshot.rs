//! One state of the repository's files: of the working tree, of the staged index, or of a commit.

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::ids::{BlobId, CommitId};
use super::index::{GitMode, Index, Presence};
use super::layout::{GitFiles, Layout};
use super::lfs;
use super::repository::Repository;
use super::skip::{SkipReason, Skipped};
use super::store::{self, Store};
use super::tree::{self, Committed};
use super::walk::{Ground, Lfs, is_hidden, walk};
use crate::model::{Note, Reason, RepoPath};
use crate::system::{FileStat, Root, Unread};

/// Which state of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    Worktree,
    Staged,
    Commit(CommitId),
}

/// How a snapshot is taken.
#[derive(Clone, Debug)]
pub struct Options {
    /// Larger files are a record, not read.
    pub max_file_bytes: u64,
    /// Only this file, or what lies below this folder.
    pub scope: Option<RepoPath>,
}

/// The files of one state, sorted by path, and what was left out.
pub struct Snapshot<'r> {
    pub files: Vec<File>,
    pub skipped: Vec<Skipped>,
    /// Those of the left out that are only too large, sorted: a lockfile is read all the same.
    pub large: Vec<File>,
    pub notes: Vec<Note>,
    /// What the list of files hangs on; none where that is not the whole working tree, or cannot be watched.
    pub layout: Option<Layout>,
    source: Source<'r>,
    limit: u64,
}

#[derive(Clone, Copy)]
enum Source<'r> {
    Worktree(&'r Root),
    Objects(&'r Store),
}

impl File {
    /// What the walk of a working tree saw of it.
    pub const fn stat(&self) -> Option<&FileStat> {
        self.stat.as_ref()
    }
}

/// One file of a snapshot.
#[derive(Clone, Debug)]
pub struct File {
    pub path: RepoPath,
    pub mode: FileMode,
    pub size: u64,
    /// The name of the content, where it is known without reading.
    ///
    /// In a working tree it is what the index says of a file that did not change since it was added. Where git
    /// converts content on checkout (line ends, filters), that is the name of the content in the repository.
    pub blob: Option<BlobId>,
    stat: Option<FileStat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileMode {
    Regular,
    Executable,
}

/// The bytes of a file and their name.
#[derive(Clone, Debug)]
pub struct Content {
    pub bytes: Vec<u8>,
    pub blob: BlobId,
}

/// Why there is no such state.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    #[error("the staged files or a commit were asked for, but this folder has no git repository")]
    NoGit,
    #[error("the git data cannot be used: {}", .0.message)]
    Unavailable(Reason),
    #[error("cannot read the files of the commit `{commit}`: {source}")]
    Commit { commit: CommitId, source: Unread },
}

impl Snapshot<'_> {
    /// The whole content of a file. May be called from many threads.
    ///
    /// # Errors
    /// When the file is gone, no longer a regular file, or too large by now.
    pub fn read(&self, file: &File) -> Result<Content, Unread> {
        self.read_up_to(file, self.limit)
    }

    /// The same with a limit of its own, in bytes.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_up_to(&self, file: &File, limit: u64) -> Result<Content, Unread> {
        match self.source {
            Source::Worktree(root) => {
                let (bytes, stat) = root.read_file(&file.path, limit)?;
                let known = file.blob.filter(|_| file.stat == Some(stat));
                let blob = known.unwrap_or_else(|| BlobId::of(&bytes));
                Ok(Content { bytes, blob })
            }
            Source::Objects(store) => {
                let named = file.blob.ok_or(Unread::Missing)?;
                let bytes = store::blob(&store.local(), named, limit)?;
                let blob = BlobId::of(&bytes);
                if blob == named {
                    Ok(Content { bytes, blob })
                } else {
                    Err(Unread::Failed(format!(
                        "the git object `{named}` holds other content than its name says"
                    )))
                }
            }
        }
    }

    pub fn find(&self, path: &RepoPath) -> Option<&File> {
        let position = self.files.binary_search_by(|it| it.path.cmp(path)).ok()?;
        self.files.get(position)
    }

    /// Whether the path, or a folder above it, was left out.
    pub fn skips(&self, path: &RepoPath) -> bool {
        std::iter::successors(Some(path.clone()), RepoPath::parent)
            .any(|it| self.skipped.binary_search_by(|skip| skip.path.cmp(&it)).is_ok())
    }

    fn sorted(mut self) -> Self {
        self.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        self.large.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        self.skipped.sort_unstable();
        self.skipped.dedup();
        self.notes.sort_unstable();
        self.notes.dedup();
        self
    }
}

/// The files of the working tree.
pub fn of_worktree<'r>(repository: &'r Repository, options: &Options) -> Snapshot<'r> {
    let root = &repository.root;
    let mut notes = Vec::new();
    let git = GitFiles::of(repository);
    let index = repository.store().and_then(|store| match Index::read(&store.folder) {
        Ok(index) => Some(index),
        Err(reason) => {
            notes.push(Note { message: reason.message, ..Note::new("git_index_unreadable", "") });
            None
        }
    });
    let exclude = repository.exclude(&mut notes);
    let scope = options.scope.as_ref();
    let listing = walk(Ground { root, index: index.as_ref(), exclude: &exclude, scope });
    notes.extend(listing.notes);
    notes.extend(index.iter().flat_map(|it| it.notes.iter().cloned()));
    let mut skipped = listing.skipped;
    let mut places = listing.places;
    let (mut files, mut large) = (Vec::with_capacity(listing.files.len()), Vec::new());
    for found in listing.files {
        let stat = found.stat;
        let tracked = index.as_ref().and_then(|index| index.find(&found.path).map(|it| (index, it)));
        let blob = tracked.and_then(|(index, it)| index.blob_if_unchanged(it, &stat));
        let mode = if stat.mode & 0o100 == 0 { FileMode::Regular } else { FileMode::Executable };
        if stat.size > options.max_file_bytes {
            // Its next content may be one that is listed.
            places = None;
            let reason = SkipReason::TooLarge { size: stat.size };
            skipped.push(Skipped { path: found.path.clone(), reason });
            large.push(File { path: found.path, mode, size: stat.size, blob, stat: Some(stat) });
            continue;
        }
        let may_be_pointer = listing.lfs == Lfs::Used && lfs::has_pointer_size(stat.size);
        if may_be_pointer && root.read(&found.path, lfs::MAX_POINTER).is_ok_and(|it| lfs::is_pointer(&it)) {
            places = None;
            skipped.push(Skipped { path: found.path, reason: SkipReason::LfsPointer });
            continue;
        }
        files.push(File { path: found.path, mode, size: stat.size, blob, stat: Some(stat) });
    }
    let limit = options.max_file_bytes;
    let layout = git.zip(places).and_then(|(git, places)| Layout::new(places, git));
    Snapshot { files, skipped, large, notes, layout, source: Source::Worktree(root), limit }.sorted()
}

/// The files as they are staged.
///
/// # Errors
/// When there is no readable index.
pub fn of_index<'r>(store: &'r Store, options: &Options) -> Result<Snapshot<'r>, SnapshotError> {
    let index = Index::read(&store.folder).map_err(SnapshotError::Unavailable)?;
    let mut flat = tree::Flattened { notes: index.notes, ..Default::default() };
    for tracked in index.entries {
        if options.scope.as_ref().is_some_and(|scope| !tracked.path.is_within(scope)) {
            continue;
        }
        match tracked.presence {
            Presence::WorktreeOnly => continue,
            Presence::Conflicted => {
                let message = "this file is in conflict; the side of the current branch is taken";
                flat.notes.push(Note::new("git_conflict", message).at(tracked.path.clone()));
            }
            Presence::Both | Presence::IndexOnly => {}
        }
        if is_hidden(&tracked.path, options.scope.as_ref()) {
            let path = hidden_part(&tracked.path, options.scope.as_ref());
            flat.skipped.push(Skipped { path, reason: SkipReason::Hidden });
        } else {
            let (path, mode, blob) = (tracked.path, tracked.mode, tracked.blob);
            flat.files.push(Committed { path, mode, blob });
        }
    }
    flat.skipped.retain(|it| it.path.file_name() != b".codecortex");
    let attributes = flat.skipped.iter().any(|it| it.path.file_name() == b".gitattributes");
    let lfs = if attributes { Lfs::Used } else { Lfs::Unused };
    Ok(of_objects(store, flat, lfs, options))
}

/// The path up to its first hidden component.
fn hidden_part(path: &RepoPath, scope: Option<&RepoPath>) -> RepoPath {
    std::iter::successors(Some(path.clone()), RepoPath::parent)
        .take_while(|it| is_hidden(it, scope))
        .last()
        .unwrap_or_else(|| path.clone())
}

/// The files of a commit.
///
/// # Errors
/// When the commit is not there.
pub fn of_commit<'r>(
    store: &'r Store,
    commit: CommitId,
    options: &Options,
) -> Result<Snapshot<'r>, SnapshotError> {
    let git = store.local();
    let flat = tree::flatten(&git, commit, options.scope.as_ref())
        .map_err(|source| SnapshotError::Commit { commit, source })?;
    let attributes = flat.skipped.iter().any(|it| it.path.file_name() == b".gitattributes");
    let lfs = if attributes { Lfs::Used } else { Lfs::Unused };
    Ok(of_objects(store, flat, lfs, options))
}

fn of_objects<'r>(store: &'r Store, flat: tree::Flattened, lfs: Lfs, options: &Options) -> Snapshot<'r> {
    let limit = options.max_file_bytes;
    let mut snapshot = Snapshot {
        files: Vec::with_capacity(flat.files.len()),
        skipped: flat.skipped,
        large: Vec::new(),
        notes: flat.notes,
        layout: None,
        source: Source::Objects(store),
        limit,
    };
    let judged: Vec<_> = flat
        .files
        .into_par_iter()
        .map_init(|| store.local(), |git, it| (judge(git, it.mode, it.blob, lfs), it))
        .collect();
    for (judged, Committed { path, blob, .. }) in judged {
        match judged {
            Ok((mode, size)) if size > limit => {
                let reason = SkipReason::TooLarge { size };
                snapshot.skipped.push(Skipped { path: path.clone(), reason });
                snapshot.large.push(File { path, mode, size, blob: Some(blob), stat: None });
            }
            Ok((mode, size)) => snapshot.files.push(File { path, mode, size, blob: Some(blob), stat: None }),
            Err(reason) => snapshot.skipped.push(Skipped { path, reason }),
        }
    }
    snapshot.sorted()
}

/// What kind of file a blob is and how large; an error when it is none to read.
fn judge(
    git: &gix::Repository,
    mode: GitMode,
    blob: BlobId,
    lfs: Lfs,
) -> Result<(FileMode, u64), SkipReason> {
    let mode = match mode {
        GitMode::Regular => FileMode::Regular,
        GitMode::Executable => FileMode::Executable,
        GitMode::Symlink => return Err(SkipReason::Symlink),
        GitMode::Submodule => return Err(SkipReason::Submodule),
    };
    let size = store::blob_size(git, blob)?;
    let may_be_pointer = lfs == Lfs::Used && lfs::has_pointer_size(size);
    if may_be_pointer && store::blob(git, blob, lfs::MAX_POINTER).is_ok_and(|it| lfs::is_pointer(&it)) {
        return Err(SkipReason::LfsPointer);
    }
    Ok((mode, size))
}
