//! The graph as it is kept: symbols in the order of files, edges in two sorted orders.

use super::calibration::Resolution;
use super::fuse::{Agreement, Guess};
use crate::model::{Note, RepoPath, Span, SymbolId};
use crate::syntax::DefinitionKind;

/// The place of a symbol in its graph.
pub type SymbolNumber = u32;

/// A definition, or a file taken as the module that it is.
#[derive(Clone, Debug)]
pub struct Symbol {
    pub id: SymbolId,
    pub file: u32,
    /// None for the file's own symbol.
    pub kind: Option<DefinitionKind>,
    /// The whole definition; empty for a file.
    pub span: Span,
    pub container: Option<SymbolNumber>,
    /// Whether it is test code: in a test file, or inside a definition that is one.
    pub is_test_code: bool,
    /// Whether it is a single test that a runner can be asked for.
    pub is_test: bool,
}

/// One use of a symbol by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    pub from: SymbolNumber,
    pub to: SymbolNumber,
    pub kind: EdgeKind,
    pub resolution: Resolution,
    /// How many targets the same place could mean.
    pub candidates: u8,
    /// Where `from`'s file uses `to`; the first place of several.
    pub place: Span,
    /// What names said there, where an index says it better.
    pub superseded: Option<Guess>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    Imports,
    Calls,
    References,
    Inherits,
    /// From a method to one that replaces it in a class below.
    Overridden,
}

/// A file of the graph.
#[derive(Clone, Debug)]
pub struct FileRow {
    pub path: RepoPath,
    /// The file's own symbol; those of its definitions follow in their order.
    pub symbol: SymbolNumber,
}

/// Symbols and edges of one snapshot.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    files: Vec<FileRow>,
    symbols: Vec<Symbol>,
    /// By source, target, kind.
    edges: Vec<Edge>,
    /// Numbers of edges by target.
    by_target: Vec<u32>,
    incoming: Vec<u32>,
    /// How the guesses fared where an index knows; empty without one.
    pub agreement: Agreement,
    pub notes: Vec<Note>,
}

impl EdgeKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Imports => "imports",
            Self::Calls => "calls",
            Self::References => "references",
            Self::Inherits => "inherits",
            Self::Overridden => "overridden",
        }
    }
}

impl Graph {
    /// Sorts the edges and keeps the strongest of those with the same ends and kind.
    pub fn new(files: Vec<FileRow>, symbols: Vec<Symbol>, mut edges: Vec<Edge>, notes: Vec<Note>) -> Self {
        edges.sort_unstable();
        edges.dedup_by_key(|it| (it.from, it.to, it.kind));
        let count = u32::try_from(edges.len()).unwrap_or(u32::MAX);
        let mut by_target: Vec<u32> = (0..count).collect();
        by_target.sort_by_key(|it| edges.get(*it as usize).map(|it| (it.to, it.from, it.kind)));
        let targets = by_target.iter().filter_map(|it| edges.get(*it as usize)).map(|it| it.to);
        let incoming = offsets(symbols.len(), targets);
        Self { files, symbols, edges, by_target, incoming, agreement: Agreement::new(), notes }
    }

    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    pub fn symbol(&self, number: SymbolNumber) -> Option<&Symbol> {
        self.symbols.get(number as usize)
    }

    pub fn path_of(&self, symbol: &Symbol) -> Option<&RepoPath> {
        self.files.get(symbol.file as usize).map(|it| &it.path)
    }

    pub fn file(&self, path: &RepoPath) -> Option<&FileRow> {
        let at = self.files.binary_search_by(|it| it.path.cmp(path)).ok()?;
        self.files.get(at)
    }

    pub fn files(&self) -> &[FileRow] {
        &self.files
    }

    /// The definitions of a name, or of a tail of names such as `Outer.inner`.
    pub fn called(&self, name: &str) -> Vec<SymbolNumber> {
        let tail: Vec<&str> = name.split(['.', '#', '/', ':']).filter(|it| !it.is_empty()).collect();
        let is_called = |id: &SymbolId| {
            let qualified = id.as_str().rsplit_once('#').map_or("", |it| it.1);
            let parts: Vec<&str> = qualified.split('.').collect();
            id.as_str() == name || !tail.is_empty() && parts.ends_with(&tail)
        };
        let all = (0..).zip(&self.symbols).filter(|it| it.1.kind.is_some_and(|it| it.has_name()));
        all.filter(|it| is_called(&it.1.id)).map(|it| it.0).collect()
    }

    /// The symbols of a file, its own first.
    pub fn symbols_of(&self, file: &FileRow) -> impl Iterator<Item = (SymbolNumber, &Symbol)> {
        let own = self.symbol(file.symbol).map(|it| it.file);
        let rest = self.symbols.get(file.symbol as usize..).unwrap_or_default();
        (file.symbol..).zip(rest).take_while(move |it| Some(it.1.file) == own)
    }

    /// A symbol of a file by its identity.
    pub fn symbol_of(&self, file: &FileRow, id: &SymbolId) -> Option<SymbolNumber> {
        self.symbols_of(file).find(|it| it.1.id == *id).map(|it| it.0)
    }

    /// The symbols that stand directly or deeper inside one.
    pub fn contained(&self, symbol: SymbolNumber) -> Vec<SymbolNumber> {
        let file = self.symbol(symbol).and_then(|it| self.files.get(it.file as usize));
        let mut inside = vec![symbol];
        for (number, it) in file.into_iter().flat_map(|it| self.symbols_of(it)) {
            if it.container.is_some_and(|it| inside.binary_search(&it).is_ok()) {
                inside.push(number);
            }
        }
        inside.retain(|it| *it != symbol);
        inside
    }

    /// The edges that end at a symbol.
    pub fn incoming(&self, symbol: SymbolNumber) -> impl Iterator<Item = &Edge> {
        let numbers = self.by_target.get(range(&self.incoming, symbol)).unwrap_or_default();
        numbers.iter().filter_map(|it| self.edges.get(*it as usize))
    }
}

/// Where the entries of each symbol begin in a list sorted by symbol.
fn offsets(symbols: usize, sorted: impl Iterator<Item = SymbolNumber>) -> Vec<u32> {
    let mut counts = vec![0u32; symbols + 1];
    for symbol in sorted {
        if let Some(count) = counts.get_mut(symbol as usize + 1) {
            *count += 1;
        }
    }
    let mut sum = 0;
    for count in &mut counts {
        sum += *count;
        *count = sum;
    }
    counts
}

fn range(offsets: &[u32], symbol: SymbolNumber) -> std::ops::Range<usize> {
    let at = |index: usize| offsets.get(index).map_or(0, |it| *it as usize);
    at(symbol as usize)..at(symbol as usize + 1)
}
