//! Running a command and showing what came of it.

use std::process::ExitCode;

use clap::CommandFactory as _;
use serde::Serialize;

use super::args::{self, Command, Cortex, Format};
use super::deps;
use super::environment;
use super::exit::Exit;
use super::graph;
use super::history;
use super::impact;
use super::output::Terminal;
use super::precision;
use super::progress::Line;
use super::query;
use crate::bundle::Bundle;
use crate::config::Origin;
use crate::model::{LayerState, counted};
use crate::ops::{self, ExplainResponse, OpError, Question, Written};
use crate::report;

/// Any command of `cortex`.
pub fn command(terminal: &mut Terminal, command: Command) -> ExitCode {
    let shown = match command {
        Command::Scan(arguments) => return scan(terminal, &arguments),
        Command::Bundle(args::Bundle::Verify(request)) => verify(terminal, &request),
        Command::Bundle(args::Bundle::Show { request, format }) => show(terminal, &request, format),
        Command::Rewrite(args::Rewrite::Apply { request, json }) => apply(terminal, &request, json),
        Command::Config(args::Config::Show { request, origin }) => config(terminal, &request, origin),
        Command::Config(args::Config::Schema) => schema(terminal),
        Command::Definition(arguments) => precision::position(terminal, Question::Definition, &arguments),
        Command::References(arguments) => precision::position(terminal, Question::References, &arguments),
        Command::Implementations(arguments) => {
            precision::position(terminal, Question::Implementations, &arguments)
        }
        Command::Symbol(arguments) => precision::symbol(terminal, &arguments),
        Command::Index(arguments) => precision::index(terminal, &arguments),
        Command::PrecisionStatus(arguments) => precision::status(terminal, &arguments),
        Command::Deps(arguments) => deps::command(terminal, &arguments),
        Command::Impact(arguments) => impact::impact(terminal, &arguments),
        Command::Tests(arguments) => impact::tests(terminal, &arguments),
        Command::History(arguments) => history::command(terminal, &arguments),
        Command::Query(arguments) => query::query(terminal, &arguments),
        Command::Route(arguments) => query::route(terminal, &arguments),
        Command::Graph(arguments) => graph::command(terminal, &arguments),
        Command::Doctor(arguments) => doctor(terminal, &arguments),
        Command::Explain(request) => explain(terminal, &request),
        Command::Completions { shell } => completions(terminal, shell),
    };
    let exit = shown.unwrap_or_else(|error| terminal.error(&error));
    terminal.end(exit)
}

/// Runs an operation in a world with a progress line.
pub fn with_world<T>(terminal: &Terminal, run: impl FnOnce(&ops::World<'_>) -> T) -> T {
    let line = Line::new(terminal.is_watched());
    let listener = |progress| line.hear(progress);
    let world =
        ops::World { now: environment::now(), environment: environment::environment(), listener: &listener };
    let result = run(&world);
    line.end();
    result
}

/// The scan of both programs.
pub fn scan(terminal: &mut Terminal, arguments: &args::Scan) -> ExitCode {
    let exit = match with_world(terminal, |world| ops::scan(world, &arguments.request)) {
        Ok(response) => scanned(terminal, arguments, &response),
        Err(error) => terminal.error(&error),
    };
    terminal.end(exit)
}

fn scanned(terminal: &mut Terminal, arguments: &args::Scan, response: &ops::ScanResponse) -> Exit {
    let exit = match print(terminal, &response.bundle, arguments.format) {
        Ok(()) => Exit::from(response.bundle.manifest.verdict.outcome),
        Err(error) => terminal.error(&error),
    };
    let mut lost = None;
    match &response.written {
        Ok(folder) if arguments.format == Format::Human => {
            terminal.warn(&format!("bundle: {}", folder.display()));
        }
        Ok(_) => {}
        Err(error) => lost = Some(terminal.error(error)),
    }
    match &response.next {
        Some(Ok(id)) if arguments.format == Format::Human => {
            terminal.warn(&format!("apply it with: cortex rewrite apply {id} --apply"));
        }
        Some(Err(error)) => lost = Some(terminal.error(error)),
        Some(Ok(_)) | None => {}
    }
    let exit = lost.unwrap_or(exit);
    if exit == Exit::Findings && arguments.exit_zero { Exit::Clean } else { exit }
}

fn print(terminal: &mut Terminal, bundle: &Bundle, format: Format) -> Result<(), OpError> {
    if format == Format::Human {
        let text = report::terminal(bundle, terminal.colours());
        terminal.print(text.as_bytes());
        return Ok(());
    }
    let row = report::FORMATS.iter().find(|it| it.name == format.name());
    let row = row
        .ok_or_else(|| OpError::usage("format_unknown", format!("there is no report `{}`", format.name())))?;
    let bytes = (row.render)(bundle).map_err(|it| OpError::incomplete("report_unwritten", it))?;
    terminal.print(&bytes);
    Ok(())
}

fn verify(terminal: &mut Terminal, request: &ops::VerifyRequest) -> Result<Exit, OpError> {
    let response = with_world(terminal, |world| ops::verify(world, request))?;
    let digest = response.manifest.bundle_digest.map(|it| it.to_string()).unwrap_or_default();
    let parts = counted(response.manifest.parts.len() as u64, "part");
    terminal.print(format!("verified: {parts}, bundle_digest {digest}\n").as_bytes());
    Ok(Exit::Clean)
}

fn show(terminal: &mut Terminal, request: &ops::ShowRequest, format: Format) -> Result<Exit, OpError> {
    let shown = with_world(terminal, |world| ops::show(world, request))?;
    print(terminal, &shown.bundle, format)?;
    Ok(Exit::Clean)
}

/// The result of applying, for programs.
#[derive(Serialize)]
struct Applied<'r> {
    id: &'r str,
    applied: bool,
    files: Vec<String>,
    matches: usize,
}

