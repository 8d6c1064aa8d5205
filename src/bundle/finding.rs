//! `findings.jsonl`: what the rules say, each resting on named evidence.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{EvidenceId, Excerpt, Fingerprint, Method, Redacted, RepoPath, Severity, Standing, Tier};

pub const SCHEMA: &str = "codecortex.finding/1";

/// One finding: a rule that matched at a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    pub rule: String,
    pub severity: Severity,
    pub status: Standing,
    pub message: Redacted,
    pub path: RepoPath,
    /// One-based lines, columns in code points, half-open.
    pub start_line: u32,
    pub start_column: u32,
    pub end_line: u32,
    pub end_column: u32,
    /// Stays the same when lines move.
    pub fingerprint: Fingerprint,
    /// How the finding was established, as its strongest evidence says.
    pub trust: Tier,
    pub provenance: Method,
    pub stale: bool,
    pub evidence: Vec<EvidenceId>,
    pub fix_available: bool,
    pub excerpt: Excerpt,
}
