//! The walk of a working tree: which files are taken.
//!
//! The rule: files that git tracks, unless hidden; and files that are neither tracked, ignored nor hidden. A file
//! is hidden when a component of its path begins with a dot; a folder that the caller names is exempt. Ignored
//! are the matches of `.gitignore` and `.ignore` in every folder and of `.git/info/exclude`; the user's own
//! ignore file has no say, so that a run does not depend on the machine. Links are never followed.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::ignore_rules::IgnoreRules;
use super::index::{GitMode, Index};
use super::skip::{SkipReason, Skipped};
use crate::model::{Note, RepoPath};
use crate::system::{FileKind, FileStat, Folder, FolderEntry, Root, Unread};

/// Deeper folders are a record, not entered: a path must fit what the system takes.
pub const MAX_DEPTH: usize = 256;
/// More names than this end the walk, with a note.
const MAX_ENTRIES: usize = 2_000_000;
/// Files that decide what a listing has besides the names in its folders.
const RULES: [&[u8]; 3] = [b".gitattributes", b".gitignore", b".ignore"];

/// What was found, sorted by path.
#[derive(Debug, Default)]
pub struct Listing {
    pub files: Vec<Found>,
    pub skipped: Vec<Skipped>,
    pub notes: Vec<Note>,
    /// What was read to find them, each as it was before that: folders, the root as none, and files of rules. None when
    /// the list hangs on more than that.
    pub places: Option<Vec<(Option<RepoPath>, FileStat)>>,
    /// Whether some `.gitattributes` lets git-lfs keep content elsewhere.
    pub lfs: Lfs,
}

/// A regular file that the walk takes.
#[derive(Clone, Debug)]
pub struct Found {
    pub path: RepoPath,
    pub stat: FileStat,
}

/// Whether git-lfs pointers may stand in the place of content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lfs {
    #[default]
    Unused,
    Used,
}

/// What the walk is told of the repository.
#[derive(Clone, Copy)]
pub struct Ground<'r> {
    pub root: &'r Root,
    /// None without git.
    pub index: Option<&'r Index>,
    /// The text of `.git/info/exclude`.
    pub exclude: &'r [u8],
    pub scope: Option<&'r RepoPath>,
}

/// Lists the files of the working tree by the rule above.
pub fn walk(ground: Ground<'_>) -> Listing {
    let places = ground.scope.is_none().then(Vec::new);
    let listing = Listing { places, ..Listing::default() };
    let mut walker = Walker { ground, listing, pending: Vec::new(), count: 0 };
    walker.start();
    while let Some(next) = walker.pending.pop() {
        walker.enter(&next);
        if walker.count > MAX_ENTRIES {
            let message = format!("the walk ended after {MAX_ENTRIES} names; name a folder to scan less");
            walker.listing.notes.push(Note::new("walk_cut", message));
            walker.listing.places = None;
            break;
        }
    }
    walker.take_tracked_rest();
    let mut listing = walker.listing;
    listing.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    listing.skipped.sort_unstable();
    listing.notes.sort_unstable();
    listing
}

/// Whether a component below the scope is hidden.
pub fn is_hidden(path: &RepoPath, scope: Option<&RepoPath>) -> bool {
    let exempt = scope.filter(|it| path.is_within(it)).map_or(0, |it| it.as_bytes().len());
    let below = path.as_bytes().get(exempt..).unwrap_or_default();
    below.split(|byte| *byte == b'/').any(is_hidden_name)
}

/// Whether a name begins with a dot and is not one whose content can say what the project depends on: yarn's catalogs
/// stand in `.yarnrc.yml`, the tools of .NET in `.config/dotnet-tools.json`.
pub fn is_hidden_name(name: &[u8]) -> bool {
    name.starts_with(b".") && !matches!(name, b".yarnrc.yml" | b".config")
}

struct Pending {
    path: Option<RepoPath>,
    depth: usize,
    rules: Rc<IgnoreRules>,
}

struct Walker<'r> {
    ground: Ground<'r>,
    listing: Listing,
    pending: Vec<Pending>,
    count: usize,
}

