//! What an index resolved, put over what names say.
//!
//! A name that the index resolves within the repository makes an exact edge; what names said there stays with it as
//! superseded. Where the index says that a name is local, or is something outside, a guess falls. Where it is silent
//! (indexes are not complete), the guess stands at its own worth.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::calibration::Resolution;
use super::link::{Effect, Use};
use super::program::{Program, Row, narrow};
use super::store::{Edge, EdgeKind, SymbolNumber};
use crate::model::{Location, Point, RepoPath, Span};
use crate::precision::{Resolved, Role, Target, Token};
use crate::syntax::DefinitionKind;

/// What names said of a use that an index resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Guess {
    pub resolution: Resolution,
    pub candidates: u8,
}

/// How the guesses of one kind fared where an index knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    pub judged: u64,
    /// The index's target was among the guess's.
    pub right: u64,
}

/// How the guesses fared on this repository, by how they were made.
pub type Agreement = BTreeMap<Resolution, Verdict>;

/// An index beside a program.
pub(super) struct Fusion<'p, 'f> {
    program: &'p Program<'f>,
    resolved: &'p Resolved,
    /// Of each file, where its definitions and their names begin, sorted.
    places: Vec<Places>,
}

#[derive(Default)]
struct Places {
    starts: Vec<(Point, u32)>,
    names: Vec<(Point, u32)>,
}

/// What the index says of a place.
enum Known {
    Symbols(Vec<SymbolNumber>),
    Local,
    Elsewhere,
    Nothing,
}

impl<'p, 'f> Fusion<'p, 'f> {
    pub(super) fn new(program: &'p Program<'f>, resolved: &'p Resolved) -> Self {
        let places = program.rows.iter().map(|row| {
            let definitions = || (0..).zip(&row.source.outline.definitions);
            let mut places = Places {
                starts: definitions().map(|(number, it)| (it.span.start, number)).collect(),
                names: definitions().map(|(number, it)| (it.name_span.start, number)).collect(),
            };
            places.starts.sort_unstable();
            places.names.sort_unstable();
            places
        });
        Self { program, resolved, places: places.collect() }
    }

    /// The uses of a file with what the index knows of them, and those that only the index knows.
    pub(super) fn fuse(&self, row: &Row<'_>, uses: Vec<Use>) -> (Vec<Use>, Agreement) {
        let mut agreement = Agreement::new();
        let Some(tokens) = self.resolved.tokens(&row.source.path) else { return (uses, agreement) };
        let groups: Vec<&[Token]> =
            tokens.chunk_by(|a, b| a.span == b.span).filter(|it| is_use(it) && !is_empty(it)).collect();
        let mut is_covered = vec![false; groups.len()];
        let mut fused = Vec::with_capacity(uses.len());
        for mut it in uses {
            let at = groups.binary_search_by_key(&it.place, |group| place(group));
            let Some(group) = at.ok().and_then(|at| {
                *is_covered.get_mut(at)? = true;
                groups.get(at)
            }) else {
                fused.push(it);
                continue;
            };
            let known = self.known(group);
            let verdict = match &known {
                Known::Symbols(symbols) => Some(it.targets.iter().any(|it| symbols.contains(it))),
                Known::Local => Some(false),
                Known::Elsewhere if self.all_indexed(&it.targets) => Some(false),
                Known::Elsewhere | Known::Nothing => None,
            };
            if let Some(is_right) = verdict.filter(|_| !it.targets.is_empty()) {
                let row = agreement.entry(it.resolution).or_default();
                row.judged += 1;
                row.right += u64::from(is_right);
            }
            match (known, verdict) {
                (Known::Symbols(symbols), _) => {
                    let guess = Guess { resolution: it.resolution, candidates: it.candidates() };
                    it.superseded = Some(guess).filter(|it| it.candidates > 0);
                    it.targets = symbols;
                    it.resolution = self.resolution();
                    fused.push(it);
                }
                (Known::Local | Known::Elsewhere, Some(_)) => {}
                (Known::Local | Known::Elsewhere | Known::Nothing, _) => fused.push(it),
            }
        }
        let alone = groups.iter().zip(is_covered).filter(|(_, is_covered)| !is_covered);
        fused.extend(alone.filter_map(|(group, _)| self.unguessed(row, group)));
        (fused, agreement)
    }

    fn unguessed(&self, row: &Row<'_>, group: &[Token]) -> Option<Use> {
        let Known::Symbols(targets) = self.known(group) else { return None };
        let first = group.first()?;
        let kind = if first.role == Role::Import { EdgeKind::Imports } else { EdgeKind::References };
        let from = self.enclosing(self.program.file_of(row.symbol), first.span.start)?;
        let (place, resolution) = (first.span, self.resolution());
        Some(Use { from, kind, place, targets, resolution, superseded: None, effect: Effect::Reaches })
    }

    const fn resolution(&self) -> Resolution {
        if self.resolved.is_proven { Resolution::Index } else { Resolution::IndexUnsealed }
    }

