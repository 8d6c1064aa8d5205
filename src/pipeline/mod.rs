//! The batch: index, resolve dependencies, search, weigh the impact, preview the rewrite, validate.
//!
//! [`run`] is the whole of it. Each stage takes what it needs and hands over a value with the state of its layer; a
//! stage that cannot do its part leaves a reason, not a hole.

mod compare;
mod dependencies;
mod finding;
mod local_maven;
mod look;
mod memory;
mod migration;
mod outcome;
mod past;
mod pattern;
mod precise;
mod progress;
mod reach;
mod sources;
mod usage;
mod weigh;

pub use dependencies::{
    dependencies, is_unread as is_manifest_unread, left_out as left_out_of_dependencies,
    resolve as resolve_dependencies, unread as unread_manifests,
};
pub use finding::Finding;
pub use look::{Drafts, Fix};
pub use memory::Memory;
pub use outcome::{FileFacts, GraphFacts, Outcome, UnseenFile};
pub use past::Past;
pub use pattern::matched;
pub use progress::{Listener, Progress};
pub use sources::{Asking, Sources, sources};
pub use usage::{DEPRECATED_USE, usages};
pub use weigh::{Weighed, weigh, weigh_named};

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use rayon::prelude::*;

use crate::config::Config;
use crate::docs::Machine;
use crate::model::{Fingerprint, Layer, LayerState, Reason};
use crate::repo::{Base, Options, Repository, Snapshot, SnapshotError, View};
use crate::structural::RuleSet;
use crate::syntax::Limits;
use crate::validate::Commands;
use compare::Comparison;
use look::{Known, Look, Task, look};
use outcome::Parts;

/// What cannot be defaulted.
pub struct World<'w> {
    pub repository: &'w Repository,
    pub config: &'w Config,
    /// The tool's name and version, as artifacts state it.
    pub tool: &'w str,
    pub commands: Commands<'w>,
    /// Where this machine keeps packages.
    pub machine: &'w Machine,
    /// Where what was read of histories is kept, if anywhere.
    pub histories: Option<&'w Path>,
}

/// What is asked for.
pub struct Plan {
    pub view: View,
    /// What `view` is compared with.
    pub base: Option<Base>,
    pub rules: RuleSet,
    pub options: Options,
    pub drafts: Drafts,
    pub checks: Checks,
}

/// Whether the rewrite is validated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    Leave,
    Run,
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    #[error(
        "the repository has {count} files, more than the {limit} that `limits.max_files` allows; narrow the path or raise it"
    )]
    TooManyFiles { count: usize, limit: u64 },
}

/// Runs every stage over one snapshot.
///
/// # Errors
/// When there is no such snapshot, or it has more files than the configuration allows.
pub fn run(world: &World<'_>, plan: &Plan, listener: Listener<'_>) -> Result<Outcome, Error> {
    let stage = |layer| listener(Progress::Stage(layer));
    stage(Layer::Index);
    let snapshot = world.repository.snapshot(plan.view, &plan.options)?;
    within_limit(&snapshot, world.config)?;
    let base = base(world, plan)?;
    let task = task(world, plan, &snapshot, base.as_ref());
    let mut looks = index(task, listener);
    stage(Layer::Dependencies);
    let mut dependencies = dependencies::resolve(&snapshot, base.as_ref(), world.machine);
    stage(Layer::Structural);
    let comparison = base.as_ref().map(|it| compare::compare(task, it, &looks));
    let older = older(plan, comparison.as_ref());
    let mut found = finding::collect(&mut looks, &plan.rules, older.as_ref(), &world.config.limits);
    stage(Layer::Docs);
    let said = usage::of_run(world, &mut dependencies.value, &looks, comparison.as_ref());
    let docs = said.report(&snapshot, world.config, &mut found);
    let unseen = outcome::unseen(&snapshot, &looks);
    let unsearched = outcome::unsearched(task, &looks, plan.options.scope.as_ref());
    let files = FileFacts::of(&looks, &unseen);
    let drafts = look::drafts(&mut looks);
    stage(Layer::Precision);
    let precision = precise::resolve(world.repository, world.config, plan.base.as_ref(), &looks);
    stage(Layer::Graph);
    let indexed = reach::index(&snapshot, looks, comparison.as_ref(), precision.value.as_ref());
    stage(Layer::Impact);
    let past = Past {
        repository: world.repository,
        base: plan.base.as_ref().map(|it| it.commit),
        folder: world.histories,
    };
    let impact = reach::impact(&indexed, comparison.as_ref(), past);
    stage(Layer::Rewrite);
    let rewritten = reach::of_drafts(&indexed, &drafts, Past { base: None, ..past });
    let preview = migration::preview(world, plan, &drafts, rewritten.as_ref());
    stage(Layer::Validate);
    let checks = migration::validate(world, plan, &snapshot, &drafts);
    let base_notes = base.map(|it| it.notes).unwrap_or_default();
    Ok(Parts {
        head: world.repository.head(),
        snapshot: &snapshot,
        base_notes,
        comparison,
        files,
        unseen,
        unsearched,
        found,
        drafts,
        graph: indexed.graph,
        dependencies,
        docs,
        impact,
        preview,
        checks,
        structural: structural_state(plan, world.config),
        precision,
    }
    .outcome())
}

fn base<'w>(world: &World<'w>, plan: &Plan) -> Result<Option<Snapshot<'w>>, Error> {
    let base = plan.base.as_ref().map(|it| world.repository.snapshot(View::Commit(it.commit), &plan.options));
    Ok(base.transpose()?)
}

/// The findings that were there before; none when there is nothing to compare with. Before the first commit there
/// were none.
fn older(plan: &Plan, comparison: Option<&Comparison>) -> Option<BTreeSet<Fingerprint>> {
    let before_the_first = (plan.view == View::Staged).then(BTreeSet::new);
    comparison.map(|it| it.fingerprints.clone()).or(before_the_first)
}

fn task<'t>(
    world: &World<'_>,
    plan: &'t Plan,
    snapshot: &'t Snapshot<'t>,
    base: Option<&'t Snapshot<'t>>,
) -> Task<'t> {
    Task {
        snapshot,
        base,
        rules: &plan.rules,
        limits: limits(world.config),
        drafts: plan.drafts,
        known: Known::Read,
    }
}

/// The bounds of one parse.
fn limits(config: &Config) -> Limits {
    let deadline = Duration::from_millis(config.limits.parse_timeout_ms);
    Limits { deadline, ..Limits::default() }
}

fn structural_state(plan: &Plan, config: &Config) -> LayerState {
    if !config.structural.enabled {
        return LayerState::Disabled {
            reason: Reason::new("structural_disabled", "`structural.enabled` is false"),
        };
    }
    if plan.rules.is_empty() {
        let message =
            "no rule was given: put ast-grep rules into .codecortex/rules, or use --rules or --pattern";
        return LayerState::Disabled { reason: Reason::new("no_rules", message) };
    }
    LayerState::Available
}

fn within_limit(snapshot: &Snapshot<'_>, config: &Config) -> Result<(), Error> {
    let count = snapshot.files.len();
    match config.limits.max_files {
        Some(limit) if count as u64 > limit => Err(Error::TooManyFiles { count, limit }),
        Some(_) | None => Ok(()),
    }
}

fn index(task: Task<'_>, listener: Listener<'_>) -> Vec<Look> {
    listener(Progress::Files(task.snapshot.files.len()));
    let looks = task.snapshot.files.par_iter().map(|file| {
        let look = look(task, file);
        listener(Progress::File);
        look
    });
    looks.collect()
}
