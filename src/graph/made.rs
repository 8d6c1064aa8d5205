//! What is made of values: by calling them, taking one of them, waiting for them.

use super::evaluate::Evaluation;
use super::known::{Kinds, Known, Shape, scene_of, tidy};
use super::store::SymbolNumber;

/// Types whose value has to be waited for; it is their last argument.
const AWAITED: &[&str] = &[
    "Promise",
    "PromiseLike",
    "Awaitable",
    "Coroutine",
    "Future",
    "Task",
    "ValueTask",
    "Deferred",
    "Awaited",
];

/// Types of which one item is their last argument, not their first.
const BY_KEY: &[&str] = &[
    "dict",
    "Dict",
    "Mapping",
    "MutableMapping",
    "defaultdict",
    "OrderedDict",
    "Map",
    "map",
    "Record",
    "HashMap",
    "BTreeMap",
    "IndexMap",
    "WeakMap",
    "Dictionary",
    "ReadonlyMap",
];

/// Methods that give what is inside.
const INNER: &[&str] = &[
    "unwrap",
    "expect",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
    "next",
    "lock",
    "read",
    "write",
    "borrow",
    "borrow_mut",
    "first",
    "last",
    "pop",
    "orElseThrow",
    "getOrThrow",
    "getFirst",
    "getLast",
    "First",
    "FirstOrDefault",
    "Single",
    "SingleOrDefault",
    "Last",
    "at",
];

/// Methods that give the same in another form.
const SAME: &[&str] = &[
    "as_ref",
    "as_mut",
    "as_deref",
    "clone",
    "cloned",
    "copied",
    "iter",
    "iter_mut",
    "into_iter",
    "to_owned",
    "ok",
    "ok_or",
    "ok_or_else",
    "map_err",
    "filter",
    "take",
    "skip",
    "rev",
    "stream",
    "toList",
    "ToList",
    "Where",
    "slice",
    "reverse",
    "sort",
    "context",
    "with_context",
];

impl Evaluation<'_, '_, '_> {
    pub(super) fn called(&mut self, callee: &Kinds) -> Kinds {
        let mut kinds = Kinds::new();
        for known in callee {
            match &known.shape {
                Shape::Itself(symbol) => {
                    let is_type = self.linker.program.definition(*symbol).is_some_and(|it| it.kind.is_type());
                    if is_type {
                        let shape = Shape::Instance(*symbol);
                        kinds.push(Known { shape, ..known.clone() });
                    } else {
                        let given = self.linker.kinds_of(*symbol).iter().cloned();
                        kinds.extend(given.map(|it| it.seen_by(known.receiver)));
                    }
                }
                Shape::Instance(_) => {
                    let called = self.run_by(known);
                    kinds.extend(called.iter().flat_map(|it| self.linker.kinds_of(*it)).cloned());
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
    pub(super) fn with_argument(&mut self, callee: &Kinds, given: Kinds, argument: &Kinds) -> Kinds {
        let functions: Vec<SymbolNumber> = callee.iter().filter_map(Known::itself).collect();
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
                matches!(it.outer(), Some("type" | "Type"))
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
    pub(super) fn items(&mut self, of: &Kinds) -> Kinds {
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
                            of.into_iter()
                                .filter(is_outer)
                                .filter_map(|it| it.parts.first().cloned())
                                .flatten(),
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

    pub(super) fn entered(&mut self, of: Kinds) -> Kinds {
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
    pub(super) fn passed(&mut self, callee: &Kinds, argument: u8, parameter: u8) -> Kinds {
        let mut kinds = Kinds::new();
        for known in callee {
            let functions = match &known.shape {
                Shape::Itself(symbol) => {
                    let is_type = self.linker.program.definition(*symbol).is_some_and(|it| it.kind.is_type());
                    if is_type { self.linker.program.constructors(*symbol) } else { vec![*symbol] }
                }
                Shape::Instance(symbol) => self.linker.program.inherited(*symbol, "()"),
                Shape::Function => {
                    let taken = known.parts.get(usize::from(argument)).cloned().unwrap_or_default();
                    kinds.extend(parameters_of(&taken, parameter));
                    continue;
                }
                Shape::Module(_) | Shape::Outer(_) | Shape::Sequence | Shape::Tuple | Shape::Argument(_) => {
                    continue;
                }
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
    pub(super) fn taken(&mut self, function: SymbolNumber, argument: u8) -> Kinds {
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
}

/// What a class makes.
pub(super) fn made_of(subject: &Kinds) -> Kinds {
    let instances = subject.iter().filter_map(|known| match &known.shape {
        Shape::Itself(symbol) => Some(Known { shape: Shape::Instance(*symbol), ..known.clone() }),
        Shape::Outer(_) | Shape::Instance(_) => Some(known.clone()),
        Shape::Module(_) | Shape::Sequence | Shape::Tuple | Shape::Function | Shape::Argument(_) => None,
    });
    instances.collect()
}

/// A method of an outer type that gives what is inside it, or itself in another form.
pub(super) fn unwrapped(known: &Known, name: &str) -> Option<Known> {
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

pub(super) fn part(of: &Kinds, place: u8) -> Kinds {
    let mut kinds: Kinds = of
        .iter()
        .filter_map(|known| {
            let is_tuple = known.shape == Shape::Tuple || matches!(known.outer(), Some("tuple" | "Tuple"));
            if is_tuple {
                known.parts.get(usize::from(place))
            } else {
                known.parts.first().filter(|_| known.shape == Shape::Sequence)
            }
        })
        .flatten()
        .cloned()
        .collect();
    tidy(&mut kinds);
    kinds
}

pub(super) fn awaited(of: Kinds) -> Kinds {
    let mut kinds = Kinds::new();
    for known in of {
        if known.outer().is_some_and(|it| AWAITED.contains(&it)) {
            kinds.extend(known.parts.last().into_iter().flatten().cloned());
        } else if matches!(known.outer(), Some("Option" | "Result" | "Poll")) {
            kinds.extend(known.parts.first().into_iter().flatten().cloned());
        } else {
            kinds.push(known);
        }
    }
    tidy(&mut kinds);
    kinds
}

/// What the functions among some kinds get at the place of a parameter.
fn parameters_of(taken: &Kinds, parameter: u8) -> Kinds {
    let mut kinds = Kinds::new();
    for known in taken {
        // A rest parameter takes many of them.
        if matches!(known.shape, Shape::Sequence | Shape::Tuple) {
            let items = known.parts.iter().flatten();
            kinds.extend(parameters_of(&items.cloned().collect(), parameter));
        }
        let place = usize::from(parameter);
        let is_taken = known.is_function() && place + 1 < known.parts.len();
        kinds.extend(known.parts.get(place).filter(|_| is_taken).into_iter().flatten().cloned());
    }
    tidy(&mut kinds);
    kinds
}
