//! The module trees of Rust crates, from `mod` lines and the places of files.

use super::program::{Family, Module, Program, Row, narrow};
use super::roots::joined;
use super::store::SymbolNumber;
use crate::syntax::{DefinitionKind, ImportKind};

/// Which file declares which.
#[derive(Default)]
pub(super) struct Crates {
    /// The file that declares a file, for each file.
    parents: Vec<Option<u32>>,
    /// Declaring file, name, declared file; sorted.
    children: Vec<(u32, Box<str>, u32)>,
    /// Names of library crates with their root file; sorted.
    names: Vec<(String, u32)>,
    /// Root file, name and symbol of macros; sorted.
    macros: Vec<(u32, Box<str>, SymbolNumber)>,
}

/// Macros of the standard library: one of these names that a file makes for itself is seldom seen by others.
const STANDARD: &[&str] = &[
    "write",
    "writeln",
    "print",
    "println",
    "eprint",
    "eprintln",
    "format",
    "panic",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "vec",
    "todo",
    "unimplemented",
    "unreachable",
    "matches",
    "dbg",
    "concat",
    "stringify",
    "env",
    "cfg",
    "include",
    "include_str",
    "include_bytes",
    "thread_local",
];

/// More macros of one name say nothing.
const MOST_MACROS: usize = 4;

/// Longer chains of `mod` lines are a loop.
const DEEPEST: usize = 100;

impl Crates {
    pub(super) fn of(program: &Program<'_>) -> Self {
        let mut crates = Self { parents: vec![None; program.rows.len()], ..Self::default() };
        for (file, row) in program.rows.iter().enumerate().filter(|(_, it)| it.family == Some(Family::Rust)) {
            let mods = row.imports().iter().filter(|it| it.kind == ImportKind::Module);
            for name in mods.flat_map(|it| &it.names) {
                let Some(child) = declared(program, &row.text_path, &name.name) else { continue };
                crates.children.push((narrow(file), name.name.clone(), child));
                if let Some(parent) = crates.parents.get_mut(child as usize).filter(|it| it.is_none()) {
                    *parent = Some(narrow(file));
                }
            }
        }
        crates.adopt(program);
        crates.children.sort();
        crates.names = library_names(program);
        crates.macros = crates.macros(program);
        crates
    }

    fn macros(&self, program: &Program<'_>) -> Vec<(u32, Box<str>, SymbolNumber)> {
        let mut macros = Vec::new();
        for (file, row) in (0..).zip(&program.rows).filter(|(_, it)| it.family == Some(Family::Rust)) {
            let definitions = (row.symbol + 1..).zip(&row.source.outline.definitions);
            let own = definitions.filter(|it| it.1.kind == DefinitionKind::Macro);
            macros.extend(own.map(|(symbol, it)| (self.root(file), it.name.clone(), symbol)));
        }
        macros.sort();
        macros
    }

    /// The macros of a name in a file's crate: they are known by the order of the text, not by paths.
    pub(super) fn macros_named(&self, file: u32, name: &str) -> Vec<SymbolNumber> {
        if STANDARD.contains(&name) {
            return Vec::new();
        }
        let root = self.root(file);
        let start = self.macros.partition_point(|it| (it.0, it.1.as_ref()) < (root, name));
        let rest = self.macros.get(start..).unwrap_or_default().iter();
        rest.take_while(|it| it.0 == root && &*it.1 == name).map(|it| it.2).take(MOST_MACROS).collect()
    }

    /// Gives files that no `mod` line names to the module of their folder: such lines can stand in macros.
    fn adopt(&mut self, program: &Program<'_>) {
        for (file, row) in program.rows.iter().enumerate().filter(|(_, it)| it.family == Some(Family::Rust)) {
            if self.parent(narrow(file)).is_some() {
                continue;
            }
            let Some((name, parent)) = folder_module(program, &row.text_path) else { continue };
            self.children.push((parent, name.into(), narrow(file)));
            if let Some(known) = self.parents.get_mut(file) {
                *known = Some(parent);
            }
        }
    }

    fn child(&self, file: u32, name: &str) -> Option<u32> {
        let at = self.children.binary_search_by(|it| (it.0, it.1.as_ref()).cmp(&(file, name))).ok()?;
        self.children.get(at).map(|it| it.2)
    }

