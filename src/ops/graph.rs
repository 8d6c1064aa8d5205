//! `graph edges`: every use that names, imports and an index lead somewhere.

use std::path::PathBuf;

use super::error::OpError;
use super::precision::config;
use super::scan::discover;
use super::world::World;
use crate::graph::{EdgeKind, Lookup, Resolution};
use crate::model::{Confidence, LayerState, Location, RepoPath, SymbolId, Tier};
use crate::pipeline::{self, Asking};

/// Which edges.
#[derive(Clone, Debug, clap::Args)]
pub struct EdgesRequest {
    /// A folder of the repository or one file: what begins there
    #[arg(default_value = ".", value_name = "PATH")]
    pub path: PathBuf,
    /// Only edges of this kind; may be given again
    #[arg(long = "kind", value_name = "KIND")]
    pub kinds: Vec<Kind>,
    /// Ask names and imports alone, as if there were no precision index
    #[arg(long)]
    pub names_alone: bool,
}

/// What an edge says, as one asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    Calls,
    Imports,
    Inherits,
    /// A method, and the one of a type above that it replaces
    Overrides,
    References,
}

/// The edges of the working tree.
pub struct Edges {
    pub edges: Vec<Edge>,
    /// Whether an index was asked.
    pub precision: Option<LayerState>,
}

/// One use, and a definition that it may mean.
pub struct Edge {
    pub from: Location,
    pub to: Location,
    pub source: SymbolId,
    pub target: SymbolId,
    pub kind: &'static str,
    pub resolution: Resolution,
    pub tier: Tier,
    pub confidence: Confidence,
}

impl Kind {
    const fn edge(self) -> EdgeKind {
        match self {
            Self::Calls => EdgeKind::Calls,
            Self::Imports => EdgeKind::Imports,
            Self::Inherits => EdgeKind::Inherits,
            Self::Overrides => EdgeKind::Overridden,
            Self::References => EdgeKind::References,
        }
    }
}

/// Lists the edges of the working tree, in the order of the text.
///
/// # Errors
/// When the path is not in a repository, or its files cannot be listed.
pub fn edges(world: &World<'_>, request: &EdgesRequest) -> Result<Edges, OpError> {
    let (repository, below) = discover(&request.path)?;
    let config = config(world, &repository)?;
    let memory = world.environment.memory(&repository);
    let asking = if request.names_alone { Asking::NamesAlone } else { Asking::WithIndex };
    let sources = pipeline::sources(&repository, &config, &memory, asking)
        .map_err(|it| OpError::incomplete("scan_impossible", it))?;
    let resolved = sources.resolved.as_ref().and_then(|it| it.value.as_ref());
    let lookup = Lookup::new(&sources.files, &sources.roots, resolved);
    let is_wanted = |path: &RepoPath, kind: EdgeKind| {
        below.as_ref().is_none_or(|it| path.is_within(it))
            && (request.kinds.is_empty() || request.kinds.iter().any(|it| it.edge() == kind))
    };
    let links = lookup.links().filter(|it| is_wanted(&it.from.path, it.kind));
    let edges = links.map(|it| Edge {
        source: it.source.clone(),
        target: it.target.clone(),
        // It is listed from the method that replaces the other.
        kind: if it.kind == EdgeKind::Overridden { "overrides" } else { it.kind.name() },
        resolution: it.resolution,
        tier: it.resolution.calibration().tier,
        confidence: it.resolution.confidence(it.candidates),
        from: it.from,
        to: it.to,
    });
    Ok(Edges { edges: edges.collect(), precision: sources.resolved.map(|it| it.state) })
}
