//! `index seal`: write beside the index what the files are that it was made of.

use std::path::PathBuf;

use super::error::OpError;
use super::precision::config;
use super::scan::discover;
use super::world::World;
use crate::model::{LayerState, RepoPath};
use crate::precision::{self, Index, SEAL, Seal};
use crate::system::{self, FileKind, Unread};

/// Whose index to seal.
#[derive(Clone, Debug, clap::Args)]
pub struct SealRequest {
    /// A folder of the repository
    #[arg(default_value = ".", value_name = "PATH")]
    pub path: PathBuf,
}

/// What was written.
pub struct Sealed {
    pub written: RepoPath,
    pub documents: usize,
    /// Documents whose file is not older than the index: they stay stale.
    pub raced: usize,
}

/// Writes the seal of the index that the repository has.
///
/// # Errors
/// When there is no usable index, or the seal cannot be written.
pub fn seal(world: &World<'_>, request: &SealRequest) -> Result<Sealed, OpError> {
    let (repository, _) = discover(&request.path)?;
    let settings = config(world, &repository)?.precision_index;
    let file = precision::usable(&settings, repository.root(), None).map_err(|it| nothing_to_seal(&it))?;
    let index = Index::parse(&file.bytes).map_err(|it| OpError::usage(it.code(), it))?;
    let seal =
        Seal::make(&repository, &index, &file).map_err(|it| OpError::incomplete("snapshot_failed", it))?;
    let unwritten = |it: &dyn std::fmt::Display| OpError::incomplete("seal_unwritten", it.to_string());
    let place = format!("{}{SEAL}", file.place);
    let written: RepoPath = place.parse().map_err(|it| unwritten(&it))?;
    // What the index lies beside comes with the repository: a link there is not followed.
    match repository.root().stat(&written) {
        Err(Unread::Missing) => {}
        Ok(stat) if stat.kind == FileKind::Regular => {}
        Ok(_) => return Err(unwritten(&format!("`{written}` is no regular file"))),
        Err(unread) => return Err(unwritten(&format!("`{written}`: {unread}"))),
    }
    let mut bytes = serde_json::to_vec_pretty(&seal).map_err(|it| unwritten(&it))?;
    bytes.push(b'\n');
    let target = repository.root().path().join(written.as_path());
    system::write_file(&target, &bytes).map_err(|it| unwritten(&it))?;
    Ok(Sealed { written, documents: seal.documents.len(), raced: seal.raced() })
}

fn nothing_to_seal(state: &LayerState) -> OpError {
    let message = match state {
        LayerState::Stale { reason }
        | LayerState::Unavailable { reason }
        | LayerState::Disabled { reason } => reason.message.as_str(),
        LayerState::Available => "there is no index",
    };
    OpError::usage("no_index_to_seal", message)
}
