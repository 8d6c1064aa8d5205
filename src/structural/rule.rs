//! One rule: ast-grep's own YAML, read and checked.

use std::collections::BTreeSet;
use std::fmt;

use ast_grep_config::{
    DeserializeEnv, Fixer, GlobalRules, RuleConfig, RuleConfigError, SerializableGlobalRule,
    SerializableRuleConfig,
};
use ast_grep_core::{Language as _, Matcher as _};
use ast_grep_language::SupportLang;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde_json::Value;

use super::needs::Needs;
use super::pattern;
use super::problem::Problem;
use crate::model::{Digest, Note, RepoPath, Severity};
use crate::syntax::Language;

/// Where a rule was read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The file as its reader knows it, or the option that gave the rule.
    pub label: String,
    /// The one-based line at which the rule's document starts or the problem stands.
    pub line: usize,
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.label, self.line)
    }
}

/// A rule given on the command line.
#[derive(Clone, Debug)]
pub struct Inline {
    pub pattern: String,
    pub language: Language,
    pub rewrite: Option<String>,
}

/// A checked rule.
pub struct Rule {
    pub id: String,
    pub severity: Severity,
    pub language: Language,
    /// More than the message, for `explain`.
    pub note: Option<String>,
    pub url: Option<String>,
    pub origin: Origin,
    /// Over the rule's own text.
    pub digest: Digest,
    pub(super) config: RuleConfig<SupportLang>,
    pub(super) needs: Needs,
    files: Option<GlobSet>,
    ignores: Option<GlobSet>,
}

/// Rule objects nest at most this deep: readers of rules recurse.
const MAX_RULE_DEPTH: usize = 64;

impl Rule {
    /// A word on a rule that most likely does not mean what it says.
    pub fn doubt(&self) -> Option<Note> {
        let conversion = self.language.engine().kind_to_id("type_conversion_expression");
        let kinds = self.config.matcher.potential_kinds()?;
        let is_conversion = conversion != 0 && kinds.count() == 1 && kinds.contains(usize::from(conversion));
        let message = format!(
            "the rule `{}` ({}) stands for type conversions and finds no calls; give its pattern a `context` and the \
             `selector: call_expression`",
            self.id, self.origin
        );
        is_conversion.then(|| Note::new("pattern_in_doubt", message))
    }

    /// The rule's fix, when it has one.
    pub fn fixer(&self) -> Option<&Fixer> {
        self.config.fixer.first()
    }

    /// What to say about a match when the message holds no metavariables.
    pub(super) fn message(&self) -> &str {
        if self.config.message.is_empty() { &self.id } else { &self.config.message }
    }

    /// Whether the rule's own `files` and `ignores` let it look at a file.
    pub(super) fn applies_to(&self, path: &RepoPath) -> bool {
        let path = path.as_path();
        !self.ignores.as_ref().is_some_and(|it| it.is_match(path))
            && self.files.as_ref().is_none_or(|it| it.is_match(path))
    }
}

/// The utility rules that every rule may name.
///
/// # Errors
/// When one is not a utility rule or they refer to each other in a circle.
pub fn utilities(documents: &[(Origin, String)]) -> Result<GlobalRules, Problem> {
    let mut rules = Vec::new();
    for (origin, text) in documents {
        let problem = |message: String| Problem { origin: origin.clone(), rule: None, message };
        let parsed: Vec<SerializableGlobalRule<SupportLang>> =
            ast_grep_config::from_multiple(text).map_err(|it| problem(it.to_string()))?;
        rules.extend(parsed);
    }
    let first = documents.first().map_or_else(|| Origin { label: String::new(), line: 1 }, |it| it.0.clone());
    DeserializeEnv::parse_global_utils(rules).map_err(|it| Problem {
        origin: first,
        rule: None,
        message: chain(&it),
    })
}

/// Reads the rules of one file, each document on its own, so that one bad rule does not hide another.
pub fn read(label: &str, text: &str, utilities: &GlobalRules) -> (Vec<Rule>, Vec<Problem>) {
    let mut rules = Vec::new();
    let mut problems = Vec::new();
    for (line, document) in documents(text) {
        match read_document(Origin { label: label.to_owned(), line }, document, utilities) {
            Ok(rule) => rules.extend(rule),
            Err(problem) => problems.push(problem),
        }
    }
    (rules, problems)
}

