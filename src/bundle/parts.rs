//! A bundle as files.

use std::collections::BTreeMap;

use serde::Serialize;

use super::manifest::{Manifest, Part};
use super::{Bundle, DEPENDENCIES_SCHEMA, IMPACT_SCHEMA, VALIDATION_SCHEMA, finding};
use crate::model::{Digest, Evidence};
use crate::rewrite;

pub const MANIFEST: &str = "bundle.json";
pub const EVIDENCE: &str = "evidence.jsonl";
pub const EVIDENCE_INDEX: &str = "evidence.idx.json";
pub const FINDINGS: &str = "findings.jsonl";
pub const DEPENDENCIES: &str = "dependencies.json";
pub const IMPACT: &str = "impact.json";
pub const PREVIEW: &str = "preview.json";
pub const VALIDATION: &str = "validation.json";
pub const SKIPPED: &str = "skipped.jsonl";

const JSON: &str = "application/json";
const JSON_LINES: &str = "application/jsonl";

/// A part that others make: a report.
pub struct Extra {
    pub name: &'static str,
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
}

/// A part's bytes and what the manifest says of them.
struct Written {
    part: Part,
    bytes: Vec<u8>,
}

/// Names and contents.
pub type Files = Vec<(String, Vec<u8>)>;

/// The files of a bundle, by name, and its manifest with every digest filled in.
///
/// # Errors
/// When a document has no JSON form.
pub fn seal(bundle: &Bundle, extras: Vec<Extra>) -> Result<(Manifest, Files), serde_json::Error> {
    let (evidence, index) = evidence_lines(&bundle.evidence)?;
    let mut written = vec![
        written(EVIDENCE, JSON_LINES, Some("codecortex.evidence/1"), Some(bundle.evidence.len()), evidence),
        document(EVIDENCE_INDEX, Some("codecortex.evidence-index/1"), &index)?,
        lines(FINDINGS, finding::SCHEMA, &bundle.findings)?,
        lines(SKIPPED, "codecortex.skipped/1", &bundle.skipped)?,
        document(DEPENDENCIES, Some(DEPENDENCIES_SCHEMA), &bundle.dependencies)?,
        document(IMPACT, Some(IMPACT_SCHEMA), &bundle.impact)?,
        document(VALIDATION, Some(VALIDATION_SCHEMA), &bundle.validation)?,
    ];
    if let Some(preview) = &bundle.preview {
        written.push(document(PREVIEW, Some(rewrite::SCHEMA), preview)?);
    }
    written.extend(extras.into_iter().map(|it| self::written(it.name, it.media_type, None, None, it.bytes)));
    written.sort_by(|left, right| left.part.name.cmp(&right.part.name));
    let mut manifest = bundle.manifest.clone();
    manifest.parts = written.iter().map(|it| it.part.clone()).collect();
    manifest.bundle_digest = Some(manifest.content_digest()?);
    let mut files: Files = vec![(MANIFEST.to_owned(), pretty(&manifest)?)];
    files.extend(written.into_iter().map(|it| (it.part.name, it.bytes)));
    Ok((manifest, files))
}

fn written(
    name: &str,
    media_type: &str,
    schema: Option<&str>,
    records: Option<usize>,
    bytes: Vec<u8>,
) -> Written {
    let part = Part {
        name: name.to_owned(),
        media_type: media_type.to_owned(),
        schema: schema.map(str::to_owned),
        records: records.map(|it| it as u64),
        bytes: bytes.len() as u64,
        sha256: Digest::of(&bytes),
    };
    Written { part, bytes }
}

fn document(name: &str, schema: Option<&str>, value: &impl Serialize) -> Result<Written, serde_json::Error> {
    Ok(written(name, JSON, schema, None, pretty(value)?))
}

fn lines(name: &str, schema: &str, records: &[impl Serialize]) -> Result<Written, serde_json::Error> {
    let mut bytes = Vec::new();
    for record in records {
        serde_json::to_writer(&mut bytes, record)?;
        bytes.push(b'\n');
    }
    Ok(written(name, JSON_LINES, Some(schema), Some(records.len()), bytes))
}

/// A document as people read it: indented, with a line end.
pub fn pretty(value: &impl Serialize) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Offset, length in bytes, and number of the records of each path.
type EvidenceIndex = BTreeMap<String, [u64; 3]>;

fn evidence_lines(records: &[Evidence]) -> Result<(Vec<u8>, EvidenceIndex), serde_json::Error> {
    let mut bytes = Vec::new();
    let mut index = EvidenceIndex::new();
    for record in records {
        let start = bytes.len() as u64;
        serde_json::to_writer(&mut bytes, record)?;
        bytes.push(b'\n');
        let [_, length, count] = index.entry(record.place.path.to_string()).or_insert([start, 0, 0]);
        *length += bytes.len() as u64 - start;
        *count += 1;
    }
    Ok((bytes, index))
}
