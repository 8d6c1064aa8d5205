//! Where an installed package of Python defines a name.

use std::rc::Rc;

use super::declaration::{Declaration, declaration};
use super::library::{Library, Module};
use super::uses::segments;
use crate::model::RepoPath;
use crate::syntax::{Import, ImportKind};
use crate::system::FileKind;

/// How many hand-overs from module to module are followed.
const DEPTH: usize = 64;

/// The definitions behind a dotted path; several where one stands behind a condition.
pub fn find(library: &Library<'_>, path: &[&str]) -> Vec<Declaration> {
    library.begin();
    at(library, path, 0)
}

fn at(library: &Library<'_>, path: &[&str], depth: usize) -> Vec<Declaration> {
    if depth >= DEPTH || !is_inside(library, path) {
        return Vec::new();
    }
    let modules = (1..path.len()).rev();
    let found = modules.filter_map(|it| {
        let (module, rest) = path.split_at_checked(it)?;
        Some((file(library, module)?, module, rest))
    });
    let Some((file, module, rest)) = found.into_iter().next() else { return Vec::new() };
    let Some(source) = library.module(&file) else { return Vec::new() };
    let qualified = rest.join(".");
    if !library.enter(&source, qualified.clone()) {
        return Vec::new();
    }
    let own: Vec<Declaration> =
        source.defined(&qualified).map(|it| declaration(library, &source, it)).collect();
    if !own.is_empty() {
        return own;
    }
    handed_on(library, &source, (module, rest), depth)
}

/// What the module has from another one of the package.
fn handed_on(
    library: &Library<'_>,
    source: &Module,
    (module, rest): (&[&str], &[&str]),
    depth: usize,
) -> Vec<Declaration> {
    let Some((name, members)) = rest.split_first() else { return Vec::new() };
    let is_package = source.path.file_name().starts_with(b"__init__.");
    for import in &source.outline.imports {
        let Some(target) = target(import, module, is_package) else { continue };
        let path: Vec<&str> = match import.kind {
            ImportKind::Names => match import.names.iter().find(|it| it.local() == *name) {
                Some(it) => target.into_iter().chain([&*it.name]).chain(members.iter().copied()).collect(),
                None => continue,
            },
            ImportKind::Module => match import.names.first().filter(|it| it.local() == *name) {
                Some(_) => target.into_iter().chain(members.iter().copied()).collect(),
                None => continue,
            },
            ImportKind::Star => target.into_iter().chain(rest.iter().copied()).collect(),
            ImportKind::SideEffect => continue,
        };
        let found = at(library, &path, depth + 1);
        if !found.is_empty() || import.kind != ImportKind::Star {
            return found;
        }
    }
    Vec::new()
}

/// The absolute path of the module that an import names.
fn target<'m>(import: &'m Import, module: &[&'m str], is_package: bool) -> Option<Vec<&'m str>> {
    let up = usize::try_from(import.dots).ok()?;
    let base = match up {
        0 => &[],
        _ => {
            // One dot is the package that the module is in, or is.
            let drop = if is_package { up - 1 } else { up };
            module.get(..module.len().checked_sub(drop)?)?
        }
    };
    Some(base.iter().copied().chain(segments(&import.module)).collect())
}

/// Whether a path leads into this package and not into another one beside it.
fn is_inside(library: &Library<'_>, path: &[&str]) -> bool {
    library.package.modules.iter().any(|it| segments(it).zip(path).all(|(it, part)| it == *part))
}

/// The modules of the package.
pub fn reachable(library: &Library<'_>) -> Vec<Rc<Module>> {
    let mut found = Vec::new();
    let mut open: Vec<RepoPath> = Vec::new();
    for module in &library.package.modules {
        let path: Vec<&str> = segments(module).collect();
        let Some(file) = file(library, &path) else { continue };
        if file.file_name() == b"__init__.py" {
            open.extend(file.parent());
        } else {
            found.extend(library.module(&file));
        }
    }
    while let Some(folder) = open.pop() {
        let entries =
            library.package.root.folder(Some(&folder)).and_then(|it| it.entries()).unwrap_or_default();
        for entry in entries {
            let Ok(path) = folder.join(&entry.name) else { continue };
            match entry.kind {
                FileKind::Directory if !entry.name.starts_with(b"__") => open.push(path),
                FileKind::Regular if entry.name.ends_with(b".py") => found.extend(library.module(&path)),
                FileKind::Regular | FileKind::Directory | FileKind::Symlink | FileKind::Special => {}
            }
        }
    }
    found
}

/// The file of a module.
fn file(library: &Library<'_>, module: &[&str]) -> Option<RepoPath> {
    let path = module.join("/");
    let candidates = [format!("{path}/__init__.py"), format!("{path}.py")];
    library.probe(&path, candidates.into_iter())
}
