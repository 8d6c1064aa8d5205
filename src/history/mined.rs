//! A history with its files under the names that they have today.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::cache;
use super::fix::is_fix;
use crate::model::{Note, Reason, RepoPath, counted};
use crate::repo::{Alteration, CommitId, Gap, GapCause, Log, Logged, LoggedFiles, Repository};

/// How far back a history is read. Ten thousand commits are years of a busy repository and less than a second.
const MOST_COMMITS: usize = 10_000;
/// Twelve months in seconds.
const YEAR: i64 = 365 * 86_400;

/// The last commits behind one of them.
pub struct History {
    log: Log,
    /// The numbers of the commits that changed a file, newest first; renames of equal content are followed.
    touched: BTreeMap<RepoPath, Vec<usize>>,
    /// Files that are not there any more.
    gone: BTreeSet<RepoPath>,
    /// Whether the subject of a commit says that it is a fix, by the number of the commit.
    is_fix: Vec<bool>,
    /// The names of today by the names that files had.
    today: BTreeMap<RepoPath, RepoPath>,
    /// What a reader must know beside the answers.
    pub notes: Vec<Note>,
}

/// What the history says of a file.
pub struct FileHistory<'h> {
    pub path: RepoPath,
    /// Newest first.
    pub commits: Vec<&'h Logged>,
    /// Those of twelve months before the newest commit that are fixes, or why they are not known.
    pub fixes: Result<Vec<&'h Logged>, Reason>,
    /// Whoever changed it, the most frequent first.
    pub authors: Vec<(&'h str, usize)>,
}

/// Reads the last commits behind one. What is read is kept in `folder`, where there is one.
///
/// # Errors
/// With the reason when there is no history to read.
pub fn read(repository: &Repository, from: CommitId, folder: Option<&Path>) -> Result<History, Reason> {
    let root = repository.root().path();
    let known = folder.map(|it| cache::known(it, root)).unwrap_or_default();
    let names: BTreeSet<CommitId> = known.keys().copied().collect();
    let log = repository.log(from, MOST_COMMITS, known)?;
    let is_new = |it: &Logged| !names.contains(&it.id) && it.files != LoggedFiles::Unknown;
    let mut notes = Vec::new();
    if let Some(folder) = folder.filter(|_| log.commits.iter().any(is_new))
        && let Err(error) = cache::keep(folder, root, log.commits.iter())
    {
        let message = format!("the history that was read could not be kept: {error}");
        notes.push(Note::new("history_unkept", message));
    }
    notes.extend(log.gap.filter(|it| it.cause != GapCause::Limit).map(|it| {
        let reason = reason(it, log.commits.len());
        Note { code: reason.code, ..Note::new("history_shallow", reason.message) }
    }));
    Ok(History::of(log, notes))
}

fn reason(gap: Gap, commits: usize) -> Reason {
    let seen = counted(commits as u64, "commit");
    match gap.cause {
        GapCause::Shallow => Reason::new(
            "history_shallow",
            format!("the clone is shallow: its {seen} do not reach back far enough; `git fetch --unshallow`"),
        ),
        GapCause::Trees => Reason::new(
            "history_trees_missing",
            "trees of older commits are not in this clone, so it is not known what they changed",
        ),
        GapCause::Limit => Reason::new(
            "history_limited",
            format!("only the last {seen} are looked at, and they do not reach back far enough"),
        ),
    }
}

impl History {
    pub(super) fn of(log: Log, notes: Vec<Note>) -> Self {
        let mut touched: BTreeMap<RepoPath, Vec<usize>> = BTreeMap::new();
        let mut gone = BTreeSet::new();
        let mut today: BTreeMap<RepoPath, RepoPath> = BTreeMap::new();
        for (number, commit) in log.commits.iter().enumerate() {
            let LoggedFiles::Changed(changes) = &commit.files else { continue };
            for change in changes {
                let name = today.get(&change.path).unwrap_or(&change.path).clone();
                let numbers = touched.entry(name.clone()).or_default();
                if numbers.is_empty() && change.kind == Alteration::Removed {
                    gone.insert(name.clone());
                }
                numbers.push(number);
                // A file that was made again under the old name keeps that name's history.
                if let Alteration::Renamed { from, .. } = &change.kind
                    && !touched.contains_key(from)
                {
                    today.insert(from.clone(), name);
                }
            }
        }
        let is_fix = log.commits.iter().map(|it| is_fix(&it.subject)).collect();
        Self { log, touched, gone, is_fix, today, notes }
    }

    /// The name of today of a file that had this name once.
    pub(super) fn today<'n>(&'n self, name: &'n RepoPath) -> &'n RepoPath {
        self.today.get(name).unwrap_or(name)
    }

    /// The commit that everything stands behind.
    pub fn newest(&self) -> Option<&Logged> {
        self.log.commits.first()
    }

    pub(super) fn commit(&self, number: usize) -> Option<&Logged> {
        self.log.commits.get(number)
    }

    pub(super) fn touching(&self, path: &RepoPath) -> &[usize] {
        self.touched.get(path).map_or(&[], Vec::as_slice)
    }

    /// All files that the history knows and that are there today.
    pub fn files(&self) -> impl Iterator<Item = &RepoPath> {
        self.touched.keys().filter(|it| !self.gone.contains(*it))
    }

    pub(super) fn is_gone(&self, path: &RepoPath) -> bool {
        self.gone.contains(path)
    }

    /// What is known of a file.
    pub fn file(&self, path: &RepoPath) -> FileHistory<'_> {
        let commits: Vec<&Logged> = self.touching(path).iter().filter_map(|it| self.commit(*it)).collect();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for commit in &commits {
            *counts.entry(commit.author.as_str()).or_default() += 1;
        }
        let mut authors: Vec<(&str, usize)> = counts.into_iter().collect();
        authors.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(right.0)));
        let fixes = self.fixes(std::slice::from_ref(path));
        FileHistory { path: path.clone(), commits, fixes, authors }
    }

    /// The fixes in any of the files in the twelve months before the newest commit, newest first.
    ///
    /// # Errors
    /// With the reason when the history does not reach back so far.
    pub fn fixes(&self, files: &[RepoPath]) -> Result<Vec<&Logged>, Reason> {
        let newest = self.newest().map_or(0, |it| it.time);
        let since = newest.saturating_sub(YEAR);
        if let Some(gap) = self.log.gap.filter(|it| it.before >= since) {
            return Err(reason(gap, self.log.commits.len()));
        }
        let numbers: BTreeSet<usize> = files.iter().flat_map(|it| self.touching(it)).copied().collect();
        let fixes = numbers.into_iter().filter(|it| self.is_fix.get(*it) == Some(&true));
        Ok(fixes.filter_map(|it| self.commit(it)).filter(|it| it.time >= since).collect())
    }
}
