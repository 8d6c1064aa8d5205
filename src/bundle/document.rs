//! The parts of a bundle that are one JSON document each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{ChangeKind, CheckStatus, Note, Redacted, RepoPath, SymbolId, Tier, Timestamp};

pub const DEPENDENCIES_SCHEMA: &str = "codecortex.dependencies/1";
pub const IMPACT_SCHEMA: &str = "codecortex.impact/1";
pub const VALIDATION_SCHEMA: &str = "codecortex.validation/1";
pub const VOLATILE_SCHEMA: &str = "codecortex.volatile/1";

/// `dependencies.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dependencies {
    pub schema: String,
    pub dependencies: Vec<Dependency>,
    /// What differs from the base.
    pub changes: Vec<DependencyChange>,
    pub diagnostics: Vec<Note>,
}

/// One dependency: what manifests ask for and what lockfiles settled on, apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dependency {
    pub ecosystem: String,
    pub name: String,
    pub purl: String,
    pub relation: Relation,
    /// Whether it is known which version the project has, and why not: `locked`, `selected`, `pinned`, `unlocked`,
    /// `missing`, `lock_unreadable`, `local` or `unused`.
    pub state: String,
    /// A shortest chain of names from a direct dependency, for transitive ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<String>,
    pub declared: Vec<Declared>,
    pub resolved: Vec<Resolved>,
    /// By which names code imports it; none where imports are not matched with packages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported_as: Option<ImportedAs>,
    /// The files that import it, by path; none where imports are not matched with packages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_by: Option<Vec<UsedBy>>,
}

/// The names by which code imports a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportedAs {
    pub names: Vec<String>,
    /// `manifest`, `installed`, `published` or `convention`; the last is a custom that a package may not follow.
    pub known_by: String,
}

/// A file that imports a package.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UsedBy {
    pub path: RepoPath,
    /// The first place that names it.
    pub line: u32,
    pub column: u32,
    /// What it uses of it, sorted; empty where that is not named.
    pub names: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    Direct,
    Transitive,
    /// A lockfile lists it, and nothing that was read leads to it.
    Unlinked,
}

/// A constraint as a manifest writes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Declared {
    pub constraint: Option<String>,
    /// What the constraint comes to where it is written with variables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluated: Option<String>,
    /// The condition under which it is wanted, in the words of its ecosystem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// The version that it got, where a lockfile says which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<String>,
    /// The file outside of this repository that the constraint is taken from, or a value of it: the coordinates of a pom
    /// in the local repository of Maven. Another machine need not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_in: Option<String>,
    pub raw_name: String,
    pub alias: Option<String>,
    pub scope: String,
    pub source: String,
    pub path: RepoPath,
    pub line: u32,
    pub column: u32,
}

/// A version as a lockfile writes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Resolved {
    pub version: String,
    pub scope: Option<String>,
    pub source: String,
    pub path: RepoPath,
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DependencyChange {
    pub ecosystem: String,
    pub name: String,
    /// `added`, `removed`, `constraint_changed`, `version_moved`, `source_changed` or `checksum_changed`.
    pub change: String,
    pub before: Option<String>,
    pub after: Option<String>,
    /// Of a version that moved, the first of its numbers that differs: `major`, `minor` or `patch`, with `down` behind it
    /// when it went down.
    #[serde(default)]
    pub distance: Option<String>,
    pub path: Option<RepoPath>,
    pub line: Option<u32>,
    /// Whether path and line are those of the base, since what differs is gone.
    #[serde(default)]
    pub is_of_base: bool,
}

/// `impact.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Impact {
    pub schema: String,
    pub changed: Vec<ChangedSymbol>,
    pub affected: Vec<AffectedSymbol>,
    pub tests: Vec<AffectedTest>,
    /// How far the change reaches; no part of the risk.
    pub blast: Blast,
    /// Where the analysis cannot see.
    pub blind_spots: Vec<Note>,
    /// Files that mostly changed with one of the change, and are not part of it: advice, no part of the risk.
    #[serde(default)]
    pub partners: Vec<Partner>,
    /// None when nothing changed, or where it is not known by which lines.
    pub risk: Option<Risk>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangedSymbol {
    pub symbol: SymbolId,
    pub path: RepoPath,
    pub start_line: u32,
    pub end_line: u32,
    pub change: ChangeKind,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AffectedSymbol {
    pub symbol: SymbolId,
    pub path: RepoPath,
    pub line: u32,
    /// Steps from a changed symbol.
    pub distance: u32,
    /// From the changed symbol to this one, both included.
    pub via: Vec<SymbolId>,
    pub trust: Tier,
    pub confidence: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AffectedTest {
    pub path: RepoPath,
    /// The test's name inside the file; none when the file as a whole is affected.
    pub name: Option<String>,
    /// Where the test begins; none for a file as a whole.
    pub line: Option<u32>,
    pub via: Vec<SymbolId>,
    pub trust: Tier,
}

/// A file that may have been forgotten.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Partner {
    pub path: RepoPath,
    /// The file of the change that it mostly changed with.
    pub with: RepoPath,
    /// The commits that changed both.
    pub both: u32,
    /// The commits that changed the file of the change.
    pub all: u32,
}

/// The size of what a change reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Blast {
    pub symbols: usize,
    pub files: usize,
    /// Reached over paths without a guess.
    pub strongly: usize,
    /// Of these, used directly at a place that an index resolved.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub exactly: usize,
    /// Changed definitions that other files can name.
    pub exported: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the serializer hands over a reference")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// How risky a change looks, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Risk {
    /// 0 to 100.
    pub score: f64,
    /// The share of changes of such a score that had to be fixed later, lowest and highest of the repositories it was
    /// measured on; none where that was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<[f64; 2]>,
    /// The same share of all changes that were measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_rate: Option<f64>,
    pub factors: Vec<RiskFactor>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RiskFactor {
    pub name: String,
    /// None where it could not be measured.
    pub value: Option<f64>,
    /// The points that it adds to the score.
    pub share: f64,
}

/// `validation.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Validation {
    pub schema: String,
    pub checks: Vec<Check>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Check {
    pub name: String,
    pub status: CheckStatus,
    /// Empty for the built-in checks.
    pub argv: Vec<Redacted>,
    pub message: Redacted,
    /// The end of what the command printed.
    pub output: Redacted,
}

/// `skipped.jsonl`: a file or folder that was not looked at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Skipped {
    pub path: RepoPath,
    pub reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// `volatile.json`: what differs between two equal runs. No digest covers it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Volatile {
    pub schema: String,
    pub created_at: Timestamp,
    /// When the preview of this bundle, if it has one, becomes void.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview_expires_at: Option<Timestamp>,
    pub root: String,
}
