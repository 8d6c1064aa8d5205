//! Previews between making and applying, in the user's own state folder.

use std::path::{Path, PathBuf};

use super::error::OpError;
use super::world::Environment;
use crate::model::RepoPath;
use crate::rewrite::Preview;
use crate::system::{Root, Unread, write_file};

/// A preview of many files stays far below.
const MAX_BYTES: u64 = 64 << 20;

fn folder(environment: &Environment) -> Option<PathBuf> {
    environment.state.as_ref().map(|it| it.join("previews"))
}

/// Keeps a preview for `cortex rewrite apply ID`.
///
/// # Errors
/// When there is no state folder or it cannot be written.
pub fn keep(environment: &Environment, preview: &Preview) -> Result<PathBuf, OpError> {
    let folder = folder(environment).ok_or_else(|| {
        OpError::incomplete(
            "no_state_folder",
            "the preview cannot be kept: neither XDG_STATE_HOME nor HOME is set",
        )
    })?;
    let failed = |it: &dyn std::fmt::Display| {
        OpError::incomplete("state_unwritable", format!("the preview cannot be kept: {it}"))
    };
    std::fs::create_dir_all(&folder).map_err(|it| failed(&it))?;
    let path = folder.join(format!("{}.json", preview.id));
    let bytes = serde_json::to_vec_pretty(preview).map_err(|it| failed(&it))?;
    write_file(&path, &bytes).map_err(|it| failed(&it))?;
    Ok(path)
}

/// The preview of an id that was kept, or of a file outside the repository.
///
/// # Errors
/// When there is none, it lies inside the repository, or it is not a preview.
pub fn find(environment: &Environment, repository: &Path, named: &str) -> Result<Preview, OpError> {
    let is_id = named.strip_prefix("pv_").is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let path = if is_id {
        folder(environment).map(|it| it.join(format!("{named}.json"))).unwrap_or_default()
    } else {
        outside(repository, Path::new(named))?
    };
    let bytes = read(&path, MAX_BYTES).map_err(|unread| {
        if unread == Unread::Missing {
            return OpError::refused("no_preview", format!("there is no preview `{named}`"))
                .hint("make one with `cortex scan --preview`");
        }
        OpError::refused("preview_unreadable", format!("the preview `{named}` cannot be read: {unread}"))
    })?;
    let mut preview: Preview = serde_json::from_slice(&bytes)
        .map_err(|it| OpError::refused("preview_unreadable", format!("`{named}` is not a preview: {it}")))?;
    if preview.expires_at.is_none() {
        preview.expires_at = expiry_beside(&path);
    }
    Ok(preview)
}

/// The absolute path of a preview file, which must not lie inside the repository.
fn outside(repository: &Path, path: &Path) -> Result<PathBuf, OpError> {
    let missing = || OpError::refused("no_preview", format!("there is no preview `{}`", path.display()));
    let absolute = path.canonicalize().map_err(|_| missing())?;
    if absolute.starts_with(repository) {
        let message =
            format!("the preview `{}` lies inside the repository that it would change", path.display());
        return Err(OpError::refused("preview_inside_repository", message)
            .hint("write the bundle elsewhere with `--out`, or name the preview by its id"));
    }
    Ok(absolute)
}

fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Unread> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return Err(Unread::Missing) };
    let root = Root::open(folder).map_err(|_| Unread::Missing)?;
    let name = RepoPath::new(name.as_encoded_bytes()).map_err(|_| Unread::Missing)?;
    root.read(&name, limit)
}

/// What a bundle says of its preview's expiry, in the file that holds its times.
fn expiry_beside(path: &Path) -> Option<crate::model::Timestamp> {
    let bytes = read(&path.with_file_name("volatile.json"), 1 << 20).ok()?;
    let volatile: crate::bundle::Volatile = serde_json::from_slice(&bytes).ok()?;
    volatile.preview_expires_at
}