    fn parent(&self, file: u32) -> Option<u32> {
        self.parents.get(file as usize).copied().flatten()
    }

    fn root(&self, file: u32) -> u32 {
        let mut root = file;
        for _ in 0..DEEPEST {
            let Some(parent) = self.parent(root) else { break };
            root = parent;
        }
        root
    }

    fn named(&self, name: &str) -> Option<u32> {
        let at = self.names.binary_search_by(|it| it.0.as_str().cmp(name)).ok()?;
        self.names.get(at).map(|it| it.1)
    }
}

/// The file that `mod name;` in a file means.
fn declared(program: &Program<'_>, path: &str, name: &str) -> Option<u32> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.strip_suffix(".rs")?;
    let own = joined(folder, stem);
    let folders =
        if matches!(stem, "lib" | "main" | "mod") { vec![folder] } else { vec![own.as_str(), folder] };
    let candidates = folders.into_iter().flat_map(|folder| {
        [[joined(folder, name), ".rs".to_owned()].concat(), joined(folder, &[name, "/mod.rs"].concat())]
    });
    candidates.into_iter().filter(|it| it != path).find_map(|it| program.file_at(&it))
}

/// The name that a file has as a module and the file of the module above it, by their places.
fn folder_module<'p>(program: &Program<'_>, path: &'p str) -> Option<(&'p str, u32)> {
    let module = path.strip_suffix("/mod.rs").or_else(|| path.strip_suffix(".rs"))?;
    let (folder, name) = module.rsplit_once('/')?;
    if matches!(name, "lib" | "main") {
        return None;
    }
    let above = ["/mod.rs", ".rs", "/lib.rs", "/main.rs"].map(|it| [folder, it].concat());
    above.iter().find_map(|it| program.file_at(it)).map(|it| (name, it))
}

/// Crates of the manifests, and folders with a `src/lib.rs` for which there is none.
fn library_names(program: &Program<'_>) -> Vec<(String, u32)> {
    let told = program
        .roots
        .crates
        .iter()
        .filter_map(|it| Some((it.name.clone(), program.file_at(&joined(&it.folder, "src/lib.rs"))?)));
    let mut names: Vec<(String, u32)> = told.collect();
    let known: Vec<u32> = names.iter().map(|it| it.1).collect();
    let found = program.paths().filter_map(|it| {
        let folder = it.strip_suffix("/src/lib.rs")?;
        let name = folder.rsplit('/').next().unwrap_or(folder).replace('-', "_");
        Some((name, program.file_at(it)?))
    });
    names.extend(found.filter(|it| !known.contains(&it.1)));
    names.sort();
    names
}

/// Where a path such as `crate::a::b` begins, and what is left of it. `around` is the module that holds the path.
pub(super) fn anchor<'p>(
    program: &Program<'_>,
    row: &Row<'_>,
    around: &Module,
    path: &'p str,
) -> Option<(Module, Vec<&'p str>)> {
    let file = program.file_of(row.symbol);
    let mut parts: Vec<&str> = path.split("::").filter(|it| !it.is_empty()).collect();
    parts.reverse();
    let mut module = match parts.last().copied()? {
        "crate" => program.module_of_file(program.rust.root(file))?,
        "self" => around.clone(),
        "super" => above(program, around)?,
        _ => return None,
    };
    parts.pop();
    while parts.last() == Some(&"super") {
        module = above(program, &module)?;
        parts.pop();
    }
    parts.reverse();
    Some((module, parts))
}

fn above(program: &Program<'_>, module: &Module) -> Option<Module> {
    if let Some((outer, _)) = module.inner.rsplit_once('.') {
        return Some(Module { space: module.space, inner: outer.to_owned() });
    }
    if !module.inner.is_empty() {
        return Some(Module::of(module.space));
    }
    let file = program.spaces.get(module.space as usize)?.files.first().copied()?;
    program.module_of_file(program.rust.parent(file)?)
}

pub(super) fn submodule(program: &Program<'_>, file: u32, name: &str) -> Option<Module> {
    program.module_of_file(program.rust.child(file, name)?)
}

pub(super) fn library(program: &Program<'_>, name: &str) -> Option<Module> {
    program.module_of_file(program.rust.named(name)?)
}
