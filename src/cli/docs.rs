//! The command that says what an installed package declares.

use serde::Serialize;

use super::deps::{Diagnostic, diagnostics};
use super::exit::Exit;
use super::output::Terminal;
use super::show::{print_json, with_world};
use crate::model::{RepoPath, Timestamp, counted};
use crate::ops::{self, DocsOutcome, Documented, OpError};

/// The answer, for programs.
#[derive(Serialize)]
struct Answer<'r> {
    packages: Vec<Package<'r>>,
    remote: Remote<'r>,
    diagnostics: Vec<Diagnostic<'r>>,
}

#[derive(Serialize)]
struct Package<'r> {
    ecosystem: &'r str,
    name: &'r str,
    project: Option<&'r RepoPath>,
    resolved: &'r [String],
    installed: Option<&'r str>,
    state: &'r str,
    version_exact: bool,
    declarations: Vec<Declaration<'r>>,
    declarations_total: usize,
    complete: bool,
}

#[derive(Serialize)]
struct Declaration<'r> {
    path: &'r str,
    line: u32,
    column: u32,
    name: &'r str,
    kind: &'r str,
    signature: &'r str,
    documentation: Option<&'r str>,
    deprecated: Option<Deprecated<'r>>,
}

#[derive(Serialize)]
struct Deprecated<'r> {
    note: &'r str,
}

/// What the remote provider says. Text and code of it are others' words about a library, and no instructions.
#[derive(Serialize)]
struct Remote<'r> {
    state: &'r str,
    detail: Option<String>,
    library: Option<&'r str>,
    label: Option<&'r str>,
    version_exact: bool,
    stale: bool,
    kept_since: Option<Timestamp>,
    snippets: Vec<Snippet<'r>>,
}

#[derive(Serialize)]
struct Snippet<'r> {
    title: &'r str,
    text: &'r str,
    code: Vec<Code<'r>>,
    source: &'r str,
}

#[derive(Serialize)]
struct Code<'r> {
    language: &'r str,
    code: &'r str,
}

/// How many declarations people are shown; `--json` has more.
const SHOWN: usize = 40;

pub fn command(terminal: &mut Terminal, request: &ops::DocsRequest, json: bool) -> Result<Exit, OpError> {
    let response = with_world(terminal, |world| ops::docs(world, request))?;
    if json {
        let packages = response.packages.iter().map(package).collect();
        let remote = remote(&response.remote);
        let answer = Answer { packages, remote, diagnostics: diagnostics(&response.notes) };
        return print_json(terminal, &answer).map(|_| Exit::Clean);
    }
    terminal.notes(&response.notes);
    let remote = remote_lines(&response.remote);
    let lines = response.packages.iter().flat_map(|it| lines(it, request.query.as_deref()));
    terminal.print_lines(lines.chain(remote));
    Ok(Exit::Clean)
}

fn remote(outcome: &DocsOutcome) -> Remote<'_> {
    let answer = outcome.answer.as_ref();
    let snippets = answer.into_iter().flat_map(|it| &it.snippets).map(|it| Snippet {
        title: &it.title,
        text: &it.text,
        code: it.code.iter().map(|(language, code)| Code { language, code }).collect(),
        source: &it.source,
    });
    Remote {
        state: outcome.state.name(),
        detail: outcome.state.detail(),
        library: answer.map(|it| it.library.as_str()),
        label: answer.and_then(|it| it.label.as_deref()),
        version_exact: answer.is_some_and(|it| it.version_exact),
        stale: outcome.is_stale,
        kept_since: outcome.kept_since,
        snippets: snippets.collect(),
    }
}

/// Nothing while the provider is off: that is how it is by default.
fn remote_lines(outcome: &DocsOutcome) -> Vec<String> {
    let state = &outcome.state;
    if state.name() == "disabled" {
        return Vec::new();
    }
    let detail = state.detail().map(|it| format!(": {it}")).unwrap_or_default();
    let unavailable = if outcome.answer.is_some() { "" } else { "docs unavailable: " };
    let mut lines = vec![format!("remote: {unavailable}{}{detail}", state.name())];
    let Some(answer) = &outcome.answer else { return lines };
    let about = match (&answer.label, answer.version_exact) {
        (Some(label), true) => format!("version {label}"),
        (Some(label), false) => format!("version {label}, of a library that is called differently"),
        (None, _) => "its default documentation, not that of the project's version".to_owned(),
    };
    let age = outcome.kept_since.map(|it| format!(", kept since {it}")).unwrap_or_default();
    let stale = if outcome.is_stale { ", out of date" } else { "" };
    lines.push(format!("  {}: {about}{age}{stale}", answer.library));
    for it in &answer.snippets {
        lines.push(format!("  {}", it.title));
        let code = it.code.iter().flat_map(|(_, code)| code.lines());
        lines.extend(it.text.lines().chain(code).map(|it| format!("    {it}")));
    }
    lines
}

fn package(found: &Documented) -> Package<'_> {
    let declarations = found.listing.declarations.iter().map(|it| Declaration {
        path: &it.path,
        line: it.line,
        column: it.column,
        name: &it.name,
        kind: it.kind,
        signature: &it.signature,
        documentation: it.documentation.as_deref(),
        deprecated: it.deprecated.as_ref().map(|it| Deprecated { note: &it.note }),
    });
    Package {
        ecosystem: found.ecosystem,
        name: &found.name,
        project: found.project.as_ref(),
        resolved: &found.resolved,
        installed: found.installed.as_deref(),
        state: found.state.name(),
        version_exact: found.is_exact(),
        declarations: declarations.collect(),
        declarations_total: found.listing.total,
        complete: found.listing.is_complete(),
    }
}

fn lines(found: &Documented, query: Option<&str>) -> Vec<String> {
    let folder = found.project.as_ref().map_or_else(|| ".".to_owned(), ToString::to_string);
    let has =
        if found.resolved.is_empty() { "no known version".to_owned() } else { found.resolved.join(", ") };
    let installed = match (&found.installed, found.is_exact()) {
        (None, _) => "not installed here, so nothing is known of its declarations".to_owned(),
        (Some(_), true) => "installed in that version".to_owned(),
        (Some(it), false) if found.resolved.is_empty() => {
            format!("{it} is installed, which no lockfile confirms")
        }
        (Some(it), false) => format!("{it} is installed, which says nothing about that version"),
    };
    let mut lines = vec![format!("{} ({}) in {folder}: {has}; {installed}", found.name, found.ecosystem)];
    for it in found.listing.declarations.iter().take(SHOWN) {
        lines.push(format!("  {}:{}  {}", it.path, it.line, it.signature));
        if let Some(deprecated) = &it.deprecated {
            let note =
                if deprecated.note.is_empty() { String::new() } else { format!(": {}", deprecated.note) };
            lines.push(format!("    deprecated{note}"));
        }
        let first =
            it.documentation.as_deref().and_then(|it| it.lines().map(str::trim).find(|it| !it.is_empty()));
        lines.extend(first.filter(|it| !it.starts_with('@')).map(|it| format!("    {it}")));
    }
    if found.is_looked_into() && found.listing.total == 0 {
        lines.push(match query {
            Some(query) => format!("  nothing matches `{query}`"),
            None => "  nothing was found that others can name".to_owned(),
        });
    }
    let more = found.listing.total.saturating_sub(SHOWN);
    if more > 0 {
        lines.push(format!(
            "  and {} more; name one of them, or use `--json`",
            counted(more as u64, "declaration")
        ));
    }
    if found.listing.is_cut {
        lines.push("  the package is larger than is read, so that some may be missing".to_owned());
    }
    lines
}
