//! What is read in Python.

use tree_sitter::Node;

use super::definition::{DefinitionKind, Role, Visibility};
use super::grammar::Rows;
use super::import::{ImportKind, ImportedName};
use super::reference::ReferenceKind;
use super::walk::{Before, Below, Context, Sketch, Walk, child, children, field};

pub(super) const ROWS: Rows = &[
    ("comment", |walk, node| walk.lead(node)),
    ("integer", |_, _| Below::Skip),
    ("float", |_, _| Below::Skip),
    ("decorated_definition", decorated),
    ("function_definition", function),
    ("class_definition", class),
    ("assignment", assignment),
    ("import_statement", import),
    ("import_from_statement", import_from),
    ("future_import_statement", |_, _| Below::Skip),
    ("call", call),
    ("attribute", attribute),
    ("identifier", |walk, node| walk.plain_name(node)),
    ("keyword_argument", keyword_argument),
    ("type", |_, _| Below::As(Context::Type)),
    ("parameters", parameters),
    ("lambda_parameters", parameters),
    ("for_statement", bound_left),
    ("for_in_clause", bound_left),
    ("as_pattern_target", |_, _| Below::As(Context::Binding)),
    ("named_expression", bound_name),
];

fn visibility(name: &str) -> Visibility {
    let is_dunder = name.starts_with("__") && name.ends_with("__");
    Visibility::exported_if(!name.starts_with('_') || is_dunder)
}

/// Decorators belong to what they decorate, so that what they use is used by it.
fn decorated<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    match field(node, "definition") {
        Some(inner) if inner.kind() == "class_definition" => class_with(walk, inner, node),
        Some(inner) => function_with(walk, inner, node),
        None => Below::Walk,
    }
}

fn is_decorated(walk: &Walk<'_>) -> bool {
    walk.parent().is_some_and(|it| it.kind() == "decorated_definition")
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if is_decorated(walk) { Below::Walk } else { function_with(walk, node, node) }
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if is_decorated(walk) { Below::Walk } else { class_with(walk, node, node) }
}

fn function_with<'t>(walk: &mut Walk<'t>, node: Node<'t>, whole: Node<'t>) -> Below {
    let Some(name) = field(node, "name") else { return Below::Walk };
    let text = walk.text_of(name);
    let is_method = walk.is_in_type();
    let is_in_tests = !is_method || walk.scope().is_some_and(|it| it.role == Role::Test);
    let kind = if is_method { DefinitionKind::Method } else { DefinitionKind::Function };
    let role = Role::test_if(text.starts_with("test") && is_in_tests && walk.is_outside_functions());
    let visibility = visibility(text);
    let body = field(node, "body");
    walk.define(Sketch { kind, name, whole, body, visibility, role });
    Below::Walk
}

fn class_with<'t>(walk: &mut Walk<'t>, node: Node<'t>, whole: Node<'t>) -> Below {
    let Some(name) = field(node, "name") else { return Below::Walk };
    let text = walk.text_of(name);
    let bases = field(node, "superclasses");
    let is_unittest = bases.is_some_and(|it| walk.text_of(it).contains("TestCase"));
    let role = Role::test_if(text.starts_with("Test") || is_unittest);
    let visibility = visibility(text);
    let body = field(node, "body");
    walk.define(Sketch { kind: DefinitionKind::Class, name, whole, body, visibility, role });
    for base in bases.into_iter().flat_map(children) {
        match base.kind() {
            "identifier" => walk.mark(ReferenceKind::Inherits, base, Before::Nothing),
            "attribute" => member(walk, base, ReferenceKind::Inherits),
            "subscript" => base_of_subscript(walk, base),
            _ => {}
        }
    }
    Below::Walk
}

/// `Generic[T]` as a base: the class is what is subscribed.
fn base_of_subscript<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(value) = field(node, "value").filter(|it| it.kind() == "identifier") {
        walk.mark(ReferenceKind::Inherits, value, Before::Nothing);
    }
}

fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let Some(left) = field(node, "left") else { return Below::Walk };
    if !walk.is_outside_functions() {
        bind_targets(walk, left);
        return Below::Walk;
    }
    if left.kind() == "identifier" {
        let text = walk.text_of(left);
        let is_constant = text.bytes().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || it == b'_');
        let kind = match (walk.is_in_type(), is_constant) {
            (true, _) => DefinitionKind::Field,
            (false, true) => DefinitionKind::Constant,
            (false, false) => DefinitionKind::Variable,
        };
        let (visibility, body) = (visibility(text), field(node, "right"));
        walk.define(Sketch { kind, name: left, whole: node, body, visibility, role: Role::Code });
    }
    Below::Walk
}

