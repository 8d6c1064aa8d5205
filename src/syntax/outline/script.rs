//! What is read in JavaScript, TypeScript and TSX.

use tree_sitter::Node;

use super::definition::{Access, DefinitionKind, Role, Visibility};
use super::grammar::Rows;
use super::reference::ReferenceKind;
use super::script_import::{dynamic_import, export, import, import_require, required};
use super::script_value::{arrow, bind_pattern, each, gives, narrow, parameters};
use super::walk::{Before, Below, Context, Sketch, Walk, child, children, field};

pub(super) const ROWS: Rows = &[
    ("comment", |walk, node| walk.lead(node)),
    ("number", |_, _| Below::Skip),
    ("string", |_, _| Below::Skip),
    ("regex", |_, _| Below::Skip),
    ("import_statement", import),
    ("export_statement", export),
    ("function_declaration", function),
    ("generator_function_declaration", function),
    ("function_expression", expression),
    ("class_declaration", class),
    ("class", expression),
    ("class_heritage", |_, _| Below::As(Context::Bases)),
    ("class_body", |_, _| Below::As(Context::Value)),
    ("method_definition", method),
    ("field_definition", member_field),
    ("variable_declarator", variable),
    ("assignment_expression", assignment),
    ("call_expression", call),
    ("new_expression", construct),
    ("member_expression", member),
    ("jsx_opening_element", element),
    ("jsx_self_closing_element", element),
    ("jsx_closing_element", element),
    ("identifier", |walk, node| walk.plain_name(node)),
    ("shorthand_property_identifier", |walk, node| walk.plain_name(node)),
    ("shorthand_property_identifier_pattern", bind),
    ("formal_parameters", parameters),
    ("arrow_function", arrow),
    ("catch_clause", catch),
    ("for_in_statement", each),
    ("return_statement", gives),
    ("binary_expression", narrow),
];

pub(super) const TYPED_ROWS: Rows = &[
    ("abstract_class_declaration", class),
    ("interface_declaration", interface),
    ("enum_declaration", enumeration),
    ("enum_assignment", variant),
    ("property_identifier", bare_variant),
    ("type_alias_declaration", alias),
    ("internal_module", namespace),
    ("module", namespace),
    ("function_signature", function),
    ("method_signature", method),
    ("abstract_method_signature", method),
    ("property_signature", member_field),
    ("public_field_definition", member_field),
    ("extends_type_clause", |_, _| Below::As(Context::Bases)),
    ("type_arguments", |_, _| Below::As(Context::Type)),
    ("interface_body", |_, _| Below::As(Context::Type)),
    ("type_parameters", |walk, node| walk.type_parameters(node)),
    ("mapped_type_clause", |walk, node| walk.mapped_type(node)),
    ("infer_type", |walk, node| walk.inferred_type(node)),
    ("type_identifier", type_name),
    ("nested_type_identifier", nested_type),
    ("call_signature", call_signature),
    ("assignment_expression", exported),
    ("function_type", function_type),
    ("import_require_clause", import_require),
];

/// The node that holds a declaration and its `export` or `const`.
fn whole<'t>(walk: &Walk<'t>, node: Node<'t>) -> Node<'t> {
    let statement = walk.ancestors().take(3).take_while(|it| is_wrapper(it.kind())).last();
    statement.unwrap_or(node)
}

fn is_wrapper(kind: &str) -> bool {
    matches!(
        kind,
        "export_statement"
            | "lexical_declaration"
            | "variable_declaration"
            | "ambient_declaration"
            | "expression_statement"
    )
}

/// Exported when the statement says so; a member when it is not marked private.
fn visibility(walk: &Walk<'_>, node: Node<'_>) -> Visibility {
    if walk.is_in_type() {
        let text = walk.text_of(node);
        return Visibility::exported_if(!text.starts_with("private ") && !text.starts_with('#'));
    }
    let mut around = walk.ancestors().take(3).take_while(|it| is_wrapper(it.kind()));
    Visibility::exported_if(around.any(|it| it.kind() == "export_statement"))
}

