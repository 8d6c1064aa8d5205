//! The valid settings, their defaults and their bounds.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use serde_json::Value;

use crate::model::{Digest, RepoPath, Severity};

/// The settings of one project, all in range.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(title = "CodeCortex configuration", description = "The file `.codecortex/config.json`.")]
pub struct Config {
    pub precision_index: PrecisionIndex,
    pub dependency_docs: DependencyDocs,
    pub structural: Structural,
    pub rules: Rules,
    pub validation: Validation,
    pub limits: Limits,
    /// Where each key that a file has set stands.
    #[serde(skip)]
    pub(super) origins: BTreeMap<String, Origin>,
}

/// Precision code intelligence: a compiler- or indexer-produced index.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PrecisionIndex {
    /// Whether an index is used when there is one.
    pub enabled: bool,
    /// The index file, relative to the repository root. Null looks at `.codecortex/precision/index.cortexidx`,
    /// `index.cortexidx`, `.codecortex/index.cortexidx` and `build/index.cortexidx`, in this order, and in each of these
    /// folders at `index.scip` as well.
    pub path: Option<RepoPath>,
    /// Whether a scan of the working tree runs `generator_command` first when the index is missing or stale.
    pub auto_generate: bool,
    /// The program that writes the index, with its arguments, for `cortex index`. No shell reads them. It runs in the
    /// root of the repository, and `{output}` in an argument stands for the path that it must write to.
    pub generator_command: Vec<String>,
}

/// Documentation of dependencies from a remote provider.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DependencyDocs {
    /// Whether the provider may be asked. The only setting that lets anything leave the machine.
    pub enabled: bool,
    /// The environment variable that holds the API key.
    #[schemars(regex(pattern = r"^[A-Za-z_][A-Za-z0-9_]{0,127}$"))]
    pub api_key_env: String,
    /// How long an answer stays fresh, in seconds.
    #[schemars(range(max = YEAR_SECONDS))]
    pub cache_ttl_seconds: u64,
    /// Whether an outdated answer, marked as such, may be served while the provider cannot be reached.
    pub serve_stale_when_offline: bool,
}

/// Structural search and rewriting.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Structural {
    /// Whether structural rules are matched.
    pub enabled: bool,
    /// An external engine. Null uses the built-in one.
    pub command: Option<String>,
    /// The most files that one rewrite may change.
    #[schemars(range(min = 1, max = MOST))]
    pub max_rewrite_files: u64,
    /// The most matches that one rewrite may replace.
    #[schemars(range(min = 1, max = MOST))]
    pub max_rewrite_matches: u64,
    /// The most bytes that one rewrite may change.
    #[schemars(range(min = 1, max = MOST_BYTES))]
    pub max_rewrite_bytes: u64,
    /// How long a preview can be applied, in seconds.
    #[schemars(range(min = 1, max = YEAR_SECONDS))]
    pub preview_ttl_seconds: u64,
    /// Whether a preview may be applied at all.
    pub allow_apply: bool,
}

/// The project's own rules.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Folders of rule files, relative to the repository root.
    pub paths: Vec<RepoPath>,
    /// The severity of a rule by its id, in place of the one that the rule states.
    pub severity: BTreeMap<String, Level>,
    /// Files in which no rule is matched, in the patterns of `.gitignore`.
    pub ignores: Vec<String>,
}

/// What a project makes of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The rule is not matched.
    Off,
    Hint,
    Info,
    Warning,
    Error,
}

/// The checks that judge a change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Validation {
    /// In the order in which they run.
    pub commands: Vec<Check>,
}

/// One check: a program that exits with 0 when all is well.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Unlike that of every other check.
    #[schemars(length(min = 1, max = 100))]
    pub name: String,
    /// The program and its arguments. No shell reads them.
    #[schemars(length(min = 1, max = 1000))]
    pub argv: Vec<String>,
    /// How long it may run, in seconds.
    #[serde(default = "Check::timeout")]
    #[schemars(range(min = 1, max = DAY_SECONDS))]
    pub timeout_seconds: u64,
    /// It runs only when a changed file matches one of these, in the patterns of `.gitignore`; always when empty.
    #[serde(default)]
    pub paths: Vec<String>,
}

