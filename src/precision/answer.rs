//! Answers by the identity of a symbol: what is defined, referred to and implemented where.

use std::collections::{BTreeMap, BTreeSet};

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::document::RelationKind;
use super::freshness::{Doubt, Freshness};
use super::index::Index;
use super::reading::{Reading, Standing};
use super::record::{Hit, Search, records};
use super::relations::Relations;
use super::symbol::{Symbol, is_local, names};
use crate::model::{Evidence, Kind, Point, Reason, RepoPath, SymbolId, distinguish};
use crate::system::Root;

/// An index beside the source that it describes.
pub struct Library<'l> {
    pub root: &'l Root,
    pub index: &'l Index<'l>,
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

type Symbols<'l> = BTreeSet<Symbol<'l>>;

impl Answer {
    fn nothing(reason: Reason) -> Self {
        Self { gap: Some(reason), ..Self::default() }
    }
}

impl<'l> Library<'l> {
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
        let here: Symbols<'l> = found.iter().map(|it| Symbol::new(it.symbol, number)).collect();
        let own = self.with_aliases(here);
        let mut answer = self.ask(question, &own, reading.standing);
        answer.symbol = own.first().and_then(|it| it.id(&self.index.documents));
        answer.read.insert(number, reading.doubt);
        answer
    }

    /// The definitions of every symbol of that identity, name, or dotted tail of names such as `Outer.inner`.
    pub fn named(&self, name: &str) -> Answer {
        let tail: Vec<&str> = name.split(['.', '#', '/', ':']).filter(|it| !it.is_empty()).collect();
        let shown = self.symbols_shown_as(name);
        let is_meant = |it: &Symbol<'_>| {
            it.text == name || shown.contains(it) || (!tail.is_empty() && ends_with(it.text, &tail))
        };
        let defined = self.index.occurrences().filter(|(_, it)| it.is_definition());
        let defined = defined.map(|(number, it)| Symbol::new(it.symbol, number));
        let own = self.without_bindings(&defined.filter(is_meant).collect());
        if own.is_empty() {
            let message = format!("the index defines nothing of the name `{name}`");
            return Answer::nothing(Reason::new("no_symbol_of_that_name", message));
        }
        let only = own.first().filter(|_| own.len() == 1);
        let symbol = only.and_then(|it| it.id(&self.index.documents));
        let search = Search::new(Kind::Definition, own, Standing::Fresh);
        Answer { symbol, ..self.search(&search) }
    }

    fn symbols_shown_as(&self, name: &str) -> Symbols<'l> {
        let documents = self.index.documents.iter().enumerate();
        let own = documents.flat_map(|(number, it)| it.symbols.names.iter().map(move |it| (number, it)));
        let own = own.map(|(number, (symbol, shown))| (Symbol::new(symbol, number), *shown));
        let outside =
            self.index.external.names.iter().map(|(symbol, shown)| (Symbol::global(symbol), *shown));
        own.chain(outside).filter(|(_, shown)| *shown == name).map(|(symbol, _)| symbol).collect()
    }

    fn read(&self, number: usize) -> Reading {
        Reading::of(self.root, self.index, self.freshness, number)
    }

    /// The symbols, and what another copy of a document calls them: a file that two projects share has a global
    /// symbol in each.
    fn with_aliases(&self, mut symbols: Symbols<'l>) -> Symbols<'l> {
        let copied = self.index.documents.iter().enumerate().filter(|(_, it)| it.copies > 1);
        for (number, document) in copied {
            let definitions: Vec<_> =
                document.occurrences.iter().filter(|it| it.is_definition() && !it.range.is_empty()).collect();
            for group in definitions.chunk_by(|a, b| a.range == b.range) {
                let meant = group.iter().find(|it| symbols.contains(&Symbol::new(it.symbol, number)));
                let Some(names_of_it) = meant.map(|it| names(it.symbol)) else { continue };
                let twins = group.iter().filter(|it| names(it.symbol).last() == names_of_it.last());
                symbols.extend(twins.map(|it| Symbol::new(it.symbol, number)));
            }
        }
        symbols
    }

    fn ask(&self, question: Question, own: &Symbols<'l>, asked_in: Standing) -> Answer {
        match question {
            Question::Definition => {
                let related = Relations::of(self.index, RelationKind::Definition).above(own);
                let search =
                    Search { related, ..Search::new(Kind::Definition, self.without_bindings(own), asked_in) };
                let mut answer = self.search(&search);
                answer.gap = answer.results.is_empty().then(|| undefined(own));
                answer
            }
            Question::References => {
                let relations = Relations::of(self.index, RelationKind::Reference);
                let related = relations.above(own).into_iter().chain(relations.below(own)).collect();
                let standing = asked_in.max(self.standing_of_definitions(own));
                self.search(&Search { related, ..Search::new(Kind::Reference, own.clone(), standing) })
            }
            Question::Implementations => {
                let relations = Relations::of(self.index, RelationKind::Implementation);
                if relations.is_empty() {
                    let message =
                        "this indexer provides no implementation data: what implements it is not known";
                    return Answer::nothing(Reason::new("no_implementation_data", message));
                }
                let standing = asked_in.max(self.standing_of_definitions(own));
                let target = own.first().copied();
                self.search(&Search {
                    target,
                    ..Search::new(Kind::Implementation, relations.below(own), standing)
                })
            }
        }
    }

    /// The symbols without those that an import defines, unless that leaves none: who asks at an import, or by the name
    /// that it binds, means what is imported.
    fn without_bindings(&self, own: &Symbols<'l>) -> Symbols<'l> {
        let defined = self.index.occurrences().filter(|(_, it)| it.is_definition() && it.is_import());
        let bindings: Symbols<'l> = defined.map(|(number, it)| Symbol::new(it.symbol, number)).collect();
        let rest: Symbols<'l> = own.difference(&bindings).copied().collect();
        if rest.is_empty() { own.clone() } else { rest }
    }

    /// A use resolves to what the definition is now only while the definition's document is current as well.
    fn standing_of_definitions(&self, own: &Symbols<'l>) -> Standing {
        let defined = self
            .index
            .occurrences()
            .filter(|(number, it)| it.is_definition() && own.contains(&Symbol::new(it.symbol, *number)));
        let documents: BTreeSet<usize> = defined.map(|(number, _)| number).collect();
        let standings = documents.par_iter().map(|it| self.read(*it).standing);
        standings.max().unwrap_or(Standing::Fresh)
    }

    fn search(&self, search: &Search<'l>) -> Answer {
        let mut wanted: BTreeMap<usize, Vec<Hit>> = BTreeMap::new();
        for (number, document) in self.index.documents.iter().enumerate() {
            let hits = document.occurrences.iter().enumerate();
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
