//! From the bytes of the file to valid settings and notes.

use std::collections::BTreeSet;

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged as _;

use super::jsonc::{Dialect, parse};
use super::nearest::nearest;
use super::note::{KEY_REPEATED, KEY_UNKNOWN, SECTION_MALFORMED, UNREADABLE};
use super::section::{Section, argument, path, pattern, whole_number, word};
use super::settings::{
    Check, Config, DAY_SECONDS, DependencyDocs, Level, Limits, MINUTE_MILLISECONDS, MOST, MOST_BYTES, Origin,
    PrecisionIndex, Rules, Structural, Validation, YEAR_SECONDS,
};
use crate::model::{LineIndex, Note, RepoPath};

/// The largest configuration that is read.
const MAX_BYTES: usize = 1 << 20;

/// Reads a configuration. It always yields one: what cannot be used has its default and a note.
pub fn read(path: &RepoPath, bytes: &[u8]) -> (Config, Vec<Note>) {
    if bytes.len() > MAX_BYTES {
        let message = format!("the configuration is larger than {MAX_BYTES} bytes; the defaults are used");
        return (Config::default(), vec![Note::new(UNREADABLE, message).at(path.clone())]);
    }
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let (text, broken_at) = match std::str::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            (std::str::from_utf8(valid).unwrap_or_default(), Some(error.valid_up_to()))
        }
    };
    let mut file = File { path, lines: LineIndex::new(text), config: Config::default(), notes: Vec::new() };
    match broken_at {
        Some(offset) => {
            file.note(UNREADABLE, offset, "the configuration is not UTF-8; the defaults are used");
        }
        None => file.document(text),
    }
    (file.config, file.notes)
}

struct File<'t> {
    path: &'t RepoPath,
    lines: LineIndex<'t>,
    config: Config,
    notes: Vec<Note>,
}

const SECTIONS: [&str; 6] =
    ["precision_index", "dependency_docs", "structural", "rules", "validation", "limits"];

impl File<'_> {
    fn note(&mut self, code: &'static str, offset: usize, message: impl Into<String>) {
        let point = self.lines.point(offset);
        self.notes.push(Note::new(code, message).at_point(self.path.clone(), point));
    }

    fn document(&mut self, text: &str) {
        let root = match parse(text, Dialect::Commented) {
            Ok(Value::Object(root)) => root,
            Ok(other) => {
                let message = "the configuration must be an object of sections; the defaults are used";
                self.note(UNREADABLE, other.start(), message);
                return;
            }
            Err(error) => {
                let message =
                    format!("the configuration is not JSON: {}; the defaults are used", error.reason);
                self.note(UNREADABLE, error.offset, message);
                return;
            }
        };
        let mut sections = Section::new(&root);
        self.config.precision_index = self.section(&mut sections, "precision_index", precision_index);
        self.config.dependency_docs = self.section(&mut sections, "dependency_docs", dependency_docs);
        self.config.structural = self.section(&mut sections, "structural", structural);
        self.config.rules = self.section(&mut sections, "rules", rules);
        self.config.validation = self.section(&mut sections, "validation", validation);
        self.config.limits = self.section(&mut sections, "limits", limits);
        // Editors look up the schema by this key; it says nothing to the program.
        let _schema = sections.value("$schema");
        self.leftovers(&sections, None, &SECTIONS);
    }

    fn section<T: Default>(
        &mut self,
        sections: &mut Section<'_>,
        name: &'static str,
        fill: fn(&mut Section<'_>) -> T,
    ) -> T {
        let object = match sections.value(name) {
            None => return T::default(),
            Some(Value::Object(object)) => object,
            Some(other) => {
                let message = format!("the section `{name}` must be an object; its defaults are used");
                self.note(SECTION_MALFORMED, other.start(), message);
                return T::default();
            }
        };
        let mut section = Section::new(object);
        let value = fill(&mut section);
        let valid = section.valid_keys().to_vec();
        self.leftovers(&section, Some(name), &valid);
        if section.faults.is_empty() {
            for (offset, key) in section.found {
                let point = self.lines.point(offset);
                let origin = Origin::File { line: point.line, column: point.column };
                self.config.origins.insert(format!("{name}.{key}"), origin);
            }
            return value;
        }
        for fault in section.faults {
            let message = format!(
                "the section `{name}` is malformed: {}; its defaults are used (valid keys: {})",
                fault.message,
                valid.join(", ")
            );
            self.note(SECTION_MALFORMED, fault.offset, message);
        }
        T::default()
    }

    /// Notes the keys of an object that nobody asked for, or that it has twice.
    fn leftovers(&mut self, section: &Section<'_>, name: Option<&str>, valid: &[&str]) {
        let whole = |key: &str| name.map_or_else(|| key.to_owned(), |it| format!("{it}.{key}"));
        for (offset, key) in section.unknown() {
            let hint = nearest(key, valid).map(|it| format!("; did you mean `{it}`?")).unwrap_or_default();
            let message =
                format!("unknown key `{}` is ignored{hint} (valid keys: {})", whole(key), valid.join(", "));
            self.note(KEY_UNKNOWN, offset, message);
        }
        for (offset, key) in &section.repeated {
            self.note(
                KEY_REPEATED,
                *offset,
                format!("the key `{}` is repeated; the last one counts", whole(key)),
            );
        }
    }
}

const A_WORD: &str = "a text that is not empty";
const A_PATTERN: &str = "a valid pattern as in `.gitignore`";
const A_PATH: &str = "a path relative to the repository root that stays inside it";

