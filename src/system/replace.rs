//! Replaces many files of a repository, all of them or none.
//!
//! Every file is verified by its handle (regular, no link on the way, one name only, the expected content), the new
//! content is written beside it, then both names are exchanged in one step, and what was displaced is verified once
//! more: an edit that slipped in between is put back, not lost. Only when all names are exchanged are the
//! displaced originals removed; before that, any failure exchanges them back.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::AsFd as _;
use std::os::unix::ffi::OsStrExt as _;

use rustix::fs::{AtFlags, RenameFlags, XattrFlags};

use super::root::{FileStat, Folder, Root, Unread};
use super::staging;
use crate::model::{Digest, RepoPath};

/// The most bytes of a file that can be replaced.
const MAX_FILE: u64 = 64 * 1024 * 1024;
/// Folders whose content decides what runs with which rights.
const PROTECTED: [&[u8]; 2] = [b".git", b".github"];
const MAX_ATTRIBUTES: usize = 64 * 1024;

/// A file and what shall stand in its place.
#[derive(Clone, Debug)]
pub struct Replacement {
    pub path: RepoPath,
    /// What the file must hold now.
    pub before: Digest,
    pub content: Vec<u8>,
}

/// Why nothing was replaced; with `NotRestored` and `LeftOver`, which files need a hand.
#[derive(Debug, thiserror::Error)]
pub enum ReplaceError {
    #[error("`{path}` is not replaced: files under `.git/` and `.github/` are left alone")]
    Protected { path: RepoPath },
    #[error("`{path}` is named twice")]
    Twice { path: RepoPath },
    #[error("cannot replace `{path}`: {source}")]
    Unread { path: RepoPath, source: Unread },
    #[error("cannot replace `{path}`: it has {links} names (hard links), and only this one would change")]
    Linked { path: RepoPath, links: u64 },
    #[error("cannot replace `{path}`: it changed since it was looked at; make the preview again")]
    Changed { path: RepoPath },
    #[error("cannot replace `{path}`: {doing} failed: {source}")]
    Write { path: RepoPath, doing: &'static str, source: io::Error },
    #[error("{cause}; and {} could not be put back, the originals are at {}", list(.paths), list(.originals))]
    NotRestored { cause: Box<Self>, paths: Vec<RepoPath>, originals: Vec<RepoPath> },
    #[error("all files are replaced, but their old content still lies at {}; remove it", list(.left))]
    LeftOver { left: Vec<RepoPath> },
}

fn list(paths: &[RepoPath]) -> String {
    let quoted: Vec<_> = paths.iter().map(|it| format!("`{it}`")).collect();
    quoted.join(", ")
}

/// Replaces all files or, when anything fails, none.
///
/// # Errors
/// Names the file and what was wrong with it.
pub fn replace_all(root: &Root, files: &[Replacement]) -> Result<(), ReplaceError> {
    let mut sorted: Vec<_> = files.iter().collect();
    sorted.sort_by(|a, b| a.path.cmp(&b.path));
    if let Some((twice, _)) = sorted.iter().zip(sorted.iter().skip(1)).find(|(a, b)| a.path == b.path) {
        return Err(ReplaceError::Twice { path: twice.path.clone() });
    }
    let targets = sorted.into_iter().map(|it| Target::verify(root, it)).collect::<Result<Vec<_>, _>>()?;
    let mut staged: Vec<Staged<'_>> = Vec::with_capacity(targets.len());
    let done = targets.iter().try_for_each(|target| {
        staged.push(Staged::write(target)?);
        Ok(())
    });
    let done = done.and_then(|()| staged.iter_mut().try_for_each(|it| it.take_place(root)));
    let done = done.and_then(|()| staged.iter().try_for_each(Staged::settle));
    match done {
        Ok(()) => discard_all(&staged),
        Err(cause) => Err(put_back(&mut staged, cause)),
    }
}

fn discard_all(staged: &[Staged<'_>]) -> Result<(), ReplaceError> {
    let kept = staged.iter().filter(|it| it.discard().is_err());
    let left: Vec<_> = kept.filter_map(Staged::temporary_path).collect();
    if left.is_empty() { Ok(()) } else { Err(ReplaceError::LeftOver { left }) }
}

fn put_back(staged: &mut [Staged<'_>], cause: ReplaceError) -> ReplaceError {
    let (mut paths, mut originals) = (Vec::new(), Vec::new());
    for file in staged.iter_mut().rev() {
        if file.put_back().and_then(|()| file.discard()).is_err() {
            paths.push(file.target.path().clone());
            originals.extend(file.temporary_path());
        }
    }
    if paths.is_empty() {
        cause
    } else {
        ReplaceError::NotRestored { cause: Box::new(cause), paths, originals }
    }
}

/// A file that is as expected, in an open folder.
struct Target<'f> {
    file: &'f Replacement,
    folder: Folder,
    stat: FileStat,
}

impl<'f> Target<'f> {
    fn verify(root: &Root, file: &'f Replacement) -> Result<Self, ReplaceError> {
        let path = file.path.clone();
        if file.path.as_bytes().split(|it| *it == b'/').any(is_protected) {
            return Err(ReplaceError::Protected { path });
        }
        let unread = |source| ReplaceError::Unread { path: path.clone(), source };
        let folder = root.holder(&file.path).map_err(unread)?;
        let (bytes, stat) = folder.read(file.path.file_name(), MAX_FILE).map_err(unread)?;
        if stat.links != 1 {
            return Err(ReplaceError::Linked { path, links: stat.links });
        }
        if Digest::of(&bytes) != file.before {
            return Err(ReplaceError::Changed { path });
        }
        Ok(Self { file, folder, stat })
    }

    const fn path(&self) -> &RepoPath {
        &self.file.path
    }

    fn name(&self) -> &[u8] {
        self.file.path.file_name()
    }

    fn failed(&self, doing: &'static str) -> impl Fn(io::Error) -> ReplaceError {
        move |source| ReplaceError::Write { path: self.path().clone(), doing, source }
    }

    /// Whether `name` in the folder is the very file that was verified, with the content that it had.
    fn is_original(&self, name: &[u8]) -> bool {
        let read = self.folder.read(name, MAX_FILE);
        read.is_ok_and(|(bytes, stat)| {
            stat.is_same_file(&self.stat) && Digest::of(&bytes) == self.file.before
        })
    }

    /// Whether the folder still stands where the path says.
    fn is_in_place(&self, root: &Root) -> bool {
        let now = root.holder(self.path()).and_then(FileStat::of_handle);
        let then = FileStat::of_handle(&self.folder);
        matches!((now, then), (Ok(now), Ok(then)) if now.is_same_file(&then))
    }
}

fn is_protected(name: &[u8]) -> bool {
    PROTECTED.iter().any(|it| name.eq_ignore_ascii_case(it))
}

/// Which of the two contents stands at the path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Original,
    Replaced,
}

/// A target with the other content beside it, under a temporary name.
struct Staged<'t> {
    target: &'t Target<'t>,
    temporary: Vec<u8>,
    standing: Standing,
}

