//! The outlines of a working tree, for a question about names that needs no scan.

use super::look::Task;
use super::memory::Memory;
use super::{precise, reach};
use crate::config::Config;
use crate::graph::{Roots, SourceFile};
use crate::model::Staged;
use crate::precision::Resolved;
use crate::repo::{Options, Repository, SnapshotError, View};
use crate::structural::RuleSet;

/// Every file that has an outline, and what else tells where its names lead.
pub struct Sources {
    pub files: Vec<SourceFile>,
    /// What manifests say about where modules lie.
    pub roots: Roots,
    /// What the precision index resolves, when it was asked.
    pub resolved: Option<Staged<Option<Resolved>>>,
}

/// Whether the precision index is asked too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    NamesAlone,
    WithIndex,
}

/// Outlines the working tree.
///
/// # Errors
/// When the files cannot be listed.
pub fn sources(
    repository: &Repository,
    config: &Config,
    memory: &Memory,
    asking: Asking,
) -> Result<Sources, SnapshotError> {
    let options = Options { max_file_bytes: config.limits.max_file_bytes, scope: None };
    let snapshot = repository.snapshot(View::Worktree, &options)?;
    let (rules, limits) = (RuleSet::default(), super::limits(config));
    let task = Task::outlines(&snapshot, None, &rules, limits);
    let mut looks = task.looks();
    memory.outline(task, &mut looks);
    let resolved = (asking == Asking::WithIndex).then(|| precise::resolve(repository, config, None, &looks));
    let files = looks.into_iter().filter_map(reach::source).collect();
    Ok(Sources { files, roots: reach::roots(&snapshot), resolved })
}
