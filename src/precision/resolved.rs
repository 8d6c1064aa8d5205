//! What an index says of every name in the current documents: what a graph can stand on.

use std::collections::BTreeMap;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::answer::Library;
use super::freshness::Doubt;
use super::information::RelationKind;
use super::reading::{Reading, Standing};
use super::symbol::Symbol;
use crate::model::{LineIndex, Location, RepoPath, Span};

/// The names in current documents, with what each is.
#[derive(Debug, Default)]
pub struct Resolved {
    documents: BTreeMap<RepoPath, Vec<Token>>,
    targets: Vec<Target>,
    /// Whether the documents are proven current, and not only by their times.
    pub is_proven: bool,
    /// What implements or overrides what, as numbers of targets.
    pub implementations: Vec<(TargetNumber, TargetNumber)>,
}

pub type TargetNumber = u32;

/// A name in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Token {
    pub span: Span,
    pub target: TargetNumber,
    pub role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    Definition,
    Import,
    Reference,
}

/// What a name leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Places of its definition, all in current documents.
    Defined(Vec<Location>),
    /// The same for what no other document can name.
    Local(Vec<Location>),
    /// Nothing that the index holds.
    Elsewhere,
    /// Nothing can be said: it is defined in a document that is not proven current, or is a local name that its
    /// document does not define.
    Unknown,
}

/// A name before its symbol has a number.
struct Named<'l> {
    span: Span,
    symbol: Symbol<'l>,
    role: Role,
}

impl Resolved {
    /// Reads every document. `is_current` says whether the text of a document is the one that the answer is for.
    ///
    /// Also says what reading has shown of each document, by its number.
    pub fn of(
        library: &Library<'_, '_>,
        is_current: impl Fn(&RepoPath, &str) -> bool + Sync,
    ) -> (Self, BTreeMap<usize, Option<Doubt>>) {
        let documents = &library.index.documents;
        let read: Vec<(Option<Doubt>, Option<Vec<Named<'_>>>)> = (0..documents.len())
            .into_par_iter()
            .map(|number| {
                let reading = Reading::of(library.root, library.index, library.freshness, number);
                let Some(document) = documents.get(number) else { return (reading.doubt, None) };
                if reading.doubt.is_none() && !is_current(&document.path, &reading.text) {
                    return (Some(Doubt::Changed), None);
                }
                let is_current = matches!(reading.standing, Standing::Fresh | Standing::Dated);
                (reading.doubt, is_current.then(|| names(library, number, &reading)))
            })
            .collect();
        let doubts = read.iter().enumerate().map(|(number, it)| (number, it.0)).collect();
        let mut resolved = Self { is_proven: library.freshness.is_proof(), ..Self::default() };
        let mut numbers: BTreeMap<Symbol<'_>, TargetNumber> = BTreeMap::new();
        for (document, (_, names)) in documents.iter().zip(&read) {
            let Some(names) = names else { continue };
            let tokens = names.iter().map(|it| resolved.token(it, &document.path, &mut numbers));
            let mut tokens: Vec<Token> = tokens.collect();
            tokens.sort_unstable();
            resolved.documents.insert(document.path.clone(), tokens);
        }
        let stale = documents.iter().enumerate().zip(&read).filter(|(_, it)| it.1.is_none());
        for ((number, document), _) in stale {
            for occurrence in document.occurrences().iter().filter(|it| it.is_definition()) {
                let target = numbers.get(&Symbol::new(occurrence.symbol, number));
                if let Some(target) = target.and_then(|it| resolved.targets.get_mut(*it as usize)) {
                    *target = Target::Unknown;
                }
            }
        }
        resolved.implementations = resolved.pairs(library, &numbers);
        (resolved, doubts)
    }

    fn token<'l>(
        &mut self,
        named: &Named<'l>,
        path: &RepoPath,
        numbers: &mut BTreeMap<Symbol<'l>, TargetNumber>,
    ) -> Token {
        let next = TargetNumber::try_from(self.targets.len()).unwrap_or(TargetNumber::MAX);
        let number = *numbers.entry(named.symbol).or_insert(next);
        let is_local = named.symbol.scope.is_some();
        if number == next {
            self.targets.push(if is_local { Target::Unknown } else { Target::Elsewhere });
        }
        if let Some(target) = self.targets.get_mut(number as usize).filter(|_| named.role == Role::Definition)
        {
            let place = Location { path: path.clone(), span: named.span };
            match target {
                Target::Defined(places) | Target::Local(places) => places.push(place),
                Target::Elsewhere => *target = Target::Defined(vec![place]),
                Target::Unknown => *target = Target::Local(vec![place]),
            }
        }
        Token { span: named.span, target: number, role: named.role }
    }

    fn pairs(
        &self,
        library: &Library<'_, '_>,
        numbers: &BTreeMap<Symbol<'_>, TargetNumber>,
    ) -> Vec<(TargetNumber, TargetNumber)> {
        let relations = library.index.relations().filter(|(_, it)| it.is(RelationKind::Implementation));
        let number = |text, document: Option<usize>| {
            let symbol = document.map_or_else(|| Symbol::global(text), |it| Symbol::new(text, it));
            numbers.get(&symbol).copied().filter(|it| matches!(self.target(*it), Target::Defined(_)))
        };
        let pairs = relations.filter_map(|(at, it)| Some((number(it.from, at)?, number(it.to, at)?)));
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// The names in a document in the order of the text; none for a file that is no current document.
    pub fn tokens(&self, path: &RepoPath) -> Option<&[Token]> {
        self.documents.get(path).map(Vec::as_slice)
    }

    pub fn target(&self, number: TargetNumber) -> &Target {
        self.targets.get(number as usize).unwrap_or(&Target::Unknown)
    }
}

fn names<'b>(library: &Library<'_, 'b>, number: usize, reading: &Reading) -> Vec<Named<'b>> {
    let Some(document) = library.index.documents.get(number) else { return Vec::new() };
    let lines = LineIndex::new(&reading.text);
    let placed = document.occurrences().iter().zip(&reading.ranges);
    let names = placed.filter_map(|(it, range)| {
        let role = match (it.is_import(), it.is_definition()) {
            (true, _) => Role::Import,
            (false, true) => Role::Definition,
            (false, false) => Role::Reference,
        };
        let span = lines.span(range.clone()?);
        Some(Named { span, symbol: Symbol::new(it.symbol, number), role })
    });
    names.collect()
}
