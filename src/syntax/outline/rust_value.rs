//! What Rust tells of values: expressions, and the names that functions bind to them.

use tree_sitter::Node;

use super::grammar::Steps;
use super::value::{Step, Value, ValueNumber};
use super::walk::{Below, Walk, child, children, field};
use super::written::WrittenNumber;

pub(super) const STEPS: Steps = &[
    ("identifier", Step::Name),
    ("self", Step::Name),
    ("scoped_identifier", Step::Name),
    ("generic_function", Step::Through("function")),
    ("field_expression", Step::Member("value", "field")),
    ("call_expression", Step::Call("function", "arguments")),
    ("struct_expression", Step::Of("name")),
    ("type_cast_expression", Step::Of("type")),
    ("reference_expression", Step::Through("value")),
    ("unary_expression", Step::First),
    ("parenthesized_expression", Step::First),
    ("index_expression", Step::ItemOfFirst),
    ("await_expression", Step::Awaited),
    ("try_expression", Step::Awaited),
    ("string_literal", Step::Literal),
    ("integer_literal", Step::Literal),
    ("boolean_literal", Step::Literal),
];

/// The name in `mut name`, `&name`, `ref name`.
fn plain(pattern: Node<'_>) -> Node<'_> {
    match pattern.kind() {
        "mut_pattern" | "reference_pattern" | "ref_pattern" => {
            let last = u32::try_from(pattern.named_child_count()).unwrap_or(0).saturating_sub(1);
            pattern.named_child(last).unwrap_or(pattern)
        }
        _ => pattern,
    }
}

/// The names of a pattern, as what it takes apart.
fn bind_pattern<'t>(
    walk: &mut Walk<'t>,
    pattern: Node<'t>,
    declared: Option<WrittenNumber>,
    value: Option<ValueNumber>,
) {
    let pattern = plain(pattern);
    match pattern.kind() {
        "identifier" => walk.bind_as(pattern, declared, value),
        "tuple_pattern" => {
            let of = walk.of(declared).or(value);
            for (place, part) in children(pattern).into_iter().enumerate() {
                let part_value = walk.made(of, |it| Value::Part(it, u8::try_from(place).unwrap_or(u8::MAX)));
                let part = plain(part);
                if part.kind() == "identifier" {
                    walk.bind_as(part, None, part_value);
                }
            }
        }
        // `Some(name)`, `Ok(name)`: what is inside.
        "tuple_struct_pattern" => {
            let last = field(pattern, "type")
                .map_or("", |it| walk.text_of(it))
                .rsplit("::")
                .next()
                .unwrap_or_default();
            let is_first = matches!(last, "Some" | "Ok" | "Ready");
            for part in children(pattern).into_iter().skip(1) {
                let inner = walk.made(value.filter(|_| is_first), Value::Item);
                let part = plain(part);
                if part.kind() == "identifier" {
                    walk.bind_as(part, None, inner);
                }
            }
        }
        "struct_pattern" => {
            for part in children(pattern).into_iter().filter(|it| it.kind() == "field_pattern") {
                let name =
                    field(part, "pattern").map(plain).or_else(|| child(part, "shorthand_field_identifier"));
                if let Some(name) = name.filter(|it| it.kind().ends_with("identifier")) {
                    let key = field(part, "name").unwrap_or(name);
                    let of = field(pattern, "type");
                    let of = walk.written_of(of);
                    let of = walk.of(of);
                    let value = walk.member(of, key);
                    walk.bind_as(name, None, value);
                }
            }
        }
        _ => {}
    }
}

pub(super) fn let_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let Some(pattern) = field(node, "pattern") else { return Below::Walk };
    let declared = walk.written_of(field(node, "type"));
    let value = walk.value_of(field(node, "value"));
    bind_pattern(walk, pattern, declared, value);
    Below::Walk
}

pub(super) fn let_condition<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let Some(pattern) = field(node, "pattern") else { return Below::Walk };
    let value = walk.value_of(field(node, "value"));
    bind_pattern(walk, pattern, None, value);
    Below::Walk
}

pub(super) fn matched<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let value = walk.value_of(field(node, "value"));
    let arms = field(node, "body").map(children).unwrap_or_default();
    for arm in arms {
        let pattern = field(arm, "pattern").and_then(|it| it.named_child(0));
        if let Some(pattern) = pattern.filter(|it| it.kind() != "identifier") {
            bind_pattern(walk, pattern, None, value);
        }
    }
    Below::Walk
}

pub(super) fn for_expression<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let Some(pattern) = field(node, "pattern") else { return Below::Walk };
    let whole = walk.value_of(field(node, "value"));
    let item = walk.made(whole, Value::Item);
    bind_pattern(walk, pattern, None, item);
    Below::Walk
}

pub(super) fn parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let taken = children(node).into_iter().filter(|it| it.kind() == "parameter");
    for (place, parameter) in taken.enumerate() {
        let Some(pattern) = field(parameter, "pattern").map(plain) else { continue };
        let declared = walk.written_of(field(parameter, "type"));
        if pattern.kind() == "identifier" {
            walk.bind_parameter(pattern, place, declared, None);
        } else {
            bind_pattern(walk, pattern, declared, None);
        }
    }
    Below::Walk
}

pub(super) fn closure<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    walk.open_function();
    let parameters = field(node, "parameters").map(children).unwrap_or_default();
    for parameter in parameters.into_iter().filter(|it| it.kind() == "parameter") {
        if let Some(pattern) = field(parameter, "pattern") {
            let declared = walk.written_of(field(parameter, "type"));
            bind_pattern(walk, pattern, declared, None);
        }
    }
    Below::Walk
}
