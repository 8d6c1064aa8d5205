//! The commands that take a question in words.

use serde::Serialize;

use super::args;
use super::exit::Exit;
use super::output::Terminal;
use super::precision::reason_of;
use super::show::{print_json, with_world};
use crate::model::{Evidence, EvidenceId, LayerState, Reason, RepoPath};
use crate::ops::{self, OpError, Routed};

/// A route, for programs.
#[derive(Serialize)]
struct Planned<'r> {
    question: &'r str,
    layers: Vec<Step<'r>>,
    /// The package whose documentation a remote provider may be asked for.
    remote: Option<&'r str>,
    preview: Option<&'r str>,
}

#[derive(Serialize)]
struct Step<'r> {
    layer: &'r str,
    reason: &'r str,
}

/// An answer, for programs.
#[derive(Serialize)]
struct Answered<'r> {
    route: Planned<'r>,
    budget: u32,
    /// What the answer comes to when it is printed.
    tokens: usize,
    precision: Option<&'r LayerState>,
    reason: Option<&'r Reason>,
    items: Vec<Item<'r>>,
    left_out: Vec<LeftOut>,
    next: &'r [String],
    evidence: &'r [Evidence],
}

#[derive(Serialize)]
struct Item<'r> {
    path: &'r RepoPath,
    title: &'r str,
    lines: Vec<Line<'r>>,
    evidence: &'r [EvidenceId],
}

#[derive(Serialize)]
struct Line<'r> {
    /// None for a statement that is no line of the file.
    line: Option<u32>,
    text: &'r str,
}

#[derive(Serialize)]
struct LeftOut {
    what: &'static str,
    count: usize,
}

pub fn route(terminal: &mut Terminal, arguments: &args::Route) -> Result<Exit, OpError> {
    let routed = with_world(terminal, |world| ops::route(world, &arguments.request))?;
    if arguments.json {
        return print_json(terminal, &planned(&routed));
    }
    let steps = routed.route.steps.iter().map(|it| format!("{:<13} {}", it.layer.name(), it.reason));
    let remote = routed.route.remote.iter().map(|it| {
        format!("{:<13} only for `{it}`, and only where a remote provider is switched on", "remote")
    });
    let preview = routed.route.preview.iter().map(|it| format!("{:<13} {it}", "command"));
    terminal.print_lines(steps.chain(remote).chain(preview));
    Ok(Exit::Clean)
}

fn planned(routed: &Routed) -> Planned<'_> {
    let steps = routed.route.steps.iter();
    Planned {
        question: &routed.question,
        layers: steps.map(|it| Step { layer: it.layer.name(), reason: it.reason }).collect(),
        remote: routed.route.remote.as_deref(),
        preview: routed.route.preview,
    }
}

pub fn query(terminal: &mut Terminal, arguments: &args::Query) -> Result<Exit, OpError> {
    let response = with_world(terminal, |world| ops::query(world, &arguments.request))?;
    if arguments.json {
        return print_json(terminal, &answered(&response, arguments.request.budget));
    }
    let layers: Vec<&str> = response.routed.route.steps.iter().map(|it| it.layer.name()).collect();
    terminal.warn(&format!("asked: {}", layers.join(", ")));
    if let Some(reason) = response.precision.as_ref().and_then(reason_of) {
        terminal.warn(&format!("precision: {} [{}]", reason.message, reason.code));
    }
    if let Some(reason) = &response.gap {
        terminal.warn(&format!("note: {} [{}]", reason.message, reason.code));
    }
    terminal.print(response.answer.text.as_bytes());
    for next in &response.next {
        terminal.warn(next);
    }
    Ok(Exit::Clean)
}

fn answered(response: &ops::QueryResponse, budget: u32) -> Answered<'_> {
    let items = response.answer.items.iter().map(|it| Item {
        path: &it.section.path,
        title: &it.section.title,
        lines: it.lines.iter().map(|it| Line { line: it.number, text: &it.text }).collect(),
        evidence: &it.evidence,
    });
    let left_out = response.answer.left_out.iter();
    Answered {
        route: planned(&response.routed),
        budget,
        tokens: response.tokens,
        precision: response.precision.as_ref(),
        reason: response.gap.as_ref(),
        items: items.collect(),
        left_out: left_out.map(|(sort, count)| LeftOut { what: sort.names().1, count: *count }).collect(),
        next: &response.next,
        evidence: &response.answer.evidence,
    }
}