fn declare<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: DefinitionKind) -> Below {
    let Some(name) = field(node, "name").or_else(|| field(node, "property")) else { return Below::Walk };
    let visibility = visibility(walk, node);
    // What a field holds is its body, and of a function in a field what the function does.
    let is_field = matches!(kind, DefinitionKind::Field | DefinitionKind::Method);
    let held = field(node, "value").filter(|_| is_field);
    let held = held.map(|it| field(it, "body").filter(|_| is_function(it.kind())).unwrap_or(it));
    let (whole, body) = (whole(walk, node), field(node, "body").or(held));
    walk.define(Sketch { kind, name, whole, body, visibility, role: Role::Code });
    let value = field(node, "value");
    let function = value.filter(|it| is_function(it.kind()));
    let declared = ["return_type", "type"].into_iter().find_map(|it| field(function.unwrap_or(node), it));
    let declared = walk.written_of(declared);
    let value = walk.value_of(value.filter(|_| function.is_none() && kind == DefinitionKind::Field));
    walk.tell(declared, value);
    Below::Walk
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if !walk.is_outside_functions()
        && let Some(name) = field(node, "name")
    {
        walk.bind(name);
    }
    declare(walk, node, DefinitionKind::Function)
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    declare(walk, node, DefinitionKind::Class)
}

fn interface<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    declare(walk, node, DefinitionKind::Interface)
}

fn enumeration<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    declare(walk, node, DefinitionKind::Enum)
}

fn variant<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if walk.is_in_type() { declare(walk, node, DefinitionKind::Variant) } else { Below::Walk }
}

/// A member of an enumeration without a value is a bare name.
fn bare_variant<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if walk.parent().is_some_and(|it| it.kind() == "enum_body") {
        let (kind, visibility, role) = (DefinitionKind::Variant, Visibility::Exported, Role::Code);
        walk.define(Sketch { kind, name: node, whole: node, body: None, visibility, role });
    }
    Below::Skip
}

fn alias<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let below = declare(walk, node, DefinitionKind::Type);
    let declared = walk.written_of(field(node, "value"));
    walk.tell(declared, None);
    below
}

/// What calling a value of an interface takes and gives.
fn call_signature<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if !walk.is_in_type() {
        return Below::Walk;
    }
    walk.define_call(node);
    let declared = walk.written_of(field(node, "return_type"));
    walk.tell(declared, None);
    Below::Walk
}

/// Its parameters are names for the reader.
fn function_type<'t>(walk: &mut Walk<'t>, _: Node<'t>) -> Below {
    walk.open_function();
    Below::Walk
}

fn namespace<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let is_ambient = field(node, "name").is_some_and(|it| it.kind() == "string");
    if is_ambient { Below::Walk } else { declare(walk, node, DefinitionKind::Module) }
}

fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if !walk.is_in_type() {
        walk.open_function();
        return Below::Walk;
    }
    let below = declare(walk, node, DefinitionKind::Method);
    if child(node, "get").is_some() {
        walk.tell_access(Access::Runs);
    }
    below
}

fn member_field<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let is_function = field(node, "value").is_some_and(|it| is_function(it.kind()));
    let kind = if is_function { DefinitionKind::Method } else { DefinitionKind::Field };
    if walk.is_in_type() { declare(walk, node, kind) } else { Below::Walk }
}

/// A function or class expression: its own name, if it has one, is known only inside.
fn expression<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if is_function(node.kind()) {
        walk.open_function();
    }
    if let Some(name) = field(node, "name") {
        walk.bind(name);
    }
    Below::Walk
}

pub(super) fn is_function(kind: &str) -> bool {
    matches!(kind, "arrow_function" | "function_expression" | "generator_function")
}

fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let (Some(name), value) = (field(node, "name"), field(node, "value")) else { return Below::Walk };
    if required(walk, name, value) {
        return Below::Skip;
    }
    let is_function = value.is_some_and(|it| is_function(it.kind()));
    let written = field(node, "type");
    let declared = walk.written_of(written);
    let made = walk.value_of(value.filter(|_| !is_function));
    if name.kind() != "identifier" {
        let of = walk.of(declared).or(made);
        bind_pattern(walk, name, of);
        return Below::Walk;
    }
    if !walk.is_outside_functions() {
        walk.bind_as(name, declared, made);
        if !is_function {
            return Below::Walk;
        }
    }
    let is_class = value.is_some_and(|it| it.kind() == "class");
    let is_constant = walk.parent().is_some_and(|it| walk.text_of(it).starts_with("const"));
    let kind = match (is_function, is_class, is_constant) {
        (true, _, _) => DefinitionKind::Function,
        (_, true, _) => DefinitionKind::Class,
        (_, _, true) => DefinitionKind::Constant,
        (_, _, false) => DefinitionKind::Variable,
    };
    let body = value.map(|it| field(it, "body").unwrap_or(it));
    let visibility = visibility(walk, node);
    let whole = whole(walk, node);
    walk.define(Sketch { kind, name, whole, body, visibility, role: Role::Code });
    let given = value.filter(|_| is_function).and_then(|it| field(it, "return_type"));
    let given = walk.written_of(given);
    walk.tell(if is_function { given } else { declared }, made);
    Below::Walk
}

