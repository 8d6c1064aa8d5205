//! `definition`, `references`, `implementations`, `symbol` and `precision-status`: what a precision index says.

use std::path::{Path, PathBuf};

use super::error::OpError;
use super::scan::discover;
use super::settings;
use super::world::World;
use crate::config::Config;
use crate::model::{Evidence, LayerState, Point, Reason, SymbolId};
use crate::precision::{self, Answer, Freshness, Index, IndexFile, Library, Question, Refusal, Status};
use crate::repo::Repository;

/// A position and the index to ask.
#[derive(Clone, Debug, clap::Args)]
pub struct PositionRequest {
    /// A file of the repository
    #[arg(value_name = "PATH")]
    pub path: PathBuf,
    /// The line, from 1
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub line: u32,
    /// The column, from 1, in code points
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub column: u32,
    /// Ask the index FILE instead of the configured or usual one
    #[arg(long, value_name = "FILE")]
    pub index: Option<PathBuf>,
}

/// A symbol by its name.
#[derive(Clone, Debug, clap::Args)]
pub struct SymbolRequest {
    /// A name, a dotted tail of names such as `Outer.inner`, or the index's own text for the symbol
    #[arg(value_name = "NAME")]
    pub name: String,
    /// A folder of the repository
    #[arg(long, short = 'C', default_value = ".", value_name = "PATH")]
    pub path: PathBuf,
    /// Ask the index FILE instead of the configured or usual one
    #[arg(long, value_name = "FILE")]
    pub index: Option<PathBuf>,
}

/// Whose index to look at.
#[derive(Clone, Debug, clap::Args)]
pub struct StatusRequest {
    /// A folder of the repository
    #[arg(default_value = ".", value_name = "PATH")]
    pub path: PathBuf,
    /// Look at the index FILE instead of the configured or usual one
    #[arg(long, value_name = "FILE")]
    pub index: Option<PathBuf>,
}

/// What was found, and how far the layer was there.
pub struct Response {
    pub state: LayerState,
    /// Why there is nothing although the layer is there.
    pub gap: Option<Reason>,
    pub symbol: Option<SymbolId>,
    pub results: Vec<Evidence>,
}

/// The state of the layer and what stands behind it.
pub struct StatusResponse {
    pub state: LayerState,
    /// Where the index is, and what it holds; none when there is none that can be used.
    pub index: Option<(String, Status)>,
}

/// Answers for what stands at a position.
///
/// # Errors
/// When the path is not a file of a repository.
pub fn answer(world: &World<'_>, question: Question, request: &PositionRequest) -> Result<Response, OpError> {
    let (repository, path) = discover(&request.path)?;
    let Some(path) = path else {
        let message = format!("`{}` is a folder; name a file", request.path.display());
        return Err(OpError::usage("path_unusable", message));
    };
    let point = Point { line: request.line, column: request.column };
    respond(world, &repository, request.index.as_deref(), |it| it.at(question, &path, point))
}

/// Answers where a symbol is defined.
///
/// # Errors
/// When the path is not in a repository.
pub fn symbol(world: &World<'_>, request: &SymbolRequest) -> Result<Response, OpError> {
    let (repository, _) = discover(&request.path)?;
    respond(world, &repository, request.index.as_deref(), |it| it.named(&request.name))
}

/// Looks at the index, and reads every file that it describes.
///
/// # Errors
/// When the path is not in a repository.
pub fn status(world: &World<'_>, request: &StatusRequest) -> Result<StatusResponse, OpError> {
    let (repository, _) = discover(&request.path)?;
    let config = config(world, &repository)?;
    let file = match file(&config, &repository, request.index.as_deref()) {
        Ok(file) => file,
        Err(state) => return Ok(StatusResponse { state, index: None }),
    };
    Ok(match Index::parse(&file.bytes) {
        Ok(index) => {
            let mut freshness = Freshness::settle(&repository, &index, &file);
            freshness.witness(repository.root(), &index);
            let status = Status::of(&index, &freshness);
            StatusResponse { state: freshness.state(&index.documents), index: Some((file.place, status)) }
        }
        Err(refusal) => StatusResponse { state: unavailable(&refusal), index: None },
    })
}

/// The state of the layer by what the file system says, without reading a source file; with a word on it.
pub fn state(config: &Config, repository: &Repository) -> (LayerState, String) {
    let file = match file(config, repository, None) {
        Ok(file) => file,
        Err(state) => return (state, String::new()),
    };
    let index = match Index::parse(&file.bytes) {
        Ok(index) => index,
        Err(refusal) => return (unavailable(&refusal), String::new()),
    };
    let freshness = Freshness::check(repository, &index, &file);
    let Status { tool, version, documents, .. } = Status::of(&index, &freshness);
    (freshness.state(&index.documents), format!("{}: {documents} documents, {tool} {version}", file.place))
}

pub fn config(world: &World<'_>, repository: &Repository) -> Result<Config, OpError> {
    Ok(settings::load(repository, None, None, world.environment.approval)?.config)
}

fn respond(
    world: &World<'_>,
    repository: &Repository,
    named: Option<&Path>,
    ask: impl FnOnce(&Library<'_>) -> Answer,
) -> Result<Response, OpError> {
    let config = config(world, repository)?;
    let nothing = |state| Response { state, gap: None, symbol: None, results: Vec::new() };
    let file = match file(&config, repository, named) {
        Ok(file) => file,
        Err(state) => return Ok(nothing(state)),
    };
    let index = match Index::parse(&file.bytes) {
        Ok(index) => index,
        Err(refusal) => return Ok(nothing(unavailable(&refusal))),
    };
    let root = repository.root();
    let mut freshness = Freshness::check(repository, &index, &file);
    let answer = ask(&Library { root, index: &index, freshness: &freshness });
    freshness.learn(&answer.read);
    let state = freshness.state(&index.documents);
    Ok(Response { state, gap: answer.gap, symbol: answer.symbol, results: answer.results })
}

/// The bytes of the index, or the state of the layer without them.
pub fn file(config: &Config, repository: &Repository, named: Option<&Path>) -> Result<IndexFile, LayerState> {
    let settings = &config.precision_index;
    if !settings.enabled {
        let reason = Reason::new("precision_disabled", "`precision_index.enabled` is false");
        return Err(LayerState::Disabled { reason });
    }
    let found = match named {
        Some(named) => precision::open(named).map(Some),
        None => precision::find(repository.root(), settings.path.as_ref()),
    };
    found.map_err(|it| unavailable(&it))?.ok_or_else(|| {
        let message = "there is no precision index; answers come from syntax and imports";
        LayerState::Unavailable { reason: Reason::new("no_precision_index", message) }
    })
}

fn unavailable(refusal: &Refusal) -> LayerState {
    LayerState::Unavailable { reason: refusal.reason() }
}
