//! What a run comes to, before it is put into words or files.

use std::collections::{BTreeMap, BTreeSet};

use super::compare::Comparison;
use super::dependencies::DependencyFacts;
use super::finding::{Finding, Findings};
use super::look::{Look, Search, Task};
use super::migration;
use crate::graph::{Agreement, Graph};
use crate::impact::{self, Impact};
use crate::model::{Digest, Evidence, Layer, LayerState, Note, RepoPath, Staged, fuse};
use crate::precision::Resolved;
use crate::repo::{FileMode, Head, SkipReason, Skipped, Snapshot};
use crate::rewrite::{Draft, Preview};
use crate::syntax::Language;
use crate::validate;

/// Everything that one run found, in memory.
pub struct Outcome {
    pub head: Head,
    pub files: FileFacts,
    /// In the order of the pipeline.
    pub layers: Vec<(Layer, LayerState)>,
    pub notes: Vec<Note>,
    /// The files that differ from the base; none without one.
    pub differing: Option<BTreeSet<RepoPath>>,
    pub unseen: Vec<UnseenFile>,
    /// Files that the rules should have looked at, since they changed or were named, and could not.
    pub unsearched: Vec<RepoPath>,
    /// Fused; sorted by path, position, kind and id.
    pub evidence: Vec<Evidence>,
    pub findings: Vec<Finding>,
    pub findings_cut: u64,
    pub dependencies: DependencyFacts,
    /// None without a base.
    pub impact: Option<Impact>,
    pub graph: GraphFacts,
    pub preview: Option<Preview>,
    pub checks: Vec<validate::Outcome>,
}

/// The graph in numbers.
#[derive(Clone, Debug, Default)]
pub struct GraphFacts {
    pub symbols: u64,
    pub edges: u64,
    pub tests: u64,
    /// Edges that an index resolved.
    pub exact_edges: u64,
    /// How the guesses fared where the index knows.
    pub agreement: Agreement,
}

/// What the stages handed over.
pub struct Parts<'p> {
    pub head: &'p Head,
    pub snapshot: &'p Snapshot<'p>,
    pub base_notes: Vec<Note>,
    pub comparison: Option<Comparison>,
    pub files: FileFacts,
    pub unseen: Vec<UnseenFile>,
    pub unsearched: Vec<RepoPath>,
    pub found: Findings,
    pub drafts: Vec<Draft>,
    pub graph: Graph,
    pub precision: Staged<Option<Resolved>>,
    pub dependencies: Staged<DependencyFacts>,
    /// What came of asking the installed packages; what they said is among the findings.
    pub docs: Staged<()>,
    pub structural: LayerState,
    pub impact: Staged<Option<Impact>>,
    pub preview: Staged<Option<Preview>>,
    pub checks: Staged<Vec<validate::Outcome>>,
}

impl Parts<'_> {
    /// One outcome of all parts: evidence fused, notes sorted.
    pub fn outcome(self) -> Outcome {
        let evidence = self.evidence();
        let differing =
            self.comparison.as_ref().map(|it| it.files.iter().map(|it| it.change.path.clone()).collect());
        let notes = [
            self.snapshot.notes.clone(),
            self.base_notes,
            self.comparison.map(|it| it.notes).unwrap_or_default(),
            self.found.notes,
            // With a base, what a reader of the change must know of the graph is in the notes of the impact.
            if self.impact.value.is_none() { self.graph.notes.clone() } else { Vec::new() },
            self.precision.notes,
            self.dependencies.notes,
            self.docs.notes,
            self.impact.notes,
            self.preview.notes,
            self.checks.notes,
        ];
        let notes: BTreeSet<Note> = notes.into_iter().flatten().collect();
        Outcome {
            head: self.head.clone(),
            files: self.files,
            layers: vec![
                (Layer::Index, LayerState::Available),
                (Layer::Precision, self.precision.state),
                (Layer::Dependencies, self.dependencies.state),
                (Layer::Docs, self.docs.state),
                (Layer::Structural, self.structural),
                (Layer::Graph, LayerState::Available),
                (Layer::Impact, self.impact.state),
                (Layer::Rewrite, self.preview.state),
                (Layer::Validate, self.checks.state),
            ],
            notes: notes.into_iter().collect(),
            differing,
            unseen: self.unseen,
            unsearched: self.unsearched,
            evidence,
            findings: self.found.findings,
            findings_cut: self.found.cut,
            dependencies: self.dependencies.value,
            impact: self.impact.value,
            graph: GraphFacts::of(&self.graph),
            preview: self.preview.value,
            checks: self.checks.value,
        }
    }

    /// What something in the result rests on, fused; by path, position, kind and id.
    fn evidence(&self) -> Vec<Evidence> {
        let mut records = self.found.evidence.clone();
        records.extend(self.dependencies.value.dependencies.evidence());
        if let Some(impact) = &self.impact.value {
            records.extend(impact.changed.iter().map(impact::Change::evidence));
            records.extend(impact.affected.iter().flat_map(impact::Affected::evidence));
        }
        records.extend(migration::evidence(&self.drafts, &self.checks.value));
        let mut fused = fuse(records);
        fused.sort_by(|left, right| {
            let by_place = left.place.cmp(&right.place).then_with(|| left.kind.cmp(&right.kind));
            by_place.then_with(|| left.id().cmp(&right.id()))
        });
        fused
    }
}

