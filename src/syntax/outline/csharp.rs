//! What is read in C#. A type's name is a plain identifier there: the place says that it is one.

use tree_sitter::Node;

use super::definition::{DefinitionKind, Role, Visibility};
use super::grammar::{Rows, Steps};
use super::import::ImportKind;
use super::reference::ReferenceKind;
use super::value::{Step, Value, ValueNumber};
use super::walk::{Before, Below, Context, Sketch, Walk, child, children, field};
use super::written::WrittenNumber;

pub(super) const STEPS: Steps = &[
    ("identifier", Step::Name),
    ("generic_name", Step::First),
    ("member_access_expression", Step::Custom(accessed)),
    ("conditional_access_expression", Step::Custom(asked)),
    ("invocation_expression", Step::Call("function", "arguments")),
    ("object_creation_expression", Step::Of("type")),
    ("cast_expression", Step::Of("type")),
    ("as_expression", Step::Of("right")),
    ("parenthesized_expression", Step::First),
    ("element_access_expression", Step::Item("expression")),
    ("await_expression", Step::Awaited),
    ("conditional_expression", Step::Either("consequence", "alternative")),
    ("binary_expression", Step::Choice(&["??"])),
    ("string_literal", Step::Literal),
    ("integer_literal", Step::Literal),
    ("interpolated_string_expression", Step::Literal),
];

pub(super) const ROWS: Rows = &[
    ("comment", |walk, node| walk.lead(node)),
    ("string_literal", |_, _| Below::Skip),
    ("namespace_declaration", namespace),
    ("file_scoped_namespace_declaration", namespace),
    ("using_directive", using),
    ("class_declaration", |walk, node| declare(walk, node, DefinitionKind::Class)),
    ("record_declaration", |walk, node| declare(walk, node, DefinitionKind::Class)),
    ("interface_declaration", |walk, node| declare(walk, node, DefinitionKind::Interface)),
    ("struct_declaration", |walk, node| declare(walk, node, DefinitionKind::Struct)),
    ("enum_declaration", |walk, node| declare(walk, node, DefinitionKind::Enum)),
    ("enum_member_declaration", |walk, node| declare(walk, node, DefinitionKind::Variant)),
    ("delegate_declaration", |walk, node| declare(walk, node, DefinitionKind::Type)),
    ("method_declaration", |walk, node| declare(walk, node, DefinitionKind::Method)),
    ("constructor_declaration", |walk, node| declare(walk, node, DefinitionKind::Method)),
    ("local_function_statement", |walk, node| declare(walk, node, DefinitionKind::Function)),
    ("property_declaration", |walk, node| declare(walk, node, DefinitionKind::Field)),
    ("field_declaration", member_field),
    ("event_field_declaration", member_field),
    ("base_list", |_, _| Below::As(Context::Bases)),
    ("type_argument_list", |_, _| Below::As(Context::Type)),
    ("argument_list", |_, _| Below::As(Context::Value)),
    ("attribute_list", |_, _| Below::As(Context::Value)),
    ("attribute", attribute),
    ("variable_declaration", variable),
    ("parameter_list", parameters),
    ("declaration_pattern", declared_pattern),
    ("catch_declaration", caught),
    ("lambda_expression", lambda),
    ("cast_expression", typed),
    ("typeof_expression", typed),
    ("nullable_type", typed),
    ("array_type", typed),
    ("foreach_statement", foreach),
    ("invocation_expression", call),
    ("object_creation_expression", construct),
    ("member_access_expression", access),
    ("qualified_name", qualified),
    ("identifier", |walk, node| walk.plain_name(node)),
];

/// Attributes that make a method a test.
const TESTS: &[&str] =
    &["Test", "TestCase", "TestCaseSource", "Fact", "Theory", "TestMethod", "DataTestMethod"];

fn namespace<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(name) = field(node, "name") {
        let text: Box<str> = walk.text_of(name).into();
        if !walk.packages.contains(&text) {
            walk.packages.push(text);
        }
        claim_all(walk, name);
    }
    Below::Walk
}

/// Says of every name in a path that it is no use of a value.
fn claim_all<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut open = vec![node];
    while let Some(at) = open.pop() {
        if at.kind() == "identifier" { walk.claim(at) } else { open.extend(children(at)) }
    }
}

