//! `config show` and `config schema`: the settings in force, and what may be set.

use std::path::PathBuf;

use super::error::OpError;
use super::scan::discover;
use super::settings;
use super::world::World;
use crate::config::{self, Entry};
use crate::model::Note;

/// Whose settings to show.
#[derive(Clone, Debug, clap::Args)]
pub struct ShowRequest {
    /// A folder of the repository
    #[arg(default_value = ".", value_name = "PATH")]
    pub path: PathBuf,
    /// Read the configuration from FILE and trust the programs that it names
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// The settings, sorted by key.
pub struct ShowResponse {
    pub file: Option<String>,
    pub entries: Vec<Entry>,
    pub notes: Vec<Note>,
    /// There is a configuration file, and nothing of it could be used.
    pub is_unusable: bool,
}

/// Every setting with its value and where that comes from.
///
/// # Errors
/// When the path or the named file cannot be read.
pub fn show(world: &World<'_>, request: &ShowRequest) -> Result<ShowResponse, OpError> {
    let (repository, _) = discover(&request.path)?;
    let settings = settings::load(&repository, request.config.as_deref(), None, world.environment.approval)?;
    let is_unusable =
        settings.notes.iter().any(|it| [config::UNREADABLE, "config_unread"].contains(&it.code.as_str()));
    let entries = settings.config.entries();
    Ok(ShowResponse { file: settings.file, entries, notes: settings.notes, is_unusable })
}

/// The JSON Schema of the configuration file.
pub fn schema() -> schemars::Schema {
    config::schema()
}
