//! The impact alone: what a change, or a symbol that someone names, reaches.

use super::look::Task;
use super::memory::Memory;
use super::past::Past;
use super::reach::Indexed;
use super::{compare, precise, reach};
use crate::config::Config;
use crate::impact::{self, Impact, Named};
use crate::model::{LayerState, Note, Staged};
use crate::repo::{Base, Options, SnapshotError, View};
use crate::structural::RuleSet;

/// An impact and what it rests on.
pub struct Weighed {
    pub impact: Impact,
    /// The state of the precision index.
    pub precision: LayerState,
    pub notes: Vec<Note>,
}

/// Weighs what differs from the base.
///
/// # Errors
/// When the files of a state cannot be listed.
pub fn weigh(
    config: &Config,
    (view, base): (View, &Base),
    past: Past<'_>,
    memory: &Memory,
) -> Result<Weighed, SnapshotError> {
    let repository = past.repository;
    let options = Options { max_file_bytes: config.limits.max_file_bytes, scope: None };
    let snapshot = repository.snapshot(view, &options)?;
    let older = repository.snapshot(View::Commit(base.commit), &options)?;
    let (rules, limits) = (RuleSet::default(), super::limits(config));
    let task = Task::outlines(&snapshot, Some(&older), &rules, limits);
    let mut looks = task.looks();
    let comparison = compare::compare(task, &older, &looks);
    let precision = precise::resolve(repository, config, Some(base), &looks);
    let newer = reach::newer(&mut looks, Some(&comparison));
    let indexed = Indexed { graph: memory.graph(task, looks, precision.value.as_ref()), newer };
    let impact = reach::weighed(&indexed, &comparison, Past { base: Some(base.commit), ..past });
    let mut notes = comparison.notes;
    notes.extend(precision.notes);
    Ok(Weighed { impact, precision: precision.state, notes })
}

/// Weighs a change of what is named in the working tree; none when nothing is called so.
///
/// # Errors
/// When the files cannot be listed.
pub fn weigh_named(
    config: &Config,
    named: &[Named],
    past: Past<'_>,
    memory: &Memory,
) -> Result<Option<Weighed>, SnapshotError> {
    let options = Options { max_file_bytes: config.limits.max_file_bytes, scope: None };
    let snapshot = past.repository.snapshot(View::Worktree, &options)?;
    let (rules, limits) = (RuleSet::default(), super::limits(config));
    let task = Task::outlines(&snapshot, None, &rules, limits);
    let looks = task.looks();
    let Staged { value, state, notes } = precise::resolve(past.repository, config, None, &looks);
    let graph = memory.graph(task, looks, value.as_ref());
    Ok(impact::assess_named(&graph, named).map(|mut impact| {
        impact.partners = past.ask(&impact.changed.iter().map(|it| it.path.clone()).collect()).partners;
        Weighed { impact, precision: state, notes }
    }))
}
