//! The parts of a Gradle script that declare something.

use crate::deps::fact::Scope;

use super::assignment::{self, Given};
use super::catalog_script;
use super::configuration::is_configuration;
use super::expression::Expression;
use super::script::{DEEPEST, Entry, Form};
use super::script_reader::Reader;
use super::token::Kind;

impl Reader<'_> {
    /// Reads what starts at a token; gives what follows it.
    pub fn item(&mut self, at: usize) -> Option<usize> {
        if self.is_excluded() {
            return None;
        }
        self.coordinates(at)
            .or_else(|| self.set_variable(at))
            .or_else(|| self.call(at))
            .or_else(|| self.text(at))
            .or_else(|| self.variable(at))
    }

    /// What is written to be left out, replaced or offered is no dependency.
    fn is_excluded(&self) -> bool {
        const OTHER: [&str; 4] = ["exclude", "because", "capability", "capabilities"];
        let is_other = |it: &Option<&str>| it.is_some_and(|it| OTHER.contains(&it));
        let head = self.head.and_then(|it| self.parser.word(it));
        is_other(&head)
            || self.groups.iter().rev().take(DEEPEST).any(is_other)
            || OTHER.contains(&self.block())
    }

    fn object(&self) -> String {
        self.blocks.iter().take(DEEPEST).filter_map(|it| it.object).flat_map(|it| [it, "."]).collect()
    }

    fn push(&mut self, form: Form) {
        self.script.entries.push(Entry { form, scope: self.scope, object: self.object() });
    }

    /// `group: "a", name: "b", version: "c"`, with `=` in Kotlin.
    fn coordinates(&mut self, at: usize) -> Option<usize> {
        let (group, after) = self.argument(at, "group")?;
        let after = self.parser.is_sign(after, b',').then_some(after + 1)?;
        let (name, mut end) = self.argument(after, "name")?;
        let mut version = None;
        if self.parser.is_sign(end, b',')
            && let Some((found, after)) = self.argument(end + 1, "version")
        {
            (version, end) = (Some(found), after);
        }
        if version.is_some() || self.is_in("dependencies") {
            self.push(Form::Parts { group, name, version });
        }
        Some(end)
    }

    /// Three texts as the arguments of a configuration: `api("a", "b", "c")`.
    pub fn arguments(&mut self, at: usize) -> Option<usize> {
        let called = self.groups.last().copied().flatten();
        if !self.is_in("dependencies") || !called.is_some_and(is_configuration) {
            return None;
        }
        let (group, after) = self.parser.expression(at)?;
        let after = self.parser.is_sign(after, b',').then_some(after + 1)?;
        let (name, after) = self.parser.expression(after)?;
        let after = self.parser.is_sign(after, b',').then_some(after + 1)?;
        let (version, after) = self.parser.expression(after)?;
        self.parser.is_sign(after, b')').then_some(())?;
        self.push(Form::Parts { group, name, version: Some(version) });
        Some(after)
    }

    /// Words that mean something by themselves.
    fn call(&mut self, at: usize) -> Option<usize> {
        let word = self.parser.word(at)?;
        let is_called = self.parser.is_sign(at + 1, b'(');
        let first = if is_called { at + 2 } else { at + 1 };
        match word {
            "from" if self.head.and_then(|it| self.parser.word(it)) == Some("apply") => {
                let (path, after) = self.parser.expression(at + 2)?;
                self.script.applied.push(path);
                Some(after)
            }
            "id" => {
                let (id, after) = self.parser.expression(first)?;
                let after = if is_called { after + 1 } else { after };
                self.plugin(after, |version| Form::Plugin { id, version })
            }
            "kotlin" if is_called => {
                let (name, after) = self.parser.expression(first)?;
                let after = self.kotlin_version(after);
                if self.is_in("plugins") {
                    self.plugin(after.1, |version| Form::KotlinPlugin { name, version })
                } else if self.parser.is_sign(after.1.wrapping_sub(1), b')') {
                    self.push(Form::Kotlin { name, version: after.0 });
                    Some(after.1)
                } else {
                    None
                }
            }
            "entry" => {
                let (group, version) = self.blocks.last()?.set.clone()?;
                let (name, after) = self.parser.expression(first)?;
                self.push(Form::Parts { group, name, version });
                Some(after)
            }
            "strictly" | "require" | "prefer" if self.block() == "version" => {
                let (version, after) = self.parser.expression(first)?;
                self.enrich(version, word == "prefer");
                Some(after)
            }
            "alias" if is_called && self.block() == "plugins" => {
                let (notation, after) = self.parser.expression(first)?;
                self.scope = Scope::Build;
                self.push(Form::Notation { notation, version: None, is_argument: true });
                Some(after)
            }
            "library" | "plugin" | "alias" | "version" => self.catalog(at),
            "substitute" => Some(self.replaced(first)),
            _ => None,
        }
    }

    /// The version behind the name in `kotlin("name", version = "1")`, and what follows the whole.
    fn kotlin_version(&self, after: usize) -> (Option<Expression>, usize) {
        if !self.parser.is_sign(after, b',') {
            return (None, after + 1);
        }
        let named = self.argument(after + 1, "version");
        let version = named.or_else(|| self.parser.expression(after + 1));
        version.map_or((None, after), |(version, after)| (Some(version), after + 1))
    }

    fn plugin(&mut self, after: usize, form: impl FnOnce(Option<Expression>) -> Form) -> Option<usize> {
        let is_dotted = self.parser.is_sign(after, b'.');
        let at = if is_dotted { after + 1 } else { after };
        if self.parser.word(at) != Some("version") {
            return None;
        }
        let at = if self.parser.is_sign(at + 1, b'(') { at + 2 } else { at + 1 };
        let (version, after) = self.parser.expression(at)?;
        self.scope = Scope::Build;
        self.push(form(Some(version)));
        Some(after)
    }

    /// A version that stands in a block of its own behind the entry.
    fn enrich(&mut self, found: Expression, is_wish: bool) {
        let entries =
            self.blocks.len().checked_sub(2).and_then(|it| self.blocks.get(it)).map_or(0, |it| it.entries);
        if let Some(Entry { form, .. }) =
            entries.checked_sub(1).and_then(|it| self.script.entries.get_mut(it))
        {
            match form {
                Form::Notation { version, .. } | Form::Parts { version, .. } => {
                    if !is_wish || version.is_none() {
                        *version = Some(found);
                    }
                }
                Form::Plugin { .. }
                | Form::Kotlin { .. }
                | Form::KotlinPlugin { .. }
                | Form::Scala { .. }
                | Form::ScalaLibrary { .. } => {}
            }
        }
    }

    /// `substitute module("a") using module("b")`: the first is what is replaced.
    fn replaced(&mut self, at: usize) -> usize {
        self.scope = Scope::Override;
        let at = if self.parser.is_sign(at, b'(') { at + 1 } else { at };
        let called = usize::from(self.parser.word(at).is_some());
        let open = at + called;
        if self.parser.is_sign(open, b'(') { self.parser.closed(open) } else { open + 1 }
    }

    fn text(&mut self, at: usize) -> Option<usize> {
        matches!(self.parser.kind(at), Some(Kind::Text(_))).then_some(())?;
        let (notation, after) = self.parser.expression(at)?;
        // A key of a map, or the text of a condition.
        if self.parser.is_sign(after, b':') || !self.is_kept() {
            return None;
        }
        let is_argument = self.is_in("dependencies");
        self.push(Form::Notation { notation, version: None, is_argument });
        Some(after)
    }

    /// Whether a text at this place can be coordinates: an argument of a configuration, an element of a collection, or
    /// the value of a variable. Any other function can take any text.
    fn is_kept(&self) -> bool {
        const KEEPING: [&str; 12] = [
            "mapOf",
            "listOf",
            "setOf",
            "arrayOf",
            "platform",
            "enforcedPlatform",
            "add",
            "module",
            "to",
            "create",
            "mutableListOf",
            "arrayListOf",
        ];
        let is_keeping = |it: &&str| is_configuration(it) || KEEPING.contains(it);
        if self.is_in("dependencies") {
            return true;
        }
        let called = self.groups.iter().rev().take(DEEPEST).find_map(|it| *it);
        let commanded = self.head.filter(|it| matches!(self.parser.kind(*it + 1), Some(Kind::Text(_))));
        let commanded = commanded.and_then(|it| self.parser.word(it));
        called.or(commanded).is_none_or(|it| is_keeping(&it))
    }

    /// A variable as the argument of a configuration.
    fn variable(&mut self, at: usize) -> Option<usize> {
        /// They give files, or what this build makes itself.
        const OWN: [&str; 10] = [
            "project",
            "projects",
            "files",
            "fileTree",
            "sourceSets",
            "configurations",
            "gradleApi",
            "localGroovy",
            "gradleTestKit",
            "rootProject",
        ];
        let head = self.head?;
        let word = self.parser.word(at)?;
        let is_argument = matches!(self.block(), "dependencies" | "constraints")
            && is_configuration(self.parser.word(head)?)
            && at > head;
        if !is_argument {
            return None;
        }
        let before = at.checked_sub(1)?;
        let follows =
            before == head || self.parser.is_sign(before, b'(') || self.parser.is_sign(before, b',');
        let (notation, after) = self.parser.expression(at)?;
        if OWN.contains(&word) {
            return Some(after);
        }
        // A call is looked into, and a named argument is none of the names.
        let is_other = self.parser.is_sign(at + 1, b'(') || self.parser.is_sign(after, b':') || !follows;
        if is_other || (self.parser.is_sign(after, b'=') || matches!(word, "it" | "true" | "false")) {
            return None;
        }
        self.push(Form::Notation { notation, version: None, is_argument: true });
        Some(after)
    }
}

