//! Answers by the identity of a symbol: what is defined, referred to and implemented where.

use std::collections::{BTreeMap, BTreeSet};

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::document::Document;
use super::freshness::{Doubt, Freshness};
use super::index::Index;
use super::information::RelationKind;
use super::occurrence::Occurrence;
use super::reading::{Reading, Standing};
use super::record::{Hit, Search, records};
use super::relations::{Edge, Relations, reached};
use super::symbol::{Symbol, is_local, names};
use crate::model::{Evidence, Kind, Point, Reason, RepoPath, SymbolId, distinguish};
use crate::system::Root;

/// An index beside the source that it describes.
pub struct Library<'l, 'b> {
    pub root: &'l Root,
    pub index: &'l Index<'b>,
    pub freshness: &'l Freshness,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    Definition,
    References,
    Implementations,
}

/// What an index says to a question.
#[derive(Debug, Default)]
pub struct Answer {
    /// What was asked about, when that is one symbol.
    pub symbol: Option<SymbolId>,
    /// Strongest first.
    pub results: Vec<Evidence>,
    /// Why there is nothing where something might be expected.
    pub gap: Option<Reason>,
    /// What reading has shown of documents, by their number.
    pub read: BTreeMap<usize, Option<Doubt>>,
}

type Symbols<'b> = BTreeSet<Symbol<'b>>;

/// What a question is about.
struct Subject<'b> {
    symbols: Symbols<'b>,
    /// The documents that hold one of them, and perhaps some that do not: no other has to be decoded.
    near: BTreeSet<usize>,
}

impl Answer {
    fn nothing(reason: Reason) -> Self {
        Self { gap: Some(reason), ..Self::default() }
    }
}

impl<'l, 'b> Library<'l, 'b> {
    /// The answer for what stands at a position.
    pub fn at(&self, question: Question, path: &RepoPath, point: Point) -> Answer {
        let Some((number, document)) = self.index.document(path) else {
            let message = format!("the index has no document `{path}`: it may be new, generated or left out");
            return Answer::nothing(Reason::new("not_in_index", message));
        };
        let reading = self.read(number);
        let found = reading.at(document, point);
        if found.is_empty() {
            let message = format!("the index names no symbol at {path}:{point}");
            return Answer::nothing(Reason::new("no_symbol_here", message));
        }
        let here: Symbols<'b> = found.iter().map(|it| Symbol::new(it.symbol, number)).collect();
        let own = self.with_aliases(here);
        let mut answer = self.ask(question, &own, reading.standing);
        answer.symbol = own.symbols.first().and_then(|it| it.id(&self.index.documents));
        answer.read.insert(number, reading.doubt);
        answer
    }

