//! `deps docs`: what the version of a dependency that the project settled on declares.

use std::path::PathBuf;

use super::dependencies;
use super::error::OpError;
use super::scan::discover;
use super::settings;
use super::world::{Approval, Consent, World};
use crate::config::Config;
use crate::deps;
use crate::docs::{self, Cached, Listing, Outcome, Places, Presence, Provider, Question, State as Asked};
use crate::model::{Note, Redacted, RepoPath};

/// Which package, and what of it.
#[derive(Clone, Debug, clap::Args)]
pub struct Request {
    /// A package by its name, or the name that the project gives it
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Words that the name or the documentation of a declaration must have; without them, all that others can name
    #[arg(value_name = "QUERY")]
    pub query: Option<String>,
    /// A folder of the repository, or one manifest or lockfile
    #[arg(long, short = 'C', default_value = ".", value_name = "PATH")]
    pub path: PathBuf,
    /// A configuration file in place of the repository's; only such a one, or the environment, can let the remote
    /// provider be asked
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// What is known of the package in each project that depends on it.
pub struct Response {
    pub packages: Vec<Documented>,
    /// What the remote provider says.
    pub remote: Outcome,
    pub notes: Vec<Note>,
}

/// One package of one project.
pub struct Documented {
    pub ecosystem: &'static str,
    pub name: String,
    pub project: Option<RepoPath>,
    /// The versions that the project settled on.
    pub resolved: Vec<String>,
    pub state: State,
    /// The version that is installed here.
    pub installed: Option<String>,
    pub listing: Listing,
}

/// How what is installed stands to what the project settled on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is that version.
    Exact,
    /// The project has settled on no version.
    Unsettled,
    /// It is another version, so that nothing is answered.
    Stale,
    Absent,
}

impl State {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Unsettled => "unsettled",
            Self::Stale => "stale",
            Self::Absent => "not_installed",
        }
    }
}

impl Documented {
    /// Whether the declarations are those of what is installed.
    pub const fn is_looked_into(&self) -> bool {
        matches!(self.state, State::Exact | State::Unsettled)
    }

    /// Whether the answer is about the very version that the project has.
    pub fn is_exact(&self) -> bool {
        self.state == State::Exact
    }
}

/// The most declarations of one answer.
const MOST: usize = 500;

/// Looks a package up.
///
/// # Errors
/// When no project has it, besides what listing dependencies can fail with.
pub fn run(world: &World<'_>, request: &Request) -> Result<Response, OpError> {
    let (repository, _) = discover(&request.path)?;
    let listed = dependencies::run(world, &dependencies::Request { path: request.path.clone() })?;
    let found = listed.named(&request.name);
    if found.is_empty() {
        return Err(listed.unknown(&request.name));
    }
    let places = Places::open(repository.root(), &world.environment.machine);
    // Who lets a repository name commands has not agreed to what it would send to whom.
    let settings = settings::load(&repository, request.config.as_deref(), None, Approval::None)?;
    let remote = match found.iter().find(|it| it.is_from_elsewhere()) {
        Some(it) => remote(world, &settings.config, it, request.query.as_deref())?,
        None => Outcome::without(Asked::Disabled),
    };
    let packages: Vec<Documented> =
        found.into_iter().map(|it| documented(&places, it, request.query.as_deref())).collect();
    let unread = packages.iter().filter_map(|it| it.listing.note(&it.name));
    let notes = listed.notes.into_iter().chain(settings.notes).chain(unread).collect();
    Ok(Response { packages, remote, notes })
}

/// Whom to ask; the state that says why nobody, where nobody may be asked.
///
/// # Errors
/// When the address or the key that the environment gives cannot be used.
pub fn provider(world: &World<'_>, config: &Config) -> Result<Result<Provider, Asked>, OpError> {
    let environment = &world.environment.docs;
    if !config.dependency_docs.enabled && environment.consent == Consent::None {
        return Ok(Err(Asked::Disabled));
    }
    let variable = &config.dependency_docs.api_key_env;
    let key = environment.variable.and_then(|it| it(variable)).and_then(|it| it.into_string().ok());
    let Some(key) = key.filter(|it| !it.is_empty()) else {
        return Ok(Err(Asked::CredentialsMissing { variable: variable.clone() }));
    };
    let address = environment.address.as_deref().unwrap_or(ADDRESS);
    Provider::new(address, &key).map(Ok).map_err(|it| OpError::usage("docs_provider_unusable", it))
}

/// The provider that is asked where the environment names no other.
const ADDRESS: &str = "https://context7.com/api";

fn remote(
    world: &World<'_>,
    config: &Config,
    dependency: &deps::Dependency,
    query: Option<&str>,
) -> Result<Outcome, OpError> {
    let provider = match provider(world, config)? {
        Ok(provider) => provider,
        Err(state) => return Ok(Outcome::without(state)),
    };
    let version = dependency.resolved.first().map(|it| it.version.as_str());
    // Of several versions none is the one.
    let version = version.filter(|it| dependency.resolved.iter().all(|other| other.version == **it));
    let text = Redacted::new(query.unwrap_or(&dependency.name));
    let (ecosystem, library) = (dependency.ecosystem, dependency.name.as_str());
    let question = Question { ecosystem, library, version, text: text.as_str() };
    let folder = world.environment.state.as_ref().map(|it| it.join("docs"));
    let cached = folder.as_ref().map(|it| Cached {
        folder: it,
        ttl_seconds: config.dependency_docs.cache_ttl_seconds,
        serves_stale: config.dependency_docs.serve_stale_when_offline,
        now: world.now,
    });
    Ok(docs::ask(&provider, question, cached))
}

fn documented(places: &Places<'_>, dependency: &deps::Dependency, query: Option<&str>) -> Documented {
    let declared = dependency.declared.iter().find(|it| it.scope.is_wanted());
    let from = declared.map_or_else(|| dependency.project.clone(), |it| it.place.path.parent());
    let name = declared.map_or(dependency.name.as_str(), |it| it.raw_name.as_str());
    let (state, installed, listing) = match docs::find(places, dependency, name, from.as_ref()) {
        Presence::Exact(it) => (State::Exact, Some(it.version.clone()), docs::listing(it, query, MOST)),
        Presence::Unsettled(it) => {
            (State::Unsettled, Some(it.version.clone()), docs::listing(it, query, MOST))
        }
        Presence::Stale { installed } => (State::Stale, Some(installed), Listing::default()),
        Presence::Absent => (State::Absent, None, Listing::default()),
    };
    let mut resolved: Vec<String> = dependency.resolved.iter().map(|it| it.version.clone()).collect();
    resolved.sort();
    resolved.dedup();
    Documented {
        ecosystem: dependency.ecosystem.name(),
        name: dependency.name.clone(),
        project: dependency.project.clone(),
        resolved,
        state,
        installed,
        listing,
    }
}
