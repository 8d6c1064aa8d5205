//! What decides which files a listing of the working tree has, in so far as a look at folders tells: when none of it
//! changed, another walk would find the same names.

use serde::{Deserialize, Serialize};

use super::repository::Repository;
use crate::model::RepoPath;
use crate::system::{FileStat, Root, Stamp};

/// The states of all folders that were listed, of the ignore files in them and of what git has to say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// None is the root.
    places: Vec<(Option<RepoPath>, Stamp)>,
    git: GitFiles,
}

/// None for a file that is not there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GitFiles {
    index: Option<Stamp>,
    exclude: Option<Stamp>,
}

impl Layout {
    /// From what was seen before each place was read; none when a time is out of range.
    pub fn new(places: Vec<(Option<RepoPath>, FileStat)>, git: GitFiles) -> Option<Self> {
        let places = places.into_iter().map(|(path, stat)| Some((path, Stamp::of(&stat)?)));
        Some(Self { places: places.collect::<Option<_>>()?, git })
    }

    /// Whether nothing of it changed since.
    pub fn is_current(&self, repository: &Repository) -> bool {
        let is_as_it_was = |(path, stamp): &(Option<RepoPath>, Stamp)| {
            let stat = match path {
                Some(path) => repository.root.stat(path),
                None => repository.root.folder(None).and_then(|it| FileStat::of_handle(&it)),
            };
            stat.is_ok_and(|it| Stamp::of(&it) == Some(*stamp))
        };
        GitFiles::of(repository) == Some(self.git) && self.places.iter().all(is_as_it_was)
    }

    /// Whether all of it was left alone for a tick before a time.
    pub fn is_settled_before(&self, time_ns: i128) -> bool {
        let git = self.git.index.iter().chain(&self.git.exclude);
        self.places.iter().map(|(_, stamp)| stamp).chain(git).all(|it| it.is_settled_before(time_ns))
    }
}

impl GitFiles {
    /// None when a time is out of range.
    pub fn of(repository: &Repository) -> Option<Self> {
        let Some(store) = repository.store() else { return Some(Self::default()) };
        let stamp = |folder: &std::path::Path, name: &[u8]| {
            let path = RepoPath::new(name).ok()?;
            match Root::open(folder).ok().and_then(|it| it.stat(&path).ok()) {
                Some(stat) => Stamp::of(&stat).map(Some),
                None => Some(None),
            }
        };
        Some(Self {
            index: stamp(&store.folder.private, b"index")?,
            exclude: stamp(&store.folder.common, b"info/exclude")?,
        })
    }
}
