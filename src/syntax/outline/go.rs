//! What is read in Go.

use tree_sitter::Node;

use super::definition::{DefinitionKind, Role, Visibility};
use super::go_value::{self, literal, parameters, range, short_variables};
use super::grammar::Rows;
use super::import::ImportKind;
use super::reference::ReferenceKind;
use super::walk::{Before, Below, Sketch, Walk, children, field, unquoted};

pub(super) const ROWS: Rows = &[
    ("comment", |walk, node| walk.lead(node)),
    ("int_literal", |_, _| Below::Skip),
    ("interpreted_string_literal", |_, _| Below::Skip),
    ("raw_string_literal", |_, _| Below::Skip),
    ("package_clause", package),
    ("import_spec", import),
    ("function_declaration", function),
    ("method_declaration", method),
    ("type_spec", type_spec),
    ("type_alias", type_spec),
    ("const_spec", |walk, node| value(walk, node, DefinitionKind::Constant)),
    ("var_spec", |walk, node| value(walk, node, DefinitionKind::Variable)),
    ("field_declaration", struct_field),
    ("method_elem", |walk, node| declare(walk, node, node, DefinitionKind::Method)),
    ("call_expression", call),
    ("selector_expression", selector),
    ("type_identifier", type_name),
    ("qualified_type", qualified_type),
    ("identifier", |walk, node| walk.plain_name(node)),
    ("parameter_list", parameters),
    ("short_var_declaration", short_variables),
    ("range_clause", range),
    ("func_literal", literal),
    ("function_type", literal),
    ("keyed_element", keyed),
];

fn visibility(name: &str) -> Visibility {
    Visibility::exported_if(name.starts_with(char::is_uppercase))
}

fn package<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(name) = node.named_child(0) {
        walk.packages.push(walk.text_of(name).into());
    }
    Below::Skip
}

fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let Some(path) = field(node, "path") else { return Below::Skip };
    let module = unquoted(walk.text_of(path));
    let (kind, names) = match field(node, "name").map(|it| (walk.text_of(it), it)) {
        None => (ImportKind::Module, Vec::new()),
        Some(("_", _)) => (ImportKind::SideEffect, Vec::new()),
        Some((".", _)) => (ImportKind::Star, Vec::new()),
        Some((_, alias)) => (ImportKind::Module, vec![walk.renamed(module, alias)]),
    };
    walk.import(node, module, kind, names);
    Below::Skip
}

fn declare<'t>(walk: &mut Walk<'t>, node: Node<'t>, whole: Node<'t>, kind: DefinitionKind) -> Below {
    let Some(name) = field(node, "name") else { return Below::Walk };
    let (visibility, body) = (visibility(walk.text_of(name)), field(node, "body"));
    walk.define(Sketch { kind, name, whole, body, visibility, role: Role::Code });
    let declared = field(node, "result").or_else(|| field(node, "type"));
    let declared = walk.written_of(declared);
    walk.tell(declared, None);
    Below::Walk
}

/// `func TestX(t *testing.T)` and its like.
fn is_test(name: &str, parameters: &str) -> bool {
    let takes = |it: &str| parameters.contains(it);
    let follows = |prefix: &str| {
        name.strip_prefix(prefix).is_some_and(|rest| !rest.starts_with(|it: char| it.is_lowercase()))
    };
    follows("Test") && (takes("testing.T") || takes("testing.M"))
        || follows("Benchmark") && takes("testing.B")
        || follows("Fuzz") && takes("testing.F")
        || follows("Example") && parameters == "()"
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let Some(name) = field(node, "name") else { return Below::Walk };
    let text = walk.text_of(name);
    let parameters = field(node, "parameters").map_or("", |it| walk.text_of(it));
    let role = Role::test_if(is_test(text, parameters));
    walk.receiver = None;
    let (visibility, body) = (visibility(text), field(node, "body"));
    walk.define(Sketch { kind: DefinitionKind::Function, name, whole: node, body, visibility, role });
    let declared = walk.written_of(field(node, "result"));
    walk.tell(declared, None);
    Below::Walk
}

fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let Some(name) = field(node, "name") else { return Below::Walk };
    let receiver = field(node, "receiver").and_then(|it| it.named_child(0));
    let text_of = |name: &'static str| receiver.and_then(|it| field(it, name)).map(|it| walk.text_of(it));
    let text = text_of("type").unwrap_or_default();
    walk.receiver = text_of("name");
    let owner = text.trim_start_matches(['*', '(', ' ']).split(['[', ')']).next().unwrap_or_default().trim();
    let (visibility, body) = (visibility(walk.text_of(name)), field(node, "body"));
    let sketch =
        Sketch { kind: DefinitionKind::Method, name, whole: node, body, visibility, role: Role::Code };
    walk.define_for(sketch, Some(owner).filter(|it| !it.is_empty()));
    let declared = walk.written_of(field(node, "result"));
    walk.tell(declared, None);
    Below::Walk
}

fn type_spec<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let kind = match field(node, "type").map(|it| it.kind()) {
        Some("struct_type") => DefinitionKind::Struct,
        Some("interface_type") => DefinitionKind::Interface,
        _ => DefinitionKind::Type,
    };
    let whole = walk.parent().filter(|it| it.named_child_count() == 1).unwrap_or(node);
    let Some(name) = field(node, "name") else { return Below::Walk };
    let (visibility, body) = (visibility(walk.text_of(name)), field(node, "type"));
    walk.define(Sketch { kind, name, whole, body, visibility, role: Role::Code });
    if node.kind() == "type_alias" {
        let declared = walk.written_of(field(node, "type"));
        walk.tell(declared, None);
    }
    Below::Walk
}

fn value<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: DefinitionKind) -> Below {
    let mut cursor = node.walk();
    let names: Vec<Node<'t>> = node.children_by_field_name("name", &mut cursor).collect();
    let declared = walk.written_of(field(node, "type"));
    let values = field(node, "value").map(children).unwrap_or_default();
    let count = names.len();
    for (place, name) in names.into_iter().enumerate().filter(|it| it.1.kind() == "identifier") {
        let value = go_value::at(walk, &values, place, count);
        if walk.is_outside_functions() {
            let (visibility, body) = (visibility(walk.text_of(name)), field(node, "value"));
            let whole = walk.parent().filter(|it| it.named_child_count() == 1).unwrap_or(node);
            walk.define_flat(Sketch { kind, name, whole, body, visibility, role: Role::Code });
            walk.tell(declared, value);
        } else {
            walk.bind_as(name, declared, value);
        }
    }
    Below::Walk
}

/// A field, or an embedded type whose members become the struct's own.
fn struct_field<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if field(node, "name").is_some() {
        if walk.is_in_type() {
            return declare(walk, node, node, DefinitionKind::Field);
        }
        return Below::Walk;
    }
    match field(node, "type") {
        Some(base) if base.kind() == "type_identifier" => {
            walk.mark(ReferenceKind::Inherits, base, Before::Nothing);
        }
        Some(base) if base.kind() == "qualified_type" => {
            if let Some(name) = field(base, "name") {
                walk.mark(ReferenceKind::Inherits, name, walk.before(field(base, "package")));
            }
        }
        _ => {}
    }
    Below::Walk
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    match field(node, "function") {
        Some(function) if function.kind() == "identifier" => {
            walk.mark(ReferenceKind::Call, function, Before::Nothing);
        }
        Some(function) if function.kind() == "selector_expression" => {
            member(walk, function, ReferenceKind::Call);
        }
        _ => {}
    }
    Below::Walk
}

fn selector<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    member(walk, node, ReferenceKind::Use);
    Below::Walk
}

fn member<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: ReferenceKind) {
    if let Some(name) = field(node, "field") {
        let operand = walk.before(field(node, "operand"));
        let is_own = walk.receiver.is_some_and(|it| operand == Before::Named(it));
        let before = if is_own { Before::Named("self") } else { operand };
        walk.mark(kind, name, before);
    }
}

fn type_name<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    walk.type_name(node, Before::Nothing);
    Below::Skip
}

fn qualified_type<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(name) = field(node, "name") {
        walk.type_name(name, walk.before(field(node, "package")));
    }
    Below::Skip
}

/// The key of a struct literal is a field of it, not a name of the file.
fn keyed<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let key = node.named_child(0).and_then(|it| it.named_child(0));
    let Some(key) = key.filter(|it| it.kind() == "identifier") else { return Below::Walk };
    let literal = walk.ancestors().nth(1).filter(|it| it.kind() == "composite_literal");
    let subject = literal.and_then(|it| field(it, "type"));
    match subject.filter(|it| matches!(it.kind(), "type_identifier" | "qualified_type")) {
        Some(subject) => walk.mark(ReferenceKind::Use, key, walk.before(Some(subject))),
        None => walk.claim(key),
    }
    Below::Walk
}
