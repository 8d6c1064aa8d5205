//! A change of one file, as its two sides and the lines that differ.

use std::ops::Range;

use crate::model::RepoPath;
use crate::syntax::{Language, Outline, has_outline};

/// A file that differs.
#[derive(Clone, Debug)]
pub struct ChangedFile<'c> {
    pub path: RepoPath,
    pub language: Option<Language>,
    /// None for a file that is new.
    pub before: Option<Side<'c>>,
    /// None for a file that is gone.
    pub after: Option<Side<'c>>,
    pub hunks: Vec<Hunk>,
    pub added_lines: u32,
    pub removed_lines: u32,
}

impl ChangedFile<'_> {
    /// Whether it is code, and not text or data beside it.
    pub fn is_source(&self) -> bool {
        self.language.is_some_and(has_outline)
    }
}

/// A file's text with its outline; without one where its language has none or it could not be parsed.
#[derive(Clone, Copy, Debug)]
pub struct Side<'c> {
    pub text: &'c str,
    pub outline: Option<&'c Outline>,
}

/// Lines of the one side that stand for lines of the other: one-based, half-open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    pub before: Range<u32>,
    pub after: Range<u32>,
}
