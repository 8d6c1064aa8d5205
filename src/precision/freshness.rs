//! Whether the index describes the source as it is.
//!
//! Each document is judged, none is sampled, and what is not proven current is stale. Without a seal the proof is that
//! the file was neither written nor replaced since the index was written: modification time *and* change time lie
//! before the index, as `touch` and `mv` keep the one but not the other. A fresh clone gives an index and its sources
//! one time, so the comparison is strict. With a seal the proof is the content: the file is in the state in which it
//! was last hashed here, or the git index vouches for what it holds. The text, where it is read, is one more witness.

use std::collections::BTreeMap;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::document::Document;
use super::find::IndexFile;
use super::index::Index;
use super::proof::{Holder, Knowledge};
use super::reading::Reading;
use super::seal::Seal;
use crate::model::{Digest, LayerState, Reason, RepoPath};
use crate::repo::Repository;
use crate::system::{FileStat, Root, Stamp};

/// What is known of every document of an index.
pub struct Freshness {
    rule: Rule,
    /// What speaks against all documents.
    around: Option<Around>,
    /// In the order of the documents; none for one that is proven current by itself.
    doubts: Vec<Option<Doubt>>,
    /// What the documents held when they were sealed, in the same order.
    digests: Vec<Option<Digest>>,
    /// Files that had to be hashed, and why the next look will have to do it again.
    hashed: usize,
    unkept: Option<String>,
}

/// What the proof is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Times,
    /// There is a seal, and it is none of this index.
    ForeignSeal,
    Seal,
}

/// Why a document is not proven current.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// There is no such file, or it is no regular file inside the repository.
    Gone,
    /// The file was written, replaced or moved when the index was there already, or at that very moment.
    Newer,
    /// The seal is of another index, so nothing says what this one was made of.
    Unsealed,
    /// Neither its state nor git says that it holds what was sealed. Reading it may.
    Unproven(Trace),
    /// It holds something else than what was sealed.
    Changed,
    /// It changed while the index was made.
    Raced,
    /// A file that decides what an indexer finds is new, gone or changed.
    Configuration,
    /// Nothing says that such a file holds what was sealed.
    ConfigurationUnproven(Trace),
    /// There is a source file that was not there.
    Sources,
    /// An occurrence lies outside of the text, or inside of a character or a word.
    Misplaced,
}

/// How the state of a file differs from the one in which it was last read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trace {
    /// It was never read here.
    Unseen,
    Replaced,
    Written,
    /// Its times were set back, or its name or rights were changed.
    Altered,
}

/// A file that speaks against every document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Around {
    pub doubt: Doubt,
    pub path: RepoPath,
}

impl Rule {
    pub const fn words(self) -> &'static str {
        match self {
            Self::Times => {
                "by modification and change time, and by the text, which is no proof; `cortex index seal` gives one"
            }
            Self::ForeignSeal => {
                "unknown: the seal beside the index is of another index or version; `cortex index seal` writes a new one"
            }
            Self::Seal => "by the seal beside the index, and by the text",
        }
    }
}

impl Trace {
    pub fn of(last: Option<Stamp>, stat: &FileStat) -> Self {
        match last {
            None => Self::Unseen,
            Some(last) if last.inode != stat.inode => Self::Replaced,
            Some(last) if i128::from(last.mtime_ns) != stat.mtime_ns => Self::Written,
            Some(_) => Self::Altered,
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Unseen => "has not been compared with the seal here",
            Self::Replaced => "was replaced by another file",
            Self::Written => "was written since it was last compared with the seal",
            Self::Altered => {
                "was renamed, or its times or rights were set, since it was last compared with the seal"
            }
        }
    }
}

impl Doubt {
    const fn words(self) -> &'static str {
        match self {
            Self::Gone => "is gone",
            Self::Newer => "is not older than the index",
            Self::Unsealed => "may be any version: the seal beside the index is of another one",
            Self::Unproven(trace) | Self::ConfigurationUnproven(trace) => trace.words(),
            Self::Changed => "holds something else than what was sealed",
            Self::Raced => "changed while the index was made, or before it was sealed",
            Self::Configuration => "decides what an indexer finds, and is new, gone or changed",
            Self::Sources => "is a source file that was not there when the index was made",
            Self::Misplaced => "does not fit the positions in the index",
        }
    }

    /// Whether reading may take it away.
    const fn is_open(self) -> bool {
        matches!(self, Self::Unproven(_) | Self::ConfigurationUnproven(_))
    }
}

/// So many files are hashed faster than anyone notices.
const FEW: usize = 64;

impl Freshness {
    /// Asks the file system, and git where there is a seal, for each document; reads none.
    pub fn check(repository: &Repository, index: &Index<'_>, file: &IndexFile) -> Self {
        let knowledge = Knowledge::new(repository);
        match knowledge.seal(index, file) {
            Some(seal) => Self::by_seal(&knowledge, index, &seal, file),
            None => Self::without_seal(repository.root(), index, file),
        }
    }