/// The rule that `--pattern`, `--language` and `--rewrite` give.
///
/// # Errors
/// When the pattern or the rewrite is not sound.
pub fn from_inline(inline: &Inline) -> Result<Option<Rule>, Problem> {
    let mut document = serde_json::json!({
        "id": "pattern",
        "language": inline.language.to_string(),
        "severity": "info",
        "message": format!("matches `{}`", inline.pattern),
        "rule": { "pattern": inline.pattern },
    });
    if let (Some(rewrite), Some(fields)) = (&inline.rewrite, document.as_object_mut()) {
        fields.insert("fix".to_owned(), Value::from(rewrite.clone()));
    }
    let origin = Origin { label: "--pattern".to_owned(), line: 1 };
    read_document(origin, &document.to_string(), &GlobalRules::default())
}

/// The documents of a YAML stream with the lines they start at. Documents of comments and white space are none.
fn documents(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let (mut start, mut start_line, mut offset) = (0, 1, 0);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let end = offset + line.len();
        if line.trim_end() == "---" {
            found.push((start_line, text.get(start..offset).unwrap_or_default()));
            (start, start_line) = (end, number + 2);
        }
        offset = end;
    }
    found.push((start_line, text.get(start..).unwrap_or_default()));
    let says_something =
        |it: &str| it.lines().any(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    found.retain(|(_, document)| says_something(document));
    found
}

fn read_document(origin: Origin, text: &str, utilities: &GlobalRules) -> Result<Option<Rule>, Problem> {
    let parsed: Result<SerializableRuleConfig<SupportLang>, _> = ast_grep_config::from_str(text);
    let raw = parsed.map_err(|it| {
        let line = it.location().and_then(|it| usize::try_from(it.line()).ok()).unwrap_or(1);
        let line = origin.line + line.saturating_sub(1);
        Problem {
            origin: Origin { line, ..origin.clone() },
            rule: None,
            message: first_line(&it.to_string()),
        }
    })?;
    let id = raw.id.clone();
    let problem = |message: String| Problem { origin: origin.clone(), rule: Some(id.clone()), message };
    if id.trim().is_empty() {
        return Err(Problem { origin, rule: None, message: "the rule has no `id`".to_owned() });
    }
    let Some(severity) = severity(&raw.severity) else { return Ok(None) };
    let language = Language::from(raw.language);
    let parts = RuleParts::of(&raw).map_err(&problem)?;
    parts.check_patterns(language).map_err(&problem)?;
    let needs = Needs::of_rule(&parts.rule, &|pattern| literals(pattern, language));
    let (files, ignores) = (globs(parts.files.as_ref()), globs(parts.ignores.as_ref()));
    let (note, url) = (raw.note.clone(), raw.url.clone());
    let config = RuleConfig::try_from(raw, utilities).map_err(|it| problem(rule_error(&it)))?;
    Ok(Some(Rule {
        severity,
        language,
        note,
        url,
        digest: Digest::of(text.as_bytes()),
        needs,
        files: files.map_err(&problem)?,
        ignores: ignores.map_err(&problem)?,
        config,
        id,
        origin,
    }))
}

fn severity(severity: &ast_grep_config::Severity) -> Option<Severity> {
    match severity {
        ast_grep_config::Severity::Off => None,
        ast_grep_config::Severity::Hint => Some(Severity::Hint),
        ast_grep_config::Severity::Info => Some(Severity::Info),
        ast_grep_config::Severity::Warning => Some(Severity::Warning),
        ast_grep_config::Severity::Error => Some(Severity::Error),
    }
}

/// The parts of a rule that the engine keeps to itself, in their JSON form.
struct RuleParts {
    rule: Value,
    others: Vec<Value>,
    files: Option<Value>,
    ignores: Option<Value>,
}

impl RuleParts {
    fn of(raw: &SerializableRuleConfig<SupportLang>) -> Result<Self, String> {
        let json = |it: serde_json::Result<Value>| it.map_err(|it| it.to_string());
        let others = [
            json(serde_json::to_value(&raw.core.constraints))?,
            json(serde_json::to_value(&raw.core.utils))?,
        ];
        Ok(Self {
            rule: json(serde_json::to_value(&raw.core.rule))?,
            others: others.into_iter().collect(),
            files: raw.files.as_ref().map(|it| json(serde_json::to_value(it))).transpose()?,
            ignores: raw.ignores.as_ref().map(|it| json(serde_json::to_value(it))).transpose()?,
        })
    }

