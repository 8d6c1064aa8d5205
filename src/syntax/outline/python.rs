//! What is read in Python.

use tree_sitter::Node;

use super::definition::{Access, DefinitionKind, Role, Visibility};
use super::grammar::{Rows, Steps};
use super::import::{ImportKind, ImportedName};
use super::reference::ReferenceKind;
use super::value::{Step, Value, ValueNumber};
use super::walk::{Before, Below, Context, Sketch, Walk, child, children, field};
use super::written::WrittenNumber;

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
    ("as_pattern", entered),
    ("return_statement", gives),
    ("yield", yields),
    ("lambda", lambda),
];

pub(super) const STEPS: Steps = &[
    ("identifier", Step::Name),
    ("attribute", Step::Member("object", "attribute")),
    ("call", Step::Call("function", "arguments")),
    ("subscript", Step::Item("value")),
    ("await", Step::Awaited),
    ("parenthesized_expression", Step::First),
    ("conditional_expression", Step::Ends),
    ("boolean_operator", Step::Either("left", "right")),
    ("named_expression", Step::Through("value")),
    ("string", Step::Literal),
    ("concatenated_string", Step::Literal),
    ("integer", Step::Literal),
    ("float", Step::Literal),
    ("list", Step::Literal),
    ("dictionary", Step::Literal),
    ("set", Step::Literal),
    ("tuple", Step::Literal),
    ("list_comprehension", Step::Literal),
    ("dictionary_comprehension", Step::Literal),
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
    let declared = walk.written_of(field(node, "return_type"));
    let decorators = decorators(whole);
    if decorators.iter().any(|it| walk.text_of(*it).contains("property")) {
        walk.tell(declared, None);
        walk.tell_access(Access::Runs);
        return Below::Walk;
    }
    let value = decorators.into_iter().rev().fold(None, |inner, it| decorated_by(walk, it, inner));
    walk.tell(declared, value);
    Below::Walk
}

/// What a decorator makes of what it stands above; where that is not known, what the one below it makes.
fn decorated_by<'t>(
    walk: &mut Walk<'t>,
    decorator: Node<'t>,
    inner: Option<ValueNumber>,
) -> Option<ValueNumber> {
    let made = walk.value_of(decorator.named_child(0));
    let made = walk.made(made, |it| Value::Call(it, None));
    match (made, inner) {
        (Some(made), Some(inner)) => walk.made(Some(made), |it| Value::Either(it, inner)),
        (one, other) => one.or(other),
    }
}

fn decorators(decorated: Node<'_>) -> Vec<Node<'_>> {
    children(decorated).into_iter().filter(|it| it.kind() == "decorator").collect()
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
    let declared = walk.written_of(field(node, "type"));
    let value = walk.value_of(field(node, "right"));
    if !walk.is_outside_functions() {
        bind_targets(walk, left, declared, value);
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
        walk.tell(declared, value);
    }
    Below::Walk
}

/// What stands on the left of an assignment, also in a list of targets: names, and what a method gives its object.
fn bind_targets<'t>(
    walk: &mut Walk<'t>,
    left: Node<'t>,
    declared: Option<WrittenNumber>,
    value: Option<ValueNumber>,
) {
    match left.kind() {
        "identifier" => walk.bind_as(left, declared, value),
        "attribute" => give_object(walk, left, declared, value),
        "pattern_list" | "tuple_pattern" | "list_pattern" => {
            for (place, target) in children(left).into_iter().enumerate() {
                let place = u8::try_from(place).unwrap_or(u8::MAX);
                let part = walk.made(value, |it| Value::Part(it, place));
                match target.kind() {
                    "identifier" => walk.bind_as(target, None, part),
                    "attribute" => give_object(walk, target, None, part),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// `self.name = …` in a method.
fn give_object<'t>(
    walk: &mut Walk<'t>,
    target: Node<'t>,
    declared: Option<WrittenNumber>,
    value: Option<ValueNumber>,
) {
    let is_own = field(target, "object").is_some_and(|it| matches!(walk.text_of(it), "self" | "cls"));
    let name = field(target, "attribute").filter(|_| is_own);
    if let Some(name) = name.filter(|_| walk.scope().is_some_and(|it| it.kind == DefinitionKind::Method)) {
        let visibility = visibility(walk.text_of(name));
        if walk.define_attribute(name, visibility) {
            walk.tell(declared, value);
        }
    }
}

fn bound_left<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(left) = field(node, "left") {
        let whole = walk.value_of(field(node, "right"));
        let item = walk.made(whole, Value::Item);
        bind_targets(walk, left, None, item);
    }
    Below::Walk
}

fn bound_name<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(name) = field(node, "name") {
        let value = walk.value_of(field(node, "value"));
        bind_targets(walk, name, None, value);
    }
    Below::Walk
}

/// `with a as b`, `except A as b`.
fn entered<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let target = field(node, "alias").and_then(|it| it.named_child(0));
    let Some(target) = target.filter(|it| it.kind() == "identifier") else { return Below::Walk };
    let of = walk.value_of(node.named_child(0));
    let is_caught = walk.parent().is_some_and(|it| it.kind() == "except_clause");
    let value = walk.made(of, if is_caught { Value::New } else { Value::Entered });
    walk.bind_as(target, None, value);
    Below::Walk
}

fn gives<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let value = walk.value_of(node.named_child(0));
    walk.give_back(value);
    Below::Walk
}

