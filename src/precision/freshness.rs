//! Whether the index describes the source as it is.
//!
//! Each document is judged, none is sampled, and what is not proven current is stale. Without a seal the proof is that
//! the file was neither written nor replaced since the index was written: modification time *and* change time lie
//! before the index, as `touch` and `mv` keep the one but not the other. A fresh clone gives an index and its sources
//! one time, so the comparison is strict. With a seal the proof is the content, by the state in which the seal saw the
//! file or by what the git index vouches for. The text, where it is read, is one more witness.

use std::collections::BTreeMap;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::document::Document;
use super::find::IndexFile;
use super::index::Index;
use super::reading::Reading;
use super::seal::{Content, Seal, Sealed, Seen, Surroundings, listing};
use crate::model::{Digest, LayerState, Reason, RepoPath};
use crate::repo::{Repository, Snapshot};
use crate::system::{FileKind, FileStat, Folder, Root};

/// What is known of every document of an index.
pub struct Freshness {
    rule: Rule,
    /// In the order of the documents; none for one that is proven current.
    doubts: Vec<Option<Doubt>>,
    /// What the documents held when they were sealed, in the same order.
    digests: Vec<Option<Digest>>,
}

/// What the proof is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Times,
    /// There is a seal, and it is none of this index.
    TimesForeignSeal,
    Seal,
}

/// Why a document is not proven current.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// There is no such file, or it is no regular file inside the repository.
    Gone,
    /// The file was written, replaced or moved when the index was there already, or at that very moment.
    Newer,
    /// Neither its state nor git says that it holds what was sealed. Reading it may.
    Unproven,
    /// It holds something else than what was sealed.
    Changed,
    /// It changed while the index was made.
    Raced,
    /// A file that decides what an indexer finds is new, gone or changed.
    Configuration,
    /// There is a source file that was not there.
    Sources,
    /// An occurrence lies outside of the text, or inside of a character or a word.
    Misplaced,
}

impl Rule {
    pub const fn words(self) -> &'static str {
        match self {
            Self::Times => {
                "by modification and change time, and by the text; `cortex index seal` proves it by content"
            }
            Self::TimesForeignSeal => {
                "by modification and change time, and by the text: the seal beside the index is of another index or \
                 version; `cortex index seal` writes a new one"
            }
            Self::Seal => "by the seal beside the index, and by the text",
        }
    }
}

impl Doubt {
    const fn words(self) -> &'static str {
        match self {
            Self::Gone => "its file is gone",
            Self::Newer => "its file is not older than the index",
            Self::Unproven => "its file was touched since it was sealed",
            Self::Changed => "its file holds something else than what was sealed",
            Self::Raced => "its file was not older than the index when it was sealed",
            Self::Configuration => "a file of the project's configuration changed",
            Self::Sources => "a source file was added",
            Self::Misplaced => "its positions do not fit the text",
        }
    }
}

impl Freshness {
    /// Asks the file system, and git where there is a seal, for each document; reads none.
    pub fn check(repository: &Repository, index: &Index<'_>, file: &IndexFile) -> Self {
        let seal = file.seal.as_ref().map(|it| Seal::read(it, index, &file.bytes));
        match seal {
            Some(Some(seal)) => Self::by_seal(repository, index, &seal),
            Some(None) => Self::by_times(repository.root(), index, file, Rule::TimesForeignSeal),
            None => Self::by_times(repository.root(), index, file, Rule::Times),
        }
    }

    fn by_times(root: &Root, index: &Index<'_>, file: &IndexFile, rule: Rule) -> Self {
        let mut holder = Holder { root, last: None };
        let written_ns = file.written_ns();
        let doubts = index.documents.iter().map(|it| match holder.stat(&it.path) {
            Some(stat) => {
                let is_older = stat.mtime_ns < written_ns && stat.ctime_ns < written_ns;
                (!is_older).then_some(Doubt::Newer)
            }
            None => Some(Doubt::Gone),
        });
        Self { rule, doubts: doubts.collect(), digests: Vec::new() }
    }

