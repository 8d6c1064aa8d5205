//! What Go tells of values: expressions, and the names that functions bind to them.

use tree_sitter::Node;

use super::grammar::Steps;
use super::value::{Step, Value, ValueNumber};
use super::walk::{Below, Walk, children, field};

pub(super) const STEPS: Steps = &[
    ("identifier", Step::Name),
    ("selector_expression", Step::Member("operand", "field")),
    ("call_expression", Step::Call("function", "arguments")),
    ("composite_literal", Step::Of("type")),
    ("type_assertion_expression", Step::Of("type")),
    ("type_conversion_expression", Step::Of("type")),
    ("unary_expression", Step::Through("operand")),
    ("parenthesized_expression", Step::First),
    ("index_expression", Step::Item("operand")),
    ("slice_expression", Step::Through("operand")),
    ("interpreted_string_literal", Step::Literal),
    ("raw_string_literal", Step::Literal),
    ("int_literal", Step::Literal),
    ("float_literal", Step::Literal),
];

/// The value for one of several names: one of as many, or a part of the only one.
pub(super) fn at<'t>(
    walk: &mut Walk<'t>,
    values: &[Node<'t>],
    place: usize,
    count: usize,
) -> Option<ValueNumber> {
    if let ([only], true) = (values, count > 1) {
        // The second result of a look-up or an assertion says only whether there is one.
        let is_asked =
            matches!(only.kind(), "index_expression" | "type_assertion_expression" | "unary_expression");
        let value = walk.value(*only);
        if is_asked {
            return value.filter(|_| place == 0);
        }
        return walk.made(value, |it| Value::Part(it, u8::try_from(place).unwrap_or(u8::MAX)));
    }
    values.get(place).and_then(|it| walk.value(*it))
}

pub(super) fn short_variables<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let names = field(node, "left").map(children).unwrap_or_default();
    let values = field(node, "right").map(children).unwrap_or_default();
    let count = names.len();
    for (place, name) in names.into_iter().enumerate().filter(|it| it.1.kind() == "identifier") {
        let value = at(walk, &values, place, count);
        walk.bind_as(name, None, value);
    }
    Below::Walk
}

/// `for place, item := range many`.
pub(super) fn range<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let whole = walk.value_of(field(node, "right"));
    let item = walk.made(whole, Value::Item);
    let names = field(node, "left").map(children).unwrap_or_default();
    for (place, name) in names.into_iter().enumerate().filter(|it| it.1.kind() == "identifier") {
        walk.bind_as(name, None, item.filter(|_| place == 1));
    }
    Below::Walk
}

/// Parameters, named results and the receiver: all are names with a type.
pub(super) fn parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let around = walk.parent();
    let is_taken = around.is_some_and(|it| field(it, "parameters").is_some_and(|it| it.id() == node.id()));
    let mut place = 0;
    for parameter in children(node) {
        let written = if parameter.kind() == "variadic_parameter_declaration" {
            None
        } else {
            field(parameter, "type")
        };
        let declared = walk.written_of(written);
        let mut cursor = parameter.walk();
        let names: Vec<Node<'t>> = parameter.children_by_field_name("name", &mut cursor).collect();
        for name in &names {
            if is_taken {
                walk.bind_parameter(*name, place, declared, None);
            } else {
                walk.bind_as(*name, declared, None);
            }
            place += 1;
        }
        place += usize::from(names.is_empty());
    }
    Below::Walk
}

pub(super) fn literal<'t>(walk: &mut Walk<'t>, _: Node<'t>) -> Below {
    walk.open_function();
    Below::Walk
}
