//! Why an operation was not carried out.

use std::fmt;

/// An error with a stable code, its cause, and what to do.
#[derive(Debug)]
pub struct OpError {
    pub kind: ErrorKind,
    /// A snake-case code that `cortex explain` knows.
    pub code: &'static str,
    pub message: String,
    pub hints: Vec<String>,
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
    pub fn usage(code: &'static str, message: impl ToString) -> Self {
        Self { kind: ErrorKind::Usage, code, message: message.to_string(), hints: Vec::new() }
    }

    pub fn incomplete(code: &'static str, message: impl ToString) -> Self {
        Self { kind: ErrorKind::Incomplete, code, message: message.to_string(), hints: Vec::new() }
    }

    pub fn refused(code: &'static str, message: impl ToString) -> Self {
        Self { kind: ErrorKind::Refused, code, message: message.to_string(), hints: Vec::new() }
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
