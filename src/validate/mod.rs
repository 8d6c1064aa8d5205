//! Judging a rewrite before it is made: three built-in checks, always, and the project's own commands over a scratch
//! copy with the rewrite applied.
//!
//! A command comes from a configuration. One that arrives with the change under review must not name programs, so
//! commands run only when the caller trusts their source; otherwise they are `blocked`, which is not `passed`.

mod builtin;
mod command;

pub use command::{CODES, Commands, Runner, Workspace};

use crate::model::{CheckStatus, Redacted};

/// One check and what it came to.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub name: String,
    pub status: CheckStatus,
    /// Empty for the built-in checks.
    pub argv: Vec<String>,
    pub message: Redacted,
    /// The end of what a command printed.
    pub output: Redacted,
}

/// Runs every check over the drafts of a rewrite.
pub fn run(workspace: &Workspace<'_>, commands: &Commands<'_>) -> Vec<Outcome> {
    let mut outcomes = builtin::judge(workspace.drafts);
    outcomes.extend(command::run(workspace, commands));
    outcomes
}
