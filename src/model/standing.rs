//! Whether a finding came with the change.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a finding stands to the base, by its fingerprint, so that moved lines are not new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    New,
    Existing,
    /// There is no base to compare with.
    Unknown,
}

impl Standing {
    pub const fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Existing => "existing",
            Self::Unknown => "unknown",
        }
    }
}
