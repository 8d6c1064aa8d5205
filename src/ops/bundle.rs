//! `bundle verify` and `bundle show`: a stored bundle, proven and shown again.

use std::path::PathBuf;

use super::error::OpError;
use super::world::World;
use crate::bundle::{self, Bundle, Manifest, ReadError};

/// The bundle to verify.
#[derive(Clone, Debug, clap::Args)]
pub struct VerifyRequest {
    /// The folder of the bundle
    #[arg(default_value = ".codecortex/out", value_name = "DIR")]
    pub folder: PathBuf,
}

/// The bundle to show.
#[derive(Clone, Debug, clap::Args)]
pub struct ShowRequest {
    /// The folder of the bundle
    #[arg(default_value = ".codecortex/out", value_name = "DIR")]
    pub folder: PathBuf,
}

/// A bundle that is whole.
pub struct VerifyResponse {
    pub manifest: Manifest,
}

/// A bundle that was verified and read.
pub struct Shown {
    pub bundle: Bundle,
}

/// Hashes every part.
///
/// # Errors
/// When a part is missing or differs, or a file is not listed; the error names the first.
pub fn verify(_: &World<'_>, request: &VerifyRequest) -> Result<VerifyResponse, OpError> {
    bundle::verify(&request.folder).map(|manifest| VerifyResponse { manifest }).map_err(|it| error(&it))
}

/// Reads a bundle after verifying it.
///
/// # Errors
/// As [`verify`], and when a record breaks the rules of evidence.
pub fn show(_: &World<'_>, request: &ShowRequest) -> Result<Shown, OpError> {
    bundle::open(&request.folder).map(|bundle| Shown { bundle }).map_err(|it| error(&it))
}

fn error(error: &ReadError) -> OpError {
    match error {
        ReadError::Folder(_) => {
            OpError::usage("no_bundle", error).hint("make one with `cortex scan`, or name its folder")
        }
        ReadError::Part { .. } | ReadError::Malformed { .. } => {
            OpError::incomplete("bundle_malformed", error)
        }
        ReadError::Newer(_) => OpError::incomplete("schema_too_new", error),
        ReadError::Differs { .. }
        | ReadError::Manifest { .. }
        | ReadError::Gone { .. }
        | ReadError::Unlisted(_)
        | ReadError::Form => OpError::refused("bundle_differs", error),
    }
}
