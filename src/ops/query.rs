//! `route` and `query`: one question in words, the layers that it asks, and the lines that answer it.

use std::path::PathBuf;

use super::error::OpError;
use super::history;
use super::precision::config;
use super::scan::discover;
use super::world::World;
use crate::config::Config;
use crate::deps::Dependencies;
use crate::graph::{self, Lookup, SourceFile};
use crate::model::{Layer, LayerState, Reason, RepoPath};
use crate::pipeline::{self, Asking, Progress};
use crate::query::{self, Aim, Answer, Claim, Known, Material, Question, Route, Shown, Sort, Sources};
use crate::repo::{Options, Repository, View};
use crate::report::escape_terminal_source;

/// A question about a repository.
#[derive(Clone, Debug, clap::Args)]
pub struct RouteRequest {
    /// The question; names of code may stand in backticks
    #[arg(value_name = "QUESTION", required = true)]
    pub question: Vec<String>,
    /// A folder of the repository
    #[arg(long, short = 'C', default_value = ".", value_name = "PATH")]
    pub repository: PathBuf,
}

/// A question and how long its answer may be.
#[derive(Clone, Debug, clap::Args)]
pub struct Request {
    #[command(flatten)]
    pub asked: RouteRequest,
    /// The most tokens of the printed answer, four bytes each
    #[arg(long, value_name = "TOKENS", default_value_t = 2_000)]
    pub budget: u32,
}

/// Which layers a question asks.
pub struct Routed {
    pub question: String,
    pub route: Route,
}

/// An answer and what it rests on.
pub struct Response {
    pub routed: Routed,
    pub answer: Answer,
    /// What the text comes to.
    pub tokens: usize,
    /// The state of the precision index, when names were asked.
    pub precision: Option<LayerState>,
    /// Why there is nothing, or not all.
    pub gap: Option<Reason>,
    /// What else can be asked, as commands.
    pub next: Vec<String>,
}

/// The files of a repository with what the routing goes by.
struct Read {
    repository: Repository,
    config: Config,
    sources: pipeline::Sources,
    dependencies: Option<Dependencies>,
}

/// What the layer of a question has to say about why it is silent.
struct Silence(Option<Reason>);

impl Read {
    fn of(world: &World<'_>, request: &RouteRequest, asking: Asking) -> Result<Self, OpError> {
        (world.listener)(Progress::Stage(Layer::Index));
        let (repository, _) = discover(&request.repository)?;
        let config = config(world, &repository)?;
        let failed = |it| OpError::incomplete("scan_impossible", it);
        let sources = pipeline::sources(&repository, &config, &world.environment.memory(&repository), asking)
            .map_err(failed)?;
        let options = Options { max_file_bytes: crate::deps::MAX_FILE_BYTES as u64, scope: None };
        let snapshot = repository.snapshot(View::Worktree, &options).map_err(failed)?;
        let dependencies = pipeline::dependencies(&snapshot, None, &world.environment.machine);
        drop(snapshot);
        Ok(Self { repository, config, sources, dependencies })
    }

    fn question(&self, request: &RouteRequest) -> Question {
        let known = Known::of(&self.sources.files, self.dependencies.as_ref());
        Question::read(&request.question.join(" "), &known)
    }
}

/// Plans a question. Nothing is asked, and nothing leaves the machine.
///
/// # Errors
/// When the path is in no repository, or its files cannot be listed.
pub fn route(world: &World<'_>, request: &RouteRequest) -> Result<Routed, OpError> {
    let read = Read::of(world, request, Asking::NamesAlone)?;
    let question = read.question(request);
    Ok(Routed { route: query::route(&question), question: question.text })
}

/// Answers a question from what is on this machine.
///
/// # Errors
/// The same.
pub fn run(world: &World<'_>, request: &Request) -> Result<Response, OpError> {
    let read = Read::of(world, &request.asked, Asking::WithIndex)?;
    let question = read.question(&request.asked);
    let route = query::route(&question);
    (world.listener)(Progress::Stage(Layer::Graph));
    let resolved = read.sources.resolved.as_ref().and_then(|it| it.value.as_ref());
    let lookup = Lookup::new(&read.sources.files, &read.sources.roots, resolved);
    let limit = read.config.limits.max_file_bytes;
    let text = |path: &RepoPath| {
        let bytes = read.repository.root().read(path, limit).ok()?;
        String::from_utf8(bytes).ok()
    };
    let graph = || graph::build(&read.sources.files, &read.sources.roots, resolved);
    let sources = Sources { files: &read.sources.files, lookup: &lookup, read: &text };
    let (claims, Silence(silence)) = of_layers(world, &read, &question)?;
    let escape = |text: &str| escape_terminal_source(text).into_owned();
    let dependencies = read.dependencies.as_ref();
    let material = Material { sources, graph: &graph, dependencies, claims, escape };
    let answer = query::answer(&question, material, request.budget as usize);
    let is_empty = answer.items.is_empty();
    let gap = silence.filter(|_| is_empty).or_else(|| is_empty.then(|| nothing(&answer, &route)));
    let asks_index = route.steps.iter().any(|it| it.layer == Layer::Precision);
    let precision = read.sources.resolved.map(|it| it.state).filter(|_| asks_index);
    let next = next(&question, &route);
    let tokens = query::count(&answer.text);
    Ok(Response { routed: Routed { question: question.text, route }, answer, tokens, precision, gap, next })
}

