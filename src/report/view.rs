//! What the Markdown and the HTML report both show: a bundle in the order in which people read it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::bundle::{
    Bundle, Check, DependencyChange, Finding, Impact, Manifest, Skipped, Verdict, VerdictKind,
};
use crate::model::{Evidence, Layer, LayerState, Redacted, Severity, Tier, counted, plural};
use crate::rewrite::{FilePreview, Preview};

/// A report's content, cut to what a person can take in; the totals are always exact.
#[derive(Serialize)]
pub struct View<'b> {
    pub manifest: &'b Manifest,
    /// One sentence.
    pub verdict: String,
    pub scope: String,
    pub findings: Vec<&'b Finding>,
    pub findings_total: usize,
    pub tiles: Vec<Tile>,
    /// Severity and count, most severe first, without empty ones.
    pub severities: Vec<(&'static str, u64)>,
    /// Tier, count and share of the largest in percent, strongest first.
    pub tiers: Vec<TierBar>,
    pub evidence_total: usize,
    pub unseen: Vec<Unseen>,
    pub impact: &'b Impact,
    pub affected_files: Vec<AffectedFile>,
    pub dependencies: Vec<DependencyRow>,
    pub dependency_changes: &'b [DependencyChange],
    pub preview: Option<&'b Preview>,
    pub diffs: Vec<Diff>,
    pub checks: &'b [Check],
    pub conflicts: Vec<ConflictRow>,
}

/// One number of a run; none where the layer that would know it took no part.
#[derive(Serialize)]
pub struct Tile {
    pub count: Option<u64>,
    pub label: String,
}

#[derive(Serialize)]
pub struct TierBar {
    pub name: &'static str,
    pub count: u64,
    pub percent: u64,
}

/// Files that were not looked at for one reason.
#[derive(Serialize)]
pub struct Unseen {
    pub reason: String,
    pub count: u64,
    pub examples: Vec<String>,
}

#[derive(Serialize)]
pub struct AffectedFile {
    pub path: String,
    pub symbols: usize,
    pub nearest: u32,
}

/// A direct dependency in one line.
#[derive(Serialize)]
pub struct DependencyRow {
    pub ecosystem: String,
    pub name: String,
    pub constraints: Vec<String>,
    pub versions: Vec<String>,
    pub place: String,
}

/// The rewrite of one file. A preview holds the text itself, a report holds it with credentials masked.
#[derive(Serialize)]
pub struct Diff {
    pub path: String,
    pub matches: usize,
    pub lines: Vec<String>,
}

/// A record that replaced weaker ones.
#[derive(Serialize)]
pub struct ConflictRow {
    pub place: String,
    pub kept: String,
    pub weaker: Vec<String>,
}

/// How much of each list one report shows.
#[derive(Clone, Copy)]
pub struct Limits {
    pub findings: usize,
    pub rows: usize,
}

const EXAMPLES: usize = 5;

impl<'b> View<'b> {
    pub fn new(bundle: &'b Bundle, limits: Limits) -> Self {
        let manifest = &bundle.manifest;
        let mut findings: Vec<&Finding> = bundle.findings.iter().collect();
        findings.sort_by_key(|it| (it.status, std::cmp::Reverse(it.severity)));
        findings.truncate(limits.findings);
        let direct = bundle.dependencies.dependencies.iter().filter(|it| !it.declared.is_empty());
        Self {
            verdict: verdict(manifest),
            scope: scope(manifest),
            findings,
            findings_total: bundle.findings.len(),
            tiles: tiles(bundle),
            severities: severities(manifest),
            tiers: tiers(manifest),
            evidence_total: bundle.evidence.len(),
            unseen: unseen(manifest, &bundle.skipped),
            impact: &bundle.impact,
            affected_files: affected_files(&bundle.impact, limits.rows),
            dependencies: direct.take(limits.rows).map(dependency).collect(),
            dependency_changes: &bundle.dependencies.changes,
            preview: bundle.preview.as_ref(),
            diffs: bundle.preview.iter().flat_map(|it| &it.files).take(limits.rows).map(diff).collect(),
            checks: &bundle.validation.checks,
            conflicts: bundle
                .evidence
                .iter()
                .filter(|it| !it.superseded().is_empty())
                .take(limits.rows)
                .map(conflict)
                .collect(),
            manifest,
        }
    }
}

/// The verdict in one sentence.
pub fn verdict(manifest: &Manifest) -> String {
    let Verdict { outcome, failing, failed_checks, gaps, .. } = &manifest.verdict;
    let total: u64 = manifest.counts.findings.values().sum();
    match outcome {
        VerdictKind::Clean if manifest.rules.is_empty() => "No findings, as no rule ran.".to_owned(),
        VerdictKind::Clean if total == 0 => "Clean: no findings.".to_owned(),
        VerdictKind::Clean => format!("Clean: none of {} fails the run.", counted(total, "finding")),
        VerdictKind::Findings if *failing == 0 => {
            format!("{} of the rewrite failed.", counted(*failed_checks, "check"))
        }
        VerdictKind::Findings => {
            let verb = if *failing == 1 { "fails" } else { "fail" };
            format!("{} of {total} {verb} the run.", counted(*failing, "finding"))
        }
        VerdictKind::Incomplete => format!("Incomplete: {}.", gaps.join("; ").trim_end_matches('.')),
    }
}

