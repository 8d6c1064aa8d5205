//! Which commits are fixes, by their subject alone.
//!
//! The type of a conventional subject (`fix(parser): …`) decides where it has a known one; else a word such as `fix`,
//! `bug`, `crash` or `revert` does. Either way a subject that names what no user could have met (a typo, documentation,
//! formatting, a flaky test) is none. The words are data that the backtest of the risk reads too.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    fix_types: BTreeSet<String>,
    other_types: BTreeSet<String>,
    words: BTreeSet<String>,
    trivial: BTreeSet<String>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    serde_json::from_str(include_str!("fixes.json")).expect("because the file is part of the program")
});
static TYPE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^([a-z]+)(?:\([^)]*\))?!?:").expect("because the pattern is a constant"));

pub fn is_fix(subject: &str) -> bool {
    let subject = subject.to_lowercase();
    let words = || subject.split(|it: char| !it.is_ascii_alphanumeric());
    if words().any(|it| WORDS.trivial.contains(it)) {
        return false;
    }
    match TYPE.captures(&subject).and_then(|it| it.get(1)).map(|it| it.as_str()) {
        Some(kind) if WORDS.fix_types.contains(kind) => true,
        Some(kind) if WORDS.other_types.contains(kind) => false,
        Some(_) | None => words().any(|it| WORDS.words.contains(it)),
    }
}

#[cfg(test)]
mod tests {
    use super::is_fix;

    #[test]
    fn the_subject_says_whether_a_commit_is_a_fix() {
        for fix in [
            "fix: close the file",
            "fix(parser)!: close the file",
            "Fixes #12",
            "caddyhttp: Fix panic in matcher (#99)",
            "Revert \"Add a cache\"",
            "revert: feat: add a cache",
            "Don't crash on an empty list",
            "runtime: deadlock when shutting down",
        ] {
            assert!(is_fix(fix), "{fix}");
        }
        for other in [
            "feat: fix up names",
            "chore(deps): bump bugsnag",
            "Fix typo in README",
            "fix(docs): broken link",
            "docs: fix example",
            "Add prefix and suffix",
            "Debug output",
            "fix flaky test",
            "",
        ] {
            assert!(!is_fix(other), "{other}");
        }
    }
}