fn nothing(answer: &Answer, route: &Route) -> Reason {
    if !answer.left_out.is_empty() {
        return Reason::new(
            "budget_too_small",
            "no line of the answer fits into the budget; raise `--budget`",
        );
    }
    let layers: Vec<&str> = route.steps.iter().map(|it| it.layer.name()).collect();
    let message =
        format!("nothing here answers it (asked: {}); try other words, or a name", layers.join(", "));
    Reason::new("nothing_found", message)
}

/// What the layers say that are no part of the definitions and their uses.
fn of_layers(world: &World<'_>, read: &Read, question: &Question) -> Result<(Vec<Claim>, Silence), OpError> {
    match question.aim {
        Aim::Pattern => of_pattern(read, question),
        Aim::History => of_history(world, read, question),
        Aim::Definition
        | Aim::Uses
        | Aim::Implementations
        | Aim::Impact
        | Aim::Tests
        | Aim::Dependencies
        | Aim::Documentation
        | Aim::Rename
        | Aim::Change
        | Aim::Apply
        | Aim::Behaviour => Ok((Vec::new(), Silence(None))),
    }
}

fn of_pattern(read: &Read, question: &Question) -> Result<(Vec<Claim>, Silence), OpError> {
    let Some(pattern) = &question.pattern else {
        let message =
            "the question describes a shape; write it as code with holes in backticks, such as `old_api($X)`";
        return Ok((Vec::new(), Silence(Some(Reason::new("pattern_missing", message)))));
    };
    let matched = pipeline::matched(&read.repository, &read.config, pattern)
        .map_err(|it| OpError::incomplete("scan_impossible", it))?;
    let silence = matched.languages.is_empty().then(|| {
        let message = format!("`{pattern}` is no code in the languages of this repository");
        Reason::new("pattern_unreadable", message)
    });
    let claim = |evidence| Claim { evidence, sort: Sort::Place, value: 5.0, shown: Shown::Place };
    Ok((matched.places.into_iter().map(claim).collect(), Silence(silence)))
}

/// So many of the newest changes of a file are offered.
const MOST_CHANGES: usize = 40;
/// The history of more files is not asked.
const MOST_FILES: usize = 3;

fn of_history(world: &World<'_>, read: &Read, question: &Question) -> Result<(Vec<Claim>, Silence), OpError> {
    let root = read.repository.root().path();
    let is_asked =
        |name: &str| question.names.iter().any(|it| it.rsplit(['.', ':']).next().unwrap_or(it) == name);
    let defines = |it: &&SourceFile| it.outline.definitions.iter().any(|it| is_asked(&it.name));
    let mut paths: Vec<PathBuf> = question.paths.iter().map(|it| root.join(it)).collect();
    if paths.is_empty() {
        let files = read.sources.files.iter().filter(defines).take(MOST_FILES);
        paths = files.map(|it| root.join(it.path.as_path())).collect();
    }
    if paths.is_empty() {
        paths.push(root.to_path_buf());
    }
    let mut claims = Vec::new();
    let mut silence = None;
    for path in paths {
        let request = history::Request { path, symbol: None, base: None, limit: MOST_CHANGES };
        let past = history::run(world, &request)?;
        if let LayerState::Unavailable { reason } = past.state {
            silence = Some(reason);
        }
        let records = past.files.into_iter().flat_map(|it| it.evidence).enumerate();
        claims.extend(records.map(|(number, evidence)| {
            let shown = Shown::Statement(evidence.message.as_str().to_owned());
            let value = 4.0 * 0.97f64.powi(i32::try_from(number).unwrap_or(i32::MAX));
            Claim { evidence, sort: Sort::Change, value, shown }
        }));
    }
    Ok((claims, Silence(silence)))
}

/// What a question leads to that only an order does.
fn next(question: &Question, route: &Route) -> Vec<String> {
    let preview = route.preview.map(|it| format!("nothing is changed; to see what would be: {it}"));
    let docs = question.package.as_ref().filter(|_| question.aim == Aim::Documentation);
    let docs = docs.map(|it| {
        let words = question.names.first().map_or_else(String::new, |it| format!(" {it}"));
        format!("what the installed version says: cortex deps docs {it}{words}")
    });
    let deprecated = question.aim == Aim::Documentation && question.package.is_none();
    let deprecated = deprecated.then(|| "uses of what is deprecated: cortex scan".to_owned());
    preview.into_iter().chain(docs).chain(deprecated).collect()
}
