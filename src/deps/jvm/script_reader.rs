//! `build.gradle`, `settings.gradle` and other scripts of Gradle, in Groovy and Kotlin, by their syntax. They are never
//! run: what they compute stays open.

use crate::deps::document::Document;
use crate::deps::fact::Scope;
use crate::deps::format::{Contents, Manifest, Parts};
use crate::model::Note;

use super::Model;
use super::configuration::{configuration_scope, is_configuration};
use super::expression::{Expression, Parser};
use super::script::{DEEPEST, MAX_BYTES, Script};
use super::token::{Kind, tokens};

/// # Errors
/// When the file is too large for a script.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    document.at_most(MAX_BYTES)?;
    let tokens = tokens(document.text, 0..document.text.len());
    let mut reader = Reader {
        parser: Parser::new(document.text, &tokens),
        blocks: Vec::new(),
        groups: Vec::new(),
        scope: Scope::Normal,
        head: None,
        script: Script {
            text: document.text.to_owned(),
            variables: Vec::new(),
            entries: Vec::new(),
            applied: Vec::new(),
        },
    };
    reader.run();
    let jvm = Some(Model::Script(reader.script));
    let contents = Contents::Manifest(Manifest { jvm, ..Manifest::default() });
    Ok(Parts { contents, declared: Vec::new(), resolved: Vec::new(), notes: Vec::new() })
}

/// The reader goes over the tokens once; it knows the blocks that it is in and the first word of the statement.
pub struct Reader<'t> {
    pub parser: Parser<'t>,
    pub blocks: Vec<Block<'t>>,
    /// The open parentheses and brackets: the word that stands before each.
    pub groups: Vec<Option<&'t str>>,
    /// What the entries of the statement are wanted for.
    pub scope: Scope,
    pub head: Option<usize>,
    pub script: Script,
}

pub struct Block<'t> {
    pub name: &'t str,
    /// The object that its variables belong to.
    pub object: Option<&'t str>,
    pub groups: Vec<Option<&'t str>>,
    pub head: Option<usize>,
    pub scope: Scope,
    /// The entry that the block says more of.
    pub entries: usize,
    /// The group and the version that all entries of the block have.
    pub set: Option<(Expression, Option<Expression>)>,
}

impl<'t> Reader<'t> {
    fn run(&mut self) {
        let mut at = 0;
        while let Some(kind) = self.parser.kind(at) {
            let next = match kind {
                Kind::Line | Kind::Sign(b';') => {
                    if self.groups.is_empty() && !self.parser.is_sign(self.parser.skip_lines(at), b'{') {
                        self.head = None;
                    }
                    None
                }
                Kind::Sign(b'{') => self.open(at),
                Kind::Sign(b'}') => {
                    self.close();
                    None
                }
                Kind::Sign(b'(' | b'[') => {
                    let before = at.checked_sub(1).and_then(|it| self.parser.word(it));
                    self.groups.push(before);
                    self.begin(at);
                    self.arguments(at + 1)
                }
                Kind::Sign(b')' | b']') => {
                    self.groups.pop();
                    None
                }
                Kind::Sign(_) => None,
                Kind::Word | Kind::Text(_) => {
                    self.begin(at);
                    self.item(at)
                }
            };
            at = next.unwrap_or(at + 1).max(at + 1);
        }
    }

    /// A token that starts a statement says what its entries are wanted for.
    fn begin(&mut self, at: usize) {
        if self.head.is_some() {
            return;
        }
        self.head = Some(at);
        let word = self.parser.word(at).or_else(|| self.parser.plain(at)).unwrap_or_default();
        self.scope = if self.is_in("buildscript") {
            Scope::Build
        } else if self.is_in("constraints") {
            Scope::Override
        } else if self.is_in("dependencies") || is_configuration(word) || self.parser.plain(at).is_some() {
            configuration_scope(word)
        } else {
            // A text that is only kept somewhere is no dependency by itself.
            Scope::Catalog
        };
    }

    pub fn is_in(&self, name: &str) -> bool {
        self.blocks.iter().take(DEEPEST).any(|it| it.name == name)
    }

    pub fn block(&self) -> &'t str {
        self.blocks.last().map_or("", |it| it.name)
    }

    fn open(&mut self, at: usize) -> Option<usize> {
        let words = self.head.map_or(0..0, |it| it..at);
        let mut names = words.filter_map(|it| self.parser.word(it));
        let name = names.next().unwrap_or_default();
        let object = (name == "object" || name == "companion").then(|| names.next()).flatten();
        // `project.dependencies {`, `testing.suites {`
        let before = at.checked_sub(1).and_then(|it| self.parser.word(it));
        let name = if before == Some("dependencies") { "dependencies" } else { name };
        // `versionCatalogs { create("libs") {`
        let created = self
            .head
            .filter(|it| self.block() == "versionCatalogs" && self.parser.is_sign(it + 1, b'('))
            .and_then(|it| self.parser.plain(it + 2));
        let name = created.unwrap_or(name);
        let set = self.dependency_set();
        self.blocks.push(Block {
            name,
            object,
            groups: std::mem::take(&mut self.groups),
            head: self.head.take(),
            scope: self.scope,
            entries: self.script.entries.len(),
            set,
        });
        None
    }

    fn close(&mut self) {
        if let Some(block) = self.blocks.pop() {
            self.groups = block.groups;
            self.head = block.head;
            self.scope = block.scope;
        }
        if self.groups.is_empty() {
            self.head = None;
        }
    }

    /// `dependencySet(group: …, version: …) {`
    fn dependency_set(&self) -> Option<(Expression, Option<Expression>)> {
        let head = self.head.filter(|it| self.parser.word(*it) == Some("dependencySet"))?;
        let (group, after) = self.argument(head + 2, "group")?;
        let version = self.parser.is_sign(after, b',').then(|| self.argument(after + 1, "version")).flatten();
        Some((group, version.map(|it| it.0)))
    }

    /// A named argument: `name: value` or `name = value`.
    pub fn argument(&self, at: usize, name: &str) -> Option<(Expression, usize)> {
        let at = self.parser.skip_lines(at);
        let named = self.parser.word(at).or_else(|| self.parser.plain(at)) == Some(name);
        let is_set = self.parser.is_sign(at + 1, b':') || self.parser.is_sign(at + 1, b'=');
        (named && is_set).then(|| self.parser.expression(self.parser.skip_lines(at + 2))).flatten()
    }
}
