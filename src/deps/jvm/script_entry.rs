//! From what a Gradle script writes to what it declares.

use std::ops::Range;

use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Declared, Scope, Settled, Source, Via};
use crate::deps::note::UNEVALUATED;
use crate::model::{LineIndex, Location, Note, Redacted};

use super::evaluate::is_name;
use super::expression::{Expression, Piece, Value};
use super::gradle::{Build, Context, Meaning};
use super::plugin_package;
use super::sbt::SCALA_VERSION;
use super::script::{Cross, Entry, Form};

/// The declared entries of a script, and notes about what stays open.
pub fn declare(build: &Build<'_>, script: usize) -> (Vec<Declared>, Vec<Note>) {
    let (Some(it), Some(path)) = (build.scripts.get(&script), build.path(script)) else {
        return (Vec::new(), Vec::new());
    };
    let lines = LineIndex::new(&it.text);
    let place = |range: Range<usize>| Location { path: path.clone(), span: lines.span(range) };
    let mut writer = Writer {
        build,
        context: Context { script, object: "" },
        ecosystem: build.ecosystem(script),
        text: &it.text,
        place: &place,
        declared: Vec::new(),
        notes: Vec::new(),
    };
    for entry in &it.entries {
        writer.context.object = &entry.object;
        writer.entry(entry);
    }
    (writer.declared, writer.notes)
}

struct Writer<'b, 'r, 'p> {
    build: &'b Build<'r>,
    context: Context<'r>,
    ecosystem: Ecosystem,
    text: &'r str,
    place: &'p dyn Fn(Range<usize>) -> Location,
    declared: Vec<Declared>,
    notes: Vec<Note>,
}

/// What stands for a part that is known only when the script is run; no script can hold it.
const OPEN: char = '\0';

/// A version as written and what it comes to.
struct Version {
    written: String,
    evaluated: Option<String>,
    range: Range<usize>,
}

