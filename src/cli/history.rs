//! The command that looks through the history.

use serde::Serialize;

use super::args;
use super::exit::Exit;
use super::output::Terminal;
use super::show::{print_json, with_world};
use super::table::table;
use crate::model::{Note, RepoPath, Timestamp, counted};
use crate::ops::{self, HistoryCommit, HistoryResponse, OpError};

/// The history, for programs.
#[derive(Serialize)]
struct Shown<'r> {
    commits: usize,
    files: Vec<File<'r>>,
    partners: Vec<Partner<'r>>,
    diagnostics: &'r [Note],
}

#[derive(Serialize)]
struct File<'r> {
    path: &'r RepoPath,
    changes: usize,
    fixes: Vec<Commit<'r>>,
    last: Option<Commit<'r>>,
}

#[derive(Serialize)]
struct Commit<'r> {
    id: String,
    time: Timestamp,
    author: &'r str,
    subject: &'r str,
}

#[derive(Serialize)]
struct Partner<'r> {
    of: &'r RepoPath,
    path: &'r RepoPath,
    together: usize,
    changes: usize,
}

/// More files than these are counted, not listed.
const MOST_LISTED: usize = 40;

pub fn history(terminal: &mut Terminal, arguments: &args::History) -> Result<Exit, OpError> {
    let response = with_world(terminal, |_| ops::history(&arguments.request))?;
    if arguments.json {
        return print_json(terminal, &shown(&response));
    }
    terminal.notes(&response.notes);
    let rows: Vec<Vec<String>> = response
        .files
        .iter()
        .take(MOST_LISTED)
        .map(|it| {
            let last = it.last.as_ref();
            vec![
                it.path.to_string(),
                counted(it.changes as u64, "change"),
                counted(it.fixes.len() as u64, "fix"),
                last.map_or_else(String::new, short),
                last.map_or_else(String::new, |it| it.subject.clone()),
            ]
        })
        .collect();
    terminal.print_lines(table(&[], &rows));
    let hidden = response.files.len().saturating_sub(MOST_LISTED);
    if hidden > 0 {
        terminal.warn(&format!("{} more; `--json` lists them", counted(hidden as u64, "file")));
    }
    terminal.print_lines(response.partners.iter().map(|it| {
        let (of, path) = (&it.of, &it.path);
        format!("{path} changed with {of} {} of {} times, and does not now", it.together, it.changes)
    }));
    Ok(Exit::Clean)
}

fn short(commit: &HistoryCommit) -> String {
    commit.id.to_string().chars().take(12).collect()
}

fn shown(response: &HistoryResponse) -> Shown<'_> {
    let files = response.files.iter().map(|it| File {
        path: &it.path,
        changes: it.changes,
        fixes: it.fixes.iter().map(commit).collect(),
        last: it.last.as_ref().map(commit),
    });
    let partners = response.partners.iter().map(|it| Partner {
        of: &it.of,
        path: &it.path,
        together: it.together,
        changes: it.changes,
    });
    Shown {
        commits: response.commits,
        files: files.collect(),
        partners: partners.collect(),
        diagnostics: &response.notes,
    }
}

fn commit(commit: &HistoryCommit) -> Commit<'_> {
    Commit {
        id: commit.id.to_string(),
        time: Timestamp::from_unix(commit.time),
        author: &commit.author,
        subject: &commit.subject,
    }
}
