//! What an expression may be, by the types that are written and the names that lead to them.

use std::collections::BTreeMap;

use super::known::{Kinds, Known, Shape, tidy};
use super::link::Linker;
use super::made::{awaited, made_of, part, unwrapped};
use super::names::{FUEL, Found, Meaning};
use super::program::{Family, Row, narrow};
use super::store::SymbolNumber;
use crate::syntax::{Access, DefinitionKind, FunctionNumber, Value, ValueNumber};

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(super) struct Scene<'r, 'f> {
    pub(super) row: &'r Row<'f>,
    pub(super) within: Option<u32>,
    pub(super) function: Option<FunctionNumber>,
}

/// One question, with the steps that it may still take: expressions can be long, and names can go in circles.
pub(super) struct Evaluation<'l, 'p, 'f> {
    pub(super) linker: &'l Linker<'p, 'f>,
    steps: u32,
    pub(super) depth: u32,
    /// What was found before, by where it was asked.
    answers: BTreeMap<(ValueNumber, Option<FunctionNumber>, Option<u32>), Kinds>,
}

/// The steps of one question.
const STEPS: u32 = 1_000;
const DEEPEST: u32 = 24;

/// What a fixture that yields says of its result.
const GENERATORS: &[&str] =
    &["Generator", "Iterator", "Iterable", "AsyncGenerator", "AsyncIterator", "AsyncIterable"];

impl<'l, 'p, 'f> Evaluation<'l, 'p, 'f> {
    pub(super) const fn new(linker: &'l Linker<'p, 'f>) -> Self {
        Self { linker, steps: STEPS, depth: 0, answers: BTreeMap::new() }
    }

    /// Begins another question of the same file.
    pub(super) const fn renew(&mut self) {
        self.steps = STEPS;
    }

    pub(super) fn step(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        self.steps > 0 && self.depth < DEEPEST
    }

    /// What an expression may be.
    pub(super) fn value(&mut self, scene: &Scene<'_, 'f>, number: ValueNumber) -> Kinds {
        if !self.step() {
            return Kinds::new();
        }
        let key = (number, scene.function, scene.within);
        if let Some(known) = self.answers.get(&key) {
            return known.clone();
        }
        // A name that goes in circles is nothing on the way round.
        self.answers.insert(key, Kinds::new());
        self.depth += 1;
        let kinds = self.worked_out(scene, number);
        self.depth -= 1;
        self.answers.insert(key, kinds.clone());
        kinds
    }

    fn worked_out(&mut self, scene: &Scene<'_, 'f>, number: ValueNumber) -> Kinds {
        let outline = &scene.row.source.outline;
        let Some(value) = outline.value(number) else { return Kinds::new() };
        match value {
            Value::Name(name) => self.name(scene, outline.text(name)),
            Value::Member(of, name) => {
                let of = self.value(scene, of);
                self.members(&of, outline.text(name))
            }
            Value::Call(callee, argument) => {
                let callee = self.value(scene, callee);
                let kinds = self.called(&callee);
                if kinds.iter().any(|it| matches!(it.shape, Shape::Argument(_))) {
                    let argument = argument.map(|it| self.value(scene, it)).unwrap_or_default();
                    return self.with_argument(&callee, kinds, &argument);
                }
                kinds
            }
            Value::New(subject) => made_of(&self.value(scene, subject)),
            Value::Item(of) => {
                let of = self.value(scene, of);
                self.items(&of)
            }
            Value::Part(of, place) => part(&self.value(scene, of), place),
            Value::Awaited(of) => awaited(self.value(scene, of)),
            Value::Entered(of) => {
                let of = self.value(scene, of);
                self.entered(of)
            }
            Value::Either(one, other) => {
                let mut kinds = self.value(scene, one);
                kinds.extend(self.value(scene, other));
                tidy(&mut kinds);
                kinds
            }
            Value::Of(written) => self.written(scene, written),
            Value::Passed { callee, argument, parameter } => {
                let callee = self.value(scene, callee);
                self.passed(&callee, argument, parameter)
            }
            Value::Injected(name) => self.injected(scene.row, outline.text(name)),
            Value::Literal => vec![Known::plain(Shape::Outer("".into()))],
        }
    }