/// Plain names on the left of an assignment, also in a list of targets.
fn bind_targets<'t>(walk: &mut Walk<'t>, left: Node<'t>) {
    match left.kind() {
        "identifier" => walk.bind(left),
        "pattern_list" | "tuple_pattern" | "list_pattern" => {
            for target in children(left).into_iter().filter(|it| it.kind() == "identifier") {
                walk.bind(target);
            }
        }
        _ => {}
    }
}

fn bound_left<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(left) = field(node, "left") {
        bind_targets(walk, left);
    }
    Below::Walk
}

fn bound_name<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(name) = field(node, "name") {
        bind_targets(walk, name);
    }
    Below::Walk
}

/// Only the names: types and default values below are read as what they are.
fn parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let is_injected =
        walk.scope().is_some_and(|it| it.role == Role::Test && it.kind.runs()) || is_fixture(walk);
    for parameter in children(node) {
        let name = match parameter.kind() {
            "identifier" => Some(parameter),
            "default_parameter" | "typed_default_parameter" => field(parameter, "name"),
            _ => parameter.named_child(0),
        };
        let inner = name.and_then(|it| if it.kind() == "identifier" { Some(it) } else { it.named_child(0) });
        let name = inner.filter(|it| it.kind() == "identifier");
        if let Some(name) = name.filter(|it| !matches!(walk.text_of(*it), "self" | "cls")) {
            if is_injected { walk.inject(name) } else { walk.bind(name) }
        }
    }
    Below::Walk
}

/// Whether the function whose parameters are visited is a fixture of pytest.
fn is_fixture(walk: &Walk<'_>) -> bool {
    let around = walk.ancestors().nth(1).filter(|it| it.kind() == "decorated_definition");
    let decorators = around.into_iter().flat_map(children).filter(|it| it.kind() == "decorator");
    decorators.into_iter().any(|it| walk.text_of(it).contains("fixture"))
}

fn keyword_argument<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(name) = field(node, "name") {
        walk.claim(name);
    }
    Below::Walk
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    match field(node, "function") {
        Some(function) if function.kind() == "identifier" => {
            walk.mark(ReferenceKind::Call, function, Before::Nothing);
        }
        Some(function) if function.kind() == "attribute" => member(walk, function, ReferenceKind::Call),
        _ => {}
    }
    Below::Walk
}

fn attribute<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let kind = match walk.context() {
        Context::Value | Context::Binding => ReferenceKind::Use,
        Context::Type => ReferenceKind::Type,
        Context::Bases => ReferenceKind::Inherits,
    };
    member(walk, node, kind);
    Below::Walk
}

/// The last name of `a.b.c`, with what stands before it.
fn member<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: ReferenceKind) {
    if let Some(name) = field(node, "attribute") {
        let object = field(node, "object");
        let is_super = object.is_some_and(|it| walk.text_of(it) == "super()");
        let before = if is_super { Before::Named("super") } else { walk.before(object) };
        walk.mark(kind, name, before);
    }
}

fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    for name in children(node) {
        match name.kind() {
            "dotted_name" => walk.import(node, walk.text_of(name), ImportKind::Module, Vec::new()),
            "aliased_import" => {
                let Some(module) = field(name, "name") else { continue };
                let names = vec![walk.imported(module, field(name, "alias"))];
                walk.import(node, walk.text_of(module), ImportKind::Module, names);
            }
            _ => {}
        }
    }
    Below::Skip
}

fn import_from<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let Some(source) = field(node, "module_name") else { return Below::Skip };
    let written = walk.text_of(source);
    let module = written.trim_start_matches(['.', ' ']);
    let kind = if child(node, "wildcard_import").is_some() { ImportKind::Star } else { ImportKind::Names };
    let mut cursor = node.walk();
    let named: Vec<Node<'t>> = node.children_by_field_name("name", &mut cursor).collect();
    let names = named.into_iter().filter_map(|it| imported(walk, it)).collect();
    walk.import(node, module, kind, names);
    let dots = written.bytes().take_while(|it| matches!(it, b'.' | b' ')).filter(|it| *it == b'.').count();
    if let Some(last) = walk.imports.last_mut() {
        last.dots = u32::try_from(dots).unwrap_or(u32::MAX);
    }
    Below::Skip
}

fn imported(walk: &Walk<'_>, node: Node<'_>) -> Option<ImportedName> {
    match node.kind() {
        "aliased_import" => Some(walk.imported(field(node, "name")?, field(node, "alias"))),
        _ => Some(walk.imported(node, None)),
    }
}
