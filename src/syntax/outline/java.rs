//! What is read in Java.

use tree_sitter::Node;

use super::definition::{DefinitionKind, Role, Visibility};
use super::grammar::{Rows, Steps};
use super::import::ImportKind;
use super::reference::ReferenceKind;
use super::value::{Step, Value, ValueNumber};
use super::walk::{Before, Below, Context, Sketch, Walk, child, children, field};

pub(super) const STEPS: Steps = &[
    ("identifier", Step::Name),
    ("this", Step::Name),
    ("field_access", Step::Member("object", "field")),
    ("method_invocation", Step::Custom(invoked)),
    ("object_creation_expression", Step::Of("type")),
    ("cast_expression", Step::Of("type")),
    ("parenthesized_expression", Step::First),
    ("array_access", Step::Item("array")),
    ("ternary_expression", Step::Either("consequence", "alternative")),
    ("string_literal", Step::Literal),
    ("decimal_integer_literal", Step::Literal),
    ("class_literal", Step::Literal),
];

pub(super) const ROWS: Rows = &[
    ("line_comment", |walk, node| walk.lead(node)),
    ("block_comment", |walk, node| walk.lead(node)),
    ("string_literal", |_, _| Below::Skip),
    ("package_declaration", package),
    ("import_declaration", import),
    ("class_declaration", |walk, node| declare(walk, node, DefinitionKind::Class)),
    ("record_declaration", |walk, node| declare(walk, node, DefinitionKind::Class)),
    ("interface_declaration", |walk, node| declare(walk, node, DefinitionKind::Interface)),
    ("annotation_type_declaration", |walk, node| declare(walk, node, DefinitionKind::Interface)),
    ("enum_declaration", |walk, node| declare(walk, node, DefinitionKind::Enum)),
    ("enum_constant", |walk, node| declare(walk, node, DefinitionKind::Variant)),
    ("method_declaration", |walk, node| declare(walk, node, DefinitionKind::Method)),
    ("constructor_declaration", |walk, node| declare(walk, node, DefinitionKind::Method)),
    ("compact_constructor_declaration", |walk, node| declare(walk, node, DefinitionKind::Method)),
    ("annotation_type_element_declaration", |walk, node| declare(walk, node, DefinitionKind::Method)),
    ("field_declaration", member_field),
    ("constant_declaration", member_field),
    ("local_variable_declaration", local),
    ("superclass", |_, _| Below::As(Context::Bases)),
    ("super_interfaces", |_, _| Below::As(Context::Bases)),
    ("extends_interfaces", |_, _| Below::As(Context::Bases)),
    ("type_arguments", |_, _| Below::As(Context::Type)),
    ("method_invocation", call),
    ("object_creation_expression", construct),
    ("marker_annotation", annotation),
    ("annotation", annotation),
    ("type_identifier", type_name),
    ("scoped_type_identifier", scoped_type),
    ("field_access", access),
    ("formal_parameters", parameters),
    ("catch_formal_parameter", |walk, node| bind_typed(walk, node, None)),
    ("enhanced_for_statement", each),
    ("resource", |walk, node| bind_typed(walk, node, field(node, "value"))),
    ("instanceof_expression", narrow),
    ("lambda_expression", lambda),
    ("inferred_parameters", |_, _| Below::As(Context::Binding)),
    ("identifier", |walk, node| walk.plain_name(node)),
];

/// Annotations that make a method a test.
const TESTS: &[&str] =
    &["Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Property"];

fn package<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    for name in
        children(node).into_iter().filter(|it| matches!(it.kind(), "scoped_identifier" | "identifier"))
    {
        walk.packages.push(walk.text_of(name).into());
    }
    Below::Skip
}

/// `import a.B`, `import static a.B.c`, `import a.*`: a type or member is a name of what stands before it.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let parts = children(node);
    let path = parts.iter().find(|it| matches!(it.kind(), "scoped_identifier" | "identifier"));
    let Some(path) = path.copied() else { return Below::Skip };
    let text = walk.text_of(path);
    if child(node, "asterisk").is_some() {
        walk.import(node, text, ImportKind::Star, Vec::new());
    } else if let Some((module, name)) = text.rsplit_once('.') {
        let names = vec![walk.imported_end(name, path, None)];
        walk.import(node, module, ImportKind::Names, names);
    }
    Below::Skip
}

fn modifiers<'t>(walk: &Walk<'t>, node: Node<'t>) -> &'t str {
    child(node, "modifiers").map_or("", |it| walk.text_of(it))
}

fn is_test<'t>(walk: &Walk<'t>, node: Node<'t>) -> bool {
    let annotations = child(node, "modifiers").into_iter().flat_map(children);
    annotations.filter_map(|it| field(it, "name")).any(|it| {
        let name = walk.text_of(it);
        TESTS.contains(&name.rsplit('.').next().unwrap_or(name))
    })
}

/// Members of an interface are open without saying so.
fn visibility(walk: &Walk<'_>, modifiers: &str) -> Visibility {
    let is_open =
        walk.scope().is_some_and(|it| matches!(it.kind, DefinitionKind::Interface | DefinitionKind::Enum));
    let says = |word: &str| modifiers.split_whitespace().any(|it| it == word);
    Visibility::exported_if(says("public") || says("protected") || is_open && !says("private"))
}

fn declare<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: DefinitionKind) -> Below {
    let Some(name) = field(node, "name") else { return Below::Walk };
    let visibility = visibility(walk, modifiers(walk, node));
    let role = Role::test_if(kind == DefinitionKind::Method && is_test(walk, node));
    walk.define(Sketch { kind, name, whole: node, body: field(node, "body"), visibility, role });
    let declared = walk.written_of(field(node, "type"));
    walk.tell(declared, None);
    Below::Walk
}