fn precision_index(section: &mut Section<'_>) -> PrecisionIndex {
    let mut it = PrecisionIndex::default();
    section.flag("enabled", &mut it.enabled);
    section.optional_text("path", A_PATH, &mut it.path, path);
    section.flag("auto_generate", &mut it.auto_generate);
    section.texts("generator_command", "a text", &mut it.generator_command, argument);
    it
}

fn dependency_docs(section: &mut Section<'_>) -> DependencyDocs {
    let mut it = DependencyDocs::default();
    section.flag("enabled", &mut it.enabled);
    section.text("api_key_env", "the name of an environment variable", &mut it.api_key_env, variable);
    section.count("cache_ttl_seconds", 0..=YEAR_SECONDS, &mut it.cache_ttl_seconds);
    section.flag("serve_stale_when_offline", &mut it.serve_stale_when_offline);
    it
}

fn structural(section: &mut Section<'_>) -> Structural {
    let mut it = Structural::default();
    section.flag("enabled", &mut it.enabled);
    section.optional_text("command", A_WORD, &mut it.command, word);
    section.count("max_rewrite_files", 1..=MOST, &mut it.max_rewrite_files);
    section.count("max_rewrite_matches", 1..=MOST, &mut it.max_rewrite_matches);
    section.count("max_rewrite_bytes", 1..=MOST_BYTES, &mut it.max_rewrite_bytes);
    section.count("preview_ttl_seconds", 1..=YEAR_SECONDS, &mut it.preview_ttl_seconds);
    section.flag("allow_apply", &mut it.allow_apply);
    it
}

fn rules(section: &mut Section<'_>) -> Rules {
    let mut it = Rules::default();
    section.texts("paths", A_PATH, &mut it.paths, path);
    section.texts("ignores", A_PATTERN, &mut it.ignores, pattern);
    let expected = "an object of rule ids with one of off, hint, info, warning, error";
    match section.value("severity") {
        None => {}
        Some(Value::Object(levels)) => {
            for property in &levels.properties {
                let level = level(&property.value);
                match level.filter(|_| !property.name.as_str().is_empty()) {
                    Some(level) => drop(it.severity.insert(property.name.as_str().to_owned(), level)),
                    None => section.fault(&property.value, "severity", expected),
                }
            }
        }
        Some(other) => section.fault(other, "severity", expected),
    }
    it
}

fn validation(section: &mut Section<'_>) -> Validation {
    let mut it = Validation::default();
    let Some(value) = section.value("commands") else { return it };
    let Value::Array(commands) = value else {
        section.fault(value, "commands", "a list of objects with `name` and `argv`");
        return it;
    };
    let mut names = BTreeSet::new();
    for command in &commands.elements {
        let Value::Object(object) = command else {
            section.fault(command, "commands", "a list of objects with `name` and `argv`");
            continue;
        };
        let check = check(section, object);
        if !names.insert(check.name.clone()) {
            section.fault(command, "commands", "a list in which every `name` is given once");
        }
        it.commands.push(check);
    }
    it
}

fn check(outer: &mut Section<'_>, object: &Object<'_>) -> Check {
    let empty =
        Check { name: String::new(), argv: Vec::new(), timeout_seconds: Check::timeout(), paths: Vec::new() };
    let mut it = empty;
    let mut section = Section::new(object);
    section.text("name", "a text of 1 to 100 characters", &mut it.name, |text| {
        word(text).filter(|it| it.chars().count() <= 100)
    });
    section.texts("argv", "a text", &mut it.argv, argument);
    section.count("timeout_seconds", 1..=DAY_SECONDS, &mut it.timeout_seconds);
    section.texts("paths", A_PATTERN, &mut it.paths, pattern);
    let mut faults = std::mem::take(&mut section.faults);
    if faults.is_empty() && (it.name.is_empty() || it.argv.first().is_none_or(String::is_empty)) {
        let message = "a command must have a `name` and an `argv` that starts with a program".to_owned();
        faults.push(super::section::Fault { offset: object.range.start, message });
    }
    for (offset, key) in section.unknown() {
        let message = format!("unknown key `{key}` (valid keys: {})", section.valid_keys().join(", "));
        faults.push(super::section::Fault { offset, message });
    }
    outer.faults.extend(faults);
    it
}

fn limits(section: &mut Section<'_>) -> Limits {
    let mut it = Limits::default();
    section.count("max_file_bytes", 1..=MOST_BYTES, &mut it.max_file_bytes);
    match section.value("max_files") {
        None | Some(Value::NullKeyword(_)) => {}
        Some(value) => match whole_number(value).filter(|it| (1..=MOST).contains(it)) {
            Some(number) => it.max_files = Some(number),
            None => section.fault(value, "max_files", &format!("a whole number from 1 to {MOST}, or null")),
        },
    }
    section.count("parse_timeout_ms", 1..=MINUTE_MILLISECONDS, &mut it.parse_timeout_ms);
    section.count("max_matches_per_rule", 1..=MOST, &mut it.max_matches_per_rule);
    section.count("max_findings", 1..=MOST, &mut it.max_findings);
    it
}

fn variable(text: &str) -> Option<String> {
    let first = text.bytes().next()?;
    let named = (first.is_ascii_alphabetic() || first == b'_')
        && text.len() <= 128
        && text.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    named.then(|| text.to_owned())
}

fn level(value: &Value<'_>) -> Option<Level> {
    let Value::StringLit(literal) = value else { return None };
    Level::ALL.into_iter().find(|it| it.name() == literal.value)
}
