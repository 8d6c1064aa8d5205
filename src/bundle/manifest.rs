//! `bundle.json`: what a run looked at, how far each stage got, and the digest of every other part.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{Digest, Layer, LayerState, Note, RepoPath, Severity, Tier};

pub const SCHEMA: &str = "codecortex.bundle/1";

/// The head of a bundle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub schema: String,
    pub tool: Tool,
    pub verdict: Verdict,
    pub snapshot: SnapshotIdentity,
    pub scope: Scope,
    pub configuration: Configuration,
    /// In the order of the pipeline.
    pub stages: Vec<Stage>,
    pub counts: Counts,
    pub rules: Vec<RuleSummary>,
    pub notes: Vec<Note>,
    /// Every other file of the bundle but `volatile.json`, sorted by name.
    pub parts: Vec<Part>,
    /// SHA-256 over the RFC 8785 form of this document without this field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bundle_digest: Option<Digest>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    pub name: String,
    pub version: String,
    /// The structural engine and its exact version.
    pub engine: String,
}

/// What a run comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    pub outcome: VerdictKind,
    /// What counts as failing: the value of `--fail-on`.
    pub fail_on: FailOn,
    /// The findings that fail the run.
    pub failing: u64,
    /// The checks that failed.
    pub failed_checks: u64,
    /// Why nothing may be called clean, a sentence each.
    pub gaps: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VerdictKind {
    Clean,
    Findings,
    /// A stage could not do what was asked of it, so nothing may be called clean.
    Incomplete,
}

impl VerdictKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Findings => "findings",
            Self::Incomplete => "incomplete",
        }
    }
}

/// Which findings fail a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum FailOn {
    /// None.
    None,
    /// Those of severity info or above.
    Info,
    /// Those of severity warning or above.
    Warning,
    /// Those of severity error.
    Error,
    /// Those of severity info or above that the base does not have.
    New,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SnapshotIdentity {
    /// `branch`, `detached`, `unborn`, `none` or `unavailable`.
    pub git: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Over path, mode and content id of every file, and over what was skipped: equal trees, equal digests.
    pub tree: Digest,
    pub files: u64,
    pub bytes: u64,
    /// Files by language, for the languages that can be parsed.
    pub languages: BTreeMap<String, u64>,
}

/// What a run was asked to look at, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scope {
    pub kind: ScopeKind,
    /// The folder or file that the run was narrowed to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<RepoPath>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<BaseRevision>,
    pub reason: String,
    /// The files that the rules looked at.
    pub searched_files: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScopeKind {
    /// Every file.
    Full,
    /// What differs from the base.
    Diff,
    /// What is staged for the next commit.
    Staged,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BaseRevision {
    /// The revision as it was asked for.
    pub requested: String,
    pub commit: String,
    pub reason: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// Over the effective settings.
    pub settings: Digest,
    /// Over the rules and their severities.
    pub rules: Digest,
}

/// How far one layer took part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    pub layer: Layer,
    pub status: LayerState,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Files that were not looked at, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Of the graph: definitions and files, the uses between them, and single tests.
    pub symbols: u64,
    pub edges: u64,
    pub tests: u64,
    /// Uses that a precision index resolved, and how the guesses fared where it knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<PrecisionCounts>,
    pub evidence: BTreeMap<Tier, u64>,
    pub stale: u64,
    pub superseded: u64,
    pub findings: BTreeMap<Severity, u64>,
    pub new_findings: u64,
    pub suppressed_by_limit: u64,
    pub dependencies: u64,
    pub dependency_changes: u64,
    pub changed_symbols: u64,
    pub affected_symbols: u64,
    pub affected_tests: u64,
    pub rewritten_files: u64,
    pub rewritten_matches: u64,
}

/// What a precision index did for the graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrecisionCounts {
    pub exact_edges: u64,
    /// By how a use was resolved from names.
    pub guesses: BTreeMap<String, Judged>,
}

/// Guesses that the index could judge, and those of them whose targets hold its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Judged {
    pub judged: u64,
    pub right: u64,
}

/// A rule of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleSummary {
    pub id: String,
    pub language: String,
    pub severity: Severity,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    pub has_fix: bool,
    pub findings: u64,
}

/// One file of the bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Part {
    pub name: String,
    pub media_type: String,
    /// The schema of the part, for parts that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Records in the part, for parts of lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<u64>,
    pub bytes: u64,
    pub sha256: Digest,
}

impl Manifest {
    /// The digest that the content gives.
    ///
    /// # Errors
    /// When the document has no JSON form.
    pub fn content_digest(&self) -> Result<Digest, serde_json::Error> {
        Digest::of_document(&Self { bundle_digest: None, ..self.clone() })
    }
}
