//! What JavaScript and TypeScript tell of values: expressions, and the names that functions bind to them.

use tree_sitter::Node;

use super::definition::Visibility;
use super::grammar::Steps;
use super::script::is_function;
use super::value::{Step, Value, ValueNumber};
use super::walk::{Below, Context, Walk, child, children, field};

pub(super) const STEPS: Steps = &[
    ("identifier", Step::Name),
    ("this", Step::Name),
    ("member_expression", Step::Member("object", "property")),
    ("call_expression", Step::Call("function", "arguments")),
    ("new_expression", Step::New("constructor")),
    ("subscript_expression", Step::Item("object")),
    ("await_expression", Step::Awaited),
    ("parenthesized_expression", Step::First),
    ("non_null_expression", Step::First),
    ("satisfies_expression", Step::First),
    ("as_expression", Step::As),
    ("ternary_expression", Step::Either("consequence", "alternative")),
    ("binary_expression", Step::Choice(&["??", "||", "&&"])),
    ("assignment_expression", Step::Through("right")),
    ("string", Step::Literal),
    ("template_string", Step::Literal),
    ("number", Step::Literal),
    ("regex", Step::Literal),
    ("array", Step::Literal),
];

/// The names of a destructuring pattern, as parts of what is taken apart; shorthand names bind themselves too.
pub(super) fn bind_pattern<'t>(walk: &mut Walk<'t>, pattern: Node<'t>, of: Option<ValueNumber>) {
    let is_list = pattern.kind() == "array_pattern";
    for (place, part) in children(pattern).into_iter().enumerate() {
        let (key, target) = match part.kind() {
            "pair_pattern" => (field(part, "key"), field(part, "value")),
            "object_assignment_pattern" => (field(part, "left"), field(part, "left")),
            "assignment_pattern" => (None, field(part, "left")),
            "rest_pattern" => (None, None),
            "shorthand_property_identifier_pattern" => (Some(part), Some(part)),
            _ => (None, Some(part)),
        };
        let value = match key {
            Some(key) => walk.member(of, key),
            None if is_list => walk.made(of, |it| Value::Part(it, u8::try_from(place).unwrap_or(u8::MAX))),
            None => None,
        };
        let target = target
            .map(|it| if it.kind() == "assignment_pattern" { field(it, "left").unwrap_or(it) } else { it });
        match target {
            Some(name) if is_name(name) => walk.bind_as(name, None, value),
            Some(inner) if inner.kind().ends_with("_pattern") => bind_names(walk, inner),
            Some(_) | None => {
                if let Some(name) =
                    part.named_child(0).filter(|it| it.kind() == "identifier" && key.is_none())
                {
                    walk.bind(name);
                }
            }
        }
    }
}

/// The names that stand directly in a pattern inside a pattern.
fn bind_names<'t>(walk: &mut Walk<'t>, pattern: Node<'t>) {
    for name in children(pattern).into_iter().filter(|it| it.kind() == "identifier") {
        walk.bind(name);
    }
}

fn is_name(node: Node<'_>) -> bool {
    matches!(node.kind(), "identifier" | "shorthand_property_identifier_pattern")
}

pub(super) fn parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    for (place, parameter) in children(node).into_iter().enumerate() {
        bind_parameter(walk, parameter, place);
    }
    Below::As(Context::Value)
}

fn bind_parameter<'t>(walk: &mut Walk<'t>, parameter: Node<'t>, place: usize) {
    let pattern = match parameter.kind() {
        "required_parameter" | "optional_parameter" => field(parameter, "pattern"),
        "assignment_pattern" => field(parameter, "left"),
        "rest_pattern" => parameter.named_child(0),
        _ => Some(parameter),
    };
    let Some(mut pattern) = pattern else { return };
    if pattern.kind() == "rest_pattern" {
        pattern = pattern.named_child(0).unwrap_or(pattern);
    }
    let declared = walk.written_of(field(parameter, "type"));
    let default = walk.value_of(field(parameter, "value").or_else(|| field(parameter, "right")));
    let function = walk.parent();
    let value = default.or_else(|| passed(walk, function, place));
    if pattern.kind() == "identifier" {
        walk.bind_parameter(pattern, place, declared, value);
        // `constructor(private name: Type)` makes a field.
        let is_field =
            child(parameter, "accessibility_modifier").is_some() || child(parameter, "readonly").is_some();
        if is_field && walk.define_attribute(pattern, Visibility::Exported) {
            walk.tell(declared, value);
        }
    } else {
        let of = walk.of(declared).or(value);
        bind_pattern(walk, pattern, of);
    }
}

pub(super) fn arrow<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    walk.open_function();
    if let Some(parameter) = field(node, "parameter") {
        let value = passed(walk, Some(node), 0);
        walk.bind_parameter(parameter, 0, None, value);
    }
    if let Some(body) = field(node, "body").filter(|it| it.kind() != "statement_block") {
        let value = walk.value(body);
        walk.give_back(value);
    }
    Below::Walk
}

/// What a function that stands among the arguments of a call gets at the place of a parameter.
fn passed<'t>(walk: &mut Walk<'t>, function: Option<Node<'t>>, parameter: usize) -> Option<ValueNumber> {
    let function = function.filter(|it| is_function(it.kind()))?;
    let around: Vec<Node<'t>> = walk.ancestors().take(3).collect();
    let at = around.iter().position(|it| it.kind() == "arguments")?;
    let (arguments, call) = (*around.get(at)?, *around.get(at + 1)?);
    let callee = field(call, "function").or_else(|| field(call, "constructor"))?;
    let argument = children(arguments).iter().position(|it| it.id() == function.id())?;
    let callee = walk.value(callee)?;
    let (argument, parameter) = (u8::try_from(argument).ok()?, u8::try_from(parameter).ok()?);
    walk.made(Some(callee), |callee| Value::Passed { callee, argument, parameter })
}

/// `for (const name of many)`.
pub(super) fn each<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let Some(left) = field(node, "left") else { return Below::Walk };
    let is_of = field(node, "operator").is_some_and(|it| it.kind() == "of");
    let whole = walk.value_of(field(node, "right").filter(|_| is_of));
    let item = walk.made(whole, Value::Item);
    if left.kind() == "identifier" {
        walk.bind_as(left, None, item);
    } else {
        bind_pattern(walk, left, item);
    }
    Below::Walk
}

pub(super) fn gives<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let value = walk.value_of(node.named_child(0));
    walk.give_back(value);
    Below::Walk
}

/// `name instanceof Type`: where it is asked, it is most likely so.
pub(super) fn narrow<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let is_question = field(node, "operator").is_some_and(|it| it.kind() == "instanceof");
    let name = field(node, "left").filter(|it| is_question && it.kind() == "identifier");
    if let Some(name) = name {
        let class = walk.value_of(field(node, "right"));
        let value = walk.made(class, Value::New);
        walk.tell_binding(name, value);
    }
    Below::Walk
}
