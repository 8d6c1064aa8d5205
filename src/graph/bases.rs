//! Which type is built on which, and the members that come with it.

use super::program::{Family, Program, narrow};
use super::store::SymbolNumber;

/// Pairs of a type and one it is built on, sorted.
#[derive(Default)]
pub(super) struct Bases(Vec<(SymbolNumber, SymbolNumber)>);

/// How many types above one are looked through.
const MOST_BASES: usize = 64;

impl Bases {
    pub(super) fn new(mut pairs: Vec<(SymbolNumber, SymbolNumber)>) -> Self {
        pairs.retain(|it| it.0 != it.1);
        pairs.sort_unstable();
        pairs.dedup();
        Self(pairs)
    }

    fn of(&self, symbol: SymbolNumber) -> impl Iterator<Item = SymbolNumber> {
        let start = self.0.partition_point(|it| it.0 < symbol);
        self.0.get(start..).unwrap_or_default().iter().take_while(move |it| it.0 == symbol).map(|it| it.1)
    }

    /// All types above one, nearest first.
    fn above(&self, symbol: SymbolNumber) -> Vec<SymbolNumber> {
        let mut all = vec![symbol];
        let mut next = 0;
        while let Some(at) = all.get(next).copied().filter(|_| all.len() < MOST_BASES) {
            next += 1;
            for base in self.of(at) {
                if !all.contains(&base) {
                    all.push(base);
                }
            }
        }
        all.remove(0);
        all
    }

    pub(super) fn pairs(&self) -> &[(SymbolNumber, SymbolNumber)] {
        &self.0
    }
}

impl Program<'_> {
    /// The members of a type under a name: its own, else those of the nearest type above it.
    pub(super) fn inherited(&self, of: SymbolNumber, name: &str) -> Vec<SymbolNumber> {
        let own = self.members(of, name);
        if own.is_empty() { self.above(of, name) } else { own }
    }

    /// What runs when a type is called.
    pub(super) fn constructors(&self, of: SymbolNumber) -> Vec<SymbolNumber> {
        let Some(definition) = self.definition(of).filter(|it| it.kind.is_type()) else { return Vec::new() };
        let names: &[&str] = match self.row_of(of).and_then(|it| it.family) {
            Some(Family::Python) => &["__init__", "__new__", "__post_init__"],
            Some(Family::Script) => &["constructor"],
            Some(Family::Jvm | Family::CSharp) => &[&definition.name],
            Some(Family::Rust | Family::Go) | None => &[],
        };
        names.iter().flat_map(|it| self.inherited(of, it)).collect()
    }

    /// The type that a constructor makes.
    pub(super) fn constructed(&self, constructor: SymbolNumber) -> Option<SymbolNumber> {
        let row = self.row_of(constructor)?;
        let of = row.symbol + 1 + narrow(self.definition(constructor)?.container?);
        self.constructors(of).contains(&constructor).then_some(of)
    }

    /// The members that the types above one have under a name.
    pub(super) fn above(&self, of: SymbolNumber, name: &str) -> Vec<SymbolNumber> {
        let above = self.bases.above(of);
        above.into_iter().map(|it| self.members(it, name)).find(|it| !it.is_empty()).unwrap_or_default()
    }
}
