//! What a name means in a file: its own definitions, what imports bring in, what stands in the same package.

use super::calibration::Resolution;
use super::program::{Family, Module, Program, Row, narrow};
use super::store::SymbolNumber;
use super::{packages, python, rust, script};
use crate::syntax::{DefinitionKind, Import, ImportForm, ImportKind, ImportedName};

/// What a name leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Definitions: more than one when a name is defined several times.
    Symbols(Vec<SymbolNumber>),
    Module(Module),
}

/// What a name means where it is used.
pub(super) enum Meaning {
    Found(Found, Resolution),
    /// An import binds it to something outside the repository.
    External,
    Unknown,
}

/// How many look-ups one name may take: chains of re-exports can be long and can be loops.
pub(super) const FUEL: u32 = 200;
/// Reading through so many imports of a file counts as one look-up.
const IMPORTS_PER_STEP: u32 = 32;

impl Program<'_> {
    /// The module that an import names.
    pub(super) fn imported(&self, row: &Row<'_>, import: &Import, fuel: &mut u32) -> Option<Module> {
        if row.family == Some(Family::Rust) {
            let around = self.around_import(row, import)?;
            return self.rust_path(row, &around, &import.module, fuel);
        }
        match row.target_of(import) {
            Some(known) => known.get_or_init(|| self.target(row, import)).clone(),
            None => self.target(row, import),
        }
    }

    fn target(&self, row: &Row<'_>, import: &Import) -> Option<Module> {
        match row.family? {
            Family::Python => python::resolve(self, row, import),
            Family::Script => script::resolve(self, row, import),
            Family::Go | Family::Jvm | Family::CSharp => packages::resolve(self, row, import),
            Family::Rust => None,
        }
    }

    /// The module in which an import stands.
    fn around_import(&self, row: &Row<'_>, import: &Import) -> Option<Module> {
        let inner = row.modules.iter().rev().find(|it| it.span.encloses(&import.span));
        let space = row.spaces.first().copied()?;
        Some(Module { space, inner: inner.map_or_else(String::new, |it| it.qualified.to_string()) })
    }

    /// A path of Rust as a module.
    fn rust_path(&self, row: &Row<'_>, around: &Module, path: &str, fuel: &mut u32) -> Option<Module> {
        let (start, rest) = match rust::anchor(self, row, around, path) {
            Some((module, rest)) => (Found::Module(module), rest),
            None => {
                let mut parts = path.split("::");
                let head = parts.next().filter(|it| !it.is_empty())?;
                let local = self
                    .own(row, around, head)
                    .or_else(|| rust::submodule(self, self.file_of(row.symbol), head).map(Found::Module));
                let found = local.or_else(|| rust::library(self, head).map(Found::Module))?;
                (found, parts.collect())
            }
        };
        let found = rest.into_iter().try_fold(start, |found, part| self.step(&found, part, fuel))?;
        match found {
            Found::Module(module) => Some(module),
            Found::Symbols(symbols) => self.type_as_module(*symbols.first()?),
        }
    }

    /// A type, as the place of its variants and associated items.
    fn type_as_module(&self, symbol: SymbolNumber) -> Option<Module> {
        let definition = self.definition(symbol).filter(|it| it.kind.is_type())?;
        let space = self.row_of(symbol)?.spaces.first().copied()?;
        Some(Module { space, inner: definition.qualified.to_string() })
    }

    fn own(&self, row: &Row<'_>, around: &Module, name: &str) -> Option<Found> {
        let here = self.file_of(row.symbol);
        let found = self.found_in(around, name)?;
        match &found {
            Found::Symbols(symbols) => {
                let own: Vec<_> = symbols.iter().copied().filter(|it| self.file_of(*it) == here).collect();
                (!own.is_empty()).then_some(Found::Symbols(own))
            }
            Found::Module(_) => Some(found),
        }
    }

    /// What a module defines itself under a name.
    fn found_in(&self, module: &Module, name: &str) -> Option<Found> {
        let qualified = module.qualified(name);
        let symbols = self.defined(module.space, &qualified);
        let first = self.definition(*symbols.first()?)?;
        Some(if first.kind == DefinitionKind::Module {
            Found::Module(Module { space: module.space, inner: qualified })
        } else {
            Found::Symbols(symbols.to_vec())
        })
    }

    /// What a module offers to others under a name: definitions, modules below it, what it hands on.
    pub(super) fn lookup(&self, module: &Module, name: &str, fuel: &mut u32) -> Option<Found> {
        *fuel = fuel.checked_sub(1)?;
        if let Some(found) = self.found_in(module, name) {
            return Some(found);
        }
        let file = self.spaces.get(module.space as usize)?.files.first().copied()?;
        let row = self.rows.get(file as usize)?;
        let below = match row.family? {
            Family::Python => python::submodule(self, file, name),
            Family::Rust if module.inner.is_empty() => rust::submodule(self, file, name),
            Family::Rust | Family::Script | Family::Go | Family::Jvm | Family::CSharp => None,
        };
        below.map(Found::Module).or_else(|| self.handed_on(row, module, name, fuel))
    }

    fn handed_on(&self, row: &Row<'_>, module: &Module, name: &str, fuel: &mut u32) -> Option<Found> {
        let family = row.family.filter(|it| matches!(it, Family::Python | Family::Script | Family::Rust))?;
        *fuel = fuel.checked_sub(narrow(row.imports().len()) / IMPORTS_PER_STEP)?;
        let imports = row.imports().iter();
        let open = imports.filter(|it| family != Family::Script || it.form == ImportForm::ReExport);
        let fitting =
            open.filter(|it| it.kind == ImportKind::Star || it.names.iter().any(|it| it.local() == name));
        let here: Vec<&Import> = fitting
            .filter(|it| family != Family::Rust || self.around_import(row, it).as_ref() == Some(module))
            .collect();
        for import in &here {
            for imported in import.names.iter().filter(|it| it.local() == name) {
                if let Some(found) = self.named(row, import, imported, fuel) {
                    return Some(found);
                }
            }
        }
        for star in here.iter().filter(|it| it.kind == ImportKind::Star) {
            *fuel = fuel.checked_sub(1)?;
            let target = self.imported(row, star, fuel).filter(|it| it != module);
            if let Some(found) = target.and_then(|it| self.lookup(&it, name, fuel)) {
                return Some(found);
            }
        }
        None
    }

    /// What one name of an import leads to.
    pub(super) fn named(
        &self,
        row: &Row<'_>,
        import: &Import,
        name: &ImportedName,
        fuel: &mut u32,
    ) -> Option<Found> {
        *fuel = fuel.checked_sub(1)?;
        let family = row.family?;
        if import.module.is_empty() && family == Family::Script {
            let around = self.around_import(row, import)?;
            return match self.meaning(row, &around, &name.name, fuel) {
                Meaning::Found(found, _) => Some(found),
                Meaning::External | Meaning::Unknown => None,
            };
        }
        let Some(module) = self.imported(row, import, fuel) else {
            return match family {
                Family::Python => python::in_namespace(self, row, import, &name.name).map(Found::Module),
                Family::Rust if import.module.is_empty() => {
                    rust::library(self, &name.name).map(Found::Module)
                }
                Family::Rust | Family::Script | Family::Go | Family::Jvm | Family::CSharp => None,
            };
        };
        if import.kind == ImportKind::Module {
            return Some(Found::Module(module));
        }
        let found = self.lookup(&module, &name.name, fuel);
        let is_default = family == Family::Script && &*name.name == "default";
        found.or_else(|| if is_default { self.file_symbol(&module) } else { None })
    }

    /// The symbol of the file that a module is.
    pub(super) fn file_symbol(&self, module: &Module) -> Option<Found> {
        let file = self.spaces.get(module.space as usize)?.files.first()?;
        self.rows.get(*file as usize).map(|it| Found::Symbols(vec![it.symbol]))
    }

    /// What a name means in a file, seen from the module `around` the place of use.
    pub(super) fn meaning(&self, row: &Row<'_>, around: &Module, name: &str, fuel: &mut u32) -> Meaning {
        if let Some(found) = self.own(row, around, name) {
            return Meaning::Found(found, Resolution::SameFile);
        }
        let mut is_external = false;
        for import in self.visible_imports(row, around) {
            if let Some(imported) = import.names.iter().find(|it| it.local() == name) {
                match self.named(row, import, imported, fuel) {
                    Some(found) => return Meaning::Found(found, Resolution::ImportedName),
                    None => is_external = !import.module.is_empty(),
                }
            } else if let Some(found) = self.unnamed(row, import, name) {
                match found {
                    Some(module) => return Meaning::Found(Found::Module(module), Resolution::ImportedName),
                    None => is_external = true,
                }
            }
        }
        if is_external {
            return Meaning::External;
        }
        self.implied(row, around, name, fuel)
    }

    fn visible_imports<'r>(&self, row: &'r Row<'_>, around: &Module) -> impl Iterator<Item = &'r Import> {
        let is_rust = row.family == Some(Family::Rust);
        let inside = if is_rust { around.inner.clone() } else { String::new() };
        let module = row.modules.iter().find(|it| *it.qualified == *inside);
        let span = module.map(|it| it.span);
        let holds = move |it: &&Import| span.is_none_or(|span| span.encloses(&it.span));
        row.imports().iter().filter(move |it| it.form == ImportForm::Use || is_rust).filter(holds)
    }

    /// An import that binds a name without listing it: `import a.b` in Python, `import "a/b"` in Go.
    fn unnamed(&self, row: &Row<'_>, import: &Import, name: &str) -> Option<Option<Module>> {
        if import.kind != ImportKind::Module || !import.names.is_empty() {
            return None;
        }
        match row.family? {
            Family::Python => {
                let head = import.module.split('.').next()?;
                (head == name).then(|| python::absolute(self, row, head))
            }
            Family::Go => {
                let target = packages::resolve(self, row, import);
                let file =
                    target.as_ref().and_then(|it| self.spaces.get(it.space as usize)?.files.first().copied());
                let package = file.and_then(|it| self.rows.get(it as usize)?.source.outline.packages.first());
                let last = import.module.rsplit('/').next()?;
                (package.map_or(last, |it| it.as_ref()) == name).then_some(target)
            }
            Family::Script | Family::Rust | Family::Jvm | Family::CSharp => None,
        }
    }

    /// Names that no import lists: of the same package, of a star, of another crate.
    fn implied(&self, row: &Row<'_>, around: &Module, name: &str, fuel: &mut u32) -> Meaning {
        let family = row.family;
        if matches!(family, Some(Family::Go | Family::Jvm | Family::CSharp)) {
            let packages = row.spaces.iter().map(|it| Module::of(*it));
            if let Some(found) = packages.into_iter().find_map(|it| self.found_in(&it, name)) {
                return Meaning::Found(found, Resolution::SamePackage);
            }
        }
        for import in self.visible_imports(row, around).filter(|it| it.kind == ImportKind::Star) {
            if *fuel == 0 {
                return Meaning::Unknown;
            }
            *fuel -= 1;
            let target = self.imported(row, import, fuel);
            if let Some(found) = target.and_then(|it| self.lookup(&it, name, fuel)) {
                return Meaning::Found(found, Resolution::ImportedName);
            }
        }
        if family == Some(Family::CSharp) {
            let outer = row.source.outline.packages.iter().filter_map(|it| it.rsplit_once('.'));
            let spaces = outer.filter_map(|it| self.space_named(Family::CSharp, it.0));
            if let Some(found) = spaces.into_iter().find_map(|it| self.found_in(&Module::of(it), name)) {
                return Meaning::Found(found, Resolution::SamePackage);
            }
        }
        if family == Some(Family::Rust) {
            let macros = self.rust.macros_named(self.file_of(row.symbol), name);
            if !macros.is_empty() {
                return Meaning::Found(Found::Symbols(macros), Resolution::SamePackage);
            }
        }
        let library = if family == Some(Family::Rust) { rust::library(self, name) } else { None };
        library.map_or(Meaning::Unknown, |it| Meaning::Found(Found::Module(it), Resolution::ImportedName))
    }

    /// A name of what was found: a member of a module or of a type, inherited ones included.
    pub(super) fn step(&self, found: &Found, name: &str, fuel: &mut u32) -> Option<Found> {
        match found {
            Found::Module(module) => self.lookup(module, name, fuel),
            Found::Symbols(symbols) => {
                *fuel = fuel.checked_sub(1)?;
                let members: Vec<_> = symbols.iter().flat_map(|it| self.inherited(*it, name)).collect();
                (!members.is_empty()).then_some(Found::Symbols(members))
            }
        }
    }
}
