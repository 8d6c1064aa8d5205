//! Identities that survive moved lines.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::digest::Digest;
use super::evidence::Evidence;
use super::path::RepoPath;

/// What a result is about, without where its lines stand: 32 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// The fingerprint of the first result of its kind about `subject` in a file. Runs of white space count as one
    /// space, so that re-indenting changes nothing.
    pub fn of(claim: &str, path: &RepoPath, subject: &str) -> Self {
        let words: Vec<&str> = subject.split_whitespace().collect();
        Self::hash(&[claim.as_bytes(), path.as_bytes(), words.join(" ").as_bytes()])
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn numbered(&self, ordinal: usize) -> Self {
        Self::hash(&[self.0.as_bytes(), ordinal.to_string().as_bytes()])
    }

    fn hash(parts: &[&[u8]]) -> Self {
        Self(Digest::of(&parts.join(&0)).short(32))
    }
}

/// Tells apart equal results of one file: the second, third, … of the same fingerprint, in order of place, get
/// fingerprints of their own. The records must be all of their kind in that file.
pub fn distinguish(records: &mut [Evidence]) {
    records.sort_by(|left, right| left.place.cmp(&right.place).then_with(|| left.kind.cmp(&right.kind)));
    let mut seen: BTreeMap<Fingerprint, usize> = BTreeMap::new();
    for record in records {
        let ordinal = seen.entry(record.fingerprint.clone()).or_default();
        if *ordinal > 0 {
            record.fingerprint = record.fingerprint.numbered(*ordinal);
        }
        *ordinal += 1;
    }
}
