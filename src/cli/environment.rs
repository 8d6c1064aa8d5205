//! The clock and the environment, read once.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::model::Timestamp;
use crate::ops::{Approval, Consent, DocsEnvironment, Environment, Machine};

/// What a check command may see. No credential has one of these names.
const ALLOWED: [&str; 9] =
    ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "CARGO_HOME", "RUSTUP_HOME", "JAVA_HOME"];

/// Now; `SOURCE_DATE_EPOCH` stands for it where results must be the same again.
#[expect(clippy::disallowed_methods, reason = "the one clock of the program")]
pub fn now() -> Timestamp {
    let fixed = std::env::var_os("SOURCE_DATE_EPOCH").and_then(|it| it.to_str()?.parse::<i64>().ok());
    let seconds = fixed.or_else(|| {
        let elapsed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
        i64::try_from(elapsed.as_secs()).ok()
    });
    Timestamp::from_unix(seconds.unwrap_or(0))
}

/// What the environment says.
pub fn environment() -> Environment {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|it| it.is_absolute());
    let state = absolute("XDG_STATE_HOME").or_else(|| absolute("HOME").map(|it| it.join(".local/state")));
    let allowed = ALLOWED.iter().filter_map(|name| Some((OsString::from(name), std::env::var_os(name)?)));
    Environment {
        state: state.map(|it| it.join("cortex")),
        search_path: std::env::var_os("PATH").unwrap_or_default(),
        allowed: allowed.collect(),
        temporary: std::env::temp_dir(),
        approval: match std::env::var_os("CORTEX_APPROVE_COMMANDS") {
            Some(it) if it == "1" => Approval::Commands,
            Some(_) | None => Approval::None,
        },
        machine: Machine {
            home: absolute("HOME"),
            maven_repository: maven_repository(),
            cargo_home: absolute("CARGO_HOME").or_else(|| absolute("HOME").map(|it| it.join(".cargo"))),
            virtual_env: absolute("VIRTUAL_ENV"),
        },
        docs: DocsEnvironment {
            consent: match std::env::var_os("CODECORTEX_DEPENDENCY_DOCS") {
                Some(it) if it == "1" => Consent::Given,
                Some(_) | None => Consent::None,
            },
            address: std::env::var_os("CODECORTEX_DEPENDENCY_DOCS_URL").and_then(|it| it.into_string().ok()),
            variable: Some(|name| std::env::var_os(name)),
        },
    }
}

/// The local repository that the options of Maven name: those of its command line, then those of its virtual machine.
#[expect(clippy::disallowed_methods, reason = "part of what the environment says")]
fn maven_repository() -> Option<PathBuf> {
    const OPTION: &str = "-Dmaven.repo.local=";
    ["MAVEN_ARGS", "MAVEN_OPTS"].iter().find_map(|name| {
        let options = std::env::var(name).ok()?;
        // Of an option that is given twice, the last counts.
        let found = options.split_whitespace().rev().find_map(|it| it.strip_prefix(OPTION))?;
        Some(PathBuf::from(found.trim_matches(['"', '\''])))
    })
}
