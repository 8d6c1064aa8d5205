//! From what a run found to the documents that say so.

use std::collections::BTreeMap;

use super::document::{
    Check, DEPENDENCIES_SCHEMA, Dependencies, Impact, Skipped, VALIDATION_SCHEMA, Validation,
};
use super::manifest::{
    Configuration, Counts, FailOn, Judged, Manifest, PrecisionCounts, RuleSummary, SCHEMA, Scope,
    SnapshotIdentity, Stage, Tool, Verdict, VerdictKind,
};
use super::{Bundle, Finding, dependency, gap, reach};
use crate::config::{self, Config};
use crate::model::{CheckStatus, Redacted, Severity, Standing};
use crate::pipeline::{self, DEPRECATED_USE, Fix, GraphFacts, Outcome, UnseenFile};
use crate::repo::{Head, HeadState};
use crate::structural::RuleSet;

/// What a bundle says beyond the outcome of its run.
pub struct Setting<'s> {
    pub tool: Tool,
    pub config: &'s Config,
    pub rules: &'s RuleSet,
    pub scope: Scope,
    pub fail_on: FailOn,
}

/// Makes the bundle of a run.
pub fn assemble(outcome: Outcome, setting: Setting<'_>) -> Bundle {
    let findings: Vec<Finding> = outcome.findings.iter().map(finding).collect();
    let dependencies = Dependencies {
        schema: DEPENDENCIES_SCHEMA.to_owned(),
        dependencies: dependency::all(&outcome.dependencies.dependencies, &outcome.dependencies.usages),
        changes: dependency::changes(&outcome.dependencies.changes),
        diagnostics: outcome.dependencies.dependencies.notes.clone(),
    };
    let impact = reach::document(outcome.impact.as_ref());
    let counts = counts(&outcome, &dependencies, &impact);
    let manifest = Manifest {
        schema: SCHEMA.to_owned(),
        tool: setting.tool,
        verdict: verdict(&outcome, &findings, setting.fail_on),
        snapshot: identity(&outcome),
        scope: Scope { searched_files: outcome.files.searched, ..setting.scope },
        configuration: Configuration {
            settings: config::digest(setting.config),
            rules: setting.rules.digest(),
        },
        stages: outcome
            .layers
            .iter()
            .map(|(layer, status)| Stage { layer: *layer, status: status.clone() })
            .collect(),
        rules: rules(setting.rules, &findings),
        notes: outcome.notes,
        counts,
        parts: Vec::new(),
        bundle_digest: None,
    };
    Bundle {
        manifest,
        findings,
        evidence: outcome.evidence,
        dependencies,
        impact,
        preview: outcome.preview,
        validation: Validation {
            schema: VALIDATION_SCHEMA.to_owned(),
            checks: outcome.checks.into_iter().map(check).collect(),
        },
        skipped: outcome.unseen.into_iter().map(skipped).collect(),
    }
}

fn finding(finding: &pipeline::Finding) -> Finding {
    let span = finding.place.span;
    Finding {
        rule: finding.rule.clone(),
        severity: finding.severity,
        status: finding.standing,
        message: finding.message.clone(),
        path: finding.place.path.clone(),
        start_line: span.start.line,
        start_column: span.start.column,
        end_line: span.end.line,
        end_column: span.end.column,
        fingerprint: finding.fingerprint.clone(),
        trust: finding.trust,
        provenance: finding.provenance,
        stale: finding.is_stale,
        evidence: finding.evidence.clone(),
        fix_available: finding.fix == Fix::Available,
        excerpt: finding.excerpt.clone(),
    }
}

fn verdict(outcome: &Outcome, findings: &[Finding], fail_on: FailOn) -> Verdict {
    let failing = findings.iter().filter(|it| fails(it, fail_on)).count() as u64;
    let failed_checks = outcome.checks.iter().filter(|it| it.status == CheckStatus::Failed).count() as u64;
    let gaps = gap::gaps(outcome);
    let kind = if !gaps.is_empty() {
        VerdictKind::Incomplete
    } else if failing > 0 || failed_checks > 0 {
        VerdictKind::Findings
    } else {
        VerdictKind::Clean
    };
    Verdict { outcome: kind, fail_on, failing, failed_checks, gaps }
}

fn fails(finding: &Finding, fail_on: FailOn) -> bool {
    match fail_on {
        FailOn::None => false,
        FailOn::Info => finding.severity >= Severity::Info,
        FailOn::Warning => finding.severity >= Severity::Warning,
        FailOn::Error => finding.severity >= Severity::Error,
        FailOn::New => finding.severity >= Severity::Info && finding.status == Standing::New,
    }
}

