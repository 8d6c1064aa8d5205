//! One walk over a tree: who encloses whom, what stands directly above, which names are bound where.
//!
//! The tables of the languages call back into it with what they recognise. It iterates: depth costs memory in the
//! heap, never the stack.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::num::NonZeroU16;

use tree_sitter::{Language, Node};

use super::columns::Columns;
use super::definition::{Definition, DefinitionKind, Role, Visibility};
use super::import::Import;
use super::reference::ReferenceKind;
use super::tables::Tables;
use super::value::{Binding, FunctionNumber, Step};
use crate::model::Point;
use crate::syntax::survey::{Kinds, gather};

/// What a table does at a node of a kind.
pub(super) type Visit = for<'t> fn(&mut Walk<'t>, Node<'t>) -> Below;

/// How the walk goes on below a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Below {
    Walk,
    Skip,
    /// Walk, and read plain names as this.
    As(Context),
}

/// What a plain name means where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    Value,
    Type,
    Bases,
    /// It is being bound: a parameter, the target of an assignment.
    Binding,
}

pub(super) struct Walk<'t> {
    pub(super) text: &'t str,
    pub(super) columns: Columns<'t>,
    pub(super) definitions: Vec<Definition>,
    /// The name that stands before each definition's own in its qualified name, when it is no definition around it.
    pub(super) owners: Vec<Option<&'t str>>,
    pub(super) imports: Vec<Import>,
    pub(super) packages: Vec<Box<str>>,
    pub(super) marks: Vec<Mark<'t>>,
    /// Marks that belong to a type by its name, which may stand further down.
    pub(super) owned: Vec<(usize, &'t str)>,
    pub(super) tables: Tables<'t>,
    /// What functions bind for themselves.
    pub(super) bindings: Vec<Binding>,
    /// The function around each function.
    pub(super) functions: Vec<Option<FunctionNumber>>,
    /// How kinds of nodes make values, by kind number.
    pub(super) steps: &'static [Option<Step>],
    pub(super) habits: Habits,
    pub(super) errors: u32,
    /// What the innermost method calls its own object, where it has a name of its own choice.
    pub(super) receiver: Option<&'t str>,
    pub(super) frames: Vec<Frame<'t>>,
    pub(super) scopes: Vec<Scope<'t>>,
    /// The names that each definition has below it.
    pub(super) members: BTreeSet<(u32, &'t str)>,
    /// The functions around the visited node, with the depth at which each began.
    pub(super) open_functions: Vec<(usize, FunctionNumber)>,
}

/// What sets a language apart.
#[derive(Clone, Copy, Default)]
pub(super) struct Habits {
    /// A quoted text can be a type.
    pub(super) quotes_types: bool,
    /// Names of other files need no import.
    pub(super) shares_packages: bool,
}

/// A name in the text that is a reference, or is known to be none.
#[derive(Clone, Copy)]
pub(super) struct Mark<'t> {
    pub(super) offset: usize,
    pub(super) kind: MarkKind,
    pub(super) name: &'t str,
    pub(super) qualifier: Before<'t>,
    pub(super) place: tree_sitter::Point,
    pub(super) within: Option<u32>,
    pub(super) function: Option<FunctionNumber>,
}

/// Strongest first: of several marks at one place the first counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MarkKind {
    /// A name that is introduced here.
    Claimed,
    Reference(ReferenceKind),
}

/// What stands before a name, as text of the file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Before<'t> {
    Nothing,
    Named(&'t str),
    Expression(Node<'t>),
}

/// What a table says about a definition.
#[derive(Clone, Copy)]
pub(super) struct Sketch<'t> {
    pub(super) kind: DefinitionKind,
    pub(super) name: Node<'t>,
    /// The node with everything that belongs to it: the definition's own or one around it.
    pub(super) whole: Node<'t>,
    pub(super) body: Option<Node<'t>>,
    pub(super) visibility: Visibility,
    pub(super) role: Role,
}

pub(super) struct Frame<'t> {
    pub(super) node: Node<'t>,
    context: Context,
    /// Where the comments and attributes directly above the next child begin, and the row on which they end.
    pub(super) lead: Option<(Point, usize)>,
    attributes: Vec<Node<'t>>,
    /// Whether the child that is being visited is one of them.
    is_lead: bool,
    /// The row on which the last child that is neither ended.
    last_row: usize,
}

pub(super) struct Scope<'t> {
    pub(super) depth: usize,
    pub(super) definition: Option<u32>,
    pub(super) owner: Option<&'t str>,
}

/// Source has a name that is used about as often as this.
const BYTES_PER_MARK: usize = 24;

