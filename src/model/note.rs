//! A remark about the run itself: what was skipped, cut, ignored or not understood.

use schemars::JsonSchema;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::path::RepoPath;
use super::place::Point;

/// Something a reader must know to judge the results. Never a result itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// A stable, snake-case code that `cortex explain` knows.
    pub code: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<RepoPath>,
    /// One-based line, when the note is about a place in `path`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// One-based column in code points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// What happened and what to do, in one sentence.
    pub message: String,
}

impl fmt::Display for Note {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(formatter, "{path}:")?;
            if let Some(line) = self.line {
                write!(formatter, "{line}:")?;
            }
            write!(formatter, " ")?;
        }
        write!(formatter, "{} [{}]", self.message, self.code)
    }
}

impl Note {
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), path: None, line: None, column: None, message: message.into() }
    }

    pub fn at(mut self, path: RepoPath) -> Self {
        self.path = Some(path);
        self
    }

    pub fn at_point(mut self, path: RepoPath, point: Point) -> Self {
        self.path = Some(path);
        self.line = Some(point.line);
        self.column = Some(point.column);
        self
    }
}
