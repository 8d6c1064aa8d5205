//! The identity of a symbol.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A resolved identity: an index's own symbol string, or `language:path#Outer.inner`. Never only a name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct SymbolId(Arc<str>);

/// A text that names no symbol.
#[derive(Debug, thiserror::Error)]
#[error("a symbol's identity is not empty")]
pub struct EmptySymbol;

impl SymbolId {
    /// The identity that the syntax graph gives to a definition.
    pub fn of_definition(language: &str, path: &super::path::RepoPath, qualified_name: &str) -> Self {
        Self(format!("{language}:{path}#{qualified_name}").into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The definition's name with those around it; empty for a file.
    pub fn qualified(&self) -> &str {
        self.0.split_once('#').map_or("", |it| it.1)
    }

    /// The definition's own name. Titles of tests are cut at their last dot.
    pub fn last_name(&self) -> &str {
        self.qualified().rsplit('.').next().unwrap_or_default()
    }
}

impl TryFrom<String> for SymbolId {
    type Error = EmptySymbol;

    fn try_from(text: String) -> Result<Self, EmptySymbol> {
        if text.is_empty() { Err(EmptySymbol) } else { Ok(Self(text.into())) }
    }
}

impl From<SymbolId> for String {
    fn from(symbol: SymbolId) -> Self {
        symbol.0.as_ref().to_owned()
    }
}

impl fmt::Display for SymbolId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
