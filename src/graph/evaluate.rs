//! What an expression may be, by the types that are written and the names that lead to them.

use std::collections::BTreeMap;

use super::known::{Kinds, Known, Shape, scene_of, tidy};
use super::link::Linker;
use super::names::{FUEL, Found, Meaning};
use super::program::{Family, Row, narrow};
use super::store::SymbolNumber;
use crate::syntax::{Access, DefinitionKind, FunctionNumber, Value, ValueNumber, Written, WrittenNumber};

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(super) struct Scene<'r, 'f> {
    pub(super) row: &'r Row<'f>,
    pub(super) within: Option<u32>,
    pub(super) function: Option<FunctionNumber>,
}

/// One question, with the steps that it may still take: expressions can be long, and names can go in circles.
pub(super) struct Evaluation<'l, 'p, 'f> {
    linker: &'l Linker<'p, 'f>,
    steps: u32,
    depth: u32,
    /// What was found before, by where it was asked.
    answers: BTreeMap<(ValueNumber, Option<FunctionNumber>, Option<u32>), Kinds>,
}

/// The steps of one question.
const STEPS: u32 = 1_000;
const DEEPEST: u32 = 24;

/// Types that are what their first argument is.
const TRANSPARENT: &[&str] = &[
    "Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly", "Optional", "Union", "Box", "Rc",
    "Arc", "Ref", "RefMut", "Cow", "Pin", "MutexGuard", "RwLockReadGuard", "RwLockWriteGuard", "Readonly",
    "Partial", "NonNullable", "Required", "Omit", "Pick", "DeepReadonly",
];

/// Types whose value has to be waited for; it is their last argument.
const AWAITED: &[&str] =
    &["Promise", "PromiseLike", "Awaitable", "Coroutine", "Future", "Task", "ValueTask", "Deferred", "Awaited"];

/// What a fixture that yields says of its result.
const GENERATORS: &[&str] =
    &["Generator", "Iterator", "Iterable", "AsyncGenerator", "AsyncIterator", "AsyncIterable"];

/// Methods that give what is inside.
const INNER: &[&str] = &[
    "unwrap", "expect", "unwrap_or", "unwrap_or_default", "unwrap_or_else", "next", "lock", "read", "write",
    "borrow", "borrow_mut", "first", "last", "pop", "orElseThrow", "getOrThrow", "getFirst", "getLast", "First",
    "FirstOrDefault", "Single", "SingleOrDefault", "Last", "at",
];

/// Methods that give the same in another form.
const SAME: &[&str] = &[
    "as_ref", "as_mut", "as_deref", "clone", "cloned", "copied", "iter", "iter_mut", "into_iter", "to_owned", "ok",
    "ok_or", "ok_or_else", "map_err", "filter", "take", "skip", "rev", "stream", "toList", "ToList", "Where",
    "slice", "reverse", "sort", "context", "with_context",
];

/// Types of which one item is their last argument, not their first.
const BY_KEY: &[&str] = &["dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict", "Map", "map",
    "Record", "HashMap", "BTreeMap", "IndexMap", "WeakMap", "Dictionary", "ReadonlyMap"];

impl<'l, 'p, 'f> Evaluation<'l, 'p, 'f> {
    pub(super) const fn new(linker: &'l Linker<'p, 'f>) -> Self {
        Self { linker, steps: STEPS, depth: 0, answers: BTreeMap::new() }
    }

    /// Begins another question of the same file.
    pub(super) const fn renew(&mut self) {
        self.steps = STEPS;
    }