impl GraphFacts {
    fn of(graph: &Graph) -> Self {
        Self {
            symbols: graph.symbols().len() as u64,
            edges: graph.edges().len() as u64,
            tests: graph.symbols().iter().filter(|it| it.is_test).count() as u64,
            exact_edges: graph.edges().iter().filter(|it| it.resolution.is_of_index()).count() as u64,
            agreement: graph.agreement.clone(),
        }
    }
}

/// The files of a run in numbers.
pub struct FileFacts {
    /// Over path, mode and content of every file, and over what was skipped.
    pub tree: Digest,
    pub count: u64,
    pub bytes: u64,
    pub searched: u64,
    pub languages: BTreeMap<String, u64>,
}

/// A file or folder that was not looked at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnseenFile {
    pub path: RepoPath,
    pub code: &'static str,
    pub detail: Option<String>,
}

impl FileFacts {
    pub fn of(looks: &[Look], unseen: &[UnseenFile]) -> Self {
        let mut identity = Vec::new();
        let mut languages: BTreeMap<String, u64> = BTreeMap::new();
        for look in looks {
            if let Some(file) = &look.file {
                let mode = match file.mode {
                    FileMode::Regular => "regular",
                    FileMode::Executable => "executable",
                };
                identity.extend(format!("{mode} {} ", file.blob).bytes());
                identity.extend(file.path.as_bytes());
                identity.push(0);
            }
            if let Some(language) = look.language {
                *languages.entry(language.name()).or_default() += 1;
            }
        }
        for file in unseen {
            identity.extend(format!("{} ", file.code).bytes());
            identity.extend(file.path.as_bytes());
            identity.push(0);
        }
        Self {
            tree: Digest::of(&identity),
            count: looks.len() as u64,
            bytes: looks.iter().map(|it| it.size).sum(),
            searched: looks.iter().filter(|it| it.search == Search::Done).count() as u64,
            languages,
        }
    }
}

/// The files that the rules should have looked at and could not. In a scan of everything a file that is too large or no
/// text is one of many things that are left out, and listed; in a scan of a change, or of that one file, it may be the
/// very thing that was asked about.
pub fn unsearched(task: Task<'_>, looks: &[Look], scope: Option<&RepoPath>) -> Vec<RepoPath> {
    let is_named = |path: &RepoPath| scope == Some(path);
    let refused = looks.iter().filter(|it| it.search == Search::Failed).map(|it| &it.path);
    let skipped = task.snapshot.skipped.iter().filter(|it| {
        let language = Language::of_path(&it.path);
        let is_new = task.base.is_some_and(|base| base.skipped.binary_search(it).is_err());
        matches!(it.reason, SkipReason::TooLarge { .. } | SkipReason::LfsPointer)
            && (is_new || is_named(&it.path))
            && language.is_some_and(|language| task.rules.asks_for(&it.path, language))
    });
    let concerned = refused.filter(|it| task.base.is_some() || is_named(it));
    let all: BTreeSet<RepoPath> = concerned.cloned().chain(skipped.map(|it| it.path.clone())).collect();
    all.into_iter().collect()
}

/// What the snapshot left out and what the looks could not understand, sorted.
pub fn unseen(snapshot: &Snapshot<'_>, looks: &[Look]) -> Vec<UnseenFile> {
    let skipped = snapshot.skipped.iter().map(|Skipped { path, reason }| UnseenFile {
        path: path.clone(),
        code: reason.code(),
        detail: Some(reason.to_string()),
    });
    let refused = looks.iter().filter_map(|look| {
        let unseen = look.unseen.as_ref()?;
        Some(UnseenFile { path: look.path.clone(), code: unseen.code, detail: unseen.detail.clone() })
    });
    let all: BTreeSet<UnseenFile> = skipped.chain(refused).collect();
    all.into_iter().collect()
}
