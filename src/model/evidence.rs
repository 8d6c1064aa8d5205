//! The one record that every layer emits.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::confidence::Confidence;
use super::digest::Digest;
use super::fingerprint::Fingerprint;
use super::path::RepoPath;
use super::place::Location;
use super::redacted::Redacted;
use super::score::{Score, score};
use super::symbol::SymbolId;
use super::tier::{Freshness, Method, Provider, Tier};
use super::wire;

/// What a result says about its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Definition,
    Reference,
    Implementation,
    Call,
    Import,
    TypeRelation,
    Documentation,
    Dependency,
    StructuralMatch,
    GitHistory,
    Memory,
    Validation,
    Impact,
}

/// One located, provenance-bearing result.
///
/// The tier starts at the ceiling of the method and can only be lowered; staleness can only be gained.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "wire::Record")]
#[schemars(with = "wire::Record")]
pub struct Evidence {
    pub kind: Kind,
    pub place: Location,
    pub symbol: Option<SymbolId>,
    pub target: Option<SymbolId>,
    pub confidence: Confidence,
    /// One line for a person.
    pub message: Redacted,
    pub fingerprint: Fingerprint,
    pub detail: Detail,
    pub(super) method: Method,
    pub(super) tier: Tier,
    pub(super) freshness: Freshness,
    /// Weaker records of the same claim, strongest first; these hold none themselves.
    pub(super) superseded: Vec<Self>,
}

/// The identity of a record: equal facts have equal ids on every machine.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct EvidenceId(String);

/// What a record of one kind carries beyond its place.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Detail {
    #[default]
    None,
    Match(MatchDetail),
    Dependency(DependencyDetail),
    Change(ChangeDetail),
    Reach(ReachDetail),
    Check(CheckDetail),
    Deprecation(DeprecationDetail),
    History(HistoryDetail),
}

/// A place that a structural rule matched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchDetail {
    pub rule: String,
    /// The text of each metavariable.
    pub captures: BTreeMap<String, Redacted>,
}

/// A fact about a dependency, at the place that states it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DependencyDetail {
    pub ecosystem: String,
    pub name: String,
    pub fact: DependencyFact,
}

/// A constraint is what a manifest asks for, a version what a lockfile settled on: never one field. Drift is where the
/// two no longer fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DependencyFact {
    Constraint(String),
    Version(String),
    /// Stands at the constraint.
    Drift(DriftDetail),
}

/// An entry of a manifest that its lockfile does not do justice to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DriftDetail {
    pub constraint: Option<String>,
    /// What the lockfile has; none when it does not list the package.
    pub locked: Option<LockedVersion>,
}

/// A version and where a lockfile states it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LockedVersion {
    pub version: String,
    pub path: RepoPath,
    pub line: u32,
    pub column: u32,
}

/// What a change did to a definition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeDetail {
    pub change: ChangeKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    Added,
    Removed,
    Renamed,
    SignatureChanged,
    BodyChanged,
    /// White space or comments only.
    FormattingOnly,
}

/// How a change reaches a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReachDetail {
    /// Steps from the changed symbol.
    pub distance: u32,
    /// The symbols from the changed one to this one, both included.
    pub via: Vec<SymbolId>,
}

/// A check that ran, or could not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckDetail {
    pub check: String,
    pub status: CheckStatus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckStatus {
    Passed,
    Failed,
    /// It ran but says nothing (it timed out, or its program could not be started).
    Inconclusive,
    /// It was not allowed to run.
    Blocked,
    NotRun,
}

/// What the installed version of a package says of something that is used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeprecationDetail {
    pub ecosystem: String,
    pub package: String,
    /// The version that is installed and read.
    pub version: String,
    /// What is deprecated, as code names it below the package.
    pub name: String,
    /// The file of the package that says so, inside the package.
    pub declared_path: String,
    pub declared_line: u32,
    /// What the package says about it.
    pub note: Redacted,
}

