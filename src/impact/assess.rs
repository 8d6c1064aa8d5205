//! The whole answer for one change.

use std::collections::BTreeSet;

use super::change::{Change, changes};
use super::hunk::ChangedFile;
use super::reach::{Affected, Start, reach};
use super::risk::{Risk, risk};
use super::select::{Selected, select};
use crate::graph::{Graph, SymbolNumber};
use crate::model::{ChangeKind, Evidence, Note, RepoPath, Tier, counted};
use crate::syntax::{DefinitionKind, Visibility};

/// What a change touches and reaches.
#[derive(Clone, Debug)]
pub struct Impact {
    pub changed: Vec<Change>,
    /// Nearest first.
    pub affected: Vec<Affected>,
    /// Tests that the change reaches or changes, the likeliest to notice it first.
    pub tests: Vec<Selected>,
    /// None where it is only named what would change, and not by which lines.
    pub risk: Option<Risk>,
    pub blast: Blast,
    /// Files that mostly changed with one of the change and are not part of it; empty until a history was asked.
    pub partners: Vec<Evidence>,
    pub notes: Vec<Note>,
}

/// How far a change reaches; no part of the risk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Blast {
    pub symbols: usize,
    pub files: usize,
    /// Reached over paths without a guess.
    pub strongly: usize,
    /// Of these, used directly at a place that an index resolved.
    pub exactly: usize,
    /// Changed definitions that other files can name.
    pub exported: usize,
}

/// What the notes of this layer mean.
pub const CODES: &[(&str, &str)] = &[
    (
        "reach_limited",
        "The change reaches more symbols than the limit of one search. The nearest are listed; take it that everything \
         is affected.",
    ),
    (
        "language_without_outline",
        "A changed file is in a language without an outline, or could not be parsed. What uses it is not known: run \
         the tests that exercise it by hand.",
    ),
    (
        "configuration_changed",
        "A manifest, lockfile or configuration changed. Its effect is not visible in the code: run everything that it \
         configures.",
    ),
    (
        "removed_symbol",
        "A definition is gone. Uses that are left no longer resolve, so everything that imports its file is listed as \
         reached.",
    ),
    (
        "changed_file_parse_partial",
        "A changed file has places that the grammar could not read. Changes there are put down to what is around them.",
    ),
];

/// Endings and names of files that change what code does without being code.
const CONFIGURATION: &[&str] = &[
    ".toml",
    ".json",
    ".yaml",
    ".yml",
    ".lock",
    ".cfg",
    ".ini",
    ".mod",
    ".sum",
    ".gradle",
    ".kts",
    ".xml",
    ".csproj",
    ".props",
    "requirements.txt",
];

/// Assesses a change against the graph of the tree after it. `fixes` is the number of fixes in the changed
/// source files in the twelve months before, when the history is there.
pub fn assess(graph: &Graph, files: &[ChangedFile<'_>], fixes: Option<u32>) -> Impact {
    let mut changed: Vec<Change> = files.iter().flat_map(changes).collect();
    changed.sort();
    let mut notes: Vec<Note> = files.iter().flat_map(blind_spots).collect();
    let starts = starts(graph, &changed, &mut notes);
    let paths: BTreeSet<&RepoPath> = files.iter().map(|it| &it.path).collect();
    notes.extend(
        graph.notes.iter().filter(|it| it.path.as_ref().is_some_and(|it| paths.contains(it))).cloned(),
    );
    let source = files.iter().filter(|it| it.is_source());
    let lines: Vec<(u32, u32)> = source.map(|it| (it.added_lines, it.removed_lines)).collect();
    conclude(graph, changed, &starts, notes, Some(risk(&lines, fixes)))
}

/// Everything that follows from where a change begins.
fn conclude(
    graph: &Graph,
    changed: Vec<Change>,
    starts: &[Start],
    mut notes: Vec<Note>,
    risk: Option<Risk>,
) -> Impact {
    let (affected, cut) = reach(graph, starts);
    notes.extend(cut);
    notes.sort();
    notes.dedup();
    let tests = select(graph, &changed, starts, &affected);
    let reached: BTreeSet<&RepoPath> = affected.iter().map(|it| &it.path).collect();
    let blast = Blast {
        symbols: affected.len(),
        files: reached.len(),
        exactly: affected.iter().filter(|it| it.tier == Tier::Exact).count(),
        strongly: affected.iter().filter(|it| it.tier >= Tier::InferredHigh).count(),
        exported: changed
            .iter()
            .filter(|it| it.kind.is_some() && it.visibility == Visibility::Exported)
            .count(),
    };
    Impact { changed, affected, tests, risk, blast, partners: Vec::new(), notes }
}

/// What someone asks about, as if it changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// A name, or a dotted tail of names such as `Outer.inner`, or the symbol's own text.
    Symbol(String),
    /// Everything in a file or below a folder.
    Path(RepoPath),
}

