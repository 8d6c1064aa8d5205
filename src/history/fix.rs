//! Which commits were fixes, by what their subjects say.

use std::collections::BTreeSet;

use crate::model::RepoPath;
use crate::repo::{CommitId, Reach, Repository};

/// The fixes in some files in the year before a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixes {
    /// Their number; more than [`MOST`] are not told apart.
    Counted(u32),
    /// The clone is shallow, so that fixes can be missing.
    Shallow,
    /// There is no history to read.
    Absent,
}

/// As many as the risk tells apart.
pub const MOST: u32 = 8;

const YEAR: i64 = 365 * 24 * 60 * 60;

/// The most commits that are looked through.
const MOST_COMMITS: usize = 10_000;

/// Words of a subject that say that something was broken.
const WORDS: &[&str] = &[
    "fix",
    "fixes",
    "fixed",
    "fixing",
    "fixup",
    "bugfix",
    "hotfix",
    "bug",
    "bugs",
    "regression",
    "regressions",
    "revert",
    "reverts",
    "reverted",
    "crash",
    "crashes",
];

/// Whether a subject says that the commit mends something.
pub fn is_fix(subject: &str) -> bool {
    let words = subject.split(|it: char| !it.is_alphanumeric());
    words.into_iter().any(|it| WORDS.contains(&it.to_ascii_lowercase().as_str()))
}

/// The fixes among the commits of the year up to `from` that changed one of the files; merges are left out, since what
/// they bring is counted already.
pub fn fixes(repository: &Repository, from: CommitId, files: &BTreeSet<RepoPath>) -> Fixes {
    let reach = Reach { commits: MOST_COMMITS, seconds: Some(YEAR) };
    let Some(log) = repository.log(from, reach, is_fix) else { return Fixes::Absent };
    if log.is_shallow {
        return Fixes::Shallow;
    }
    let fixing =
        log.commits.iter().filter(|it| it.parents < 2 && it.files.iter().any(|it| files.contains(it)));
    let count = u32::try_from(fixing.take(MOST as usize).count()).unwrap_or(MOST);
    Fixes::Counted(count)
}

#[cfg(test)]
mod tests {
    use super::is_fix;

    #[test]
    fn a_fix_says_so_by_a_word_of_its_own() {
        for subject in
            ["Fix the till", "core: fixes #12", "Revert \"Add x\"", "A bug in prices", "crash on exit (#3)"]
        {
            assert!(is_fix(subject), "{subject}");
        }
        for subject in ["Add a prefix", "Debugger support", "Refactor", "Affix labels"] {
            assert!(!is_fix(subject), "{subject}");
        }
    }
}
