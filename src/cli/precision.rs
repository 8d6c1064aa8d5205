//! The commands that ask a precision index.

use serde::Serialize;

use super::args;
use super::exit::Exit;
use super::output::Terminal;
use super::show::{print_json, with_world};
use crate::model::{Evidence, LayerState, Reason, SymbolId};
use crate::ops::{self, OpError, PrecisionResponse, Question};

/// An answer, for programs.
#[derive(Serialize)]
struct Answered<'r> {
    state: &'static str,
    reason: Option<&'r Reason>,
    symbol: Option<&'r SymbolId>,
    results: &'r [Evidence],
}

/// The state of the layer, for programs.
#[derive(Serialize)]
struct Standing<'r> {
    state: &'static str,
    reason: Option<&'r Reason>,
    index: Option<Held<'r>>,
}

/// What an index holds.
#[derive(Serialize)]
struct Held<'r> {
    path: &'r str,
    indexer: &'r str,
    indexer_version: &'r str,
    documents: usize,
    symbols: usize,
    occurrences: usize,
    malformed: usize,
    position_encoding: &'r str,
    freshness: &'r str,
    stale_documents: usize,
}

pub fn position(
    terminal: &mut Terminal,
    question: Question,
    arguments: &args::Position,
) -> Result<Exit, OpError> {
    let response = with_world(terminal, |world| ops::position(world, question, &arguments.request))?;
    answered(terminal, &response, arguments.json)
}

pub fn symbol(terminal: &mut Terminal, arguments: &args::Symbol) -> Result<Exit, OpError> {
    let response = with_world(terminal, |world| ops::symbol(world, &arguments.request))?;
    answered(terminal, &response, arguments.json)
}

fn answered(terminal: &mut Terminal, response: &PrecisionResponse, json: bool) -> Result<Exit, OpError> {
    let reason = reason_of(&response.state).or(response.gap.as_ref());
    if json {
        let (symbol, results) = (response.symbol.as_ref(), response.results.as_slice());
        return print_json(terminal, &Answered { state: response.state.name(), reason, symbol, results });
    }
    for reason in [reason_of(&response.state), response.gap.as_ref()].into_iter().flatten() {
        terminal.warn(&format!("{}: {} [{}]", response.state.name(), reason.message, reason.code));
    }
    terminal.print_lines(response.results.iter().map(|it| {
        let stale = if it.is_stale() { ", stale" } else { "" };
        let (path, start) = (&it.place.path, it.place.span.start);
        format!("{path}:{start}: {} [{}{stale}]", it.message.as_str(), it.tier().name())
    }));
    Ok(Exit::Clean)
}

pub fn status(terminal: &mut Terminal, arguments: &args::PrecisionStatus) -> Result<Exit, OpError> {
    let response = with_world(terminal, |world| ops::precision_status(world, &arguments.request))?;
    let reason = reason_of(&response.state);
    let index = response.index.as_ref().map(|(path, it)| Held {
        path,
        indexer: &it.tool,
        indexer_version: &it.version,
        documents: it.documents,
        symbols: it.symbols,
        occurrences: it.occurrences,
        malformed: it.malformed,
        position_encoding: &it.encoding,
        freshness: it.freshness,
        stale_documents: it.stale,
    });
    if arguments.json {
        return print_json(terminal, &Standing { state: response.state.name(), reason, index });
    }
    let mut lines = vec![format!("state      {}", response.state.name())];
    lines.extend(reason.map(|it| format!("reason     {} [{}]", it.message, it.code)));
    if let Some(it) = index {
        lines.extend([
            format!("index      {}", it.path),
            format!("indexer    {} {}", it.indexer, it.indexer_version),
            format!("documents  {} ({} not proven current)", it.documents, it.stale_documents),
            format!("symbols    {}", it.symbols),
            format!("places     {} ({} malformed and left out)", it.occurrences, it.malformed),
            format!("columns    {}", it.position_encoding),
            format!("freshness  {}", it.freshness),
        ]);
    }
    terminal.print_lines(lines.into_iter());
    Ok(Exit::Clean)
}

pub fn seal(terminal: &mut Terminal, request: &ops::SealRequest) -> Result<Exit, OpError> {
    let sealed = with_world(terminal, |world| ops::seal(world, request))?;
    let raced = match sealed.raced {
        0 => String::new(),
        raced => {
            format!("; {raced} are not older than the index and stay stale: run the indexer, then seal again")
        }
    };
    let line = format!("written: {} ({} documents{raced})", sealed.written, sealed.documents);
    terminal.print_lines(std::iter::once(line));
    Ok(Exit::Clean)
}

const fn reason_of(state: &LayerState) -> Option<&Reason> {
    match state {
        LayerState::Available => None,
        LayerState::Stale { reason }
        | LayerState::Unavailable { reason }
        | LayerState::Disabled { reason } => Some(reason),
    }
}
