//! `index`: have an indexer make the precision index, and write beside it what the files are that it was made of.

use std::path::PathBuf;

use super::error::OpError;
use super::generator::{self, Generator};
use super::precision::config;
use super::scan::discover;
use super::settings::{self, Settings};
use super::world::World;
use crate::config::PrecisionIndex;
use crate::model::{LayerState, Note, RepoPath};
use crate::precision::{self, Before, Freshness, Index, IndexFile, SEAL, Seal, StatCache};
use crate::repo::Repository;
use crate::system;

/// Whose index to seal.
#[derive(Clone, Debug, clap::Args)]
pub struct SealRequest {
    /// A folder of the repository
    #[arg(default_value = ".", value_name = "PATH")]
    pub path: PathBuf,
}

/// Whose index to make.
#[derive(Clone, Debug, clap::Args)]
pub struct GenerateRequest {
    /// A folder of the repository
    #[arg(default_value = ".", value_name = "PATH")]
    pub path: PathBuf,
    /// Read the configuration from FILE and trust the programs that it names
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// How long the indexer may take
    #[arg(long, value_name = "SECONDS", default_value_t = GENERATOR_SECONDS)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub timeout: u64,
}

/// Indexers of large projects take most of an hour.
const GENERATOR_SECONDS: u64 = 3_600;

/// What there is now.
pub struct Sealed {
    /// The index, when it was made.
    pub generated: Option<RepoPath>,
    pub seal: RepoPath,
    pub written: Written,
    pub documents: usize,
    /// Documents whose file is not known to be what the index was made of: they stay stale.
    pub raced: usize,
    /// Documents that are not proven current.
    pub stale: usize,
    /// Why the next question will have to look at the files again.
    pub unkept: Option<String>,
}

/// Whether the seal is a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    New,
    /// The one that is there says as much or more.
    Kept,
}

/// Makes the index with the configured indexer; without one, seals the index that is there.
///
/// # Errors
/// As `generate` and `seal`; when there is neither an indexer nor an index.
pub fn index(world: &World<'_>, request: &GenerateRequest) -> Result<Sealed, OpError> {
    let (repository, _) = discover(&request.path)?;
    let settings = trusted(world, &repository, request)?;
    let is_named = !settings.config.precision_index.generator_command.is_empty();
    let is_there = || precision::usable(&settings.config.precision_index, repository.root(), None).is_ok();
    if is_named || !is_there() {
        return generate_with(world, &repository, &settings, request.timeout);
    }
    seal_found(&repository, &settings)
}

/// Makes the index with the configured indexer, and seals it. The one that is there stays until the new one has proven
/// to be an index.
///
/// # Errors
/// When no indexer is configured or may run, it fails, or what it writes is no index.
pub fn generate(world: &World<'_>, request: &GenerateRequest) -> Result<Sealed, OpError> {
    let (repository, _) = discover(&request.path)?;
    let settings = trusted(world, &repository, request)?;
    generate_with(world, &repository, &settings, request.timeout)
}

/// Makes the index before a scan, where the configuration asks for that and there is none that is current. A scan goes
/// on without it: the note says why.
pub fn refresh(world: &World<'_>, repository: &Repository, settings: &Settings) -> Option<Note> {
    let index = &settings.config.precision_index;
    if !index.enabled || !index.auto_generate || is_current(repository, index) {
        return None;
    }
    let made = generate_with(world, repository, settings, GENERATOR_SECONDS);
    made.err().map(|it| Note::new(it.code, it.message))
}

fn is_current(repository: &Repository, settings: &PrecisionIndex) -> bool {
    precision::usable(settings, repository.root(), None).is_ok_and(|file| {
        Index::parse(&file.bytes).is_ok_and(|index| {
            let freshness = Freshness::settle(repository, &index, &file);
            freshness.state(&index.documents) == LayerState::Available
        })
    })
}

/// Writes the seal of the index that the repository has.
///
/// # Errors
/// When there is no usable index, or the seal cannot be written.
pub fn seal(world: &World<'_>, request: &SealRequest) -> Result<Sealed, OpError> {
    let (repository, _) = discover(&request.path)?;
    let settings = Settings { config: config(world, &repository)?, ..Settings::default() };
    seal_found(&repository, &settings)
}

fn trusted(
    world: &World<'_>,
    repository: &Repository,
    request: &GenerateRequest,
) -> Result<Settings, OpError> {
    settings::load(repository, request.config.as_deref(), None, world.environment.approval)
}

