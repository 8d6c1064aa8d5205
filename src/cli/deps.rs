//! The commands that list dependencies.

use serde::Serialize;

use super::args;
use super::docs;
use super::exit::Exit;
use super::output::Terminal;
use super::show::{print_json, with_world};
use super::table::table;
use super::used::Members;
use crate::bundle::{Declared, Dependency, ImportedAs, Relation, Resolved, UsedBy};
use crate::model::{Location, Note, RepoPath, counted};
use crate::ops::{self, DependenciesResponse, DependencyProject, OpError};

/// The list, for programs.
#[derive(Serialize)]
struct Listed<'r> {
    dependencies: Vec<Package>,
    diagnostics: Vec<Diagnostic<'r>>,
}

#[derive(Serialize)]
struct Package {
    ecosystem: String,
    name: String,
    purl: String,
    relation: Relation,
    declared: Vec<Declared>,
    resolved: Vec<Resolved>,
    #[serde(skip_serializing_if = "Option::is_none")]
    imported_as: Option<ImportedAs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    used_by: Option<Vec<UsedBy>>,
}

/// A remark, for programs.
#[derive(Serialize)]
pub struct Diagnostic<'r> {
    path: Option<&'r RepoPath>,
    line: Option<u32>,
    code: &'r str,
    message: &'r str,
}

/// The ways of one package, for programs.
#[derive(Serialize)]
struct Explained<'r> {
    found: Vec<Presence<'r>>,
    diagnostics: Vec<Diagnostic<'r>>,
}

#[derive(Serialize)]
struct Presence<'r> {
    ecosystem: &'r str,
    name: &'r str,
    version: Option<&'r str>,
    path: Option<&'r RepoPath>,
    line: Option<u32>,
    column: Option<u32>,
    ways: Vec<Way<'r>>,
    ways_total: usize,
}

#[derive(Serialize)]
struct Way<'r> {
    declared: Vec<Asked<'r>>,
    steps: &'r [String],
}

#[derive(Serialize)]
struct Asked<'r> {
    constraint: Option<&'r str>,
    scope: &'r str,
    path: &'r RepoPath,
    line: u32,
    column: u32,
}

/// A comparison, for programs.
#[derive(Serialize)]
struct Compared<'r> {
    base: &'r str,
    changes: Vec<Change<'r>>,
    diagnostics: Vec<Diagnostic<'r>>,
}

#[derive(Serialize)]
struct Change<'r> {
    ecosystem: &'r str,
    name: &'r str,
    purl: &'r str,
    change: &'r str,
    before: Side<'r>,
    after: Side<'r>,
    /// How far a version moved.
    distance: Option<&'static str>,
}

/// One side of a difference: what is asked for or settled on, and where.
#[derive(Serialize)]
struct Side<'r> {
    /// The state of the repository that the place is of.
    of: State,
    values: Vec<&'r str>,
    /// Of a dependency that came or went, what is asked for.
    constraints: Vec<&'r str>,
    path: Option<&'r RepoPath>,
    line: Option<u32>,
    column: Option<u32>,
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Base,
    Current,
}

pub fn command(terminal: &mut Terminal, arguments: &args::Deps) -> Result<Exit, OpError> {
    match &arguments.command {
        None => list(terminal, arguments),
        Some(args::DepsCommand::Why { request, json }) => why(terminal, request, *json),
        Some(args::DepsCommand::Docs { request, json }) => docs::command(terminal, request, *json),
        Some(args::DepsCommand::Diff { request, json }) => diff(terminal, request, *json),
    }
}

fn list(terminal: &mut Terminal, arguments: &args::Deps) -> Result<Exit, OpError> {
    let response = with_world(terminal, |world| match arguments.used {
        true => ops::used_dependencies(world, &arguments.request),
        false => ops::dependencies(world, &arguments.request),
    })?;
    let exit = exit(response.is_incomplete());
    if arguments.cyclonedx {
        terminal.notes(&response.notes);
        return print_json(terminal, &response.cyclonedx()).map(|_| exit);
    }
    if arguments.json {
        let dependencies = response.packages().into_iter().map(package).collect();
        let diagnostics = diagnostics(&response.notes);
        return print_json(terminal, &Listed { dependencies, diagnostics }).map(|_| exit);
    }
    terminal.notes(&response.notes);
    tables(terminal, &response, arguments);
    Ok(exit)
}

pub const fn exit(is_incomplete: bool) -> Exit {
    if is_incomplete { Exit::Incomplete } else { Exit::Clean }
}

pub fn diagnostics(notes: &[Note]) -> Vec<Diagnostic<'_>> {
    let of = notes.iter().map(|it| Diagnostic {
        path: it.path.as_ref(),
        line: it.line,
        code: &it.code,
        message: &it.message,
    });
    of.collect()
}

fn package(dependency: Dependency) -> Package {
    let Dependency { ecosystem, name, purl, relation, declared, resolved, imported_as, used_by, .. } =
        dependency;
    Package { ecosystem, name, purl, relation, declared, resolved, imported_as, used_by }
}

