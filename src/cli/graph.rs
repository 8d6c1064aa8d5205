//! The commands that show the graph.

use serde::Serialize;

use super::args;
use super::exit::Exit;
use super::output::Terminal;
use super::precision::reason_of;
use super::show::with_world;
use crate::model::{Location, RepoPath};
use crate::ops::{self, GraphEdge, OpError};
use crate::report;

/// An edge, for programs: one on a line.
#[derive(Serialize)]
struct Line<'e> {
    from: Place<'e>,
    to: Place<'e>,
    source: &'e str,
    target: &'e str,
    kind: &'e str,
    resolution: &'e str,
    trust: &'e str,
    confidence: f64,
}

#[derive(Serialize)]
struct Place<'e> {
    path: &'e RepoPath,
    line: u32,
    column: u32,
}

pub fn command(terminal: &mut Terminal, command: &args::Graph) -> Result<Exit, OpError> {
    let args::Graph::Edges { request, json } = command;
    let response = with_world(terminal, |world| ops::graph_edges(world, request))?;
    if let Some(reason) = response.precision.as_ref().and_then(reason_of) {
        terminal.warn(&format!("precision: {} [{}]", reason.message, reason.code));
    }
    let lines = response.edges.iter().map(|it| if *json { machine(it) } else { Ok(person(it)) });
    let lines = lines.collect::<Result<Vec<String>, _>>();
    let lines = lines.map_err(|it| OpError::incomplete("report_unwritten", it))?;
    terminal.print_lines(lines.into_iter());
    Ok(Exit::Clean)
}

fn machine(edge: &GraphEdge) -> Result<String, serde_json::Error> {
    let text = serde_json::to_string(&Line {
        from: place(&edge.from),
        to: place(&edge.to),
        source: edge.source.as_str(),
        target: edge.target.as_str(),
        kind: edge.kind,
        resolution: edge.resolution.name(),
        trust: edge.tier.name(),
        confidence: edge.confidence.get(),
    })?;
    Ok(report::escape_json(&text).into_owned())
}

fn place(at: &Location) -> Place<'_> {
    Place { path: &at.path, line: at.span.start.line, column: at.span.start.column }
}

fn person(edge: &GraphEdge) -> String {
    let (from, to) = (&edge.from, &edge.to);
    format!(
        "{}:{}: {} {} at {}:{} [{}, {}]",
        from.path,
        from.span.start,
        edge.kind,
        edge.target,
        to.path,
        to.span.start,
        edge.tier.name(),
        edge.resolution.name(),
    )
}
