//! Where a package of JavaScript or TypeScript declares a name that it exports.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::Value;

use super::declaration::{Declaration, Deprecated, declaration};
use super::library::{Library, Module};
use super::script_text;
use crate::model::{Point, RepoPath, Span};
use crate::syntax::{Definition, DefinitionKind, ImportForm, ImportKind, ImportedName, Visibility};

/// How many hand-overs from file to file are followed.
const DEPTH: usize = 64;

/// Conditions of `exports`, best first: declarations say more than code.
const CONDITIONS: [&str; 6] = ["types", "import", "require", "node", "module", "default"];

/// What stands for the code of a file that has declarations beside it.
const TYPED: [(&str, &str); 4] =
    [(".js", ".d.ts"), (".mjs", ".d.mts"), (".cjs", ".d.cts"), (".jsx", ".d.ts")];

/// Endings that may be left out.
const ENDINGS: [&str; 9] =
    ["", ".d.ts", ".ts", ".js", ".cjs", ".mjs", "/index.d.ts", "/index.js", "/index.cjs"];

/// The declarations of a member of a module of the package; several for overloads.
pub fn find(library: &Library<'_>, below: &str, members: &[&str]) -> Vec<Declaration> {
    let Some(entry) = entry(library, below) else { return Vec::new() };
    library.begin();
    let found = exported(library, &entry, members, 0);
    if !found.is_empty() {
        return found;
    }
    // The default of a CommonJS module is what it exports.
    match members {
        ["default", rest @ ..] if !rest.is_empty() => {
            library.begin();
            exported(library, &entry, rest, 0)
        }
        _ => Vec::new(),
    }
}

/// The file that an import of the package or of a path in it leads to.
pub fn entry(library: &Library<'_>, below: &str) -> Option<RepoPath> {
    let manifest = library.manifest()?;
    let table = manifest.get("exports").and_then(Value::as_object);
    if !library.spend(table.map_or(0, |it| it.len() as u64)) {
        return None;
    }
    let named = |field: &str| manifest.get(field).and_then(Value::as_str).map(str::to_owned);
    let exported = manifest.get("exports").and_then(|it| target(it, below));
    let candidates = if below.is_empty() {
        vec![
            named("types"),
            named("typings"),
            exported,
            named("module"),
            named("main"),
            Some("index".to_owned()),
        ]
    } else {
        vec![exported, Some(below.to_owned())]
    };
    candidates.into_iter().flatten().find_map(|it| probe(library, it.trim_start_matches("./")))
}

/// The target of a path in `exports`.
fn target(exports: &Value, below: &str) -> Option<String> {
    let key = if below.is_empty() { ".".to_owned() } else { format!("./{below}") };
    let Some(table) = exports.as_object().filter(|it| it.keys().any(|it| it.starts_with('.'))) else {
        return if below.is_empty() { condition(exports, 0) } else { None };
    };
    if let Some(exact) = table.get(&key) {
        return condition(exact, 0);
    }
    table.iter().find_map(|(pattern, value)| {
        let (before, after) = pattern.split_once('*')?;
        let middle = key.strip_prefix(before)?.strip_suffix(after)?;
        Some(condition(value, 0)?.replace('*', middle))
    })
}

