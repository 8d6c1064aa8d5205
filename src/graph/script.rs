//! Where the modules of JavaScript and TypeScript lie.

use super::program::{Family, Module, Program, Row};
use super::roots::joined;
use crate::syntax::Import;

/// What may stand behind a path that is written without it, best first.
const ENDINGS: &[&str] = &[
    "",
    ".ts",
    ".tsx",
    ".d.ts",
    ".js",
    ".jsx",
    ".mts",
    ".cts",
    ".mjs",
    ".cjs",
    "/index.ts",
    "/index.tsx",
    "/index.d.ts",
    "/index.js",
    "/index.jsx",
    "/index.mts",
    "/index.mjs",
];

/// What a written extension may be in the source.
const SOURCES: &[(&str, &[&str])] =
    &[(".js", &[".ts", ".tsx", ".d.ts"]), (".jsx", &[".tsx"]), (".mjs", &[".mts"]), (".cjs", &[".cts"])];

pub(super) fn resolve(program: &Program<'_>, row: &Row<'_>, import: &Import) -> Option<Module> {
    let written = import.module.as_ref();
    let folder = row.text_path.rsplit_once('/').map_or("", |it| it.0);
    let file = if written.is_empty() {
        None
    } else if written.starts_with('.') {
        probe(program, &joined(folder, written))
    } else {
        aliased(program, folder, written).or_else(|| in_workspace(program, written))
    };
    program.module_of_file(file?)
}

fn probe(program: &Program<'_>, path: &str) -> Option<u32> {
    let is_script =
        |it: &u32| program.rows.get(*it as usize).is_some_and(|it| it.family == Some(Family::Script));
    let plain = ENDINGS.iter().find_map(|it| program.file_at(&[path, it].concat()).filter(is_script));
    plain.or_else(|| {
        let (stem, sources) =
            SOURCES.iter().find_map(|(ending, to)| Some((path.strip_suffix(ending)?, to)))?;
        sources.iter().find_map(|it| program.file_at(&[stem, it].concat()))
    })
}

/// By the patterns of the nearest configuration above the file.
fn aliased(program: &Program<'_>, folder: &str, written: &str) -> Option<u32> {
    let is_in = |scope: &str| {
        scope.is_empty() || folder.strip_prefix(scope).is_some_and(|it| it.is_empty() || it.starts_with('/'))
    };
    let aliases = program.roots.aliases.iter().filter(|it| is_in(&it.scope));
    let mut matching: Vec<_> = aliases.filter_map(|it| Some((it, filling(&it.pattern, written)?))).collect();
    matching.sort_by_key(|(it, _)| std::cmp::Reverse((it.scope.len(), it.pattern.len())));
    matching.into_iter().find_map(|(alias, filling)| {
        alias.targets.iter().find_map(|it| probe(program, &it.replacen('*', filling, 1)))
    })
}

/// What the `*` of a pattern stands for.
fn filling<'w>(pattern: &str, written: &'w str) -> Option<&'w str> {
    match pattern.split_once('*') {
        Some((before, after)) => written.strip_prefix(before)?.strip_suffix(after),
        None => (pattern == written).then_some(""),
    }
}

/// A package of the same repository by its name, with or without a path below it.
fn in_workspace(program: &Program<'_>, written: &str) -> Option<u32> {
    let fits = |name: &str| written.strip_prefix(name).filter(|it| it.is_empty() || it.starts_with('/'));
    let packages = program.roots.node.iter().filter_map(|it| Some((it, fits(&it.name)?)));
    let (package, rest) = packages.max_by_key(|(it, _)| it.name.len())?;
    let rest = rest.trim_start_matches('/');
    if !rest.is_empty() {
        let folders = [package.folder.clone(), joined(&package.folder, "src")];
        return folders.iter().find_map(|it| probe(program, &joined(it, rest)));
    }
    let main = package.main.as_deref().map(|it| joined(&package.folder, it));
    let habits = ["src/index", "index", "src/main", "lib/index"].map(|it| joined(&package.folder, it));
    main.into_iter().chain(habits).find_map(|it| probe(program, &it))
}
