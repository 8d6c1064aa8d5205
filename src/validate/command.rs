//! The project's own checks, run over a copy of the files with the rewrite applied.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ignore::gitignore::GitignoreBuilder;

use super::Outcome;
use crate::config::Check;
use crate::model::{CheckStatus, Reason, Redacted};
use crate::repo::{FileMode, Snapshot};
use crate::rewrite::Draft;
use crate::system::{self, Scratch, Status};

/// Code and explanation.
pub const CODES: &[(&str, &str)] = &[
    (
        "commands_blocked",
        "The configuration names check commands, but it comes with the files under review, which must not choose \
         programs. Name it with `--config`, compare with a `--base` whose configuration has them, or set \
         CORTEX_APPROVE_COMMANDS=1 in the environment of the run.",
    ),
    ("validation_not_asked", "Checks run with `--validate`, over a rewrite preview."),
    ("nothing_to_validate", "There is no rewrite to check: no rule with a fix matched."),
];

/// What the checks are about.
pub struct Workspace<'w> {
    pub snapshot: &'w Snapshot<'w>,
    pub drafts: &'w [Draft],
}

/// The commands of the configuration and whether they may run.
pub enum Commands<'c> {
    Blocked { checks: &'c [Check], reason: Reason },
    Allowed { checks: &'c [Check], runner: &'c Runner },
}

/// What a command runs with.
#[derive(Clone, Debug)]
pub struct Runner {
    /// Folders as in `PATH`.
    pub search_path: OsString,
    /// The whole environment of the command.
    pub environment: Vec<(OsString, OsString)>,
    /// Where the scratch copy is made.
    pub scratch: PathBuf,
}

/// Bytes kept of each output, and characters of it that a report shows.
const OUTPUT_BYTES: usize = 256 * 1024;
const OUTPUT_SHOWN: usize = 2_000;

pub fn run(workspace: &Workspace<'_>, commands: &Commands<'_>) -> Vec<Outcome> {
    match commands {
        Commands::Blocked { checks, reason } => {
            checks.iter().map(|it| outcome(it, CheckStatus::Blocked, &reason.message)).collect()
        }
        Commands::Allowed { checks: [], .. } => Vec::new(),
        Commands::Allowed { checks, runner } => match copy(workspace, &runner.scratch) {
            Ok(scratch) => checks.iter().map(|it| check(it, workspace, runner, scratch.path())).collect(),
            Err(error) => {
                let message = format!("the scratch copy could not be made: {error}");
                checks.iter().map(|it| outcome(it, CheckStatus::Inconclusive, &message)).collect()
            }
        },
    }
}

fn outcome(check: &Check, status: CheckStatus, message: &str) -> Outcome {
    Outcome {
        name: check.name.clone(),
        status,
        argv: check.argv.clone(),
        message: Redacted::new(message),
        output: Redacted::new(""),
    }
}

/// Every file of the snapshot, rewritten where a draft says so.
fn copy(workspace: &Workspace<'_>, parent: &Path) -> std::io::Result<Scratch> {
    let scratch = Scratch::new(parent)?;
    for file in &workspace.snapshot.files {
        let content = workspace
            .snapshot
            .read(file)
            .map_err(|it| std::io::Error::other(format!("{}: {it}", file.path)))?;
        let draft = workspace.drafts.iter().find(|it| it.path == file.path && it.after.is_some());
        let rewritten = draft.and_then(|it| it.rewritten(std::str::from_utf8(&content.bytes).ok()?));
        let bytes = rewritten.map_or(content.bytes, String::into_bytes);
        let mode = match file.mode {
            FileMode::Regular => 0o644,
            FileMode::Executable => 0o755,
        };
        scratch.add(&file.path, &bytes, mode)?;
    }
    Ok(scratch)
}

fn check(check: &Check, workspace: &Workspace<'_>, runner: &Runner, folder: &Path) -> Outcome {
    if !concerns(check, workspace.drafts) {
        return outcome(check, CheckStatus::NotRun, "no rewritten file matches its `paths`");
    }
    let Some((program, arguments)) = check.argv.split_first() else {
        return outcome(check, CheckStatus::Inconclusive, "its `argv` is empty");
    };
    let Some(program) = system::resolve(OsStr::new(program), &runner.search_path) else {
        return outcome(
            check,
            CheckStatus::Inconclusive,
            &format!("the program `{program}` was not found on this machine"),
        );
    };
    let ended = system::run(&system::Command {
        program,
        arguments: arguments.iter().map(OsString::from).collect(),
        folder: folder.to_path_buf(),
        environment: runner.environment.clone(),
        timeout: Duration::from_secs(check.timeout_seconds),
        output_limit: OUTPUT_BYTES,
    });
    let (status, message) = match &ended.status {
        Status::Exited(0) => (CheckStatus::Passed, "it exited with 0".to_owned()),
        Status::Exited(code) => (CheckStatus::Failed, format!("it exited with {code}")),
        Status::Signaled(signal) => (CheckStatus::Failed, format!("signal {signal} ended it")),
        Status::TimedOut => {
            (CheckStatus::Inconclusive, format!("it did not end within {} s", check.timeout_seconds))
        }
        Status::NotStarted(error) => (CheckStatus::Inconclusive, format!("it could not be started: {error}")),
    };
    let output = [ended.stdout.bytes, ended.stderr.bytes].concat();
    Outcome { output: Redacted::new(tail(&output, folder)), ..outcome(check, status, &message) }
}

/// The end of an output, without the name of the scratch folder, which differs from run to run.
fn tail(output: &[u8], folder: &Path) -> String {
    let text = String::from_utf8_lossy(output).replace(&*folder.to_string_lossy(), "<copy>");
    let start = text.floor_char_boundary(text.len().saturating_sub(OUTPUT_SHOWN));
    text.get(start..).unwrap_or_default().to_owned()
}

fn concerns(check: &Check, drafts: &[Draft]) -> bool {
    if check.paths.is_empty() {
        return true;
    }
    let mut patterns = GitignoreBuilder::new("");
    for pattern in &check.paths {
        // The configuration accepts only patterns that compile.
        if patterns.add_line(None, pattern).is_err() {
            return true;
        }
    }
    let Ok(patterns) = patterns.build() else { return true };
    let mut rewritten = drafts.iter().filter(|it| it.after.is_some());
    rewritten.any(|it| patterns.matched_path_or_any_parents(it.path.as_path(), false).is_ignore())
}