    fn by_seal(repository: &Repository, index: &Index<'_>, seal: &Seal) -> Self {
        let snapshot = listing(repository).ok();
        let mut holder = Holder { root: repository.root(), last: None };
        let around = snapshot.as_ref().and_then(|it| around(it, &mut holder, index, seal));
        let doubts = index.documents.iter().zip(&seal.documents).map(|(document, sealed)| {
            if document.path != sealed.path {
                return Some(Doubt::Unproven);
            }
            doubt(sealed, holder.stat(&sealed.path), snapshot.as_ref()).or(around)
        });
        let digests = seal.documents.iter().map(|it| it.content.as_ref().map(|it| it.sha256));
        Self { rule: Rule::Seal, doubts: doubts.collect(), digests: digests.collect() }
    }

    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// What speaks against a document before its text is read.
    pub fn doubt(&self, document: usize) -> Option<Doubt> {
        self.doubts.get(document).copied().unwrap_or(Some(Doubt::Gone))
    }

    /// What speaks against a document whose file holds these bytes.
    pub fn doubt_of_content(&self, document: usize, bytes: &[u8]) -> Option<Doubt> {
        match self.doubt(document) {
            Some(Doubt::Unproven) => {
                let sealed = self.digests.get(document).copied().flatten();
                (sealed != Some(Digest::of(bytes))).then_some(Doubt::Changed)
            }
            other => other,
        }
    }

    /// What reading has shown of documents.
    pub fn learn(&mut self, read: &BTreeMap<usize, Option<Doubt>>) {
        for (number, found) in read {
            if let Some(doubt) = self.doubts.get_mut(*number) {
                *doubt = *found;
            }
        }
    }

    /// Reads every document.
    pub fn witness(&mut self, root: &Root, index: &Index<'_>) {
        let numbers = (0..self.doubts.len()).into_par_iter();
        let read = numbers.map(|it| (it, Reading::of(root, index, self, it).doubt)).collect();
        self.learn(&read);
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

/// What speaks against every document, because what an indexer would find depends on more than its document.
fn around(snapshot: &Snapshot<'_>, holder: &mut Holder<'_>, index: &Index<'_>, seal: &Seal) -> Option<Doubt> {
    let found = Surroundings::of(snapshot, index);
    let sealed = seal.configuration.iter().map(|it| &it.path);
    if !found.configuration.iter().eq(sealed)
        || seal.configuration.iter().any(|it| doubt(it, holder.stat(&it.path), Some(snapshot)).is_some())
    {
        return Some(Doubt::Configuration);
    }
    let is_known = |it: &RepoPath| seal.others.binary_search(it).is_ok();
    (!found.others.iter().all(is_known)).then_some(Doubt::Sources)
}

fn doubt(sealed: &Sealed, stat: Option<FileStat>, snapshot: Option<&Snapshot<'_>>) -> Option<Doubt> {
    let Some(content) = &sealed.content else { return Some(Doubt::Raced) };
    let Some(stat) = stat else { return Some(Doubt::Gone) };
    if stat.size != content.size {
        return Some(Doubt::Changed);
    }
    let is_proven = Seen::of(&stat) == Some(content.seen) || git_vouches(content, &sealed.path, snapshot);
    (!is_proven).then_some(Doubt::Unproven)
}

fn git_vouches(content: &Content, path: &RepoPath, snapshot: Option<&Snapshot<'_>>) -> bool {
    let file = snapshot.and_then(|it| it.find(path));
    let named = file.filter(|it| it.size == content.size).and_then(|it| it.blob);
    named.is_some_and(|it| content.blob.as_ref() == Some(&it.to_string()))
}

/// The folder of the last document: sorted documents come folder by folder.
struct Holder<'r> {
    root: &'r Root,
    last: Option<(Option<RepoPath>, Option<Folder>)>,
}

impl Holder<'_> {
    /// None unless it is a regular file.
    fn stat(&mut self, path: &RepoPath) -> Option<FileStat> {
        let parent = path.parent();
        let is_same = self.last.as_ref().is_some_and(|(last, _)| *last == parent);
        if !is_same {
            let folder = self.root.folder(parent.as_ref()).ok();
            self.last = Some((parent, folder));
        }
        let (_, folder) = self.last.as_ref()?;
        let stat = folder.as_ref()?.stat(path.file_name()).ok()?;
        (stat.kind == FileKind::Regular).then_some(stat)
    }
}
