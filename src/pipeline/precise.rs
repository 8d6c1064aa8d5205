//! The precision stage: what a compiler-grade index resolves in the files of this run.

use super::look::Look;
use crate::config::Config;
use crate::model::{Reason, RepoPath, Staged};
use crate::precision::{self, IndexFile, Resolved, SEAL};
use crate::repo::{Base, BlobId, Options, Repository, View};

/// Reads the index, when there is one that may be believed.
pub fn resolve(
    repository: &Repository,
    config: &Config,
    base: Option<&Base>,
    looks: &[Look],
) -> Staged<Option<Resolved>> {
    let file = match precision::usable(&config.precision_index, repository.root(), None) {
        Ok(file) => file,
        Err(state) => return Staged { value: None, state, notes: Vec::new() },
    };
    if base.is_some_and(|it| brought_by_change(repository, it, &file)) {
        let message = format!(
            "`{}` or its seal comes with the change itself, so it does not judge it; have CI make the index",
            file.place
        );
        return Staged::unavailable(Reason::new("index_in_change", message));
    }
    let blob = |path: &RepoPath| {
        let at = looks.binary_search_by(|it| it.path.cmp(path)).ok()?;
        looks.get(at)?.file.as_ref().map(|it| it.blob)
    };
    let is_current = |path: &RepoPath, text: &str| blob(path) == Some(BlobId::of(text.as_bytes()));
    precision::resolve(repository, &file, is_current)
}

/// Whether the change under review holds the index or its seal: then whoever wrote the change says what is exact. What
/// lies in the working tree alone was put there by whoever runs this.
fn brought_by_change(repository: &Repository, base: &Base, file: &IndexFile) -> bool {
    let blob_in = |view: View, path: &RepoPath| {
        // An index is larger than a source file may be.
        let options = Options { scope: Some(path.clone()), max_file_bytes: u64::MAX };
        repository.snapshot(view, &options).ok()?.find(path)?.blob
    };
    let seal = file.seal.as_ref().map(|bytes| (format!("{}{SEAL}", file.place), bytes));
    let parts = std::iter::once((file.place.clone(), &file.bytes)).chain(seal);
    parts.into_iter().any(|(place, bytes)| {
        let Ok(path) = place.parse::<RepoPath>() else { return false };
        let committed = blob_in(View::Staged, &path).filter(|it| *it == BlobId::of(bytes));
        committed.is_some() && committed != blob_in(View::Commit(base.commit), &path)
    })
}
