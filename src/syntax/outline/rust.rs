//! What is read in Rust.

use tree_sitter::Node;

use super::definition::{DefinitionKind, Role, Visibility};
use super::grammar::Rows;
use super::import::{ImportForm, ImportKind};
use super::reference::ReferenceKind;
use super::rust_value::{closure, for_expression, let_condition, let_declaration, matched, parameters};
use super::walk::{Before, Below, Context, Sketch, Walk, child, children, field};

pub(super) const ROWS: Rows = &[
    ("line_comment", |walk, node| walk.lead(node)),
    ("block_comment", |walk, node| walk.lead(node)),
    ("attribute_item", |walk, node| walk.attribute(node)),
    ("string_literal", |_, _| Below::Skip),
    ("raw_string_literal", |_, _| Below::Skip),
    ("integer_literal", |_, _| Below::Skip),
    ("function_item", function),
    ("function_signature_item", function),
    ("struct_item", |walk, node| declare(walk, node, DefinitionKind::Struct)),
    ("union_item", |walk, node| declare(walk, node, DefinitionKind::Struct)),
    ("enum_item", |walk, node| declare(walk, node, DefinitionKind::Enum)),
    ("enum_variant", |walk, node| declare(walk, node, DefinitionKind::Variant)),
    ("field_declaration", |walk, node| declare(walk, node, DefinitionKind::Field)),
    ("trait_item", |walk, node| declare(walk, node, DefinitionKind::Trait)),
    ("mod_item", module),
    ("const_item", |walk, node| declare(walk, node, DefinitionKind::Constant)),
    ("static_item", |walk, node| declare(walk, node, DefinitionKind::Variable)),
    ("type_item", |walk, node| declare(walk, node, DefinitionKind::Type)),
    ("associated_type", |walk, node| declare(walk, node, DefinitionKind::Type)),
    ("macro_definition", |walk, node| declare(walk, node, DefinitionKind::Macro)),
    ("impl_item", implementation),
    ("use_declaration", use_declaration),
    ("extern_crate_declaration", extern_crate),
    ("field_expression", field_use),
    ("field_initializer", initializer),
    ("shorthand_field_initializer", shorthand),
    ("call_expression", call),
    ("macro_invocation", macro_call),
    ("token_tree", tokens),
    ("trait_bounds", bounds),
    ("type_parameters", |walk, node| walk.type_parameters(node)),
    ("type_identifier", type_name),
    ("scoped_type_identifier", scoped_type),
    ("scoped_identifier", scoped),
    ("identifier", |walk, node| walk.plain_name(node)),
    ("let_declaration", let_declaration),
    ("parameters", parameters),
    ("parameter", |_, _| Below::As(Context::Value)),
    ("closure_expression", closure),
    ("closure_parameters", |_, _| Below::As(Context::Binding)),
    ("for_expression", for_expression),
    ("let_condition", let_condition),
    ("match_expression", matched),
];

/// Attributes whose last word makes a function a test.
const TEST_ATTRIBUTES: &[&str] =
    &["test", "rstest", "test_case", "bench", "proptest", "quickcheck", "test_log"];

fn role(walk: &Walk<'_>) -> Role {
    let is_test = walk.attributes().iter().any(|it| {
        let text = walk.text_of(*it).trim_start_matches(['#', '[', ' ', '!']);
        let name = text.split(['(', ']', '=', ' ']).next().unwrap_or_default();
        let last = name.rsplit("::").next().unwrap_or_default();
        TEST_ATTRIBUTES.contains(&last) || text.starts_with("cfg(test)") || text.starts_with("cfg(all(test")
    });
    Role::test_if(is_test)
}

fn declare<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: DefinitionKind) -> Below {
    let Some(name) = field(node, "name") else { return Below::Walk };
    let is_open =
        walk.scope().is_some_and(|it| matches!(it.kind, DefinitionKind::Trait | DefinitionKind::Enum));
    let is_public = child(node, "visibility_modifier").is_some();
    let block = walk.ancestors().nth(1).filter(|it| it.kind() == "impl_item");
    let is_of_trait = block.is_some_and(|it| field(it, "trait").is_some());
    let visibility =
        Visibility::exported_if(is_public || is_open || is_of_trait || kind == DefinitionKind::Macro);
    let body = field(node, "body").or_else(|| field(node, "value"));
    let role = role(walk);
    walk.define(Sketch { kind, name, whole: node, body, visibility, role });
    let declared = field(node, "return_type").or_else(|| field(node, "type"));
    let declared = walk.written_of(declared);
    let value = walk.value_of(field(node, "value"));
    walk.tell(declared, value);
    Below::Walk
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let kind = if walk.is_in_type() { DefinitionKind::Method } else { DefinitionKind::Function };
    declare(walk, node, kind)
}

