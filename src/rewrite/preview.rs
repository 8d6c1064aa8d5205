//! The preview: everything that a reviewer and a later `apply` need, in one document.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::draft::Draft;
use crate::impact::{self, Availability, Impact};
use crate::model::{Digest, RepoPath, Span, SymbolId, Timestamp, counted};
use crate::structural::{Edit, RuleSet};

pub const SCHEMA: &str = "codecortex.preview/1";

/// What the rules with a fix would do to a repository.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Preview {
    pub schema: String,
    /// `pv_` and 20 digits of the digest of everything but the times: one content, one id.
    pub id: String,
    pub tool: String,
    /// The commit that was checked out, when git said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    pub rules: Vec<RuleVersion>,
    pub files: Vec<FilePreview>,
    /// Matches that this preview leaves because they lie inside others.
    pub remaining: usize,
    /// Whether the result matches a rule again.
    pub not_a_fixpoint: bool,
    pub conflicts: Vec<Conflict>,
    pub warnings: Vec<Warning>,
    pub skipped: Vec<Skip>,
    /// What the rewrite touches and reaches; none where nothing is rewritten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impact: Option<Reach>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<Risk>,
    /// When it was made. A bundle keeps the times in `volatile.json`, so that its digest holds for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// Over everything else, times included; a preview that has times has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
}

/// A rule as it was when the preview was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleVersion {
    pub id: String,
    pub sha256: Digest,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FilePreview {
    pub path: RepoPath,
    pub sha256_before: Digest,
    pub sha256_after: Digest,
    pub matches: Vec<MatchPlace>,
    /// Byte edits of the text before, sorted, without overlap.
    pub edits: Vec<ByteEdit>,
    /// A unified diff with three lines of context.
    pub diff: String,
}

/// A match that is rewritten: one-based, columns in code points, half-open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchPlace {
    pub rule: String,
    pub start_line: u32,
    pub start_column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ByteEdit {
    pub start: usize,
    pub end: usize,
    pub text: String,
}

/// Two rules that want different things of one text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Conflict {
    pub path: RepoPath,
    pub line: u32,
    pub winner: String,
    pub loser: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Warning {
    pub code: String,
    pub path: RepoPath,
    pub line: u32,
    pub message: String,
}

/// A file that the rules match and the preview leaves alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Skip {
    pub path: RepoPath,
    pub reason: String,
}

/// The symbols that a rewrite changes, how many use them, and the tests that reach them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reach {
    pub changed: Vec<SymbolId>,
    pub affected: usize,
    pub tests: Vec<SymbolId>,
}

/// How risky the rewrite looks as a change, 0 to 100, with every addend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Risk {
    pub score: f64,
    pub factors: Vec<RiskFactor>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RiskFactor {
    pub name: String,
    /// None where it could not be measured.
    pub value: Option<f64>,
    pub share: f64,
}

/// How much one preview may change.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub files: u64,
    pub matches: u64,
    pub bytes: u64,
}

/// What a preview is of.
#[derive(Clone, Copy)]
pub struct Subject<'s> {
    pub tool: &'s str,
    pub commit: Option<&'s str>,
    pub rules: &'s RuleSet,
}

#[derive(Debug, thiserror::Error)]
pub enum PreviewError {
    #[error("the rewrite would change {actual} {unit}, more than the {limit} that `structural.{key}` allows")]
    Limit { actual: u64, limit: u64, unit: &'static str, key: &'static str },
}

/// Makes one preview of the drafts of all files.
///
/// # Errors
/// When the drafts together exceed a limit; then nothing of them is kept.
pub fn assemble(
    subject: Subject<'_>,
    mut drafts: Vec<Draft>,
    limits: Limits,
    impact: Option<&Impact>,
) -> Result<Preview, PreviewError> {
    drafts.sort_by(|left, right| left.path.cmp(&right.path));
    let accepted = || drafts.iter().filter(|it| it.after.is_some());
    within(accepted().count() as u64, limits.files, "files", "max_rewrite_files")?;
    within(
        accepted().map(|it| it.matches.len() as u64).sum(),
        limits.matches,
        "matches",
        "max_rewrite_matches",
    )?;
    within(accepted().map(|it| it.changed_bytes).sum(), limits.bytes, "bytes", "max_rewrite_bytes")?;
    let name = |number: usize| subject.rules.get(number).map(|it| it.id.clone()).unwrap_or_default();
    let mut preview = Preview {
        schema: SCHEMA.to_owned(),
        id: String::new(),
        tool: subject.tool.to_owned(),
        commit: subject.commit.map(str::to_owned),
        rules: rule_versions(subject.rules),
        files: drafts.iter().filter_map(|it| file(it, &name)).collect(),
        remaining: accepted().map(|it| it.nested).sum(),
        not_a_fixpoint: accepted().any(|it| it.renewed > 0),
        conflicts: drafts.iter().flat_map(|it| conflicts(it, &name)).collect(),
        warnings: drafts.iter().flat_map(warnings).collect(),
        skipped: drafts.iter().filter_map(skip).collect(),
        impact: impact.map(reach),
        risk: impact.and_then(|it| it.risk.as_ref()).map(risk),
        created_at: None,
        expires_at: None,
        digest: None,
    };
    preview.id = preview.content_id();
    Ok(preview)
}