/// Bounds of a scan.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// The size above which a file is listed but not read, in bytes.
    #[schemars(range(min = 1, max = MOST_BYTES))]
    pub max_file_bytes: u64,
    /// The most files of one scan. Null is no bound.
    #[schemars(range(min = 1, max = MOST))]
    pub max_files: Option<u64>,
    /// How long the parse of one file may take, in milliseconds.
    #[schemars(range(min = 1, max = MINUTE_MILLISECONDS))]
    pub parse_timeout_ms: u64,
    /// The most matches of one rule that are kept.
    #[schemars(range(min = 1, max = MOST))]
    pub max_matches_per_rule: u64,
    /// The most findings of one scan that are kept.
    #[schemars(range(min = 1, max = MOST))]
    pub max_findings: u64,
}

/// Who chose a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Default,
    /// The configuration file, at this one-based place.
    File {
        line: u32,
        column: u32,
    },
}

/// One setting, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Section and key, with a dot between.
    pub key: String,
    /// The value in force, as JSON.
    pub value: String,
    pub origin: Origin,
}

/// The most of anything that is counted: far above any real need, low enough that sums do not overflow.
pub const MOST: u64 = 10_000_000;
/// The most bytes of anything: 1 GiB.
pub const MOST_BYTES: u64 = 1 << 30;
pub const MINUTE_MILLISECONDS: u64 = 60_000;
pub const DAY_SECONDS: u64 = 86_400;
pub const YEAR_SECONDS: u64 = 366 * DAY_SECONDS;

impl Config {
    /// Every setting in order of section and key.
    pub fn entries(&self) -> Vec<Entry> {
        let Value::Object(sections) = tree(self) else { return Vec::new() };
        let mut entries = Vec::new();
        for (section, keys) in sections {
            let Value::Object(keys) = keys else { continue };
            for (key, value) in keys {
                let key = format!("{section}.{key}");
                let origin = self.origins.get(&key).copied().unwrap_or(Origin::Default);
                entries.push(Entry { key, value: value.to_string(), origin });
            }
        }
        entries.sort_by(|left, right| left.key.cmp(&right.key));
        entries
    }
}

/// The digest of the values in force, wherever they come from.
pub fn digest(config: &Config) -> Digest {
    Digest::of_document(config).expect("because the settings are text, numbers and booleans under text keys")
}

/// The JSON Schema of the file.
pub fn schema() -> Schema {
    schema_for!(Config)
}

fn tree(config: &Config) -> Value {
    serde_json::to_value(config).expect("because the settings are text, numbers and booleans under text keys")
}

impl Check {
    /// The seconds that a check may run when it does not say.
    pub const fn timeout() -> u64 {
        600
    }
}

impl Level {
    pub const ALL: [Self; 5] = [Self::Off, Self::Hint, Self::Info, Self::Warning, Self::Error];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Hint => Severity::Hint.name(),
            Self::Info => Severity::Info.name(),
            Self::Warning => Severity::Warning.name(),
            Self::Error => Severity::Error.name(),
        }
    }

    /// None when the rule is off.
    pub const fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Hint => Some(Severity::Hint),
            Self::Info => Some(Severity::Info),
            Self::Warning => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
        }
    }
}

impl Default for PrecisionIndex {
    fn default() -> Self {
        Self { enabled: true, path: None, auto_generate: false, generator_command: Vec::new() }
    }
}

impl Default for DependencyDocs {
    fn default() -> Self {
        Self {
            enabled: false,
            api_key_env: "CODECORTEX_DEPENDENCY_DOCS_API_KEY".to_owned(),
            cache_ttl_seconds: DAY_SECONDS,
            serve_stale_when_offline: true,
        }
    }
}

impl Default for Structural {
    fn default() -> Self {
        Self {
            enabled: true,
            command: None,
            max_rewrite_files: 50,
            max_rewrite_matches: 500,
            max_rewrite_bytes: 1 << 20,
            preview_ttl_seconds: 1_800,
            allow_apply: true,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_file_bytes: 1 << 20,
            max_files: None,
            parse_timeout_ms: 2_000,
            max_matches_per_rule: 10_000,
            max_findings: 50_000,
        }
    }
}