impl<'t> Walk<'t> {
    pub(super) fn new(text: &'t str, steps: &'static [Option<Step>], habits: Habits) -> Self {
        Self {
            text,
            columns: Columns::new(text),
            definitions: Vec::new(),
            owners: Vec::new(),
            imports: Vec::new(),
            packages: Vec::new(),
            marks: Vec::with_capacity(text.len() / BYTES_PER_MARK),
            owned: Vec::new(),
            tables: Tables::default(),
            bindings: Vec::new(),
            functions: Vec::new(),
            steps,
            habits,
            errors: 0,
            receiver: None,
            frames: Vec::new(),
            scopes: Vec::new(),
            members: BTreeSet::new(),
            open_functions: Vec::new(),
        }
    }

    /// Visits every node below the root that no visit above it skipped. Adds the nodes of the wanted kinds, skipped or
    /// not.
    pub(super) fn run(
        &mut self,
        root: Node<'t>,
        table: &[Option<Visit>],
        wanted: &Kinds,
        nodes: &mut Vec<Node<'t>>,
    ) {
        let is_broken = root.has_error();
        let mut cursor = root.walk();
        nodes.extend(Some(root).filter(|it| wanted.contains(*it)));
        self.push(root, Context::Value);
        if !cursor.goto_first_child() {
            return;
        }
        loop {
            let node = cursor.node();
            if is_broken && (node.is_error() || node.is_missing()) {
                self.errors += 1;
            }
            let visit = table.get(usize::from(node.kind_id())).copied().flatten();
            let below = visit.map_or(Below::Walk, |it| it(self, node));
            if below == Below::Skip {
                gather(&mut cursor, wanted, nodes);
            } else {
                nodes.extend(Some(node).filter(|it| wanted.contains(*it)));
                if cursor.goto_first_child() {
                    let context = if let Below::As(context) = below { context } else { self.context() };
                    self.push(node, context);
                    continue;
                }
            }
            self.leave(node);
            while !cursor.goto_next_sibling() {
                let Some(frame) = self.frames.pop().filter(|_| cursor.goto_parent()) else { return };
                if self.frames.is_empty() {
                    return;
                }
                self.leave(frame.node);
            }
        }
    }

    fn push(&mut self, node: Node<'t>, context: Context) {
        self.frames.push(Frame {
            node,
            context,
            lead: None,
            attributes: Vec::new(),
            is_lead: false,
            last_row: usize::MAX,
        });
    }

    fn leave(&mut self, node: Node<'t>) {
        let depth = self.frames.len();
        while self.scopes.last().is_some_and(|it| it.depth == depth) {
            self.scopes.pop();
        }
        while self.open_functions.last().is_some_and(|it| it.0 == depth) {
            self.open_functions.pop();
        }
        let Some(frame) = self.frames.last_mut() else { return };
        if std::mem::take(&mut frame.is_lead) {
            return;
        }
        frame.lead = None;
        frame.attributes.clear();
        frame.last_row = node.end_position().row;
    }

    /// Takes a comment as standing above the next sibling, unless it ends the line of the one before.
    pub(super) fn lead(&mut self, node: Node<'t>) -> Below {
        let start = self.columns.start(node);
        let Some(frame) = self.frames.last_mut() else { return Below::Skip };
        let row = node.start_position().row;
        if frame.last_row != row {
            let first = frame.lead.filter(|(_, end)| end + 1 >= row).map_or(start, |(first, _)| first);
            frame.lead = Some((first, last_row(node)));
        }
        frame.is_lead = true;
        Below::Skip
    }

    /// Takes an attribute as belonging to the next sibling.
    pub(super) fn attribute(&mut self, node: Node<'t>) -> Below {
        let start = self.columns.start(node);
        let Some(frame) = self.frames.last_mut() else { return Below::Walk };
        frame.lead = Some((frame.lead.map_or(start, |(first, _)| first), last_row(node)));
        frame.attributes.push(node);
        frame.is_lead = true;
        Below::Walk
    }

