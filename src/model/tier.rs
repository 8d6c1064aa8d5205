//! How a result was established, and the most that this can be worth.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The categorical strength of a result, weakest first. This is what a reader should go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// A lexical coincidence.
    Weak,
    /// A heuristic cross-file relationship.
    Inferred,
    /// A strong graph relationship, or exact evidence that has gone stale.
    InferredHigh,
    /// A parsed-syntax match, a read manifest, or version-matched documentation.
    Structural,
    /// A live language-server resolution.
    NearExact,
    /// A fresh occurrence that a compiler or indexer resolved.
    Exact,
}

/// The layer that stands behind a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Provider {
    Precision,
    Graph,
    Structural,
    Dependencies,
    Docs,
    Git,
    Memory,
    Validation,
    LanguageServer,
}

/// How a result was obtained; `provenance` on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    PrecisionIndex,
    LanguageServer,
    SyntaxTree,
    StructuralMatch,
    GraphStrong,
    GraphHeuristic,
    Lexical,
    Manifest,
    Lockfile,
    DocsVersionExact,
    DocsFallback,
    GitLog,
    GitDiff,
    MemoryRecall,
    CommandRun,
}

/// Whether a result still describes the source. Going stale is final.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Freshness {
    Fresh,
    Stale,
}

impl Tier {
    pub const ALL: [Self; 6] =
        [Self::Weak, Self::Inferred, Self::InferredHigh, Self::Structural, Self::NearExact, Self::Exact];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Weak => "weak",
            Self::Inferred => "inferred",
            Self::InferredHigh => "inferred_high",
            Self::Structural => "structural",
            Self::NearExact => "near_exact",
            Self::Exact => "exact",
        }
    }
}

impl Provider {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Precision => "precision",
            Self::Graph => "graph",
            Self::Structural => "structural",
            Self::Dependencies => "dependencies",
            Self::Docs => "docs",
            Self::Git => "git",
            Self::Memory => "memory",
            Self::Validation => "validation",
            Self::LanguageServer => "language_server",
        }
    }
}

impl Method {
    pub const ALL: [Self; 15] = [
        Self::PrecisionIndex,
        Self::LanguageServer,
        Self::SyntaxTree,
        Self::StructuralMatch,
        Self::GraphStrong,
        Self::GraphHeuristic,
        Self::Lexical,
        Self::Manifest,
        Self::Lockfile,
        Self::DocsVersionExact,
        Self::DocsFallback,
        Self::GitLog,
        Self::GitDiff,
        Self::MemoryRecall,
        Self::CommandRun,
    ];

    /// The highest tier that a result of this method can have.
    pub const fn ceiling(self) -> Tier {
        match self {
            Self::PrecisionIndex => Tier::Exact,
            Self::LanguageServer => Tier::NearExact,
            Self::SyntaxTree
            | Self::StructuralMatch
            | Self::Manifest
            | Self::Lockfile
            | Self::DocsVersionExact
            | Self::GitLog
            | Self::GitDiff
            | Self::CommandRun => Tier::Structural,
            Self::GraphStrong => Tier::InferredHigh,
            Self::GraphHeuristic | Self::DocsFallback | Self::MemoryRecall => Tier::Inferred,
            Self::Lexical => Tier::Weak,
        }
    }

    /// The layer that uses this method.
    pub const fn provider(self) -> Provider {
        match self {
            Self::PrecisionIndex => Provider::Precision,
            Self::LanguageServer => Provider::LanguageServer,
            Self::SyntaxTree | Self::GraphStrong | Self::GraphHeuristic => Provider::Graph,
            Self::StructuralMatch | Self::Lexical => Provider::Structural,
            Self::Manifest | Self::Lockfile => Provider::Dependencies,
            Self::DocsVersionExact | Self::DocsFallback => Provider::Docs,
            Self::GitLog | Self::GitDiff => Provider::Git,
            Self::MemoryRecall => Provider::Memory,
            Self::CommandRun => Provider::Validation,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::PrecisionIndex => "precision_index",
            Self::LanguageServer => "language_server",
            Self::SyntaxTree => "syntax_tree",
            Self::StructuralMatch => "structural_match",
            Self::GraphStrong => "graph_strong",
            Self::GraphHeuristic => "graph_heuristic",
            Self::Lexical => "lexical",
            Self::Manifest => "manifest",
            Self::Lockfile => "lockfile",
            Self::DocsVersionExact => "docs_version_exact",
            Self::DocsFallback => "docs_fallback",
            Self::GitLog => "git_log",
            Self::GitDiff => "git_diff",
            Self::MemoryRecall => "memory_recall",
            Self::CommandRun => "command_run",
        }
    }
}
