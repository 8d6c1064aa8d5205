//! The commands that show what a change reaches.

use serde::Serialize;

use super::args;
use super::exit::Exit;
use super::output::Terminal;
use super::precision::reason_of;
use super::runner;
use super::show::{print_json, with_world};
use crate::bundle::{AffectedTest, Impact, Partner};
use crate::model::{Note, RepoPath, SymbolId, counted};
use crate::ops::{self, OpError};
use crate::report;

/// The tests of a change, for programs.
#[derive(Serialize)]
struct Listed<'r> {
    tests: &'r [AffectedTest],
    left_out: usize,
    partners: &'r [Partner],
    blind_spots: &'r [Note],
}

pub fn impact(terminal: &mut Terminal, arguments: &args::Impact) -> Result<Exit, OpError> {
    let response = with_world(terminal, |world| ops::impact(world, &arguments.request))?;
    if arguments.json {
        return print_json(terminal, &response.impact);
    }
    if let Some(reason) = reason_of(&response.precision) {
        terminal.warn(&format!("precision: {} [{}]", reason.message, reason.code));
    }
    terminal.notes(&response.notes);
    terminal.print_lines(lines(&response.impact).into_iter());
    Ok(Exit::Clean)
}

/// More than these are counted, not listed.
const MOST_LISTED: usize = 40;

fn lines(impact: &Impact) -> Vec<String> {
    let mut lines = Vec::new();
    let title = |count: usize, one: &str, what: &str| format!("{} {what}", counted(count as u64, one));
    lines.push(title(impact.changed.len(), "symbol", "changed"));
    lines.extend(listed(
        impact.changed.len(),
        impact
            .changed
            .iter()
            .map(|it| format!("  {} {}", it.change.name(), named(&it.symbol, &it.path, it.start_line))),
    ));
    lines.push(title(impact.affected.len(), "symbol", "affected"));
    lines.extend(listed(
        impact.affected.len(),
        impact.affected.iter().map(|it| {
            let steps = counted(u64::from(it.distance), "step");
            format!("  {} ({steps}, {})", named(&it.symbol, &it.path, it.line), it.trust.name())
        }),
    ));
    lines.push(title(impact.tests.len(), "test", "reached"));
    lines.extend(listed(
        impact.tests.len(),
        impact.tests.iter().map(|it| {
            let name = it.name.as_ref().map(|it| format!("::{it}")).unwrap_or_default();
            format!("  {}{name} ({}, {})", it.path, counted(it.via.len() as u64, "step"), it.trust.name())
        }),
    ));
    if !impact.blind_spots.is_empty() {
        lines.push("what could not be seen".to_owned());
        let spots = impact.blind_spots.iter().map(|it| format!("  {it}"));
        lines.extend(listed(impact.blind_spots.len(), spots));
    }
    if !impact.partners.is_empty() {
        lines.push("mostly changed too, and not here".to_owned());
        let partners = impact.partners.iter().map(|it| format!("  {}", report::partner(it)));
        lines.extend(listed(impact.partners.len(), partners));
    }
    lines.extend(impact.risk.iter().flat_map(report::risk));
    lines
}

/// A place and what it is called; a file has no name of its own.
fn named(symbol: &SymbolId, path: &RepoPath, line: u32) -> String {
    match symbol.qualified() {
        "" => format!("{path}:{line} (the file)"),
        name => format!("{path}:{line} {name}"),
    }
}

fn listed(count: usize, all: impl Iterator<Item = String>) -> Vec<String> {
    let mut shown: Vec<String> = all.take(MOST_LISTED).collect();
    if count > MOST_LISTED {
        shown.push(format!("  and {} more; `--json` lists them", count - MOST_LISTED));
    }
    shown
}

pub fn tests(terminal: &mut Terminal, arguments: &args::Tests) -> Result<Exit, OpError> {
    let response = with_world(terminal, |world| ops::tests(world, &arguments.request))?;
    if arguments.json {
        let (tests, blind_spots) = (response.tests.as_slice(), response.blind_spots.as_slice());
        let (left_out, partners) = (response.left_out, response.partners.as_slice());
        return print_json(terminal, &Listed { tests, left_out, partners, blind_spots });
    }
    terminal.notes(&response.blind_spots);
    for partner in &response.partners {
        terminal.warn(&format!("mostly changed too, and not here: {}", report::partner(partner)));
    }
    if response.left_out > 0 {
        terminal.warn(&format!("{} left out", counted(response.left_out as u64, "test")));
    }
    terminal.print_lines(runner::lines(arguments.format, &response.tests).into_iter());
    Ok(Exit::Clean)
}
