//! `doctor`: what works here, without touching the repository's code.

use std::path::PathBuf;

use super::error::OpError;
use super::precision::state as state_of_precision;
use super::scan::discover;
use super::world::{Approval, World};
use super::{ENGINE, settings};
use crate::deps;
use crate::docs::State;
use crate::model::{LayerState, Reason, counted};
use crate::repo::{Depth, HeadState, Options, Repository, View};
use crate::syntax::Language;

/// Whose layers to look at.
#[derive(Clone, Debug, clap::Args)]
pub struct Request {
    /// A folder of the repository
    #[arg(default_value = ".", value_name = "PATH")]
    pub path: PathBuf,
}

/// One row for each part.
pub struct Response {
    pub rows: Vec<Row>,
}

/// A part, its state, and a word on it.
pub struct Row {
    pub name: &'static str,
    pub state: LayerState,
    pub detail: String,
}

impl Row {
    /// The state in a word or two.
    pub fn word(&self) -> &'static str {
        if let LayerState::Unavailable { reason } = &self.state
            && reason.code == CREDENTIALS_MISSING
        {
            return "credentials missing";
        }
        self.state.name()
    }
}

const CREDENTIALS_MISSING: &str = "docs_credentials_missing";

/// Looks at every layer.
///
/// # Errors
/// When the path cannot be read.
pub fn run(world: &World<'_>, request: &Request) -> Result<Response, OpError> {
    let (repository, _) = discover(&request.path)?;
    let settings = settings::load(&repository, None, None, world.environment.approval)?;
    let rows = vec![
        git(&repository),
        configuration(&settings),
        precision(&repository, &settings),
        dependencies(&repository, &settings),
        docs(world, &repository)?,
        structural(&settings),
        state(world),
    ];
    Ok(Response { rows })
}

fn available(name: &'static str, detail: impl Into<String>) -> Row {
    Row { name, state: LayerState::Available, detail: detail.into() }
}

fn missing(name: &'static str, reason: Reason) -> Row {
    Row { name, detail: reason.message.clone(), state: LayerState::Unavailable { reason } }
}

fn disabled(name: &'static str, code: &'static str, message: &str) -> Row {
    Row {
        name,
        detail: message.to_owned(),
        state: LayerState::Disabled { reason: Reason::new(code, message) },
    }
}

fn git(repository: &Repository) -> Row {
    const NAME: &str = "git";
    let head = repository.head();
    let depth = match head.depth {
        Depth::Complete => "",
        Depth::Shallow => ", shallow: history is incomplete",
    };
    let commit = head.commit.map(|it| it.short(12)).unwrap_or_default();
    match &head.state {
        HeadState::Branch => {
            available(NAME, format!("{} at {commit}{depth}", head.branch.as_deref().unwrap_or("a branch")))
        }
        HeadState::Detached => available(NAME, format!("detached at {commit}{depth}")),
        HeadState::Unborn => available(NAME, "no commit yet"),
        HeadState::NoGit => missing(
            NAME,
            Reason::new("no_git", "no git repository: `--base` and `--staged` have nothing to compare with"),
        ),
        HeadState::Unavailable(reason) => missing(NAME, reason.clone()),
    }
}

fn configuration(settings: &settings::Settings) -> Row {
    const NAME: &str = "configuration";
    match (&settings.file, settings.notes.len()) {
        (None, 0) => available(NAME, "defaults; there is no .codecortex/config.json"),
        (Some(file), 0) => available(NAME, file.clone()),
        (file, count) => {
            let first = settings.notes.first().map(|it| it.message.as_str()).unwrap_or_default();
            available(
                NAME,
                format!(
                    "{} with {}; the first: {first}",
                    file.as_deref().unwrap_or("defaults"),
                    counted(count as u64, "note")
                ),
            )
        }
    }
}

fn precision(repository: &Repository, settings: &settings::Settings) -> Row {
    let (state, found) = state_of_precision(&settings.config, repository);
    let detail = match &state {
        LayerState::Available => found,
        LayerState::Stale { reason } => format!("{found}; {}", reason.message),
        LayerState::Unavailable { reason } | LayerState::Disabled { reason } => reason.message.clone(),
    };
    Row { name: "precision intelligence", state, detail }
}

fn dependencies(repository: &Repository, settings: &settings::Settings) -> Row {
    const NAME: &str = "dependency manifests";
    let options = Options { max_file_bytes: settings.config.limits.max_file_bytes, scope: None };
    match repository.snapshot(View::Worktree, &options) {
        Ok(snapshot) => match snapshot.files.iter().filter(|it| deps::is_manifest(&it.path)).count() {
            0 => missing(NAME, Reason::new("no_manifest", "none of a known format")),
            count => available(NAME, format!("{count} found")),
        },
        Err(error) => missing(NAME, Reason::new("snapshot_failed", error.to_string())),
    }
}

fn docs(world: &World<'_>, repository: &Repository) -> Result<Row, OpError> {
    const NAME: &str = "dependency docs";
    let settings = settings::load(repository, None, None, Approval::None)?;
    Ok(match super::docs::provider(world, &settings.config) {
        Ok(Ok(provider)) => available(NAME, format!("{} may be asked", provider.base())),
        Ok(Err(State::CredentialsMissing { variable })) => {
            missing(NAME, Reason::new(CREDENTIALS_MISSING, format!("`{variable}` is not set")))
        }
        Ok(Err(_)) => disabled(NAME, "docs_disabled", "off by default; nothing leaves this machine"),
        Err(error) => missing(NAME, Reason::new("docs_provider_unusable", error.to_string())),
    })
}

fn structural(settings: &settings::Settings) -> Row {
    const NAME: &str = "structural engine";
    if settings.config.structural.enabled {
        available(NAME, format!("{ENGINE}, built in, {} languages", Language::all().count()))
    } else {
        disabled(NAME, "structural_disabled", "`structural.enabled` is false")
    }
}

fn state(world: &World<'_>) -> Row {
    const NAME: &str = "state folder";
    match &world.environment.state {
        Some(folder) => available(NAME, folder.display().to_string()),
        None => missing(
            NAME,
            Reason::new("no_state_folder", "neither XDG_STATE_HOME nor HOME is set: previews cannot be kept"),
        ),
    }
}
