//! `setup.py`: the literal lists of its call of `setup`, by its syntax. It is never run.

use std::ops::Range;

use ast_grep_core::tree_sitter::LanguageExt as _;
use ast_grep_language::SupportLang;
use tree_sitter::{Node, Parser};

use crate::deps::document::Document;
use crate::deps::fact::{Declared, Scope};
use crate::deps::format::{Contents, Manifest, Parts};
use crate::deps::note::UNEVALUATED;
use crate::model::{Note, Redacted};

use super::entry::{Wanted, declared, within};
use super::pyproject::in_extra;

/// Larger files are no hand-written ones, and a parser's time and space grow with them.
const MAX_BYTES: usize = 1 << 20;

/// # Errors
/// When the file does not parse as Python.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    document.at_most(MAX_BYTES)?;
    let mut parser = Parser::new();
    let is_set = parser.set_language(&SupportLang::Python.get_ts_language()).is_ok();
    let tree = is_set.then(|| parser.parse(document.text, None)).flatten();
    let Some(tree) = tree.filter(|it| !it.root_node().has_error()) else {
        return Err(document.unreadable(0, "it does not parse as Python"));
    };
    let mut reader = Reader { document, found: Vec::new() };
    // `setup` is called in a statement of the module or of a function.
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        if node.kind() == "call" && reader.is_setup(node) {
            reader.arguments(node);
        } else if node.kind() != "call" {
            let mut cursor = node.walk();
            open.extend(node.named_children(&mut cursor));
        }
    }
    let (mut declared, mut notes) = (Vec::new(), Vec::new());
    for it in reader.found {
        match it {
            Ok(it) => declared.push(it),
            Err(note) => notes.push(note),
        }
    }
    let contents = Contents::Manifest(Manifest::default());
    Ok(Parts { contents, declared, resolved: Vec::new(), notes })
}

struct Reader<'d, 't> {
    document: &'d Document<'t>,
    found: Vec<Result<Declared, Note>>,
}

impl<'t> Reader<'_, 't> {
    fn text(&self, node: Node<'_>) -> &'t str {
        self.document.text.get(node.byte_range()).unwrap_or_default()
    }

    fn is_setup(&self, call: Node<'_>) -> bool {
        let function = call.child_by_field_name("function").map(|it| self.text(it));
        function.is_some_and(|it| it == "setup" || it.ends_with(".setup"))
    }

    fn arguments(&mut self, call: Node<'_>) {
        let Some(arguments) = call.child_by_field_name("arguments") else { return };
        let mut cursor = arguments.walk();
        for argument in arguments.named_children(&mut cursor) {
            let field = |name: &str| argument.child_by_field_name(name);
            let (Some(name), Some(value)) = (field("name"), field("value")) else { continue };
            let scope = match self.text(name) {
                "install_requires" => Scope::Normal,
                "setup_requires" => Scope::Build,
                "tests_require" => Scope::Dev,
                "extras_require" => {
                    self.extras(value);
                    continue;
                }
                _ => continue,
            };
            self.list(value, Wanted { scope, condition: None });
        }
    }

    /// `{'name': […]}`, or `dict(name=[…])`.
    fn extras(&mut self, value: Node<'_>) {
        let is_call = value.child_by_field_name("function").is_some_and(|it| self.text(it) == "dict");
        let (pairs, key) = match value.child_by_field_name("arguments").filter(|_| is_call) {
            Some(arguments) => (arguments, "name"),
            None if value.kind() == "dictionary" => (value, "key"),
            None => {
                self.unevaluated(value);
                return;
            }
        };
        let mut cursor = pairs.walk();
        for pair in pairs.named_children(&mut cursor).filter(|it| it.kind() != "comment") {
            let name = pair.child_by_field_name(key);
            let extra =
                name.and_then(|it| if is_call { Some(self.text(it)) } else { Some(self.literal(it)?.0) });
            match (extra, pair.child_by_field_name("value")) {
                (Some(extra), Some(list)) => {
                    let condition = in_extra(extra);
                    self.list(list, Wanted { scope: Scope::Optional, condition: Some(&condition) });
                }
                _ => self.unevaluated(pair),
            }
        }
    }

    /// A list, or several that are added up.
    fn list(&mut self, value: Node<'_>, wanted: Wanted<'_>) {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            let field = |name: &str| value.child_by_field_name(name);
            match (field("left"), field("operator").map(|it| it.kind()), field("right")) {
                (Some(left), Some("+"), Some(right)) => open.extend([right, left]),
                _ => self.addend(value, wanted),
            }
        }
    }

    fn addend(&mut self, value: Node<'_>, wanted: Wanted<'_>) {
        if let Some((text, inside)) = self.split(value) {
            let at = |part: &str| part.as_ptr().addr() - text.as_ptr().addr();
            for part in text.split_whitespace() {
                let start = inside.start + at(part);
                let place = |it: Range<usize>| start + it.start..start + it.end;
                self.found.push(declared(self.document, part, place, wanted));
            }
            return;
        }
        if !matches!(value.kind(), "list" | "tuple" | "string") {
            self.unevaluated(value);
            return;
        }
        let mut cursor = value.walk();
        let entries: Vec<Node<'_>> =
            if value.kind() == "string" { vec![value] } else { value.named_children(&mut cursor).collect() };
        for entry in entries.into_iter().filter(|it| it.kind() != "comment") {
            match self.literal(entry) {
                Some((text, inside)) => {
                    let place = |it| within(self.document, text, &inside, it);
                    self.found.push(declared(self.document, text, place, wanted));
                }
                None => self.unevaluated(entry),
            }
        }
    }

    /// The text of `"…".split()` and where it stands.
    fn split(&self, value: Node<'_>) -> Option<(&'t str, Range<usize>)> {
        let function = value.child_by_field_name("function").filter(|it| it.kind() == "attribute")?;
        let is_split = self.text(function.child_by_field_name("attribute")?) == "split";
        let has_no_arguments = value.child_by_field_name("arguments")?.named_child_count() == 0;
        self.literal(function.child_by_field_name("object")?).filter(|_| is_split && has_no_arguments)
    }

    /// A string without escapes and without expressions, and where its text stands.
    fn literal(&self, node: Node<'_>) -> Option<(&'t str, Range<usize>)> {
        let content =
            node.named_child(1).filter(|it| node.kind() == "string" && it.kind() == "string_content")?;
        let is_plain = node.named_child_count() == 3 && content.named_child_count() == 0;
        is_plain.then(|| (self.text(content), content.byte_range()))
    }

    fn unevaluated(&mut self, node: Node<'_>) {
        let shown = self.text(node).lines().next().unwrap_or_default();
        let message =
            format!("`{}` is known only when the file is run; it was left out", Redacted::new(shown));
        self.found.push(Err(self.document.note(UNEVALUATED, node.start_byte(), message)));
    }
}
