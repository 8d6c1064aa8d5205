//! Applying a preview: everything is verified again, then all files change or none does.

use crate::model::{Digest, Timestamp};
use crate::structural::Edit;
use crate::system::{ReplaceError, Replacement, Root, Unread, replace_all};

use super::preview::{FilePreview, Preview, SCHEMA};
use super::splice::splice;

/// A preview that held at the moment of its check: made by [`verify`] alone.
pub struct Verified {
    preview: Preview,
    replacements: Vec<Replacement>,
}

/// Leave to write: made from the explicit flag or an approved tool call, never from data.
pub struct Grant(());

/// Why a preview does not hold.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    #[error("the preview is of the schema `{0}`; this version reads `{SCHEMA}`")]
    Schema(String),
    #[error("the preview states the id {stated} but its content gives {actual}")]
    Altered { stated: String, actual: String },
    #[error("the preview was edited: it does not have the digest that it states")]
    Edited,
    #[error("the preview does not say when it expires")]
    Undated,
    #[error("the preview expired at {0}")]
    Expired(Timestamp),
    #[error("what it was made for is no longer there: {}", .0.join("; "))]
    Changed(Vec<String>),
}

impl Refused {
    /// The stable code that `cortex explain` knows.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Schema(_) | Self::Undated => "preview_unreadable",
            Self::Altered { .. } | Self::Edited => "preview_altered",
            Self::Expired(_) => "preview_expired",
            Self::Changed(_) => "file_changed",
        }
    }
}

impl Grant {
    /// The one thing that makes a grant: a person or an authorised caller said so for this very call.
    pub const fn explicit() -> Self {
        Self(())
    }
}

impl Verified {
    pub const fn preview(&self) -> &Preview {
        &self.preview
    }
}

/// The size above which a file cannot have been part of a preview.
const MAX_FILE: u64 = 1 << 30;

/// Checks the schema, the id, the expiry and every file of a preview against the repository as it is.
///
/// # Errors
/// When anything differs; the error names every file that does.
pub fn verify(root: &Root, preview: Preview, now: Timestamp) -> Result<Verified, Refused> {
    if preview.schema != SCHEMA {
        return Err(Refused::Schema(preview.schema));
    }
    let actual = preview.content_id();
    if actual != preview.id {
        return Err(Refused::Altered { stated: preview.id, actual });
    }
    if !preview.is_as_written() {
        return Err(Refused::Edited);
    }
    let expires = preview.expires_at.ok_or(Refused::Undated)?;
    if expires <= now {
        return Err(Refused::Expired(expires));
    }
    let (mut replacements, mut changed) = (Vec::new(), Vec::new());
    for file in &preview.files {
        match replacement(root, file) {
            Ok(replacement) => replacements.push(replacement),
            Err(reason) => changed.push(format!("{}: {reason}", file.path)),
        }
    }
    if changed.is_empty() { Ok(Verified { preview, replacements }) } else { Err(Refused::Changed(changed)) }
}

fn replacement(root: &Root, file: &FilePreview) -> Result<Replacement, String> {
    let bytes = root.read(&file.path, MAX_FILE).map_err(|it: Unread| it.to_string())?;
    if Digest::of(&bytes) != file.sha256_before {
        return Err("its content changed".to_owned());
    }
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let edits: Vec<Edit> = file.edits.iter().map(Edit::from).collect();
    let after = splice(&text, edits.iter()).ok_or("its edits do not fit it")?;
    if Digest::of(after.as_bytes()) != file.sha256_after {
        return Err("its edits do not give the promised content".to_owned());
    }
    Ok(Replacement { path: file.path.clone(), before: file.sha256_before, content: after.into_bytes() })
}

/// Writes all files of a verified preview, or none.
///
/// # Errors
/// When a file changed since the check or cannot be written; what had been replaced is restored.
pub fn apply(root: &Root, verified: &Verified, _grant: Grant) -> Result<(), ReplaceError> {
    replace_all(root, &verified.replacements)
}
