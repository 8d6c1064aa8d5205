//! Who uses what changed, step by step backwards over the graph, with the path to each.

use std::collections::BTreeMap;

use super::implicit::{makers, runs_with};
use crate::graph::{Edge, EdgeKind, Graph, Guess, Resolution, SymbolNumber};
use crate::model::{
    Confidence, Detail, Evidence, Kind, Location, Method, Note, ReachDetail, Redacted, RepoPath, SymbolId,
    Tier, counted,
};

/// How many symbols a change may reach before the rest is left out, with a note.
pub const MOST_REACHED: usize = 50_000;

/// A symbol that a change reaches.
#[derive(Clone, Debug, PartialEq)]
pub struct Affected {
    pub symbol: SymbolId,
    pub number: SymbolNumber,
    pub path: RepoPath,
    pub distance: u32,
    /// From the changed symbol to this one, both included.
    pub via: Vec<SymbolId>,
    /// The place that uses the step before; in this symbol's file.
    pub place: Location,
    /// What the path rests on at its weakest.
    pub weakest: Resolution,
    pub method: Method,
    pub tier: Tier,
    pub confidence: Confidence,
    /// What names said of the place, where an index says it better.
    pub superseded: Option<Guess>,
    pub is_test: bool,
}

/// Where a search begins, and how far module-level code carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Start {
    /// A definition: an import of it is the end of a path.
    Definition(SymbolNumber),
    /// What runs when a file is imported: it carries through every import.
    Module(SymbolNumber),
    /// A file that lost a definition: who imported it may break, no further.
    Loss(SymbolNumber),
}

impl Start {
    pub(super) const fn symbol(self) -> SymbolNumber {
        match self {
            Self::Definition(symbol) | Self::Module(symbol) | Self::Loss(symbol) => symbol,
        }
    }

    pub(super) const fn spread(self) -> Spread {
        match self {
            Self::Definition(_) => Spread::Uses,
            Self::Module(_) => Spread::Everywhere,
            Self::Loss(_) => Spread::Imports,
        }
    }
}

#[derive(Clone, Copy)]
struct Step {
    distance: u32,
    from: SymbolNumber,
    edge: Option<Edge>,
    weakest: Resolution,
    candidates: u8,
    /// Whether the search goes on from here, and through imports.
    spread: Spread,
}

/// How a search goes on from what it reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Spread {
    Everywhere,
    Uses,
    Imports,
    Ends,
}

/// Every symbol that the starts reach, nearest first, and a note when the limit cut it.
pub(super) fn reach(graph: &Graph, starts: &[Start]) -> (Vec<Affected>, Option<Note>) {
    let mut steps: BTreeMap<SymbolNumber, Step> = BTreeMap::new();
    for start in starts {
        let (symbol, spread) = (start.symbol(), start.spread());
        let weakest = Resolution::Index;
        let step = Step { distance: 0, from: symbol, edge: None, weakest, candidates: 1, spread };
        let known = steps.entry(symbol).or_insert(step);
        known.spread = known.spread.min(spread);
    }
    let mut frontier: Vec<SymbolNumber> = steps.keys().copied().collect();
    let mut is_cut = false;
    while !frontier.is_empty() && !is_cut {
        let mut found: BTreeMap<SymbolNumber, Step> = BTreeMap::new();
        for at in frontier {
            let Some(step) = steps.get(&at).copied() else { continue };
            for next in next_steps(graph, at, step).filter(|it| !steps.contains_key(&it.0)) {
                let better = found.get(&next.0).is_none_or(|it| rank(&next.1) < rank(it));
                if better {
                    found.insert(next.0, next.1);
                }
            }
        }
        is_cut = steps.len() + found.len() > MOST_REACHED;
        frontier = found.keys().copied().collect();
        steps.extend(found);
    }
    let note = is_cut.then(|| {
        let message =
            format!("the change reaches more than {MOST_REACHED} symbols; the farthest are left out");
        Note::new("reach_limited", message)
    });
    let mut affected: Vec<Affected> =
        steps.iter().filter(|it| it.1.distance > 0).filter_map(|it| affected(graph, &steps, *it.0)).collect();
    affected.sort_by(|a, b| (a.distance, &a.path, a.number).cmp(&(b.distance, &b.path, b.number)));
    (affected, note)
}

/// Stronger first, then by the symbol it comes from.
fn rank(step: &Step) -> (Resolution, Spread, SymbolNumber) {
    (step.weakest, step.spread, step.from)
}

