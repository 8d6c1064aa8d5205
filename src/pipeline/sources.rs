//! The outlines of a working tree, for a question about names that needs no scan.

use rayon::prelude::*;

use super::look::{Drafts, Task, look};
use super::reach;
use crate::config::Config;
use crate::graph::{Roots, SourceFile};
use crate::repo::{Options, Repository, SnapshotError, View};
use crate::structural::RuleSet;

/// Every file that has an outline, and what manifests say about where modules lie.
///
/// # Errors
/// When the files cannot be listed.
pub fn sources(repository: &Repository, config: &Config) -> Result<(Vec<SourceFile>, Roots), SnapshotError> {
    let options = Options { max_file_bytes: config.limits.max_file_bytes, scope: None };
    let snapshot = repository.snapshot(View::Worktree, &options)?;
    let rules = RuleSet::default();
    let limits = super::limits(config);
    let task = Task { snapshot: &snapshot, base: None, rules: &rules, limits, drafts: Drafts::Leave };
    let looks: Vec<_> = snapshot.files.par_iter().map(|file| look(task, file)).collect();
    let files = looks.into_iter().filter_map(reach::source).collect();
    Ok((files, reach::roots(&snapshot)))
}
