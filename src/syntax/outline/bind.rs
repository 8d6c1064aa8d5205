//! The functions around the visited node, and the names that they bind.

use tree_sitter::Node;

use super::reference::ReferenceKind;
use super::value::{Binding, FunctionNumber, Value, ValueNumber};
use super::walk::{Before, LONGEST_NAME, Walk};
use super::written::WrittenNumber;

/// How many names may be bound between a name and a question of its type.
const MOST_RECENT: usize = 200;

/// The name under which a function binds what it gives back; no language has a name like it.
pub(super) const RESULT: &str = "return";

impl<'t> Walk<'t> {
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

    pub(super) fn open_function_at(&mut self, depth: usize) -> FunctionNumber {
        let number = u32::try_from(self.functions.len()).unwrap_or(u32::MAX);
        self.functions.push(self.function());
        self.open_functions.push((depth, number));
        number
    }

    /// The innermost function around the visited node.
    pub(super) fn function(&self) -> Option<FunctionNumber> {
        self.open_functions.last().map(|it| it.1)
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
        let is_bound =
            self.bindings.iter().rev().take(MOST_RECENT).any(|it| it.function == function && it.name == name);
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
}
