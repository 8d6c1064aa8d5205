//! The graph and impact stages: symbols and edges of the newer state, and how far the change reaches in them.

use std::collections::{BTreeMap, BTreeSet};

use super::compare::{Compared, Comparison};
use super::look::Look;
use super::past::Past;
use crate::graph::{self, Graph, Roots, SourceFile};
use crate::impact::{self, ChangedFile, Hunk, Impact, Side};
use crate::model::{Reason, RepoPath, Staged};
use crate::precision::{self, Resolved};
use crate::repo::{self, Alteration, Change, Snapshot};
use crate::rewrite::{Draft, Version};
use crate::syntax::{Language, Outline};

/// What manifests say about where modules lie is read from files of these names.
const ROOT_NAMES: [&str; 4] = ["package.json", "go.mod", "Cargo.toml", "jsconfig.json"];

/// A side of a changed file that outlives the graph's own copy of its outline.
pub struct Newer {
    text: Option<String>,
    outline: Option<Outline>,
    language: Option<Language>,
}

/// The graph of everything that was outlined, and the newer sides of the changed files, by path.
pub struct Indexed {
    pub graph: Graph,
    pub newer: BTreeMap<RepoPath, Newer>,
}

/// Builds the graph.
pub fn index(
    snapshot: &Snapshot<'_>,
    mut looks: Vec<Look>,
    comparison: Option<&Comparison>,
    resolved: Option<&Resolved>,
) -> Indexed {
    let newer = newer(&mut looks, comparison);
    let files: Vec<SourceFile> = looks.into_iter().filter_map(source).collect();
    let graph = graph::build(&files, &roots(snapshot), resolved);
    Indexed { graph, newer }
}

/// The newer sides of the changed files; their texts are taken.
pub fn newer(looks: &mut [Look], comparison: Option<&Comparison>) -> BTreeMap<RepoPath, Newer> {
    let changed: BTreeSet<&RepoPath> =
        comparison.into_iter().flat_map(|it| &it.files).map(|it| &it.change.path).collect();
    let mut newer = BTreeMap::new();
    for look in looks.iter_mut().filter(|it| it.text.is_some() && changed.contains(&it.path)) {
        let kept = Newer { text: look.text.take(), outline: look.outline.clone(), language: look.language };
        newer.insert(look.path.clone(), kept);
    }
    newer
}

/// A file for the graph, when it has an outline.
pub fn source(look: Look) -> Option<SourceFile> {
    Some(SourceFile { path: look.path, language: look.language?, outline: look.outline? })
}

/// Whether a manifest may say where modules lie.
pub fn is_root(path: &RepoPath) -> bool {
    let name = String::from_utf8_lossy(path.file_name());
    ROOT_NAMES.contains(&name.as_ref()) || (name.starts_with("tsconfig") && name.ends_with(".json"))
}

pub fn roots(snapshot: &Snapshot<'_>) -> Roots {
    let texts: Vec<(&RepoPath, String)> = snapshot
        .files
        .iter()
        .filter(|it| is_root(&it.path))
        .filter_map(|it| Some((&it.path, String::from_utf8(snapshot.read(it).ok()?.bytes).ok()?)))
        .collect();
    Roots::of_manifests(texts.iter().map(|(path, text)| (*path, text.as_str())))
}

/// How far the difference from the base reaches; disabled without one.
pub fn impact(indexed: &Indexed, comparison: Option<&Comparison>, past: Past<'_>) -> Staged<Option<Impact>> {
    let Some(comparison) = comparison else {
        return Staged::disabled(Reason::new(
            "no_base",
            "impact is weighed against a base: give `--base REV` or `--staged`",
        ));
    };
    Staged::available(Some(weighed(indexed, comparison, past)), Vec::new())
}

/// How far the difference reaches.
pub fn weighed(indexed: &Indexed, comparison: &Comparison, past: Past<'_>) -> Impact {
    let files: Vec<ChangedFile<'_>> =
        comparison.files.iter().filter_map(|it| changed_file(it, indexed)).collect();
    let names = comparison.files.iter().flat_map(|it| names(&it.change));
    let told = past.ask(&names.collect());
    let mut impact = impact::assess(&indexed.graph, &files, told.fixes);
    impact.partners = told.partners;
    impact.notes.extend(told.gap);
    impact.notes.sort();
    impact
}

/// A file of a change under both of its names.
fn names(change: &Change) -> impl Iterator<Item = RepoPath> {
    let before = match &change.kind {
        Alteration::Renamed { from, .. } => Some(from.clone()),
        Alteration::Added | Alteration::Removed | Alteration::Modified | Alteration::ModeOnly => None,
    };
    std::iter::once(change.path.clone()).chain(before)
}

/// How far the rewrite would reach; none where nothing is rewritten.
pub fn of_drafts(indexed: &Indexed, drafts: &[Draft], past: Past<'_>) -> Option<Impact> {
    let files: Vec<ChangedFile<'_>> = drafts.iter().filter_map(rewritten_file).collect();
    if files.is_empty() {
        return None;
    }
    let told = past.ask(&files.iter().map(|it| it.path.clone()).collect());
    Some(impact::assess(&indexed.graph, &files, told.fixes))
}

fn rewritten_file(draft: &Draft) -> Option<ChangedFile<'_>> {
    let [before, after] = draft.sides.as_deref()?;
    Some(changed(&draft.path, Language::of_path(&draft.path), Some(side(before)), Some(side(after))))
}

fn changed_file<'c>(compared: &'c Compared, indexed: &'c Indexed) -> Option<ChangedFile<'c>> {
    let path = &compared.change.path;
    if compared.change.kind == Alteration::ModeOnly || precision::is_index_or_seal(path) {
        return None;
    }
    let newer = indexed.newer.get(path);
    let after = newer.and_then(|it| Some(Side { text: it.text.as_deref()?, outline: it.outline.as_ref() }));
    let before = compared.text.as_deref().map(|text| Side { text, outline: compared.outline.as_ref() });
    let language = newer.and_then(|it| it.language).or_else(|| Language::of_path(path));
    Some(changed(path, language, before, after))
}

fn side(version: &Version) -> Side<'_> {
    Side { text: &version.text, outline: version.outline.as_ref() }
}

fn changed<'c>(
    path: &RepoPath,
    language: Option<Language>,
    before: Option<Side<'c>>,
    after: Option<Side<'c>>,
) -> ChangedFile<'c> {
    let hunks = repo::hunks(before.map_or("", |it| it.text), after.map_or("", |it| it.text));
    let lines =
        |of: fn(&repo::Hunk) -> &std::ops::Range<u32>| hunks.iter().map(|it| of(it).len() as u32).sum();
    ChangedFile {
        path: path.clone(),
        language,
        before,
        after,
        added_lines: lines(|it| &it.after),
        removed_lines: lines(|it| &it.before),
        hunks: hunks.into_iter().map(|it| Hunk { before: it.before, after: it.after }).collect(),
    }
}
