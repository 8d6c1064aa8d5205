//! The report for a terminal: findings with their source, then what else a reviewer wants to know, in few lines.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::ReportError;
use super::escape::{terminal as escaped, terminal_source};
use super::impact::{partner, risk};
use super::view::{scope, verdict};
use crate::bundle::{Bundle, Finding, Impact, Manifest, PrecisionCounts};
use crate::model::{Layer, LayerState, Note, Severity, Standing, counted};

/// Whether the terminal shows colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    Off,
    On,
}

/// Findings with their source; the rest is counted.
const FINDINGS: usize = 50;
const ROWS: usize = 10;
const NOTES: usize = 8;

pub fn plain(bundle: &Bundle) -> Result<Vec<u8>, ReportError> {
    Ok(terminal(bundle, Colours::Off).into_bytes())
}

/// The whole report.
pub fn terminal(bundle: &Bundle, colours: Colours) -> String {
    let mut page = Page { text: String::new() };
    let renderer = match colours {
        Colours::Off => Renderer::plain(),
        Colours::On => Renderer::styled(),
    };
    for finding in bundle.findings.iter().take(FINDINGS) {
        page.line(&renderer.render(&[group(finding)]));
        page.line("");
    }
    if let Some(more @ 1..) = bundle.findings.len().checked_sub(FINDINGS) {
        page.line(&format!(
            "{} more; see report.html or findings.jsonl in the bundle",
            counted(more as u64, "finding")
        ));
        page.line("");
    }
    page.fixes(bundle);
    page.impact(&bundle.manifest, &bundle.impact);
    page.rewrite(bundle);
    page.dependencies(bundle);
    page.limits(&bundle.manifest);
    let counts = &bundle.manifest.counts;
    let (symbols, edges) = (counted(counts.symbols, "symbol"), counted(counts.edges, "use"));
    page.line(&format!("index: {symbols}, {edges} between them, {}", counted(counts.tests, "test")));
    page.precision(counts.precision.as_ref());
    page.line(&scope(&bundle.manifest));
    page.line(&verdict(&bundle.manifest));
    page.text
}

fn group(finding: &Finding) -> Group<'_> {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
        Severity::Hint => Level::HELP,
    };
    let mut message = escaped(finding.message.as_str()).into_owned();
    if finding.status == Standing::New {
        message.push_str(" (new)");
    }
    let title = level.primary_title(message).id(escaped(&finding.rule).into_owned());
    let path = escaped(&finding.path.to_string()).into_owned();
    match snippet(finding) {
        Some((source, span)) => title.element(
            Snippet::source(source)
                .line_start(finding.start_line as usize)
                .path(path)
                .annotation(AnnotationKind::Primary.span(span)),
        ),
        None => title.element(
            Origin::path(path).line(finding.start_line as usize).char_column(finding.start_column as usize),
        ),
    }
}

/// The excerpt and the bytes of it that matched; none where the line was cut at its front.
fn snippet(finding: &Finding) -> Option<(String, std::ops::Range<usize>)> {
    let excerpt = &finding.excerpt;
    if excerpt.first_column != 1 || excerpt.lines.is_empty() {
        return None;
    }
    let lines: Vec<_> = excerpt.lines.iter().map(|it| terminal_source(it.as_str())).collect();
    let shown_bytes = |line: usize, column: u32| -> Option<usize> {
        let raw = excerpt.lines.get(line)?.as_str();
        let prefix: String = raw.chars().take(column as usize - 1).collect();
        Some(terminal_source(&prefix).len())
    };
    let before = |line: usize| lines.iter().take(line).map(|it| it.len() + 1).sum::<usize>();
    let start = shown_bytes(0, finding.start_column)?;
    let last = (finding.end_line - finding.start_line) as usize;
    let end = if last < lines.len() {
        before(last) + shown_bytes(last, finding.end_column)?
    } else {
        before(lines.len()).saturating_sub(1)
    };
    let source = lines.join("\n");
    let end = end.min(source.len());
    (start <= end).then_some((source, start..end))
}

struct Page {
    text: String,
}

