//! Whether the index describes the source as it is.
//!
//! Each document is judged, none is sampled, and what is not proven current is stale. Without a seal the proof is that
//! the file was neither written nor replaced since the index was written: modification time *and* change time lie
//! before the index, as `touch` and `mv` keep the one but not the other. A fresh clone gives an index and its sources
//! one time, so the comparison is strict. The text, where it is read, is a second witness that can only lower.

use std::collections::BTreeSet;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::document::Document;
use super::find::IndexFile;
use super::index::Index;
use super::reading::Reading;
use crate::model::{LayerState, Reason, RepoPath};
use crate::system::{FileKind, FileStat, Folder, Root};

/// What is known of every document of an index.
pub struct Freshness {
    /// In the order of the documents; none for one that is proven current.
    doubts: Vec<Option<Doubt>>,
}

/// Why a document is not proven current.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// There is no such file, or it is no regular file inside the repository.
    Gone,
    /// The file was written, replaced or moved when the index was there already, or at that very moment.
    Newer,
    /// An occurrence lies outside of the text, or inside of a character or a word.
    Misplaced,
}

impl Doubt {
    pub const fn words(self) -> &'static str {
        match self {
            Self::Gone => "its file is gone",
            Self::Newer => "its file is not older than the index",
            Self::Misplaced => "its positions do not fit the text",
        }
    }
}

impl Freshness {
    /// Asks the file system for each document, and reads none.
    pub fn check(root: &Root, index: &Index<'_>, file: &IndexFile) -> Self {
        let mut holder = Holder { root, last: None };
        let doubts = index.documents.iter().map(|it| doubt(holder.stat(&it.path), &file.stat));
        Self { doubts: doubts.collect() }
    }

    pub fn doubt(&self, document: usize) -> Option<Doubt> {
        self.doubts.get(document).copied().unwrap_or(Some(Doubt::Gone))
    }

    /// Documents whose text was read and does not fit.
    pub fn lower(&mut self, misplaced: &BTreeSet<usize>) {
        for number in misplaced {
            if let Some(doubt) = self.doubts.get_mut(*number) {
                *doubt = doubt.or(Some(Doubt::Misplaced));
            }
        }
    }

    /// Reads every document that the file system takes for current, and lowers those that do not fit.
    pub fn witness(&mut self, root: &Root, index: &Index<'_>) {
        let numbers = 0..self.doubts.len();
        let misplaced = numbers
            .into_par_iter()
            .filter(|it| self.doubt(*it).is_none() && Reading::of(root, index, self, *it).doubt().is_some());
        let misplaced = misplaced.collect();
        self.lower(&misplaced);
    }

    /// The number of documents that are not proven current.
    pub fn stale(&self) -> usize {
        self.doubts.iter().flatten().count()
    }

    /// The state of the layer.
    pub fn state(&self, documents: &[Document<'_>]) -> LayerState {
        let first = self.doubts.iter().zip(documents).find_map(|(doubt, it)| Some((&it.path, (*doubt)?)));
        let Some((path, doubt)) = first else { return LayerState::Available };
        let (stale, total) = (self.stale(), self.doubts.len());
        let message = format!(
            "{stale} of {total} documents are not proven current, the first `{path}`: {}; run the indexer again",
            doubt.words()
        );
        LayerState::Stale { reason: Reason::new("index_stale", message) }
    }
}

fn doubt(stat: Option<FileStat>, index: &FileStat) -> Option<Doubt> {
    match stat {
        Some(stat) if stat.kind == FileKind::Regular => {
            let is_older = stat.mtime_ns < index.mtime_ns && stat.ctime_ns < index.mtime_ns;
            (!is_older).then_some(Doubt::Newer)
        }
        Some(_) | None => Some(Doubt::Gone),
    }
}

/// The folder of the last document: sorted documents come folder by folder.
struct Holder<'r> {
    root: &'r Root,
    last: Option<(Option<RepoPath>, Option<Folder>)>,
}

impl Holder<'_> {
    fn stat(&mut self, path: &RepoPath) -> Option<FileStat> {
        let parent = path.parent();
        let is_same = self.last.as_ref().is_some_and(|(last, _)| *last == parent);
        if !is_same {
            let folder = self.root.folder(parent.as_ref()).ok();
            self.last = Some((parent, folder));
        }
        let (_, folder) = self.last.as_ref()?;
        folder.as_ref()?.stat(path.file_name()).ok()
    }
}
