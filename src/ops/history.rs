//! `history`: what changed a file lately, what of it were fixes, and what used to change with it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::error::OpError;
use super::scan::{discover, resolve_base};
use crate::history::{self, FilePast, Partner};
use crate::model::{Note, RepoPath};
use crate::repo::{CommitId, Log, Reach, Repository};

/// Whose history.
#[derive(Clone, Debug, clap::Args)]
pub struct Request {
    /// A file or folder of the repository
    #[arg(default_value = ".", value_name = "PATH")]
    pub path: PathBuf,
    /// The files that differ between REV and HEAD (or in `A..B`), and what used to change with them
    #[arg(long, value_name = "REV")]
    pub base: Option<String>,
    /// Look through the last N commits
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub commits: u32,
}

/// A file with its commits.
pub struct File {
    pub path: RepoPath,
    pub changes: usize,
    pub fixes: Vec<Commit>,
    /// The newest.
    pub last: Option<Commit>,
}

/// A commit, as one shows it.
pub struct Commit {
    pub id: CommitId,
    pub time: i64,
    pub author: String,
    pub subject: String,
}

/// The history of some files.
pub struct Response {
    /// Those with the most fixes first.
    pub files: Vec<File>,
    pub partners: Vec<Partner>,
    /// How many commits were looked through.
    pub commits: usize,
    pub notes: Vec<Note>,
}

/// Looks through the history.
///
/// # Errors
/// When there is no git data, or the path or the base is not there.
pub fn run(request: &Request) -> Result<Response, OpError> {
    let (repository, below) = discover(&request.path)?;
    let (from, files) = match &request.base {
        Some(spec) => of_change(&repository, spec)?,
        None => (head(&repository)?, None),
    };
    let reach = Reach { commits: request.commits as usize, seconds: None };
    let log = repository.log(from, reach, |_| true).ok_or_else(no_git)?;
    let is_below = |it: &RepoPath| below.as_ref().is_none_or(|below| it.is_within(below));
    let asked: BTreeSet<RepoPath> = match files {
        Some(files) => files.into_iter().filter(is_below).collect(),
        None => log.commits.iter().flat_map(|it| &it.files).filter(|it| is_below(it)).cloned().collect(),
    };
    let (pasts, notes) = history::past(&log, &asked);
    let mut files: Vec<File> = pasts.iter().map(file).collect();
    files.sort_by(|left, right| {
        let key = |it: &File| (std::cmp::Reverse((it.fixes.len(), it.changes)), it.path.clone());
        key(left).cmp(&key(right))
    });
    let partners = if request.base.is_some() { history::partners(&log, &asked) } else { Vec::new() };
    Ok(Response { files, partners, commits: log.commits.len(), notes })
}

fn file(past: &FilePast<'_>) -> File {
    let commit = |it: &&crate::repo::Logged| Commit {
        id: it.id,
        time: it.time,
        author: it.author.clone(),
        subject: it.subject.clone(),
    };
    File {
        path: past.path.clone(),
        changes: past.commits.len(),
        fixes: past.fixes.iter().map(commit).collect(),
        last: past.commits.first().map(commit),
    }
}

/// The commit before a change, and the files that the commits since then changed.
fn of_change(repository: &Repository, spec: &str) -> Result<(CommitId, Option<Vec<RepoPath>>), OpError> {
    let base = resolve_base(repository, spec)?;
    let newer = match base.head {
        Some(it) => it,
        None => head(repository)?,
    };
    let reach = |commits| Reach { commits, seconds: None };
    let since = repository.log(newer, reach(MOST_SINCE), |_| true).ok_or_else(no_git)?;
    let known: BTreeSet<CommitId> = repository
        .log(base.commit, reach(MOST_SINCE), |_| false)
        .map(|it: Log| it.commits.into_iter().map(|it| it.id).collect())
        .unwrap_or_default();
    let own = since.commits.into_iter().filter(|it| !known.contains(&it.id));
    Ok((base.commit, Some(own.flat_map(|it| it.files).collect())))
}

/// The most commits of a change.
const MOST_SINCE: usize = 10_000;

fn head(repository: &Repository) -> Result<CommitId, OpError> {
    repository.head().commit.ok_or_else(no_git)
}

fn no_git() -> OpError {
    OpError::usage("no_git", "there is no readable git data here, or no commit yet")
}
