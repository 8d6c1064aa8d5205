//! The command that asks the history.

use serde::Serialize;

use super::args;
use super::exit::Exit;
use super::output::Terminal;
use super::show::{print_json, with_world};
use crate::model::{
    Detail, Evidence, HistoryFact, LayerState, Note, Reason, RepoPath, Span, Timestamp, counted,
};
use crate::ops::{self, HistoryFile, OpError};

/// The answer, for programs.
#[derive(Serialize)]
struct Answer<'r> {
    state: &'static str,
    reason: Option<&'r Reason>,
    newest: Option<&'r str>,
    files: Vec<File<'r>>,
    results: Vec<&'r Evidence>,
    notes: &'r [Note],
}

#[derive(Serialize)]
struct File<'r> {
    path: &'r RepoPath,
    changes: usize,
    /// None where that is not known; the reason stands beside it.
    fixes_12mo: Option<usize>,
    unavailable: Option<&'r Reason>,
    last_commit: Option<&'r str>,
    last_time: Option<Timestamp>,
    last_author: Option<&'r str>,
    authors: Vec<Author<'r>>,
}

#[derive(Serialize)]
struct Author<'r> {
    name: &'r str,
    changes: usize,
}

/// More names than this are a crowd.
const MOST_AUTHORS: usize = 3;

pub fn command(terminal: &mut Terminal, arguments: &args::History) -> Result<Exit, OpError> {
    let response = with_world(terminal, |world| ops::history(world, &arguments.request))?;
    let reason = match &response.state {
        LayerState::Unavailable { reason } => Some(reason),
        LayerState::Available | LayerState::Stale { .. } | LayerState::Disabled { .. } => None,
    };
    let files = response.files.iter();
    if arguments.json {
        return print_json(
            terminal,
            &Answer {
                state: response.state.name(),
                reason,
                newest: response.newest.as_deref(),
                files: response.files.iter().map(file).collect(),
                results: files.flat_map(|it| &it.evidence).chain(&response.results).collect(),
                notes: &response.notes,
            },
        );
    }
    if let Some(reason) = reason {
        terminal.warn(&format!("{}: {} [{}]", response.state.name(), reason.message, reason.code));
    }
    let files =
        files.flat_map(|it| std::iter::once(summary(it)).chain(it.evidence.iter().filter_map(commit)));
    terminal.print_lines(files.chain(response.results.iter().map(line)));
    terminal.notes(&response.notes);
    Ok(Exit::Clean)
}

fn file(file: &HistoryFile) -> File<'_> {
    let last = file.last.as_ref();
    File {
        path: &file.path,
        changes: file.changes,
        fixes_12mo: file.fixes.as_ref().ok().copied(),
        unavailable: file.fixes.as_ref().err(),
        last_commit: last.map(|it| it.commit.as_str()),
        last_time: last.map(|it| it.time),
        last_author: last.map(|it| it.author.as_str()),
        authors: file.authors.iter().map(|(name, changes)| Author { name, changes: *changes }).collect(),
    }
}

fn summary(file: &HistoryFile) -> String {
    let mut parts = vec![counted(file.changes as u64, "change")];
    parts.push(match &file.fixes {
        Ok(1) => "1 fix in 12 months".to_owned(),
        Ok(count) => format!("{count} fixes in 12 months"),
        Err(_) => "fixes unavailable".to_owned(),
    });
    if let Some(last) = &file.last {
        let date: String = last.time.to_string().chars().take(10).collect();
        parts.push(format!("last {date}"));
    }
    let names = file.authors.iter().take(MOST_AUTHORS).map(|(name, count)| format!("{name} {count}"));
    parts.push(names.collect::<Vec<_>>().join(", "));
    parts.retain(|it| !it.is_empty());
    format!("{}: {}", file.path, parts.join("; "))
}

/// A commit that changed the file above it, whose summary counts the fixes.
fn commit(record: &Evidence) -> Option<String> {
    let is_change = matches!(&record.detail, Detail::History(it) if matches!(it.fact, HistoryFact::Changed));
    is_change.then(|| format!("  {}", record.message.as_str()))
}

fn line(record: &Evidence) -> String {
    let (path, span) = (&record.place.path, record.place.span);
    let line = if span == Span::FILE { String::new() } else { format!(":{}", span.start.line) };
    format!("{path}{line}: {} [{}]", record.message.as_str(), record.tier().name())
}