    /// What a chain of names with dots may be.
    pub(super) fn chain(&mut self, scene: &Scene<'_, 'f>, text: &str) -> Kinds {
        let mut parts = text.split('.').filter(|it| !it.is_empty());
        let first = parts.next().map(|it| self.name(scene, it)).unwrap_or_default();
        parts.fold(first, |kinds, it| self.members(&kinds, it))
    }

    fn name(&mut self, scene: &Scene<'_, 'f>, name: &str) -> Kinds {
        match name {
            "self" | "this" => return self.own(scene, Shape::Instance),
            "cls" | "Self" => return self.own(scene, Shape::Itself),
            _ => {}
        }
        if let Some(kinds) = self.local(scene, name) {
            return kinds;
        }
        let linker = self.linker;
        if let Some(nested) = linker.nested(scene.row, scene.within, name) {
            return self.symbols(&nested);
        }
        let around = linker.around(scene.row, scene.within);
        if name.contains("::") {
            let mut fuel = FUEL;
            return match linker.chain(scene.row, scene.within, &around, name, &mut fuel) {
                Some(found) => self.found(found),
                None => Kinds::new(),
            };
        }
        if matches!(scene.row.family, Some(Family::Jvm | Family::CSharp)) {
            let own = linker.own_types(scene.row, scene.within);
            let members: Vec<_> = own.iter().flat_map(|it| linker.program.inherited(*it, name)).collect();
            if !members.is_empty() {
                return self.symbols(&members);
            }
        }
        match linker.program.meaning(scene.row, &around, name, &mut FUEL.clone()) {
            Meaning::Found(found, _) => self.found(found),
            Meaning::External => vec![Known::plain(Shape::Outer(name.into()))],
            Meaning::Unknown => self.ambient(name),
        }
    }

    /// A namespace that is known everywhere without an import.
    fn ambient(&self, name: &str) -> Kinds {
        let modules = if name == "JSX" { self.linker.program.jsx.as_slice() } else { &[] };
        modules.iter().map(|it| Known::plain(Shape::Module(it.clone()))).collect()
    }

    pub(super) fn own(&self, scene: &Scene<'_, 'f>, shape: impl Fn(SymbolNumber) -> Shape) -> Kinds {
        let own = self.linker.own_types(scene.row, scene.within).into_iter();
        own.take(1).map(|it| Known { is_own: true, ..Known::plain(shape(it)) }).collect()
    }

    /// What the functions around bind to a name; none when they do not.
    fn local(&mut self, scene: &Scene<'_, 'f>, name: &str) -> Option<Kinds> {
        let outline = &scene.row.source.outline;
        let known = outline.name(name)?;
        let mut around = scene.function;
        while let Some(function) = around {
            let bindings = outline.bindings(function, known);
            if !bindings.is_empty() {
                let scene = Scene { function: Some(function), ..*scene };
                let mut kinds = Kinds::new();
                for it in bindings {
                    match (it.declared, it.value) {
                        (Some(declared), _) => kinds.extend(self.written(&scene, declared)),
                        (None, Some(value)) => kinds.extend(self.value(&scene, value)),
                        (None, None) => {}
                    }
                }
                tidy(&mut kinds);
                return Some(kinds);
            }
            around = outline.around(function);
        }
        None
    }

    fn found(&self, found: Found) -> Kinds {
        match found {
            Found::Symbols(symbols) => self.symbols(&symbols),
            Found::Module(module) => vec![Known::plain(Shape::Module(module))],
        }
    }

    /// What naming definitions gives.
    pub(super) fn symbols(&self, symbols: &[SymbolNumber]) -> Kinds {
        let mut kinds: Kinds = symbols.iter().flat_map(|it| self.named(*it)).collect();
        tidy(&mut kinds);
        kinds
    }

