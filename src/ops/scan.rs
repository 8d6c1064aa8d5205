//! `scan`: the whole pipeline over one repository.

use std::path::PathBuf;

use super::error::OpError;
use super::history;
use super::settings::{self, Settings};
use super::world::World;
use super::{ENGINE, TOOL, index, results, rules, state};
use crate::bundle::{self, BaseRevision, Bundle, FailOn, Scope, ScopeKind, Setting, Tool, Volatile};
use crate::config::{Check, Config};
use crate::model::{Reason, RepoPath, Timestamp};
use crate::pipeline::{self, Checks, Drafts, Plan};
use crate::repo::{Base, Options, Repository, RevisionError, View};
use crate::report;
use crate::validate::{Commands, Runner};

/// What to scan, against what, by which rules, and where the results go.
#[derive(Clone, Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct Request {
    /// The folder or file to scan; the repository around it is found by itself
    #[arg(default_value = ".", value_name = "PATH")]
    pub path: PathBuf,
    /// Compare with REV (or scan the commit B of `A..B`): search what changed, tell new findings from old ones, weigh
    /// the impact
    #[arg(long, value_name = "REV", conflicts_with = "staged", help_heading = "Scope")]
    pub base: Option<String>,
    /// Scan what is staged for the next commit, compared with HEAD
    #[arg(long, help_heading = "Scope")]
    pub staged: bool,
    /// A file or folder of ast-grep rules, besides those of the repository; may be given again
    #[arg(long, value_name = "PATH", help_heading = "Rules")]
    pub rules: Vec<PathBuf>,
    /// Search for one pattern, such as `old_api($X)`
    #[arg(long, short, requires = "language", help_heading = "Rules")]
    pub pattern: Option<String>,
    /// The language of the pattern
    #[arg(long, short, requires = "pattern", value_name = "LANGUAGE", help_heading = "Rules")]
    pub language: Option<String>,
    /// What the pattern's matches become in a preview
    #[arg(long, requires = "pattern", help_heading = "Rules")]
    pub rewrite: Option<String>,
    /// Preview what the rules with a fix would change; nothing is written to the repository
    #[arg(long, help_heading = "Rewrite")]
    pub preview: bool,
    /// Check the preview: built-in checks, and the configured commands over a scratch copy
    #[arg(long, requires = "preview", help_heading = "Rewrite")]
    pub validate: bool,
    /// Which findings make the exit status 1
    #[arg(long, value_enum, default_value_t = FailOn::Warning, value_name = "LEVEL", help_heading = "Results")]
    pub fail_on: FailOn,
    /// Where the bundle goes [default: .codecortex/out in the repository]
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub out: Option<PathBuf>,
    /// Write one report to a file, such as `sarif=results.sarif`; may be given again
    #[arg(long, value_name = "FORMAT=PATH", value_parser = output, help_heading = "Results")]
    pub output: Vec<Output>,
    /// Read the configuration from FILE and trust the programs that it names
    #[arg(long, value_name = "FILE", help_heading = "Run")]
    pub config: Option<PathBuf>,
    /// Threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Run")]
    pub jobs: Option<u16>,
}

/// A report that goes to a file of its own.
#[derive(Clone, Debug)]
pub struct Output {
    pub format: &'static str,
    pub path: PathBuf,
}

/// What came of it.
pub struct Response {
    pub bundle: Bundle,
    /// Where the bundle was written.
    pub written: Result<PathBuf, OpError>,
    /// The id of the preview that can be applied now; an error when it could not be kept for that.
    pub next: Option<Result<String, OpError>>,
}

fn output(text: &str) -> Result<Output, String> {
    let names = || report::FORMATS.iter().map(|it| it.name).collect::<Vec<_>>().join(", ");
    let (name, path) = text.split_once('=').ok_or_else(|| "give it as FORMAT=PATH".to_owned())?;
    let format = report::FORMATS.iter().find(|it| it.name == name);
    let format = format.ok_or_else(|| format!("`{name}` is not a report; there are {}", names()))?;
    if path.is_empty() {
        return Err("the path is empty".to_owned());
    }
    Ok(Output { format: format.name, path: PathBuf::from(path) })
}

/// Stacks for trees that nest as deep as the parser's limit allows.
const STACK_BYTES: usize = 64 << 20;

