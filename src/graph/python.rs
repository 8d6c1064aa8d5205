//! Where Python's modules lie.

use super::program::{Family, Module, Program, Row};
use super::roots::joined;
use crate::syntax::Import;

const PACKAGE: &str = "__init__.py";

/// Folders that hold packages without being one: what import paths start from.
pub(super) fn roots(program: &Program<'_>) -> Vec<String> {
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
    if import.dots > 0 {
        let mut folder = parent(&row.text_path);
        for _ in 1..import.dots {
            folder = parent(folder);
        }
        return module_at(program, folder, &import.module);
    }
    absolute(program, row, &import.module)
}

/// A dotted path from the file's own root, its own folder, then the other roots.
pub(super) fn absolute(program: &Program<'_>, row: &Row<'_>, dotted: &str) -> Option<Module> {
    if dotted.is_empty() {
        return None;
    }
    let mut own = parent(&row.text_path);
    while !own.is_empty() && program.file_at(&joined(own, PACKAGE)).is_some() {
        own = parent(own);
    }
    let folders = [own, parent(&row.text_path)];
    let all = folders.into_iter().chain(program.python_roots.iter().map(String::as_str));
    all.into_iter().find_map(|it| module_at(program, it, dotted))
}

fn module_at(program: &Program<'_>, folder: &str, dotted: &str) -> Option<Module> {
    let path = joined(folder, &dotted.replace('.', "/"));
    let candidates = [[path.as_str(), ".py"].concat(), joined(&path, PACKAGE)];
    let file = candidates.iter().find_map(|it| program.file_at(it))?;
    program.rows.get(file as usize).filter(|it| it.family == Some(Family::Python))?;
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
    resolve(program, row, &Import { module: dotted.into(), ..import.clone() })
}
