//! The tests that a change reaches, the likeliest to notice it first.

use std::collections::{BTreeMap, BTreeSet};

use super::change::Change;
use super::implicit::holder;
use super::rank::{Cost, Names, nearest};
use super::reach::{Affected, Spread, Start};
use crate::graph::{EdgeKind, Graph, SymbolNumber};
use crate::model::{RepoPath, SymbolId, Tier};

/// A test that a change reaches or changes; or test code that it reaches in a file without such a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selected {
    pub path: RepoPath,
    /// None for a file as a whole.
    pub symbol: Option<SymbolId>,
    /// Where the test begins; 1 for a file as a whole.
    pub line: u32,
    /// From the changed symbol to the test, both included.
    pub via: Vec<SymbolId>,
    pub tier: Tier,
}

/// Single tests in the order of their cost, then files.
pub(super) fn select(
    graph: &Graph,
    changed: &[Change],
    starts: &[Start],
    affected: &[Affected],
) -> Vec<Selected> {
    let nearest = nearest(graph, starts);
    let names = names(changed);
    let reached: BTreeMap<SymbolNumber, &Affected> = affected.iter().map(|it| (it.number, it)).collect();
    let own = starts.iter().map(|it| it.symbol());
    let all: BTreeSet<SymbolNumber> = reached.keys().copied().chain(own).collect();
    let mut tests: Vec<(Cost, Selected)> = Vec::new();
    let mut files: BTreeMap<u32, (Cost, Whole, Selected)> = BTreeMap::new();
    let borrowing = borrowing(graph, &all);
    for number in all {
        let Some((symbol, path)) = graph.symbol(number).and_then(|it| Some((it, graph.path_of(it)?))) else {
            continue;
        };
        if !symbol.is_test_code {
            continue;
        }
        let known = reached.get(&number);
        let near = nearest.get(&number);
        let cost = near.map_or(0, |it| it.cost);
        let selected = Selected {
            path: path.clone(),
            symbol: symbol.is_test.then(|| symbol.id.clone()),
            line: if symbol.is_test { symbol.span.start.line } else { 1 },
            via: known.map_or_else(|| vec![symbol.id.clone()], |it| it.via.clone()),
            tier: known.map_or(Tier::Structural, |it| it.tier),
        };
        if symbol.is_test {
            let likeness = known.map_or(Cost::MAX, |_| names.likeness(symbol.id.qualified(), stem(path)));
            tests.push((cost.saturating_sub(likeness), selected));
        } else {
            let runs = symbol.kind.is_none() && near.is_some_and(|it| it.spread <= Spread::Uses);
            let whole = if runs || borrowing.contains(&number) { Whole::Always } else { Whole::WithoutTests };
            let file = files.entry(symbol.file).or_insert_with(|| (cost, whole, selected.clone()));
            file.1 = file.1.min(whole);
            if cost < file.0 {
                (file.0, file.2) = (cost, selected);
            }
        }
    }
    let with_tests: BTreeSet<RepoPath> = tests.iter().map(|it| it.1.path.clone()).collect();
    let files = files.into_values().filter(|it| it.1 == Whole::Always || !with_tests.contains(&it.2.path));
    let mut files: Vec<(Cost, Selected)> = files.map(|it| (it.0, it.2)).collect();
    for list in [&mut tests, &mut files] {
        list.sort_by(|left, right| {
            (left.0, &left.1.path, left.1.line).cmp(&(right.0, &right.1.path, right.1.line))
        });
    }
    tests.into_iter().chain(files).map(|it| it.1).collect()
}

/// When a file of reached test code is listed as a whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Whole {
    /// What the change reaches runs for every test in it.
    Always,
    WithoutTests,
}

/// Test code that calls a function with reached tests inside: they run there, under no name of that file.
fn borrowing(graph: &Graph, reached: &BTreeSet<SymbolNumber>) -> BTreeSet<SymbolNumber> {
    let tests = reached.iter().filter(|it| graph.symbol(**it).is_some_and(|it| it.is_test));
    let holders: BTreeSet<SymbolNumber> = tests.filter_map(|it| holder(graph, *it)).collect();
    let calls = holders.into_iter().flat_map(|it| graph.incoming(it)).filter(|it| it.kind == EdgeKind::Calls);
    calls.map(|it| it.from).collect()
}

/// What the changed definitions and their files are called.
fn names(changed: &[Change]) -> Names {
    let symbols = changed.iter().map(|it| it.symbol.last_name());
    Names::of(symbols.chain(changed.iter().map(|it| stem(&it.path))))
}

/// The name of a file without what stands behind its first dot.
fn stem(path: &RepoPath) -> &str {
    let name = std::str::from_utf8(path.file_name()).unwrap_or_default();
    name.split('.').next().unwrap_or(name)
}
