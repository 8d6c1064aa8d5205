//! What runs without being named: the inside of a function with the function, and for each test what is set up for it.

use crate::graph::{Edge, EdgeKind, Graph, Resolution, SymbolNumber};
use crate::syntax::DefinitionKind;

/// Methods and functions that runners call around every test beside them.
const HOOKS: &[&str] = &[
    "setUp",
    "tearDown",
    "asyncSetUp",
    "asyncTearDown",
    "setUpClass",
    "tearDownClass",
    "setUpModule",
    "tearDownModule",
    "setup_method",
    "teardown_method",
    "setup_class",
    "teardown_class",
    "setup_module",
    "teardown_module",
    "setup_function",
    "teardown_function",
];

/// Edges lead to these where a class is called.
const CONSTRUCTORS: &[&str] = &["__init__", "__new__"];

const SCRIPT_CONSTRUCTOR: &str = "constructor";

/// Whose run includes a run of this symbol, although nothing there names it.
pub(super) fn runs_with(graph: &Graph, at: SymbolNumber) -> Vec<SymbolNumber> {
    let mut with: Vec<SymbolNumber> = holder(graph, at).into_iter().collect();
    let Some(symbol) = graph.symbol(at) else { return with };
    if symbol.kind == Some(DefinitionKind::Suite) {
        // Its own code and its hooks run before the tests in it.
        with.extend(tests_in(graph, at));
    } else if symbol.is_test_code && HOOKS.contains(&symbol.id.last_name()) {
        with.extend(tests_beside(graph, at));
    } else if symbol.id.last_name() == SCRIPT_CONSTRUCTOR {
        with.extend(constructors_of_heirs(graph, symbol.container));
    }
    with
}

/// The constructors of JavaScript that must call this one: their `super(…)` names nothing.
fn constructors_of_heirs(graph: &Graph, class: Option<SymbolNumber>) -> Vec<SymbolNumber> {
    let heirs = class.into_iter().flat_map(|it| with_heirs(graph, it)).filter(|it| Some(*it) != class);
    let inside = heirs.flat_map(|it| graph.contained(it));
    inside.filter(|it| graph.symbol(*it).is_some_and(|it| it.id.last_name() == SCRIPT_CONSTRUCTOR)).collect()
}

/// The function that a symbol stands in, over suites between the two.
pub(super) fn holder(graph: &Graph, at: SymbolNumber) -> Option<SymbolNumber> {
    let mut outer = graph.symbol(at)?.container?;
    while graph.symbol(outer)?.kind == Some(DefinitionKind::Suite) {
        outer = graph.symbol(outer)?.container?;
    }
    graph.symbol(outer)?.kind.is_some_and(|it| it.runs()).then_some(outer)
}

fn tests_in(graph: &Graph, outer: SymbolNumber) -> impl Iterator<Item = SymbolNumber> {
    let inside = graph.contained(outer).into_iter();
    inside.filter(|it| graph.symbol(*it).is_some_and(|it| it.is_test))
}

/// The tests of the hook's class and of those that inherit from it; of the file, for a hook outside classes.
fn tests_beside(graph: &Graph, hook: SymbolNumber) -> Vec<SymbolNumber> {
    let Some(symbol) = graph.symbol(hook) else { return Vec::new() };
    let Some(class) = symbol.container else {
        let file = graph.path_of(symbol).and_then(|it| graph.file(it));
        let all = file.into_iter().flat_map(|it| graph.symbols_of(it));
        return all.filter(|it| it.1.is_test).map(|it| it.0).collect();
    };
    with_heirs(graph, class).into_iter().flat_map(|it| tests_in(graph, it)).collect()
}

/// The places that make a value whose language calls this method by itself, such as `__exit__` or `__iter__`: that it
/// is called there is a guess.
pub(super) fn makers(graph: &Graph, at: SymbolNumber) -> Vec<Edge> {
    let Some(symbol) = graph.symbol(at) else { return Vec::new() };
    let name = symbol.id.last_name();
    let is_of_language =
        symbol.id.as_str().starts_with("python:") && name.starts_with("__") && name.ends_with("__");
    let class = symbol.container.filter(|_| is_of_language && !CONSTRUCTORS.contains(&name));
    let classes = class.map(|it| with_heirs(graph, it)).unwrap_or_default();
    let made = classes.into_iter().flat_map(|it| graph.incoming(it)).filter(|it| it.kind == EdgeKind::Calls);
    made.map(|it| Edge { resolution: it.resolution.max(Resolution::AmbiguousMember), ..*it }).collect()
}

/// A class and all that inherit from it.
fn with_heirs(graph: &Graph, class: SymbolNumber) -> Vec<SymbolNumber> {
    let mut classes = vec![class];
    let mut at = 0;
    while let Some(class) = classes.get(at).copied() {
        let below = graph.incoming(class).filter(|it| it.kind == EdgeKind::Inherits).map(|it| it.from);
        let fresh: Vec<SymbolNumber> = below.filter(|it| !classes.contains(it)).collect();
        classes.extend(fresh);
        at += 1;
    }
    classes
}