/// What a fixture of pytest yields is what its users get.
fn yields<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let around = walk.ancestors().find(|it| it.kind() == "function_definition");
    let decorated = around.and_then(|it| it.parent()).filter(|it| it.kind() == "decorated_definition");
    if decorated.is_some_and(|it| decorators(it).iter().any(|it| walk.text_of(*it).contains("fixture"))) {
        let value = walk.value_of(node.named_child(0));
        walk.give_back(value);
    }
    Below::Walk
}

/// Only the names: types and default values below are read as what they are.
fn parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let is_injected =
        walk.scope().is_some_and(|it| it.role == Role::Test && it.kind.runs()) || is_fixture(walk);
    let mut place = 0;
    for parameter in children(node) {
        let name = match parameter.kind() {
            "identifier" => Some(parameter),
            "default_parameter" | "typed_default_parameter" => field(parameter, "name"),
            _ => parameter.named_child(0),
        };
        let inner = name.and_then(|it| if it.kind() == "identifier" { Some(it) } else { it.named_child(0) });
        let name = inner.filter(|it| it.kind() == "identifier");
        let Some(name) = name.filter(|it| !matches!(walk.text_of(*it), "self" | "cls")) else { continue };
        let is_plain = name.start_byte() == parameter.start_byte();
        let declared = walk.written_of(field(parameter, "type").filter(|_| is_plain));
        let value = walk.value_of(field(parameter, "value"));
        if is_injected && declared.is_none() {
            walk.inject(name);
        } else {
            if is_injected {
                walk.mark(ReferenceKind::Injected, name, Before::Nothing);
            }
            walk.bind_parameter(name, place, declared, value);
        }
        place += 1;
    }
    Below::Walk
}

fn lambda<'t>(walk: &mut Walk<'t>, _: Node<'t>) -> Below {
    walk.open_function();
    Below::Walk
}

/// Whether the function whose parameters are visited is a fixture of pytest.
fn is_fixture(walk: &Walk<'_>) -> bool {
    let around = walk.ancestors().nth(1).filter(|it| it.kind() == "decorated_definition");
    around.into_iter().flat_map(decorators).any(|it| walk.text_of(it).contains("fixture"))
}

fn keyword_argument<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(name) = field(node, "name") {
        walk.claim(name);
    }
    Below::Walk
}

/// `isinstance(name, Type)`: where it is asked, it is most likely so.
fn narrow<'t>(walk: &mut Walk<'t>, arguments: Node<'t>) {
    let (Some(name), Some(kind)) = (arguments.named_child(0), arguments.named_child(1)) else { return };
    if name.kind() != "identifier" {
        return;
    }
    let classes = if kind.kind() == "tuple" { children(kind) } else { vec![kind] };
    for class in classes {
        let class = walk.value(class);
        let value = walk.made(class, Value::New);
        walk.tell_binding(name, value);
    }
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let is_question = field(node, "function").is_some_and(|it| walk.text_of(it) == "isinstance");
    if let Some(arguments) = field(node, "arguments").filter(|_| is_question) {
        narrow(walk, arguments);
    }
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
            "dotted_name" => {
                walk.import(node, walk.text_of(name), ImportKind::Module, Vec::new());
                walk.import_from(name);
            }
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
    walk.import_from(source);
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
