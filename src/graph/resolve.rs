//! What a use means, as far as names and imports say.

use super::calibration::Resolution;
use super::evaluate::{Evaluation, Scene};
use super::known::{Kinds, Known};
use super::link::{Linker, MOST_CANDIDATES};
use super::names::{FUEL, Found, Meaning};
use super::program::{Family, Module, Row, SpaceNumber, narrow};
use super::store::SymbolNumber;
use crate::syntax::{DefinitionKind, Qualifier, Reference, ReferenceKind};

/// Definitions that a use may mean, and how they were found.
pub(super) struct Answer {
    pub(super) targets: Vec<SymbolNumber>,
    pub(super) resolution: Resolution,
}

fn scene<'r, 'f>(row: &'r Row<'f>, reference: &Reference) -> Scene<'r, 'f> {
    Scene { row, within: reference.within, function: reference.function }
}

/// The members of a name that a value of some kinds has; empty when it is known to have none of the repository's.
fn typed(evaluation: &Evaluation<'_, '_, '_>, kinds: &Kinds, name: &str) -> Option<Answer> {
    if kinds.is_empty() {
        return None;
    }
    let mut targets: Vec<_> = kinds.iter().flat_map(|it| evaluation.targets(it, name)).collect();
    targets.sort_unstable();
    targets.dedup();
    Some(Answer { targets, resolution: Resolution::Typed })
}