fn identity(outcome: &Outcome) -> SnapshotIdentity {
    let Head { commit, branch, state, .. } = &outcome.head;
    let git = match state {
        HeadState::Branch => "branch",
        HeadState::Detached => "detached",
        HeadState::Unborn => "unborn",
        HeadState::NoGit => "none",
        HeadState::Unavailable(_) => "unavailable",
    };
    SnapshotIdentity {
        git: git.to_owned(),
        commit: commit.map(|it| it.to_string()),
        branch: branch.clone(),
        tree: outcome.files.tree,
        files: outcome.files.count,
        bytes: outcome.files.bytes,
        languages: outcome.files.languages.clone(),
    }
}

fn rules(rules: &RuleSet, findings: &[Finding]) -> Vec<RuleSummary> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for finding in findings {
        *counts.entry(&finding.rule).or_default() += 1;
    }
    let mut summaries: Vec<RuleSummary> = Vec::new();
    for rule in rules.rules() {
        // One id may have a rule for each of several languages.
        if let Some(last) = summaries.last_mut().filter(|it| it.id == rule.id) {
            last.language = format!("{}, {}", last.language, rule.language.name());
            continue;
        }
        summaries.push(RuleSummary {
            id: rule.id.clone(),
            language: rule.language.name(),
            severity: rule.severity,
            note: rule.note.clone(),
            url: rule.url.clone(),
            has_fix: rule.fixer().is_some(),
            findings: counts.get(rule.id.as_str()).copied().unwrap_or(0),
        });
    }
    if let Some(of_program) = deprecated_use(findings, counts.get(DEPRECATED_USE).copied().unwrap_or(0)) {
        summaries.push(of_program);
        summaries.sort_by(|left, right| left.id.cmp(&right.id));
    }
    summaries
}

/// The rule that the program brings along, where it found something.
fn deprecated_use(findings: &[Finding], count: u64) -> Option<RuleSummary> {
    let first = findings.iter().find(|it| it.rule == DEPRECATED_USE)?;
    let note = "What the installed version of a package says is deprecated can be gone in its next one. The message has \
                what the package says to use instead.";
    Some(RuleSummary {
        id: DEPRECATED_USE.to_owned(),
        language: "any".to_owned(),
        severity: first.severity,
        note: Some(note.to_owned()),
        url: None,
        has_fix: false,
        findings: count,
    })
}

fn counts(outcome: &Outcome, dependencies: &Dependencies, impact: &Impact) -> Counts {
    let mut counts = Counts {
        symbols: outcome.graph.symbols,
        edges: outcome.graph.edges,
        tests: outcome.graph.tests,
        precision: precision(&outcome.graph),
        ..Counts::default()
    };
    for file in &outcome.unseen {
        *counts.skipped.entry(file.code.to_owned()).or_default() += 1;
    }
    for record in &outcome.evidence {
        *counts.evidence.entry(record.tier()).or_default() += 1;
        counts.stale += u64::from(record.is_stale());
        counts.superseded += record.superseded().len() as u64;
    }
    for finding in &outcome.findings {
        *counts.findings.entry(finding.severity).or_default() += 1;
        counts.new_findings += u64::from(finding.standing == Standing::New);
    }
    counts.suppressed_by_limit = outcome.findings_cut;
    counts.dependencies = dependencies.dependencies.len() as u64;
    counts.dependency_changes = dependencies.changes.len() as u64;
    counts.changed_symbols = impact.changed.len() as u64;
    counts.affected_symbols = impact.affected.len() as u64;
    counts.affected_tests = impact.tests.len() as u64;
    if let Some(preview) = &outcome.preview {
        counts.rewritten_files = preview.files.len() as u64;
        counts.rewritten_matches = preview.matches() as u64;
    }
    counts
}

fn precision(graph: &GraphFacts) -> Option<PrecisionCounts> {
    let guesses = graph.agreement.iter().map(|(resolution, it)| {
        (resolution.name().to_owned(), Judged { judged: it.judged, right: it.right })
    });
    let counts = PrecisionCounts { exact_edges: graph.exact_edges, guesses: guesses.collect() };
    (counts.exact_edges > 0 || !counts.guesses.is_empty()).then_some(counts)
}

fn skipped(file: UnseenFile) -> Skipped {
    Skipped { path: file.path, reason: file.code.to_owned(), detail: file.detail }
}

fn check(outcome: crate::validate::Outcome) -> Check {
    Check {
        name: outcome.name,
        status: outcome.status,
        argv: outcome.argv.into_iter().map(Redacted::new).collect(),
        message: outcome.message,
        output: outcome.output,
    }
}
