//! Which symbols stand for each other, followed to the end.

use std::collections::BTreeSet;

use super::document::RelationKind;
use super::index::Index;
use super::symbol::Symbol;

/// The relations of one kind, in both directions.
pub struct Relations<'b> {
    /// Each sorted; the second symbol is what the first leads to.
    up: Vec<(Symbol<'b>, Symbol<'b>)>,
    down: Vec<(Symbol<'b>, Symbol<'b>)>,
}

impl<'b> Relations<'b> {
    pub fn of(index: &Index<'b>, kind: RelationKind) -> Self {
        let symbol = |text, document: Option<usize>| match document {
            Some(document) => Symbol::new(text, document),
            None => Symbol::global(text),
        };
        let wanted = index.relations().filter(|(_, it)| it.is(kind));
        let mut up: Vec<_> = wanted.map(|(at, it)| (symbol(it.from, at), symbol(it.to, at))).collect();
        up.sort_unstable();
        up.dedup();
        let mut down: Vec<_> = up.iter().map(|(from, to)| (*to, *from)).collect();
        down.sort_unstable();
        Self { up, down }
    }

    pub const fn is_empty(&self) -> bool {
        self.up.is_empty()
    }

    /// What the symbols lead to: interfaces, overridden members.
    pub fn above(&self, symbols: &BTreeSet<Symbol<'b>>) -> BTreeSet<Symbol<'b>> {
        closure(&self.up, symbols)
    }

    /// What leads to the symbols: implementations, overriding members.
    pub fn below(&self, symbols: &BTreeSet<Symbol<'b>>) -> BTreeSet<Symbol<'b>> {
        closure(&self.down, symbols)
    }
}

/// Everything that can be reached, without the start. Each symbol is entered once, so that a ring ends.
fn closure<'b>(edges: &[(Symbol<'b>, Symbol<'b>)], start: &BTreeSet<Symbol<'b>>) -> BTreeSet<Symbol<'b>> {
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
