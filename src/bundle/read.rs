//! Reading a stored bundle, and proving that it is whole.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Bundle;
use super::manifest::{Manifest, SCHEMA};
use super::parts::{
    DEPENDENCIES, EVIDENCE, FINDINGS, IMPACT, MANIFEST, PREVIEW, SKIPPED, VALIDATION, pretty,
};
use crate::model::{Digest, RepoPath};
use crate::system::{Root, RootError, Unread};

/// Why a bundle cannot be read or is not what it says.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error(transparent)]
    Folder(#[from] RootError),
    #[error("`{name}` cannot be read: {source}")]
    Part { name: String, source: Unread },
    #[error("`{name}`, line {line}: {message}")]
    Malformed { name: String, line: usize, message: String },
    #[error("the bundle has the schema `{0}`; this version reads `{SCHEMA}`: use a newer cortex")]
    Newer(String),
    #[error("`{name}` differs: the manifest says SHA-256 {stated}, the file has {actual}")]
    Differs { name: String, stated: Digest, actual: Digest },
    #[error("`bundle.json` differs: it states the digest {stated}, its content gives {actual}")]
    Manifest { stated: String, actual: Digest },
    #[error("`{name}` is listed in the manifest and not there: {source}")]
    Gone { name: String, source: Unread },
    #[error("`{0}` is not listed in the manifest")]
    Unlisted(String),
    #[error("`bundle.json` is not written as a bundle is: it says what its digest covers in other bytes")]
    Form,
}

/// A part is read whole; a bundle of a very large repository stays far below.
const MAX_PART: u64 = 4 << 30;
const MAX_MANIFEST: u64 = 256 << 20;

/// What a bundle's folder may hold besides the listed parts: no digest covers the times, and the other one keeps the
/// folder out of git.
const UNCOVERED: [&str; 3] = [MANIFEST, "volatile.json", ".gitignore"];

/// Just enough to tell which version wrote a document.
#[derive(Deserialize)]
struct Versioned {
    schema: String,
}

/// Hashes every part and the manifest, and looks for what no digest covers.
///
/// # Errors
/// At the first part, in the order of the manifest, that is missing or differs; then at the first file that the
/// manifest does not list.
pub fn verify(folder: &Path) -> Result<Manifest, ReadError> {
    let root = Root::open(folder)?;
    let (manifest, written) = manifest(&root)?;
    let actual = manifest.content_digest().map_err(|it| malformed(MANIFEST, 1, &it))?;
    if manifest.bundle_digest != Some(actual) {
        let stated = manifest.bundle_digest.map_or_else(|| "none".to_owned(), |it| it.to_string());
        return Err(ReadError::Manifest { stated, actual });
    }
    if pretty(&manifest).map_err(|it| malformed(MANIFEST, 1, &it))? != written {
        return Err(ReadError::Form);
    }
    for part in &manifest.parts {
        let actual = Digest::of(&bytes(&root, &part.name, MAX_PART)?);
        if actual != part.sha256 {
            return Err(ReadError::Differs { name: part.name.clone(), stated: part.sha256, actual });
        }
    }
    unlisted(&root, &manifest)?;
    Ok(manifest)
}

fn unlisted(root: &Root, manifest: &Manifest) -> Result<(), ReadError> {
    let unread = |source| ReadError::Part { name: ".".to_owned(), source };
    let entries = root.folder(None).and_then(|it| it.entries()).map_err(unread)?;
    let listed: BTreeSet<&[u8]> = UNCOVERED
        .into_iter()
        .chain(manifest.parts.iter().map(|it| it.name.as_str()))
        .map(str::as_bytes)
        .collect();
    match entries.into_iter().find(|it| !listed.contains(it.name.as_slice())) {
        Some(entry) => Err(ReadError::Unlisted(String::from_utf8_lossy(&entry.name).into_owned())),
        None => Ok(()),
    }
}

/// Reads a bundle after verifying it.
///
/// # Errors
/// When it is not whole, or holds a record that breaks the rules of evidence.
pub fn open(folder: &Path) -> Result<Bundle, ReadError> {
    let manifest = verify(folder)?;
    let root = Root::open(folder)?;
    let has = |name: &str| manifest.parts.iter().any(|it| it.name == name);
    Ok(Bundle {
        findings: lines(&root, FINDINGS)?,
        evidence: lines(&root, EVIDENCE)?,
        dependencies: document(&root, DEPENDENCIES)?,
        impact: document(&root, IMPACT)?,
        preview: if has(PREVIEW) { Some(document(&root, PREVIEW)?) } else { None },
        validation: document(&root, VALIDATION)?,
        skipped: lines(&root, SKIPPED)?,
        manifest,
    })
}

/// The manifest and its bytes.
fn manifest(root: &Root) -> Result<(Manifest, Vec<u8>), ReadError> {
    let bytes = bytes(root, MANIFEST, MAX_MANIFEST)?;
    let version: Versioned =
        serde_json::from_slice(&bytes).map_err(|it| malformed(MANIFEST, it.line(), &it))?;
    if version.schema != SCHEMA {
        return Err(ReadError::Newer(version.schema));
    }
    let manifest = serde_json::from_slice(&bytes).map_err(|it| malformed(MANIFEST, it.line(), &it))?;
    Ok((manifest, bytes))
}

fn bytes(root: &Root, name: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
    let path: RepoPath = name.parse().map_err(|_| ReadError::Unlisted(name.to_owned()))?;
    root.read(&path, limit).map_err(|source| {
        let name = name.to_owned();
        // Something else in the place of a part is a part that is not there.
        let is_gone =
            matches!(source, Unread::Missing | Unread::Symlink | Unread::Directory | Unread::Special);
        if is_gone && name != MANIFEST {
            ReadError::Gone { name, source }
        } else {
            ReadError::Part { name, source }
        }
    })
}

fn document<T: DeserializeOwned>(root: &Root, name: &str) -> Result<T, ReadError> {
    serde_json::from_slice(&bytes(root, name, MAX_PART)?).map_err(|it| malformed(name, it.line(), &it))
}

fn lines<T: DeserializeOwned>(root: &Root, name: &str) -> Result<Vec<T>, ReadError> {
    let bytes = bytes(root, name, MAX_PART)?;
    let lines = bytes.split(|it| *it == b'\n').enumerate().filter(|(_, line)| !line.is_empty());
    lines
        .map(|(number, line)| serde_json::from_slice(line).map_err(|it| malformed(name, number + 1, &it)))
        .collect()
}

fn malformed(name: &str, line: usize, error: &serde_json::Error) -> ReadError {
    ReadError::Malformed { name: name.to_owned(), line, message: error.to_string() }
}
