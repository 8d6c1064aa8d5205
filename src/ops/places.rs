//! What the tool calls its own in a repository.

use crate::model::RepoPath;

pub fn folder() -> RepoPath {
    place(".codecortex")
}

pub fn configuration() -> RepoPath {
    place(".codecortex/config.json")
}

pub fn rules() -> RepoPath {
    place(".codecortex/rules")
}

/// Where a scan writes its bundle unless told otherwise.
pub fn results() -> RepoPath {
    place(".codecortex/out")
}

fn place(text: &str) -> RepoPath {
    text.parse().expect("because the places are constants without `..`")
}
