//! Occurrences as evidence.

use std::collections::BTreeSet;

use super::document::Document;
use super::occurrence::Occurrence;
use super::reading::{Reading, Standing};
use super::symbol::{Symbol, names};
use crate::model::{Evidence, Kind, LineIndex, Location, Method, Redacted, Tier};

/// What to look for in every document.
pub struct Search<'b> {
    pub kind: Kind,
    /// The symbols that are meant.
    pub own: BTreeSet<Symbol<'b>>,
    /// Symbols that stand for them by a relation that the indexer states.
    pub related: BTreeSet<Symbol<'b>>,
    /// What the question was about, where that is not the symbol of the results.
    pub target: Option<Symbol<'b>>,
    /// How far the way to these symbols may be trusted.
    pub standing: Standing,
}

/// An occurrence that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    at: usize,
    way: Way,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Own,
    Related,
}

impl<'b> Search<'b> {
    pub const fn new(kind: Kind, own: BTreeSet<Symbol<'b>>, standing: Standing) -> Self {
        Self { kind, own, related: BTreeSet::new(), target: None, standing }
    }

    /// The occurrence number `at` of a document, when it is one of those that are looked for.
    pub fn hit(&self, occurrence: &Occurrence<'b>, document: usize, at: usize) -> Option<Hit> {
        if occurrence.is_definition() == (self.kind == Kind::Reference) {
            return None;
        }
        let symbol = Symbol::new(occurrence.symbol, document);
        let way = if self.own.contains(&symbol) {
            Way::Own
        } else if self.related.contains(&symbol) {
            Way::Related
        } else {
            return None;
        };
        Some(Hit { at, way })
    }
}

/// The records of one document, one for each place.
pub fn records(
    search: &Search<'_>,
    documents: &[Document<'_>],
    number: usize,
    reading: &Reading,
    hits: &[Hit],
) -> Vec<Evidence> {
    let Some(document) = documents.get(number) else { return Vec::new() };
    let lines = LineIndex::new(&reading.text);
    let placed = hits.iter().filter_map(|it| Some((*it, document.occurrences().get(it.at)?)));
    let mut placed: Vec<(Hit, &Occurrence<'_>)> = placed.collect();
    placed.sort_by_key(|(hit, it)| (it.range, hit.way, hit.at));
    placed.dedup_by_key(|(_, it)| it.range);
    let standing = search.standing.max(reading.standing);
    let record = |(hit, occurrence): (Hit, &Occurrence<'_>)| {
        let span = reading.span(&lines, hit.at, occurrence);
        let place = Location { path: document.path.clone(), span };
        let message = Redacted::new(message(search.kind, occurrence));
        let subject = format!("{} {}", search.kind.name(), occurrence.symbol);
        let mut evidence = Evidence::new(search.kind, Method::PrecisionIndex, place, &subject, message);
        let symbol = Symbol::new(occurrence.symbol, number);
        evidence.symbol = symbol.id(documents);
        let asked = search.target.or_else(|| search.own.first().copied());
        if search.target.is_some() || hit.way == Way::Related {
            evidence.target = asked.and_then(|it| it.id(documents));
        }
        // What stands for a symbol is not the symbol: a call through an interface may reach another type.
        let evidence = if hit.way == Way::Related { evidence.at_most(Tier::InferredHigh) } else { evidence };
        standing.mark(evidence)
    };
    placed.into_iter().map(record).collect()
}

fn message(kind: Kind, occurrence: &Occurrence<'_>) -> String {
    let names = names(occurrence.symbol);
    let shown = match names.as_slice() {
        [] => occurrence.symbol.to_owned(),
        [only] => only.to_string(),
        [.., outer, last] => format!("{outer}.{last}"),
    };
    let what = match (kind, occurrence.is_import()) {
        (Kind::Reference, true) => "import of",
        (Kind::Reference, false) => "reference to",
        (Kind::Implementation, _) => "implementation by",
        (_, _) => "definition of",
    };
    format!("{what} {shown}")
}