/// Scans, and writes the bundle and the reports that were asked for.
///
/// # Errors
/// When the request, the base, the configuration or a rule is wrong, or a report cannot be written.
pub fn run(world: &World<'_>, request: &Request) -> Result<Response, OpError> {
    let (repository, below) = discover(&request.path)?;
    results::check_places(&repository, request)?;
    let base = base(&repository, request)?;
    let settings =
        settings::load(&repository, request.config.as_deref(), base.as_ref(), world.environment.approval)?;
    let (rules, rule_notes) = rules::load(&repository, &settings.config, request)?;
    let view = match (&base, request.staged) {
        (_, true) => View::Staged,
        (Some(Base { head: Some(head), .. }), _) => View::Commit(*head),
        (Some(_) | None, false) => View::Worktree,
    };
    let refreshed = (view == View::Worktree).then(|| index::refresh(world, &repository, &settings)).flatten();
    let Settings { config, notes, blocked, .. } = settings;
    let scope = scope(request, base.as_ref(), below.clone());
    let plan = Plan {
        view,
        base,
        rules,
        options: Options { max_file_bytes: config.limits.max_file_bytes, scope: below },
        drafts: if request.preview { Drafts::Make } else { Drafts::Leave },
        checks: if request.validate { Checks::Run } else { Checks::Leave },
    };
    let runner = runner(world);
    let commands = commands(&config, &blocked, &runner);
    let machine = &world.environment.machine;
    let histories = history::folder(&world.environment);
    let pipeline_world = pipeline::World {
        repository: &repository,
        config: &config,
        tool: TOOL,
        commands,
        machine,
        histories: histories.as_deref(),
    };
    let mut outcome = threads(request)?
        .install(|| pipeline::run(&pipeline_world, &plan, world.listener))
        .map_err(|it| OpError::usage("scan_impossible", it))?;
    outcome.notes.extend(notes);
    outcome.notes.extend(refreshed);
    outcome.notes.extend(rule_notes);
    outcome.notes.extend(settings::touched(&repository, plan.base.as_ref(), view));
    outcome.notes.sort();
    outcome.notes.dedup();
    let setting =
        Setting { tool: tool(), config: &config, rules: &plan.rules, scope, fail_on: request.fail_on };
    let bundle = bundle::assemble(outcome, setting);
    let dated = bundle.preview.clone().map(|it| it.dated(world.now, config.structural.preview_ttl_seconds));
    let volatile = volatile(world, &repository, dated.as_ref().and_then(|it| it.expires_at));
    let (bundle, written) = results::write(&repository, request, bundle, &volatile)?;
    let passed = bundle.manifest.verdict.failed_checks == 0;
    let next = match dated.filter(|it| !it.files.is_empty()) {
        None => None,
        Some(preview) => {
            let kept = state::keep(&world.environment, &preview);
            let advice = (passed && config.structural.allow_apply).then(|| preview.id.clone());
            kept.map(|_| advice).transpose()
        }
    };
    Ok(Response { bundle, written, next })
}

/// What is another on every machine and in every run.
fn volatile(world: &World<'_>, repository: &Repository, preview_expires_at: Option<Timestamp>) -> Volatile {
    Volatile {
        schema: bundle::VOLATILE_SCHEMA.to_owned(),
        created_at: world.now,
        preview_expires_at,
        root: repository.root().path().display().to_string(),
    }
}

/// The repository around a path, and the part of it that the path names.
pub fn discover(path: &std::path::Path) -> Result<(Repository, Option<RepoPath>), OpError> {
    Repository::discover(path).map_err(|it| OpError::usage("path_unusable", it))
}

/// The commit to compare with.
pub fn resolve_base(repository: &Repository, spec: &str) -> Result<Base, OpError> {
    let code = |it: &RevisionError| match it {
        RevisionError::NoGit { .. } => "no_git",
        RevisionError::Malformed { .. } => "revision_malformed",
        RevisionError::Unknown { .. } => "revision_unknown",
    };
    repository.resolve_base(spec).map_err(|it| OpError::usage(code(&it), it))
}

fn base(repository: &Repository, request: &Request) -> Result<Option<Base>, OpError> {
    let resolve = |spec: &str| resolve_base(repository, spec).map(Some);
    if request.fail_on == FailOn::New && request.base.is_none() && !request.staged {
        let message = "`--fail-on new` needs something to compare with";
        return Err(OpError::usage("no_base", message).hint("give `--base REV` or `--staged`"));
    }
    match &request.base {
        Some(spec) => resolve(spec),
        // Before the first commit everything that is staged is new.
        None if request.staged && repository.head().commit.is_some() => resolve("HEAD"),
        None => Ok(None),
    }
}

fn scope(request: &Request, base: Option<&Base>, path: Option<RepoPath>) -> Scope {
    let (kind, reason) = match (&request.base, request.staged) {
        (Some(_), _) => (ScopeKind::Diff, "`--base` was given"),
        (None, true) => (ScopeKind::Staged, "`--staged` was given"),
        (None, false) => (ScopeKind::Full, "no base was given, so every file is searched"),
    };
    let base = base.map(|it| BaseRevision {
        requested: it.requested.clone(),
        commit: it.commit.to_string(),
        reason: it.reason.clone(),
    });
    Scope { kind, path, base, reason: reason.to_owned(), searched_files: 0 }
}

fn runner(world: &World<'_>) -> Runner {
    Runner {
        search_path: world.environment.search_path.clone(),
        environment: world.environment.allowed.clone(),
        scratch: world.environment.temporary.clone(),
    }
}

fn commands<'c>(config: &'c Config, blocked: &'c [Check], runner: &'c Runner) -> Commands<'c> {
    if blocked.is_empty() {
        return Commands::Allowed { checks: &config.validation.commands, runner };
    }
    let message = "the configuration's commands come with the files under review; name it with `--config` to trust them";
    Commands::Blocked { checks: blocked, reason: Reason::new("commands_blocked", message) }
}

fn threads(request: &Request) -> Result<rayon::ThreadPool, OpError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(request.jobs.map_or(0, usize::from))
        .stack_size(STACK_BYTES)
        .build()
        .map_err(|it| OpError::incomplete("no_threads", it))
}

fn tool() -> Tool {
    Tool {
        name: "cortex".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        engine: ENGINE.to_owned(),
    }
}
