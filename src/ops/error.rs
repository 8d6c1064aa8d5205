//! Why an operation was not carried out.

use std::fmt;

/// An error with a stable code, its cause, and what to do.
#[derive(Debug)]
pub struct OpError {
    pub kind: ErrorKind,
    /// A snake-case code that `cortex explain` knows.
    pub code: &'static str,
    /// One line, whatever it quotes.
    pub message: String,
    /// What it consists of, where that is more than one thing.
    pub details: Vec<String>,
    pub hints: Vec<String>,
}

/// The text of an error: anything that can be shown.
pub struct Words(String);

impl<T: fmt::Display> From<T> for Words {
    fn from(shown: T) -> Self {
        Self(shown.to_string())
    }
}

/// Decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The request or the configuration is wrong.
    Usage,
    /// It could not be finished.
    Incomplete,
    /// A gate said no.
    Refused,
}

impl OpError {
    pub fn usage(code: &'static str, message: impl Into<Words>) -> Self {
        Self::new(ErrorKind::Usage, code, message.into())
    }

    pub fn incomplete(code: &'static str, message: impl Into<Words>) -> Self {
        Self::new(ErrorKind::Incomplete, code, message.into())
    }

    pub fn refused(code: &'static str, message: impl Into<Words>) -> Self {
        Self::new(ErrorKind::Refused, code, message.into())
    }

    fn new(kind: ErrorKind, code: &'static str, message: Words) -> Self {
        Self { kind, code, message: message.0, details: Vec::new(), hints: Vec::new() }
    }

    pub fn details(mut self, details: Vec<String>) -> Self {
        self.details = details;
        self
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}

impl fmt::Display for OpError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for OpError {}
