//! The project's indexer: whether it may run, and what comes of it.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::OpError;
use super::settings::Settings;
use super::world::Environment;
use crate::model::Redacted;
use crate::precision::{self, IndexFile, Refusal};
use crate::system::{self, Root, Scratch, Status, Unread};

/// Code and explanation.
pub const CODES: &[(&str, &str)] = &[
    (
        "generator_blocked",
        "The configuration names an indexer, but it comes with the files under review, which must not choose programs. \
         Name it with `--config`, or set CORTEX_APPROVE_COMMANDS=1 in the environment of the run.",
    ),
    (
        "generator_failed",
        "The configured indexer was not found, did not start, did not end in time, or ended with an error. Nothing \
         was put in the place of the index that was there.",
    ),
    (
        "generator_no_index",
        "The configured indexer ended well and wrote nothing to the path in the place of `{output}`, or something that \
         is no index, or one of other files. Nothing was put in the place of the index that was there.",
    ),
    (
        "generator_without_output",
        "`precision_index.generator_command` does not say where the indexer should write. An argument with `{output}` \
         gets the path of a temporary file, so that a run that fails leaves the index that is there as it is.",
    ),
    (
        "index_unwritten",
        "The new index could not be written to its place, or the folder `.codecortex/cache` could not be made.",
    ),
    (
        "no_generator",
        "There is no indexer to run: `precision_index.generator_command` is empty. Name one there, or run an indexer \
         yourself, so that it writes `index.scip`, and then `cortex index seal`.",
    ),
];

/// What stands in an argument for the path of the new index.
const OUTPUT: &str = "{output}";
/// Bytes kept of each output, and characters of it that an error shows.
const OUTPUT_BYTES: usize = 256 * 1024;
const OUTPUT_SHOWN: usize = 2_000;

/// A program that may run.
pub struct Generator<'s> {
    name: &'s str,
    program: PathBuf,
    arguments: &'s [String],
}

impl<'s> Generator<'s> {
    /// # Errors
    /// When the configuration names none, it may not run, is not there, or is not told where to write.
    pub fn of(settings: &'s Settings, environment: &Environment) -> Result<Self, OpError> {
        let index = &settings.config.precision_index;
        if !index.enabled {
            return Err(OpError::usage("precision_disabled", "`precision_index.enabled` is false"));
        }
        if settings.blocks_generator {
            let message = "the indexer that the configuration names comes with the files under review";
            return Err(OpError::refused("generator_blocked", message).hint(
                "name the configuration with `--config` to trust it, or set CORTEX_APPROVE_COMMANDS=1",
            ));
        }
        let Some((name, arguments)) = index.generator_command.split_first() else {
            return Err(OpError::usage("no_generator", "there is no indexer to run")
                .hint("name one in `precision_index.generator_command`")
                .hint("or run an indexer that writes `index.scip`, then `cortex index seal`"));
        };
        if !arguments.iter().any(|it| it.contains(OUTPUT)) {
            let message = "`precision_index.generator_command` does not say where the indexer should write";
            return Err(OpError::usage("generator_without_output", message).hint(
                "give it the path as `{output}`, such as [\"scip-typescript\", \"index\", \"--output\", \"{output}\"]",
            ));
        }
        let program = system::resolve(OsStr::new(name), &environment.search_path).ok_or_else(|| {
            let message = format!("the indexer `{name}` was not found on this machine");
            OpError::incomplete("generator_failed", message).hint("install it, or correct `PATH`")
        })?;
        Ok(Self { name, program, arguments })
    }

    /// Runs the indexer in the root of the repository and returns what it wrote.
    ///
    /// # Errors
    /// When it does not end well or writes nothing.
    pub fn run(&self, root: &Root, environment: &Environment, seconds: u64) -> Result<IndexFile, OpError> {
        let scratch = Scratch::new(&environment.temporary)
            .map_err(|it| OpError::incomplete("index_unwritten", format!("no temporary folder: {it}")))?;
        let output = scratch.path().join("index.scip");
        let ended = system::run(&system::Command {
            program: self.program.clone(),
            arguments: self.arguments.iter().map(|it| with_output(it, &output)).collect(),
            folder: root.path().to_owned(),
            environment: environment.allowed.clone(),
            timeout: Duration::from_secs(seconds),
            output_limit: OUTPUT_BYTES,
        });
        let what = match ended.status {
            Status::Exited(0) => return self.written(&output),
            Status::Exited(code) => format!("exited with {code}"),
            Status::Signaled(signal) => format!("was ended by signal {signal}"),
            Status::TimedOut => format!("did not end within {seconds} s; `--timeout` gives it longer"),
            Status::NotStarted(error) => format!("could not be started: {error}"),
        };
        let message = format!("the indexer `{}` {what}; no index was written", self.name);
        let said = [ended.stdout.bytes, ended.stderr.bytes].concat();
        Err(OpError::incomplete("generator_failed", message).details(last_lines(&said)))
    }

    fn written(&self, output: &Path) -> Result<IndexFile, OpError> {
        precision::open(output).map_err(|refusal| {
            if !matches!(refusal, Refusal::Unread { unread: Unread::Missing, .. }) {
                return unusable(&refusal);
            }
            let message = format!(
                "the indexer `{}` ended well and wrote nothing to `{{output}}`; no index was written",
                self.name
            );
            OpError::incomplete("generator_no_index", message)
        })
    }
}

/// What an indexer wrote that is no index.
pub fn unusable(refusal: &Refusal) -> OpError {
    let message = format!("what the indexer wrote is not used: {refusal}");
    OpError::incomplete("generator_no_index", message)
        .hint(format!("`cortex explain {}` tells more of the cause", refusal.code()))
}

/// An index of another repository, or one whose paths begin somewhere else.
pub fn of_other_files(documents: usize) -> OpError {
    let message =
        format!("none of the {documents} files in what the indexer wrote is here; no index was written");
    OpError::incomplete("generator_no_index", message)
        .hint("run the indexer so that its paths begin at the root of the repository")
}

fn with_output(argument: &str, output: &Path) -> OsString {
    let mut parts = argument.split(OUTPUT);
    let mut text = OsString::from(parts.next().unwrap_or_default());
    for part in parts {
        text.push(output);
        text.push(part);
    }
    text
}

fn last_lines(output: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(output);
    let start = text.floor_char_boundary(text.len().saturating_sub(OUTPUT_SHOWN));
    let shown = Redacted::new(text.get(start..).unwrap_or_default());
    shown.as_str().lines().filter(|it| !it.trim().is_empty()).map(str::to_owned).collect()
}