    /// As `check`, and reads each file whose state proves nothing, so that the next check need not.
    pub fn settle(repository: &Repository, index: &Index<'_>, file: &IndexFile) -> Self {
        let knowledge = Knowledge::new(repository);
        let Some(seal) = knowledge.seal(index, file) else {
            return Self::without_seal(repository.root(), index, file);
        };
        let settled = knowledge.settle(index, &seal, file);
        let checked = Self::by_seal(&settled.knowledge, index, &seal, file);
        Self { hashed: settled.hashed, unkept: settled.unkept, ..checked }
    }

    /// As `check`, and as `settle` where that takes a few files only, as after a clone: the clock of a file system ticks
    /// too coarsely to tell what was checked out last from what was written since.
    pub fn check_or_settle(repository: &Repository, index: &Index<'_>, file: &IndexFile) -> Self {
        let checked = Self::check(repository, index, file);
        let open = checked
            .doubts
            .iter()
            .flatten()
            .chain(checked.doubt_of_all().iter())
            .filter(|it| it.is_open())
            .count();
        if (1..=FEW).contains(&open) { Self::settle(repository, index, file) } else { checked }
    }

    fn without_seal(root: &Root, index: &Index<'_>, file: &IndexFile) -> Self {
        let rule = if file.seal.is_some() { Rule::ForeignSeal } else { Rule::Times };
        let mut holder = Holder::new(root);
        let written_ns = file.written_ns();
        let doubts = index.documents.iter().map(|it| match holder.stat(&it.path) {
            Some(_) if rule == Rule::ForeignSeal => Some(Doubt::Unsealed),
            Some(stat) => {
                let is_older = stat.mtime_ns < written_ns && stat.ctime_ns < written_ns;
                (!is_older).then_some(Doubt::Newer)
            }
            None => Some(Doubt::Gone),
        });
        let doubts = doubts.collect();
        Self { rule, around: None, doubts, digests: Vec::new(), hashed: 0, unkept: None }
    }

    fn by_seal(knowledge: &Knowledge<'_>, index: &Index<'_>, seal: &Seal, file: &IndexFile) -> Self {
        let digests = seal.documents.iter().map(|it| it.content.as_ref().map(|it| it.sha256)).collect();
        let around = knowledge.around(index, seal, file);
        let doubts = knowledge.doubts(seal);
        Self { rule: Rule::Seal, around, doubts, digests, hashed: 0, unkept: None }
    }

    /// The number of files that had to be hashed.
    pub const fn hashed(&self) -> usize {
        self.hashed
    }

    /// Why what was hashed could not be kept.
    pub fn unkept(&self) -> Option<&str> {
        self.unkept.as_deref()
    }

    /// Whether what is found current is proven to be. Times alone are no proof.
    pub const fn is_proof(&self) -> bool {
        matches!(self.rule, Rule::Seal)
    }

    /// What there is to know although every document may be current.
    pub fn caveat(&self) -> Option<Reason> {
        (self.rule == Rule::Times).then(|| {
            let message = "only the times of the files say that the index describes them, so nothing is exact; \
                           `cortex index seal`, right after the indexer ran, proves it";
            Reason::new("index_unsealed", message)
        })
    }

    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// What speaks against a document before its text is read.
    pub fn doubt(&self, document: usize) -> Option<Doubt> {
        let own = self.doubts.get(document).copied().unwrap_or(Some(Doubt::Gone));
        own.or_else(|| self.doubt_of_all())
    }

    fn doubt_of_all(&self) -> Option<Doubt> {
        self.around.as_ref().map(|it| it.doubt)
    }

    /// What speaks against a document whose file holds these bytes.
    pub fn doubt_of_content(&self, document: usize, bytes: &[u8]) -> Option<Doubt> {
        match self.doubt(document) {
            Some(Doubt::Unproven(_)) => {
                let sealed = self.digests.get(document).copied().flatten();
                let is_sealed = sealed == Some(Digest::of(bytes));
                if is_sealed { self.doubt_of_all() } else { Some(Doubt::Changed) }
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
        if self.around.is_some() { self.doubts.len() } else { self.doubts.iter().flatten().count() }
    }

    /// The state of the layer.
    pub fn state(&self, documents: &[Document<'_>]) -> LayerState {
        let own = self.doubts.iter().zip(documents).filter_map(|(doubt, it)| Some((&it.path, (*doubt)?)));
        let around = self.around.as_ref().map(|it| (&it.path, it.doubt));
        let mut all = around.into_iter().chain(own);
        let Some((path, doubt)) = all.next() else { return LayerState::Available };
        let advice = match (self.rule, doubt.is_open() && all.all(|it| it.1.is_open())) {
            (Rule::Seal, true) => "`cortex precision-status` compares them with the seal",
            (Rule::ForeignSeal, _) => "run the indexer, then `cortex index seal`",
            (Rule::Seal | Rule::Times, _) => "run the indexer again",
        };
        let (stale, total) = (self.stale(), self.doubts.len());
        let message = format!(
            "{stale} of {total} documents are not proven current: `{path}` {}; {advice}",
            doubt.words()
        );
        LayerState::Stale { reason: Reason::new("index_stale", message) }
    }
}