impl<'t> Staged<'t> {
    fn write(target: &'t Target<'t>) -> Result<Self, ReplaceError> {
        let fail = target.failed("writing the new content");
        let create = |name: &OsStr| staging::create(&target.folder, name);
        let (temporary, mut file) = staging::beside(target.name(), create).map_err(&fail)?;
        let staged = Self { target, temporary, standing: Standing::Original };
        let filled = adopt(target, &file)
            .and_then(|()| staging::fill(&mut file, &target.file.content, target.stat.mode));
        match filled {
            Ok(()) => Ok(staged),
            Err(error) => {
                let cause = fail(error);
                Err(put_back(&mut [staged], cause))
            }
        }
    }

    fn take_place(&mut self, root: &Root) -> Result<(), ReplaceError> {
        let target = self.target;
        let changed = || ReplaceError::Changed { path: target.path().clone() };
        if !target.is_in_place(root) || !target.is_original(target.name()) {
            return Err(changed());
        }
        self.exchange()
    }

    fn exchange(&mut self) -> Result<(), ReplaceError> {
        let target = self.target;
        let exchanged =
            staging::rename(&target.folder, &self.temporary, target.name(), RenameFlags::EXCHANGE);
        match exchanged {
            Err(errno) if staging::cannot_exchange(errno) => self.take_place_by_link()?,
            other => other.map_err(|errno| target.failed("exchanging the files")(errno.into()))?,
        }
        self.standing = Standing::Replaced;
        if target.is_original(&self.temporary) {
            Ok(())
        } else {
            Err(ReplaceError::Changed { path: target.path().clone() })
        }
    }

