//! The uses in one file, and the edges that they make.

use super::calibration::Resolution;
use super::evaluate::Evaluation;
use super::fuse::Guess;
use super::known::{Kinds, Known};
use super::names::{FUEL, Found};
use super::program::{Family, Module, Program, Row, SpaceNumber};
use super::resolve::Answer;
use super::store::{Edge, EdgeKind, SymbolNumber};
use crate::model::Span;
use crate::syntax::{Reference, ReferenceKind};

/// More reachable classes than this with a member of that name say nothing.
pub(super) const MOST_CANDIDATES: usize = 20;

/// What the uses in all files are resolved against.
pub(super) struct Linker<'p, 'f> {
    pub(super) program: &'p Program<'f>,
    /// Names of members with their symbols, by family; sorted.
    pub(super) members: Vec<(Family, &'f str, SymbolNumber)>,
    pub(super) is_test_code: Vec<bool>,
    /// What each symbol holds, or gives back when it is called.
    pub(super) kinds: Vec<Kinds>,
    /// What decorators make of each function, where that is a value of another type.
    pub(super) decorated: Vec<Kinds>,
}

/// One place where a file uses what may be defined elsewhere.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub(super) from: SymbolNumber,
    pub(super) kind: EdgeKind,
    /// The name, or the import statement.
    pub(super) place: Span,
    pub(super) targets: Vec<SymbolNumber>,
    pub(super) resolution: Resolution,
    /// What names said, where an index says it better.
    pub(super) superseded: Option<Guess>,
    pub(super) effect: Effect,
}

/// Whether a change of what is used reaches the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Reaches,
    /// The same; and what is used is a type taken as a value, so whoever takes it may make one.
    Makes,
    /// The header of an `impl`, an annotation of the file's own: nothing that runs with it.
    None,
}

/// The uses of a file and how many had too many candidates.
#[derive(Default)]
pub(super) struct Linked {
    pub(super) uses: Vec<Use>,
    pub(super) dropped: usize,
    /// The spans of relative imports that lead nowhere.
    pub(super) unresolved: Vec<(Box<str>, Span)>,
}

impl Use {
    /// How many targets the place could mean.
    pub(super) fn candidates(&self) -> u8 {
        u8::try_from(self.targets.len()).unwrap_or(u8::MAX)
    }
}

