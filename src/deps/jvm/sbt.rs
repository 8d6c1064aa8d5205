//! `build.sbt`, and the sources of a build in `project`: <https://www.scala-sbt.org/1.x/docs/Library-Dependencies.html>.
//! They are Scala, of which only coordinates with `%` and plain values are read; nothing is run.

use crate::deps::document::Document;
use crate::deps::fact::Scope;
use crate::deps::format::{Contents, Manifest, Parts};
use crate::model::Note;

use super::Model;
use super::assignment::{self, Given};
use super::expression::{Expression, Parser};
use super::script::{Cross, DEEPEST, Entry, Form, MAX_BYTES, Script};
use super::token::{Kind, tokens};

/// The setting that names the version of Scala, which ends the names of packages that are built for one.
pub const SCALA_VERSION: &str = "scalaVersion";

/// # Errors
/// When the file is too large for a script.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    document.at_most(MAX_BYTES)?;
    let tokens = tokens(document.text, 0..document.text.len());
    let mut reader = Reader {
        parser: Parser::new(document.text, &tokens),
        blocks: Vec::new(),
        head: None,
        scope: Scope::Normal,
        variables: Vec::new(),
        entries: Vec::new(),
    };
    reader.run();
    let Reader { variables, entries, .. } = reader;
    let script = Script { text: document.text.to_owned(), variables, entries, applied: Vec::new() };
    let contents = Contents::Manifest(Manifest { jvm: Some(Model::Script(script)), ..Manifest::default() });
    Ok(Parts { contents, declared: Vec::new(), resolved: Vec::new(), notes: Vec::new() })
}

struct Reader<'t> {
    parser: Parser<'t>,
    /// The object that each open brace belongs to, if any.
    blocks: Vec<Option<&'t str>>,
    /// The first token of the statement.
    head: Option<usize>,
    /// What the setting that is being written makes of its entries.
    scope: Scope,
    variables: Vec<(String, Expression)>,
    entries: Vec<Entry>,
}

impl<'t> Reader<'t> {
    fn run(&mut self) {
        let mut at = 0;
        while let Some(kind) = self.parser.kind(at) {
            let next = match kind {
                Kind::Line => {
                    self.head = None;
                    None
                }
                Kind::Sign(b'{') => {
                    let object = self.object(at);
                    self.blocks.push(object);
                    self.head = None;
                    None
                }
                Kind::Sign(b'}') => {
                    self.blocks.pop();
                    self.head = None;
                    None
                }
                Kind::Sign(_) => None,
                Kind::Word | Kind::Text(_) => {
                    self.head.get_or_insert(at);
                    self.item(at)
                }
            };
            at = next.unwrap_or(at + 1).max(at + 1);
        }
    }

    /// `object Versions {`, `val versions = new {`
    fn object(&self, open: usize) -> Option<&'t str> {
        let head = self.head?;
        let before = |back: usize| open.checked_sub(back).and_then(|it| self.parser.word(it));
        let mut words = (head..open).filter_map(|it| self.parser.word(it)).skip_while(|it| *it != "object");
        words.nth(1).or_else(|| (before(1) == Some("new")).then(|| before(3)).flatten())
    }

    fn item(&mut self, at: usize) -> Option<usize> {
        self.setting(at);
        if self.parser.word(at) == Some(SCALA_VERSION) {
            return self.scala_version(at + 1);
        }
        self.module(at).or_else(|| self.variable(at))
    }

    fn prefix(&self) -> String {
        self.blocks.iter().take(DEEPEST).flatten().flat_map(|it| [*it, "."]).collect()
    }

    fn setting(&mut self, at: usize) {
        self.scope = match self.parser.word(at) {
            Some("libraryDependencies") => Scope::Normal,
            Some("dependencyOverrides") => Scope::Override,
            _ => return,
        };
    }

    /// `scalaVersion := "2.13.8"`, `scalaVersion in ThisBuild := …`
    fn scala_version(&mut self, at: usize) -> Option<usize> {
        /// The words of a scope can stand between the setting and its sign.
        const WORDS: usize = 3;
        let sign = (at..at + WORDS)
            .find(|it| self.parser.is_sign(*it, b':') && self.parser.is_sign(it + 1, b'='))?;
        let (value, after) = self.parser.expression(self.parser.skip_lines(sign + 2))?;
        self.variables.push((SCALA_VERSION.to_owned(), value.clone()));
        self.push(Form::ScalaLibrary { version: value }, Scope::Normal);
        Some(after)
    }

    fn variable(&mut self, at: usize) -> Option<usize> {
        let found = assignment::variable(&self.parser, self.head, at)?;
        let Given::Value(value) = found.value else { return None };
        let (value, after) = self.parser.expression(value)?;
        // `val x = "group" % …` is read as coordinates.
        if self.parser.is_sign(after, b'%') {
            return None;
        }
        // What is in a call, such as `Seq(…)`, is read by itself.
        let is_plain = !value.is_computed();
        self.variables.push((format!("{}{}", self.prefix(), found.name), value));
        is_plain.then_some(after)
    }

    /// `"group" %% "name" % "version" % "test"`
    fn module(&mut self, at: usize) -> Option<usize> {
        let (group, mut after) = self.parser.expression(at)?;
        let signs = (after..after + 3).take_while(|it| self.parser.is_sign(*it, b'%')).count();
        let cross = match signs {
            0 => return None,
            1 => Cross::None,
            2 => Cross::Scala,
            _ => Cross::Platform,
        };
        let (name, next) = self.parser.expression(after + signs)?;
        after = self.parser.is_sign(next, b'%').then_some(next + 1)?;
        let (version, after) = self.parser.expression(after)?;
        let (configuration, after) = if self.parser.is_sign(after, b'%') {
            let word = self.parser.word(after + 1).or_else(|| self.parser.plain(after + 1));
            (word.unwrap_or_default(), after + 2)
        } else {
            ("", after)
        };
        let scope = self.scope_of(at, configuration);
        self.push(Form::Scala { group, name, version, cross }, scope);
        Some(after)
    }

    fn scope_of(&self, at: usize, configuration: &str) -> Scope {
        let called = at.checked_sub(2).filter(|_| self.parser.is_sign(at - 1, b'('));
        if let Some("addSbtPlugin" | "addCompilerPlugin" | "compilerPlugin") =
            called.and_then(|it| self.parser.word(it))
        {
            return Scope::Build;
        }
        if self.scope != Scope::Normal {
            return self.scope;
        }
        match configuration.to_ascii_lowercase().split(['-', ',', ';']).next().unwrap_or_default() {
            "test" | "it" | "integrationtest" => Scope::Dev,
            "provided" => Scope::Peer,
            "optional" => Scope::Optional,
            "plugin" | "scalatool" => Scope::Build,
            _ => Scope::Normal,
        }
    }

    fn push(&mut self, form: Form, scope: Scope) {
        self.entries.push(Entry { form, scope, object: self.prefix() });
    }
}
