//! The evidence bundle: a folder of versioned documents that can be verified, and its value in memory.
//!
//! `bundle.json` names every other part with its SHA-256 and carries a digest over itself; `volatile.json` holds
//! times and durations and is outside every digest. Equal input gives equal bytes.

mod assemble;
mod checksum;
mod cyclonedx;
mod dependency;
mod document;
mod finding;
mod gap;
mod manifest;
mod parts;
mod reach;
mod read;
#[cfg(test)]
mod schema;

pub use assemble::{Setting, assemble};
pub use cyclonedx::{Bom, cyclonedx};
pub use dependency::all as dependencies;
pub use document::{
    AffectedTest, Check, DEPENDENCIES_SCHEMA, Declared, Dependencies, Dependency, DependencyChange,
    IMPACT_SCHEMA, Impact, ImportedAs, Relation, Resolved, Skipped, UsedBy, VALIDATION_SCHEMA,
    VOLATILE_SCHEMA, Validation, Volatile,
};
pub use finding::Finding;
pub use manifest::{
    BaseRevision, FailOn, Manifest, PrecisionCounts, RuleSummary, Scope, ScopeKind, Tool, Verdict,
    VerdictKind,
};
pub use parts::{Extra, seal};
pub use reach::document as impact;
pub use read::{ReadError, open, verify};

use crate::model::Evidence;
use crate::rewrite::Preview;

/// A bundle in memory: everything that reports are made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Bundle {
    pub manifest: Manifest,
    /// Sorted by path and position.
    pub findings: Vec<Finding>,
    /// Sorted by path, position, kind and id.
    pub evidence: Vec<Evidence>,
    pub dependencies: Dependencies,
    pub impact: Impact,
    pub preview: Option<Preview>,
    pub validation: Validation,
    pub skipped: Vec<Skipped>,
}
