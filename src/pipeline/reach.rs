//! The graph and impact stages: symbols and edges of the newer state, and how far the change reaches in them.

use std::collections::{BTreeMap, BTreeSet};

use super::compare::{Compared, Comparison};
use super::look::Look;
use crate::graph::{self, Graph, Roots, SourceFile};
use crate::history::{self, Fixes};
use crate::impact::{self, ChangedFile, Hunk, Impact, Side};
use crate::model::{Reason, RepoPath, Staged};
use crate::precision::{self, Resolved};
use crate::repo::{self, Alteration, CommitId, Repository, Snapshot};
use crate::rewrite::{Draft, Version};
use crate::syntax::{Language, Outline};

/// What manifests say about where modules lie is read from files of these names.
const ROOT_NAMES: [&str; 4] = ["package.json", "go.mod", "Cargo.toml", "jsconfig.json"];

/// A side of a changed file that outlives the graph's own copy of its outline.
struct Newer {
    text: Option<String>,
    outline: Option<Outline>,
    language: Option<Language>,
}

/// The graph of everything that was outlined, and the newer sides of the changed files, by path.
pub struct Indexed {
    pub graph: Graph,
    newer: BTreeMap<RepoPath, Newer>,
}

/// Builds the graph.
pub fn index(
    snapshot: &Snapshot<'_>,
    looks: Vec<Look>,
    comparison: Option<&Comparison>,
    resolved: Option<&Resolved>,
) -> Indexed {
    let mut files = Vec::new();
    let mut newer = BTreeMap::new();
    let is_changed =
        |path: &RepoPath| comparison.is_some_and(|it| it.files.iter().any(|file| &file.change.path == path));
    for mut look in looks {
        if look.text.is_some() && is_changed(&look.path) {
            let kept =
                Newer { text: look.text.take(), outline: look.outline.clone(), language: look.language };
            newer.insert(look.path.clone(), kept);
        }
        files.extend(source(look));
    }
    let graph = graph::build(&files, &roots(snapshot), resolved);
    Indexed { graph, newer }
}

/// A file for the graph, when it has an outline.
pub fn source(look: Look) -> Option<SourceFile> {
    Some(SourceFile { path: look.path, language: look.language?, outline: look.outline? })
}

pub fn roots(snapshot: &Snapshot<'_>) -> Roots {
    let is_root = |path: &RepoPath| {
        let name = String::from_utf8_lossy(path.file_name());
        ROOT_NAMES.contains(&name.as_ref()) || (name.starts_with("tsconfig") && name.ends_with(".json"))
    };
    let texts: Vec<(&RepoPath, String)> = snapshot
        .files
        .iter()
        .filter(|it| is_root(&it.path))
        .filter_map(|it| Some((&it.path, String::from_utf8(snapshot.read(it).ok()?.bytes).ok()?)))
        .collect();
    Roots::of_manifests(texts.iter().map(|(path, text)| (*path, text.as_str())))
}

/// How far the difference from the base reaches; disabled without one.
pub fn impact(
    indexed: &Indexed,
    comparison: Option<&Comparison>,
    past: Option<(&Repository, CommitId)>,
) -> Staged<Option<Impact>> {
    let Some(comparison) = comparison else {
        return Staged::disabled(Reason::new(
            "no_base",
            "impact is weighed against a base: give `--base REV` or `--staged`",
        ));
    };
    Staged::available(Some(weighed(indexed, comparison, past)), Vec::new())
}

/// How far the difference reaches; its risk also counts the fixes behind the commit that it begins at.
pub fn weighed(indexed: &Indexed, comparison: &Comparison, past: Option<(&Repository, CommitId)>) -> Impact {
    let files: Vec<ChangedFile<'_>> =
        comparison.files.iter().filter_map(|it| changed_file(it, indexed)).collect();
    let paths: BTreeSet<RepoPath> = files.iter().map(|it| it.path.clone()).collect();
    let fixes = past.map(|(repository, from)| history::fixes(repository, from, &paths));
    let fixes = match fixes {
        Some(Fixes::Counted(count)) => Some(count),
        Some(Fixes::Shallow | Fixes::Absent) | None => None,
    };
    impact::assess(&indexed.graph, &files, fixes)
}

/// How far the rewrite would reach; none where nothing is rewritten.
pub fn of_drafts(indexed: &Indexed, drafts: &[Draft]) -> Option<Impact> {
    let files: Vec<ChangedFile<'_>> = drafts.iter().filter_map(rewritten_file).collect();
    (!files.is_empty()).then(|| impact::assess(&indexed.graph, &files, None))
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
