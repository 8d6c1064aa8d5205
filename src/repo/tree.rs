//! The files of a commit, flattened from its tree objects without trusting the names in them.

use std::collections::BTreeSet;

use gix::objs::TreeRefIter;
use gix::objs::tree::EntryKind;

use super::ids::{BlobId, CommitId};
use super::index::{GitMode, tracked_path};
use super::skip::{SkipReason, Skipped};
use super::store::{self, guarded};
use super::walk::{MAX_DEPTH, is_hidden_name};
use crate::model::{Note, RepoPath};
use crate::system::Unread;

/// More entries than this end the flattening, with a note.
const MAX_ENTRIES: usize = 2_000_000;
/// So do more entries than this in trees that were met before: a tree that holds one twice, which holds one twice,
/// and so on, makes a tiny repository huge.
const MAX_REPEATED: usize = 100_000;

/// A file in a commit.
#[derive(Clone, Debug)]
pub struct Committed {
    pub path: RepoPath,
    pub mode: GitMode,
    pub blob: BlobId,
}

/// What a commit holds, in no particular order.
#[derive(Debug, Default)]
pub struct Flattened {
    pub files: Vec<Committed>,
    pub skipped: Vec<Skipped>,
    pub notes: Vec<Note>,
}

/// Lists the commit's files within `scope`. Hidden folders are one record and are not read.
///
/// # Errors
/// When the commit or its top tree is not there.
pub fn flatten(
    git: &gix::Repository,
    commit: CommitId,
    scope: Option<&RepoPath>,
) -> Result<Flattened, Unread> {
    let top = store::tree_of(git, commit)?;
    let mut reader = Reader { scope, ..Reader::default() };
    reader.read((top, &store::tree(git, top)?), None, 0);
    while let Some((path, id, depth)) = reader.pending.pop() {
        match store::tree(git, id) {
            Ok(bytes) => reader.read((id, &bytes), Some(&path), depth),
            Err(error) => reader.flat.skipped.push(Skipped { path, reason: error.into() }),
        }
        if let Some(message) = reader.excess() {
            reader.flat.notes.push(Note::new("walk_cut", message));
            break;
        }
    }
    Ok(reader.finish())
}

#[derive(Default)]
struct Reader<'s> {
    scope: Option<&'s RepoPath>,
    flat: Flattened,
    pending: Vec<(RepoPath, gix::ObjectId, usize)>,
    met: BTreeSet<gix::ObjectId>,
    count: usize,
    repeated: usize,
    refused: usize,
}

impl Reader<'_> {
    fn excess(&self) -> Option<String> {
        if self.count > MAX_ENTRIES {
            return Some(format!("the commit has more than {MAX_ENTRIES} files; the rest is left out"));
        }
        (self.repeated > MAX_REPEATED).then(|| {
            format!(
                "the commit repeats the same folders, with more than {MAX_REPEATED} entries; the rest is left out"
            )
        })
    }

    fn read(&mut self, (id, bytes): (gix::ObjectId, &[u8]), folder: Option<&RepoPath>, depth: usize) {
        let entries = guarded(|| {
            TreeRefIter::from_bytes(bytes, gix::hash::Kind::Sha1)
                .map(|it| it.map(|it| (it.filename.to_vec(), it.mode.kind(), it.oid.to_owned())))
                .collect::<Vec<_>>()
        });
        let entries = entries.unwrap_or_default();
        self.count += entries.len();
        if !self.met.insert(id) {
            self.repeated += entries.len();
        }
        for entry in entries {
            match entry {
                Ok((name, kind, id)) => self.look_at(folder, &name, (kind, id), depth),
                Err(_) => self.refused += 1,
            }
        }
    }

    fn look_at(
        &mut self,
        folder: Option<&RepoPath>,
        name: &[u8],
        (kind, id): (EntryKind, gix::ObjectId),
        depth: usize,
    ) {
        let path = match folder {
            _ if name.contains(&b'/') => None,
            Some(folder) => folder.join(name).ok().filter(|_| tracked_path(name).is_some()),
            None => tracked_path(name),
        };
        let (Some(path), Some(blob)) = (path, BlobId::from_git(&id)) else {
            self.refused += 1;
            return;
        };
        let leads_to_scope = self.scope.is_some_and(|scope| scope.is_within(&path));
        if self.scope.is_some_and(|scope| !path.is_within(scope)) && !leads_to_scope {
            return;
        }
        let mode = match kind {
            _ if name == b".codecortex" && !leads_to_scope => return,
            _ if is_hidden_name(name) && !leads_to_scope => return self.skip(path, SkipReason::Hidden),
            EntryKind::Tree if depth + 1 >= MAX_DEPTH => return self.skip(path, SkipReason::TooDeep),
            EntryKind::Tree => return self.pending.push((path, id, depth + 1)),
            EntryKind::Blob => GitMode::Regular,
            EntryKind::BlobExecutable => GitMode::Executable,
            EntryKind::Link => GitMode::Symlink,
            EntryKind::Commit => GitMode::Submodule,
        };
        self.flat.files.push(Committed { path, mode, blob });
    }

    fn skip(&mut self, path: RepoPath, reason: SkipReason) {
        self.flat.skipped.push(Skipped { path, reason });
    }

    /// A hostile tree may name a path twice; the first by mode and content stands.
    fn finish(mut self) -> Flattened {
        self.flat.files.sort_by(|a, b| (&a.path, a.mode, a.blob).cmp(&(&b.path, b.mode, b.blob)));
        self.flat.files.dedup_by(|later, kept| later.path == kept.path);
        self.flat.skipped =
            std::mem::take(&mut self.flat.skipped).into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        if self.refused > 0 {
            let message =
                format!("{} tree entries of the commit have a name that leads out; left out", self.refused);
            self.flat.notes.push(Note::new("git_path_refused", message));
        }
        self.flat
    }
}