impl<'f> Linker<'_, 'f> {
    /// Every use in a file that names and imports lead somewhere.
    pub(super) fn link(&self, row: &Row<'f>, reached: &[SpaceNumber]) -> Linked {
        let mut linked = Linked::default();
        self.link_imports(row, &mut linked);
        let outline = &row.source.outline;
        let mut evaluation = Evaluation::new(self);
        for reference in &outline.references {
            let from = reference.within.map_or(row.symbol, |it| row.symbol + 1 + it);
            let answer = match self.resolve(&mut evaluation, row, reference) {
                Some(answer) if answer.targets.is_empty() => continue,
                Some(answer) => answer,
                None if reference.kind == ReferenceKind::Call && self.is_member_call(row, reference) => {
                    let targets = self.reachable_members(row, outline.text(reference.name), reached, from);
                    if targets.len() > MOST_CANDIDATES {
                        linked.dropped += 1;
                        continue;
                    }
                    let is_in_macros = row.family == Some(Family::Rust);
                    let resolution = Resolution::of_member_candidates(targets.len(), is_in_macros);
                    Answer { targets, resolution }
                }
                None => continue,
            };
            let effect = self.effect(reference, &answer.targets);
            if reference.kind == ReferenceKind::Call {
                linked.uses.extend(self.call_of_value(
                    from,
                    outline.span(reference),
                    &answer.targets,
                    &evaluation,
                ));
            }
            linked.uses.push(Use {
                from,
                kind: edge_kind(reference),
                place: outline.span(reference),
                targets: answer.targets,
                resolution: answer.resolution,
                superseded: None,
                effect,
            });
        }
        linked
    }

    fn effect(&self, reference: &Reference, targets: &[SymbolNumber]) -> Effect {
        let is_type = |it: &SymbolNumber| self.program.definition(*it).is_some_and(|it| it.kind.is_type());
        match reference.kind {
            _ if self.is_module(targets) => Effect::None,
            ReferenceKind::Type if reference.within.is_none() => Effect::None,
            ReferenceKind::Use if targets.iter().any(is_type) => Effect::Makes,
            ReferenceKind::Use
            | ReferenceKind::Type
            | ReferenceKind::Call
            | ReferenceKind::Inherits
            | ReferenceKind::Injected => Effect::Reaches,
        }
    }

    /// What runs where what a field or variable holds is called.
    fn call_of_value(
        &self,
        from: SymbolNumber,
        place: Span,
        targets: &[SymbolNumber],
        evaluation: &Evaluation<'_, '_, 'f>,
    ) -> Option<Use> {
        let holds = |it: &SymbolNumber| {
            self.program.definition(*it).is_some_and(|it| it.kind.holds_value() || it.value.is_some())
        };
        let held = targets.iter().copied().filter(holds).flat_map(|it| evaluation.named(it));
        let mut targets: Vec<SymbolNumber> = held.flat_map(|it| evaluation.run_by(&it)).collect();
        targets.retain(|it| !self.program.definition(*it).is_some_and(|it| it.kind.is_type()));
        targets.sort_unstable();
        targets.dedup();
        let found = Use {
            from,
            kind: EdgeKind::Calls,
            place,
            targets,
            resolution: Resolution::Typed,
            superseded: None,
            effect: Effect::Reaches,
        };
        Some(found).filter(|it| !it.targets.is_empty())
    }

    fn link_imports(&self, row: &Row<'_>, linked: &mut Linked) {
        for import in row.imports() {
            let mut fuel = FUEL;
            let module = self.program.imported(row, import, &mut fuel);
            let is_relative = import.dots > 0 || import.module.starts_with('.');
            let files = module.as_ref().map_or_else(Vec::new, |it| self.files_of(row, it));
            let mut leads_nowhere = files.is_empty();
            linked.uses.push(self.import(row, import.place.unwrap_or(import.span), files));
            for name in &import.names {
                let targets = match self.program.named(row, import, name, &mut FUEL.clone()) {
                    Some(Found::Symbols(symbols)) => symbols,
                    Some(Found::Module(module)) => self.files_of(row, &module),
                    None => continue,
                };
                leads_nowhere &= targets.is_empty();
                // What has no place of its own stands somewhere in the statement.
                let places = name.places.iter().flatten().copied();
                let whole = (name.places == [None; 2]).then_some(import.span);
                let uses = places.chain(whole).map(|place| self.import(row, place, targets.clone()));
                linked.uses.extend(uses);
            }
            if leads_nowhere && is_relative {
                linked.unresolved.push((import.module.clone(), import.span));
            }
        }
    }

    fn import(&self, row: &Row<'_>, place: Span, targets: Vec<SymbolNumber>) -> Use {
        Use {
            from: row.symbol,
            kind: EdgeKind::Imports,
            place,
            targets,
            resolution: Resolution::Import,
            superseded: None,
            effect: Effect::Reaches,
        }
    }

    /// Whether a use names a module: the import says already that the file needs it.
    fn is_module(&self, targets: &[SymbolNumber]) -> bool {
        targets.iter().all(|it| self.program.definition(*it).is_none())
    }

    /// The symbols of the files that run when a module is imported, or of the module inside a file. A package of Java
    /// or a namespace of C# runs nothing: its files are reached by the names that are used.
    pub(super) fn files_of(&self, row: &Row<'_>, module: &Module) -> Vec<SymbolNumber> {
        if !module.inner.is_empty() && row.family == Some(Family::Script) {
            return self.program.defined(module.space, &module.inner).to_vec();
        }
        if matches!(row.family, Some(Family::Jvm | Family::CSharp)) {
            return Vec::new();
        }
        let files = self.program.spaces.get(module.space as usize).map_or(&[][..], |it| &it.files);
        files.iter().filter_map(|it| self.program.rows.get(*it as usize)).map(|it| it.symbol).collect()
    }

    /// The edges of a use. A guess never leads from production code to a test; what an index resolved may.
    pub(super) fn edges(&self, it: &Use) -> Vec<Edge> {
        if it.effect == Effect::None {
            return Vec::new();
        }
        let candidates = it.candidates();
        let edge = |to, resolution| Edge {
            from: it.from,
            to,
            kind: it.kind,
            resolution,
            candidates,
            place: it.place,
            superseded: it.superseded,
        };
        let mut edges = Vec::new();
        let is_resolved = it.resolution.is_of_index();
        for to in it.targets.iter().copied().filter(|to| *to != it.from) {
            if self.is_test_code(to) && !self.is_test_code(it.from) && !is_resolved {
                continue;
            }
            edges.push(edge(to, it.resolution));
            if it.kind == EdgeKind::Calls {
                // That a type's constructor runs when it is called is for nobody to resolve.
                let resolution = if is_resolved { Resolution::SelfMember } else { it.resolution };
                edges.extend(self.program.constructors(to).into_iter().map(|to| edge(to, resolution)));
            }
            if it.effect == Effect::Makes {
                let made = self.program.constructors(to).into_iter();
                let guess = |to| Edge { kind: EdgeKind::Calls, ..edge(to, Resolution::AmbiguousMember) };
                edges.extend(made.map(guess));
            }
        }
        edges
    }

    pub(super) fn kinds_of(&self, symbol: SymbolNumber) -> &[Known] {
        self.kinds.get(symbol as usize).map_or(&[], Vec::as_slice)
    }

    pub(super) fn is_test_code(&self, symbol: SymbolNumber) -> bool {
        self.is_test_code.get(symbol as usize).copied().unwrap_or(false)
    }
}

const fn edge_kind(reference: &Reference) -> EdgeKind {
    match reference.kind {
        ReferenceKind::Call | ReferenceKind::Injected => EdgeKind::Calls,
        ReferenceKind::Inherits => EdgeKind::Inherits,
        ReferenceKind::Type | ReferenceKind::Use => EdgeKind::References,
    }
}
