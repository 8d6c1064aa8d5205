//! The places of one pattern, for a question that needs no scan.

use std::collections::BTreeMap;

use globset::GlobSet;
use rayon::prelude::*;

use super::look::{Drafts, Known, Look, Task, look};
use crate::config::Config;
use crate::model::Evidence;
use crate::repo::{File, Options, Repository, SnapshotError, View};
use crate::structural::{self, Inline, RuleSet, Source};
use crate::syntax::Language;

/// Where a pattern matches.
#[derive(Default)]
pub struct Matched {
    pub places: Vec<Evidence>,
    /// The languages in which it means something.
    pub languages: Vec<String>,
}

/// More languages are not tried: those with the most files are.
const MOST_LANGUAGES: usize = 4;
const MOST_MATCHES: u64 = 2_000;

/// Searches the working tree for a pattern, in each of its languages that the pattern can be read in.
///
/// # Errors
/// When the files cannot be listed.
pub fn matched(repository: &Repository, config: &Config, pattern: &str) -> Result<Matched, SnapshotError> {
    let options = Options { max_file_bytes: config.limits.max_file_bytes, scope: None };
    let snapshot = repository.snapshot(View::Worktree, &options)?;
    let mut files: BTreeMap<Language, Vec<&File>> = BTreeMap::new();
    for file in &snapshot.files {
        if let Some(language) = Language::of_path(&file.path) {
            files.entry(language).or_default().push(file);
        }
    }
    let mut files: Vec<(Language, Vec<&File>)> = files.into_iter().collect();
    files.sort_by_key(|it| std::cmp::Reverse(it.1.len()));
    let mut matched = Matched::default();
    for (language, files) in files.into_iter().take(MOST_LANGUAGES) {
        let inline = Inline { pattern: pattern.to_owned(), language, rewrite: None };
        let loaded = structural::load(&[Source::Inline(&inline)]);
        let rules = RuleSet::new(loaded.rules, GlobSet::empty(), MOST_MATCHES);
        let Some(rules) = rules.ok().filter(|it| loaded.problems.is_empty() && !it.is_empty()) else {
            continue;
        };
        let limits = super::limits(config);
        let (drafts, known) = (Drafts::Leave, Known::Read);
        let task = Task { snapshot: &snapshot, base: None, rules: &rules, limits, drafts, known };
        let looks: Vec<Look> = files.par_iter().map(|file| look(task, file)).collect();
        matched.places.extend(looks.into_iter().flat_map(|it| it.hits).map(|it| it.evidence));
        matched.languages.push(language.name());
    }
    Ok(matched)
}
