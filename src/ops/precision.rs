//! `definition`, `references`, `implementations`, `symbol` and `precision-status`: what a precision index says.

use std::path::{Path, PathBuf};

use super::error::OpError;
use super::names::{self, Subject};
use super::scan::discover;
use super::settings;
use super::world::World;
use crate::config::Config;
use crate::model::{Evidence, LayerState, Point, Reason, RepoPath, SymbolId, fuse};
use crate::precision::{self, Answer, Freshness, Index, Library, Question, Status};
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
    let ask = Ask { index: request.index.as_deref(), subject: Subject::Place(question, &path, point) };
    respond(world, &repository, &ask)
}

/// Answers where a symbol is defined.
///
/// # Errors
/// When the path is not in a repository.
pub fn symbol(world: &World<'_>, request: &SymbolRequest) -> Result<Response, OpError> {
    let (repository, _) = discover(&request.path)?;
    let ask = Ask { index: request.index.as_deref(), subject: Subject::Name(&request.name) };
    respond(world, &repository, &ask)
}

/// Looks at the index, and reads every file that it describes.
///
/// # Errors
/// When the path is not in a repository.
pub fn status(world: &World<'_>, request: &StatusRequest) -> Result<StatusResponse, OpError> {
    let (repository, _) = discover(&request.path)?;
    let config = config(world, &repository)?;
    let file = match precision::usable(&config.precision_index, repository.root(), request.index.as_deref()) {
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
        Err(refusal) => StatusResponse { state: precision::unavailable(&refusal), index: None },
    })
}

/// The state of the layer by what the file system says, without reading a source file; with a word on it.
pub fn state(config: &Config, repository: &Repository) -> (LayerState, String) {
    let file = match precision::usable(&config.precision_index, repository.root(), None) {
        Ok(file) => file,
        Err(state) => return (state, String::new()),
    };
    let index = match Index::parse(&file.bytes) {
        Ok(index) => index,
        Err(refusal) => return (precision::unavailable(&refusal), String::new()),
    };
    let freshness = Freshness::check_or_settle(repository, &index, &file);
    let Status { tool, version, documents, .. } = Status::of(&index, &freshness);
    (freshness.state(&index.documents), format!("{}: {documents} documents, {tool} {version}", file.place))
}

pub fn config(world: &World<'_>, repository: &Repository) -> Result<Config, OpError> {
    Ok(settings::load(repository, None, None, world.environment.approval)?.config)
}

/// A question and the index that it names.
struct Ask<'a> {
    index: Option<&'a Path>,
    subject: Subject<'a>,
}

/// What the index says, and where that is not enough what names and imports say: of all files, or of those that the
/// index does not have.
fn respond(world: &World<'_>, repository: &Repository, ask: &Ask<'_>) -> Result<Response, OpError> {
    let config = config(world, repository)?;
    let Indexed { state, answer, uncovered } = of_index(&config, repository, ask);
    let mut response = Response { state, gap: answer.gap, symbol: answer.symbol, results: answer.results };
    let is_enough = is_enough(&response);
    if is_enough && uncovered.is_empty() {
        return Ok(response);
    }
    let mut named = names::answer(repository, &config, &world.environment.memory(repository), ask.subject)?;
    if is_enough {
        named.results.retain(|it| uncovered.binary_search(&it.place.path).is_ok());
    }
    response.symbol = response.symbol.or(named.symbol);
    response.gap = response.gap.or(named.gap.filter(|_| response.results.is_empty()));
    response.results = fuse(response.results.into_iter().chain(named.results));
    Ok(response)
}

/// What an index says, and the files that it says nothing of, sorted, where those could hold more.
struct Indexed {
    state: LayerState,
    answer: Answer,
    uncovered: Vec<RepoPath>,
}

impl Indexed {
    fn nothing(state: LayerState) -> Self {
        Self { state, answer: Answer::default(), uncovered: Vec::new() }
    }
}

fn of_index(config: &Config, repository: &Repository, ask: &Ask<'_>) -> Indexed {
    let root = repository.root();
    let file = match precision::usable(&config.precision_index, root, ask.index) {
        Ok(file) => file,
        Err(state) => return Indexed::nothing(state),
    };
    let index = match Index::parse(&file.bytes) {
        Ok(index) => index,
        Err(refusal) => return Indexed::nothing(precision::unavailable(&refusal)),
    };
    let mut freshness = Freshness::check_or_settle(repository, &index, &file);
    let library = Library { root, index: &index, freshness: &freshness };
    let answer = match ask.subject {
        Subject::Place(question, path, point) => library.at(question, path, point),
        Subject::Name(name) => library.named(name),
    };
    freshness.learn(&answer.read);
    let state = freshness.state(&index.documents);
    let caveat = freshness.caveat().filter(|_| state == LayerState::Available);
    // A definition is one place, uses can be anywhere.
    let is_open_ended =
        matches!(ask.subject, Subject::Place(Question::References | Question::Implementations, ..));
    let uncovered = if is_open_ended { precision::uncovered(repository, &index) } else { Vec::new() };
    Indexed { state, answer: Answer { gap: answer.gap.clone().or(caveat), ..answer }, uncovered }
}

/// What an index leaves open although it is current: an index is never complete.
const OPEN: [&str; 4] =
    ["not_in_index", "no_symbol_here", "no_implementation_data", "no_symbol_of_that_name"];

fn is_enough(response: &Response) -> bool {
    let is_open = response.gap.as_ref().is_some_and(|it| OPEN.contains(&it.code.as_str()));
    matches!(response.state, LayerState::Available) && !is_open
}
