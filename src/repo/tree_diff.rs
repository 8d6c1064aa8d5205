//! What differs between two trees, by their objects alone: no file's content is read, which a partial clone lacks.

use std::collections::BTreeMap;

use gix::objs::TreeRefIter;
use gix::objs::tree::EntryKind;

use super::change::{Alteration, Change, Changes};
use super::ids::BlobId;
use super::index::tracked_path;
use super::store::{self, guarded};
use super::walk::MAX_DEPTH;
use crate::model::RepoPath;

/// A commit that changes more files says nothing about any of them.
const MOST_CHANGES: usize = 20_000;
/// Trees that are read for one difference: a tree that holds one twice, which holds one twice, is tiny and endless.
const MOST_TREES: usize = 100_000;

/// Why there is no difference.
#[derive(Debug)]
pub enum NoDifference {
    /// More files than one would want to know of.
    TooMany,
    /// A tree is not in this clone, or damaged.
    Unread,
}

struct Entry {
    name: Vec<u8>,
    kind: EntryKind,
    id: gix::ObjectId,
}

impl Entry {
    /// A tree sorts as if its name ended with a slash.
    fn key(&self) -> (impl Iterator<Item = u8>, bool) {
        let is_tree = self.kind == EntryKind::Tree;
        (self.name.iter().copied().chain(is_tree.then_some(b'/')), is_tree)
    }
}

/// The changes from the older tree (none for an empty one) to the newer one. Renames are files of equal content.
///
/// # Errors
/// When a tree cannot be read, or too much differs.
pub fn changes(
    git: &gix::Repository,
    older: Option<gix::ObjectId>,
    newer: gix::ObjectId,
) -> Result<Vec<Change>, NoDifference> {
    let mut found = Found::default();
    let mut pending = vec![(None, older, Some(newer), 0)];
    let mut trees = 0;
    while let Some((folder, older, newer, depth)) = pending.pop() {
        trees += 1;
        if trees > MOST_TREES || found.count > MOST_CHANGES {
            return Err(NoDifference::TooMany);
        }
        let [older, newer] = [entries(git, older)?, entries(git, newer)?];
        for (old, new) in pairs(older, newer) {
            let Some(name) = old.as_ref().or(new.as_ref()).map(|it| &it.name) else { continue };
            let Some(path) = path(folder.as_ref(), name) else { continue };
            let tree = |it: Option<&Entry>| it.filter(|it| it.kind == EntryKind::Tree).map(|it| it.id);
            let trees = (tree(old.as_ref()), tree(new.as_ref()));
            if trees == (None, None) {
                found.add(path, old.as_ref(), new.as_ref());
            } else if depth + 1 < MAX_DEPTH {
                pending.push((Some(path), trees.0, trees.1, depth + 1));
            }
        }
    }
    Ok(found.finish())
}

fn path(folder: Option<&RepoPath>, name: &[u8]) -> Option<RepoPath> {
    let inside = tracked_path(name).filter(|_| !name.contains(&b'/'))?;
    match folder {
        Some(folder) => folder.join(name).ok(),
        None => Some(inside),
    }
}

fn entries(git: &gix::Repository, tree: Option<gix::ObjectId>) -> Result<Vec<Entry>, NoDifference> {
    let Some(tree) = tree else { return Ok(Vec::new()) };
    let bytes = store::tree(git, tree).map_err(|_| NoDifference::Unread)?;
    let read = guarded(|| {
        TreeRefIter::from_bytes(&bytes, gix::hash::Kind::Sha1)
            .map_while(Result::ok)
            .map(|it| Entry { name: it.filename.to_vec(), kind: it.mode.kind(), id: it.oid.to_owned() })
            .collect()
    });
    read.map_err(|_| NoDifference::Unread)
}

/// The entries that differ, side by side where both have one of the name and kind.
fn pairs(older: Vec<Entry>, newer: Vec<Entry>) -> Vec<(Option<Entry>, Option<Entry>)> {
    let (mut older, mut newer) = (older.into_iter().peekable(), newer.into_iter().peekable());
    let mut found = Vec::new();
    loop {
        let order = match (older.peek(), newer.peek()) {
            (None, None) => return found,
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(old), Some(new)) => {
                old.key().0.cmp(new.key().0).then_with(|| old.key().1.cmp(&new.key().1))
            }
        };
        let pair =
            (order.is_le().then(|| older.next()).flatten(), order.is_ge().then(|| newer.next()).flatten());
        let is_same = |old: &Entry, new: &Entry| old.id == new.id && old.kind == new.kind;
        if !matches!(&pair, (Some(old), Some(new)) if is_same(old, new)) {
            found.push(pair);
        }
    }
}

#[derive(Default)]
struct Found {
    changes: Vec<Change>,
    removed: BTreeMap<RepoPath, BlobId>,
    added: BTreeMap<RepoPath, BlobId>,
    count: usize,
}

impl Found {
    fn add(&mut self, path: RepoPath, old: Option<&Entry>, new: Option<&Entry>) {
        self.count += 1;
        let blob = |it: Option<&Entry>| {
            it.filter(|it| it.kind != EntryKind::Commit).and_then(|it| BlobId::from_git(&it.id))
        };
        match (blob(old), blob(new)) {
            (Some(old), Some(new)) => {
                let kind = if old == new { Alteration::ModeOnly } else { Alteration::Modified };
                self.changes.push(Change { path, kind });
            }
            (Some(blob), None) => {
                self.removed.insert(path, blob);
            }
            (None, Some(blob)) => {
                self.added.insert(path, blob);
            }
            (None, None) => {}
        }
    }

    fn finish(self) -> Vec<Change> {
        Changes::of_names(self.changes, self.removed, self.added)
    }
}
