//! `deps`: what a repository, a folder or one file depends on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::TOOL;
use super::error::OpError;
use super::scan::{discover, resolve_base};
use super::settings;
use super::world::World;
use crate::bundle::{self, Bom};
use crate::deps::{self, Dependencies, DependencyChange, Presence};
use crate::docs::{Machine, Usages};
use crate::model::{Layer, Note, RepoPath};
use crate::pipeline::{self, Progress};
use crate::repo::{Options, Repository, Snapshot, View};

/// The error for a file that no reader knows.
pub const FORMAT_UNKNOWN: &str = "dependency_format_unknown";

/// Whose dependencies.
#[derive(Clone, Debug, clap::Args)]
pub struct Request {
    /// A folder, or one manifest or lockfile; the repository around it says what belongs to it
    #[arg(default_value = ".", value_name = "PATH")]
    pub path: PathBuf,
}

/// Which package is asked after.
#[derive(Clone, Debug, clap::Args)]
pub struct WhyRequest {
    /// A package by its name, NAME@VERSION, the name that the project gives it, or its package URL
    #[arg(value_name = "NAME")]
    pub name: String,
    /// A folder, or one manifest or lockfile
    #[arg(default_value = ".", value_name = "PATH")]
    pub path: PathBuf,
}

/// What to compare.
#[derive(Clone, Debug, clap::Args)]
pub struct DiffRequest {
    /// Compare with REV (or the commit B of `A..B` with A)
    #[arg(long, value_name = "REV")]
    pub base: String,
    /// A folder, or one manifest or lockfile
    #[arg(default_value = ".", value_name = "PATH")]
    pub path: PathBuf,
}

/// What was found.
pub struct Response {
    dependencies: Dependencies,
    usages: Usages,
    /// The name of the folder that the repository lies in.
    name: String,
    /// Whether one file was asked after.
    is_file: bool,
    pub notes: Vec<Note>,
}

/// One project: the dependencies that one lockfile, workspace root or lone manifest is responsible for.
pub struct Project {
    pub ecosystem: &'static str,
    /// None is the root of the repository.
    pub folder: Option<RepoPath>,
    pub dependencies: Vec<bundle::Dependency>,
}

/// The ways by which a package got in.
pub struct WhyResponse {
    pub found: Vec<Presence>,
    pub notes: Vec<Note>,
}

/// What a change did.
pub struct DiffResponse {
    /// The commit that the files are compared with.
    pub base: String,
    pub changes: Vec<DependencyChange>,
    pub notes: Vec<Note>,
}

impl Response {
    /// Every package once, by ecosystem and name, with what all projects say of it. What only constraints or overrides
    /// name is no dependency of a project and is listed only for one who asks after their file.
    pub fn packages(&self) -> Vec<bundle::Dependency> {
        let mut packages: BTreeMap<(String, String), bundle::Dependency> = BTreeMap::new();
        let is_listed = |it: &deps::Dependency| self.is_file || !it.is_only_replaced();
        let rows = bundle::dependencies(&self.dependencies, &self.usages).into_iter();
        let rows = rows.zip(&self.dependencies.dependencies);
        for it in rows.filter(|it| is_listed(it.1)).map(|it| it.0) {
            let key = (it.ecosystem.clone(), it.name.clone());
            match packages.get_mut(&key) {
                None => {
                    packages.insert(key, it);
                }
                Some(package) => {
                    package.relation = package.relation.min(it.relation);
                    package.declared.extend(it.declared);
                    package.resolved.extend(it.resolved);
                    merge_usage(package, it.imported_as, it.used_by);
                }
            }
        }
        let mut packages: Vec<bundle::Dependency> = packages.into_values().collect();
        for it in &mut packages {
            it.declared.sort_by(|left, right| {
                (&left.path, left.line, left.column, left).cmp(&(
                    &right.path,
                    right.line,
                    right.column,
                    right,
                ))
            });
            it.resolved.sort_by(|left, right| {
                (&left.path, left.line, left.column, left).cmp(&(
                    &right.path,
                    right.line,
                    right.column,
                    right,
                ))
            });
        }
        packages
    }

    /// The projects, by ecosystem and folder.
    pub fn projects(&self) -> Vec<Project> {
        let mut projects: Vec<Project> = Vec::new();
        let rows = bundle::dependencies(&self.dependencies, &self.usages);
        for (dependency, row) in self.dependencies.dependencies.iter().zip(rows) {
            let (ecosystem, folder) = (dependency.ecosystem.name(), &dependency.project);
            match projects.last_mut().filter(|it| it.ecosystem == ecosystem && it.folder == *folder) {
                Some(project) => project.dependencies.push(row),
                None => {
                    let folder = folder.clone();
                    projects.push(Project { ecosystem, folder, dependencies: vec![row] });
                }
            }
        }
        projects
    }

    /// The bill of materials.
    pub fn cyclonedx(&self) -> Bom {
        bundle::cyclonedx(&self.dependencies, &self.name, TOOL)
    }