    /// Where names cannot be exchanged: the original gets a second name, then loses its first.
    fn take_place_by_link(&mut self) -> Result<(), ReplaceError> {
        let target = self.target;
        let fail = target.failed("keeping the original");
        let link = |name: &OsStr| {
            let from = OsStr::from_bytes(target.name());
            rustix::fs::linkat(&target.folder, from, &target.folder, name, AtFlags::empty())
        };
        let (kept, ()) = staging::beside(target.name(), link).map_err(&fail)?;
        let renamed = staging::rename(&target.folder, &self.temporary, target.name(), RenameFlags::empty());
        if let Err(errno) = renamed {
            staging::remove(&target.folder, &kept).map_err(&fail)?;
            return Err(fail(errno.into()));
        }
        self.temporary = kept;
        Ok(())
    }

    fn settle(&self) -> Result<(), ReplaceError> {
        sync(&self.target.folder).map_err(self.target.failed("waiting for the disk"))
    }

    fn put_back(&mut self) -> Result<(), ReplaceError> {
        if self.standing == Standing::Original {
            return Ok(());
        }
        let target = self.target;
        let exchanged =
            staging::rename(&target.folder, &self.temporary, target.name(), RenameFlags::EXCHANGE);
        let result = match exchanged {
            Err(errno) if staging::cannot_exchange(errno) => {
                staging::rename(&target.folder, &self.temporary, target.name(), RenameFlags::empty())
            }
            other => other,
        };
        result.map_err(|errno| target.failed("putting the original back")(errno.into()))?;
        self.standing = Standing::Original;
        self.settle()
    }

    /// Removes what stands under the temporary name.
    fn discard(&self) -> Result<(), ReplaceError> {
        let fail = self.target.failed("removing a temporary file");
        staging::remove(&self.target.folder, &self.temporary)
            .and_then(|()| sync(&self.target.folder))
            .map_err(fail)
    }

    fn temporary_path(&self) -> Option<RepoPath> {
        match self.target.path().parent() {
            Some(folder) => folder.join(&self.temporary),
            None => RepoPath::new(&self.temporary),
        }
        .ok()
    }
}

fn sync(folder: &Folder) -> io::Result<()> {
    Ok(rustix::fs::fsync(folder)?)
}

