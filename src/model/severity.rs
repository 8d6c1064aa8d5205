//! How much a finding matters to the team that wrote its rule.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The severity of a finding, mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    Hint,
    Info,
    Warning,
    Error,
}

impl Severity {
    pub const ALL: [Self; 4] = [Self::Hint, Self::Info, Self::Warning, Self::Error];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Hint => "hint",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}
