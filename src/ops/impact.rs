//! `impact` and `tests`: what a change reaches, and the tests that tell whether it holds.

use std::path::PathBuf;

use super::error::OpError;
use super::precision::config;
use super::scan::{discover, resolve_base};
use super::world::World;
use crate::bundle::{self, AffectedTest, Impact};
use crate::impact::Named;
use crate::model::{LayerState, Note};
use crate::pipeline::{self, Weighed};
use crate::repo::{Base, Repository, View};

/// Which change.
#[derive(Clone, Debug, clap::Args)]
pub struct Request {
    /// A folder of the repository
    #[arg(long, short = 'C', default_value = ".", value_name = "PATH")]
    pub repository: PathBuf,
    /// What differs from REV (or from A in the commit B of `A..B`) [default: HEAD]
    #[arg(long, value_name = "REV", conflicts_with_all = ["staged", "symbols", "paths"])]
    pub base: Option<String>,
    /// What is staged for the next commit
    #[arg(long, conflicts_with_all = ["symbols", "paths"])]
    pub staged: bool,
    /// As if the body of this symbol changed: a name or a dotted tail of names; may be given again
    #[arg(long = "symbol", value_name = "NAME")]
    pub symbols: Vec<String>,
    /// As if everything in this file or folder changed; may be given again
    #[arg(long = "path", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}

/// Which tests of a change.
#[derive(Clone, Debug, clap::Args)]
pub struct TestsRequest {
    #[command(flatten)]
    pub change: Request,
    /// Only the first N of the list
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub top: Option<u32>,
}

/// What a change reaches, and how that is known.
pub struct Response {
    pub impact: Impact,
    pub precision: LayerState,
    pub notes: Vec<Note>,
}

/// Tests to run, the likeliest to fail first.
pub struct Tests {
    pub tests: Vec<AffectedTest>,
    /// How many more there are.
    pub left_out: usize,
    /// Where the analysis cannot see.
    pub blind_spots: Vec<Note>,
}

/// Weighs a change.
///
/// # Errors
/// When the path, the base or a name is not there.
pub fn run(world: &World<'_>, request: &Request) -> Result<Response, OpError> {
    let Weighed { impact, precision, notes } = weighed(world, request)?;
    Ok(Response { impact: bundle::impact(Some(&impact)), precision, notes })
}

/// Lists the tests that a change reaches.
///
/// # Errors
/// The same.
pub fn tests(world: &World<'_>, request: &TestsRequest) -> Result<Tests, OpError> {
    let Response { impact, notes, .. } = run(world, &request.change)?;
    let mut tests = impact.tests;
    let top = request.top.map_or(usize::MAX, |it| it as usize);
    let left_out = tests.len().saturating_sub(top);
    tests.truncate(top);
    let mut blind_spots = impact.blind_spots;
    blind_spots.extend(notes);
    Ok(Tests { tests, left_out, blind_spots })
}

fn weighed(world: &World<'_>, request: &Request) -> Result<Weighed, OpError> {
    let (repository, _) = discover(&request.repository)?;
    let config = config(world, &repository)?;
    let failed = |it| OpError::incomplete("scan_impossible", it);
    if request.symbols.is_empty() && request.paths.is_empty() {
        let (view, base) = change(&repository, request)?;
        return pipeline::weigh(&repository, &config, view, &base).map_err(failed);
    }
    let mut named: Vec<Named> = request.symbols.iter().cloned().map(Named::Symbol).collect();
    for path in &request.paths {
        let at = request.repository.join(path);
        let (_, below) = discover(if at.exists() { &at } else { path })?;
        let Some(below) = below else {
            let message = "the root of the repository is everything in it; name a part of it";
            return Err(OpError::usage("path_unusable", message));
        };
        named.push(Named::Path(below));
    }
    pipeline::weigh_named(&repository, &config, &named).map_err(failed)?.ok_or_else(|| {
        OpError::usage("symbol_unknown", "no definition and no file with an outline is called so")
            .hint("`cortex symbol NAME` says where a name is defined")
    })
}

fn change(repository: &Repository, request: &Request) -> Result<(View, Base), OpError> {
    let base = resolve_base(repository, request.base.as_deref().unwrap_or("HEAD"))?;
    let view = match (request.staged, base.head) {
        (true, _) => View::Staged,
        (false, Some(head)) => View::Commit(head),
        (false, None) => View::Worktree,
    };
    Ok((view, base))
}
