//! One walk over a tree: who encloses whom, what stands directly above, which names are bound where.
//!
//! The tables of the languages call back into it with what they recognise. It iterates: depth costs memory in the
//! heap, never the stack.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::num::NonZeroU16;

use tree_sitter::{Language, Node};

use super::columns::Columns;
use super::definition::{Access, Definition, DefinitionKind, Role, Visibility};
use super::import::Import;
use super::reference::ReferenceKind;
use super::tables::Tables;
use super::value::{Binding, FunctionNumber, Step, Value, ValueNumber};
use super::written::WrittenNumber;
use crate::model::{Point, Span};
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
    frames: Vec<Frame<'t>>,
    scopes: Vec<Scope<'t>>,
    /// The names that each definition has below it.
    members: BTreeSet<(u32, &'t str)>,
    /// The functions around the visited node, with the depth at which each began.
    open_functions: Vec<(usize, FunctionNumber)>,
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

struct Frame<'t> {
    node: Node<'t>,
    context: Context,
    /// Where the comments and attributes directly above the next child begin, and the row on which they end.
    lead: Option<(Point, usize)>,
    attributes: Vec<Node<'t>>,
    /// Whether the child that is being visited is one of them.
    is_lead: bool,
    /// The row on which the last child that is neither ended.
    last_row: usize,
}

