//! The manifest and the findings with their evidence, as one document for other programs.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{ReportError, escape};
use crate::bundle::{Bundle, Finding, Manifest};
use crate::model::Evidence;

#[derive(Serialize)]
struct Document<'b> {
    manifest: &'b Manifest,
    findings: &'b [Finding],
    /// The records that the findings name.
    evidence: Vec<&'b Evidence>,
}

pub fn render(bundle: &Bundle) -> Result<Vec<u8>, ReportError> {
    let named: BTreeSet<_> = bundle.findings.iter().flat_map(|it| &it.evidence).collect();
    let evidence = bundle.evidence.iter().filter(|it| named.contains(&it.id())).collect();
    let document = Document { manifest: &bundle.manifest, findings: &bundle.findings, evidence };
    let mut text = serde_json::to_string_pretty(&document)?;
    text.push('\n');
    Ok(escape::json(&text).into_owned().into_bytes())
}