    fn known(&self, group: &[Token]) -> Known {
        let mut symbols = Vec::new();
        let mut weakest = Known::Elsewhere;
        for token in group {
            match self.resolved.target(token.target) {
                Target::Defined(places) => symbols.extend(places.iter().filter_map(|it| self.symbol(it))),
                Target::Local(places) => {
                    symbols.extend(places.iter().filter_map(|it| self.named(it)));
                    weakest = Known::Local;
                }
                Target::Elsewhere => {}
                Target::Unknown => return Known::Nothing,
            }
        }
        // Some indexers take a call of a type for its constructor alone; it names the type all the same.
        let made: Vec<_> = symbols.iter().filter_map(|it| self.program.constructed(*it)).collect();
        symbols.extend(made);
        symbols.sort_unstable();
        symbols.dedup();
        if symbols.is_empty() { weakest } else { Known::Symbols(symbols) }
    }

    /// Whether the index would know the definitions, were they what is meant.
    fn all_indexed(&self, symbols: &[SymbolNumber]) -> bool {
        let path = |it: &SymbolNumber| self.program.row_of(*it).map(|it| &it.source.path);
        symbols.iter().all(|it| path(it).is_some_and(|it| self.resolved.tokens(it).is_some()))
    }

    /// The symbol that a place of definition is of: the one so named, else the one that it stands in, such as the
    /// function of a parameter.
    fn symbol(&self, place: &Location) -> Option<SymbolNumber> {
        if place.span.start == place.span.end {
            let file = self.file(&place.path)?;
            return self.program.rows.get(file as usize).map(|it| it.symbol);
        }
        self.named(place).or_else(|| self.enclosing(self.file(&place.path)?, place.span.start))
    }

    /// The definition whose name stands at a place.
    fn named(&self, place: &Location) -> Option<SymbolNumber> {
        let file = self.file(&place.path)?;
        let names = &self.places.get(file as usize)?.names;
        let at = names.binary_search_by_key(&place.span.start, |it| it.0).ok()?;
        Some(self.program.rows.get(file as usize)?.symbol + 1 + names.get(at)?.1)
    }

    fn file(&self, path: &RepoPath) -> Option<u32> {
        self.program.rows.binary_search_by(|it| it.source.path.cmp(path)).ok().map(narrow)
    }

    /// The innermost definition around a point, or the file. What comes last before the point stands around it, or
    /// beside something that does.
    fn enclosing(&self, file: u32, point: Point) -> Option<SymbolNumber> {
        let row = self.program.rows.get(file as usize)?;
        let starts = &self.places.get(file as usize)?.starts;
        let last = starts.partition_point(|it| it.0 <= point).checked_sub(1);
        let mut at = last.and_then(|it| starts.get(it)).map(|it| it.1);
        for _ in 0..MOST_NESTED {
            let Some(number) = at else { break };
            let definition = row.source.outline.definitions.get(number as usize)?;
            if definition.span.start <= point && point < definition.span.end {
                return Some(row.symbol + 1 + number);
            }
            at = definition.container.map(narrow);
        }
        Some(row.symbol)
    }

    /// What the index says to implement or override something.
    pub(super) fn implementations(&self) -> Vec<Edge> {
        let mut edges = Vec::new();
        for (implementing, implemented) in &self.resolved.implementations {
            let (Target::Defined(below), Target::Defined(above)) =
                (self.resolved.target(*implementing), self.resolved.target(*implemented))
            else {
                continue;
            };
            let pairs = below.iter().flat_map(|below| above.iter().map(move |above| (below, above)));
            edges.extend(pairs.filter_map(|(below, above)| self.implementation(below, above)));
        }
        edges
    }

    fn implementation(&self, below: &Location, above: &Location) -> Option<Edge> {
        let (lower, upper) = (self.symbol(below)?, self.symbol(above)?);
        let is_type = |it: DefinitionKind| it.is_type();
        let kinds = [lower, upper].map(|it| self.program.definition(it).map(|it| it.kind));
        let (from, to, kind, place) = match kinds {
            [Some(a), Some(b)] if is_type(a) && is_type(b) => (lower, upper, EdgeKind::Inherits, below.span),
            [Some(a), Some(b)] if a.runs() && b.runs() => (upper, lower, EdgeKind::Overridden, above.span),
            _ => return None,
        };
        let resolution = self.resolution();
        (from != to).then_some(Edge { from, to, kind, resolution, candidates: 1, place, superseded: None })
    }
}

/// Definitions nest less deep than this in what people write.
const MOST_NESTED: usize = 64;

fn place(group: &[Token]) -> Span {
    group.first().map_or(Span::FILE, |it| it.span)
}

fn is_use(group: &[Token]) -> bool {
    group.iter().all(|it| it.role != Role::Definition)
}

fn is_empty(group: &[Token]) -> bool {
    group.first().is_none_or(|it| it.span.start == it.span.end)
}