/// Gives the new file the owner and the attributes of the old one, as far as the system lets us.
fn adopt(target: &Target<'_>, file: &File) -> io::Result<()> {
    let stat = FileStat::of_handle(file).map_err(|error| io::Error::other(error.to_string()))?;
    if (stat.owner, stat.group) != (target.stat.owner, target.stat.group) {
        let owner = rustix::fs::Uid::from_raw(target.stat.owner);
        let group = rustix::fs::Gid::from_raw(target.stat.group);
        match rustix::fs::fchown(file, Some(owner), Some(group)) {
            Ok(()) | Err(rustix::io::Errno::PERM) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
    copy_attributes(target, file)
}

fn copy_attributes(target: &Target<'_>, to: &File) -> io::Result<()> {
    let name = OsStr::from_bytes(target.name());
    let flags = rustix::fs::OFlags::RDONLY
        | rustix::fs::OFlags::NOFOLLOW
        | rustix::fs::OFlags::NONBLOCK
        | rustix::fs::OFlags::CLOEXEC;
    let from = rustix::fs::openat(target.folder.as_fd(), name, flags, rustix::fs::Mode::empty())?;
    let mut names = vec![MaybeUninit::<u8>::uninit(); MAX_ATTRIBUTES];
    let mut value = vec![MaybeUninit::<u8>::uninit(); MAX_ATTRIBUTES];
    // A file system without attributes, or with more than fit, keeps none.
    let Ok((names, _)) = rustix::fs::flistxattr(&from, names.as_mut_slice()) else { return Ok(()) };
    for name in names.split(|byte| *byte == 0).filter(|it| it.starts_with(b"user.")) {
        if let Ok((value, _)) = rustix::fs::fgetxattr(&from, name, value.as_mut_slice()) {
            rustix::fs::fsetxattr(to, name, value, XattrFlags::empty())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{ReplaceError, Replacement, Staged, Standing, Target, put_back};
    use crate::model::{Digest, RepoPath};
    use crate::system::{Root, write_file};

    /// The second file changes after both are staged and the first is exchanged.
    #[test]
    fn a_failure_after_an_exchange_puts_the_original_back() {
        let keep = tempfile::TempDir::new().unwrap();
        let at = |name: &str| keep.path().join(name);
        for name in ["a", "b"] {
            write_file(&at(name), name.as_bytes()).unwrap();
        }
        let root = Root::open(keep.path()).unwrap();
        let files = ["a", "b"].map(|name| Replacement {
            path: RepoPath::new(name.as_bytes()).unwrap(),
            before: Digest::of(name.as_bytes()),
            content: b"new".to_vec(),
        });
        let targets = files.each_ref().map(|it| Target::verify(&root, it).unwrap());
        let mut staged: Vec<_> = targets.iter().map(|it| Staged::write(it).unwrap()).collect();
        staged[0].take_place(&root).unwrap();
        assert_eq!(std::fs::read(at("a")).unwrap(), b"new");
        write_file(&at("b"), b"edited").unwrap();
        let cause = staged[1].take_place(&root).unwrap_err();
        let error = put_back(&mut staged, cause).to_string();
        assert_eq!(error, "cannot replace `b`: it changed since it was looked at; make the preview again");
        assert_eq!(std::fs::read(at("a")).unwrap(), b"a");
        assert_eq!(std::fs::read(at("b")).unwrap(), b"edited");
        assert_eq!(std::fs::read_dir(keep.path()).unwrap().count(), 2);
    }

    /// An edit between the last look at the file and the exchange.
    #[test]
    fn what_was_displaced_is_looked_at() {
        let keep = tempfile::TempDir::new().unwrap();
        let path = keep.path().join("a");
        write_file(&path, b"a").unwrap();
        let root = Root::open(keep.path()).unwrap();
        let path_in = RepoPath::new(b"a").unwrap();
        let file = Replacement { path: path_in, before: Digest::of(b"a"), content: b"new".to_vec() };
        let target = Target::verify(&root, &file).unwrap();
        let mut staged = Staged::write(&target).unwrap();
        write_file(&path, b"edited").unwrap();
        let cause = staged.exchange().unwrap_err();
        assert!(matches!(put_back(&mut [staged], cause), ReplaceError::Changed { .. }));
        assert_eq!(std::fs::read(&path).unwrap(), b"edited");
        assert_eq!(std::fs::read_dir(keep.path()).unwrap().count(), 1);
    }

    /// The folder of the file is moved away and another one stands in its place.
    #[test]
    fn a_folder_that_was_moved_is_not_written_to() {
        let keep = tempfile::TempDir::new().unwrap();
        let root = Root::open(keep.path()).unwrap();
        let path = RepoPath::new(b"s/a").unwrap();
        root.make_folder(path.parent().as_ref()).unwrap();
        write_file(&keep.path().join("s/a"), b"a").unwrap();
        let file = Replacement { path, before: Digest::of(b"a"), content: b"new".to_vec() };
        let target = Target::verify(&root, &file).unwrap();
        let mut staged = Staged::write(&target).unwrap();
        std::fs::rename(keep.path().join("s"), keep.path().join("moved")).unwrap();
        root.make_folder(file.path.parent().as_ref()).unwrap();
        write_file(&keep.path().join("s/a"), b"a").unwrap();
        let cause = staged.take_place(&root).unwrap_err();
        assert!(matches!(put_back(&mut [staged], cause), ReplaceError::Changed { .. }));
        assert_eq!(std::fs::read(keep.path().join("moved/a")).unwrap(), b"a");
        assert_eq!(std::fs::read_dir(keep.path().join("moved")).unwrap().count(), 1);
    }

    /// Without an exchange of names the original has a second name until the end.
    #[test]
    fn a_replacement_by_link_is_undone_too() {
        let keep = tempfile::TempDir::new().unwrap();
        let path = keep.path().join("a");
        write_file(&path, b"a").unwrap();
        let root = Root::open(keep.path()).unwrap();
        let path_in = RepoPath::new(b"a").unwrap();
        let file = Replacement { path: path_in, before: Digest::of(b"a"), content: b"new".to_vec() };
        let target = Target::verify(&root, &file).unwrap();
        let mut staged = Staged::write(&target).unwrap();
        staged.take_place_by_link().unwrap();
        staged.standing = Standing::Replaced;
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert!(target.is_original(&staged.temporary));
        staged.put_back().unwrap();
        staged.discard().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"a");
        assert_eq!(std::fs::read_dir(keep.path()).unwrap().count(), 1);
    }
}
