//! What an operation gets from outside: the time and the environment, read once by whoever starts it.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::docs::Machine;
use crate::model::Timestamp;
use crate::pipeline::{Memory, Progress};
use crate::repo::Repository;

/// The world of one operation.
pub struct World<'w> {
    pub now: Timestamp,
    pub environment: Environment,
    pub listener: &'w (dyn Fn(Progress) + Sync),
}

/// What the environment says, as far as anything here listens to it.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// Where state that outlives a run is kept; none when neither `XDG_STATE_HOME` nor `HOME` is set.
    pub state: Option<PathBuf>,
    /// `PATH`.
    pub search_path: OsString,
    /// What check commands may see of the environment.
    pub allowed: Vec<(OsString, OsString)>,
    /// Where scratch copies are made.
    pub temporary: PathBuf,
    pub approval: Approval,
    /// Where tools keep packages on this machine.
    pub machine: Machine,
    pub docs: DocsEnvironment,
}

impl Environment {
    /// What earlier questions about a repository left.
    pub fn memory(&self, repository: &Repository) -> Memory {
        Memory::of(self.state.as_ref().map(|it| it.join("graphs")).as_deref(), repository)
    }
}

/// What the environment says about the remote provider of documentation.
#[derive(Clone, Debug, Default)]
pub struct DocsEnvironment {
    /// Whether whoever started the program agrees that one is asked.
    pub consent: Consent,
    /// Its address, where that is not the usual one.
    pub address: Option<String>,
    /// The variables that may hold its key, by name. Which one is meant is a setting.
    pub variable: Option<fn(&str) -> Option<OsString>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Consent {
    #[default]
    None,
    Given,
}

/// Whether whoever started the program lets the repository's own configuration name programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Approval {
    #[default]
    None,
    Commands,
}
