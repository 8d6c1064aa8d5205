//! What is read in Kotlin. Its grammar names no fields: children are told by their kind.

use tree_sitter::Node;

use super::definition::{DefinitionKind, Role, Visibility};
use super::grammar::{Rows, Steps};
use super::import::ImportKind;
use super::reference::ReferenceKind;
use super::value::{Step, Value, ValueNumber};
use super::walk::{Before, Below, Context, Sketch, Walk, child, children};

pub(super) const STEPS: Steps = &[
    ("simple_identifier", Step::Name),
    ("this_expression", Step::Name),
    ("navigation_expression", Step::Custom(navigated)),
    ("call_expression", Step::Custom(called)),
    ("as_expression", Step::As),
    ("parenthesized_expression", Step::First),
    ("postfix_expression", Step::First),
    ("indexing_expression", Step::ItemOfFirst),
    ("string_literal", Step::Literal),
    ("integer_literal", Step::Literal),
];

pub(super) const ROWS: Rows = &[
    ("line_comment", |walk, node| walk.lead(node)),
    ("multiline_comment", |walk, node| walk.lead(node)),
    ("package_header", package),
    ("import_header", import),
    ("class_declaration", class),
    ("object_declaration", |walk, node| declare(walk, node, DefinitionKind::Class)),
    ("companion_object", companion),
    ("type_alias", |walk, node| declare(walk, node, DefinitionKind::Type)),
    ("enum_entry", |walk, node| declare(walk, node, DefinitionKind::Variant)),
    ("function_declaration", function),
    ("property_declaration", property),
    ("class_parameter", class_parameter),
    ("delegation_specifier", |_, _| Below::As(Context::Bases)),
    ("type_arguments", |_, _| Below::As(Context::Type)),
    ("value_arguments", |_, _| Below::As(Context::Value)),
    ("call_expression", call),
    ("navigation_expression", navigation),
    ("type_parameters", |walk, node| walk.type_parameters(node)),
    ("user_type", user_type),
    ("function_value_parameters", parameters),
    ("variable_declaration", variable),
    ("lambda_literal", lambda),
    ("anonymous_function", lambda),
    ("value_argument", argument),
    ("simple_identifier", |walk, node| walk.plain_name(node)),
];

/// Annotations that make a function a test.
const TESTS: &[&str] =
    &["Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Property"];

fn package<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(name) = child(node, "identifier") {
        walk.packages.push(walk.text_of(name).into());
    }
    Below::Skip
}

fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let Some(path) = child(node, "identifier") else { return Below::Skip };
    let text = walk.text_of(path);
    if child(node, "wildcard_import").is_some() {
        walk.import(node, text, ImportKind::Star, Vec::new());
    } else if let Some((module, name)) = text.rsplit_once('.') {
        let alias = child(node, "import_alias").and_then(|it| it.named_child(0));
        let names = vec![walk.imported_end(name, path, alias)];
        walk.import(node, module, ImportKind::Names, names);
    }
    Below::Skip
}

fn modifiers<'t>(walk: &Walk<'t>, node: Node<'t>) -> &'t str {
    child(node, "modifiers").map_or("", |it| walk.text_of(it))
}

fn name_of(node: Node<'_>) -> Option<Node<'_>> {
    child(node, "type_identifier").or_else(|| child(node, "simple_identifier"))
}

fn body_of(node: Node<'_>) -> Option<Node<'_>> {
    ["function_body", "class_body", "enum_class_body"].iter().find_map(|it| child(node, it))
}

fn visibility(modifiers: &str) -> Visibility {
    Visibility::exported_if(!modifiers.split_whitespace().any(|it| it == "private"))
}

fn is_test(walk: &Walk<'_>, node: Node<'_>) -> bool {
    let annotations = child(node, "modifiers").into_iter().flat_map(children);
    annotations.filter(|it| it.kind() == "annotation").any(|it| {
        let text = walk.text_of(it).trim_start_matches('@');
        let name = text.split('(').next().unwrap_or(text);
        TESTS.contains(&name.rsplit('.').next().unwrap_or(name))
    })
}

fn declare<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: DefinitionKind) -> Below {
    let Some(name) = name_of(node) else { return Below::Walk };
    let visibility = visibility(modifiers(walk, node));
    let role = Role::test_if(
        matches!(kind, DefinitionKind::Function | DefinitionKind::Method) && is_test(walk, node),
    );
    walk.define(Sketch { kind, name, whole: node, body: body_of(node), visibility, role });
    Below::Walk
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let kind = if child(node, "interface").is_some() {
        DefinitionKind::Interface
    } else if child(node, "enum_class_body").is_some() {
        DefinitionKind::Enum
    } else {
        DefinitionKind::Class
    };
    declare(walk, node, kind)
}

/// A companion without a name is part of its class.
fn companion<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if name_of(node).is_some() { declare(walk, node, DefinitionKind::Class) } else { Below::Walk }
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let kind = if walk.is_in_type() { DefinitionKind::Method } else { DefinitionKind::Function };
    let below = declare(walk, node, kind);
    // The result stands behind the parameters, the receiver of an extension before them.
    let parts = children(node);
    let behind = parts.iter().position(|it| it.kind() == "function_value_parameters").unwrap_or(parts.len());
    let result = parts.into_iter().skip(behind + 1).find(|it| is_type(it.kind()));
    let declared = walk.written_of(result);
    walk.tell(declared, None);
    below
}

