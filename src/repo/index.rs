//! The git index: which files are tracked, and which of them need not be hashed again.

use gix::index::entry::{Flags, Mode, Stage, Stat};

use super::git_folder::GitFolder;
use super::ids::BlobId;
use super::store::guarded;
use crate::model::{Note, Reason, RepoPath, counted};
use crate::system::{FileStat, Root, TICK_NS, Unread};

const MAX_INDEX: u64 = 512 * 1024 * 1024;

/// What git keeps under a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GitMode {
    Regular,
    Executable,
    Symlink,
    Submodule,
}

/// A tracked path.
#[derive(Clone, Debug)]
pub struct Tracked {
    pub path: RepoPath,
    pub mode: GitMode,
    pub blob: BlobId,
    pub presence: Presence,
    stat: Stat,
}

/// Whether the content of an entry is meant to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// In the index and in the worktree.
    Both,
    /// Left out of a sparse checkout.
    IndexOnly,
    /// `git add --intent-to-add`: no content is staged.
    WorktreeOnly,
    /// One side of a merge conflict.
    Conflicted,
}

/// The tracked paths, one entry each, sorted.
#[derive(Debug, Default)]
pub struct Index {
    pub entries: Vec<Tracked>,
    pub notes: Vec<Note>,
    written_ns: i128,
}

impl Index {
    /// An absent index is an empty one.
    ///
    /// # Errors
    /// With the reason when there is one that cannot be read.
    pub fn read(folder: &GitFolder) -> Result<Self, Reason> {
        let unreadable =
            |what: &str| Reason::new("git_index_unreadable", format!("the git index cannot be used: {what}"));
        let root = Root::open(&folder.private).map_err(|error| unreadable(&error.to_string()))?;
        let path = RepoPath::new(b"index").expect("because `index` is a relative path");
        let (bytes, stat) = match root.read_file(&path, MAX_INDEX) {
            Ok(found) => found,
            Err(Unread::Missing) => return Ok(Self::default()),
            Err(error) => return Err(unreadable(&error.to_string())),
        };
        guarded(|| decode(&bytes, &stat)).and_then(|it| it.map_err(unreadable))
    }

    pub fn find(&self, path: &RepoPath) -> Option<&Tracked> {
        let position = self.entries.binary_search_by(|it| it.path.cmp(path)).ok()?;
        self.entries.get(position)
    }

    /// The blob of a file in the worktree, when the index vouches that the file is as it was when it was added.
    ///
    /// A file changed less than a tick before the index was written ("racily clean") is not vouched for: it may have
    /// changed once more before the index was there, and no time says so. Its modification time can be set to any
    /// value, so the time of its last change counts as well.
    pub fn blob_if_unchanged(&self, tracked: &Tracked, stat: &FileStat) -> Option<BlobId> {
        let is_settled = stat.mtime_ns.max(stat.ctime_ns) + TICK_NS <= self.written_ns;
        let is_vouched_for = tracked.presence == Presence::Both && is_settled;
        (is_vouched_for && matches(&tracked.stat, stat)).then_some(tracked.blob)
    }

    /// The name of the content of a file in this state, where the index vouches for it.
    pub fn blob_of(&self, path: &RepoPath, stat: &FileStat) -> Option<BlobId> {
        self.blob_if_unchanged(self.find(path)?, stat)
    }
}

/// The index keeps the low 32 bits of each number.
fn matches(kept: &Stat, found: &FileStat) -> bool {
    let split = |ns: i128| (ns.div_euclid(1_000_000_000) as u32, ns.rem_euclid(1_000_000_000) as u32);
    let time = |it: gix::index::entry::stat::Time| (it.secs, it.nsecs);
    kept.size == found.size as u32
        && kept.ino == found.inode as u32
        && time(kept.mtime) == split(found.mtime_ns)
        && time(kept.ctime) == split(found.ctime_ns)
}

fn decode(bytes: &[u8], stat: &FileStat) -> Result<Index, &'static str> {
    let hash = gix::hash::Kind::Sha1;
    let unknown_time = gix::index::State::new(hash).timestamp();
    let options = gix::index::decode::Options { thread_limit: Some(1), ..Default::default() };
    let (state, _) =
        gix::index::State::from_bytes(bytes, unknown_time, hash, options).map_err(|_| "it is damaged")?;
    if state.link().is_some() {
        return Err("it is split; `git update-index --no-split-index` joins it");
    }
    let mut index = Index { written_ns: stat.mtime_ns, ..Index::default() };
    let mut refused = 0_usize;
    let mut sparse = 0_usize;
    for entry in state.entries() {
        let Some(mode) = mode_of(entry.mode) else {
            sparse += 1;
            continue;
        };
        match (tracked_path(entry.path(&state)), BlobId::from_git(&entry.id)) {
            (Some(path), Some(blob)) => {
                let presence = presence_of(entry.flags, entry.stage());
                index.entries.push(Tracked { path, mode, blob, presence, stat: entry.stat });
            }
            (None, _) | (_, None) => refused += 1,
        }
    }
    // "Ours" (stage 2) stands for a path in conflict; without it, the first that is there.
    index.entries.sort_by(|a, b| a.path.cmp(&b.path));
    index.entries.dedup_by(|later, kept| later.path == kept.path);
    if refused > 0 {
        let entries = counted(refused as u64, "entry");
        let message = format!("left out: {entries} of the git index with a path that leads out");
        index.notes.push(Note::new("git_path_refused", message));
    }
    if sparse > 0 {
        let message = format!(
            "the git index is sparse: it does not list {} file by file",
            counted(sparse as u64, "folder")
        );
        index.notes.push(Note::new("git_index_sparse", message));
    }
    Ok(index)
}

fn presence_of(flags: Flags, stage: Stage) -> Presence {
    if stage != Stage::Unconflicted {
        Presence::Conflicted
    } else if flags.contains(Flags::INTENT_TO_ADD) {
        Presence::WorktreeOnly
    } else if flags.contains(Flags::SKIP_WORKTREE) {
        Presence::IndexOnly
    } else {
        Presence::Both
    }
}

fn mode_of(mode: Mode) -> Option<GitMode> {
    match mode {
        Mode::FILE => Some(GitMode::Regular),
        Mode::FILE_EXECUTABLE => Some(GitMode::Executable),
        Mode::SYMLINK => Some(GitMode::Symlink),
        Mode::COMMIT => Some(GitMode::Submodule),
        _ => None,
    }
}

/// A path as git keeps it, when it stays inside and touches no git data.
pub fn tracked_path(bytes: &[u8]) -> Option<RepoPath> {
    let touches_git = bytes.split(|it| *it == b'/').any(|name| name.eq_ignore_ascii_case(b".git"));
    if touches_git { None } else { RepoPath::new(bytes).ok() }
}