impl Page {
    fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("because writing to a String does not fail");
    }

    fn list(&mut self, total: usize, rows: impl Iterator<Item = String>) {
        for row in rows.take(ROWS) {
            self.line(&format!("  {}", escaped(&row)));
        }
        if let Some(more @ 1..) = total.checked_sub(ROWS) {
            self.line(&format!("  and {more} more"));
        }
    }

    /// What a preview would be good for, where none was made.
    fn fixes(&mut self, bundle: &Bundle) {
        let count = bundle.findings.iter().filter(|it| it.fix_available).count() as u64;
        if count == 0 || bundle.preview.is_some() {
            return;
        }
        let have = if count == 1 { "has" } else { "have" };
        let findings = counted(count, "finding");
        self.line(&format!("{findings} {have} a fix; see what it would change with --preview"));
    }

    fn impact(&mut self, manifest: &Manifest, impact: &Impact) {
        if manifest.scope.base.is_none() {
            return;
        }
        let (changed, affected) = (impact.changed.len() as u64, impact.affected.len() as u64);
        self.line(&format!(
            "impact: {} changed, {} affected, {} reached",
            counted(changed, "symbol"),
            counted(affected, "symbol"),
            counted(impact.tests.len() as u64, "test"),
        ));
        let symbols = impact.changed.iter();
        self.list(
            impact.changed.len(),
            symbols.map(|it| format!("{} {} at {}:{}", it.change.name(), it.symbol, it.path, it.start_line)),
        );
        if !impact.tests.is_empty() {
            self.line("tests to run first:");
            let tests = impact.tests.iter();
            self.list(
                impact.tests.len(),
                tests.map(|it| match &it.name {
                    Some(name) => format!("{}::{name} ({})", it.path, it.trust.name()),
                    None => format!("{} ({})", it.path, it.trust.name()),
                }),
            );
        }
        if !impact.partners.is_empty() {
            self.line("mostly changed too, and not here:");
            self.list(impact.partners.len(), impact.partners.iter().map(partner));
        }
        for line in impact.risk.iter().flat_map(risk) {
            self.line(&line);
        }
        self.notes("cannot see", &impact.blind_spots);
    }

    fn rewrite(&mut self, bundle: &Bundle) {
        let Some(preview) = &bundle.preview else { return };
        let files = counted(preview.files.len() as u64, "file");
        self.line(&format!(
            "rewrite preview {}: {} in {files}",
            preview.id,
            counted(preview.matches() as u64, "match")
        ));
        if let (Some(reach), Some(risk)) = (&preview.impact, &preview.risk) {
            let changed = counted(reach.changed.len() as u64, "symbol");
            let users = counted(reach.affected as u64, "other");
            let tests = counted(reach.tests.len() as u64, "test");
            self.line(&format!(
                "  it would change {changed}, used by {users} and reached by {tests}; risk {:.1} of 100",
                risk.score
            ));
        }
        for warning in preview.warnings.iter().take(NOTES) {
            let place = format!("{}:{}", warning.path, warning.line);
            self.line(&format!("  {}: {}: {}", warning.code, escaped(&place), escaped(&warning.message)));
        }
        for skip in preview.skipped.iter().take(NOTES) {
            self.line(&format!("  left alone: {}: {}", escaped(&skip.path.to_string()), skip.reason));
        }
        for check in &bundle.validation.checks {
            self.line(&format!(
                "check {}: {}: {}",
                escaped(&check.name),
                check.status.name(),
                escaped(check.message.as_str())
            ));
        }
    }

    fn dependencies(&mut self, bundle: &Bundle) {
        let dependencies = &bundle.dependencies;
        if dependencies.dependencies.is_empty() {
            return;
        }
        let direct = dependencies.dependencies.iter().filter(|it| !it.declared.is_empty()).count();
        let total = dependencies.dependencies.len();
        self.line(&format!("dependencies: {direct} declared, {total} in all"));
        self.list(
            dependencies.changes.len(),
            dependencies.changes.iter().map(|it| {
                let (before, after) =
                    (it.before.as_deref().unwrap_or("none"), it.after.as_deref().unwrap_or("none"));
                let distance = it.distance.as_ref().map(|it| format!(" ({it})")).unwrap_or_default();
                format!("{} {} {before} -> {after}{distance}", it.change, it.name)
            }),
        );
    }

    /// What an index did for the uses, and what it says of the guesses beside it.
    fn precision(&mut self, counts: Option<&PrecisionCounts>) {
        let Some(counts) = counts else { return };
        let judged: u64 = counts.guesses.values().map(|it| it.judged).sum();
        let right: u64 = counts.guesses.values().map(|it| it.right).sum();
        let share = right.saturating_mul(1_000).checked_div(judged);
        let guesses = share.map_or_else(String::new, |share| {
            format!("; names alone get {}.{} % of {judged} right", share / 10, share % 10)
        });
        self.line(&format!(
            "precision: {} resolved by the index{guesses}",
            counted(counts.exact_edges, "use")
        ));
    }

    /// What a reader must know before calling anything clean.
    fn limits(&mut self, manifest: &Manifest) {
        for stage in &manifest.stages {
            match &stage.status {
                LayerState::Unavailable { reason } | LayerState::Stale { reason } => {
                    self.line(&format!(
                        "{}: {}: {}",
                        stage.layer.name(),
                        stage.status.name(),
                        escaped(&reason.message)
                    ));
                }
                LayerState::Disabled { reason } if stage.layer == Layer::Structural => {
                    self.line(&format!("{}: {}", stage.layer.name(), escaped(&reason.message)));
                }
                LayerState::Available | LayerState::Disabled { .. } => {}
            }
        }
        if !manifest.counts.skipped.is_empty() {
            let reasons = manifest.counts.skipped.iter().map(|(reason, count)| format!("{count} {reason}"));
            self.line(&format!("not looked at: {}", reasons.collect::<Vec<_>>().join(", ")));
        }
        self.notes("note", &manifest.notes);
    }

    /// One line for each code: a note that stands at a hundred files is one thing to know.
    fn notes(&mut self, label: &str, notes: &[Note]) {
        let mut groups: BTreeMap<&str, Vec<&Note>> = BTreeMap::new();
        for note in notes {
            groups.entry(&note.code).or_default().push(note);
        }
        for group in groups.values() {
            if let Some(first) = group.first() {
                self.note(label, first);
            }
            if group.len() > 1 {
                self.line(&format!("  and {} of this kind", counted(group.len() as u64 - 1, "more note")));
            }
        }
    }

    fn note(&mut self, label: &str, note: &Note) {
        let place = match (&note.path, note.line, note.column) {
            (Some(path), Some(line), Some(column)) => format!("{path}:{line}:{column}: "),
            (Some(path), Some(line), None) => format!("{path}:{line}: "),
            (Some(path), None, _) => format!("{path}: "),
            (None, _, _) => String::new(),
        };
        self.line(&format!("{label}: {}{} [{}]", escaped(&place), escaped(&note.message), note.code));
    }
}