fn is_type(kind: &str) -> bool {
    matches!(kind, "user_type" | "nullable_type" | "function_type" | "parenthesized_type")
}

fn type_of(node: Node<'_>) -> Option<Node<'_>> {
    children(node).into_iter().find(|it| is_type(it.kind()))
}

fn property<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let variable = child(node, "variable_declaration");
    let Some(name) = variable.and_then(|it| child(it, "simple_identifier")) else { return Below::Walk };
    if !walk.is_outside_functions() {
        return Below::Walk;
    }
    let kind = if walk.is_in_type() { DefinitionKind::Field } else { DefinitionKind::Variable };
    let visibility = visibility(modifiers(walk, node));
    walk.define(Sketch { kind, name, whole: node, body: None, visibility, role: Role::Code });
    let declared = walk.written_of(variable.and_then(type_of));
    let value = walk.value_of(set_to(node));
    walk.tell(declared, value);
    Below::Walk
}

/// The expression behind the `=` of a property.
fn set_to(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    let mut parts = node.children(&mut cursor).skip_while(|it| it.kind() != "=").skip(1);
    parts.next()
}

/// `val` or `var` in a primary constructor makes a property.
fn class_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let Some(name) = child(node, "simple_identifier") else { return Below::Walk };
    if child(node, "binding_pattern_kind").is_none() {
        walk.claim(name);
        return Below::Walk;
    }
    let visibility = visibility(modifiers(walk, node));
    walk.define(Sketch {
        kind: DefinitionKind::Field,
        name,
        whole: node,
        body: None,
        visibility,
        role: Role::Code,
    });
    let declared = walk.written_of(type_of(node));
    walk.tell(declared, None);
    Below::Walk
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    match node.named_child(0) {
        Some(function) if function.kind() == "simple_identifier" => {
            walk.mark(ReferenceKind::Call, function, Before::Nothing);
        }
        Some(function) if function.kind() == "navigation_expression" => {
            member(walk, function, ReferenceKind::Call);
        }
        _ => {}
    }
    Below::Walk
}

fn navigation<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    member(walk, node, ReferenceKind::Use);
    Below::Walk
}

fn member<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: ReferenceKind) {
    let name = child(node, "navigation_suffix").and_then(|it| child(it, "simple_identifier"));
    if let Some(name) = name {
        walk.mark(kind, name, walk.before(node.named_child(0)));
    }
}

/// `a.b.Name`: the last name, with the path before it.
fn user_type<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let names: Vec<Node<'t>> =
        children(node).into_iter().filter(|it| it.kind() == "type_identifier").collect();
    let (Some(first), Some(last)) = (names.first(), names.last()) else { return Below::Walk };
    let path = walk.text.get(first.start_byte()..last.start_byte()).unwrap_or_default();
    let before = if path.is_empty() { Before::Nothing } else { Before::Named(path.trim_end_matches('.')) };
    walk.type_name(*last, before);
    Below::Walk
}

fn parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let parameters = children(node).into_iter().filter(|it| it.kind() == "parameter");
    for (place, parameter) in parameters.enumerate() {
        let declared = walk.written_of(type_of(parameter));
        if let Some(name) = child(parameter, "simple_identifier") {
            walk.bind_parameter(name, place, declared, None);
        }
    }
    Below::Walk
}

/// A variable of a function, of a loop, or the parameter of a lambda.
fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let around = walk.parent();
    let is_property = around.is_some_and(|it| it.kind() == "property_declaration");
    if is_property && walk.is_outside_functions() {
        return Below::Walk;
    }
    let declared = walk.written_of(type_of(node));
    let value = match around {
        Some(around) if is_property => walk.value_of(set_to(around)),
        Some(around) if around.kind() == "for_statement" => {
            let whole = children(around).into_iter().find(|it| it.start_byte() > node.end_byte());
            let whole = walk.value_of(whole);
            walk.made(whole, Value::Item)
        }
        _ => None,
    };
    if let Some(name) = child(node, "simple_identifier") {
        walk.bind_as(name, declared, value);
    }
    Below::Walk
}

fn lambda<'t>(walk: &mut Walk<'t>, _: Node<'t>) -> Below {
    walk.open_function();
    Below::Walk
}

fn navigated<'t>(walk: &mut Walk<'t>, node: Node<'t>, depth: u32) -> Option<ValueNumber> {
    let name = child(node, "navigation_suffix").and_then(|it| child(it, "simple_identifier"))?;
    let object = walk.value_at(node.named_child(0)?, depth)?;
    walk.member(Some(object), name)
}

fn called<'t>(walk: &mut Walk<'t>, node: Node<'t>, depth: u32) -> Option<ValueNumber> {
    let callee = walk.value_at(node.named_child(0)?, depth)?;
    walk.made(Some(callee), |it| Value::Call(it, None))
}

/// The name of a named argument belongs to the callee.
fn argument<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let name = child(node, "simple_identifier").filter(|_| child(node, "=").is_some());
    if let Some(name) = name.filter(|it| Some(*it) == node.named_child(0)) {
        walk.claim(name);
    }
    Below::Walk
}
