//! The layers of evidence and the state in which each took part in a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::note::Note;

/// A part of the pipeline that may be present, stale, missing or switched off on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    Index,
    Precision,
    Dependencies,
    Docs,
    Structural,
    Graph,
    Impact,
    History,
    Rewrite,
    Validate,
}

impl Layer {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Precision => "precision",
            Self::Dependencies => "dependencies",
            Self::Docs => "docs",
            Self::Structural => "structural",
            Self::Graph => "graph",
            Self::Impact => "impact",
            Self::History => "history",
            Self::Rewrite => "rewrite",
            Self::Validate => "validate",
        }
    }
}

/// Why a layer is not simply available.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// A stable, snake-case code that `cortex explain` knows.
    pub code: String,
    /// What is the case and what to do about it, in one sentence.
    pub message: String,
}

impl Reason {
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into() }
    }
}

/// The state of a layer in one run. A missing layer is a state, never an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "state", rename_all = "snake_case", deny_unknown_fields)]
pub enum LayerState {
    Available,
    Stale { reason: Reason },
    Unavailable { reason: Reason },
    Disabled { reason: Reason },
}

impl LayerState {
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Available => "available",
            Self::Stale { .. } => "stale",
            Self::Unavailable { .. } => "unavailable",
            Self::Disabled { .. } => "disabled",
        }
    }
}

/// What a stage hands over: its value, how far the layer was there, and what a reader must know.
#[derive(Clone, Debug)]
pub struct Staged<T> {
    pub value: T,
    pub state: LayerState,
    pub notes: Vec<Note>,
}

impl<T> Staged<T> {
    pub const fn available(value: T, notes: Vec<Note>) -> Self {
        Self { value, state: LayerState::Available, notes }
    }
}

impl<T: Default> Staged<T> {
    pub fn unavailable(reason: Reason) -> Self {
        Self { value: T::default(), state: LayerState::Unavailable { reason }, notes: Vec::new() }
    }

    pub fn disabled(reason: Reason) -> Self {
        Self { value: T::default(), state: LayerState::Disabled { reason }, notes: Vec::new() }
    }
}