/// A module with a body is a scope; one without names another file.
fn module<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let Some(name) = field(node, "name") else { return Below::Walk };
    if field(node, "body").is_some() {
        return declare(walk, node, DefinitionKind::Module);
    }
    let is_public = child(node, "visibility_modifier").is_some();
    let form = if is_public { ImportForm::ReExport } else { ImportForm::Use };
    let module = ["self::", walk.text_of(name)].concat();
    let names = vec![walk.imported(name, None)];
    walk.claim(name);
    walk.import_as(node, &module, ImportKind::Module, names, form);
    Below::Skip
}

fn implementation<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let Some(subject) = field(node, "type").map(bare_type) else { return Below::Walk };
    let owner = walk.text_of(subject);
    walk.belong(owner);
    let base = field(node, "trait").map(|it| if it.kind() == "generic_type" { bare_type(it) } else { it });
    match base.map(|it| (it, field(it, "name"))) {
        Some((path, Some(name))) => walk.mark_base(name, walk.before(field(path, "path")), owner),
        Some((name, None)) => walk.mark_base(name, Before::Nothing, owner),
        None => {}
    }
    Below::Walk
}

/// The name in `&'a mut path::Name<T>`.
fn bare_type(node: Node<'_>) -> Node<'_> {
    let mut at = node;
    for _ in 0..4 {
        let inner = match at.kind() {
            "generic_type" | "reference_type" => field(at, "type"),
            "scoped_type_identifier" => field(at, "name"),
            _ => None,
        };
        let Some(inner) = inner else { break };
        at = inner;
    }
    at
}

/// What a trait demands of its implementors is a base; a bound elsewhere is a type.
fn bounds<'t>(walk: &mut Walk<'t>, _: Node<'t>) -> Below {
    let is_trait = walk.parent().is_some_and(|it| it.kind() == "trait_item");
    Below::As(if is_trait { Context::Bases } else { Context::Type })
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let function = field(node, "function");
    let inner = function.filter(|it| it.kind() == "generic_function").and_then(|it| field(it, "function"));
    let Some(function) = inner.or(function) else { return Below::Walk };
    match function.kind() {
        "identifier" => walk.mark(ReferenceKind::Call, function, Before::Nothing),
        "scoped_identifier" => path_end(walk, function, ReferenceKind::Call),
        "field_expression" => {
            if let Some(name) = field(function, "field") {
                walk.mark(ReferenceKind::Call, name, walk.before(field(function, "value")));
            }
        }
        _ => {}
    }
    Below::Walk
}

fn field_use<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(name) = field(node, "field").filter(|it| it.kind() == "field_identifier") {
        walk.mark(ReferenceKind::Use, name, walk.before(field(node, "value")));
    }
    Below::Walk
}

/// The fields in `Type { name: value }` are members of the type.
fn initializer<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(name) = field(node, "field").or_else(|| field(node, "name")) {
        of_struct(walk, name);
    }
    Below::Walk
}

fn shorthand<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(name) = node.named_child(0) {
        of_struct(walk, name);
    }
    Below::Skip
}

fn of_struct<'t>(walk: &mut Walk<'t>, name: Node<'t>) {
    let whole = walk.ancestors().nth(1).filter(|it| it.kind() == "struct_expression");
    if let Some(subject) = whole.and_then(|it| field(it, "name")) {
        walk.mark(ReferenceKind::Use, name, walk.before(Some(subject)));
    }
}

/// `extern crate name as alias;`
fn extern_crate<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let Some(name) = field(node, "name") else { return Below::Skip };
    let is_public = child(node, "visibility_modifier").is_some();
    let form = if is_public { ImportForm::ReExport } else { ImportForm::Use };
    used(walk, node, walk.text_of(name), (name, field(node, "alias")), form);
    Below::Skip
}

/// The last name of a path, with the path before it.
fn path_end<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: ReferenceKind) {
    if let Some(name) = field(node, "name") {
        walk.mark(kind, name, walk.before(field(node, "path").map(bare_type)));
    }
}

fn scoped<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    path_end(walk, node, ReferenceKind::Use);
    Below::Walk
}

