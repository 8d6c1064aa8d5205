//! Where Python's modules lie.

use std::collections::BTreeSet;

use super::program::{Family, Module, Program, Row};
use super::roots::joined;
use crate::syntax::Import;

const PACKAGE: &str = "__init__.py";
const PACKAGE_MODULE: &str = "/__init__";

/// Every Python file by the folder that a dotted path starts from and that path, ready to be looked up.
#[derive(Default)]
pub(super) struct Modules {
    /// The paths without `.py`, and without `/__init__` for packages.
    names: Vec<Name>,
    /// A name and the place in it at which the dotted path starts, sorted by both parts; a plain module before a
    /// package of its name.
    entries: Vec<(u32, u32)>,
    /// Folders that hold packages without being one: what import paths start from.
    roots: Vec<String>,
    /// Every name of a folder or module: what no import path can start with is not looked for.
    parts: BTreeSet<String>,
}

struct Name {
    path: String,
    dotted: String,
    file: u32,
    is_package: bool,
}

impl Modules {
    pub(super) fn of(program: &Program<'_>) -> Self {
        let mut modules = Self { roots: roots(program), ..Self::default() };
        for (file, row) in program.rows.iter().enumerate() {
            let Some(path) = row.text_path.strip_suffix(".py").filter(|_| row.family == Some(Family::Python))
            else {
                continue;
            };
            let package = path.strip_suffix(PACKAGE_MODULE);
            let path = package.unwrap_or(path).to_owned();
            let starts = std::iter::once(0).chain(path.match_indices('/').map(|it| it.0 + 1));
            let number = super::program::narrow(modules.names.len());
            modules.entries.extend(starts.map(|it| (number, super::program::narrow(it))));
            modules.parts.extend(path.split('/').map(str::to_owned));
            let dotted = path.replace('/', ".");
            let file = super::program::narrow(file);
            modules.names.push(Name { path, dotted, file, is_package: package.is_some() });
        }
        let mut entries = std::mem::take(&mut modules.entries);
        entries.sort_by(|left, right| modules.key(*left).cmp(&modules.key(*right)));
        modules.entries = entries;
        modules
    }

    /// Folder, dotted path, and which of two files of one name comes first.
    fn key(&self, (name, start): (u32, u32)) -> (&str, &str, bool) {
        let Some(name) = self.names.get(name as usize) else { return ("", "", false) };
        let start = start as usize;
        let folder = name.path.get(..start.saturating_sub(1)).unwrap_or_default();
        (folder, name.dotted.get(start..).unwrap_or_default(), name.is_package)
    }

    fn file(&self, folder: &str, dotted: &str) -> Option<u32> {
        let at = self.entries.partition_point(|it| self.key(*it) < (folder, dotted, false));
        let entry = *self.entries.get(at)?;
        let (found, path, _) = self.key(entry);
        let name = self.names.get(entry.0 as usize)?;
        (found == folder && path == dotted).then_some(name.file)
    }
}

fn roots(program: &Program<'_>) -> Vec<String> {
    let packages =
        program.paths().filter_map(|it| it.strip_suffix(PACKAGE)).map(|it| it.trim_end_matches('/'));
    let above = packages.filter(|it| !it.is_empty()).map(parent);
    let mut roots: Vec<String> =
        above.filter(|it| program.file_at(&joined(it, PACKAGE)).is_none()).map(str::to_owned).collect();
    roots.extend(["", "src"].map(str::to_owned));
    roots.sort();
    roots.dedup();
    roots
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |it| it.0)
}

pub(super) fn resolve(program: &Program<'_>, row: &Row<'_>, import: &Import) -> Option<Module> {
    let dotted = import.module.as_ref();
    module(program, row, import.dots, dotted)
}

fn module(program: &Program<'_>, row: &Row<'_>, dots: u32, dotted: &str) -> Option<Module> {
    if dots > 0 {
        let mut folder = parent(&row.text_path);
        for _ in 1..dots {
            folder = parent(folder);
        }
        return module_at(program, folder, dotted);
    }
    absolute(program, row, dotted)
}

/// A dotted path from the file's own root, then the other roots.
pub(super) fn absolute(program: &Program<'_>, row: &Row<'_>, dotted: &str) -> Option<Module> {
    let first = dotted.split('.').next().filter(|it| program.python.parts.contains(*it));
    first?;
    let mut own = parent(&row.text_path);
    while !own.is_empty() && is_package(program, own) {
        own = parent(own);
    }
    let roots = program.python.roots.iter().map(String::as_str);
    std::iter::once(own).chain(roots).find_map(|it| module_at(program, it, dotted))
}

fn is_package(program: &Program<'_>, folder: &str) -> bool {
    let (above, name) = folder.rsplit_once('/').unwrap_or(("", folder));
    let file = program.python.file(above, name).and_then(|it| program.rows.get(it as usize));
    file.is_some_and(|it| it.text_path.ends_with(PACKAGE))
}

fn module_at(program: &Program<'_>, folder: &str, dotted: &str) -> Option<Module> {
    let file = if dotted.is_empty() {
        let (above, name) = folder.rsplit_once('/').unwrap_or(("", folder));
        program.python.file(above, name)?
    } else {
        program.python.file(folder, dotted)?
    };
    program.module_of_file(file)
}

/// A module of a package by its name.
pub(super) fn submodule(program: &Program<'_>, file: u32, name: &str) -> Option<Module> {
    let path = &program.rows.get(file as usize)?.text_path;
    let folder = path.strip_suffix(PACKAGE)?.trim_end_matches('/');
    module_at(program, folder, name)
}

/// A module of a folder that has no `__init__.py`.
pub(super) fn in_namespace(
    program: &Program<'_>,
    row: &Row<'_>,
    import: &Import,
    name: &str,
) -> Option<Module> {
    let dotted =
        if import.module.is_empty() { name.to_owned() } else { [&import.module, ".", name].concat() };
    module(program, row, import.dots, &dotted)
}
