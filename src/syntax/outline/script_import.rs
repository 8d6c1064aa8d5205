//! The many ways in which JavaScript and TypeScript name another module.

use tree_sitter::Node;

use super::import::{ImportForm, ImportKind, ImportedName};
use super::walk::{Below, Walk, child, children, field, unquoted};

/// The name of what a module exports without one.
const DEFAULT: &str = "default";

pub(super) fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let Some(source) = field(node, "source") else { return Below::Walk };
    let module = unquoted(walk.text_of(source));
    let Some(clause) = child(node, "import_clause") else {
        walk.import(node, module, ImportKind::SideEffect, Vec::new());
        walk.import_from(source);
        return Below::Skip;
    };
    let mut names = Vec::new();
    for part in children(clause) {
        match part.kind() {
            "identifier" => names.push(walk.renamed(DEFAULT, part)),
            "named_imports" => names.extend(specifiers(walk, part)),
            "namespace_import" => {
                let names = part.named_child(0).map(|it| walk.renamed(module, it));
                walk.import(node, module, ImportKind::Module, names.into_iter().collect());
                walk.import_from(source);
            }
            _ => {}
        }
    }
    if !names.is_empty() {
        walk.import(node, module, ImportKind::Names, names);
        walk.import_from(source);
    }
    Below::Skip
}

fn specifiers(walk: &Walk<'_>, list: Node<'_>) -> Vec<ImportedName> {
    let specifiers = children(list).into_iter();
    specifiers.filter_map(|it| Some(walk.imported(field(it, "name")?, field(it, "alias")))).collect()
}

/// `export … from`, and `export { a as b }` of what was imported or defined here.
pub(super) fn export<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    let source = field(node, "source");
    let clause = child(node, "export_clause").map(|it| specifiers(walk, it));
    let Some(source) = source else {
        let names = clause.unwrap_or_else(|| default_export(walk, node));
        let is_list = child(node, "export_clause").is_some();
        let is_name = field(node, "value").is_some_and(|it| it.kind() == "identifier");
        if !names.is_empty() {
            walk.import_as(node, "", ImportKind::Names, names, ImportForm::ReExport);
        }
        return if is_list || is_name { Below::Skip } else { Below::Walk };
    };
    let module = unquoted(walk.text_of(source));
    let (kind, names) = match (clause, child(node, "namespace_export")) {
        (Some(names), _) => (ImportKind::Names, names),
        (None, Some(space)) => {
            let names = space.named_child(0).map(|it| walk.renamed(module, it));
            (ImportKind::Module, names.into_iter().collect())
        }
        (None, None) => (ImportKind::Star, Vec::new()),
    };
    walk.import_as(node, module, kind, names, ImportForm::ReExport);
    walk.import_from(source);
    Below::Skip
}

/// `export default name`, and a declaration that is the default.
fn default_export(walk: &Walk<'_>, node: Node<'_>) -> Vec<ImportedName> {
    if child(node, DEFAULT).is_none() {
        return Vec::new();
    }
    let value = field(node, "value").filter(|it| it.kind() == "identifier");
    let declared = field(node, "declaration").and_then(|it| field(it, "name"));
    let used = value.map(|it| walk.imported(it, None));
    // Where it is declared it is not used.
    let declared = declared.map(|it| ImportedName { places: [None; 2], ..walk.imported(it, None) });
    let name = used.or(declared).map(|it| ImportedName { alias: Some(DEFAULT.into()), ..it });
    name.into_iter().collect()
}

/// `const x = require("…")`, `const { a, b: c } = require("…")` and `const x = require("…").a`.
pub(super) fn required<'t>(walk: &mut Walk<'t>, name: Node<'t>, value: Option<Node<'t>>) -> bool {
    let member = value.filter(|it| it.kind() == "member_expression" && name.kind() == "identifier");
    let call = member.and_then(|it| field(it, "object")).or(value);
    let Some(call) = call.filter(|it| it.kind() == "call_expression") else { return false };
    let is_require = field(call, "function").is_some_and(|it| walk.text_of(it) == "require");
    let Some(module) = literal(walk, field(call, "arguments")).filter(|_| is_require) else { return false };
    if let Some(member) = member.and_then(|it| field(it, "property")) {
        walk.claim(name);
        let imported = walk.imported(member, Some(name));
        walk.import(call, module, ImportKind::Names, vec![imported]);
        return true;
    }
    if name.kind() == "identifier" {
        walk.claim(name);
        let alias = walk.renamed(module, name);
        walk.import(call, module, ImportKind::Module, vec![alias]);
        return true;
    }
    let names = children(name).into_iter().filter_map(|it| match it.kind() {
        "shorthand_property_identifier_pattern" => Some(walk.imported(it, None)),
        "object_assignment_pattern" => Some(walk.imported(field(it, "left")?, None)),
        "pair_pattern" => {
            let value = field(it, "value");
            let is_plain = |it: &Node<'_>| it.kind() == "identifier";
            let bound = match value.filter(|it| it.kind() == "assignment_pattern") {
                Some(it) => field(it, "left"),
                None => value,
            };
            Some(walk.imported(field(it, "key")?, bound.filter(is_plain)))
        }
        _ => None,
    });
    let names = names.collect();
    walk.import(call, module, ImportKind::Names, names);
    true
}

/// `import("…")` and a `require("…")` whose value is not bound to a name at once, with the name that is taken of it:
/// `require("…").a`, `(await import("…")).a`.
pub(super) fn dynamic_import<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    function: Node<'t>,
    arguments: Option<Node<'t>>,
) -> bool {
    let is_import = function.kind() == "import" || walk.text_of(function) == "require";
    if let Some(module) = literal(walk, arguments).filter(|_| is_import) {
        let taken = taken(walk, node).map(|it| walk.imported(it, None));
        walk.import(node, module, ImportKind::SideEffect, taken.into_iter().collect());
    }
    is_import
}

/// The member that is taken of a value directly.
fn taken<'t>(walk: &Walk<'t>, value: Node<'t>) -> Option<Node<'t>> {
    let is_passed_on = |it: &Node<'_>| matches!(it.kind(), "await_expression" | "parenthesized_expression");
    let member =
        walk.ancestors().find(|it| !is_passed_on(it)).filter(|it| it.kind() == "member_expression")?;
    let is_object = field(member, "object").is_some_and(|it| it.byte_range().contains(&value.start_byte()));
    field(member, "property").filter(|it| is_object && it.kind() == "property_identifier")
}

/// `import x = require("…")`.
pub(super) fn import_require<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Below {
    if let (Some(source), Some(name)) = (field(node, "source"), node.named_child(0)) {
        let module = unquoted(walk.text_of(source));
        let alias = walk.renamed(module, name);
        walk.import(node, module, ImportKind::Module, vec![alias]);
    }
    Below::Skip
}

/// The text of an only argument that is a plain string.
fn literal<'t>(walk: &Walk<'t>, arguments: Option<Node<'t>>) -> Option<&'t str> {
    let first = arguments?.named_child(0).filter(|it| it.kind() == "string")?;
    Some(unquoted(walk.text_of(first)))
}