/// What commits did to a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HistoryDetail {
    pub fact: HistoryFact,
    /// The full names of the commits that it rests on, newest first.
    pub commits: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum HistoryFact {
    /// The commit changed the file.
    Changed,
    /// By their subjects the commits are fixes, and changed the file.
    Fixed,
    /// The file changed in `both` of the `all` commits that changed the file `with`.
    ChangedTogether { with: RepoPath, both: u32, all: u32 },
    /// The commit wrote so many of the lines that were asked about.
    Written { lines: u32 },
}

impl Evidence {
    /// A fresh record at the ceiling of its method. `subject` is the text that the record is about: with kind and
    /// path it makes the fingerprint.
    pub fn new(kind: Kind, method: Method, place: Location, subject: &str, message: Redacted) -> Self {
        let fingerprint = Fingerprint::of(kind.name(), &place.path, subject);
        Self {
            kind,
            place,
            symbol: None,
            target: None,
            confidence: Confidence::FULL,
            message,
            fingerprint,
            detail: Detail::None,
            method,
            tier: method.ceiling(),
            freshness: Freshness::Fresh,
            superseded: Vec::new(),
        }
    }

    /// Lowers the tier to `tier` where it stands above; never raises it.
    pub fn at_most(mut self, tier: Tier) -> Self {
        self.tier = self.tier.min(tier);
        self
    }

    /// Marks the record as no longer describing the source; there is no way back.
    pub fn into_stale(mut self) -> Self {
        self.freshness = Freshness::Stale;
        self.at_most(Tier::InferredHigh)
    }

    pub const fn method(&self) -> Method {
        self.method
    }

    pub const fn provider(&self) -> Provider {
        self.method.provider()
    }

    pub const fn tier(&self) -> Tier {
        self.tier
    }

    pub const fn is_stale(&self) -> bool {
        matches!(self.freshness, Freshness::Stale)
    }

    /// Whether a compiler or indexer resolved this, on the source as it is.
    pub const fn is_exact(&self) -> bool {
        matches!(self.tier, Tier::Exact) && !self.is_stale()
    }

    pub fn superseded(&self) -> &[Self] {
        &self.superseded
    }

    pub fn score(&self) -> Score {
        score(self.tier, self.confidence, self.freshness)
    }

    /// The identity of the record's content, metadata excluded.
    pub fn id(&self) -> EvidenceId {
        let content = serde_json::to_vec(&wire::Content(self));
        let digest = Digest::of(&content.expect("because the content holds only text and numbers"));
        EvidenceId(format!("ev_{}", digest.short(20)))
    }

    /// Strongest first, then by place, kind, symbol and id: total, and the same on every machine.
    pub fn order(&self, other: &Self) -> Ordering {
        other
            .score()
            .cmp(&self.score())
            .then_with(|| self.place.cmp(&other.place))
            .then_with(|| self.kind.cmp(&other.kind))
            .then_with(|| self.symbol.cmp(&other.symbol))
            .then_with(|| self.id().cmp(&other.id()))
    }
}

impl Kind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Definition => "definition",
            Self::Reference => "reference",
            Self::Implementation => "implementation",
            Self::Call => "call",
            Self::Import => "import",
            Self::TypeRelation => "type_relation",
            Self::Documentation => "documentation",
            Self::Dependency => "dependency",
            Self::StructuralMatch => "structural_match",
            Self::GitHistory => "git_history",
            Self::Memory => "memory",
            Self::Validation => "validation",
            Self::Impact => "impact",
        }
    }
}

impl ChangeKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Renamed => "renamed",
            Self::SignatureChanged => "signature_changed",
            Self::BodyChanged => "body_changed",
            Self::FormattingOnly => "formatting_only",
        }
    }
}

impl CheckStatus {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Inconclusive => "inconclusive",
            Self::Blocked => "blocked",
            Self::NotRun => "not_run",
        }
    }
}

impl EvidenceId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EvidenceId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