fn condition(value: &Value, depth: usize) -> Option<String> {
    if depth > DEPTH {
        return None;
    }
    match value {
        Value::String(path) => Some(path.clone()),
        Value::Array(all) => all.iter().find_map(|it| condition(it, depth + 1)),
        Value::Object(table) => {
            CONDITIONS.iter().filter_map(|it| table.get(*it)).find_map(|it| condition(it, depth + 1))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// The file that a path in the package stands for; declarations before the code that they declare.
fn probe(library: &Library<'_>, path: &str) -> Option<RepoPath> {
    let typed = TYPED.iter().filter_map(|(code, types)| Some(format!("{}{types}", path.strip_suffix(code)?)));
    let written = ENDINGS.iter().map(|it| format!("{}{it}", path.trim_end_matches('/')));
    library.probe(path, typed.chain(written))
}

/// A module that a file of the package names relatively.
fn relative(library: &Library<'_>, from: &RepoPath, written: &str) -> Option<RepoPath> {
    if !written.starts_with('.') {
        return None;
    }
    let from = library.shown(from);
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in written.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    probe(library, &parts.join("/"))
}

/// The modules that the package's entry leads to.
pub fn reachable(library: &Library<'_>) -> Vec<Rc<Module>> {
    let mut open: Vec<RepoPath> = entry(library, "").into_iter().collect();
    let mut seen: BTreeSet<RepoPath> = open.iter().cloned().collect();
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        let Some(module) = library.module(&path) else { continue };
        for import in &module.outline.imports {
            open.extend(relative(library, &path, &import.module).filter(|it| seen.insert(it.clone())));
        }
        found.push(module);
    }
    found
}

/// Whether others can name a definition of a file: it is marked so, or handed on under a name.
pub fn is_exported(module: &Module, definition: &Definition) -> bool {
    let outermost = outermost(module, definition);
    let is_handed_on = || {
        let mut lists = module
            .outline
            .imports
            .iter()
            .filter(|it| it.form == ImportForm::ReExport && it.module.is_empty());
        lists.any(|it| it.names.iter().any(|it| it.name == outermost.name))
    };
    outermost.visibility == Visibility::Exported
        || is_handed_on()
        || module.assigned.as_deref() == Some(&*outermost.name)
}

/// The definition of the file's top level that a definition stands in.
fn outermost<'m>(module: &'m Module, definition: &'m Definition) -> &'m Definition {
    let around = std::iter::successors(Some(definition), |it| module.outline.definitions.get(it.container?));
    around.last().unwrap_or(definition)
}

fn exported(library: &Library<'_>, path: &RepoPath, members: &[&str], depth: usize) -> Vec<Declaration> {
    let Some(module) = library.module(path).filter(|_| depth < DEPTH) else { return Vec::new() };
    let Some((name, rest)) = members.split_first() else { return Vec::new() };
    if !library.enter(&module, qualified(name, rest)) {
        return Vec::new();
    }
    let own = |name: &str| declared(library, &module, &qualified(name, rest));
    let exported = marked(library, &module, &qualified(name, rest));
    if !exported.is_empty() {
        return exported;
    }
    for import in module.outline.imports.iter().filter(|it| it.form == ImportForm::ReExport) {
        let Some(it) = import.names.iter().find(|it| it.local() == *name) else { continue };
        let mut found = match (import.kind, &*import.module) {
            (ImportKind::Module, written) => relative(library, path, written)
                .map_or_else(Vec::new, |it| exported_of(library, &it, rest, depth)),
            (_, "") => {
                let own = own(&it.name);
                if own.is_empty() { imported(library, &module, &it.name, rest, depth) } else { own }
            }
            (_, written) => {
                let members: Vec<&str> = std::iter::once(&*it.name).chain(rest.iter().copied()).collect();
                relative(library, path, written)
                    .map_or_else(Vec::new, |it| exported_of(library, &it, &members, depth))
            }
        };
        if let Some(deprecated) = handed_on(&module, it) {
            found.iter_mut().for_each(|it| it.deprecated = Some(deprecated.clone()));
        }
        return found;
    }
    if let Some(whole) = module.assigned.as_deref() {
        let members: Vec<&str> = if *name == "default" { rest.to_vec() } else { members.to_vec() };
        let qualified = std::iter::once(whole).chain(members).collect::<Vec<_>>().join(".");
        return declared(library, &module, &qualified);
    }
    let stars =
        module.outline.imports.iter().filter(|it| {
            it.form == ImportForm::ReExport && it.kind == ImportKind::Star && *name != "default"
        });
    for star in stars {
        let target = relative(library, path, &star.module);
        let found = target.map_or_else(Vec::new, |it| exported_of(library, &it, members, depth));
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

fn exported_of(library: &Library<'_>, path: &RepoPath, members: &[&str], depth: usize) -> Vec<Declaration> {
    exported(library, path, members, depth + 1)
}

/// What an import of the file, handed on later, leads to.
fn imported(
    library: &Library<'_>,
    module: &Module,
    name: &str,
    rest: &[&str],
    depth: usize,
) -> Vec<Declaration> {
    let uses = module.outline.imports.iter().filter(|it| it.form == ImportForm::Use);
    for import in uses {
        let Some(it) = import.names.iter().find(|it| it.local() == name) else { continue };
        let Some(target) = relative(library, &module.path, &import.module) else { continue };
        let head = (import.kind != ImportKind::Module).then_some(&*it.name);
        let members: Vec<&str> = head.into_iter().chain(rest.iter().copied()).collect();
        return exported_of(library, &target, &members, depth);
    }
    Vec::new()
}

fn qualified(name: &str, rest: &[&str]) -> String {
    std::iter::once(name).chain(rest.iter().copied()).collect::<Vec<_>>().join(".")
}

fn declared(library: &Library<'_>, module: &Module, qualified: &str) -> Vec<Declaration> {
    meant(library, module, module.defined(qualified).collect())
}

/// The definitions that are marked as exported, with what they are members of.
fn marked(library: &Library<'_>, module: &Module, qualified: &str) -> Vec<Declaration> {
    let is_marked = |it: &&Definition| outermost(module, it).visibility == Visibility::Exported;
    meant(library, module, module.defined(qualified).filter(is_marked).collect())
}

/// The declarations that a use of their common name can mean. The body behind overloads is none: only they can be
/// called. A namespace that gives members to something else is not what is used.
fn meant(library: &Library<'_>, module: &Module, mut named: Vec<&Definition>) -> Vec<Declaration> {
    if named.iter().any(|it| it.kind != DefinitionKind::Module) {
        named.retain(|it| it.kind != DefinitionKind::Module);
    }
    if named.iter().any(|it| it.kind.runs() && it.body_start.is_none()) {
        named.retain(|it| !it.kind.runs() || it.body_start.is_none());
    }
    named.into_iter().map(|it| declaration(library, module, it)).collect()
}

/// `export = name`, and `module.exports = name`.
pub fn assigned(text: &str) -> Option<&str> {
    let rest = text.lines().find_map(|line| {
        let line = line.trim();
        line.strip_prefix("export =").or_else(|| line.strip_prefix("module.exports ="))
    })?;
    let name = rest.trim().trim_end_matches(';');
    let is_name = !name.is_empty() && name.chars().all(|it| it.is_alphanumeric() || it == '_' || it == '$');
    is_name.then_some(name)
}

/// `export { /** @deprecated */ name } from …`: what is said of the name that is handed on.
fn handed_on(module: &Module, name: &ImportedName) -> Option<Deprecated> {
    let place = name.places.iter().flatten().next()?;
    let before = module.slice(Span { start: Point { line: 1, column: 1 }, end: place.start }).trim_end();
    let block = before.ends_with("*/").then(|| script_text::last_block(before))?;
    script_text::read(&format!("/**{}*/", block?)).1
}