/// `exports.name = …`, `module.exports.name = …`, and `this.name = …` in a method.
fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let left = field(node, "left").filter(|it| it.kind() == "member_expression");
    let object = left.and_then(|it| field(it, "object"));
    let is_own = object.is_some_and(|it| it.kind() == "this");
    let name = left.and_then(|it| field(it, "property")).filter(|_| is_own);
    if let Some(name) = name.filter(|_| walk.scope().is_some_and(|it| it.kind == DefinitionKind::Method)) {
        let value = walk.value_of(field(node, "right"));
        if walk.define_attribute(name, Visibility::Exported) {
            walk.tell(None, value);
        }
        return Below::Walk;
    }
    exported(walk, node)
}

/// The first two: where types are written, a class names its fields itself.
fn exported<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let left = field(node, "left").filter(|it| it.kind() == "member_expression");
    let object = left.and_then(|it| field(it, "object"));
    let is_export = object.is_some_and(|it| matches!(walk.text_of(it), "exports" | "module.exports"));
    let (Some(left), true, true) = (left, is_export, walk.is_outside_functions()) else { return Below::Walk };
    let (Some(name), value) = (field(left, "property"), field(node, "right")) else { return Below::Walk };
    let is_function = value.is_some_and(|it| is_function(it.kind()));
    let kind = if is_function { DefinitionKind::Function } else { DefinitionKind::Constant };
    let body = value.map(|it| field(it, "body").unwrap_or(it));
    let (visibility, role, whole) = (Visibility::Exported, Role::Code, whole(walk, node));
    walk.define(Sketch { kind, name, whole, body, visibility, role });
    Below::Walk
}

fn bind<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    walk.bind(node);
    Below::Skip
}

fn catch<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(parameter) = field(node, "parameter").filter(|it| it.kind() == "identifier") {
        walk.bind(parameter);
    }
    Below::Walk
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let (Some(function), arguments) = (field(node, "function"), field(node, "arguments")) else {
        return Below::Walk;
    };
    if dynamic_import(walk, node, function, arguments) {
        return Below::Walk;
    }
    if let Some(test) = test_call(walk, node, function, arguments) {
        walk.define(test);
    }
    callee(walk, function);
    Below::Walk
}

fn construct<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(constructor) = field(node, "constructor") {
        callee(walk, constructor);
    }
    Below::Walk
}

fn callee<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    match node.kind() {
        "identifier" => walk.mark(ReferenceKind::Call, node, Before::Nothing),
        "member_expression" => {
            if let Some(name) = field(node, "property") {
                walk.mark(ReferenceKind::Call, name, walk.before(field(node, "object")));
            }
        }
        _ => {}
    }
}

/// `it("…", …)`, `test.each(…)("…", …)`, `describe("…", …)` and their like.
fn test_call<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    function: Node<'t>,
    arguments: Option<Node<'t>>,
) -> Option<Sketch<'t>> {
    let text = walk.text_of(function);
    let kind = match text.split(['.', '(']).next()? {
        "it" | "test" | "specify" => DefinitionKind::Test,
        "describe" | "suite" | "context" => DefinitionKind::Suite,
        _ => return None,
    };
    let arguments = arguments?;
    let name = arguments.named_child(0).filter(|it| matches!(it.kind(), "string" | "template_string"))?;
    let last = arguments.named_child(u32::try_from(arguments.named_child_count()).ok()?.checked_sub(1)?)?;
    let action = children(arguments).into_iter().find(|it| is_function(it.kind())).unwrap_or(last);
    let body = field(action, "body");
    let role = Role::Test;
    body.map(|_| Sketch { kind, name, whole: node, body, visibility: Visibility::Internal, role })
}

fn member<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(name) = field(node, "property") {
        let is_base = walk.context() == Context::Bases;
        let kind = if is_base { ReferenceKind::Inherits } else { ReferenceKind::Use };
        walk.mark(kind, name, walk.before(field(node, "object")));
    }
    Below::Walk
}

/// Where types are written, the elements of a page are members of this.
const ELEMENTS: &str = "JSX.IntrinsicElements";

/// A component; elements of the page are in lower case.
fn element<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(name) = field(node, "name") {
        let text = walk.text_of(name);
        if name.kind() != "identifier" || text.starts_with(|it: char| it.is_uppercase()) {
            callee(walk, name);
        } else {
            walk.mark(ReferenceKind::Use, name, Before::Named(ELEMENTS));
        }
    }
    Below::Walk
}

fn type_name<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    walk.type_name(node, Before::Nothing);
    Below::Skip
}

fn nested_type<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(name) = field(node, "name") {
        walk.type_name(name, walk.before(field(node, "module")));
    }
    Below::Walk
}