fn next_steps(graph: &Graph, at: SymbolNumber, step: Step) -> impl Iterator<Item = (SymbolNumber, Step)> {
    spreading(graph, at, step.spread).map(move |(to, spread, edge)| {
        let (weakest, candidates) = match edge {
            Some(edge) if edge.resolution > step.weakest => (edge.resolution, edge.candidates),
            Some(_) | None => (step.weakest, step.candidates),
        };
        (to, Step { distance: step.distance + 1, from: at, edge, weakest, candidates, spread })
    })
}

/// Who is reached in one step, and how the search goes on from there; without an edge where nothing is named.
pub(super) fn spreading(
    graph: &Graph,
    at: SymbolNumber,
    spread: Spread,
) -> impl Iterator<Item = (SymbolNumber, Spread, Option<Edge>)> {
    let is_file = graph.symbol(at).is_some_and(|it| it.kind.is_none());
    let uses = graph.incoming(at).filter_map(move |edge| {
        let is_import = edge.kind == EdgeKind::Imports;
        let spread = match (spread, is_import) {
            (Spread::Ends, _) | (Spread::Imports, false) => return None,
            (Spread::Everywhere, true) if is_file => Spread::Everywhere,
            (Spread::Everywhere | Spread::Uses | Spread::Imports, true) => Spread::Ends,
            (Spread::Everywhere | Spread::Uses, false) => Spread::Uses,
        };
        Some((edge.from, spread, Some(*edge)))
    });
    let goes_on = matches!(spread, Spread::Everywhere | Spread::Uses);
    let with = if goes_on { runs_with(graph, at) } else { Vec::new() };
    let made = if goes_on { makers(graph, at) } else { Vec::new() };
    let made = made.into_iter().map(|it| (it.from, Spread::Uses, Some(it)));
    uses.chain(with.into_iter().map(|it| (it, Spread::Uses, None))).chain(made)
}

fn affected(graph: &Graph, steps: &BTreeMap<SymbolNumber, Step>, number: SymbolNumber) -> Option<Affected> {
    let symbol = graph.symbol(number)?;
    let step = steps.get(&number)?;
    let mut via = Vec::new();
    let mut at = number;
    while let Some(here) = steps.get(&at) {
        via.push(graph.symbol(at)?.id.clone());
        if here.distance == 0 {
            break;
        }
        at = here.from;
    }
    via.reverse();
    let path = graph.path_of(symbol)?.clone();
    let (method, tier) = worth(step);
    let place = step.edge.map_or(symbol.span, |it| it.place);
    Some(Affected {
        symbol: symbol.id.clone(),
        number,
        place: Location { path: path.clone(), span: place },
        path,
        distance: step.distance,
        via,
        weakest: step.weakest,
        method,
        tier,
        confidence: step.weakest.confidence(step.candidates),
        superseded: step.edge.and_then(|it| it.superseded).filter(|_| step.distance == 1),
        is_test: symbol.is_test,
    })
}

/// What a path is worth. An index resolves uses, not what follows from a chain of them.
fn worth(step: &Step) -> (Method, Tier) {
    let row = step.weakest.calibration();
    let is_one_use = step.distance == 1 && step.edge.is_some();
    if step.weakest.is_of_index() && !is_one_use {
        return (Method::GraphStrong, Tier::InferredHigh);
    }
    (row.method, row.tier)
}

impl Affected {
    /// The records that a bundle keeps of it: one, and the guess that it replaces.
    pub fn evidence(&self) -> impl Iterator<Item = Evidence> {
        let guess = self.superseded.map(|it| {
            let row = it.resolution.calibration();
            self.record(row.method, row.tier, it.resolution.confidence(it.candidates))
        });
        std::iter::once(self.record(self.method, self.tier, self.confidence)).chain(guess)
    }

    fn record(&self, method: Method, tier: Tier, confidence: Confidence) -> Evidence {
        let first = self.via.first().map_or("", SymbolId::as_str);
        let message =
            format!("{} uses {first} in {}", self.symbol, counted(u64::from(self.distance), "step"));
        let message = Redacted::from(message);
        let mut evidence =
            Evidence::new(Kind::Impact, method, self.place.clone(), self.symbol.as_str(), message)
                .at_most(tier);
        evidence.symbol = Some(self.symbol.clone());
        evidence.target = self.via.first().cloned();
        evidence.confidence = confidence;
        evidence.detail = Detail::Reach(ReachDetail { distance: self.distance, via: self.via.clone() });
        evidence
    }
}
