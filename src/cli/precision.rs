//! The commands that ask a precision index.

use serde::Serialize;

use super::args;
use super::exit::Exit;
use super::output::Terminal;
use super::show::{print_json, with_world};
use crate::model::{Evidence, LayerState, Reason, SymbolId, counted};
use crate::ops::{self, OpError, PrecisionResponse, Question, SealWritten};

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
    hashed_files: usize,
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
        hashed_files: it.hashed,
    });
    let unkept = response.index.as_ref().and_then(|(_, it)| it.unkept.as_deref());
    if let Some(why) = unkept {
        terminal
            .warn(&format!("the state of the files could not be kept, so each look reads them again: {why}"));
    }
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
            format!("hashed     {} files", it.hashed_files),
        ]);
    }
    terminal.print_lines(lines.into_iter());
    Ok(Exit::Clean)
}

pub fn index(terminal: &mut Terminal, arguments: &args::Index) -> Result<Exit, OpError> {
    let sealed = with_world(terminal, |world| match &arguments.command {
        None => ops::make_index(world, &arguments.request),
        Some(args::IndexCommand::Generate(request)) => ops::generate(world, request),
        Some(args::IndexCommand::Seal(request)) => ops::seal(world, request),
    })?;
    let what = match sealed.written {
        SealWritten::New => "written",
        SealWritten::Kept => "kept",
    };
    let stale = match sealed.stale {
        0 => String::new(),
        stale => format!("; {stale} not proven current, `cortex precision-status` says why"),
    };
    let seal = format!("{what}: {} ({}{stale})", sealed.seal, counted(sealed.documents as u64, "document"));
    let index = sealed.generated.iter().map(|it| format!("written: {it}"));
    terminal.print_lines(index.chain(std::iter::once(seal)));
    if sealed.raced > 0 {
        let (raced, cause) = (sealed.raced, "changed since the index was begun and stay stale");
        terminal.warn(&format!("{raced} files {cause}: run the indexer once more"));
    }
    if let Some(why) = sealed.unkept {
        terminal
            .warn(&format!("the state of the files could not be kept, so each look reads them again: {why}"));
    }
    Ok(Exit::Clean)
}

/// Why a layer is not wholly there.
pub const fn reason_of(state: &LayerState) -> Option<&Reason> {
    match state {
        LayerState::Available => None,
        LayerState::Stale { reason }
        | LayerState::Unavailable { reason }
        | LayerState::Disabled { reason } => Some(reason),
    }
}