impl<'f> Linker<'_, 'f> {
    /// The targets of a use, as far as names, imports and the types that are written say. Empty when it is known to
    /// lead nowhere in the repository.
    pub(super) fn resolve(
        &self,
        evaluation: &mut Evaluation<'_, '_, 'f>,
        row: &Row<'f>,
        reference: &Reference,
    ) -> Option<Answer> {
        evaluation.renew();
        let outline = &row.source.outline;
        let name = outline.text(reference.name);
        if reference.kind == ReferenceKind::Injected {
            return self.injected(row, name);
        }
        match reference.qualifier {
            Qualifier::Absent => self.resolve_bare(row, reference.within, name),
            Qualifier::Named(qualifier) => {
                let qualifier = outline.text(qualifier);
                self.resolve_member(row, reference.within, qualifier, name).or_else(|| {
                    let kinds = evaluation.chain(&scene(row, reference), qualifier);
                    typed(evaluation, &kinds, name)
                })
            }
            Qualifier::Value(value) => {
                let kinds = evaluation.value(&scene(row, reference), value);
                typed(evaluation, &kinds, name)
            }
            Qualifier::Expression => None,
        }
    }

    /// A fixture of pytest: in the file, or in a `conftest.py` beside it or above.
    pub(super) fn injected(&self, row: &Row<'_>, name: &str) -> Option<Answer> {
        let own = row.spaces.first().map_or(&[][..], |it| self.program.defined(*it, name));
        if !own.is_empty() {
            return Some(Answer { targets: own.to_vec(), resolution: Resolution::SameFile });
        }
        let mut folder = row.text_path.as_str();
        while !folder.is_empty() {
            folder = folder.rsplit_once('/').map_or("", |it| it.0);
            let file = self.program.file_at(&super::roots::joined(folder, "conftest.py"));
            let module = file.and_then(|it| self.program.module_of_file(it));
            let found = module.and_then(|it| self.program.lookup(&it, name, &mut FUEL.clone()));
            if let Some(Found::Symbols(targets)) = found {
                return Some(Answer { targets, resolution: Resolution::SamePackage });
            }
        }
        None
    }

    fn resolve_bare(&self, row: &Row<'_>, within: Option<u32>, name: &str) -> Option<Answer> {
        if matches!(row.family, Some(Family::Jvm | Family::CSharp)) {
            let own = self.own_types(row, within);
            let targets: Vec<_> = own.iter().flat_map(|it| self.program.inherited(*it, name)).collect();
            if !targets.is_empty() {
                return Some(Answer { targets, resolution: Resolution::SelfMember });
            }
        }
        if let Some(nested) = self.nested(row, within, name) {
            return Some(Answer { targets: nested, resolution: Resolution::SameFile });
        }
        let around = self.around(row, within);
        match self.program.meaning(row, &around, name, &mut FUEL.clone()) {
            Meaning::Found(Found::Symbols(targets), resolution) => Some(Answer { targets, resolution }),
            Meaning::Found(Found::Module(module), resolution) => {
                Some(Answer { targets: self.files_of(row, &module), resolution })
            }
            Meaning::External | Meaning::Unknown => None,
        }
    }

    /// Functions and types that the functions around the use define.
    pub(super) fn nested(&self, row: &Row<'_>, within: Option<u32>, name: &str) -> Option<Vec<SymbolNumber>> {
        let outline = &row.source.outline;
        let space = row.spaces.first().copied()?;
        let mut around = within;
        while let Some((number, definition)) =
            around.and_then(|it| Some((it, outline.definitions.get(it as usize)?)))
        {
            if definition.kind.runs()
                || matches!(definition.kind, DefinitionKind::Suite | DefinitionKind::Module)
            {
                let qualified = [&definition.qualified, ".", name].concat();
                let found = self.program.defined(space, &qualified).iter().copied();
                let within: Vec<_> = found.filter(|it| self.container(row, *it) == Some(number)).collect();
                if !within.is_empty() {
                    return Some(within);
                }
            }
            around = definition.container.map(narrow).filter(|it| *it < number);
        }
        None
    }

    /// The number of the definition of a file around one of its symbols.
    fn container(&self, row: &Row<'_>, symbol: SymbolNumber) -> Option<u32> {
        let number = symbol.checked_sub(row.symbol + 1)?;
        row.source.outline.definitions.get(number as usize)?.container.map(narrow)
    }

    fn resolve_member(
        &self,
        row: &Row<'_>,
        within: Option<u32>,
        qualifier: &str,
        name: &str,
    ) -> Option<Answer> {
        let program = self.program;
        let resolution = Resolution::SelfMember;
        if matches!(qualifier, "self" | "this" | "cls" | "Self" | "super" | "base") {
            let is_above = matches!(qualifier, "super" | "base");
            let members = self
                .own_types(row, within)
                .into_iter()
                .flat_map(|it| if is_above { program.above(it, name) } else { program.inherited(it, name) });
            let targets: Vec<_> = members.collect();
            if !targets.is_empty() {
                return Some(Answer { targets, resolution });
            }
            if row.family != Some(Family::Rust) {
                return None;
            }
        }
        let mut fuel = FUEL;
        let around = self.around(row, within);
        let found = self.chain(row, within, &around, qualifier, &mut fuel)?;
        let resolution = Resolution::ModuleMember;
        match program.step(&found, name, &mut fuel)? {
            Found::Symbols(targets) => Some(Answer { targets, resolution }),
            // A module is not called: what is meant has its name and is handed on out of sight, in a macro.
            module @ Found::Module(_) => match program.step(&module, name, &mut fuel)? {
                Found::Symbols(targets) => Some(Answer { targets, resolution }),
                Found::Module(_) => None,
            },
        }
    }

    /// What a chain of names means: `module.Class`, `crate::a::b`, `Self::Kind`.
    pub(super) fn chain(
        &self,
        row: &Row<'_>,
        within: Option<u32>,
        around: &Module,
        chain: &str,
        fuel: &mut u32,
    ) -> Option<Found> {
        let program = self.program;
        if row.family == Some(Family::Rust)
            && let Some((module, rest)) = super::rust::anchor(program, row, around, chain)
        {
            return rest
                .into_iter()
                .try_fold(Found::Module(module), |found, it| program.step(&found, it, fuel));
        }
        if matches!(row.family, Some(Family::Jvm | Family::CSharp))
            && let Some(module) =
                row.family.and_then(|it| super::packages::package_or_type(program, it, chain))
        {
            return Some(Found::Module(module));
        }
        let mut parts = chain.split([':', '.']).filter(|it| !it.is_empty());
        let head = parts.next()?;
        let start = match head {
            "self" | "this" | "cls" | "Self" => Found::Symbols(self.own_types(row, within)),
            _ => match program.meaning(row, around, head, fuel) {
                Meaning::Found(found, _) => found,
                Meaning::External | Meaning::Unknown => return None,
            },
        };
        parts.try_fold(start, |found, it| program.step(&found, it, fuel))
    }

    /// What the path of a type means.
    pub(super) fn type_path(
        &self,
        row: &Row<'_>,
        within: Option<u32>,
        around: &Module,
        path: &str,
        fuel: &mut u32,
    ) -> Option<Found> {
        if path.contains(['.', ':']) {
            return self.chain(row, within, around, path, fuel);
        }
        let own = self.own_types(row, within).into_iter().flat_map(|it| self.program.inherited(it, path));
        let own: Vec<_> =
            own.filter(|it| self.program.definition(*it).is_some_and(|it| it.kind.is_type())).collect();
        if !own.is_empty() {
            return Some(Found::Symbols(own));
        }
        match self.program.meaning(row, around, path, fuel) {
            Meaning::Found(found, _) => Some(found),
            Meaning::External | Meaning::Unknown => None,
        }
    }

    /// Whether a call has a receiver of which nothing is known but that it is in the repository or a local value.
    pub(super) fn is_member_call(&self, row: &Row<'_>, reference: &Reference) -> bool {
        let outline = &row.source.outline;
        match reference.qualifier {
            Qualifier::Absent => false,
            Qualifier::Value(_) | Qualifier::Expression => true,
            Qualifier::Named(qualifier) => {
                let text = outline.text(qualifier);
                if text.contains("::") {
                    return false;
                }
                let head = text.split([':', '.']).next().unwrap_or(text);
                let around = self.around(row, reference.within);
                match self.program.meaning(row, &around, head, &mut FUEL.clone()) {
                    Meaning::External => false,
                    Meaning::Found(Found::Module(_), _) => text != head,
                    Meaning::Found(Found::Symbols(_), _) | Meaning::Unknown => true,
                }
            }
        }
    }

    pub(super) fn reachable_members(
        &self,
        row: &Row<'_>,
        name: &str,
        reached: &[SpaceNumber],
        from: SymbolNumber,
    ) -> Vec<SymbolNumber> {
        let Some(family) = row.family else { return Vec::new() };
        let start = self.members.partition_point(|it| (it.0, it.1) < (family, name));
        let same = self.members.get(start..).unwrap_or_default().iter();
        let is_open_to_tests = self.is_test_code(from);
        let reachable = same.take_while(|it| it.0 == family && it.1 == name).map(|it| it.2).filter(|it| {
            let spaces = self.program.row_of(*it).map_or(&[][..], |it| &it.spaces);
            spaces.iter().any(|it| reached.binary_search(it).is_ok())
                && (is_open_to_tests || !self.is_test_code(*it))
        });
        reachable.take(MOST_CANDIDATES + 1).collect()
    }

    /// The module in which a definition stands.
    pub(super) fn around(&self, row: &Row<'_>, within: Option<u32>) -> Module {
        let outline = &row.source.outline;
        let mut around = within;
        let mut inner = String::new();
        while let Some((number, definition)) =
            around.and_then(|it| Some((it, outline.definitions.get(it as usize)?)))
        {
            if definition.kind == DefinitionKind::Module && row.family == Some(Family::Rust) {
                inner = definition.qualified.to_string();
                break;
            }
            around = definition.container.map(narrow).filter(|it| *it < number);
        }
        Module { space: row.spaces.first().copied().unwrap_or(0), inner }
    }

    /// The types whose member a definition is, innermost first.
    pub(super) fn own_types(&self, row: &Row<'_>, within: Option<u32>) -> Vec<SymbolNumber> {
        let outline = &row.source.outline;
        let mut types = Vec::new();
        let mut around = within;
        while let Some((number, definition)) =
            around.and_then(|it| Some((it, outline.definitions.get(it as usize)?)))
        {
            if definition.kind.is_type() {
                types.push(row.symbol + 1 + number);
            }
            if definition.container.is_none()
                && let Some((owner, _)) = definition.qualified.rsplit_once('.')
            {
                types.extend(self.owner_elsewhere(row, within, owner));
            }
            around = definition.container.map(narrow).filter(|it| *it != number);
        }
        types.truncate(8);
        types
    }

    /// The type of a method that stands in another file than its type.
    fn owner_elsewhere(&self, row: &Row<'_>, within: Option<u32>, owner: &str) -> Vec<SymbolNumber> {
        let around = self.around(row, within);
        let name = owner.rsplit('.').next().unwrap_or(owner);
        match self.program.meaning(row, &around, name, &mut FUEL.clone()) {
            Meaning::Found(Found::Symbols(symbols), _) => symbols,
            Meaning::Found(Found::Module(_), _) | Meaning::External | Meaning::Unknown => Vec::new(),
        }
    }

    /// The class that a name stands for: `Base = Other`.
    fn class_behind(&self, symbol: SymbolNumber) -> Vec<SymbolNumber> {
        let (Some(row), Some(definition)) = (self.program.row_of(symbol), self.program.definition(symbol))
        else {
            return vec![symbol];
        };
        let is_name = matches!(definition.kind, DefinitionKind::Variable | DefinitionKind::Constant);
        let Some(value) = definition.value.filter(|_| is_name) else { return vec![symbol] };
        let scene = super::known::scene_of(row, symbol.saturating_sub(row.symbol + 1), definition);
        let kinds = Evaluation::new(self).value(&scene, value);
        kinds.iter().filter_map(Known::itself).collect()
    }

    /// The bases that a file's types name.
    pub(super) fn bases(&self, row: &Row<'f>) -> Vec<(SymbolNumber, SymbolNumber)> {
        let mut evaluation = Evaluation::new(self);
        let references = row.source.outline.references.iter();
        let inheriting = references.filter(|it| it.kind == ReferenceKind::Inherits);
        let pairs = inheriting.filter_map(|it| {
            let from = row.symbol + 1 + it.within?;
            let targets = self.resolve(&mut evaluation, row, it)?.targets;
            let classes: Vec<_> = targets.into_iter().flat_map(|it| self.class_behind(it)).collect();
            Some(classes.into_iter().map(move |to| (from, to)))
        });
        pairs.flatten().collect()
    }
}