impl Walker<'_> {
    fn start(&mut self) {
        let mut rules = IgnoreRules::of_exclude(self.ground.exclude, &mut self.listing.notes);
        let Some(scope) = self.ground.scope else {
            self.pending.push(Pending { path: None, depth: 0, rules });
            return;
        };
        let mut above: Vec<_> = std::iter::successors(scope.parent(), RepoPath::parent).map(Some).collect();
        above.push(None);
        let depth = above.len();
        for path in above.into_iter().rev() {
            let Ok(folder) = self.ground.root.folder(path.as_ref()) else { break };
            let Ok(entries) = folder.entries() else { break };
            rules = IgnoreRules::enter(&rules, path.as_ref(), (&folder, &entries), &mut self.listing.notes);
        }
        match self.ground.root.stat(scope) {
            Ok(stat) if stat.kind == FileKind::Directory => {
                self.pending.push(Pending { path: Some(scope.clone()), depth, rules });
            }
            Ok(stat) => self.take(scope.clone(), stat.kind, Ok(stat)),
            Err(error) => self.skip(scope.clone(), error.into()),
        }
    }

    fn enter(&mut self, folder: &Pending) {
        let path = folder.path.as_ref();
        let opened = self.ground.root.folder(path).and_then(|handle| {
            let stat = FileStat::of_handle(&handle)?;
            handle.entries().map(|names| (handle, stat, names))
        });
        let (handle, entries) = match opened {
            Ok((handle, stat, names)) => {
                self.depends_on(path, Some(stat));
                (handle, names)
            }
            Err(error) => {
                self.listing.places = None;
                match path {
                    Some(path) => self.skip(path.clone(), error.into()),
                    None => self.listing.notes.push(Note::new("unreadable", format!("the root: {error}"))),
                }
                return;
            }
        };
        if let Some(path) = path
            && self.is_repository_of_its_own(path, &entries)
        {
            self.skip(path.clone(), SkipReason::Submodule);
            return;
        }
        self.count += entries.len();
        let is_rules = |it: &&FolderEntry| RULES.contains(&it.name.as_slice());
        for entry in entries.iter().filter(is_rules) {
            let place = path.map_or_else(|| RepoPath::new(&entry.name), |it| it.join(&entry.name));
            if let Ok(place) = place {
                self.depends_on(Some(&place), handle.stat(&entry.name).ok());
            }
        }
        let rules = IgnoreRules::enter(&folder.rules, path, (&handle, &entries), &mut self.listing.notes);
        for entry in &entries {
            self.look_at(folder, &rules, &handle, entry);
        }
    }

    fn is_repository_of_its_own(&self, path: &RepoPath, entries: &[FolderEntry]) -> bool {
        let is_named = self.ground.scope == Some(path);
        self.ground.index.is_some() && !is_named && entries.iter().any(|it| it.name == b".git")
    }

    fn look_at(&mut self, folder: &Pending, rules: &Rc<IgnoreRules>, handle: &Folder, entry: &FolderEntry) {
        if matches!(entry.name.as_slice(), b".git" | b".codecortex") {
            return;
        }
        let joined = match &folder.path {
            Some(path) => path.join(&entry.name),
            None => RepoPath::new(&entry.name),
        };
        let Ok(path) = joined else { return };
        if entry.name == b".gitattributes" {
            self.note_lfs(handle);
        }
        let is_folder = entry.kind == FileKind::Directory;
        let tracked = self.ground.index.and_then(|index| index.find(&path)).map(|it| it.mode);
        if is_hidden_name(&entry.name) {
            self.skip(path, SkipReason::Hidden);
        } else if is_folder && folder.depth + 1 >= MAX_DEPTH {
            self.skip(path, SkipReason::TooDeep);
        } else if is_folder && tracked == Some(GitMode::Submodule) {
            self.skip(path, SkipReason::Submodule);
        } else if tracked.is_none() && rules.ignores(&path, is_folder) {
            self.skip(path, SkipReason::Ignored);
        } else if is_folder {
            let (depth, rules) = (folder.depth + 1, Rc::clone(rules));
            self.pending.push(Pending { path: Some(path), depth, rules });
        } else {
            let stat = handle.stat(&entry.name);
            self.take(path, entry.kind, stat);
        }
    }

    /// A place that cannot be looked at now may let itself be read later.
    fn depends_on(&mut self, path: Option<&RepoPath>, stat: Option<FileStat>) {
        match (stat, &mut self.listing.places) {
            (Some(stat), Some(places)) => places.push((path.cloned(), stat)),
            (_, places) => *places = None,
        }
    }

    fn note_lfs(&mut self, folder: &Folder) {
        let text = folder.read(b".gitattributes", super::ignore_rules::MAX_IGNORE_FILE);
        if text.is_ok_and(|(text, _)| mentions_lfs(&text)) {
            self.listing.lfs = Lfs::Used;
        }
    }

    fn take(&mut self, path: RepoPath, kind: FileKind, stat: Result<FileStat, Unread>) {
        match (kind, stat) {
            (FileKind::Symlink, _) => self.skip(path, SkipReason::Symlink),
            (FileKind::Special, _) => self.skip(path, SkipReason::Special),
            (FileKind::Directory, _) => self.skip(path, SkipReason::Unreadable(Unread::Directory)),
            (FileKind::Regular, Ok(stat)) => self.listing.files.push(Found { path, stat }),
            (FileKind::Regular, Err(error)) => self.skip(path, error.into()),
        }
    }

    fn skip(&mut self, path: RepoPath, reason: SkipReason) {
        self.listing.skipped.push(Skipped { path, reason });
    }

    /// Tracked files in folders that the walk did not enter, because an ignore file names the folder.
    fn take_tracked_rest(&mut self) {
        let Some(index) = self.ground.index else { return };
        let mut seen: Vec<RepoPath> = self.listing.files.iter().map(|it| it.path.clone()).collect();
        seen.extend(self.listing.skipped.iter().map(|it| it.path.clone()));
        seen.sort_unstable();
        let listed: BTreeSet<_> = self.listing.places.iter().flatten().map(|it| it.0.clone()).collect();
        for tracked in &index.entries {
            let path = &tracked.path;
            let is_outside = self.ground.scope.is_some_and(|scope| !path.is_within(scope));
            if is_outside || is_hidden(path, self.ground.scope) || seen.binary_search(path).is_ok() {
                continue;
            }
            // Whether it comes or goes is not seen at any folder that was listed.
            if !listed.contains(&path.parent()) {
                self.listing.places = None;
            }
            match self.ground.root.stat(path) {
                Ok(stat) if stat.kind != FileKind::Directory => self.take(path.clone(), stat.kind, Ok(stat)),
                // Gone from the worktree, or replaced by a folder or behind a link, which have their own record.
                Ok(_) | Err(Unread::Missing | Unread::Symlink) => {}
                Err(error) => self.skip(path.clone(), error.into()),
            }
        }
    }
}

/// Whether git attributes hand content to git-lfs.
fn mentions_lfs(attributes: &[u8]) -> bool {
    memchr::memmem::find(attributes, b"filter=lfs").is_some()
}
