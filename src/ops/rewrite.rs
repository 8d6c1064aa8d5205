//! `rewrite apply`: verify a preview and, with the explicit flag, write it.

use std::path::PathBuf;

use super::error::OpError;
use super::scan::discover;
use super::world::World;
use super::{settings, state};
use crate::rewrite::{self, Grant, Preview};

/// The preview to apply.
#[derive(Clone, Debug, clap::Args)]
pub struct ApplyRequest {
    /// A preview's id (`pv_…`), or its file outside the repository
    #[arg(value_name = "PREVIEW")]
    pub preview: String,
    /// Write the files; without it, everything is verified and nothing is written
    #[arg(long)]
    pub apply: bool,
    /// A folder of the repository to change
    #[arg(long, short = 'C', default_value = ".", value_name = "PATH")]
    pub path: PathBuf,
}

/// What was verified, and whether it was written.
pub struct ApplyResponse {
    pub preview: Preview,
    pub written: Written,
}

/// Whether files were changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// A dry run.
    Nothing,
    Everything,
}

/// Verifies the preview against the repository as it is; writes it when asked to.
///
/// # Errors
/// When the preview does not hold, the configuration forbids it, or a file cannot be written: then nothing is.
pub fn apply(world: &World<'_>, request: &ApplyRequest) -> Result<ApplyResponse, OpError> {
    let (repository, _) = discover(&request.path)?;
    let root = repository.root();
    let preview = state::find(&world.environment, root.path(), &request.preview)?;
    let verified = rewrite::verify(root, preview, world.now).map_err(|it| {
        OpError::refused(it.code(), it)
            .hint("nothing was written; make a new preview with `cortex scan --preview`")
    })?;
    if !request.apply {
        return Ok(ApplyResponse { preview: verified.preview().clone(), written: Written::Nothing });
    }
    let settings = settings::load(&repository, None, None, world.environment.approval)?;
    if !settings.config.structural.allow_apply {
        let message = "the configuration says `structural.allow_apply: false`, so nothing was written";
        return Err(OpError::refused("apply_not_allowed", message));
    }
    rewrite::apply(root, &verified, Grant::explicit()).map_err(|it| OpError::refused("not_applied", it))?;
    Ok(ApplyResponse { preview: verified.preview().clone(), written: Written::Everything })
}