/// `using A.B;`, `using static A.B.C;`, `using X = A.B.C;`.
fn using<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let alias = field(node, "name");
    let path = children(node).into_iter().rfind(|it| Some(*it) != alias);
    let Some(path) = path else { return Below::Skip };
    let text = walk.text_of(path);
    if alias.is_some() {
        let (module, name) = text.rsplit_once('.').unwrap_or(("", text));
        let names = vec![walk.imported_end(name, path, alias)];
        walk.import(node, module, ImportKind::Names, names);
    } else {
        walk.import(node, text, ImportKind::Star, Vec::new());
    }
    Below::Skip
}

fn says(walk: &Walk<'_>, node: Node<'_>, words: &[&str]) -> bool {
    children(node)
        .into_iter()
        .filter(|it| it.kind() == "modifier")
        .any(|it| words.contains(&walk.text_of(it)))
}

fn visibility(walk: &Walk<'_>, node: Node<'_>) -> Visibility {
    let is_open =
        walk.scope().is_some_and(|it| matches!(it.kind, DefinitionKind::Interface | DefinitionKind::Enum));
    Visibility::exported_if(is_open || says(walk, node, &["public", "protected", "internal"]))
}

fn is_test(walk: &Walk<'_>, node: Node<'_>) -> bool {
    let lists = children(node).into_iter().filter(|it| it.kind() == "attribute_list");
    lists.flat_map(children).filter_map(|it| field(it, "name")).any(|it| {
        let text = walk.text_of(it);
        let last = text.rsplit('.').next().unwrap_or(text);
        TESTS.contains(&last.strip_suffix("Attribute").unwrap_or(last))
    })
}

fn declare<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: DefinitionKind) -> Below {
    let Some(name) = field(node, "name") else { return Below::Walk };
    let visibility = visibility(walk, node);
    let role = Role::test_if(kind == DefinitionKind::Method && is_test(walk, node));
    let body = field(node, "body").or_else(|| field(node, "accessors"));
    walk.define(Sketch { kind, name, whole: node, body, visibility, role });
    let result = field(node, "returns").or_else(|| field(node, "type"));
    let declared = walk.written_of(result);
    walk.tell(declared, None);
    if let Some(result) = result {
        type_at(walk, result);
    }
    Below::Walk
}

fn member_field<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let visibility = visibility(walk, node);
    let declaration = child(node, "variable_declaration");
    let declared = walk.written_of(declaration.and_then(|it| field(it, "type")));
    for declarator in
        declaration.into_iter().flat_map(children).filter(|it| it.kind() == "variable_declarator")
    {
        if let Some(name) = field(declarator, "name") {
            let (kind, role) = (DefinitionKind::Field, Role::Code);
            walk.define_flat(Sketch { kind, name, whole: node, body: None, visibility, role });
            walk.tell(declared, None);
        }
    }
    Below::Walk
}

/// The names of a type, at a place that holds one.
fn type_at<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    match node.kind() {
        "identifier" => walk.type_name(node, Before::Nothing),
        "generic_name" => {
            if let Some(name) = child(node, "identifier") {
                walk.type_name(name, Before::Nothing);
            }
        }
        _ => {}
    }
}

fn typed<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(written) = field(node, "type") {
        type_at(walk, written);
    }
    Below::Walk
}

/// The type that stands before a name, unless it is left to the value.
fn written_type<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Option<WrittenNumber> {
    let written = field(node, "type").filter(|it| it.kind() != "implicit_type" && walk.text_of(*it) != "var");
    walk.written_of(written)
}

fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    typed(walk, node);
    let declared = written_type(walk, node);
    for declarator in children(node).into_iter().filter(|it| it.kind() == "variable_declarator") {
        let name = field(declarator, "name").filter(|_| !walk.is_outside_functions());
        let count = u32::try_from(declarator.named_child_count()).unwrap_or(0);
        let value = declarator.named_child(count.saturating_sub(1)).filter(|it| Some(*it) != name);
        let value = walk.value_of(value);
        if let Some(name) = name {
            walk.bind_as(name, declared, value);
        }
    }
    Below::Walk
}

