//! Which symbols stand for each other, followed to the end.

use std::collections::BTreeSet;

use super::index::Index;
use super::information::{Relation, RelationKind};
use super::symbol::Symbol;

/// The relations of one kind, in both directions.
pub struct Relations<'i, 'b> {
    index: &'i Index<'b>,
    kind: RelationKind,
    /// The documents that hold the symbols from which they are followed.
    near: &'i BTreeSet<usize>,
}

/// A symbol and what it leads to.
pub type Edge<'b> = (Symbol<'b>, Symbol<'b>);

impl<'i, 'b> Relations<'i, 'b> {
    pub const fn of(index: &'i Index<'b>, kind: RelationKind, near: &'i BTreeSet<usize>) -> Self {
        Self { index, kind, near }
    }

    /// Whether the whole index has none.
    pub fn is_empty(&self) -> bool {
        !self.index.relations().any(|(_, it)| it.is(self.kind))
    }

    /// What the symbols lead to: interfaces, overridden members.
    pub fn above(&self, symbols: &BTreeSet<Symbol<'b>>) -> BTreeSet<Symbol<'b>> {
        self.closure(symbols, |from, to| (from, to))
    }

    /// What leads to the symbols: implementations, overriding members.
    pub fn below(&self, symbols: &BTreeSet<Symbol<'b>>) -> BTreeSet<Symbol<'b>> {
        self.closure(symbols, |from, to| (to, from))
    }

    /// Most symbols are related to none, which the documents that hold them show. Only else all are asked.
    fn closure(
        &self,
        symbols: &BTreeSet<Symbol<'b>>,
        turned: fn(Symbol<'b>, Symbol<'b>) -> Edge<'b>,
    ) -> BTreeSet<Symbol<'b>> {
        let symbol = |text, document: Option<usize>| match document {
            Some(document) => Symbol::new(text, document),
            None => Symbol::global(text),
        };
        let edge = |at, it: &Relation<'b>| {
            let is_wanted = it.is(self.kind);
            is_wanted.then(|| turned(symbol(it.from, at), symbol(it.to, at)))
        };
        let is_first = |at, it: &Relation<'b>| edge(at, it).is_some_and(|(from, _)| symbols.contains(&from));
        let near = self.near.iter().filter_map(|it| Some((*it, self.index.documents.get(*it)?)));
        let mut inside = near.flat_map(|(at, it)| it.symbols().relations.iter().map(move |it| (at, it)));
        let mut outside = self.index.external().relations.iter();
        if !inside.any(|(at, it)| is_first(Some(at), it)) && !outside.any(|it| is_first(None, it)) {
            return BTreeSet::new();
        }
        let mut edges: Vec<Edge<'b>> = self.index.relations().filter_map(|(at, it)| edge(at, it)).collect();
        edges.sort_unstable();
        edges.dedup();
        reached(&edges, symbols)
    }
}

/// Everything that can be reached over sorted edges, without the start. Each symbol is entered once, so that a ring ends.
pub fn reached<'b>(edges: &[Edge<'b>], start: &BTreeSet<Symbol<'b>>) -> BTreeSet<Symbol<'b>> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<Symbol<'b>> = start.iter().copied().collect();
    while let Some(symbol) = open.pop() {
        let first = edges.partition_point(|(from, _)| *from < symbol);
        let reached = edges.iter().skip(first).take_while(|(from, _)| *from == symbol);
        for (_, to) in reached {
            if !start.contains(to) && seen.insert(*to) {
                open.push(*to);
            }
        }
    }
    seen
}
