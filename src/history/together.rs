//! Files that change together: advice for a change that has one of them and not the other.
//!
//! It is advice and no part of the risk: in the backtest a missing partner said nothing about faults.

use std::collections::{BTreeMap, BTreeSet};

use super::mined::History;
use crate::model::RepoPath;
use crate::repo::{Logged, LoggedFiles};

/// A commit of more files is a sweep (a rename, a licence, a format) and ties nothing together.
const MOST_FILES: usize = 30;
const LEAST_SUPPORT: usize = 4;

/// A file that mostly changed with another one.
pub struct Partner<'h> {
    /// The file that changes.
    pub of: RepoPath,
    /// The one that mostly does too.
    pub path: RepoPath,
    /// The commits that changed both, newest first.
    pub both: Vec<&'h Logged>,
    /// The commits that changed the first.
    pub all: usize,
}

impl Partner<'_> {
    /// The share of the changes of the one that changed the other too.
    pub fn confidence(&self) -> f64 {
        self.both.len() as f64 / self.all as f64
    }
}

impl History {
    /// The files that mostly changed with one of these and are not among them, the surest first.
    pub fn partners(&self, files: &BTreeSet<RepoPath>) -> Vec<Partner<'_>> {
        let mut best: BTreeMap<RepoPath, Partner<'_>> = BTreeMap::new();
        for of in files {
            for found in self.partners_of(of).into_iter().filter(|it| !files.contains(&it.path)) {
                let known = best.get(&found.path);
                if known.is_none_or(|it| it.confidence() < found.confidence()) {
                    best.insert(found.path.clone(), found);
                }
            }
        }
        let mut partners: Vec<Partner<'_>> = best.into_values().collect();
        partners.sort_by(|left, right| {
            let by_share = right.confidence().total_cmp(&left.confidence());
            by_share
                .then_with(|| right.both.len().cmp(&left.both.len()))
                .then_with(|| left.path.cmp(&right.path))
        });
        partners
    }

    fn partners_of(&self, of: &RepoPath) -> Vec<Partner<'_>> {
        let mut all = 0;
        let mut both: BTreeMap<RepoPath, Vec<&Logged>> = BTreeMap::new();
        for commit in self.touching(of).iter().filter_map(|it| self.commit(*it)) {
            let LoggedFiles::Changed(changes) = &commit.files else { continue };
            if changes.len() > MOST_FILES {
                continue;
            }
            all += 1;
            for name in changes.iter().map(|it| self.today(&it.path)).filter(|it| *it != of) {
                both.entry(name.clone()).or_default().push(commit);
            }
        }
        let is_partner = |(path, both): &(RepoPath, Vec<&Logged>)| {
            both.len() >= LEAST_SUPPORT && both.len() * 2 >= all && !self.is_gone(path)
        };
        let found = both.into_iter().filter(is_partner);
        found.map(|(path, both)| Partner { of: of.clone(), path, both, all }).collect()
    }
}