fn macro_call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    match field(node, "macro") {
        Some(name) if name.kind() == "identifier" => walk.mark(ReferenceKind::Call, name, Before::Nothing),
        Some(name) => path_end(walk, name, ReferenceKind::Call),
        None => {}
    }
    Below::Walk
}

/// Calls in the tokens of a macro: a name directly before round brackets, with what leads to it.
fn tokens<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let mut cursor = node.walk();
    let (mut before_last, mut last): (Option<Node<'t>>, Option<Node<'t>>) = (None, None);
    let mut path: Option<usize> = None;
    for token in node.children(&mut cursor) {
        let is_group = token.kind() == "token_tree" && walk.text_of(token).starts_with('(');
        let is_macro = is_group && last.is_some_and(|it| it.kind() == "!");
        if let Some(name) = before_last.filter(|it| is_macro && it.kind() == "identifier") {
            walk.mark(ReferenceKind::Call, name, Before::Nothing);
        }
        if let Some(name) = last.filter(|it| is_group && it.kind() == "identifier") {
            let before = path.filter(|it| *it < name.start_byte());
            let text = before.and_then(|it| walk.text.get(it..name.start_byte()));
            let qualifier = text.map_or(Before::Nothing, |it| Before::Named(it.trim_end_matches(['.', ':'])));
            walk.mark(ReferenceKind::Call, name, qualifier);
        }
        let is_member = !is_group && !matches!(token.kind(), "." | "::");
        if let (Some(name), Some(start)) = (last.filter(|it| is_member && it.kind() == "identifier"), path) {
            let text = walk.text.get(start..name.start_byte()).filter(|it| it.ends_with('.'));
            if let Some(text) = text {
                walk.mark(ReferenceKind::Use, name, Before::Named(text.trim_end_matches('.')));
            }
        }
        let is_path = matches!(token.kind(), "identifier" | "self" | "crate" | "super" | "." | "::");
        let joins = last.is_some_and(|it| it.end_byte() == token.start_byte());
        path = if !is_path {
            None
        } else if joins {
            path.or(Some(token.start_byte()))
        } else {
            Some(token.start_byte())
        };
        before_last = last;
        last = Some(token);
    }
    Below::Walk
}

fn type_name<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    walk.type_name(node, Before::Nothing);
    Below::Skip
}

fn scoped_type<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let Some(name) = field(node, "name") {
        walk.type_name(name, walk.before(field(node, "path")));
    }
    Below::Walk
}

/// Flattens a tree of names into one import for each path.
fn use_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let is_public = child(node, "visibility_modifier").is_some();
    let form = if is_public { ImportForm::ReExport } else { ImportForm::Use };
    let mut open: Vec<(String, Node<'t>)> = Vec::new();
    open.extend(field(node, "argument").map(|it| (String::new(), it)));
    while let Some((path, item)) = open.pop() {
        let text_of = |name: &'static str| field(item, name).map_or("", |it| walk.text_of(it));
        match item.kind() {
            "use_list" => open.extend(children(item).into_iter().rev().map(|it| (path.clone(), it))),
            "scoped_use_list" => {
                let path = joined(&path, text_of("path"));
                open.extend(field(item, "list").map(|it| (path, it)));
            }
            "use_wildcard" => {
                let inner = item.named_child(0).map_or("", |it| walk.text_of(it));
                let module = joined(&path, inner);
                walk.import_as(node, &module, ImportKind::Star, Vec::new(), form);
            }
            "use_as_clause" => {
                let whole = joined(&path, text_of("path"));
                let name = (field(item, "path").unwrap_or(item), field(item, "alias"));
                used(walk, node, &whole, name, form);
            }
            _ => {
                let whole = joined(&path, walk.text_of(item));
                used(walk, node, &whole, (item, None), form);
            }
        }
    }
    Below::Skip
}

fn joined(path: &str, rest: &str) -> String {
    if path.is_empty() || rest.is_empty() { [path, rest].concat() } else { [path, "::", rest].concat() }
}

/// One name of a `use`, with the nodes of its path and alias: `a::b::self` is the module, everything else a name of a
/// module.
fn used(
    walk: &mut Walk<'_>,
    node: Node<'_>,
    whole: &str,
    (item, alias): (Node<'_>, Option<Node<'_>>),
    form: ImportForm,
) {
    let path = whole.strip_suffix("::self").unwrap_or(whole);
    let (module, name) = path.rsplit_once("::").unwrap_or(("", path));
    let names = vec![walk.imported_end(name, item, alias)];
    walk.import_as(node, module, ImportKind::Names, names, form);
}