    /// A package in each project that has it.
    pub fn named(&self, name: &str) -> Vec<&deps::Dependency> {
        self.dependencies.dependencies.iter().filter(|it| deps::is_named(it, name)).collect()
    }

    pub fn unknown(&self, name: &str) -> OpError {
        unknown(&self.dependencies, &self.notes, name)
    }

    pub fn is_incomplete(&self) -> bool {
        is_incomplete(&self.notes)
    }
}

/// Adds who uses a package in another project.
fn merge_usage(
    package: &mut bundle::Dependency,
    imported_as: Option<bundle::ImportedAs>,
    used_by: Option<Vec<bundle::UsedBy>>,
) {
    if let (Some(names), Some(more)) = (&mut package.imported_as, imported_as) {
        names.names.extend(more.names);
        names.names.sort();
        names.names.dedup();
    }
    if let (Some(files), Some(more)) = (&mut package.used_by, used_by) {
        files.extend(more);
        files.sort();
    }
}

impl WhyResponse {
    pub fn is_incomplete(&self) -> bool {
        is_incomplete(&self.notes)
    }
}

impl DiffResponse {
    pub fn is_incomplete(&self) -> bool {
        is_incomplete(&self.notes)
    }
}

/// Whether a file that should have been read was not, so that the list may lack anything.
fn is_incomplete(notes: &[Note]) -> bool {
    notes.iter().any(pipeline::is_manifest_unread)
}

/// Lists the dependencies.
///
/// # Errors
/// When the path is missing or is a file of no known format.
pub fn run(world: &World<'_>, request: &Request) -> Result<Response, OpError> {
    let (repository, below) = discover(&request.path)?;
    listed(world, &repository, below.as_ref())
}

/// Lists the dependencies and the files that use them, which takes reading the sources.
///
/// # Errors
/// As [`run`], and when the configuration is broken.
pub fn used(world: &World<'_>, request: &Request) -> Result<Response, OpError> {
    let (repository, below) = discover(&request.path)?;
    let mut response = listed(world, &repository, below.as_ref())?;
    let settings = settings::load(&repository, None, None, world.environment.approval)?;
    let machine = &world.environment.machine;
    response.usages = pipeline::usages(&repository, &settings.config, machine, &response.dependencies)
        .map_err(|it| OpError::usage("scan_impossible", it))?;
    Ok(response)
}

fn listed(world: &World<'_>, repository: &Repository, below: Option<&RepoPath>) -> Result<Response, OpError> {
    (world.listener)(Progress::Stage(Layer::Dependencies));
    let name = repository.root().path().file_name().map(|it| it.to_string_lossy().into_owned());
    let (found, mut notes) = found(repository, below, &world.environment.machine)?;
    let mut dependencies = found.unwrap_or_else(|| {
        notes.push(Note::new("no_manifest", "no manifest or lockfile of a known format was found"));
        Dependencies::default()
    });
    if let Some(below) = below {
        dependencies = dependencies.within(below);
    }
    notes.extend(std::mem::take(&mut dependencies.notes));
    let notes = about(notes, below);
    let is_file = below.is_some_and(|it| repository.root().path().join(it.as_path()).is_file());
    Ok(Response { dependencies, usages: Usages::default(), name: name.unwrap_or_default(), is_file, notes })
}

/// Says by which ways a package got in.
///
/// # Errors
/// When no project has it, besides what [`run`] can fail with.
pub fn why(world: &World<'_>, request: &WhyRequest) -> Result<WhyResponse, OpError> {
    let Response { dependencies, mut notes, .. } = run(world, &Request { path: request.path.clone() })?;
    let found = deps::why(&dependencies, &request.name);
    if !found.is_empty() {
        notes.extend(found.iter().filter_map(unrecorded));
        return Ok(WhyResponse { found, notes });
    }
    Err(unknown(&dependencies, &notes, &request.name))
}

/// That a module of Go is there and no file says for whose sake.
fn unrecorded(presence: &Presence) -> Option<Note> {
    let is_indirect = |it: &deps::Declared| it.scope == deps::Scope::Indirect;
    let is_brought = presence.ways.iter().flat_map(|it| &it.declared).all(is_indirect);
    let place = presence.place.as_ref().filter(|_| presence.ecosystem == deps::Ecosystem::Golang)?;
    let message = format!(
        "`go.mod` does not record which module brings `{}`; `go mod why -m {0}` finds out",
        presence.name
    );
    is_brought.then(|| {
        Note::new("dependency_way_unrecorded", message).at_point(place.path.clone(), place.span.start)
    })
}