fn declarators(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children_by_field_name("declarator", &mut cursor).collect()
}

fn member_field<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let visibility = visibility(walk, modifiers(walk, node));
    let declared = walk.written_of(field(node, "type"));
    let declarators = declarators(node);
    let is_only = declarators.len() == 1;
    for declarator in declarators {
        let Some(name) = field(declarator, "name") else { continue };
        let (whole, body) = (if is_only { node } else { declarator }, field(declarator, "value"));
        let sketch = Sketch { kind: DefinitionKind::Field, name, whole, body, visibility, role: Role::Code };
        if is_only {
            walk.define(sketch);
        } else {
            walk.define_flat(sketch);
        }
        walk.tell(declared, None);
    }
    Below::Walk
}

fn local<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let declared = walk.written_of(field(node, "type").filter(|it| walk.text_of(*it) != "var"));
    for declarator in declarators(node) {
        let value = walk.value_of(field(declarator, "value"));
        if let Some(name) = field(declarator, "name").filter(|it| it.kind() == "identifier") {
            walk.bind_as(name, declared, value);
        }
    }
    Below::Walk
}

/// A name beside its type, or beside a value where the type is left to it.
fn bind_typed<'t>(walk: &mut Walk<'t>, node: Node<'t>, value: Option<Node<'t>>) -> Below {
    let written = field(node, "type").or_else(|| child(node, "catch_type"));
    let declared = walk.written_of(written.filter(|it| walk.text_of(*it) != "var"));
    let value = walk.value_of(value);
    if let Some(name) = field(node, "name").filter(|it| it.kind() == "identifier") {
        walk.bind_as(name, declared, value);
    }
    Below::Walk
}

fn each<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let declared = walk.written_of(field(node, "type").filter(|it| walk.text_of(*it) != "var"));
    let whole = walk.value_of(field(node, "value"));
    let item = walk.made(whole, Value::Item);
    if let Some(name) = field(node, "name").filter(|it| it.kind() == "identifier") {
        walk.bind_as(name, declared, item);
    }
    Below::Walk
}

fn parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let is_record = walk.parent().is_some_and(|it| it.kind() == "record_declaration");
    for (place, parameter) in children(node).into_iter().enumerate() {
        let declarator = child(parameter, "variable_declarator").and_then(|it| field(it, "name"));
        let Some(name) = field(parameter, "name").or(declarator) else { continue };
        let written = field(parameter, "type").or_else(|| parameter.named_child(0));
        let declared = walk.written_of(written);
        if is_record {
            let (kind, role, visibility) = (DefinitionKind::Field, Role::Code, Visibility::Exported);
            walk.define_flat(Sketch { kind, name, whole: parameter, body: None, visibility, role });
            walk.tell(declared, None);
        } else {
            walk.bind_parameter(name, place, declared, None);
        }
    }
    Below::Walk
}

fn lambda<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    walk.open_function();
    if let Some(name) = field(node, "parameters").filter(|it| it.kind() == "identifier") {
        walk.bind(name);
    }
    Below::Walk
}

/// `value instanceof Type name`.
fn narrow<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let declared = walk.written_of(field(node, "right"));
    if let Some(name) = field(node, "name") {
        walk.bind_as(name, declared, None);
    }
    Below::Walk
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(name) = field(node, "name") {
        walk.mark(ReferenceKind::Call, name, walk.before(field(node, "object")));
    }
    Below::Walk
}

/// `object.name(…)`, or `name(…)` of the class itself.
fn invoked<'t>(walk: &mut Walk<'t>, node: Node<'t>, depth: u32) -> Option<ValueNumber> {
    let name = field(node, "name")?;
    let callee = match field(node, "object") {
        Some(object) => {
            let object = walk.value_at(object, depth)?;
            walk.member(Some(object), name)
        }
        None => walk.value_at(name, depth),
    };
    let argument = field(node, "arguments").and_then(|it| it.named_child(0));
    let argument = argument.and_then(|it| walk.value_at(it, depth));
    walk.made(callee, |it| Value::Call(it, argument))
}

fn construct<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let Some(mut subject) = field(node, "type") else { return Below::Walk };
    if subject.kind() == "generic_type" {
        subject = subject.named_child(0).unwrap_or(subject);
    }
    match subject.kind() {
        "type_identifier" => walk.mark(ReferenceKind::Call, subject, Before::Nothing),
        "scoped_type_identifier" => {
            let count = u32::try_from(subject.named_child_count()).unwrap_or(u32::MAX);
            if let Some(name) = subject.named_child(count.saturating_sub(1)) {
                walk.mark(ReferenceKind::Call, name, walk.before(subject.named_child(0)));
            }
        }
        _ => {}
    }
    Below::Walk
}

fn annotation<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(name) = field(node, "name").filter(|it| it.kind() == "identifier") {
        walk.mark(ReferenceKind::Type, name, Before::Nothing);
    }
    Below::Walk
}

fn type_name<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    walk.type_name(node, Before::Nothing);
    Below::Skip
}

fn scoped_type<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let parts = children(node);
    if let (Some(first), Some(last)) = (parts.first(), parts.last()) {
        walk.type_name(*last, walk.before(Some(*first)));
    }
    Below::Walk
}

fn access<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(name) = field(node, "field") {
        walk.mark(ReferenceKind::Use, name, walk.before(field(node, "object")));
    }
    Below::Walk
}
