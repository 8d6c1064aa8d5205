//! The rewrite stage and its validation.

use super::{Checks, Drafts, Plan, World};
use crate::impact::Impact;
use crate::model::{
    CheckDetail, Detail, Evidence, Kind, LayerState, Location, Method, Note, Reason, Span, Staged,
};
use crate::repo::Snapshot;
use crate::rewrite::{self, Draft, Preview, Subject};
use crate::validate::{self, Commands, Workspace};

/// Puts the drafts of all files into one preview.
pub fn preview(
    world: &World<'_>,
    plan: &Plan,
    drafts: &[Draft],
    impact: Option<&Impact>,
) -> Staged<Option<Preview>> {
    if plan.drafts == Drafts::Leave {
        return Staged::disabled(Reason::new("preview_not_asked", "rewrites are previewed with `--preview`"));
    }
    if plan.rules.rules().iter().all(|it| it.fixer().is_none()) {
        return Staged::disabled(Reason::new(
            "no_fix",
            "no rule of this run has a `fix`, so there is nothing to preview",
        ));
    }
    let limits = rewrite::Limits {
        files: world.config.structural.max_rewrite_files,
        matches: world.config.structural.max_rewrite_matches,
        bytes: world.config.structural.max_rewrite_bytes,
    };
    let commit = world.repository.head().commit.map(|it| it.to_string());
    let subject = Subject { tool: world.tool, commit: commit.as_deref(), rules: &plan.rules };
    match rewrite::assemble(subject, drafts.to_vec(), limits, impact) {
        Ok(preview) => Staged::available(Some(preview), Vec::new()),
        Err(error) => Staged::unavailable(Reason::new("rewrite_limit", error.to_string())),
    }
}

/// Runs the checks over the drafts.
pub fn validate(
    world: &World<'_>,
    plan: &Plan,
    snapshot: &Snapshot<'_>,
    drafts: &[Draft],
) -> Staged<Vec<validate::Outcome>> {
    if plan.checks == Checks::Leave {
        return Staged::disabled(Reason::new(
            "validation_not_asked",
            "rewrites are checked with `--validate`",
        ));
    }
    if drafts.is_empty() {
        let reason =
            Reason::new("nothing_to_validate", "no rule with a fix matched, so there is nothing to check");
        return Staged::disabled(reason);
    }
    let outcomes = validate::run(&Workspace { snapshot, drafts }, &world.commands);
    match &world.commands {
        Commands::Blocked { checks: [_, ..], reason } => Staged {
            value: outcomes,
            state: LayerState::Unavailable { reason: reason.clone() },
            notes: vec![Note::new("commands_blocked", reason.message.clone())],
        },
        Commands::Blocked { .. } | Commands::Allowed { .. } => Staged::available(outcomes, Vec::new()),
    }
}

/// The checks as evidence, at the first file that they are about.
pub fn evidence(drafts: &[Draft], checks: &[validate::Outcome]) -> Vec<Evidence> {
    let Some(first) = drafts.first() else { return Vec::new() };
    let place = Location { path: first.path.clone(), span: Span::FILE };
    let records = checks.iter().map(|it| {
        let method = Method::CommandRun;
        let mut record = Evidence::new(Kind::Validation, method, place.clone(), &it.name, it.message.clone());
        record.detail = Detail::Check(CheckDetail { check: it.name.clone(), status: it.status });
        record
    });
    records.collect()
}
