//! What an index holds and how far it is current.

use super::encoding::Convention;
use super::freshness::Freshness;
use super::index::Index;

/// The detail behind the state of the layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    pub tool: String,
    pub version: String,
    pub documents: usize,
    pub symbols: usize,
    pub occurrences: usize,
    /// Occurrences that were left out because they are wrong.
    pub malformed: usize,
    /// The unit of a column and how that was decided.
    pub encoding: String,
    /// How it is decided whether a document is current.
    pub freshness: &'static str,
    /// Documents that are not proven current.
    pub stale: usize,
    /// Files that had to be hashed to know that, and why the next look will have to do it again.
    pub hashed: usize,
    pub unkept: Option<String>,
}

impl Status {
    pub fn of(index: &Index<'_>, freshness: &Freshness) -> Self {
        let (tool, version) = (index.metadata.tool, index.metadata.version);
        let mut units: Vec<String> = index
            .documents
            .iter()
            .map(|it| Convention::of(tool, version, it.declared).words(tool, version))
            .collect();
        units.sort();
        units.dedup();
        let own = index.documents.iter().map(|it| it.symbols().count);
        Self {
            tool: tool.to_owned(),
            version: version.to_owned(),
            documents: index.documents.len(),
            symbols: own.sum::<usize>() + index.external().count,
            occurrences: index.occurrences().count(),
            malformed: index.malformed(),
            encoding: units.join("; "),
            freshness: freshness.rule().words(),
            stale: freshness.stale(),
            hashed: freshness.hashed(),
            unkept: freshness.unkept().map(str::to_owned),
        }
    }
}