impl Reader<'_> {
    /// The range of the tokens of a statement's words before a place.
    fn set_variable(&mut self, at: usize) -> Option<usize> {
        let found = assignment::variable(&self.parser, self.head, at)?;
        let name = format!("{}{}", self.object(), found.name);
        match found.value {
            Given::Map(open) => {
                assignment::map(&self.parser, open, &name, &mut self.script.variables);
                None
            }
            Given::Value(at) => {
                let (value, after) = self.parser.expression(at)?;
                self.script.variables.push((name, value.clone()));
                // What is in a call, such as `listOf(…)`, is read by itself.
                if value.is_computed() {
                    return None;
                }
                // Coordinates that are kept in a variable.
                if self.is_kept() && !self.is_in("versionCatalogs") {
                    self.push(Form::Notation { notation: value, version: None, is_argument: false });
                }
                Some(after)
            }
        }
    }

    /// An entry of a catalog that is written in the settings.
    fn catalog(&mut self, at: usize) -> Option<usize> {
        if !self.is_in("versionCatalogs") {
            return None;
        }
        let catalog = self.block();
        let (found, after) = catalog_script::entry(&self.parser, at, catalog)?;
        self.scope = Scope::Catalog;
        if let Some((name, value)) = found.variable {
            self.script.variables.push((name, value));
        }
        if let Some(form) = found.form {
            self.push(form);
        }
        Some(after)
    }
}
