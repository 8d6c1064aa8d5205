//! Reading a stored bundle, and proving that it is whole.

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Bundle;
use super::manifest::{Manifest, SCHEMA};
use super::parts::{DEPENDENCIES, EVIDENCE, FINDINGS, IMPACT, MANIFEST, PREVIEW, SKIPPED, VALIDATION};
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
    #[error("`{0}` is not listed in the manifest")]
    Unlisted(String),
}

/// A part is read whole; a bundle of a very large repository stays far below.
const MAX_PART: u64 = 4 << 30;
const MAX_MANIFEST: u64 = 256 << 20;

/// Just enough to tell which version wrote a document.
#[derive(Deserialize)]
struct Versioned {
    schema: String,
}

/// Hashes every part and the manifest.
///
/// # Errors
/// At the first part, in the order of the manifest, that is missing or differs.
pub fn verify(folder: &Path) -> Result<Manifest, ReadError> {
    let root = Root::open(folder)?;
    let manifest = manifest(&root)?;
    let actual = manifest.content_digest().map_err(|it| malformed(MANIFEST, 1, &it))?;
    if manifest.bundle_digest != Some(actual) {
        let stated = manifest.bundle_digest.map_or_else(|| "none".to_owned(), |it| it.to_string());
        return Err(ReadError::Manifest { stated, actual });
    }
    for part in &manifest.parts {
        let actual = Digest::of(&bytes(&root, &part.name, MAX_PART)?);
        if actual != part.sha256 {
            return Err(ReadError::Differs { name: part.name.clone(), stated: part.sha256, actual });
        }
    }
    Ok(manifest)
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

fn manifest(root: &Root) -> Result<Manifest, ReadError> {
    let bytes = bytes(root, MANIFEST, MAX_MANIFEST)?;
    let version: Versioned =
        serde_json::from_slice(&bytes).map_err(|it| malformed(MANIFEST, it.line(), &it))?;
    if version.schema != SCHEMA {
        return Err(ReadError::Newer(version.schema));
    }
    serde_json::from_slice(&bytes).map_err(|it| malformed(MANIFEST, it.line(), &it))
}

fn bytes(root: &Root, name: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
    let path: RepoPath = name.parse().map_err(|_| ReadError::Unlisted(name.to_owned()))?;
    root.read(&path, limit).map_err(|source| ReadError::Part { name: name.to_owned(), source })
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
