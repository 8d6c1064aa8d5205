//! Which lockfile is about which manifest, and what of it the lockfile has to list.

use crate::deps::fact::Declared;
use crate::model::RepoPath;

/// Variables of the markers that are about the machine, and the environments of a tool that no lockfile lists.
const OF_ENVIRONMENT: [&str; 6] =
    ["python", "platform", "os_name", "implementation", "hatch.envs", "extra =="];

/// What pip-compile leaves out unless it is told otherwise, since it belongs to the installation.
const UNSAFE: [&str; 3] = ["pip", "setuptools", "distribute"];

/// Whether a lockfile settles what a manifest asks for: a folder can have those of several tools.
pub fn is_locked_by(manifest: &RepoPath, lockfile: &RepoPath) -> bool {
    let (asks, has) = (manifest.file_name(), lockfile.file_name());
    let is_standard = has.starts_with(b"pylock.") && has.ends_with(b".toml");
    match has {
        b"Pipfile.lock" => asks == b"Pipfile",
        b"uv.lock" | b"poetry.lock" | b"pdm.lock" => asks == b"pyproject.toml",
        _ if is_standard => asks == b"pyproject.toml",
        // What is compiled from another file than the one of its own name says so in a comment only.
        _ => asks.strip_suffix(b".in").is_some_and(|it| has.strip_suffix(b".txt") == Some(it)),
    }
}

/// Whether an entry has to be in the lockfile. One for other machines need not: a lockfile leaves out what none of those
/// that the project supports can want.
pub fn is_certain(declared: &Declared) -> bool {
    let is_compiled = declared.place.path.file_name().ends_with(b".in");
    let condition = declared.target.as_deref().unwrap_or_default();
    let is_of_environment = OF_ENVIRONMENT.iter().any(|it| condition.contains(it));
    let is_left_out = is_compiled && UNSAFE.contains(&declared.name.as_str());
    !is_of_environment && !is_left_out
}