/// That no project has a package of a name; with those that are called alike.
fn unknown(dependencies: &Dependencies, notes: &[Note], name: &str) -> OpError {
    let message = format!("no dependency is called `{name}`");
    let mut error = OpError::usage("dependency_unknown", message);
    if let Some((package, _)) = name.rsplit_once('@')
        && let Some(hint) = versions(dependencies, package)
    {
        return error.hint(hint);
    }
    let wanted = name.to_lowercase();
    let alike = dependencies.dependencies.iter().map(|it| it.name.as_str());
    let mut alike: Vec<&str> = alike.filter(|it| it.to_lowercase().contains(&wanted)).collect();
    alike.sort_unstable();
    alike.dedup();
    if !alike.is_empty() {
        alike.truncate(5);
        error = error.hint(format!("there is {}", alike.join(", ")));
    }
    if is_incomplete(notes) {
        error = error.hint("some files could not be read; `cortex deps` says which");
    }
    error
}

/// Which versions of a package there are; none when there is no such package.
fn versions(dependencies: &Dependencies, package: &str) -> Option<String> {
    let named: Vec<&deps::Dependency> =
        dependencies.dependencies.iter().filter(|it| deps::is_named(it, package)).collect();
    let first = named.first()?;
    let versions: BTreeSet<&str> =
        named.iter().flat_map(|it| &it.resolved).map(|it| it.version.as_str()).collect();
    if versions.is_empty() {
        return Some(format!("there is {} at an unknown version", first.name));
    }
    let pins: Vec<String> = versions.iter().map(|it| format!("{}@{it}", first.name)).collect();
    Some(format!("there is {}", pins.join(", ")))
}

/// Says what a change did to what is declared and resolved.
///
/// # Errors
/// When there is no such base, besides what [`run`] can fail with.
pub fn diff(world: &World<'_>, request: &DiffRequest) -> Result<DiffResponse, OpError> {
    (world.listener)(Progress::Stage(Layer::Dependencies));
    let (repository, below) = discover(&request.path)?;
    let base = resolve_base(&repository, &request.base)?;
    let view = base.head.map_or(View::Worktree, View::Commit);
    let older = snapshot(&repository, View::Commit(base.commit), None)?;
    let newer = snapshot(&repository, view, None)?;
    let staged = pipeline::resolve_dependencies(&newer, Some(&older), &world.environment.machine);
    let notes = staged.notes;
    let mut changes = staged.value.changes;
    if let Some(below) = &below {
        changes.retain(|it| {
            let mut places = it.before.iter().chain(&it.after);
            places.any(|it| it.path.is_within(below))
        });
    }
    Ok(DiffResponse { base: base.commit.to_string(), changes, notes: about(notes, below.as_ref()) })
}

/// What the whole repository depends on, none where no file says, and the notes on files that were not read. It is read before the path decides what of it is shown: the lockfile or the workspace
/// of a folder may stand above it.
fn found(
    repository: &Repository,
    below: Option<&RepoPath>,
    machine: &Machine,
) -> Result<(Option<Dependencies>, Vec<Note>), OpError> {
    let mut files = snapshot(repository, View::Worktree, None)?;
    if let Some(below) = below
        && !files.files.iter().any(|it| it.path.is_within(below))
    {
        // It is ignored or hidden, and named all the same.
        files = snapshot(repository, View::Worktree, Some(below.clone()))?;
    }
    let named = below.filter(|it| files.find(it).is_some());
    if let Some(named) = named
        && !is_of_known_format(&files, named)
    {
        let message = format!("`{named}` is no manifest or lockfile of a known format");
        return Err(OpError::usage(FORMAT_UNKNOWN, message)
            .hint(format!("`cortex explain {FORMAT_UNKNOWN}` lists the names of those that are")));
    }
    let mut notes = pipeline::unread_manifests(&files);
    let dependencies = pipeline::dependencies(&files, named, machine);
    let empty = (!notes.is_empty()).then(Dependencies::default);
    notes.extend(pipeline::left_out_of_dependencies(&files, below));
    Ok((dependencies.or(empty), notes))
}

fn is_of_known_format(files: &Snapshot<'_>, named: &RepoPath) -> bool {
    let content = || files.find(named).and_then(|it| files.read(it).ok());
    deps::is_known(named) || content().is_some_and(|it| deps::read_named(named, &it.bytes).is_some())
}

fn snapshot<'r>(
    repository: &'r Repository,
    view: View,
    scope: Option<RepoPath>,
) -> Result<Snapshot<'r>, OpError> {
    let options = Options { max_file_bytes: deps::MAX_FILE_BYTES as u64, scope };
    repository.snapshot(view, &options).map_err(|it| OpError::usage("scan_impossible", it))
}

/// The notes on what lies within a path, and on what stands above it and decides over it.
fn about(mut notes: Vec<Note>, below: Option<&RepoPath>) -> Vec<Note> {
    if let Some(below) = below {
        notes.retain(|note| {
            note.path.as_ref().is_none_or(|path| {
                path.is_within(below) || path.parent().is_none_or(|folder| below.is_within(&folder))
            })
        });
    }
    notes.sort();
    notes.dedup();
    notes
}