fn parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let parameters = children(node).into_iter().filter(|it| it.kind() == "parameter");
    for (place, parameter) in parameters.enumerate() {
        typed(walk, parameter);
        let declared = written_type(walk, parameter);
        if let Some(name) = field(parameter, "name") {
            walk.bind_parameter(name, place, declared, None);
        }
    }
    Below::Walk
}

fn lambda<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    walk.open_function();
    if let Some(name) = field(node, "parameters").filter(|it| it.kind() == "implicit_parameter") {
        walk.bind(name);
    }
    Below::Walk
}

/// `value is Type name`, `case Type name`.
fn declared_pattern<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    typed(walk, node);
    let declared = written_type(walk, node);
    if let Some(name) = field(node, "name").filter(|it| it.kind() == "identifier") {
        walk.bind_as(name, declared, None);
    }
    Below::Walk
}

fn caught<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    declared_pattern(walk, node)
}

fn foreach<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    typed(walk, node);
    let declared = written_type(walk, node);
    let whole = walk.value_of(field(node, "right"));
    let item = walk.made(whole, Value::Item);
    if let Some(name) = field(node, "left").filter(|it| it.kind() == "identifier") {
        walk.bind_as(name, declared, item);
    }
    Below::Walk
}

/// `object.name`, also with type arguments.
fn accessed<'t>(walk: &mut Walk<'t>, node: Node<'t>, depth: u32) -> Option<ValueNumber> {
    let name = field(node, "name").and_then(plain)?;
    let object = walk.value_at(field(node, "expression")?, depth)?;
    walk.member(Some(object), name)
}

/// `object?.name` and `object?.name(…)`.
fn asked<'t>(walk: &mut Walk<'t>, node: Node<'t>, depth: u32) -> Option<ValueNumber> {
    let object = walk.value_at(field(node, "condition")?, depth)?;
    let rest = children(node).into_iter().last()?;
    let (binding, is_called) = match rest.kind() {
        "invocation_expression" => (field(rest, "function")?, true),
        _ => (rest, false),
    };
    let name = field(binding, "name").and_then(plain)?;
    let member = walk.member(Some(object), name);
    if is_called { walk.made(member, |it| Value::Call(it, None)) } else { member }
}

fn attribute<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(name) = field(node, "name") {
        type_at(walk, name);
    }
    Below::Walk
}

/// The identifier of a name that may carry type arguments.
fn plain(node: Node<'_>) -> Option<Node<'_>> {
    if node.kind() == "generic_name" { child(node, "identifier") } else { Some(node) }
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let Some(function) = field(node, "function") else { return Below::Walk };
    match function.kind() {
        "identifier" | "generic_name" => {
            if let Some(name) = plain(function) {
                walk.mark(ReferenceKind::Call, name, Before::Nothing);
            }
        }
        "member_access_expression" => member(walk, function, ReferenceKind::Call),
        "conditional_access_expression" => {
            let binding = children(function).into_iter().find(|it| it.kind() == "member_binding_expression");
            if let Some(name) = binding.and_then(|it| field(it, "name")).and_then(plain) {
                walk.mark(ReferenceKind::Call, name, walk.before(field(function, "condition")));
            }
        }
        _ => {}
    }
    Below::Walk
}

fn construct<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let subject = field(node, "type");
    match subject.map(|it| it.kind()) {
        Some("identifier" | "generic_name") => {
            if let Some(name) = subject.and_then(plain) {
                walk.mark(ReferenceKind::Call, name, Before::Nothing);
            }
        }
        Some("qualified_name") => {
            if let Some(name) = subject.and_then(|it| field(it, "name")).and_then(plain) {
                let path = subject.and_then(|it| field(it, "qualifier"));
                walk.mark(ReferenceKind::Call, name, walk.before(path));
            }
        }
        _ => {}
    }
    Below::Walk
}

fn access<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    member(walk, node, ReferenceKind::Use);
    Below::Walk
}

fn member<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: ReferenceKind) {
    if let Some(name) = field(node, "name").and_then(plain) {
        walk.mark(kind, name, walk.before(field(node, "expression")));
    }
}

fn qualified<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(name) = field(node, "name").and_then(plain) {
        walk.type_name(name, walk.before(field(node, "qualifier")));
    }
    Below::Walk
}