    /// The definitions of every symbol of that identity, name, or dotted tail of names such as `Outer.inner`.
    pub fn named(&self, name: &str) -> Answer {
        let tail: Vec<&str> = name.split(['.', '#', '/', ':']).filter(|it| !it.is_empty()).collect();
        let sought = tail.last().map_or(name, |it| part_of_name(it));
        let mut near = self.index.holding(&[sought]);
        let mut shown = self.shown_as(name, &near);
        near.append(&mut shown.near);
        let is_meant = |it: &Symbol<'_>| {
            it.text == name || shown.symbols.contains(it) || (!tail.is_empty() && ends_with(it.text, &tail))
        };
        let defined = self.definitions(&near).map(|(number, it)| Symbol::new(it.symbol, number));
        let meant = Subject { symbols: defined.filter(is_meant).collect(), near };
        let symbols = self.without_bindings(&meant);
        if symbols.is_empty() {
            let message = format!("the index defines nothing of the name `{name}`");
            return Answer::nothing(Reason::new("no_symbol_of_that_name", message));
        }
        let only = symbols.first().filter(|_| symbols.len() == 1);
        let symbol = only.and_then(|it| it.id(&self.index.documents));
        let search = Search::new(Kind::Definition, symbols, Standing::Fresh);
        Answer { symbol, ..self.search(&search, &meant.near) }
    }

    /// The symbols that a person calls by a name, which stands in these documents only.
    fn shown_as(&self, name: &str, near: &BTreeSet<usize>) -> Subject<'b> {
        let inside = self.documents(near);
        let inside = inside.flat_map(|(number, it)| it.shown_as(name).map(move |it| Symbol::new(it, number)));
        let outside = self.index.external_shown_as(name).map(Symbol::global);
        self.subject(inside.chain(outside).collect())
    }

    fn subject(&self, symbols: Symbols<'b>) -> Subject<'b> {
        let near = self.holding(&symbols);
        Subject { symbols, near }
    }

    /// The documents that hold a symbol, and perhaps some that do not.
    fn holding(&self, symbols: &Symbols<'b>) -> BTreeSet<usize> {
        let global: Vec<&str> = symbols.iter().filter(|it| it.scope.is_none()).map(|it| it.text).collect();
        let mut near: BTreeSet<usize> = symbols.iter().filter_map(|it| it.scope).collect();
        if !global.is_empty() {
            near.append(&mut self.index.holding(&global));
        }
        near
    }

    /// The definitions in some documents.
    fn definitions(&self, near: &BTreeSet<usize>) -> impl Iterator<Item = (usize, &'l Occurrence<'b>)> {
        let documents = self.documents(near);
        let all = documents.flat_map(|(number, it)| it.occurrences().iter().map(move |it| (number, it)));
        all.filter(|(_, it)| it.is_definition())
    }

    fn documents(&self, numbers: &BTreeSet<usize>) -> impl Iterator<Item = (usize, &'l Document<'b>)> {
        numbers.iter().filter_map(|it| Some((*it, self.index.documents.get(*it)?)))
    }

    fn read(&self, number: usize) -> Reading {
        Reading::of(self.root, self.index, self.freshness, number)
    }

    /// The symbols, and what another copy of a document calls them: a file that two projects share has a global
    /// symbol in each.
    fn with_aliases(&self, symbols: Symbols<'b>) -> Subject<'b> {
        let subject = self.subject(symbols);
        let is_own = |it: &Symbol<'_>| subject.symbols.contains(it);
        // What has no other name in the documents that hold it has none anywhere.
        if !aliases(self.documents(&subject.near)).iter().any(|(one, other)| is_own(one) && !is_own(other)) {
            return subject;
        }
        let all = aliases(self.index.documents.iter().enumerate());
        let symbols = reached(&all, &subject.symbols).union(&subject.symbols).copied().collect();
        self.subject(symbols)
    }

    fn ask(&self, question: Question, own: &Subject<'b>, asked_in: Standing) -> Answer {
        let relations = |kind| Relations::of(self.index, kind, &own.near);
        match question {
            Question::Definition => {
                let related = relations(RelationKind::Definition).above(&own.symbols);
                let near = self.near(own, &related);
                let search =
                    Search { related, ..Search::new(Kind::Definition, self.without_bindings(own), asked_in) };
                let mut answer = self.search(&search, &near);
                answer.gap = answer.results.is_empty().then(|| undefined(&own.symbols));
                answer
            }
            Question::References => {
                let relations = relations(RelationKind::Reference);
                let (above, below) = (relations.above(&own.symbols), relations.below(&own.symbols));
                let related = above.into_iter().chain(below).collect();
                let near = self.near(own, &related);
                let standing = asked_in.max(self.standing_of_definitions(own));
                let search = Search::new(Kind::Reference, own.symbols.clone(), standing);
                self.search(&Search { related, ..search }, &near)
            }
            Question::Implementations => {
                let relations = relations(RelationKind::Implementation);
                if relations.is_empty() {
                    let message =
                        "this indexer provides no implementation data: what implements it is not known";
                    return Answer::nothing(Reason::new("no_implementation_data", message));
                }
                let standing = asked_in.max(self.standing_of_definitions(own));
                let target = own.symbols.first().copied();
                let below = self.subject(relations.below(&own.symbols));
                let search = Search::new(Kind::Implementation, below.symbols, standing);
                self.search(&Search { target, ..search }, &below.near)
            }
        }
    }

    /// The documents that hold the symbols or those that stand for them.
    fn near(&self, own: &Subject<'b>, related: &Symbols<'b>) -> BTreeSet<usize> {
        own.near.union(&self.holding(related)).copied().collect()
    }

    /// The symbols without those that an import defines, unless that leaves none: who asks at an import, or by the name
    /// that it binds, means what is imported.
    fn without_bindings(&self, own: &Subject<'b>) -> Symbols<'b> {
        let imported = self.definitions(&own.near).filter(|(_, it)| it.is_import());
        let bindings: Symbols<'b> = imported.map(|(number, it)| Symbol::new(it.symbol, number)).collect();
        let rest: Symbols<'b> = own.symbols.difference(&bindings).copied().collect();
        if rest.is_empty() { own.symbols.clone() } else { rest }
    }

    /// A use resolves to what the definition is now only while the definition's document is current as well.
    fn standing_of_definitions(&self, own: &Subject<'b>) -> Standing {
        let defined = self
            .definitions(&own.near)
            .filter(|(number, it)| own.symbols.contains(&Symbol::new(it.symbol, *number)));
        let documents: BTreeSet<usize> = defined.map(|(number, _)| number).collect();
        let standings = documents.par_iter().map(|it| self.read(*it).standing);
        standings.max().unwrap_or(Standing::Fresh)
    }

    /// Looks into these documents; all others hold nothing of what is looked for.
    fn search(&self, search: &Search<'b>, near: &BTreeSet<usize>) -> Answer {
        let mut wanted: BTreeMap<usize, Vec<Hit>> = BTreeMap::new();
        for (number, document) in self.documents(near) {
            let hits = document.occurrences().iter().enumerate();
            let hits: Vec<Hit> = hits.filter_map(|(at, it)| search.hit(it, number, at)).collect();
            if !hits.is_empty() {
                wanted.insert(number, hits);
            }
        }
        let found: Vec<_> = wanted
            .par_iter()
            .map(|(number, hits)| {
                let reading = self.read(*number);
                let results = records(search, &self.index.documents, *number, &reading, hits);
                (results, (*number, reading.doubt))
            })
            .collect();
        let read = found.iter().map(|it| it.1).collect();
        let mut results: Vec<Evidence> = found.into_iter().flat_map(|it| it.0).collect();
        distinguish(&mut results);
        results.sort_by(Evidence::order);
        Answer { symbol: None, results, gap: None, read }
    }
}

/// Symbols that copies of a document define at one range by one name, both ways, sorted.
fn aliases<'l, 'b: 'l>(documents: impl Iterator<Item = (usize, &'l Document<'b>)>) -> Vec<Edge<'b>> {
    let mut edges = Vec::new();
    for (number, document) in documents.filter(|(_, it)| it.is_copied()) {
        let all = document.occurrences().iter();
        let definitions: Vec<_> = all.filter(|it| it.is_definition() && !it.range.is_empty()).collect();
        for group in definitions.chunk_by(|a, b| a.range == b.range) {
            let mut named: Vec<_> =
                group.iter().map(|it| (names(it.symbol).pop(), Symbol::new(it.symbol, number))).collect();
            named.sort_unstable();
            let twins = named.iter().zip(named.iter().skip(1)).filter(|(one, other)| one.0 == other.0);
            edges.extend(twins.flat_map(|(one, other)| [(one.1, other.1), (other.1, one.1)]));
        }
    }
    edges.sort_unstable();
    edges
}

/// What stands in every symbol that has a name, quoted or not: a backtick is doubled in quotes.
fn part_of_name(name: &str) -> &str {
    name.split('`').max_by_key(|it| it.len()).unwrap_or(name)
}

fn ends_with(symbol: &str, tail: &[&str]) -> bool {
    let names = names(symbol);
    let rest = names.len().checked_sub(tail.len()).and_then(|it| names.get(it..));
    rest.is_some_and(|it| it.iter().zip(tail).all(|(name, wanted)| name == wanted))
}

fn undefined(own: &Symbols<'_>) -> Reason {
    let first = own.first().map(|it| it.text).unwrap_or_default();
    if is_local(first) {
        let message = format!("the document names `{first}` and does not define it");
        return Reason::new("local_unresolved", message);
    }
    Reason::new("defined_outside", format!("`{first}` is defined outside of what the index holds"))
}
