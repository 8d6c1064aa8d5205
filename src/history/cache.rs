//! What was read of a history, kept in the user's own state folder: a commit never changes, so that the next look
//! reads only what came since.
//!
//! It does not lie in the repository, where the change under review could bring a history of its own.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::model::{Digest, RepoPath};
use crate::repo::{Alteration, Change, CommitId, Likeness, Logged, LoggedFiles};
use crate::system::{read_kept, write_kept};

/// A document of its own. Paths and authors are written once.
#[derive(Serialize, Deserialize)]
struct Document {
    paths: Vec<RepoPath>,
    authors: Vec<String>,
    commits: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    id: CommitId,
    parents: Vec<CommitId>,
    time: i64,
    author: usize,
    subject: String,
    files: Files,
}

#[derive(Serialize, Deserialize)]
enum Files {
    Merge,
    TooMany,
    Changed(Vec<(Kind, usize, Option<usize>)>),
}

#[derive(Clone, Copy, Serialize, Deserialize)]
enum Kind {
    Added,
    Removed,
    Modified,
    ModeOnly,
    Renamed,
}

fn name(root: &Path) -> String {
    Digest::of(root.as_os_str().as_encoded_bytes()).short(32)
}

/// The commits of a repository that are known; none where nothing usable was kept.
pub fn known(folder: &Path, root: &Path) -> BTreeMap<CommitId, Logged> {
    let bytes = read_kept(folder, &name(root));
    let document = bytes.and_then(|it| postcard::from_bytes::<Document>(&it).ok());
    let Some(Document { paths, authors, commits }) = document else { return BTreeMap::new() };
    commits.into_iter().filter_map(|it| Some((it.id, it.logged(&paths, &authors)?))).collect()
}

/// Keeps commits, and forgets those that are not among them.
///
/// # Errors
/// When the folder cannot be written, with the reason.
pub fn keep<'c>(folder: &Path, root: &Path, commits: impl Iterator<Item = &'c Logged>) -> Result<(), String> {
    let mut tables = Tables::default();
    let commits = commits.filter_map(|it| tables.entry(it)).collect();
    let document = Document { paths: ordered(tables.paths), authors: ordered(tables.authors), commits };
    let bytes = postcard::to_stdvec(&document).map_err(|it| it.to_string())?;
    write_kept(folder, &name(root), &bytes)
}

#[derive(Default)]
struct Tables {
    paths: BTreeMap<RepoPath, usize>,
    authors: BTreeMap<String, usize>,
}

fn number<T: Ord + Clone>(table: &mut BTreeMap<T, usize>, value: &T) -> usize {
    let next = table.len();
    match table.get(value) {
        Some(number) => *number,
        None => *table.entry(value.clone()).or_insert(next),
    }
}

fn ordered<T>(table: BTreeMap<T, usize>) -> Vec<T> {
    let mut rows: Vec<(usize, T)> = table.into_iter().map(|(value, number)| (number, value)).collect();
    rows.sort_unstable_by_key(|it| it.0);
    rows.into_iter().map(|it| it.1).collect()
}

impl Tables {
    /// None for a commit of which a deeper clone could say more.
    fn entry(&mut self, commit: &Logged) -> Option<Entry> {
        let files = match &commit.files {
            LoggedFiles::Unknown => return None,
            LoggedFiles::Merge => Files::Merge,
            LoggedFiles::TooMany => Files::TooMany,
            LoggedFiles::Changed(changes) => {
                Files::Changed(changes.iter().map(|it| self.change(it)).collect())
            }
        };
        Some(Entry {
            id: commit.id,
            parents: commit.parents.clone(),
            time: commit.time,
            author: number(&mut self.authors, &commit.author),
            subject: commit.subject.clone(),
            files,
        })
    }

    fn change(&mut self, change: &Change) -> (Kind, usize, Option<usize>) {
        let path = number(&mut self.paths, &change.path);
        match &change.kind {
            Alteration::Added => (Kind::Added, path, None),
            Alteration::Removed => (Kind::Removed, path, None),
            Alteration::Modified => (Kind::Modified, path, None),
            Alteration::ModeOnly => (Kind::ModeOnly, path, None),
            Alteration::Renamed { from, .. } => (Kind::Renamed, path, Some(number(&mut self.paths, from))),
        }
    }
}

impl Entry {
    fn logged(self, paths: &[RepoPath], authors: &[String]) -> Option<Logged> {
        let files = match self.files {
            Files::Merge => LoggedFiles::Merge,
            Files::TooMany => LoggedFiles::TooMany,
            Files::Changed(rows) => {
                LoggedFiles::Changed(rows.into_iter().map(|it| change(it, paths)).collect::<Option<_>>()?)
            }
        };
        let author = authors.get(self.author)?.clone();
        let Self { id, parents, time, subject, .. } = self;
        Some(Logged { id, parents, time, author, subject, files })
    }
}

fn change((kind, path, from): (Kind, usize, Option<usize>), paths: &[RepoPath]) -> Option<Change> {
    let from = from.map(|it| paths.get(it).cloned());
    let kind = match kind {
        Kind::Added => Alteration::Added,
        Kind::Removed => Alteration::Removed,
        Kind::Modified => Alteration::Modified,
        Kind::ModeOnly => Alteration::ModeOnly,
        Kind::Renamed => Alteration::Renamed { from: from??, likeness: Likeness::Equal },
    };
    Some(Change { path: paths.get(path)?.clone(), kind })
}
