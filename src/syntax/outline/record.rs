//! Recording definitions while a tree is walked.

use tree_sitter::Node;

use super::definition::{Access, Definition, DefinitionKind, Role, Visibility};
use super::value::ValueNumber;
use super::walk::{Scope, Sketch, Walk, unquoted};
use super::written::WrittenNumber;
use crate::model::{Point, Span};

/// How many nodes may stand around a definition and still belong to it (`export`, decorators, a declaration list).
const WRAPPERS: usize = 3;

/// The name of what calling a value of a type does.
pub(super) const CALL: &str = "()";

impl<'t> Walk<'t> {
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
        let owner = around
            .into_iter()
            .find(|it| self.definitions.get(*it as usize).is_some_and(|it| it.kind.is_type()));
        let Some((number, owner)) = owner.and_then(|it| Some((it, self.definitions.get(it as usize)?)))
        else {
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

    pub(super) fn push_definition(&mut self, definition: Definition, owner: Option<&'t str>) -> u32 {
        let number = u32::try_from(self.definitions.len()).unwrap_or(u32::MAX);
        self.definitions.push(definition);
        self.owners.push(owner);
        number
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
}