    pub(super) fn parent(&self) -> Option<Node<'t>> {
        self.frames.last().map(|it| it.node)
    }

    /// The nodes around the visited one, innermost first.
    pub(super) fn ancestors(&self) -> impl Iterator<Item = Node<'t>> {
        self.frames.iter().rev().map(|it| it.node)
    }

    pub(super) fn context(&self) -> Context {
        self.frames.last().map_or(Context::Value, |it| it.context)
    }

    /// The attributes above the node that is being visited.
    pub(super) fn attributes(&self) -> &[Node<'t>] {
        self.frames.last().map_or(&[], |it| &it.attributes)
    }

    pub(super) fn text_of(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The innermost definition around the node that is being visited.
    pub(super) fn scope(&self) -> Option<&Definition> {
        self.within().and_then(|it| self.definitions.get(it as usize))
    }

    pub(super) fn within(&self) -> Option<u32> {
        self.scopes.iter().rev().find_map(|it| it.definition)
    }

    /// Whether the innermost scope is a type: a definition, or an `impl` of one.
    pub(super) fn is_in_type(&self) -> bool {
        match self.scopes.last() {
            Some(scope) => match scope.definition {
                Some(_) => self.scope().is_some_and(|it| it.kind.is_type()),
                None => scope.owner.is_some(),
            },
            None => false,
        }
    }

    /// Whether a definition here is one of the file or of a type, not of a function.
    pub(super) fn is_outside_functions(&self) -> bool {
        self.scope().is_none_or(|it| !it.kind.runs() && it.kind != DefinitionKind::Suite)
    }

    pub(super) fn mark(&mut self, kind: ReferenceKind, node: Node<'t>, qualifier: Before<'t>) {
        self.push_mark(MarkKind::Reference(kind), node, qualifier);
    }

    /// Records a base of a type that is named, not enclosing.
    pub(super) fn mark_base(&mut self, node: Node<'t>, qualifier: Before<'t>, owner: &'t str) {
        self.owned.push((self.marks.len(), owner));
        self.mark(ReferenceKind::Inherits, node, qualifier);
    }

    /// Says that a name is introduced here, not used.
    pub(super) fn claim(&mut self, node: Node<'t>) {
        self.push_mark(MarkKind::Claimed, node, Before::Nothing);
    }

    pub(super) fn push_mark(&mut self, kind: MarkKind, node: Node<'t>, qualifier: Before<'t>) {
        let name = self.text_of(node);
        if name.is_empty() || name.len() > LONGEST_NAME {
            return;
        }
        let (offset, place, within) = (node.start_byte(), node.start_position(), self.within());
        let function = self.function();
        self.marks.push(Mark { offset, kind, name, qualifier, place, within, function });
    }

    /// A receiver or path before a name.
    pub(super) fn before(&self, node: Option<Node<'t>>) -> Before<'t> {
        let Some(node) = node else { return Before::Nothing };
        let text = self.text_of(node);
        if text.len() <= LONGEST_NAME && text.bytes().all(is_path_byte) {
            Before::Named(text)
        } else {
            Before::Expression(node)
        }
    }

    /// A plain name, read as its surroundings say.
    pub(super) fn plain_name(&mut self, node: Node<'t>) -> Below {
        match self.context() {
            Context::Value => self.mark(ReferenceKind::Use, node, Before::Nothing),
            Context::Type => self.mark(ReferenceKind::Type, node, Before::Nothing),
            Context::Bases => self.mark(ReferenceKind::Inherits, node, Before::Nothing),
            Context::Binding => self.bind(node),
        }
        Below::Skip
    }

    /// The name of a type, wherever it stands.
    pub(super) fn type_name(&mut self, node: Node<'t>, qualifier: Before<'t>) {
        let kind =
            if self.context() == Context::Bases { ReferenceKind::Inherits } else { ReferenceKind::Type };
        self.mark(kind, node, qualifier);
    }
}

/// Longer names are data, not names that someone else refers to.
pub(super) const LONGEST_NAME: usize = 200;

const fn is_path_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':' | b'$' | b'#' | b'@') || byte >= 0x80
}

/// The row of a node's last character: some comments take their line break with them.
fn last_row(node: Node<'_>) -> usize {
    let end = node.end_position();
    if end.column == 0 && end.row > node.start_position().row { end.row - 1 } else { end.row }
}

/// A name without the quotes of a string.
pub(super) fn unquoted(text: &str) -> &str {
    let quotes = ['"', '\'', '`'];
    text.strip_prefix(quotes).and_then(|it| it.strip_suffix(quotes)).unwrap_or(text)
}

/// The named children of a node, without recursion.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

/// The first child of a kind.
pub(super) fn child<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).find(|it| it.kind() == kind)
}

pub(super) fn field<'t>(node: Node<'t>, name: &'static str) -> Option<Node<'t>> {
    let number = FIELDS.with_borrow_mut(|fields| fields.number(&node.language(), name))?;
    node.child_by_field_id(number.get())
}

/// The numbers of the fields that were asked for. A grammar finds a field by comparing its name with all of its own,
/// and the walk asks for the same few at every node.
#[derive(Default)]
struct Fields {
    grammar: Option<Language>,
    /// By the address of the name: each is a literal.
    numbers: Vec<(usize, Option<NonZeroU16>)>,
}

thread_local! {
    static FIELDS: RefCell<Fields> = RefCell::default();
}

impl Fields {
    fn number(&mut self, grammar: &Language, name: &'static str) -> Option<NonZeroU16> {
        if self.grammar.as_ref() != Some(grammar) {
            self.grammar = Some(grammar.clone());
            self.numbers.clear();
        }
        let key = name.as_ptr().addr();
        if let Some((_, number)) = self.numbers.iter().find(|it| it.0 == key) {
            return *number;
        }
        let number = grammar.field_id_for_name(name);
        self.numbers.push((key, number));
        number
    }
}