/// What was looked at, in one sentence.
pub fn scope(manifest: &Manifest) -> String {
    let files = counted(manifest.snapshot.files, "file");
    let searched = manifest.scope.searched_files;
    let base = manifest.scope.base.as_ref();
    let text = match base {
        Some(base) => {
            let base = short(&base.commit);
            format!("{files} indexed; of those that differ from {base}, {searched} searched")
        }
        None => format!("{files} indexed, {searched} searched"),
    };
    match &manifest.scope.path {
        Some(path) => format!("{text}, below {path}"),
        None => text,
    }
}

fn short(commit: &str) -> String {
    commit.chars().take(12).collect()
}

fn tiles(bundle: &Bundle) -> Vec<Tile> {
    let manifest = &bundle.manifest;
    let impact = &bundle.impact;
    let known = |layer: Layer| {
        let stage = manifest.stages.iter().find(|it| it.layer == layer);
        stage.is_some_and(|it| matches!(it.status, LayerState::Available | LayerState::Stale { .. }))
    };
    let tile = |layer: Layer, count: usize, noun: &str, more: &str| {
        if known(layer) {
            let label = format!("{}{more}", plural(count as u64, noun));
            Tile { count: Some(count as u64), label }
        } else {
            Tile { count: None, label: format!("{}{more}: not known", plural(0, noun)) }
        }
    };
    let new = usize::try_from(manifest.counts.new_findings).unwrap_or(usize::MAX);
    let against_base = [
        tile(Layer::Structural, new, "new finding", " against the base"),
        tile(Layer::Impact, impact.changed.len(), "symbol", " changed"),
        tile(Layer::Impact, impact.affected.len(), "symbol", " affected"),
        tile(Layer::Impact, impact.tests.len(), "test", " reached"),
    ];
    let files = manifest.snapshot.files;
    let mut tiles = vec![tile(Layer::Structural, bundle.findings.len(), "finding", "")];
    tiles.extend(against_base.into_iter().filter(|_| manifest.scope.base.is_some()));
    tiles.push(tile(Layer::Dependencies, bundle.dependencies.dependencies.len(), "dependency", ""));
    tiles.push(Tile { count: Some(files), label: plural(files, "file") });
    tiles
}

fn severities(manifest: &Manifest) -> Vec<(&'static str, u64)> {
    let count = |it: &Severity| manifest.counts.findings.get(it).copied().unwrap_or(0);
    Severity::ALL.iter().rev().map(|it| (it.name(), count(it))).filter(|(_, count)| *count > 0).collect()
}

fn tiers(manifest: &Manifest) -> Vec<TierBar> {
    let count = |it: Tier| manifest.counts.evidence.get(&it).copied().unwrap_or(0);
    let most = Tier::ALL.iter().map(|it| count(*it)).max().unwrap_or(0).max(1);
    let bar = |it: &Tier| TierBar { name: it.name(), count: count(*it), percent: count(*it) * 100 / most };
    Tier::ALL.iter().rev().map(bar).collect()
}

fn unseen(manifest: &Manifest, skipped: &[Skipped]) -> Vec<Unseen> {
    let mut examples: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for file in skipped {
        let list = examples.entry(&file.reason).or_default();
        if list.len() < EXAMPLES {
            list.push(file.path.to_string());
        }
    }
    let reasons = manifest.counts.skipped.iter();
    reasons
        .map(|(reason, count)| Unseen {
            reason: reason.clone(),
            count: *count,
            examples: examples.remove(reason.as_str()).unwrap_or_default(),
        })
        .collect()
}

fn affected_files(impact: &Impact, rows: usize) -> Vec<AffectedFile> {
    let mut files: BTreeMap<String, (usize, u32)> = BTreeMap::new();
    for symbol in &impact.affected {
        let (symbols, nearest) = files.entry(symbol.path.to_string()).or_insert((0, u32::MAX));
        *symbols += 1;
        *nearest = (*nearest).min(symbol.distance);
    }
    let rows_of = files.into_iter().map(|(path, (symbols, nearest))| AffectedFile { path, symbols, nearest });
    let mut found: Vec<AffectedFile> = rows_of.collect();
    found.sort_by(|left, right| (left.nearest, &left.path).cmp(&(right.nearest, &right.path)));
    found.truncate(rows);
    found
}

fn dependency(dependency: &crate::bundle::Dependency) -> DependencyRow {
    let mut constraints: Vec<String> =
        dependency.declared.iter().filter_map(|it| it.constraint.clone()).collect();
    let mut versions: Vec<String> = dependency.resolved.iter().map(|it| it.version.clone()).collect();
    for list in [&mut constraints, &mut versions] {
        list.sort();
        list.dedup();
    }
    let place = dependency.declared.first().map(|it| format!("{}:{}", it.path, it.line)).unwrap_or_default();
    DependencyRow {
        ecosystem: dependency.ecosystem.clone(),
        name: dependency.name.clone(),
        constraints,
        versions,
        place,
    }
}

fn diff(file: &FilePreview) -> Diff {
    let masked = Redacted::new(file.diff.as_str());
    Diff {
        path: file.path.to_string(),
        matches: file.matches.len(),
        lines: masked.as_str().lines().map(str::to_owned).collect(),
    }
}

fn conflict(record: &Evidence) -> ConflictRow {
    let said = |it: &Evidence| format!("{} ({}): {}", it.tier().name(), it.method().name(), it.message);
    ConflictRow {
        place: format!("{}:{}", record.place.path, record.place.span.start),
        kept: said(record),
        weaker: record.superseded().iter().map(said).collect(),
    }
}