    fn step(&mut self) -> bool {
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

    fn own(&self, scene: &Scene<'_, 'f>, shape: impl Fn(SymbolNumber) -> Shape) -> Kinds {
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
    fn symbols(&self, symbols: &[SymbolNumber]) -> Kinds {
        let mut kinds: Kinds = symbols.iter().flat_map(|it| self.named(*it)).collect();
        tidy(&mut kinds);
        kinds
    }

    fn named(&self, symbol: SymbolNumber) -> Kinds {
        let Some(definition) = self.linker.program.definition(symbol) else {
            return vec![Known::plain(Shape::Itself(symbol))];
        };
        match definition.kind {
            DefinitionKind::Field
            | DefinitionKind::Attribute
            | DefinitionKind::Variable
            | DefinitionKind::Constant => self.linker.kinds_of(symbol).to_vec(),
            DefinitionKind::Variant => {
                let row = self.linker.program.row_of(symbol);
                let of = row.and_then(|row| Some(row.symbol + 1 + narrow(definition.container?)));
                of.into_iter().map(|it| Known::plain(Shape::Instance(it))).collect()
            }
            _ if definition.access == Access::Runs => self.linker.kinds_of(symbol).to_vec(),
            _ => vec![Known::plain(Shape::Itself(symbol))],
        }
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
            match &known.shape {
                Shape::Module(module) => {
                    let found = self.linker.program.lookup(module, name, &mut FUEL.clone());
                    kinds.extend(found.map(|it| self.found(it)).unwrap_or_default());
                }
                _ => {
                    let receiver = known.receiver();
                    for symbol in self.targets(known, name) {
                        let named = self.named(symbol).into_iter().map(|it| match it.shape {
                            Shape::Itself(it_self) if it_self == symbol => Known { receiver, ..it },
                            _ => it.seen_by(receiver),
                        });
                        kinds.extend(named);
                    }
                }
            }
        }
        tidy(&mut kinds);
        kinds
    }

    /// The definitions that a member may mean.
    pub(super) fn targets(&self, known: &Known, name: &str) -> Vec<SymbolNumber> {
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

    fn called(&mut self, callee: &Kinds) -> Kinds {
        let mut kinds = Kinds::new();
        for known in callee {
            match &known.shape {
                Shape::Itself(symbol) => {
                    let is_type =
                        self.linker.program.definition(*symbol).is_some_and(|it| it.kind.is_type());
                    if is_type {
                        let shape = Shape::Instance(*symbol);
                        kinds.push(Known { shape, ..known.clone() });
                    } else {
                        let given = self.linker.kinds_of(*symbol).iter().cloned();
                        kinds.extend(given.map(|it| it.seen_by(known.receiver)));
                    }
                }
                Shape::Instance(symbol) => {
                    for name in ["__call__", "invoke", "()"] {
                        let called = self.linker.program.inherited(*symbol, name);
                        kinds.extend(called.iter().flat_map(|it| self.linker.kinds_of(*it)).cloned());
                    }
                }
                Shape::Function => kinds.extend(known.parts.last().into_iter().flatten().cloned()),
                // What a class from elsewhere makes, or a function from elsewhere gives.
                Shape::Outer(_) => kinds.push(Known::plain(known.shape.clone())),
                Shape::Module(_) | Shape::Sequence | Shape::Tuple | Shape::Argument(_) => {}
            }
        }
        tidy(&mut kinds);
        kinds
    }

    /// What a call gives that gives what its first argument is: `def make(kind: type[T]) -> T`.
    fn with_argument(&mut self, callee: &Kinds, given: Kinds, argument: &Kinds) -> Kinds {
        let functions: Vec<SymbolNumber> = callee
            .iter()
            .filter_map(|it| match it.shape {
                Shape::Itself(symbol) => Some(symbol),
                _ => None,
            })
            .collect();
        let taken: Kinds = functions.into_iter().flat_map(|it| self.taken(it, 0)).collect();
        let mut kinds = Kinds::new();
        for known in given {
            let Shape::Argument(name) = &known.shape else {
                kinds.push(known);
                continue;
            };
            let stands_for = |it: &Known| matches!(&it.shape, Shape::Argument(other) if other == name);
            if taken.iter().any(stands_for) {
                kinds.extend(argument.iter().cloned());
            }
            let is_class = |it: &Known| {
                matches!(&it.shape, Shape::Outer(class) if matches!(class.as_ref(), "type" | "Type"))
                    && it.parts.first().is_some_and(|it| it.iter().any(stands_for))
            };
            if taken.iter().any(is_class) {
                kinds.extend(made_of(argument));
            }
        }
        tidy(&mut kinds);
        kinds
    }

    /// What one item of many may be.
    fn items(&mut self, of: &Kinds) -> Kinds {
        let mut kinds = Kinds::new();
        for known in of {
            match &known.shape {
                Shape::Outer(name) if BY_KEY.contains(&name.as_ref()) => {
                    kinds.extend(known.parts.last().into_iter().flatten().cloned());
                }
                Shape::Outer(_) | Shape::Sequence => {
                    kinds.extend(known.parts.first().into_iter().flatten().cloned());
                }
                Shape::Tuple => kinds.extend(known.parts.iter().flatten().cloned()),
                Shape::Instance(symbol) => {
                    let item = self.linker.program.inherited(*symbol, "__getitem__");
                    if item.is_empty() {
                        let iterated = self.linker.program.inherited(*symbol, "__iter__");
                        let of: Kinds =
                            iterated.iter().flat_map(|it| self.linker.kinds_of(*it)).cloned().collect();
                        let is_outer = |it: &Known| matches!(it.shape, Shape::Outer(_));
                        kinds.extend(
                            of.into_iter().filter(is_outer).filter_map(|it| it.parts.first().cloned()).flatten(),
                        );
                    }
                    kinds.extend(item.iter().flat_map(|it| self.linker.kinds_of(*it)).cloned());
                }
                Shape::Itself(_) | Shape::Module(_) | Shape::Function | Shape::Argument(_) => {}
            }
        }
        tidy(&mut kinds);
        kinds
    }

    fn entered(&mut self, of: Kinds) -> Kinds {
        let mut kinds = Kinds::new();
        for known in of {
            let Shape::Instance(symbol) = known.shape else {
                let is_manager = matches!(known.shape, Shape::Outer(_)) && !known.parts.is_empty();
                if is_manager {
                    kinds.extend(known.parts.first().into_iter().flatten().cloned());
                } else {
                    kinds.push(known);
                }
                continue;
            };
            let names = ["__enter__", "__aenter__"];
            let entered: Vec<_> =
                names.iter().flat_map(|it| self.linker.program.inherited(symbol, it)).collect();
            let given: Kinds = entered.iter().flat_map(|it| self.linker.kinds_of(*it)).cloned().collect();
            if given.is_empty() { kinds.push(known) } else { kinds.extend(given) }
        }
        tidy(&mut kinds);
        kinds
    }

    /// What a function gets that is passed as an argument.
    fn passed(&mut self, callee: &Kinds, argument: u8, parameter: u8) -> Kinds {
        let mut kinds = Kinds::new();
        for known in callee {
            let functions = match &known.shape {
                Shape::Itself(symbol) => {
                    let is_type =
                        self.linker.program.definition(*symbol).is_some_and(|it| it.kind.is_type());
                    if is_type { self.linker.program.constructors(*symbol) } else { vec![*symbol] }
                }
                Shape::Instance(symbol) => self.linker.program.inherited(*symbol, "()"),
                Shape::Function => {
                    let taken = known.parts.get(usize::from(argument)).cloned().unwrap_or_default();
                    kinds.extend(parameters_of(&taken, parameter));
                    continue;
                }
                Shape::Module(_)
                | Shape::Outer(_)
                | Shape::Sequence
                | Shape::Tuple
                | Shape::Argument(_) => continue,
            };
            for function in functions {
                let taken = self.taken(function, argument);
                kinds.extend(parameters_of(&taken, parameter));
            }
        }
        tidy(&mut kinds);
        kinds
    }

    /// What a function takes as an argument; what stands behind its last parameter goes to that one.
    fn taken(&mut self, function: SymbolNumber, argument: u8) -> Kinds {
        let program = self.linker.program;
        let (Some(row), Some(definition)) = (program.row_of(function), program.definition(function)) else {
            return Kinds::new();
        };
        let Some(scope) = definition.function.filter(|_| self.step()) else { return Kinds::new() };
        let number = function.saturating_sub(row.symbol + 1);
        let scene = scene_of(row, number, definition);
        let outline = &row.source.outline;
        let places = (0..=argument).rev();
        let taken = places.take(8).find_map(|it| outline.parameter(scope, it)).and_then(|it| it.declared);
        let Some(taken) = taken else { return Kinds::new() };
        self.depth += 1;
        let kinds = self.written(&scene, taken);
        self.depth -= 1;
        kinds
    }

    /// What the fixture of a name gives.
    fn injected(&self, row: &Row<'f>, name: &str) -> Kinds {
        let targets = self.linker.injected(row, name).map(|it| it.targets).unwrap_or_default();
        let mut kinds = Kinds::new();
        for known in targets.iter().flat_map(|it| self.linker.kinds_of(*it)) {
            match &known.shape {
                Shape::Outer(name) if GENERATORS.contains(&name.as_ref()) => {
                    kinds.extend(known.parts.first().into_iter().flatten().cloned());
                }
                _ => kinds.push(known.clone()),
            }
        }
        tidy(&mut kinds);
        kinds
    }

    /// What is of a type that is written out.
    pub(super) fn written(&mut self, scene: &Scene<'_, 'f>, number: WrittenNumber) -> Kinds {
        let outline = &scene.row.source.outline;
        let Some(written) = outline.written(number).filter(|_| self.step()) else { return Kinds::new() };
        self.depth += 1;
        let mut kinds = match written {
            Written::Named(name, arguments) => {
                let parts: Box<[Kinds]> = arguments.iter().map(|it| self.written(scene, *it)).collect();
                self.type_named(scene, outline.text(*name), parts)
            }
            Written::Either(parts) => parts.iter().flat_map(|it| self.written(scene, *it)).collect(),
            Written::Sequence(item) => {
                let item = self.written(scene, *item);
                vec![Known::with(Shape::Sequence, Box::new([item]))]
            }
            Written::Tuple(parts) => {
                let parts = parts.iter().map(|it| self.written(scene, *it)).collect();
                vec![Known::with(Shape::Tuple, parts)]
            }
            Written::Function(parts) => {
                let parts = parts.iter().map(|it| self.written(scene, *it)).collect();
                vec![Known::with(Shape::Function, parts)]
            }
            Written::Unknown => Kinds::new(),
        };
        self.depth -= 1;
        tidy(&mut kinds);
        kinds
    }

    fn type_named(&mut self, scene: &Scene<'_, 'f>, path: &str, parts: Box<[Kinds]>) -> Kinds {
        let last = path.rsplit(['.', ':']).next().unwrap_or(path);
        if last == "None" || path == "null" || path == "undefined" || path == "nil" {
            return Kinds::new();
        }
        if matches!(path, "Self" | "this") {
            return self.own(scene, Shape::Instance);
        }
        let linker = self.linker;
        let around = linker.around(scene.row, scene.within);
        let mut fuel = FUEL;
        let nested = if path == last { linker.nested(scene.row, scene.within, path) } else { None };
        let found = nested
            .map(Found::Symbols)
            .or_else(|| linker.type_path(scene.row, scene.within, &around, path, &mut fuel));
        match found {
            Some(Found::Symbols(symbols)) => {
                let mut kinds = Kinds::new();
                for symbol in symbols {
                    kinds.extend(self.of_type(symbol, &parts));
                }
                kinds
            }
            Some(Found::Module(_)) => Kinds::new(),
            None => outer(last, parts),
        }
    }

    /// A value of a type of the repository; an alias stands for what it is an alias of.
    fn of_type(&mut self, symbol: SymbolNumber, parts: &[Kinds]) -> Kinds {
        let Some(definition) = self.linker.program.definition(symbol) else { return Kinds::new() };
        let alias = self.linker.kinds_of(symbol);
        match definition.kind {
            DefinitionKind::Type if !alias.is_empty() => alias.to_vec(),
            DefinitionKind::Type if definition.declared.is_some() => {
                let (Some(row), Some(declared)) = (self.linker.program.row_of(symbol), definition.declared) else {
                    return Kinds::new();
                };
                let scene = scene_of(row, symbol.saturating_sub(row.symbol + 1), definition);
                self.written(&scene, declared)
            }
            it if it.is_type() => vec![Known::with(Shape::Instance(symbol), parts.into())],
            // `T = TypeVar("T")`.
            DefinitionKind::Variable | DefinitionKind::Constant if is_placeholder(alias) => {
                vec![Known::plain(Shape::Argument(definition.name.clone()))]
            }
            // `Name = Other`.
            DefinitionKind::Variable | DefinitionKind::Constant => made_of(&alias.to_vec()),
            _ => Kinds::new(),
        }
    }
}

/// A value of a type that the repository does not define.
fn outer(name: &str, parts: Box<[Kinds]>) -> Kinds {
    match name {
        "type" | "Type" => {
            let of = parts.first().cloned().unwrap_or_default();
            if of.iter().any(|it| matches!(it.shape, Shape::Argument(_))) {
                return vec![Known::with(Shape::Outer("type".into()), parts)];
            }
            return of.into_iter().map(itself).collect();
        }
        "Union" => return parts.into_iter().flatten().collect(),
        "Callable" => return vec![Known::with(Shape::Function, parts)],
        _ => {}
    }
    if TRANSPARENT.contains(&name) {
        return parts.into_iter().next().unwrap_or_default();
    }
    vec![Known::with(Shape::Outer(name.into()), parts)]
}

fn itself(known: Known) -> Known {
    match known.shape {
        Shape::Instance(symbol) => Known { shape: Shape::Itself(symbol), ..known },
        _ => known,
    }
}

/// What calling `TypeVar` gives.
fn is_placeholder(alias: &[Known]) -> bool {
    alias.iter().any(|it| matches!(&it.shape, Shape::Outer(name) if &**name == "TypeVar"))
}

/// What a class makes.
fn made_of(subject: &Kinds) -> Kinds {
    let instances = subject.iter().filter_map(|known| match &known.shape {
        Shape::Itself(symbol) => Some(Known { shape: Shape::Instance(*symbol), ..known.clone() }),
        Shape::Outer(_) | Shape::Instance(_) => Some(known.clone()),
        Shape::Module(_) | Shape::Sequence | Shape::Tuple | Shape::Function | Shape::Argument(_) => None,
    });
    instances.collect()
}

/// A method of an outer type that gives what is inside it, or itself in another form.
fn unwrapped(known: &Known, name: &str) -> Option<Known> {
    let (Shape::Outer(_) | Shape::Sequence) = known.shape else { return None };
    let inner = known.parts.first()?;
    let given = if INNER.contains(&name) {
        inner.clone()
    } else if SAME.contains(&name) {
        vec![known.clone()]
    } else {
        return None;
    };
    Some(Known::with(Shape::Function, Box::new([given])))
}

fn part(of: &Kinds, place: u8) -> Kinds {
    let mut kinds: Kinds = of
        .iter()
        .filter_map(|known| match known.shape {
            Shape::Tuple => known.parts.get(usize::from(place)),
            Shape::Outer(ref name) if matches!(name.as_ref(), "tuple" | "Tuple") => {
                known.parts.get(usize::from(place))
            }
            Shape::Sequence => known.parts.first(),
            _ => None,
        })
        .flatten()
        .cloned()
        .collect();
    tidy(&mut kinds);
    kinds
}

fn awaited(of: Kinds) -> Kinds {
    let mut kinds = Kinds::new();
    for known in of {
        match &known.shape {
            Shape::Outer(name) if AWAITED.contains(&name.as_ref()) => {
                kinds.extend(known.parts.last().into_iter().flatten().cloned());
            }
            Shape::Outer(name) if matches!(name.as_ref(), "Option" | "Result" | "Poll") => {
                kinds.extend(known.parts.first().into_iter().flatten().cloned());
            }
            _ => kinds.push(known),
        }
    }
    tidy(&mut kinds);
    kinds
}

/// What the functions among some kinds get at the place of a parameter.
fn parameters_of(taken: &Kinds, parameter: u8) -> Kinds {
    let mut kinds = Kinds::new();
    for known in taken {
        let inner = match &known.shape {
            Shape::Function => Some(known),
            // A rest parameter takes many of them.
            Shape::Sequence | Shape::Tuple => {
                let items = known.parts.iter().flatten();
                kinds.extend(parameters_of(&items.cloned().collect(), parameter));
                None
            }
            _ => None,
        };
        let Some(function) = inner else { continue };
        let count = function.parts.len().saturating_sub(1);
        let place = usize::from(parameter);
        kinds.extend(function.parts.get(place).filter(|_| place < count).into_iter().flatten().cloned());
    }
    tidy(&mut kinds);
    kinds
}
