//! The impact alone: what a change, or a symbol that someone names, reaches.

use rayon::prelude::*;

use super::look::{Drafts, Look, Task, look};
use super::sources::{Asking, sources};
use super::{compare, precise, reach};
use crate::config::Config;
use crate::graph;
use crate::impact::{self, Impact, Named};
use crate::model::{LayerState, Note};
use crate::repo::{Base, Options, Repository, SnapshotError, View};
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
    repository: &Repository,
    config: &Config,
    view: View,
    base: &Base,
) -> Result<Weighed, SnapshotError> {
    let options = Options { max_file_bytes: config.limits.max_file_bytes, scope: None };
    let snapshot = repository.snapshot(view, &options)?;
    let older = repository.snapshot(View::Commit(base.commit), &options)?;
    let rules = RuleSet::default();
    let limits = super::limits(config);
    let task = Task { snapshot: &snapshot, base: Some(&older), rules: &rules, limits, drafts: Drafts::Leave };
    let looks: Vec<Look> = snapshot.files.par_iter().map(|file| look(task, file)).collect();
    let comparison = compare::compare(task, &older, &looks);
    let precision = precise::resolve(repository, config, Some(base), &looks);
    let indexed = reach::index(&snapshot, looks, Some(&comparison), precision.value.as_ref());
    let impact = reach::weighed(&indexed, &comparison, Some((repository, base.commit)));
    let mut notes = comparison.notes;
    notes.extend(precision.notes);
    Ok(Weighed { impact, precision: precision.state, notes })
}

/// Weighs a change of what is named in the working tree; none when nothing is called so.
///
/// # Errors
/// When the files cannot be listed.
pub fn weigh_named(
    repository: &Repository,
    config: &Config,
    named: &[Named],
) -> Result<Option<Weighed>, SnapshotError> {
    let sources = sources(repository, config, Asking::WithIndex)?;
    let (resolved, precision, notes) = match sources.resolved {
        Some(it) => (it.value, it.state, it.notes),
        None => (None, LayerState::Available, Vec::new()),
    };
    let graph = graph::build(&sources.files, &sources.roots, resolved.as_ref());
    Ok(impact::assess_named(&graph, named).map(|impact| Weighed { impact, precision, notes }))
}
