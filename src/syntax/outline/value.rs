//! Expressions as far as they tell of what kind a value is, and the names that functions bind to them.

use tree_sitter::Node;

use super::reference::Name;
use super::walk::{Walk, field};
use super::written::WrittenNumber;

/// An expression of one outline.
pub type ValueNumber = u32;
/// A function of one outline, as a scope of names: a definition that runs, or one without a name.
pub type FunctionNumber = u32;

/// What an expression is made of; what tells nothing is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// A name, or a path such as `a::b`.
    Name(Name),
    Member(ValueNumber, Name),
    /// With the first argument.
    Call(ValueNumber, Option<ValueNumber>),
    /// `new C(…)` or `C { … }`.
    New(ValueNumber),
    /// One of many: `a[0]`, and what a loop over `a` binds.
    Item(ValueNumber),
    /// One of a fixed few, from 0.
    Part(ValueNumber, u8),
    Awaited(ValueNumber),
    /// What a `with` binds.
    Entered(ValueNumber),
    Either(ValueNumber, ValueNumber),
    /// Something of a type that is written out.
    Of(WrittenNumber),
    /// What a function that is passed as an argument gets as a parameter, both from 0.
    Passed {
        callee: ValueNumber,
        argument: u8,
        parameter: u8,
    },
    /// What a framework finds by the name of a parameter.
    Injected(Name),
    /// A text, a number, a list written out: nothing that the repository defines.
    Literal,
}

/// A name that a function binds, once for each place that tells something else of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Binding {
    pub function: FunctionNumber,
    pub name: Name,
    /// For a parameter, its place from 0; the object that a method belongs to has none.
    pub parameter: Option<u8>,
    pub declared: Option<WrittenNumber>,
    pub value: Option<ValueNumber>,
}

/// How a language makes a value of a node, at a depth.
pub(super) type Custom = for<'t> fn(&mut Walk<'t>, Node<'t>, u32) -> Option<ValueNumber>;

/// How a kind of node makes a value of its parts.
#[derive(Clone, Copy)]
pub(super) enum Step {
    Name,
    /// The fields of the object and of the name.
    Member(&'static str, &'static str),
    /// The fields of the callee and of the arguments.
    Call(&'static str, &'static str),
    New(&'static str),
    Item(&'static str),
    /// Something of the type in this field.
    Of(&'static str),
    /// The value of this field.
    Through(&'static str),
    /// The value of the first child.
    First,
    Either(&'static str, &'static str),
    /// One of what the first child is.
    ItemOfFirst,
    /// What waiting for the first child gives.
    Awaited,
    /// Where the grammar is of another shape.
    Custom(Custom),
    /// Something of the type that is the last child.
    As,
    /// The value of the first child or of the last.
    Ends,
    /// Left or right, where the operator is one of these.
    Choice(&'static [&'static str]),
    Literal,
}

/// Deeper expressions tell nothing.
const DEEPEST: u32 = 12;

impl<'t> Walk<'t> {
    /// What an expression tells of its value.
    pub(super) fn value(&mut self, node: Node<'t>) -> Option<ValueNumber> {
        self.value_at(node, 0)
    }

    pub(super) fn value_of(&mut self, node: Option<Node<'t>>) -> Option<ValueNumber> {
        self.value(node?)
    }

    /// The same, for a part of an expression at a depth.
    pub(super) fn value_at(&mut self, node: Node<'t>, depth: u32) -> Option<ValueNumber> {
        if depth > DEEPEST {
            return None;
        }
        let step = self.steps.get(usize::from(node.kind_id())).copied().flatten()?;
        let value = match step {
            Step::Name => Value::Name(self.name_of(node)?),
            Step::Member(object, name) => {
                let name = field(node, name)?;
                let object = self.value_at(field(node, object)?, depth + 1)?;
                Value::Member(object, self.name_of(name)?)
            }
            Step::Call(callee, arguments) => {
                let callee = self.value_at(field(node, callee)?, depth + 1)?;
                let argument = field(node, arguments).and_then(|it| it.named_child(0));
                Value::Call(callee, argument.and_then(|it| self.value_at(it, depth + 1)))
            }
            Step::New(subject) => Value::New(self.value_at(field(node, subject)?, depth + 1)?),
            Step::Item(whole) => Value::Item(self.value_at(field(node, whole)?, depth + 1)?),
            Step::ItemOfFirst => Value::Item(self.value_at(node.named_child(0)?, depth + 1)?),
            Step::Custom(read) => return read(self, node, depth + 1),
            Step::Awaited => Value::Awaited(self.value_at(node.named_child(0)?, depth + 1)?),
            Step::Of(name) => Value::Of(self.written(field(node, name)?)?),
            Step::As => {
                let last = u32::try_from(node.named_child_count()).ok()?.checked_sub(1)?;
                match node.named_child(last).filter(|_| last > 0).and_then(|it| self.written(it)) {
                    Some(written) => Value::Of(written),
                    None => return self.value_at(node.named_child(0)?, depth + 1),
                }
            }
            Step::Through(name) => return self.value_at(field(node, name)?, depth + 1),
            Step::First => return self.value_at(node.named_child(0)?, depth + 1),
            Step::Either(left, right) => {
                return self.either([field(node, left), field(node, right)], depth);
            }
            Step::Ends => {
                let last = u32::try_from(node.named_child_count()).ok()?.checked_sub(1)?;
                return self.either([node.named_child(0), node.named_child(last)], depth);
            }
            Step::Choice(operators) => {
                let operator = field(node, "operator")?;
                if !operators.contains(&operator.kind()) {
                    return None;
                }
                return self.either([field(node, "left"), field(node, "right")], depth);
            }
            Step::Literal => Value::Literal,
        };
        Some(self.tables.value(value))
    }

    fn either(&mut self, sides: [Option<Node<'t>>; 2], depth: u32) -> Option<ValueNumber> {
        let [left, right] = sides.map(|it| it.and_then(|it| self.value_at(it, depth + 1)));
        match (left, right) {
            (Some(left), Some(right)) => Some(self.tables.value(Value::Either(left, right))),
            (one, other) => one.or(other),
        }
    }

    /// A chain of names with dots, such as `a.b.c`; what has `::` in it is one name.
    pub(super) fn chain(&mut self, text: &'t str) -> ValueNumber {
        let mut parts = text.split('.').filter(|it| !it.is_empty());
        let first = self.tables.names.intern(parts.next().unwrap_or(text));
        let mut value = self.tables.value(Value::Name(first));
        for part in parts {
            let name = self.tables.names.intern(part);
            value = self.tables.value(Value::Member(value, name));
        }
        value
    }

    pub(super) fn name_of(&mut self, node: Node<'t>) -> Option<Name> {
        let text = self.text_of(node);
        (!text.is_empty() && text.len() <= super::walk::LONGEST_NAME).then(|| self.tables.names.intern(text))
    }

    /// A member of another value, by the node of its name.
    pub(super) fn member(&mut self, of: Option<ValueNumber>, name: Node<'t>) -> Option<ValueNumber> {
        let name = self.name_of(name)?;
        self.made(of, |it| Value::Member(it, name))
    }

    /// Something of a type that is written out.
    pub(super) fn of(&mut self, written: Option<WrittenNumber>) -> Option<ValueNumber> {
        written.map(|it| self.tables.value(Value::Of(it)))
    }

    /// A value made of another one.
    pub(super) fn made(
        &mut self,
        of: Option<ValueNumber>,
        how: impl FnOnce(ValueNumber) -> Value,
    ) -> Option<ValueNumber> {
        of.map(|it| self.tables.value(how(it)))
    }
}
