//! The command line: arguments in, text and an exit status out.
//!
//! stdout carries results, stderr carries words about the run. This is the only place that reads the clock and the
//! environment, and the only one that prints.

mod args;
mod deps;
mod docs;
mod environment;
mod exit;
mod graph;
mod history;
mod impact;
mod output;
mod precision;
mod progress;
mod query;
mod runner;
mod show;
mod table;
mod used;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser as _;

use args::{Cortex, CortexScan};
use output::Terminal;

/// The program `cortex`, with every operation.
pub fn cortex(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    match Cortex::try_parse_from(&arguments) {
        Ok(parsed) => {
            let mut terminal = Terminal::new(parsed.colour);
            show::command(&mut terminal, parsed.command)
        }
        Err(error) => output::usage(&error, &arguments),
    }
}

/// The program `cortex-scan`: the pipeline alone, for hooks and automation.
pub fn cortex_scan(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    match CortexScan::try_parse_from(&arguments) {
        Ok(parsed) => {
            let mut terminal = Terminal::new(parsed.colour);
            show::scan(&mut terminal, &parsed.scan)
        }
        Err(error) => output::usage(&error, &arguments),
    }
}