impl Writer<'_, '_, '_> {
    fn entry(&mut self, entry: &Entry) {
        match &entry.form {
            Form::Notation { notation, version, is_argument } => {
                self.notation(notation, version.as_ref(), *is_argument, entry.scope);
            }
            Form::Parts { group, name, version } => {
                let version = version.as_ref().and_then(|it| self.version(it));
                let coordinates = format!("{}:{}", self.whole(group), self.whole(name));
                self.push(coordinates, None, version, name.range.clone(), entry.scope);
            }
            Form::Plugin { id, version } => {
                let version = version.as_ref().and_then(|it| self.version(it));
                let id_text = self.whole(id);
                self.push(plugin_package(&id_text), Some(id_text), version, self.inside(id), entry.scope);
            }
            Form::Kotlin { name, version } => {
                let version = version.as_ref().and_then(|it| self.version(it));
                let name_text = format!("org.jetbrains.kotlin:kotlin-{}", self.whole(name));
                self.push(name_text, None, version, self.inside(name), entry.scope);
            }
            Form::Scala { group, name, version, cross } => {
                let end = self.scala_end(*cross, name.range.start);
                let coordinates = format!("{}:{}{end}", self.whole(group), self.whole(name));
                let version = self.version(version);
                self.push(coordinates, None, version, name.range.clone(), entry.scope);
            }
            Form::ScalaLibrary { version } => {
                let whole = self.whole(version);
                if whole.contains(OPEN) {
                    return self
                        .unevaluated(version, "the version of Scala, and so the name of its library,");
                }
                let name = if whole.starts_with("3.") { "scala3-library_3" } else { "scala-library" };
                let version = self.version(version);
                self.push(format!("org.scala-lang:{name}"), None, version, 0..0, entry.scope);
            }
            Form::KotlinPlugin { name, version } => {
                let version = version.as_ref().and_then(|it| self.version(it));
                let id = format!("org.jetbrains.kotlin.{}", self.whole(name));
                self.push(plugin_package(&id), Some(id), version, self.inside(name), entry.scope);
            }
        }
    }

    /// The text of an expression, with a mark for each part that is open.
    fn whole(&self, expression: &Expression) -> String {
        let parts = self.build.evaluate(self.context, expression);
        parts.into_iter().map(|it| it.unwrap_or_else(|| OPEN.to_string())).collect()
    }

    /// The range of an expression, without its quotes where it is one string.
    fn inside(&self, expression: &Expression) -> Range<usize> {
        let range = expression.range.clone();
        let written = self.text.get(range.clone()).unwrap_or_default();
        for quotes in ["\"\"\"", "'''", "\"", "'"] {
            let inside = written.strip_prefix(quotes).and_then(|it| it.strip_suffix(quotes));
            if let Some(inside) = inside.filter(|it| !it.contains(quotes) || is_one_string(expression)) {
                let start = range.start + quotes.len();
                return start..start + inside.len();
            }
        }
        range
    }

    fn version(&self, expression: &Expression) -> Option<Version> {
        let range = self.inside(expression);
        let written = self.text.get(range.clone())?.to_owned();
        let evaluated = self.whole(expression);
        Some(Version { evaluated: Some(evaluated).filter(|it| !it.contains(OPEN)), written, range })
    }

    fn notation(
        &mut self,
        notation: &Expression,
        version: Option<&Expression>,
        is_argument: bool,
        scope: Scope,
    ) {
        if let [piece] = notation.pieces.as_slice()
            && let Value::Variable(name) = &piece.value
        {
            match self.build.meaning(self.context, name) {
                Some(Meaning::Entries(entries)) => {
                    for entry in entries {
                        self.inherited(entry, name, notation.range.clone(), scope);
                    }
                    return;
                }
                Some(Meaning::Variable(..) | Meaning::Text(_)) => {}
                None if is_argument => return self.unevaluated(notation, "a dependency"),
                None => return,
            }
        }
        let whole = self.whole(notation);
        let parts: Vec<&str> = whole.splitn(3, ':').collect();
        let (Some(group), Some(name)) = (parts.first(), parts.get(1)) else {
            if is_argument && whole.contains(OPEN) {
                self.unevaluated(notation, "a dependency");
            }
            return;
        };
        // Behind the version a classifier and an extension can stand.
        let rest = parts.get(2).copied().unwrap_or_default();
        let (text, extension) = rest.split_once('@').map_or((rest, None), |(text, it)| (text, Some(it)));
        let text = text.split(':').next().unwrap_or_default();
        let name = name.split_once('@').map_or(*name, |it| it.0);
        let is_plain = extension.is_none_or(is_name);
        let starts = |it: &str| it.starts_with(|it: char| it.is_ascii_alphabetic() || it == OPEN);
        let is_kept = !text.is_empty() && text.contains(|it: char| it.is_ascii_digit() || it == OPEN);
        if !is_plain || !is_version(text) || !(is_argument || is_kept && starts(group) && starts(name)) {
            return;
        }
        let own = version.and_then(|it| self.version(it));
        let at = group.len() + 1 + parts.get(1).map_or(0, |it| it.len()) + 1;
        let version = own.or_else(|| self.part(notation, at..at + text.len()).filter(|_| !text.is_empty()));
        let coordinates = format!("{group}:{name}");
        // A text that is kept in a variable and is no name is something else.
        if !is_argument
            && coordinates.contains(OPEN)
            && !self.text.get(notation.range.clone()).is_some_and(|it| it.contains(':'))
        {
            return;
        }
        self.push(coordinates, None, version, self.inside(notation), scope);
    }

    /// The part of a sum's text, as written: of a variable, all of it.
    fn part(&self, sum: &Expression, wanted: Range<usize>) -> Option<Version> {
        let parts = self.build.evaluate(self.context, sum);
        let (mut at, mut range, mut value) = (0, None::<Range<usize>>, String::new());
        let mut is_variable = false;
        for (piece, part) in sum.pieces.iter().zip(parts) {
            let part = part.unwrap_or_else(|| OPEN.to_string());
            let (start, end) = (at.max(wanted.start), (at + part.len()).min(wanted.end));
            if start < end {
                value.push_str(part.get(start - at..end - at)?);
                let written = match &piece.value {
                    Value::Text(_) => piece.range.start + start - at..piece.range.start + end - at,
                    Value::Variable(_) | Value::Computed => {
                        is_variable = true;
                        piece.range.clone()
                    }
                };
                range = Some(range.map_or(written.clone(), |it| it.start..written.end));
            }
            at += part.len();
        }
        let mut range = range?;
        let quotes = |it: &Range<usize>| {
            let written = self.text.get(it.clone()).unwrap_or_default();
            written.matches(['"', '\'']).count() % 2
        };
        // A sum that ends with a string is written with that string's quotes.
        if quotes(&range) == 1 {
            range.end = sum.range.end;
        }
        let written = self.text.get(range.clone())?.to_owned();
        let is_open = value.contains(OPEN) || is_variable && value.is_empty();
        Some(Version { written, evaluated: (!is_open).then_some(value), range })
    }

    /// What the name of a package that is built for one version of Scala ends with. Where that is open the name is as
    /// written, and a note says so.
    fn scala_end(&mut self, cross: Cross, at: usize) -> String {
        let version = match cross {
            Cross::None => return String::new(),
            Cross::Platform => None,
            Cross::Scala => {
                let value = Value::Variable(SCALA_VERSION.to_owned());
                let piece = Piece { value, range: at..at };
                let version = self.whole(&Expression { pieces: vec![piece], range: at..at });
                Some(version).filter(|it| !it.contains(OPEN))
            }
        };
        match version {
            Some(version) => format!("_{}", binary_version(&version)),
            None => {
                self.note("%%", at, "what the name ends with, the version of Scala and the platform,");
                String::new()
            }
        }
    }

    /// A dependency that is written as the name of a catalog's entry.
    fn inherited(&mut self, entry: &Declared, name: &str, range: Range<usize>, scope: Scope) {
        self.declared.push(Declared {
            raw_name: name.to_owned(),
            place: (self.place)(range),
            scope: if scope == Scope::Catalog { Scope::Build } else { scope },
            via: entry.via.clone().or_else(|| Some(Via::Entry(entry.place.clone()))),
            ..entry.clone()
        });
    }

    fn push(
        &mut self,
        name: String,
        id: Option<String>,
        version: Option<Version>,
        at: Range<usize>,
        scope: Scope,
    ) {
        let is_open = name.contains(OPEN);
        let is_whole = name.split_once(':').is_some_and(|(group, name)| is_name(group) && is_name(name));
        if is_open {
            let written = self.text.get(at.clone()).unwrap_or_default().to_owned();
            self.note(&written, at.start, "the name of a dependency");
            return;
        }
        if !is_whole {
            return;
        }
        if let Some(version) = version.as_ref().filter(|it| it.evaluated.is_none()) {
            let (written, start) = (version.written.clone(), version.range.start);
            self.note(&written, start, &format!("the version of `{name}`"));
        }
        let range = version.as_ref().map_or(at, |it| it.range.clone());
        self.declared.push(Declared {
            ecosystem: self.ecosystem,
            raw_name: id.unwrap_or_else(|| name.clone()),
            name,
            settled: Settled::Unknown,
            evaluated: version
                .as_ref()
                .and_then(|it| it.evaluated.clone().filter(|value| *value != it.written)),
            constraint: version.map(|it| it.written),
            place: (self.place)(range),
            scope,
            target: None,
            source: Source::Registry,
            origin: None,
            via: None,
        });
    }

    fn unevaluated(&mut self, expression: &Expression, what: &str) {
        let written = self.text.get(expression.range.clone()).unwrap_or_default().to_owned();
        self.note(&written, expression.range.start, what);
    }

    fn note(&mut self, written: &str, at: usize, what: &str) {
        let written = written.lines().next().unwrap_or_default();
        let message =
            format!("`{}` is known only when the build is run; {what} is unknown", Redacted::new(written));
        let place = (self.place)(at..at);
        self.notes.push(Note::new(UNEVALUATED, message).at_point(place.path, place.span.start));
    }
}

fn is_one_string(expression: &Expression) -> bool {
    let ranges = expression.pieces.iter().map(|it| it.range.clone());
    ranges.clone().zip(ranges.skip(1)).all(|(left, right)| left.end == right.start)
}

/// The versions of Scala that run each other's packages:
/// <https://www.scala-sbt.org/1.x/docs/Cross-Build.html#Publishing+conventions>.
fn binary_version(version: &str) -> String {
    let parts: Vec<&str> = version.split('.').collect();
    match parts.as_slice() {
        ["3", ..] if !version.contains('-') => "3".to_owned(),
        ["2", minor, _] if minor.parse().is_ok_and(|it: u32| it >= 10) && !version.contains('-') => {
            format!("2.{minor}")
        }
        _ => version.to_owned(),
    }
}

/// Whether a text can be a version, a range or a wish of Gradle.
fn is_version(text: &str) -> bool {
    /// No published version is longer.
    const LONGEST: usize = 256;
    let is_allowed = |it: char| it.is_ascii_alphanumeric() || ".-_+~[](), !".contains(it) || it == OPEN;
    text.len() <= LONGEST && text.chars().all(is_allowed)
}