fn apply(terminal: &mut Terminal, request: &ops::ApplyRequest, json: bool) -> Result<Exit, OpError> {
    let response = with_world(terminal, |world| ops::apply(world, request))?;
    let preview = &response.preview;
    let applied = response.written == Written::Everything;
    if json {
        let files = preview.files.iter().map(|it| it.path.to_string()).collect();
        let result = Applied { id: &preview.id, applied, files, matches: preview.matches() };
        return print_json(terminal, &result);
    }
    let (matches, files) = (preview.matches() as u64, preview.files.len() as u64);
    let amount = format!("{} in {}", counted(matches, "match"), counted(files, "file"));
    let last = match response.written {
        Written::Everything => format!("written: {amount}"),
        Written::Nothing => format!("verified, nothing written: {amount}; add --apply to write"),
    };
    let paths = preview.files.iter().map(|it| it.path.to_string());
    terminal.print_lines(paths.chain(std::iter::once(last)));
    Ok(Exit::Clean)
}

pub fn print_json(terminal: &mut Terminal, value: &impl Serialize) -> Result<Exit, OpError> {
    let mut text =
        serde_json::to_string_pretty(value).map_err(|it| OpError::incomplete("report_unwritten", it))?;
    text.push('\n');
    terminal.print(report::escape_json(&text).as_bytes());
    Ok(Exit::Clean)
}

fn config(terminal: &mut Terminal, request: &ops::ConfigRequest, origin: bool) -> Result<Exit, OpError> {
    let response = with_world(terminal, |world| ops::show_config(world, request))?;
    let file = response.file.as_deref().unwrap_or_default();
    terminal.print_lines(response.entries.iter().map(|entry| {
        let from = match entry.origin {
            Origin::Default => "default".to_owned(),
            Origin::File { line, column } => format!("{file}:{line}:{column}"),
        };
        let setting = format!("{} = {}", entry.key, entry.value);
        if origin { format!("{setting}  # {from}") } else { setting }
    }));
    for note in &response.notes {
        let place = match (&note.path, note.line, note.column) {
            (Some(path), Some(line), Some(column)) => format!("{path}:{line}:{column}: "),
            (Some(path), _, _) => format!("{path}: "),
            (None, _, _) => String::new(),
        };
        terminal.warn(&format!("note: {place}{} [{}]", note.message, note.code));
    }
    Ok(if response.is_unusable { Exit::Usage } else { Exit::Clean })
}

fn schema(terminal: &mut Terminal) -> Result<Exit, OpError> {
    print_json(terminal, &ops::schema())
}

/// A row of the doctor, for programs.
#[derive(Serialize)]
struct DoctorRow<'r> {
    name: &'r str,
    status: &'r LayerState,
    detail: &'r str,
}

fn doctor(terminal: &mut Terminal, arguments: &args::Doctor) -> Result<Exit, OpError> {
    let response = with_world(terminal, |world| ops::doctor(world, &arguments.request))?;
    if arguments.json {
        let rows =
            response.rows.iter().map(|it| DoctorRow { name: it.name, status: &it.state, detail: &it.detail });
        return print_json(terminal, &rows.collect::<Vec<_>>());
    }
    let width = response.rows.iter().map(|it| it.name.len()).max().unwrap_or(0);
    let state = response.rows.iter().map(|it| it.word().len()).max().unwrap_or(0);
    let rows = response.rows.iter();
    terminal.print_lines(rows.map(|it| format!("{:width$}  {:state$}  {}", it.name, it.word(), it.detail)));
    Ok(Exit::Clean)
}

fn explain(terminal: &mut Terminal, request: &ops::ExplainRequest) -> Result<Exit, OpError> {
    match with_world(terminal, |world| ops::explain(world, request))? {
        ExplainResponse::Text { title, text } => {
            let lines = text.lines().map(|it| format!("  {it}"));
            terminal.print_lines(std::iter::once(title).chain(lines));
        }
        ExplainResponse::Names(groups) => {
            terminal.print_lines(groups.into_iter().flat_map(|(group, names)| {
                std::iter::once(group.to_owned()).chain(names.into_iter().map(|it| format!("  {it}")))
            }));
        }
    }
    Ok(Exit::Clean)
}

fn completions(terminal: &mut Terminal, shell: clap_complete::Shell) -> Result<Exit, OpError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cortex::command(), "cortex", &mut script);
    terminal.print(&script);
    Ok(Exit::Clean)
}