    /// Checks every pattern of the rule, its constraints and its utilities.
    fn check_patterns(&self, language: Language) -> Result<(), String> {
        let mut open: Vec<(usize, &Value)> =
            std::iter::once(&self.rule).chain(&self.others).map(|it| (0, it)).collect();
        while let Some((depth, value)) = open.pop() {
            if depth > MAX_RULE_DEPTH {
                return Err(format!("the rule nests more than {MAX_RULE_DEPTH} deep"));
            }
            match value {
                Value::Object(fields) => {
                    if let Some(pattern) = fields.get("pattern") {
                        let (text, selector) = pattern_parts(pattern);
                        pattern::check(text, selector, language).map_err(|it| it.to_string())?;
                    }
                    open.extend(fields.values().map(|it| (depth + 1, it)));
                }
                Value::Array(items) => open.extend(items.iter().map(|it| (depth + 1, it))),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
        Ok(())
    }
}

/// A pattern's text and the node kind that it selects from that text.
fn pattern_parts(pattern: &Value) -> (&str, Option<&str>) {
    let field = |name: &str| pattern.get(name).and_then(Value::as_str);
    (pattern.as_str().or_else(|| field("context")).unwrap_or_default(), field("selector"))
}

fn literals(pattern: &Value, language: Language) -> BTreeSet<String> {
    // The `signature` strictness compares no text.
    if pattern.get("strictness").and_then(Value::as_str) == Some("signature") {
        return BTreeSet::new();
    }
    let (text, selector) = pattern_parts(pattern);
    pattern::check(text, selector, language).map(|it| it.literals).unwrap_or_default()
}

fn globs(patterns: Option<&Value>) -> Result<Option<GlobSet>, String> {
    let Some(patterns) = patterns.and_then(Value::as_array) else { return Ok(None) };
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let text = pattern.as_str().or_else(|| pattern.get("glob")?.as_str()).unwrap_or_default();
        let fold = pattern.get("caseInsensitive").and_then(Value::as_bool).unwrap_or(false);
        let text = text.strip_prefix("./").unwrap_or(text);
        let glob = GlobBuilder::new(text).case_insensitive(fold).build();
        set.add(glob.map_err(|it| format!("the glob `{text}` is malformed: {}", it.kind()))?);
    }
    set.build().map(Some).map_err(|it| it.to_string())
}

fn rule_error(error: &RuleConfigError) -> String {
    chain(error)
}

/// An error and its causes in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = first_line(&error.to_string());
    let mut cause = error.source();
    while let Some(it) = cause {
        text.push_str(": ");
        text.push_str(&first_line(&it.to_string()));
        cause = it.source();
    }
    text
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use ast_grep_config::GlobalRules;

    use super::read;

    /// The ids read, and each problem as `line: message`.
    fn outcome(text: &str) -> (Vec<String>, Vec<String>) {
        let (rules, problems) = read("r.yml", text, &GlobalRules::default());
        (
            rules.into_iter().map(|it| it.id).collect(),
            problems.into_iter().map(|it| format!("{}: {}", it.origin.line, it.message)).collect(),
        )
    }

    #[test]
    fn each_document_is_read_on_its_own_and_problems_name_their_line() {
        let text = "# team rules\n---\nid: a\nlanguage: python\nrule: {pattern: old($X)}\n---\n\
                    id: b\nlanguage: python\nrule: {pattern: \"old(\"}\n---\n\
                    id: c\nlanguage: python\nrule: {pattern: f($X)}\nfix: g($Y)\n---\nid: d\nlanguage: klingon\nrule: {kind: x}\n";
        let (ids, problems) = outcome(text);
        assert_eq!(ids, ["a"]);
        assert_eq!(problems.len(), 3, "{problems:?}");
        assert!(problems[0].starts_with("7: the pattern `old(` is not Python"), "{problems:?}");
        assert!(problems[1].starts_with("11: ") && problems[1].contains('Y'), "{problems:?}");
        assert!(problems[2].starts_with("17: ") && problems[2].contains("klingon"), "{problems:?}");
    }

    #[test]
    fn a_rule_that_is_off_is_no_rule_and_unknown_keys_are_problems() {
        assert_eq!(outcome("id: a\nlanguage: go\nseverity: off\nrule: {kind: block}\n"), (vec![], vec![]));
        let (_, problems) = outcome("id: a\nlanguage: go\nrules: {kind: block}\nrule: {kind: block}\n");
        assert!(problems[0].contains("rules"), "{problems:?}");
        assert!(outcome("language: go\nrule: {kind: block}\n").1[0].contains("no `id`"));
    }
}
