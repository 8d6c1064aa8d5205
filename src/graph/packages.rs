//! Languages whose imports name packages, not files: Go, Java, Kotlin, C#.

use super::program::{Family, Module, Program, Row};
use crate::syntax::{Import, Outline};

/// The names of the spaces that a file belongs to; none where a file is its own.
pub(super) fn space_names(family: Option<Family>, path: &str, outline: &Outline) -> Option<Vec<String>> {
    match family? {
        Family::Python | Family::Script | Family::Rust => None,
        Family::Go => {
            let folder = path.rsplit_once('/').map_or("", |it| it.0);
            let package = outline.packages.first().map_or("", |it| it.as_ref());
            // A package of tests stands beside the package that it tests.
            let suffix = if package.ends_with("_test") { "#test" } else { "" };
            Some(vec![[folder, suffix].concat()])
        }
        Family::Jvm | Family::CSharp => {
            let names: Vec<String> = outline.packages.iter().map(ToString::to_string).collect();
            Some(if names.is_empty() { vec![String::new()] } else { names })
        }
    }
}

/// The package or namespace that an import names, or the space of the type whose members it names.
pub(super) fn resolve(program: &Program<'_>, row: &Row<'_>, import: &Import) -> Option<Module> {
    let family = row.family?;
    match family {
        Family::Python | Family::Script | Family::Rust => None,
        Family::Go => {
            let module = program.roots.go.iter().find_map(|it| {
                let rest = import.module.strip_prefix(it.path.as_str())?;
                let rest = if rest.is_empty() { Some("") } else { rest.strip_prefix('/') };
                rest.map(|rest| super::roots::joined(&it.folder, rest))
            });
            program.space_named(family, &module?).map(Module::of)
        }
        Family::Jvm | Family::CSharp => package_or_type(program, family, &import.module),
    }
}

/// `a.b` as a package, `a.b.Type` as a type in a package.
pub(super) fn package_or_type(program: &Program<'_>, family: Family, path: &str) -> Option<Module> {
    if let Some(space) = program.space_named(family, path) {
        return Some(Module::of(space));
    }
    let (package, name) = path.rsplit_once('.')?;
    let space = program.space_named(family, package)?;
    let is_type = !program.defined(space, name).is_empty();
    is_type.then(|| Module { space, inner: name.to_owned() })
}
