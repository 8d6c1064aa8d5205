//! What one file takes from outside the repository, as far as its imports and names tell.

use std::collections::BTreeMap;

use super::family::Family;
use crate::model::{RepoPath, Span};
use crate::syntax::{DefinitionKind, Import, ImportKind, Language, Outline, Qualifier, ReferenceKind};

/// A file of ours with its outline.
#[derive(Clone, Copy)]
pub struct Source<'s> {
    pub path: &'s RepoPath,
    pub language: Language,
    pub outline: &'s Outline,
}

/// One place that names a module from elsewhere, or something in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use<'s> {
    /// The module as the import names it: `lodash/merge`, `yaml.loader`, `serde_json::value`.
    pub module: &'s str,
    /// What of it: a name, then members of that. Empty for the module itself.
    pub members: Vec<&'s str>,
    pub place: Span,
    pub kind: UseKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UseKind {
    Import,
    Call,
    Reference,
}

/// What stands for everything that a module exports.
pub const EVERYTHING: &str = "*";

/// What a local name means: a module, and names in it.
#[derive(Clone)]
struct Bound<'s> {
    module: &'s str,
    members: Vec<&'s str>,
}

/// What one import says: what it names, and which name of the file stands for what from then on.
struct Brought<'s> {
    named: Bound<'s>,
    place: Span,
    binds: Option<(&'s str, Bound<'s>)>,
    kind: UseKind,
}

/// The uses: imports first, then what stands for something imported. A name that a function binds again is its own.
pub fn uses<'s>(source: &Source<'s>, family: Family) -> Vec<Use<'s>> {
    let outline = source.outline;
    let own = own_modules(outline, family);
    let is_foreign = |module: &str| match family {
        Family::Script => !module.is_empty() && !module.starts_with(['.', '/', '#']) && !module.contains(':'),
        Family::Python => !module.is_empty(),
        Family::Rust => {
            let head = head(module);
            !matches!(head, "" | "crate" | "self" | "super" | "std" | "core" | "alloc")
                && !own.contains(&head)
        }
    };
    let mut found = Vec::new();
    let mut bound: BTreeMap<&str, Bound<'s>> = BTreeMap::new();
    for import in outline.imports.iter().filter(|it| it.dots == 0) {
        for it in brought(import, family).into_iter().filter(|it| is_foreign(it.named.module)) {
            let Bound { module, members } = it.named;
            found.push(Use { module, members, place: it.place, kind: it.kind });
            bound.extend(it.binds);
        }
    }
    for reference in &outline.references {
        let name = outline.text(reference.name);
        let path: Vec<&str> = match reference.qualifier {
            Qualifier::Value(_) | Qualifier::Expression => continue,
            Qualifier::Absent => vec![name],
            Qualifier::Named(before) => segments(outline.text(before)).chain([name]).collect(),
        };
        let Some((first, rest)) = path.split_first() else { continue };
        let it = match bound.get(first) {
            Some(it) => it.clone(),
            // A path names its crate without an import.
            None if family == Family::Rust && !rest.is_empty() && is_foreign(first) => {
                Bound { module: first, members: Vec::new() }
            }
            None => continue,
        };
        let kind = match reference.kind {
            ReferenceKind::Call => UseKind::Call,
            ReferenceKind::Inherits | ReferenceKind::Type | ReferenceKind::Use | ReferenceKind::Injected => {
                UseKind::Reference
            }
        };
        let members = it.members.iter().chain(rest).copied().collect();
        found.push(Use { module: it.module, members, place: outline.span(reference), kind });
    }
    found
}

fn brought(import: &Import, family: Family) -> Vec<Brought<'_>> {
    let module: &str = &import.module;
    let whole = Bound { module, members: Vec::new() };
    let kind = UseKind::Import;
    match import.kind {
        ImportKind::SideEffect if import.names.is_empty() => {
            vec![Brought { named: whole, place: import.span, binds: None, kind }]
        }
        // What is taken of it at once is used there, and no name stands for it.
        ImportKind::SideEffect => {
            let taken = import.names.iter().map(|it| Brought {
                named: Bound { module, members: vec![&*it.name] },
                place: it.places.into_iter().flatten().next().unwrap_or(import.span),
                binds: None,
                kind: UseKind::Reference,
            });
            taken.collect()
        }
        ImportKind::Star => {
            let named = Bound { members: vec![EVERYTHING], ..whole };
            vec![Brought { named, place: import.span, binds: None, kind }]
        }
        ImportKind::Module => {
            let binds = match import.names.first() {
                Some(name) => Some((name.local(), whole.clone())),
                // `import a.b` makes `a` known, and `a.b` below it.
                None if family == Family::Python => {
                    let top = head(module);
                    Some((top, Bound { module: top, members: Vec::new() }))
                }
                None => None,
            };
            vec![Brought { named: whole, place: import.span, binds, kind }]
        }
        ImportKind::Names => {
            let of_name = import.names.iter().map(|it| {
                let named = if module.is_empty() {
                    Bound { module: &it.name, members: Vec::new() }
                } else {
                    Bound { module, members: vec![&*it.name] }
                };
                let [name, alias] = it.places;
                let place = name.or(alias).unwrap_or(import.span);
                Brought { binds: Some((it.local(), named.clone())), named, place, kind }
            });
            of_name.collect()
        }
    }
}

/// The modules of a Rust file that a path there may mean instead of a crate.
fn own_modules(outline: &Outline, family: Family) -> Vec<&str> {
    if family != Family::Rust {
        return Vec::new();
    }
    let declared = outline.imports.iter().filter_map(|it| it.module.strip_prefix("self::"));
    let inside = outline.definitions.iter().filter(|it| it.kind == DefinitionKind::Module);
    declared.chain(inside.map(|it| it.name.as_ref())).collect()
}

fn head(path: &str) -> &str {
    path.split(['.', ':']).next().unwrap_or(path)
}

/// The names of a chain such as `a.b` or `a::b`.
pub fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split(['.', ':']).filter(|it| !it.is_empty())
}
