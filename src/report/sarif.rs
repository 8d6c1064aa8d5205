//! SARIF 2.1.0, for code scanning.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{ReportError, escape};
use crate::bundle::{Bundle, Finding, Manifest, RuleSummary};
use crate::model::{EvidenceId, Method, Severity, Standing, Tier, counted};

/// What GitHub takes of one run; beyond it the file is refused as a whole.
const MAX_RESULTS: usize = 25_000;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Log<'b> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'b>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'b> {
    tool: Tool<'b>,
    automation_details: Id,
    column_kind: &'static str,
    original_uri_base_ids: BTreeMap<&'static str, UriBase>,
    invocations: [Invocation; 1],
    results: Vec<Entry<'b>>,
}

#[derive(Serialize)]
struct Tool<'b> {
    driver: Driver<'b>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'b> {
    name: &'b str,
    full_name: String,
    semantic_version: &'b str,
    information_uri: &'static str,
    rules: Vec<Rule<'b>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule<'b> {
    id: &'b str,
    /// Left out where it says the same as the id.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    short_description: Text,
    full_description: Text,
    help: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    help_uri: Option<&'b str>,
    default_configuration: Level,
    properties: RuleProperties<'b>,
}

#[derive(Serialize)]
struct RuleProperties<'b> {
    tags: Vec<&'b str>,
    precision: &'static str,
}

#[derive(Serialize)]
struct Level {
    level: &'static str,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
struct Id {
    id: &'static str,
}

#[derive(Serialize)]
struct UriBase {
    description: Text,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Text,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'b> {
    rule_id: &'b str,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: [Location; 1],
    partial_fingerprints: BTreeMap<&'static str, &'b str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline_state: Option<&'static str>,
    properties: ResultProperties<'b>,
}

#[derive(Serialize)]
struct ResultProperties<'b> {
    trust: Tier,
    provenance: Method,
    stale: bool,
    evidence: Vec<&'b str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    uri_base_id: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    snippet: Option<Text>,
}

const ROOT: &str = "SRCROOT";
const HOME: &str = "https://github.com/codecortex/codecortex";

pub fn render(bundle: &Bundle) -> Result<Vec<u8>, ReportError> {
    let manifest = &bundle.manifest;
    let numbers: BTreeMap<&str, usize> =
        manifest.rules.iter().enumerate().map(|(at, it)| (it.id.as_str(), at)).collect();
    let shown = bundle.findings.iter().take(MAX_RESULTS);
    let results = shown.map(|it| result(it, numbers.get(it.rule.as_str()).copied().unwrap_or(0))).collect();
    let base = UriBase { description: text("the root of the repository".to_owned()) };
    let run = Run {
        tool: Tool { driver: driver(manifest) },
        automation_details: Id { id: "cortex-scan/default/" },
        column_kind: "unicodeCodePoints",
        original_uri_base_ids: BTreeMap::from([(ROOT, base)]),
        invocations: [Invocation {
            execution_successful: true,
            tool_execution_notifications: notifications(bundle),
        }],
        results,
    };
    let log = Log { schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] };
    let mut json = serde_json::to_string(&log)?;
    json.push('\n');
    Ok(escape::json(&json).into_owned().into_bytes())
}

fn driver(manifest: &Manifest) -> Driver<'_> {
    Driver {
        name: &manifest.tool.name,
        full_name: format!("{} {}", manifest.tool.name, manifest.tool.version),
        semantic_version: &manifest.tool.version,
        information_uri: HOME,
        rules: manifest.rules.iter().map(rule).collect(),
    }
}

fn rule(rule: &RuleSummary) -> Rule<'_> {
    let note = rule.note.clone().unwrap_or_else(|| format!("A match of the rule {}.", rule.id));
    let first = note.lines().next().unwrap_or_default();
    Rule {
        id: &rule.id,
        name: Some(pascal_case(&rule.id)).filter(|it| !it.eq_ignore_ascii_case(&rule.id)),
        short_description: text(sentence(first)),
        full_description: text(sentence(&note)),
        help: text(sentence(&note)),
        help_uri: rule.url.as_deref(),
        default_configuration: Level { level: level(rule.severity) },
        properties: RuleProperties { tags: vec![&rule.language], precision: "high" },
    }
}

fn result(finding: &Finding, rule_index: usize) -> Entry<'_> {
    let snippet = finding.excerpt.lines.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    Entry {
        rule_id: &finding.rule,
        rule_index,
        level: level(finding.severity),
        message: text(sentence(finding.message.as_str())),
        locations: [Location {
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation {
                    uri: escape::uri_path(finding.path.as_bytes()),
                    uri_base_id: ROOT,
                },
                region: Region {
                    start_line: finding.start_line,
                    start_column: finding.start_column,
                    end_line: finding.end_line,
                    end_column: finding.end_column,
                    snippet: Some(text(snippet)).filter(|it| !it.text.is_empty()),
                },
            },
        }],
        partial_fingerprints: BTreeMap::from([("codecortex/v1", finding.fingerprint.as_str())]),
        baseline_state: match finding.status {
            Standing::New => Some("new"),
            Standing::Existing => Some("unchanged"),
            Standing::Unknown => None,
        },
        properties: ResultProperties {
            trust: finding.trust,
            provenance: finding.provenance,
            stale: finding.stale,
            evidence: finding.evidence.iter().map(EvidenceId::as_str).collect(),
        },
    }
}

fn notifications(bundle: &Bundle) -> Vec<Notification> {
    let cut = bundle.findings.len().saturating_sub(MAX_RESULTS);
    let mut found = Vec::new();
    if cut > 0 {
        let message = format!("findings.jsonl of the bundle holds {}.", counted(cut as u64, "more finding"));
        found.push(Notification { level: "warning", message: text(message) });
    }
    found
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint => "note",
    }
}

const fn text(text: String) -> Text {
    Text { text }
}

/// The validators of code scanning want a full stop.
fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

/// `no-old-api` as `NoOldApi`, the shape that code scanning wants of a rule's name.
fn pascal_case(id: &str) -> String {
    let words = id.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    words
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or_else(String::new, |it| it.to_uppercase().chain(letters).collect())
        })
        .collect()
}