/// Assesses a change of the body of what is named; none when nothing is called so.
pub fn assess_named(graph: &Graph, named: &[Named]) -> Option<Impact> {
    let mut starts: Vec<Start> = named.iter().flat_map(|it| starts_of(graph, it)).collect();
    starts.sort_unstable();
    starts.dedup();
    if starts.is_empty() {
        return None;
    }
    let changed = starts.iter().filter_map(|it| change_of(graph, it.symbol())).collect();
    Some(conclude(graph, changed, &starts, Vec::new(), None))
}

fn starts_of(graph: &Graph, named: &Named) -> Vec<Start> {
    match named {
        Named::Symbol(name) => graph.called(name).into_iter().map(Start::Definition).collect(),
        Named::Path(path) => {
            let files = graph.files().iter().filter(|it| it.path.is_within(path));
            files
                .flat_map(|it| {
                    let inside = graph.symbols_of(it).map(|it| it.0).filter(|symbol| *symbol != it.symbol);
                    std::iter::once(Start::Module(it.symbol)).chain(inside.map(Start::Definition))
                })
                .collect()
        }
    }
}

fn change_of(graph: &Graph, number: SymbolNumber) -> Option<Change> {
    let symbol = graph.symbol(number)?;
    Some(Change {
        path: graph.path_of(symbol)?.clone(),
        span: symbol.span,
        symbol: symbol.id.clone(),
        former: None,
        change: ChangeKind::BodyChanged,
        kind: symbol.kind,
        visibility: Visibility::Exported,
    })
}

fn blind_spots(file: &ChangedFile<'_>) -> Vec<Note> {
    let outline = file.after.or(file.before).and_then(|it| it.outline);
    let name = String::from_utf8_lossy(file.path.file_name()).into_owned();
    let note = if CONFIGURATION.iter().any(|it| name.ends_with(it)) {
        let message = "configuration changed: its effect is not visible in the code";
        Some(Note::new("configuration_changed", message))
    } else if let Some(outline) = outline {
        (outline.errors > 0).then(|| {
            let places = counted(u64::from(outline.errors), "place");
            let message = format!("the grammar could not read {places} of the changed file");
            Note::new("changed_file_parse_partial", message)
        })
    } else {
        let message = "the changed file has no outline: what uses it is not known";
        Some(Note::new("language_without_outline", message))
    };
    note.map(|it| it.at(file.path.clone())).into_iter().collect()
}

/// Where the search begins: changed symbols that are still there, and the files of those that are gone.
fn starts(graph: &Graph, changed: &[Change], notes: &mut Vec<Note>) -> Vec<Start> {
    let mut starts = Vec::new();
    for change in changed {
        let Some(file) = graph.file(&change.path) else { continue };
        let symbol = graph.symbol_of(file, &change.symbol);
        match (change.change, change.kind) {
            (ChangeKind::FormattingOnly, _) => {}
            (ChangeKind::Removed, Some(kind)) => {
                if change.visibility == Visibility::Exported && kind != DefinitionKind::Test {
                    starts.push(Start::Loss(file.symbol));
                    let message = format!("{} is gone: what imports its file may use it", change.symbol);
                    notes.push(Note::new("removed_symbol", message).at(change.path.clone()));
                }
            }
            (ChangeKind::Renamed, Some(_)) => {
                starts.push(Start::Loss(file.symbol));
                starts.extend(symbol.map(Start::Definition));
            }
            (ChangeKind::Added | ChangeKind::SignatureChanged | ChangeKind::BodyChanged, Some(_)) => {
                starts.extend(symbol.map(Start::Definition));
            }
            (_, None) => starts.push(Start::Module(file.symbol)),
        }
    }
    starts.sort_unstable();
    starts.dedup();
    starts
}
