//! `history`: what changed a file, a symbol or the files of a change, what was fixed there, and what changes with it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::error::OpError;
use super::precision::config;
use super::scan::{discover, resolve_base};
use super::world::{Environment, World};
use crate::config::Config;
use crate::graph::Lookup;
use crate::history::{self, FileHistory, History};
use crate::model::{Evidence, LayerState, Location, Note, Reason, RepoPath, Timestamp, counted};
use crate::pipeline::{self, Asking, Memory};
use crate::repo::{self, Alteration, Base, CommitId, Options, Repository};

/// More partners than this are no advice.
const MOST_PARTNERS: usize = 10;
/// A longer file is not one that a person wrote line by line.
const MOST_BYTES: u64 = 4 << 20;

/// Whose history.
#[derive(Clone, Debug, clap::Args)]
pub struct Request {
    /// A file, or a folder of the repository: the files that were fixed and changed most in it
    #[arg(default_value = ".", value_name = "PATH")]
    pub path: PathBuf,
    /// The commits that wrote the definitions of this name, as far as their lines still stand
    #[arg(long, value_name = "NAME", conflicts_with = "base")]
    pub symbol: Option<String>,
    /// The files that differ from REV (or `A..B`), what mostly changes with them, and who wrote the lines that they lose
    #[arg(long, value_name = "REV")]
    pub base: Option<String>,
    /// List so many changes of a file, and so many files of a folder
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub limit: usize,
}

/// What the commits say.
pub struct Response {
    pub state: LayerState,
    /// The commit that everything stands behind.
    pub newest: Option<String>,
    pub files: Vec<FileSummary>,
    /// What is not about one file alone.
    pub results: Vec<Evidence>,
    pub notes: Vec<Note>,
}

/// A file in numbers.
pub struct FileSummary {
    pub path: RepoPath,
    pub changes: usize,
    /// In the twelve months before the newest commit, or why that is not known.
    pub fixes: Result<usize, Reason>,
    pub last: Option<LastChange>,
    /// With their numbers of changes, the most frequent first.
    pub authors: Vec<(String, usize)>,
    pub evidence: Vec<Evidence>,
}

pub struct LastChange {
    pub commit: String,
    pub time: Timestamp,
    pub author: String,
}

/// The folder where what was read of histories is kept.
pub fn folder(environment: &Environment) -> Option<PathBuf> {
    environment.state.as_ref().map(|it| it.join("history"))
}

/// Asks the history.
///
/// # Errors
/// When the path is not in a repository, or the base is none.
pub fn run(world: &World<'_>, request: &Request) -> Result<Response, OpError> {
    let (repository, below) = discover(&request.path)?;
    let base = request.base.as_deref().map(|it| resolve_base(&repository, it)).transpose()?;
    // A change is not judged by its own commits.
    let Some(newest) = base.as_ref().map(|it| it.commit).or(repository.head().commit) else {
        let reason = Reason::new("history_without_git", "there is no git history here, or no commit yet");
        return Ok(Response::without(reason));
    };
    let folder = folder(&world.environment);
    let history = match history::read(&repository, newest, folder.as_deref()) {
        Ok(history) => history,
        Err(reason) => return Ok(Response::without(reason)),
    };
    let mut response = Response {
        state: LayerState::Available,
        newest: Some(newest.to_string()),
        files: Vec::new(),
        results: Vec::new(),
        notes: history.notes.clone(),
    };
    let memory = world.environment.memory(&repository);
    let asked =
        Asked { repository: &repository, history: &history, memory: &memory, below, limit: request.limit };
    match (&base, &request.symbol) {
        (Some(base), _) => asked.change(&config(world, &repository)?, base, &mut response)?,
        (None, Some(name)) => asked.symbol(&config(world, &repository)?, (name, newest), &mut response)?,
        (None, None) => asked.path(&mut response),
    }
    response.notes.sort();
    response.notes.dedup();
    Ok(response)
}

impl Response {
    const fn without(reason: Reason) -> Self {
        let state = LayerState::Unavailable { reason };
        Self { state, newest: None, files: Vec::new(), results: Vec::new(), notes: Vec::new() }
    }

    fn add(&mut self, file: FileHistory<'_>, most: usize) {
        let evidence = file.evidence(most);
        if file.commits.is_empty() {
            let message = "no commit that was looked at changed it: it may be new";
            self.notes.push(Note::new("never_committed", message).at(file.path.clone()));
        }
        self.files.push(FileSummary {
            changes: file.commits.len(),
            fixes: file.fixes.map(|it| it.len()),
            last: file.commits.first().map(|it| LastChange {
                commit: it.id.to_string(),
                time: Timestamp::from_unix(it.time),
                author: it.author.clone(),
            }),
            evidence,
            authors: file.authors.into_iter().map(|(name, count)| (name.to_owned(), count)).collect(),
            path: file.path,
        });
    }
}

struct Asked<'a> {
    repository: &'a Repository,
    history: &'a History,
    memory: &'a Memory,
    below: Option<RepoPath>,
    limit: usize,
}