    pub(super) fn named(&self, symbol: SymbolNumber) -> Kinds {
        let Some(definition) = self.linker.program.definition(symbol) else {
            return vec![Known::plain(Shape::Itself(symbol))];
        };
        if definition.kind == DefinitionKind::Variant {
            let row = self.linker.program.row_of(symbol);
            let of = row.and_then(|row| Some(row.symbol + 1 + narrow(definition.container?)));
            return of.into_iter().map(|it| Known::plain(Shape::Instance(it))).collect();
        }
        if definition.kind.holds_value() || definition.access == Access::Runs {
            return self.linker.kinds_of(symbol).to_vec();
        }
        let decorated = self.linker.decorated.get(symbol as usize).map_or(&[][..], Vec::as_slice);
        if decorated.is_empty() { vec![Known::plain(Shape::Itself(symbol))] } else { decorated.to_vec() }
    }

    /// What the members of a name give.
    fn members(&mut self, of: &Kinds, name: &str) -> Kinds {
        if !self.step() {
            return Kinds::new();
        }
        let mut kinds = Kinds::new();
        for known in of {
            if let Some(given) = unwrapped(known, name) {
                kinds.push(given);
                continue;
            }
            if let Shape::Module(module) = &known.shape {
                let found = self.linker.program.lookup(module, name, &mut FUEL.clone());
                kinds.extend(found.map(|it| self.found(it)).unwrap_or_default());
                continue;
            }
            let receiver = known.receiver();
            for symbol in self.targets(known, name) {
                let named = self.named(symbol).into_iter().map(|it| {
                    if it.itself() == Some(symbol) { Known { receiver, ..it } } else { it.seen_by(receiver) }
                });
                kinds.extend(named);
            }
        }
        tidy(&mut kinds);
        kinds
    }

    /// What runs when a value is called.
    pub(super) fn run_by(&self, known: &Known) -> Vec<SymbolNumber> {
        match known.shape {
            Shape::Itself(symbol) => vec![symbol],
            Shape::Instance(of) => {
                let names = ["__call__", "invoke", "()"];
                names.iter().flat_map(|it| self.linker.program.inherited(of, it)).collect()
            }
            Shape::Module(_)
            | Shape::Outer(_)
            | Shape::Sequence
            | Shape::Tuple
            | Shape::Function
            | Shape::Argument(_) => Vec::new(),
        }
    }

    /// The definitions that a member may mean.
    pub(super) fn targets(&self, known: &Known, name: &str) -> Vec<SymbolNumber> {
        if name == "()" {
            return self.run_by(known);
        }
        match &known.shape {
            Shape::Instance(of) => self.linker.program.inherited(*of, name),
            Shape::Itself(of) => {
                let is_type = self.linker.program.definition(*of).is_some_and(|it| it.kind.is_type());
                if is_type { self.linker.program.inherited(*of, name) } else { Vec::new() }
            }
            Shape::Module(module) => match self.linker.program.lookup(module, name, &mut FUEL.clone()) {
                Some(Found::Symbols(symbols)) => symbols,
                Some(Found::Module(_)) | None => Vec::new(),
            },
            Shape::Outer(_) | Shape::Sequence | Shape::Tuple | Shape::Function | Shape::Argument(_) => {
                Vec::new()
            }
        }
    }

    /// What the fixture of a name gives.
    fn injected(&self, row: &Row<'f>, name: &str) -> Kinds {
        let targets = self.linker.injected(row, name).map(|it| it.targets).unwrap_or_default();
        let mut kinds = Kinds::new();
        for known in targets.iter().flat_map(|it| self.linker.kinds_of(*it)) {
            if known.outer().is_some_and(|it| GENERATORS.contains(&it)) {
                kinds.extend(known.parts.first().into_iter().flatten().cloned());
            } else {
                kinds.push(known.clone());
            }
        }
        tidy(&mut kinds);
        kinds
    }
}