const HEADING: [&str; 6] = ["NAME", "ASKS FOR", "HAS", "SCOPE", "PLACE", "USED IN"];

/// A table for each project. People get its title, a heading and a count; a pipe gets the rows alone.
fn tables(terminal: &mut Terminal, response: &DependenciesResponse, arguments: &args::Deps) {
    let (all, used) = (arguments.all, arguments.used);
    for (index, project) in response.projects().iter().enumerate() {
        let shown = |it: &&Dependency| all || it.relation == Relation::Direct;
        let members = used.then(|| Members::of(project));
        let dependencies = project.dependencies.iter().filter(shown);
        let rows: Vec<Vec<String>> = dependencies.flat_map(|it| rows(it, members.as_ref())).collect();
        if !terminal.is_read_by_a_person() {
            terminal.print_lines(table(&[], &rows));
            continue;
        }
        let folder = project.folder.as_ref().map_or_else(|| ".".to_owned(), ToString::to_string);
        let gap = (index > 0).then(String::new);
        let title = format!("{} in {folder}: {}", project.ecosystem, summary(project, all));
        let heading: &[&str] = if used { &HEADING } else { HEADING.split_last().map_or(&[], |it| it.1) };
        let rows = table(heading, &rows);
        terminal.print_lines(gap.into_iter().chain([title]).chain(rows.map(|it| format!("  {it}"))));
    }
}

fn summary(project: &DependencyProject, all: bool) -> String {
    let count = |relation| project.dependencies.iter().filter(|it| it.relation == relation).count();
    let parts = [
        (count(Relation::Direct), "direct"),
        (count(Relation::Transitive), "transitive"),
        (count(Relation::Unlinked), "unlinked"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|it| it.0 > 0).map(|(count, word)| format!("{count} {word}")).collect();
    let hidden = count(Relation::Transitive) + count(Relation::Unlinked);
    let hint = if all || hidden == 0 { "" } else { " (`--all` lists them too)" };
    format!("{}{hint}", parts.join(", "))
}

/// A row for each entry of a manifest, or one for a package that only a lockfile names.
fn rows(dependency: &Dependency, members: Option<&Members>) -> Vec<Vec<String>> {
    let mut versions: Vec<&str> = dependency.resolved.iter().map(|it| it.version.as_str()).collect();
    versions.dedup();
    let has = if versions.is_empty() { format!("({})", dependency.state) } else { versions.join(", ") };
    let used_in =
        |entry: Option<&Declared>| members.map(|it| it.used_in(dependency, entry)).into_iter().collect();
    let of_entry = |it: &Declared| {
        let name = match &it.alias {
            Some(alias) => format!("{} as {alias}", dependency.name),
            None => dependency.name.clone(),
        };
        let asks = it.constraint.clone().unwrap_or_else(|| "-".to_owned());
        let asks = it.evaluated.as_ref().map_or(asks.clone(), |it| format!("{asks} = {it}"));
        let asks = it.published_in.as_ref().map_or(asks.clone(), |it| format!("{asks} by {it}"));
        let asks = it.condition.as_ref().map_or(asks.clone(), |it| format!("{asks} if {}", short(it)));
        let place = format!("{}:{}:{}", it.path, it.line, it.column);
        let has = it.settled.clone().unwrap_or_else(|| has.clone());
        [vec![name, asks, has, it.scope.clone(), place], used_in(Some(it))].concat()
    };
    if !dependency.declared.is_empty() {
        return dependency.declared.iter().map(of_entry).collect();
    }
    let place = dependency.resolved.first().map(|it| format!("{}:{}:{}", it.path, it.line, it.column));
    let relation = match dependency.relation {
        Relation::Direct => "direct",
        Relation::Transitive => "transitive",
        Relation::Unlinked => "unlinked",
    };
    let name = dependency.name.clone();
    vec![
        [vec![name, "-".to_owned(), has, relation.to_owned(), place.unwrap_or_default()], used_in(None)]
            .concat(),
    ]
}

/// As much of a condition as a row has room for; `--json` has all of it.
fn short(condition: &str) -> String {
    const LONGEST: usize = 48;
    let mut shown: String = condition.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = shown.char_indices().nth(LONGEST) {
        shown.truncate(end);
        shown.push('…');
    }
    shown
}

fn why(terminal: &mut Terminal, request: &ops::DependencyWhyRequest, json: bool) -> Result<Exit, OpError> {
    let response = with_world(terminal, |world| ops::dependency_why(world, request))?;
    let exit = exit(response.is_incomplete());
    if json {
        let found = response.found.iter().map(|it| Presence {
            ecosystem: it.ecosystem.name(),
            name: &it.name,
            version: it.version.as_deref(),
            path: it.place.as_ref().map(|it| &it.path),
            line: it.place.as_ref().map(|it| it.span.start.line),
            column: it.place.as_ref().map(|it| it.span.start.column),
            ways: it.ways.iter().map(|it| Way { declared: asked(it), steps: &it.steps }).collect(),
            ways_total: it.total,
        });
        let explained = Explained { found: found.collect(), diagnostics: diagnostics(&response.notes) };
        return print_json(terminal, &explained).map(|_| exit);
    }
    terminal.notes(&response.notes);
    let mut lines = Vec::new();
    for it in &response.found {
        let version =
            it.version.as_ref().map_or_else(|| " (version unknown)".to_owned(), |it| format!("@{it}"));
        let at = it.place.as_ref().map(place).unwrap_or_default();
        lines.push(format!("{}{version} ({}) {at}", it.name, it.ecosystem.name()));
        if it.ways.is_empty() {
            lines.push("  nothing that was read leads to it".to_owned());
        }
        for way in &it.ways {
            let asked = asked(way);
            let asked = asked.iter().map(|it| {
                let constraint = it.constraint.map(|it| format!(" `{it}`")).unwrap_or_default();
                format!("{}:{}:{} asks for{constraint} ({})", it.path, it.line, it.column, it.scope)
            });
            lines.extend(asked.map(|it| format!("  {it}")));
            lines.extend((!way.steps.is_empty()).then(|| format!("    {}", way.steps.join(" > "))));
        }
        let left = it.total - it.ways.len();
        lines.extend((left > 0).then(|| format!("  and {}", counted(left as u64, "longer way"))));
    }
    terminal.print_lines(lines.into_iter());
    Ok(exit)
}

fn asked(way: &ops::DependencyWay) -> Vec<Asked<'_>> {
    let of = way.declared.iter().map(|it| Asked {
        constraint: it.constraint.as_deref(),
        scope: it.scope.name(),
        path: &it.place.path,
        line: it.place.span.start.line,
        column: it.place.span.start.column,
    });
    of.collect()
}

