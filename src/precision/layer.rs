//! The layer as a whole: whether there is an index to use, and what it gives to a run over all files.

use std::path::Path;

use super::answer::Library;
use super::find::{self, IndexFile};
use super::freshness::Freshness;
use super::index::Index;
use super::refusal::Refusal;
use super::resolved::Resolved;
use crate::config::PrecisionIndex;
use crate::model::{LayerState, Note, Reason, RepoPath, Staged};
use crate::repo::Repository;
use crate::system::Root;

/// The bytes of the index that is named, configured, or in a usual place.
///
/// # Errors
/// With the state of the layer when there are none to use.
pub fn usable(settings: &PrecisionIndex, root: &Root, named: Option<&Path>) -> Result<IndexFile, LayerState> {
    if !settings.enabled {
        let reason = Reason::new("precision_disabled", "`precision_index.enabled` is false");
        return Err(LayerState::Disabled { reason });
    }
    let found = match named {
        Some(named) => find::open(named).map(Some),
        None => find::find(root, settings.path.as_ref()),
    };
    found.map_err(|it| unavailable(&it))?.ok_or_else(|| {
        let message = "there is no precision index; answers come from syntax and imports";
        LayerState::Unavailable { reason: Reason::new("no_precision_index", message) }
    })
}

/// The state that a refused index leaves the layer in.
pub fn unavailable(refusal: &Refusal) -> LayerState {
    LayerState::Unavailable { reason: refusal.reason() }
}

/// What an index resolves in the documents that are proven current, and how far the layer is there. `is_current` says
/// whether the text of a file is the one that the run is about.
pub fn resolve(
    repository: &Repository,
    file: &IndexFile,
    is_current: impl Fn(&RepoPath, &str) -> bool + Sync,
) -> Staged<Option<Resolved>> {
    let index = match Index::parse(&file.bytes) {
        Ok(index) => index,
        Err(refusal) => return Staged::unavailable(refusal.reason()),
    };
    let root = repository.root();
    let mut freshness = Freshness::settle(repository, &index, file);
    let library = Library { root, index: &index, freshness: &freshness };
    let (resolved, read) = Resolved::of(&library, is_current);
    freshness.learn(&read);
    let notes = freshness.caveat().map(|it| Note { message: it.message, ..Note::new("index_unsealed", "") });
    Staged {
        value: Some(resolved),
        state: freshness.state(&index.documents),
        notes: notes.into_iter().collect(),
    }
}
