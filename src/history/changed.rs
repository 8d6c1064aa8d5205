//! Which files differ from a base, and the texts of one of them on both sides.

use rayon::prelude::*;

use crate::model::RepoPath;
use crate::repo::{
    self, Alteration, Base, Change, HeadFile, Options, Repository, Snapshot, SnapshotError, View,
};

/// Both states of a repository.
pub struct Sides<'r> {
    pub older: Snapshot<'r>,
    pub newer: Snapshot<'r>,
}

/// The states that a base compares: a commit, and another one or the files as they are.
///
/// # Errors
/// When one of them cannot be listed.
pub fn sides<'r>(
    repository: &'r Repository,
    base: &Base,
    options: &Options,
) -> Result<Sides<'r>, SnapshotError> {
    let newer = base.head.map_or(View::Worktree, View::Commit);
    Ok(Sides {
        older: repository.snapshot(View::Commit(base.commit), options)?,
        newer: repository.snapshot(newer, options)?,
    })
}

/// The files that differ.
pub fn changed(sides: &Sides<'_>) -> Vec<Change> {
    let named = sides.newer.files.par_iter().filter_map(|it| {
        let blob = it.blob.or_else(|| sides.newer.read(it).ok().map(|it| it.blob))?;
        Some(HeadFile { path: it.path.clone(), mode: it.mode, blob })
    });
    repo::changes(&sides.older, &sides.newer, &named.collect::<Vec<_>>()).changes
}

impl Sides<'_> {
    /// The path that a changed file has in the base, and its lines there that the change replaces or removes.
    pub fn replaced(&self, change: &Change) -> Option<(RepoPath, Vec<u32>)> {
        let before = match &change.kind {
            Alteration::Added | Alteration::ModeOnly => return None,
            Alteration::Removed | Alteration::Modified => &change.path,
            Alteration::Renamed { from, .. } => from,
        };
        let text = |snapshot: &Snapshot<'_>, path: &RepoPath| {
            let content = snapshot.find(path).map(|it| snapshot.read(it));
            content.map_or(Some(String::new()), |it| String::from_utf8(it.ok()?.bytes).ok())
        };
        let (old, new) = (text(&self.older, before)?, text(&self.newer, &change.path)?);
        let lines = repo::hunks(&old, &new).into_iter().flat_map(|it| it.before).collect();
        Some((before.clone(), lines))
    }
}