fn reach(impact: &Impact) -> Reach {
    let tests: BTreeSet<SymbolId> = impact.tests.iter().filter_map(|it| it.symbol.clone()).collect();
    Reach {
        changed: impact.changed.iter().map(|it| it.symbol.clone()).collect(),
        affected: impact.affected.len(),
        tests: tests.into_iter().collect(),
    }
}

fn risk(risk: &impact::Risk) -> Risk {
    let factors = risk.factors.iter().map(|it| RiskFactor {
        name: it.name.to_owned(),
        value: (it.availability == Availability::Measured).then_some(it.value),
        share: it.share,
    });
    Risk { score: risk.score, factors: factors.collect() }
}

fn within(actual: u64, limit: u64, unit: &'static str, key: &'static str) -> Result<(), PreviewError> {
    if actual > limit { Err(PreviewError::Limit { actual, limit, unit, key }) } else { Ok(()) }
}

fn rule_versions(rules: &RuleSet) -> Vec<RuleVersion> {
    let fixing = rules.rules().iter().filter(|it| it.fixer().is_some());
    fixing.map(|it| RuleVersion { id: it.id.clone(), sha256: it.digest }).collect()
}

fn file(draft: &Draft, name: &impl Fn(usize) -> String) -> Option<FilePreview> {
    let place = |(rule, span): &(usize, Span)| MatchPlace {
        rule: name(*rule),
        start_line: span.start.line,
        start_column: span.start.column,
        end_line: span.end.line,
        end_column: span.end.column,
    };
    let edit = |it: &Edit| ByteEdit { start: it.range.start, end: it.range.end, text: it.text.clone() };
    Some(FilePreview {
        path: draft.path.clone(),
        sha256_before: draft.before,
        sha256_after: draft.after?,
        matches: draft.matches.iter().map(place).collect(),
        edits: draft.edits.iter().map(edit).collect(),
        diff: draft.diff.clone(),
    })
}

fn conflicts(draft: &Draft, name: &impl Fn(usize) -> String) -> Vec<Conflict> {
    let conflict = |(winner, loser, span): &(usize, usize, Span)| Conflict {
        path: draft.path.clone(),
        line: span.start.line,
        winner: name(*winner),
        loser: name(*loser),
    };
    draft.clashes.iter().map(conflict).collect()
}

fn warnings(draft: &Draft) -> Vec<Warning> {
    let line = draft.matches.first().map_or(1, |(_, span)| span.start.line);
    let warning = |code: &str, message: String| Warning {
        code: code.to_owned(),
        path: draft.path.clone(),
        line,
        message,
    };
    let mut found = Vec::new();
    if draft.renewed > 0 {
        let message = format!(
            "the result holds {} of the rules that made it",
            counted(draft.renewed as u64, "new match")
        );
        found.push(warning("not_idempotent", message));
    }
    if draft.nested > 0 {
        let message =
            format!("left for another preview, as inside others: {}", counted(draft.nested as u64, "match"));
        found.push(warning("remaining_matches", message));
    }
    if !draft.clashes.is_empty() {
        let message =
            format!("other rules want the same text: {}", counted(draft.clashes.len() as u64, "edit"));
        found.push(warning("rules_conflict", message));
    }
    found
}

fn skip(draft: &Draft) -> Option<Skip> {
    Some(Skip { path: draft.path.clone(), reason: draft.refusal?.to_owned() })
}

impl Preview {
    /// The id that the content gives.
    pub fn content_id(&self) -> String {
        let timeless =
            Self { id: String::new(), created_at: None, expires_at: None, digest: None, ..self.clone() };
        format!("pv_{}", timeless.document_digest().short(20))
    }

    fn document_digest(&self) -> Digest {
        let undigested = Self { digest: None, ..self.clone() };
        Digest::of_document(&undigested).expect("because a preview holds only text and numbers")
    }

    /// Whether the digest, where there is one, is that of the document.
    pub fn is_as_written(&self) -> bool {
        self.digest.is_none_or(|it| it == self.document_digest())
    }

    /// The preview with its times.
    pub fn dated(mut self, now: Timestamp, seconds_to_live: u64) -> Self {
        self.created_at = Some(now);
        self.expires_at = Some(now.plus_seconds(seconds_to_live));
        self.digest = Some(self.document_digest());
        self
    }

    /// The number of matches that are rewritten.
    pub fn matches(&self) -> usize {
        self.files.iter().map(|it| it.matches.len()).sum()
    }
}

impl From<&ByteEdit> for Edit {
    fn from(edit: &ByteEdit) -> Self {
        Self { range: edit.start..edit.end, text: edit.text.clone() }
    }
}
