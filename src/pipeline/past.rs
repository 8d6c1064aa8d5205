//! What the history adds to an impact: the fixes before it, and the files that it may have forgotten.

use std::collections::BTreeSet;
use std::path::Path;

use crate::history::{self, History, Partner};
use crate::model::{Evidence, Note, Reason, RepoPath};
use crate::repo::{CommitId, Repository};
use crate::syntax::{Language, has_outline};

/// Where the history before a change is read.
#[derive(Clone, Copy)]
pub struct Past<'p> {
    pub repository: &'p Repository,
    /// The commit that the change begins at; none for the one that is checked out.
    pub base: Option<CommitId>,
    /// Where what was read of histories is kept, if anywhere.
    pub folder: Option<&'p Path>,
}

/// What the history says of the files of a change.
pub struct Told {
    /// The fixes of its source files in twelve months; none where they are not known.
    pub fixes: Option<u32>,
    pub partners: Vec<Evidence>,
    /// Why the fixes are not known.
    pub gap: Option<Note>,
}

impl Past<'_> {
    /// Asks for files by every name that they have in the change.
    pub fn ask(&self, names: &BTreeSet<RepoPath>) -> Told {
        let history = match self.read() {
            Ok(history) => history,
            Err(reason) => return Told { fixes: None, partners: Vec::new(), gap: Some(gap(reason)) },
        };
        let is_source = |it: &&RepoPath| Language::of_path(it).is_some_and(has_outline);
        let source: Vec<RepoPath> = names.iter().filter(is_source).cloned().collect();
        let partners = history.partners(names).iter().map(Partner::evidence).collect();
        let (fixes, gap) = match history.fixes(&source) {
            Ok(fixes) => (Some(u32::try_from(fixes.len()).unwrap_or(u32::MAX)), None),
            Err(reason) => (None, Some(gap(reason))),
        };
        Told { fixes, partners, gap }
    }

    fn read(&self) -> Result<History, Reason> {
        let from = self.base.or(self.repository.head().commit);
        let from = from.ok_or_else(|| Reason::new("history_without_git", "there is no commit yet"))?;
        history::read(self.repository, from, self.folder)
    }
}

fn gap(reason: Reason) -> Note {
    let message =
        format!("the fixes of the twelve months before are not part of the risk: {}", reason.message);
    Note { code: reason.code, ..Note::new("history_shallow", message) }
}
