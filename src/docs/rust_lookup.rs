//! Where a crate defines the item that a path names.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::declaration::{Declaration, declaration};
use super::library::{CrateRoot, Edition, Library, Module};
use super::package::MANIFEST_BYTES;
use super::uses::segments;
use crate::model::RepoPath;
use crate::syntax::{DefinitionKind, Import, ImportForm, ImportKind};

/// How many re-exports are followed.
const DEPTH: usize = 64;

/// A module of the crate: a file, or a module inside one.
#[derive(Clone)]
struct Here {
    file: RepoPath,
    /// The folder, inside the crate, of the files of its own modules.
    folder: String,
    /// The names of the modules inside the file.
    inner: Vec<String>,
    /// Its path in the crate.
    path: Vec<String>,
    edition: Edition,
}

/// The definitions of an item, by its path below the crate.
pub fn find(library: &Library<'_>, path: &[&str]) -> Vec<Declaration> {
    library.begin();
    at(library, path, 0)
}

fn entry(library: &Library<'_>) -> Option<CrateRoot> {
    let manifest = library.text(&library.below("Cargo.toml")?, MANIFEST_BYTES)?;
    let manifest: toml_edit::DocumentMut = manifest.parse().ok()?;
    let stated = manifest.get("lib").and_then(|it| it.get("path")?.as_str());
    let file = library.below(stated.unwrap_or("src/lib.rs"))?;
    let edition = manifest.get("package").and_then(|it| it.get("edition")?.as_str());
    // A manifest that states none is of the first.
    let edition = if edition.is_none_or(|it| it == "2015") { Edition::Of2015 } else { Edition::Later };
    Some(CrateRoot { file, edition })
}

/// The modules of the crate.
pub fn reachable(library: &Library<'_>) -> Vec<Rc<Module>> {
    let mut open: Vec<Here> = start(library).into_iter().collect();
    let mut found: BTreeMap<RepoPath, Rc<Module>> = BTreeMap::new();
    while let Some(here) = open.pop() {
        let Some(module) = library.module(&here.file) else { continue };
        let declared = module.outline.imports.iter().filter_map(|it| it.module.strip_prefix("self::"));
        let names: Vec<&str> = declared.filter(|it| !it.contains("::")).collect();
        let next = names.into_iter().filter_map(|it| child(library, &module, &here, it));
        open.extend(next.filter(|it| it.file != here.file && !found.contains_key(&it.file)));
        found.insert(here.file.clone(), module);
    }
    found.into_values().collect()
}

fn start(library: &Library<'_>) -> Option<Here> {
    let CrateRoot { file, edition } = library.root(|| entry(library))?;
    let folder = library.shown(&file);
    let folder = folder.rsplit_once('/').map_or("", |it| it.0).to_owned();
    Some(Here { file, folder, inner: Vec::new(), path: Vec::new(), edition })
}

fn at(library: &Library<'_>, path: &[&str], depth: usize) -> Vec<Declaration> {
    let Some(mut here) = start(library).filter(|_| depth < DEPTH) else { return Vec::new() };
    let mut rest = path;
    while let Some((name, below)) = rest.split_first() {
        let Some(module) = library.module(&here.file) else { return Vec::new() };
        if !below.is_empty()
            && let Some(next) = child(library, &module, &here, name)
        {
            here = next;
            rest = below;
            continue;
        }
        let qualified: Vec<&str> =
            here.inner.iter().map(String::as_str).chain(rest.iter().copied()).collect();
        let qualified = qualified.join(".");
        if !library.enter(&module, qualified.clone()) {
            return Vec::new();
        }
        let own = module.defined(&qualified).filter(|it| it.kind != DefinitionKind::Module);
        let own: Vec<Declaration> = own.map(|it| declaration(library, &module, it)).collect();
        if !own.is_empty() {
            return own;
        }
        return handed_on(library, &module, &here, rest, depth);
    }
    Vec::new()
}

/// The module of a name inside another one.
fn child(library: &Library<'_>, module: &Module, here: &Here, name: &str) -> Option<Here> {
    let mut inner = here.inner.clone();
    inner.push(name.to_owned());
    let path = here.path.iter().cloned().chain([name.to_owned()]).collect();
    let qualified = inner.join(".");
    if module.defined(&qualified).any(|it| it.kind == DefinitionKind::Module) {
        return Some(Here { inner, path, ..here.clone() });
    }
    let declared = format!("self::{name}");
    let is_declared = |it: &Import| it.kind == ImportKind::Module && *it.module == *declared;
    if !module.outline.imports.iter().any(is_declared) {
        return None;
    }
    let folder: Vec<&str> =
        std::iter::once(here.folder.as_str()).chain(here.inner.iter().map(String::as_str)).collect();
    let folder = format!("{}/{name}", folder.join("/"));
    let files = [format!("{folder}.rs"), format!("{folder}/mod.rs")];
    let file = library.probe(&folder, files.into_iter())?;
    Some(Here { file, folder, inner: Vec::new(), path, edition: here.edition })
}

/// What a `pub use` of the module leads to.
fn handed_on(
    library: &Library<'_>,
    module: &Module,
    here: &Here,
    rest: &[&str],
    depth: usize,
) -> Vec<Declaration> {
    let Some((name, members)) = rest.split_first() else { return Vec::new() };
    let handed = || {
        let all = module.outline.imports.iter();
        all.filter(|it| it.form == ImportForm::ReExport && it.kind != ImportKind::Module)
    };
    for import in handed() {
        let Some(it) = import.names.iter().find(|it| it.local() == *name) else { continue };
        let target = absolute(here, &import.module);
        let path: Vec<&str> = target.iter().map(String::as_str).chain([&*it.name]).collect();
        let path: Vec<&str> = path.into_iter().chain(members.iter().copied()).collect();
        return at(library, &path, depth + 1);
    }
    for import in handed().filter(|it| it.kind == ImportKind::Star) {
        let target = absolute(here, &import.module);
        let path: Vec<&str> = target.iter().map(String::as_str).chain(rest.iter().copied()).collect();
        let found = at(library, &path, depth + 1);
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// The path in the crate of what a `use` in a module names. One that begins with the name of another crate leads to
/// nothing in this one.
fn absolute(here: &Here, written: &str) -> Vec<String> {
    let mut parts = segments(written).peekable();
    let mut path = here.path.clone();
    match parts.peek() {
        Some(&"crate") => {
            path.clear();
            parts.next();
        }
        Some(&"self") => {
            parts.next();
        }
        Some(&"super") => {
            while parts.next_if(|it| *it == "super").is_some() {
                path.pop();
            }
        }
        Some(_) | None if here.edition == Edition::Of2015 => path.clear(),
        Some(_) | None => {}
    }
    path.extend(parts.map(str::to_owned));
    path
}
