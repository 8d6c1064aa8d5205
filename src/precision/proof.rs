//! Whether files hold what was sealed: what can be said without reading one, and what reading those in doubt adds.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::find::IndexFile;
use super::freshness::{Around, Doubt, Trace};
use super::index::Index;
use super::seal::{Content, MAX_FILE_BYTES, Seal, Sealed, Surroundings, listing};
use super::stat_cache::StatCache;
use crate::model::{Digest, RepoPath};
use crate::repo::{GitIndex, Layout, Repository, Snapshot};
use crate::system::{FileKind, FileStat, Folder, Root, Stamp, next_tick};

/// What is known of a repository without reading its source files.
pub struct Knowledge<'r> {
    repository: &'r Repository,
    cache: StatCache,
    git: OnceCell<Option<GitIndex>>,
}

/// What came of reading the files in doubt.
pub struct Settled<'r> {
    pub knowledge: Knowledge<'r>,
    /// The number of files that were hashed.
    pub hashed: usize,
    /// Why the next look will have to hash them again.
    pub unkept: Option<String>,
}

impl<'r> Knowledge<'r> {
    pub fn new(repository: &'r Repository) -> Self {
        Self::with(repository, StatCache::read(repository.root()))
    }

    const fn with(repository: &'r Repository, cache: StatCache) -> Self {
        Self { repository, cache, git: OnceCell::new() }
    }

    /// The seal beside an index, if it is its own.
    pub fn seal(&self, index: &Index<'_>, file: &IndexFile) -> Option<Seal> {
        Seal::read(file.seal.as_deref()?, index, &self.index_digest(file))
    }

    fn index_digest(&self, file: &IndexFile) -> Digest {
        let stamp = Stamp::of(&file.stat);
        let known = self.cache.index.filter(|(seen, _)| Some(*seen) == stamp);
        known.map_or_else(|| Digest::of(&file.bytes), |it| it.1)
    }

    /// What speaks against each document.
    pub fn doubts(&self, seal: &Seal) -> Vec<Option<Doubt>> {
        let mut holder = Holder::new(self.repository.root());
        seal.documents.iter().map(|it| self.doubt(it, holder.stat(&it.path))).collect()
    }

    fn doubt(&self, sealed: &Sealed, stat: Option<FileStat>) -> Option<Doubt> {
        let Some(content) = &sealed.content else { return Some(Doubt::Raced) };
        let Some(stat) = stat else { return Some(Doubt::Gone) };
        if stat.size != content.size {
            return Some(Doubt::Changed);
        }
        let last = self.cache.last(&sealed.path);
        if let Some((stamp, digest)) = last
            && Some(stamp) == Stamp::of(&stat)
        {
            return (digest != content.sha256).then_some(Doubt::Changed);
        }
        let is_proven = self.git_vouches(&sealed.path, content, &stat);
        (!is_proven).then(|| Doubt::Unproven(Trace::of(last.map(|it| it.0), &stat)))
    }

    fn git_vouches(&self, path: &RepoPath, content: &Content, stat: &FileStat) -> bool {
        let git = self.git.get_or_init(|| self.repository.git_index()).as_ref();
        git.and_then(|it| it.blob_of(path, stat)).is_some_and(|it| it.to_string() == content.blob)
    }

    /// What speaks against every document, because what an indexer would find depends on more than its document.
    pub fn around(&self, index: &Index<'_>, seal: &Seal, file: &IndexFile) -> Option<Around> {
        // A working tree can always be listed; where it can not, no seal holds either.
        let listed = if self.has_layout_of(file) { None } else { listing(self.repository).ok() };
        let came_or_went = listed.and_then(|it| unsealed(&it, index, seal));
        let mut holder = Holder::new(self.repository.root());
        let mut doubts = seal.configuration.iter().map(|it| (it, self.doubt(it, holder.stat(&it.path))));
        came_or_went.or_else(|| {
            let (it, doubt) = doubts.find(|it| it.1.is_some())?;
            let doubt = match doubt {
                Some(Doubt::Unproven(trace)) => Doubt::ConfigurationUnproven(trace),
                _ => Doubt::Configuration,
            };
            Some(Around { doubt, path: it.path.clone() })
        })
    }