impl Asked<'_> {
    fn is_below(&self, path: &RepoPath) -> bool {
        self.below.as_ref().is_none_or(|it| path.is_within(it))
    }

    /// One file, or the files of a folder that were fixed most, then those that were changed most.
    fn path(&self, response: &mut Response) {
        let file =
            self.below.as_ref().filter(|it| self.repository.root().path().join(it.as_path()).is_file());
        if let Some(path) = file {
            return response.add(self.history.file(path), self.limit);
        }
        let files = self.history.files().filter(|it| self.is_below(it)).map(|it| self.history.file(it));
        let mut files: Vec<FileHistory<'_>> = files.collect();
        let rank = |it: &FileHistory<'_>| (it.fixes.as_ref().map_or(0, Vec::len), it.commits.len());
        files.sort_by(|left, right| rank(right).cmp(&rank(left)).then_with(|| left.path.cmp(&right.path)));
        for file in files.into_iter().take(self.limit) {
            response.add(file, 1);
        }
    }

    /// The files that differ from a base.
    fn change(&self, config: &Config, base: &Base, response: &mut Response) -> Result<(), OpError> {
        let impossible = |it| OpError::incomplete("scan_impossible", it);
        let options = Options { max_file_bytes: config.limits.max_file_bytes, scope: None };
        let sides = history::sides(self.repository, base, &options).map_err(impossible)?;
        let changes = history::changed(&sides);
        let mut names: BTreeSet<RepoPath> = changes.iter().map(|it| it.path.clone()).collect();
        let mut replaced = Vec::new();
        for change in changes.iter().filter(|it| self.is_below(&it.path)) {
            let before = match &change.kind {
                Alteration::Renamed { from, .. } => from,
                Alteration::Added | Alteration::Removed | Alteration::Modified | Alteration::ModeOnly => {
                    &change.path
                }
            };
            if change.kind != Alteration::Added {
                response.add(self.history.file(before), 1);
            }
            replaced.extend(sides.replaced(change).filter(|it| !it.1.is_empty()));
            names.insert(before.clone());
        }
        let partners = self.history.partners(&names);
        let advice = partners.iter().filter(|it| self.is_below(&it.of)).take(MOST_PARTNERS);
        response.results.extend(advice.map(history::Partner::evidence));
        self.blame(base.commit, &replaced, response);
        Ok(())
    }

    /// The definitions of a name in the working tree: their lines in the newest commit, and who wrote these.
    fn symbol(
        &self,
        config: &Config,
        (name, newest): (&str, CommitId),
        response: &mut Response,
    ) -> Result<(), OpError> {
        let sources = pipeline::sources(self.repository, config, self.memory, Asking::NamesAlone)
            .map_err(|it| OpError::incomplete("scan_impossible", it))?;
        let lookup = Lookup::new(&sources.files, &sources.roots, None);
        let bodies = lookup.bodies(&lookup.called(name));
        let bodies: Vec<Location> =
            bodies.into_iter().map(|it| it.1).filter(|it| self.is_below(&it.path)).collect();
        if bodies.is_empty() {
            let message = format!("nothing is called `{name}` here");
            return Err(OpError::usage("symbol_unknown", message));
        }
        let mut asked = Vec::new();
        for body in bodies {
            match self.committed(newest, &body) {
                Some((lines, fresh)) => {
                    if fresh > 0 {
                        let message = format!("{} not committed", counted(u64::from(fresh), "line"));
                        response.notes.push(Note::new("never_committed", message).at(body.path.clone()));
                    }
                    asked.push((body.path, lines));
                }
                None => {
                    let message = "its committed state has no such text: the file may be new";
                    response.notes.push(Note::new("never_committed", message).at(body.path));
                }
            }
        }
        self.blame(newest, &asked, response);
        Ok(())
    }

    /// The lines of a body in a commit, and how many of them are not in it.
    fn committed(&self, commit: CommitId, body: &Location) -> Option<(Vec<u32>, u32)> {
        let past = self.repository.past().ok()?;
        let blob = past.find(&past.commit(commit).ok()?, &body.path).ok()??;
        let before = past.text(blob).ok()?;
        let after = String::from_utf8(self.repository.root().read(&body.path, MOST_BYTES).ok()?).ok()?;
        let hunks = repo::hunks(&before, &after);
        let end = body.span.end;
        let last = if end.column == 1 { end.line.saturating_sub(1) } else { end.line };
        let all = (body.span.start.line..=last).map(|it| history::older_line(&hunks, it));
        let lines: Vec<u32> = all.clone().flatten().collect();
        Some((lines, all.filter(Option::is_none).count() as u32))
    }

    fn blame(&self, commit: CommitId, files: &[(RepoPath, Vec<u32>)], response: &mut Response) {
        match history::blame(self.repository, commit, files) {
            Ok(blames) => {
                for ((path, _), blame) in files.iter().zip(blames) {
                    let mut written: Vec<_> = blame.written.iter().collect();
                    written.sort_by(|left, right| {
                        right.1.time.cmp(&left.1.time).then_with(|| left.0.cmp(right.0))
                    });
                    response
                        .results
                        .extend(written.into_iter().map(|(commit, it)| it.evidence(path, *commit)));
                    response.notes.extend(blame.notes);
                }
            }
            Err(reason) => {
                response
                    .notes
                    .push(Note { code: reason.code, ..Note::new("history_unread", reason.message) });
            }
        }
    }
}
