//! What is known of the values of a program: of each symbol, what it holds or gives back.

use rayon::prelude::*;

use super::evaluate::{Evaluation, Scene};
use super::link::Linker;
use super::program::{Module, Row, narrow};
use super::store::SymbolNumber;
use crate::syntax::{Definition, DefinitionKind};

/// One thing that a value may be, with the kinds of its parts: the arguments of a type, the items of a tuple, the
/// parameters and the result of a function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Known {
    pub(super) shape: Shape,
    pub(super) parts: Box<[Kinds]>,
    /// The object that a method was named on.
    pub(super) receiver: Option<Receiver>,
    /// Whether it is the object that a method belongs to, or its class: for a type below, it is one of that type.
    pub(super) is_own: bool,
}

/// The type of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Receiver {
    pub(super) of: SymbolNumber,
    pub(super) is_own: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shape {
    /// A value of a type of the repository.
    Instance(SymbolNumber),
    /// A definition itself: a class, a function.
    Itself(SymbolNumber),
    Module(Module),
    /// Something of a type that the repository does not define, by its last name.
    Outer(Box<str>),
    Sequence,
    Tuple,
    Function,
    /// Whatever the argument is that stands for this name: `T`.
    Argument(Box<str>),
}

/// All that a value may be; nothing when that is not known.
pub(super) type Kinds = Vec<Known>;

/// More kinds than this say nothing.
pub(super) const MOST_KINDS: usize = 8;

/// What follows from what is written needs no step more than this in code that people read.
const ROUNDS: usize = 4;

impl Known {
    pub(super) fn plain(shape: Shape) -> Self {
        Self::with(shape, Box::default())
    }

    pub(super) const fn with(shape: Shape, parts: Box<[Kinds]>) -> Self {
        Self { shape, parts, receiver: None, is_own: false }
    }

    /// The type whose member is named through this.
    pub(super) const fn receiver(&self) -> Option<Receiver> {
        if let Shape::Instance(of) | Shape::Itself(of) = self.shape {
            Some(Receiver { of, is_own: self.is_own })
        } else {
            None
        }
    }

    /// The definition that this is itself.
    pub(super) const fn itself(&self) -> Option<SymbolNumber> {
        if let Shape::Itself(symbol) = self.shape { Some(symbol) } else { None }
    }

    /// The name of the outer type that it is of.
    pub(super) fn outer(&self) -> Option<&str> {
        if let Shape::Outer(name) = &self.shape { Some(name) } else { None }
    }

    pub(super) const fn is_function(&self) -> bool {
        matches!(self.shape, Shape::Function)
    }

    /// The same as seen through an object of a type that may be below the one that it was said of.
    pub(super) fn seen_by(mut self, receiver: Option<Receiver>) -> Self {
        let Some(receiver) = receiver.filter(|_| self.is_own) else { return self };
        self.is_own = receiver.is_own;
        if let Shape::Instance(of) | Shape::Itself(of) = &mut self.shape {
            *of = receiver.of;
        }
        self
    }
}

/// Of each symbol, what it holds, or gives back when it is called.
///
/// What is written out stands; the rest follows from it in rounds, each of which sees only what the one before found:
/// so no order of files or threads matters.
pub(super) fn infer(linker: &mut Linker<'_, '_>) {
    let program = linker.program;
    let symbols = program.symbols() as usize;
    linker.kinds = vec![Kinds::new(); symbols];
    linker.decorated = vec![Kinds::new(); symbols];
    // An alias stands for what it is an alias of, so that comes first.
    for aliases in [true, false] {
        let declared = fill(linker, |linker, scene, definition| {
            let declared =
                definition.declared.filter(|_| (definition.kind == DefinitionKind::Type) == aliases);
            declared.map(|it| Evaluation::new(linker).written(scene, it)).unwrap_or_default()
        });
        for (kinds, found) in linker.kinds.iter_mut().zip(declared) {
            kinds.extend(found);
        }
    }
    for _ in 0..ROUNDS {
        let next = fill(linker, follow);
        let decorated = fill(linker, decorated);
        let is_done = next.iter().zip(&linker.kinds).all(|(new, old)| new.is_empty() || !old.is_empty())
            && decorated == linker.decorated;
        linker.decorated = decorated;
        for (kinds, found) in linker.kinds.iter_mut().zip(next) {
            if kinds.is_empty() {
                *kinds = found;
            }
        }
        if is_done {
            break;
        }
    }
}

fn fill<'p, 'f>(
    linker: &Linker<'p, 'f>,
    find: impl Fn(&Linker<'p, 'f>, &Scene<'_, 'f>, &Definition) -> Kinds + Sync,
) -> Vec<Kinds> {
    let rows = linker.program.rows.par_iter().flat_map_iter(|row| {
        let own = row.source.outline.definitions.iter().enumerate();
        let of = own
            .map(|(number, definition)| find(linker, &scene_of(row, narrow(number), definition), definition));
        std::iter::once(Kinds::new()).chain(of.collect::<Vec<_>>())
    });
    rows.collect()
}

/// Where what is written in a definition is read.
pub(super) fn scene_of<'r, 'f>(row: &'r Row<'f>, number: u32, definition: &Definition) -> Scene<'r, 'f> {
    let within = if definition.kind.is_type() { Some(number) } else { definition.container.map(narrow) };
    let within = if definition.container.is_none() { Some(number) } else { within };
    Scene { row, within, function: definition.function }
}

/// What decorators make of a function.
fn decorated(linker: &Linker<'_, '_>, scene: &Scene<'_, '_>, definition: &Definition) -> Kinds {
    let value = definition.value.filter(|_| definition.kind.runs());
    let mut kinds = value.map(|it| Evaluation::new(linker).value(scene, it)).unwrap_or_default();
    // What is made elsewhere is most likely the function again.
    kinds.retain(|it| matches!(it.shape, Shape::Instance(_)));
    kinds
}

fn follow(linker: &Linker<'_, '_>, scene: &Scene<'_, '_>, definition: &Definition) -> Kinds {
    if definition.declared.is_some() {
        return Kinds::new();
    }
    let mut evaluation = Evaluation::new(linker);
    if !definition.kind.runs() {
        return definition.value.map(|it| evaluation.value(scene, it)).unwrap_or_default();
    }
    let Some(function) = definition.function else {
        return Kinds::new();
    };
    let results = scene.row.source.outline.results(function).iter().filter_map(|it| it.value);
    let mut kinds: Kinds = results.flat_map(|it| evaluation.value(scene, it)).collect();
    tidy(&mut kinds);
    kinds
}

/// Sorts, and drops everything when there is too much of it.
pub(super) fn tidy(kinds: &mut Kinds) {
    kinds.sort_unstable();
    kinds.dedup();
    if kinds.len() > MOST_KINDS {
        kinds.clear();
    }
}