fn place(place: &Location) -> String {
    format!("{}:{}", place.path, place.span.start)
}

fn diff(terminal: &mut Terminal, request: &ops::DependencyDiffRequest, json: bool) -> Result<Exit, OpError> {
    let response = with_world(terminal, |world| ops::dependency_diff(world, request))?;
    let exit = exit(response.is_incomplete());
    let changes: Vec<Change<'_>> = response
        .changes
        .iter()
        .map(|it| {
            let (before, after) = it.change.values();
            let (asked_before, asked_after) = it.change.constraints();
            Change {
                ecosystem: it.ecosystem.name(),
                name: &it.name,
                purl: &it.purl,
                change: it.change.name(),
                before: side(State::Base, before, asked_before, it.before.as_ref()),
                after: side(State::Current, after, asked_after, it.after.as_ref()),
                distance: it.change.distance().map(|it| it.name()),
            }
        })
        .collect();
    if json {
        let compared = Compared { base: &response.base, changes, diagnostics: diagnostics(&response.notes) };
        return print_json(terminal, &compared).map(|_| exit);
    }
    terminal.notes(&response.notes);
    let rows: Vec<Vec<String>> = changes
        .iter()
        .map(|it| {
            let side = if it.after.path.is_some() { &it.after } else { &it.before };
            let at = match (side.path, side.line, side.column) {
                (Some(path), Some(line), Some(column)) => format!("{path}:{line}:{column}"),
                (_, _, _) => String::new(),
            };
            let of = match side.of {
                State::Base if side.path.is_some() => " (in the base)",
                State::Base | State::Current => "",
            };
            let at = format!("{at}{of}");
            let distance = it.distance.map(|it| format!(" ({it})")).unwrap_or_default();
            let after = format!("{}{distance}", values(&it.after));
            vec![it.change.to_owned(), it.name.to_owned(), values(&it.before), after, at]
        })
        .collect();
    let heading: &[&str] =
        if terminal.is_read_by_a_person() { &["CHANGE", "NAME", "BEFORE", "AFTER", "PLACE"] } else { &[] };
    if rows.is_empty() && terminal.is_read_by_a_person() {
        terminal.print_lines(std::iter::once(format!("no dependency differs from {}", response.base)));
    } else {
        terminal.print_lines(table(heading, &rows));
    }
    Ok(exit)
}

/// What is asked for, with the versions behind it in brackets.
fn values(side: &Side<'_>) -> String {
    match (side.constraints.join(", "), side.values.join(", ")) {
        (asked, has) if asked.is_empty() && has.is_empty() => "-".to_owned(),
        (asked, has) if asked.is_empty() || asked == has => has,
        (asked, has) if has.is_empty() => asked,
        (asked, has) => format!("{asked} ({has})"),
    }
}

fn side<'r>(
    of: State,
    values: Vec<&'r str>,
    constraints: Vec<&'r str>,
    place: Option<&'r Location>,
) -> Side<'r> {
    Side {
        of,
        values,
        constraints,
        path: place.map(|it| &it.path),
        line: place.map(|it| it.span.start.line),
        column: place.map(|it| it.span.start.column),
    }
}