fn generate_with(
    world: &World<'_>,
    repository: &Repository,
    settings: &Settings,
    seconds: u64,
) -> Result<Sealed, OpError> {
    let root = repository.root();
    let generator = Generator::of(settings, &world.environment)?;
    let target = target(repository, settings.config.precision_index.path.as_ref())?;
    let clock = StatCache::make_folder(root).map_err(|it| OpError::incomplete("index_unwritten", it))?;
    let before = Before::now(repository, &clock).map_err(|it| OpError::incomplete("snapshot_failed", it))?;
    let made = generator.run(root, &world.environment, seconds)?;
    let index = Index::parse(&made.bytes).map_err(|it| generator::unusable(&it))?;
    if index.documents.iter().all(|it| root.stat(&it.path).is_err()) {
        return Err(generator::of_other_files(index.documents.len()));
    }
    let seal = Seal::make(repository, &index, &made.bytes, &before)
        .map_err(|it| OpError::incomplete("snapshot_failed", it))?;
    system::write_below(root, &target, &made.bytes)
        .map_err(|it| OpError::incomplete("index_unwritten", it))?;
    let seal_place = beside(&target.to_string())?;
    write_seal(repository, &seal_place, &seal)?;
    let sealed = report(repository, &target, &seal, Written::New)?;
    Ok(Sealed { generated: Some(target), ..sealed })
}

/// Where the index goes: where it is configured or is, else to the first of the usual places.
fn target(repository: &Repository, configured: Option<&RepoPath>) -> Result<RepoPath, OpError> {
    if let Some(path) = configured {
        return Ok(path.clone());
    }
    let found = precision::find(repository.root(), None).map_err(|it| OpError::usage(it.code(), it))?;
    let place = found.map_or_else(|| precision::PLACES[0].to_owned(), |it| it.place);
    place.parse().map_err(|it| OpError::incomplete("index_unwritten", it))
}

fn seal_found(repository: &Repository, settings: &Settings) -> Result<Sealed, OpError> {
    let file = precision::usable(&settings.config.precision_index, repository.root(), None)
        .map_err(|it| nothing_to_seal(&it))?;
    let index = Index::parse(&file.bytes).map_err(|it| OpError::usage(it.code(), it))?;
    let seal = Seal::make(repository, &index, &file.bytes, &Before::of_index(&file))
        .map_err(|it| OpError::incomplete("snapshot_failed", it))?;
    let place: RepoPath = file.place.parse().map_err(|it| OpError::incomplete("seal_unwritten", it))?;
    // A clone gives all files one time, so that a new seal would prove less than the one that came with the index.
    match Seal::of(&index, &file).filter(|it| it.raced() < seal.raced()) {
        Some(earlier) => report(repository, &place, &earlier, Written::Kept),
        None => {
            write_seal(repository, &beside(&file.place)?, &seal)?;
            report(repository, &place, &seal, Written::New)
        }
    }
}

fn beside(place: &str) -> Result<RepoPath, OpError> {
    format!("{place}{SEAL}").parse().map_err(|it| OpError::incomplete("seal_unwritten", it))
}

fn write_seal(repository: &Repository, place: &RepoPath, seal: &Seal) -> Result<(), OpError> {
    let unwritten = |it: &dyn std::fmt::Display| OpError::incomplete("seal_unwritten", it.to_string());
    let mut bytes = serde_json::to_vec_pretty(seal).map_err(|it| unwritten(&it))?;
    bytes.push(b'\n');
    system::write_below(repository.root(), place, &bytes).map_err(|it| unwritten(&it))
}

/// Looks at what was sealed, so that questions find it settled.
fn report(
    repository: &Repository,
    place: &RepoPath,
    seal: &Seal,
    written: Written,
) -> Result<Sealed, OpError> {
    let file: Option<IndexFile> =
        precision::find(repository.root(), Some(place)).map_err(|it| OpError::incomplete(it.code(), it))?;
    let file = file.ok_or_else(|| OpError::incomplete("index_missing", "the index is gone again"))?;
    let index = Index::parse(&file.bytes).map_err(|it| OpError::incomplete(it.code(), it))?;
    let freshness = Freshness::settle(repository, &index, &file);
    Ok(Sealed {
        generated: None,
        seal: beside(&file.place)?,
        written,
        documents: seal.documents.len(),
        raced: seal.raced(),
        stale: freshness.stale(),
        unkept: freshness.unkept().map(str::to_owned),
    })
}

fn nothing_to_seal(state: &LayerState) -> OpError {
    let message = match state {
        LayerState::Stale { reason }
        | LayerState::Unavailable { reason }
        | LayerState::Disabled { reason } => reason.message.as_str(),
        LayerState::Available => "there is no index",
    };
    OpError::usage("no_index_to_seal", message)
}
