//! `deps docs`: what the version of a dependency that the project settled on declares.

use std::path::PathBuf;

use super::dependencies;
use super::error::OpError;
use super::scan::discover;
use super::world::World;
use crate::deps;
use crate::docs::{self, Listing, Places, Presence};
use crate::model::{Note, RepoPath};

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
}

/// What is known of the package in each project that depends on it.
pub struct Response {
    pub packages: Vec<Documented>,
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
    let listed = dependencies::bill(world, &dependencies::Request { path: request.path.clone() })?;
    let found = listed.named(&request.name);
    if found.is_empty() {
        return Err(listed.unknown(&request.name));
    }
    let places = Places::open(repository.root(), &world.environment.machine);
    let packages = found.into_iter().map(|it| documented(&places, it, request.query.as_deref())).collect();
    Ok(Response { packages, notes: listed.notes })
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