struct Scope<'t> {
    depth: usize,
    definition: Option<u32>,
    owner: Option<&'t str>,
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

    /// Opens a scope that is no definition but names one: what is defined below belongs to it.
    pub(super) fn belong(&mut self, owner: &'t str) {
        self.scopes.push(Scope { depth: self.frames.len(), definition: None, owner: Some(owner) });
    }

    /// Records a definition and takes it as the scope of what stands below the visited node.
    pub(super) fn define(&mut self, sketch: Sketch<'t>) {
        let owner = self.scopes.last().and_then(|it| it.owner);
        self.define_for(sketch, owner);
    }

    /// Records a definition that is no scope of its own: one of several in a statement.
    pub(super) fn define_flat(&mut self, sketch: Sketch<'t>) {
        let (depth, functions) = (self.scopes.len(), self.open_functions.len());
        self.define(sketch);
        self.scopes.truncate(depth);
        self.open_functions.truncate(functions);
    }

    /// Records what a method gives its object under a name. Says whether it is the first to do so.
    pub(super) fn define_attribute(&mut self, name: Node<'t>, visibility: Visibility) -> bool {
        let around = self.scopes.iter().rev().filter_map(|it| it.definition);
        let owner = around.into_iter().find(|it| {
            self.definitions.get(*it as usize).is_some_and(|it| it.kind.is_type())
        });
        let Some((number, owner)) = owner.and_then(|it| Some((it, self.definitions.get(it as usize)?))) else {
            return false;
        };
        let text = self.text_of(name);
        let qualified: Box<str> = [&owner.qualified, ".", text].concat().into();
        if self.members.contains(&(number, text)) {
            return false;
        }
        let span = self.columns.span(name);
        self.claim(name);
        self.push_definition(
            Definition {
                kind: DefinitionKind::Attribute,
                name: text.into(),
                qualified,
                name_span: span,
                span,
                body_start: None,
                container: Some(number as usize),
                visibility,
                role: Role::Code,
                declared: None,
                value: None,
                function: self.function(),
                access: Access::Plain,
            },
            None,
        );
        self.members.insert((number, text));
        true
    }

    /// Says what the last definition holds or gives.
    pub(super) fn tell(&mut self, declared: Option<WrittenNumber>, value: Option<ValueNumber>) {
        if let Some(last) = self.definitions.last_mut() {
            last.declared = last.declared.or(declared);
            last.value = last.value.or(value);
        }
    }

    /// Says that naming the last definition runs it.
    pub(super) fn tell_access(&mut self, access: Access) {
        if let Some(last) = self.definitions.last_mut() {
            last.access = access;
        }
    }

    fn push_definition(&mut self, definition: Definition, owner: Option<&'t str>) -> u32 {
        let number = u32::try_from(self.definitions.len()).unwrap_or(u32::MAX);
        self.definitions.push(definition);
        self.owners.push(owner);
        number
    }

    /// Opens the scope of a function without a name, unless the definition directly around it is what it is bound to.
    pub(super) fn open_function(&mut self) {
        let depth = self.frames.len();
        let is_bound = self.open_functions.last().is_some_and(|it| {
            it.0 + 1 == depth && self.definitions.last().is_some_and(|last| last.function == Some(it.1))
        });
        if !is_bound {
            self.open_function_at(depth);
        }
    }

    fn open_function_at(&mut self, depth: usize) -> FunctionNumber {
        let number = u32::try_from(self.functions.len()).unwrap_or(u32::MAX);
        self.functions.push(self.function());
        self.open_functions.push((depth, number));
        number
    }

    /// The innermost function around the visited node.
    pub(super) fn function(&self) -> Option<FunctionNumber> {
        self.open_functions.last().map(|it| it.1)
    }

    /// The same, for a definition that names its owner itself.
    pub(super) fn define_for(&mut self, sketch: Sketch<'t>, owner: Option<&'t str>) {
        let name = unquoted(self.text_of(sketch.name));
        if name.is_empty() {
            return;
        }
        self.claim(sketch.name);
        self.define_named(sketch, name, owner);
    }

    /// Records what calling a value of the type around takes and gives.
    pub(super) fn define_call(&mut self, node: Node<'t>) {
        let (kind, visibility, role) = (DefinitionKind::Method, Visibility::Exported, Role::Code);
        self.define_named(Sketch { kind, name: node, whole: node, body: None, visibility, role }, CALL, None);
    }

    fn define_named(&mut self, sketch: Sketch<'t>, name: &'t str, owner: Option<&'t str>) {
        let whole = self.columns.span(sketch.whole);
        let start = self.lead_of(sketch.whole).unwrap_or(whole.start);
        let around = self.scope().map(|it| it.qualified.as_ref());
        let parts = [around, owner, Some(name)];
        let qualified = parts.into_iter().flatten().collect::<Vec<_>>().join(".");
        let container = self.within().map(|it| it as usize).filter(|_| owner.is_none());
        if let Some(within) = self.within() {
            self.members.insert((within, name));
        }
        let definition = Definition {
            kind: sketch.kind,
            name: name.into(),
            qualified: qualified.into(),
            name_span: self.columns.span(sketch.name),
            span: Span { start, end: whole.end },
            body_start: sketch.body.map(|it| self.columns.start(it)),
            container,
            visibility: sketch.visibility,
            role: sketch.role,
            declared: None,
            value: None,
            function: None,
            access: Access::Plain,
        };
        let number = self.push_definition(definition, owner);
        let depth = self.frames.len();
        if sketch.kind.runs() {
            let function = self.open_function_at(depth);
            if let Some(last) = self.definitions.last_mut() {
                last.function = Some(function);
            }
        }
        self.scopes.push(Scope { depth, definition: Some(number), owner: None });
    }

    /// What stands directly above a node that is being visited or has a child that is.
    fn lead_of(&self, whole: Node<'t>) -> Option<Point> {
        let above = self.frames.iter().rev().take(WRAPPERS).position(|it| it.node.id() == whole.id());
        let frame = self.frames.iter().rev().nth(above.map_or(0, |it| it + 1))?;
        frame.lead.filter(|(_, end)| end + 1 >= whole.start_position().row).map(|(first, _)| first)
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

    /// A parameter whose value a framework finds by its name.
    pub(super) fn inject(&mut self, node: Node<'t>) {
        self.mark(ReferenceKind::Injected, node, Before::Nothing);
        let name = self.tables.names.intern(self.text_of(node));
        let value = self.tables.value(Value::Injected(name));
        self.shadow(node, None, None, Some(value));
    }

    /// Says that a name means something of the enclosing function.
    pub(super) fn bind(&mut self, node: Node<'t>) {
        self.bind_as(node, None, None);
    }

    /// The same, of a type or from a value.
    pub(super) fn bind_as(
        &mut self,
        node: Node<'t>,
        declared: Option<WrittenNumber>,
        value: Option<ValueNumber>,
    ) {
        self.claim(node);
        self.shadow(node, None, declared, value);
    }

    /// The same, for the parameter at a place.
    pub(super) fn bind_parameter(
        &mut self,
        node: Node<'t>,
        place: usize,
        declared: Option<WrittenNumber>,
        value: Option<ValueNumber>,
    ) {
        self.claim(node);
        self.shadow(node, u8::try_from(place).ok(), declared, value);
    }

    fn shadow(
        &mut self,
        node: Node<'t>,
        parameter: Option<u8>,
        declared: Option<WrittenNumber>,
        value: Option<ValueNumber>,
    ) {
        let Some(function) = self.function() else { return };
        let text = self.text_of(node);
        if text.len() <= LONGEST_NAME {
            let name = self.tables.names.intern(text);
            self.bindings.push(Binding { function, name, parameter, declared, value });
        }
    }

    /// Says more of a name that the function around binds.
    pub(super) fn tell_binding(&mut self, node: Node<'t>, value: Option<ValueNumber>) {
        let known = self.tables.names.known(self.text_of(node));
        let (Some(name), Some(function)) = (known, self.function()) else { return };
        let is_bound = self.bindings.iter().rev().take(MOST_RECENT).any(|it| it.function == function && it.name == name);
        if is_bound && value.is_some() {
            self.bindings.push(Binding { function, name, parameter: None, declared: None, value });
        }
    }

    /// What the function around gives back.
    pub(super) fn give_back(&mut self, value: Option<ValueNumber>) {
        let (Some(function), Some(value)) = (self.function(), value) else { return };
        let name = self.tables.names.intern(RESULT);
        let value = Some(value);
        self.bindings.push(Binding { function, name, parameter: None, declared: None, value });
    }

    fn push_mark(&mut self, kind: MarkKind, node: Node<'t>, qualifier: Before<'t>) {
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

/// How many nodes may stand around a definition and still belong to it (`export`, decorators, a declaration list).
const WRAPPERS: usize = 3;

/// Longer names are data, not names that someone else refers to.
pub(super) const LONGEST_NAME: usize = 200;

/// The name of what calling a value of a type does.
const CALL: &str = "()";

/// How many names may be bound between a name and a question of its type.
const MOST_RECENT: usize = 200;

/// The name under which a function binds what it gives back; no language has a name like it.
pub(super) const RESULT: &str = "return";

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