    /// Reads the files whose state says nothing, and keeps what they hold for another time.
    pub fn settle(self, index: &Index<'_>, seal: &Seal, file: &IndexFile) -> Settled<'r> {
        let root = self.repository.root();
        let mut holder = Holder::new(root);
        let sealed = seal.documents.iter().chain(&seal.configuration);
        let stated: Vec<_> = sealed.filter_map(|it| Some((it, holder.stat(&it.path)?))).collect();
        let is_open = |(it, stat): &&(&Sealed, FileStat)| {
            matches!(self.doubt(it, Some(*stat)), Some(Doubt::Unproven(_)))
        };
        let open: Vec<&RepoPath> = stated.iter().filter(is_open).map(|(it, _)| &it.path).collect();
        if open.is_empty() && self.is_kept(seal, file) {
            return Settled { knowledge: self, hashed: 0, unkept: None };
        }
        let clock = StatCache::make_folder(root).and_then(|it| next_tick(&it));
        let read: Vec<_> = open.par_iter().filter_map(|it| hashed(root, it, MAX_FILE_BYTES)).collect();
        let hashed = read.len();
        let mut cache = StatCache::new(root);
        cache.files = stated.iter().filter_map(|(it, stat)| self.known(it, stat)).chain(read).collect();
        cache.files.sort_by(|a, b| a.0.cmp(&b.0));
        cache.index = reread(root, file);
        cache.layout = self.layout(index, seal, file);
        let unkept = clock.map_err(|it| it.to_string()).and_then(|it| cache.write(root, it)).err();
        Settled { knowledge: Self::with(self.repository, cache), hashed, unkept }
    }

    /// Whether the cache has what is not read from files.
    fn is_kept(&self, seal: &Seal, file: &IndexFile) -> bool {
        let index = self.cache.index.map(|it| it.0);
        index.is_some()
            && index == Stamp::of(&file.stat)
            && self.has_layout_of(file)
            && seal.documents.iter().all(|it| it.content.is_none() || self.cache.last(&it.path).is_some())
    }

    fn has_layout_of(&self, file: &IndexFile) -> bool {
        let sealed = Digest::of(file.seal.as_deref().unwrap_or_default());
        let layout = self.cache.layout.as_ref().filter(|it| it.0 == sealed);
        layout.is_some_and(|it| it.1.is_current(self.repository))
    }

    /// The layout, if in it the repository has what the seal knows.
    fn layout(&self, index: &Index<'_>, seal: &Seal, file: &IndexFile) -> Option<(Digest, Layout)> {
        let snapshot = listing(self.repository).ok()?;
        let is_as_sealed = unsealed(&snapshot, index, seal).is_none();
        let sealed = Digest::of(file.seal.as_deref()?);
        is_as_sealed.then(|| Some((sealed, snapshot.layout?))).flatten()
    }

    /// What a file in this state holds, where that is known.
    fn known(&self, sealed: &Sealed, stat: &FileStat) -> Option<(RepoPath, Stamp, Digest)> {
        let stamp = Stamp::of(stat)?;
        let cached = self.cache.last(&sealed.path).filter(|it| it.0 == stamp).map(|it| it.1);
        let vouched = || {
            let content = sealed.content.as_ref().filter(|it| it.size == stat.size)?;
            self.git_vouches(&sealed.path, content, stat).then_some(content.sha256)
        };
        Some((sealed.path.clone(), stamp, cached.or_else(vouched)?))
    }
}

/// A file of configuration that came or went, or a source file that came.
fn unsealed(snapshot: &Snapshot<'_>, index: &Index<'_>, seal: &Seal) -> Option<Around> {
    let found = Surroundings::of(snapshot, index);
    let (has, had): (BTreeSet<_>, BTreeSet<_>) =
        (found.configuration.iter().collect(), seal.configuration.iter().map(|it| &it.path).collect());
    let configuration = has.symmetric_difference(&had).next();
    let other = || found.others.iter().find(|it| seal.others.binary_search(it).is_err());
    let configuration = configuration.map(|it| Around { doubt: Doubt::Configuration, path: (*it).clone() });
    configuration.or_else(|| other().map(|it| Around { doubt: Doubt::Sources, path: it.clone() }))
}

/// What a file holds, and the state in which it holds that.
fn hashed(root: &Root, path: &RepoPath, limit: u64) -> Option<(RepoPath, Stamp, Digest)> {
    let (bytes, stat) = root.read_file(path, limit).ok()?;
    let is_at_rest = root.stat(path) == Ok(stat);
    is_at_rest.then(|| Some((path.clone(), Stamp::of(&stat)?, Digest::of(&bytes)))).flatten()
}

/// The same of the index. It was read before the clock was, so that its state would prove nothing without another look.
fn reread(root: &Root, file: &IndexFile) -> Option<(Stamp, Digest)> {
    let (_, stamp, digest) = hashed(root, &file.place.parse().ok()?, file.stat.size)?;
    (Some(stamp) == Stamp::of(&file.stat) && digest == Digest::of(&file.bytes)).then_some((stamp, digest))
}

/// The folder of the last file that was looked at: sorted paths come folder by folder.
pub struct Holder<'r> {
    root: &'r Root,
    last: Option<(Option<RepoPath>, Option<Folder>)>,
}

impl<'r> Holder<'r> {
    pub const fn new(root: &'r Root) -> Self {
        Self { root, last: None }
    }

    /// None unless it is a regular file.
    pub fn stat(&mut self, path: &RepoPath) -> Option<FileStat> {
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
