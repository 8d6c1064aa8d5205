//! What the exit status means, in one place.

use std::process::ExitCode;

use crate::bundle::VerdictKind;
use crate::ops::ErrorKind;

/// The end of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Clean,
    Findings,
    Usage,
    Incomplete,
    Refused,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Usage => 2,
            Exit::Incomplete => 3,
            Exit::Refused => 4,
        })
    }
}

impl From<VerdictKind> for Exit {
    fn from(verdict: VerdictKind) -> Self {
        match verdict {
            VerdictKind::Clean => Self::Clean,
            VerdictKind::Findings => Self::Findings,
            VerdictKind::Incomplete => Self::Incomplete,
        }
    }
}

impl From<ErrorKind> for Exit {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Usage => Self::Usage,
            ErrorKind::Incomplete => Self::Incomplete,
            ErrorKind::Refused => Self::Refused,
        }
    }
}
