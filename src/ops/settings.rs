//! Which configuration holds, and how far it is trusted.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::error::OpError;
use super::places;
use super::world::Approval;
use crate::config::{self, Check, Config};
use crate::model::{Note, RepoPath};
use crate::repo::{Base, Options, Repository, View};
use crate::system::{Root, Unread};

/// The configuration of a run.
#[derive(Default)]
pub struct Settings {
    pub config: Config,
    /// Where it was read; none when every value is a default.
    pub file: Option<String>,
    pub notes: Vec<Note>,
    /// Commands that the configuration names and that must not run.
    pub blocked: Vec<Check>,
    /// Whether it names an indexer that must not run.
    pub blocks_generator: bool,
}

/// A configuration is text that people write.
const MAX_BYTES: u64 = 1 << 20;

/// Reads the configuration: the file that the caller names, trusted; else the one of the repository, without what a
/// change under review must not decide, and with those settings taken from the base where there is one.
///
/// # Errors
/// When the named file cannot be read.
pub fn load(
    repository: &Repository,
    named: Option<&Path>,
    base: Option<&Base>,
    approval: Approval,
) -> Result<Settings, OpError> {
    if let Some(named) = named {
        return of_named(named);
    }
    let own = places::configuration();
    let (config, mut notes, file) = match repository.root().read(&own, MAX_BYTES) {
        Ok(bytes) => {
            let (config, notes) = config::read(&own, &bytes);
            (config, notes, Some(own.to_string()))
        }
        Err(Unread::Missing) => (Config::default(), Vec::new(), None),
        Err(unread) => {
            let message =
                format!("the configuration is not read, so every setting has its default: {unread}");
            (Config::default(), vec![Note::new("config_unread", message).at(own.clone())], None)
        }
    };
    if approval == Approval::Commands {
        return Ok(Settings { config, file, notes, ..Settings::default() });
    }
    let trusted = base.and_then(|it| of_base(repository, it));
    let named = config.validation.commands.clone();
    let names_generator = !config.precision_index.generator_command.is_empty();
    let (config, taken) = config.without_programs();
    match trusted {
        Some(trusted) => {
            let config = config.with_programs_of(trusted);
            Ok(Settings { config, file, notes, ..Settings::default() })
        }
        None => {
            notes.extend(taken);
            Ok(Settings { config, file, notes, blocked: named, blocks_generator: names_generator })
        }
    }
}

fn of_named(named: &Path) -> Result<Settings, OpError> {
    let unread = |message: String| {
        OpError::usage(
            "config_unread",
            format!("cannot read the configuration `{}`: {message}", named.display()),
        )
    };
    let name = named.file_name().ok_or_else(|| unread("it is no file".to_owned()))?;
    let folder = named
        .parent()
        .filter(|it| !it.as_os_str().is_empty())
        .map_or_else(|| PathBuf::from("."), Path::to_path_buf);
    let root = Root::open(&folder).map_err(|it| unread(it.to_string()))?;
    let path = RepoPath::new(name.as_encoded_bytes()).map_err(|it| unread(it.to_string()))?;
    let bytes = root.read(&path, MAX_BYTES).map_err(|it| unread(it.to_string()))?;
    let (config, notes) = config::read(&path, &bytes);
    let file = named.display().to_string();
    let faults: Vec<String> = notes.iter().filter(|it| is_fault(it)).map(|it| place(&file, it)).collect();
    if !faults.is_empty() {
        let message = format!("the configuration `{file}` cannot be used as it is:");
        return Err(OpError::usage("config_invalid", message).details(faults));
    }
    Ok(Settings { config, file: Some(file), notes, ..Settings::default() })
}

/// The configuration as the base has it.
fn of_base(repository: &Repository, base: &Base) -> Option<Config> {
    let own = places::configuration();
    let options = Options { max_file_bytes: MAX_BYTES, scope: Some(own.clone()) };
    let snapshot = repository.snapshot(View::Commit(base.commit), &options).ok()?;
    let content = snapshot.read(snapshot.find(&own)?).ok()?;
    Some(config::read(&own, &content.bytes).0)
}

/// Whether a note says that a setting was not followed. What someone names for this very run should be followed whole.
fn is_fault(note: &Note) -> bool {
    matches!(note.code.as_str(), "config_unreadable" | "config_section_malformed")
}

fn place(file: &str, note: &Note) -> String {
    match (note.line, note.column) {
        (Some(line), Some(column)) => format!("{file}:{line}:{column}: {}", note.message),
        (_, _) => format!("{file}: {}", note.message),
    }
}

/// A note when the change under review touches what judges it: the rules or the configuration. It is the reviewer's to
/// know, since a rule that the change removes finds nothing in it.
pub fn touched(repository: &Repository, base: Option<&Base>, view: View) -> Option<Note> {
    let options = Options { max_file_bytes: MAX_BYTES, scope: Some(places::folder()) };
    let list = |view| {
        let snapshot = repository.snapshot(view, &options).ok()?;
        let files = snapshot.files.iter().filter(|it| !it.path.is_within(&places::results()));
        Some(files.map(|it| (it.path.clone(), snapshot.read(it).ok().map(|it| it.blob))).collect::<Vec<_>>())
    };
    let (before, after) = (list(View::Commit(base?.commit))?, list(view)?);
    let (before, after): (BTreeSet<_>, BTreeSet<_>) =
        (before.into_iter().collect(), after.into_iter().collect());
    let first = before.symmetric_difference(&after).next()?;
    let message = "this change alters the rules or the configuration that it is judged by";
    Some(Note::new("rules_changed", message).at(first.0.clone()))
}
