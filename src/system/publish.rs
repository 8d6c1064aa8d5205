//! Writes whole results: a folder of files or one file, which a reader finds complete or not at all.

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, RenameFlags};

use super::root::{FileKind, FileStat, Folder, Root, Unread};
use super::staging;
use crate::model::RepoPath;

/// A folder with this file is one that we wrote and may replace.
const MARK: &[u8] = b"bundle.json";
/// Folders inside an old result; ours have none.
const MAX_DEPTH: usize = 16;
const FILE_MODE: u32 = 0o644;

/// Where a folder of results goes.
#[derive(Clone, Debug)]
pub enum Target<'r> {
    /// Inside a repository: no link is followed on the way.
    Confined(&'r Root, RepoPath),
    /// Where the operator says.
    Folder(PathBuf),
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    #[error("cannot write to `{target}`: a symbolic link is in the way; remove it or choose another folder")]
    Symlink { target: String },
    #[error(
        "cannot write to `{target}`: it exists and is not a folder of earlier results; choose another one"
    )]
    Occupied { target: String },
    #[error("cannot write to `{target}`: `{name}` is not a plain file name")]
    Name { target: String, name: String },
    #[error("cannot write to `{target}`: {doing}: {source}")]
    Write { target: String, doing: &'static str, source: io::Error },
}

/// Writes the parts beside the target and puts them in its place in one step; an earlier result is then removed.
///
/// # Errors
/// When the place is taken by something else, or the system refuses. Then what was there is still there.
pub fn publish(target: Target<'_>, parts: &[(String, Vec<u8>)]) -> Result<(), PublishError> {
    let place = Place::open(target)?;
    let is_plain = |name: &str| !matches!(name, "" | "." | "..") && !name.contains(['/', '\0']);
    if let Some((name, _)) = parts.iter().find(|(name, _)| !is_plain(name)) {
        return Err(PublishError::Name { target: place.shown, name: name.clone() });
    }
    let standing = place.inspect()?;
    let make = |name: &OsStr| rustix::fs::mkdirat(&place.folder, name, Mode::from_raw_mode(0o777));
    let (temporary, ()) =
        staging::beside(&place.name, make).map_err(place.failed("making a folder beside it"))?;
    let put = place
        .fill(&temporary, parts)
        .and_then(|()| place.put(&temporary, standing).map_err(place.failed("putting the results in place")));
    match put {
        Ok(displaced) => {
            let removed = displaced.map_or(Ok(()), |name| remove_folder(&place.folder, &name));
            removed.map_err(place.failed("removing the earlier results"))
        }
        Err(error) => {
            // The first failure is the one to tell; a left-over temporary folder is found by its name.
            drop(remove_folder(&place.folder, &temporary));
            Err(error)
        }
    }
}

/// What stands at the target before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Nothing,
    Results,
}

struct Place {
    folder: Folder,
    name: Vec<u8>,
    shown: String,
}

impl Place {
    fn open(target: Target<'_>) -> Result<Self, PublishError> {
        match target {
            Target::Confined(root, path) => {
                let shown = path.to_string();
                let folder =
                    root.make_folder(path.parent().as_ref()).map_err(|error| refuse(&shown, &error))?;
                Ok(Self { folder, name: path.file_name().to_vec(), shown })
            }
            Target::Folder(path) => {
                let shown = path.display().to_string();
                let write = |source| PublishError::Write {
                    target: shown.clone(),
                    doing: "making its folder",
                    source,
                };
                let path = std::path::absolute(&path).map_err(write)?;
                let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
                    return Err(PublishError::Occupied { target: shown });
                };
                std::fs::create_dir_all(parent).map_err(write)?;
                let folder = Folder::open(parent).map_err(|error| refuse(&shown, &error))?;
                Ok(Self { folder, name: name.as_bytes().to_vec(), shown })
            }
        }
    }

    fn failed(&self, doing: &'static str) -> impl Fn(io::Error) -> PublishError {
        move |source| PublishError::Write { target: self.shown.clone(), doing, source }
    }

    fn inspect(&self) -> Result<Standing, PublishError> {
        let occupied = || PublishError::Occupied { target: self.shown.clone() };
        match self.folder.stat(&self.name) {
            Err(Unread::Missing) => return Ok(Standing::Nothing),
            Ok(stat) if stat.kind == FileKind::Directory => {}
            Ok(stat) if stat.kind == FileKind::Symlink => return Err(refuse(&self.shown, &Unread::Symlink)),
            Ok(_) => return Err(occupied()),
            Err(error) => return Err(refuse(&self.shown, &error)),
        }
        let entries = self.folder.folder(&self.name).and_then(|it| it.entries());
        let entries = entries.map_err(|error| refuse(&self.shown, &error))?;
        let is_marked = entries.iter().any(|it| it.name == MARK && it.kind == FileKind::Regular);
        if entries.is_empty() || is_marked { Ok(Standing::Results) } else { Err(occupied()) }
    }

    fn fill(&self, name: &[u8], parts: &[(String, Vec<u8>)]) -> Result<(), PublishError> {
        let fail = self.failed("writing the results");
        let folder = self.folder.folder(name).map_err(|error| refuse(&self.shown, &error))?;
        for (name, bytes) in parts {
            let mut file = staging::create(&folder, OsStr::new(name)).map_err(|errno| fail(errno.into()))?;
            staging::fill(&mut file, bytes, FILE_MODE).map_err(&fail)?;
        }
        rustix::fs::fsync(&folder).map_err(|errno| fail(errno.into()))
    }

    /// Returns the name that the earlier results have now.
    fn put(&self, temporary: &[u8], standing: Standing) -> io::Result<Option<Vec<u8>>> {
        let displaced = match standing {
            Standing::Nothing => {
                self.rename(temporary, &self.name, RenameFlags::NOREPLACE)?;
                None
            }
            Standing::Results => match self.rename(temporary, &self.name, RenameFlags::EXCHANGE) {
                Ok(()) => Some(temporary.to_vec()),
                Err(errno) if staging::cannot_exchange(errno) => Some(self.put_in_two_steps(temporary)?),
                Err(errno) => return Err(errno.into()),
            },
        };
        rustix::fs::fsync(&self.folder)?;
        Ok(displaced)
    }

    /// Where names cannot be exchanged, the earlier results step aside first, and back when the next step fails.
    fn put_in_two_steps(&self, temporary: &[u8]) -> io::Result<Vec<u8>> {
        let aside = |name: &OsStr| self.rename(&self.name, name.as_bytes(), RenameFlags::NOREPLACE);
        let (aside, ()) = staging::beside(&self.name, aside)?;
        match self.rename(temporary, &self.name, RenameFlags::NOREPLACE) {
            Ok(()) => Ok(aside),
            Err(errno) => {
                self.rename(&aside, &self.name, RenameFlags::NOREPLACE)?;
                Err(errno.into())
            }
        }
    }

    fn rename(&self, from: &[u8], to: &[u8], flags: RenameFlags) -> rustix::io::Result<()> {
        match staging::rename(&self.folder, from, to, flags) {
            // Some file systems know no flags at all; the place was looked at a moment ago.
            Err(errno) if flags == RenameFlags::NOREPLACE && staging::cannot_exchange(errno) => {
                staging::rename(&self.folder, from, to, RenameFlags::empty())
            }
            other => other,
        }
    }
}

fn refuse(target: &str, error: &Unread) -> PublishError {
    let target = target.to_owned();
    match error {
        Unread::Symlink => PublishError::Symlink { target },
        Unread::Directory | Unread::Special => PublishError::Occupied { target },
        Unread::Missing | Unread::TooLarge { .. } | Unread::Denied | Unread::Failed(_) => {
            PublishError::Write {
                target,
                doing: "opening its folder",
                source: io::Error::other(error.to_string()),
            }
        }
    }
}

/// Removes a folder and what is in it, by handles, without following links.
fn remove_folder(parent: &Folder, name: &[u8]) -> io::Result<()> {
    let open = |folder: &Folder, name: &[u8]| {
        let inner = folder.folder(name).map_err(|error| io::Error::other(error.to_string()))?;
        let entries = inner.entries().map_err(|error| io::Error::other(error.to_string()))?;
        Ok::<_, io::Error>((inner, entries, name.to_vec()))
    };
    let mut stack = vec![open(parent, name)?];
    while let Some((folder, entries, name)) = stack.last_mut() {
        match entries.pop() {
            Some(entry) if entry.kind == FileKind::Directory => {
                let next = open(folder, &entry.name)?;
                if stack.len() >= MAX_DEPTH {
                    return Err(io::Error::other("it has too many folders inside each other"));
                }
                stack.push(next);
            }
            Some(entry) => staging::remove(&*folder, &entry.name)?,
            None => {
                let name = std::mem::take(name);
                stack.pop();
                let above = stack.last().map_or(parent, |(folder, _, _)| folder);
                rustix::fs::unlinkat(above, OsStr::from_bytes(&name), AtFlags::REMOVEDIR)?;
            }
        }
    }
    Ok(())
}

/// Writes one file that the operator named, whole or not at all. A device or pipe is written to as it is.
///
/// # Errors
/// When the folder is not there or the system refuses.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), PublishError> {
    let shown = path.display().to_string();
    let fail = |doing| {
        let target = shown.clone();
        move |source| PublishError::Write { target, doing, source }
    };
    // A link that the operator made is kept: the file behind it is replaced.
    let path = path.canonicalize().or_else(|_| std::path::absolute(path)).map_err(fail("finding it"))?;
    if let Ok(metadata) = path.symlink_metadata() {
        let kind = metadata.file_type();
        if kind.is_char_device() || kind.is_fifo() {
            let mut stream = OpenOptions::new().write(true).open(&path).map_err(fail("opening it"))?;
            return stream.write_all(bytes).and_then(|()| stream.flush()).map_err(fail("writing"));
        }
        if !kind.is_file() {
            return Err(PublishError::Occupied { target: shown });
        }
    }
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(PublishError::Occupied { target: shown });
    };
    let folder = Folder::open(parent).map_err(|error| refuse(&shown, &error))?;
    let place = Place { folder, name: name.as_bytes().to_vec(), shown };
    place.write_whole(bytes)
}

/// Writes one file inside a repository, whole or not at all; its folders are made. No link is followed on the way.
///
/// # Errors
/// When something else than a regular file is in the way, or the system refuses.
pub fn write_below(root: &Root, path: &RepoPath, bytes: &[u8]) -> Result<(), PublishError> {
    let place = Place::open(Target::Confined(root, path.clone()))?;
    match place.folder.stat(&place.name) {
        Ok(FileStat { kind: FileKind::Regular, .. }) | Err(Unread::Missing) => place.write_whole(bytes),
        Ok(FileStat { kind: FileKind::Symlink, .. }) => Err(refuse(&place.shown, &Unread::Symlink)),
        Ok(_) => Err(PublishError::Occupied { target: place.shown }),
        Err(error) => Err(refuse(&place.shown, &error)),
    }
}

impl Place {
    fn write_whole(&self, bytes: &[u8]) -> Result<(), PublishError> {
        let fail = self.failed("writing");
        let mode = self.folder.stat(&self.name).map_or(FILE_MODE, |stat| stat.mode);
        let create = |name: &OsStr| staging::create(&self.folder, name);
        let (temporary, mut file) = staging::beside(&self.name, create).map_err(&fail)?;
        let put = staging::fill(&mut file, bytes, mode)
            .and_then(|()| Ok(staging::rename(&self.folder, &temporary, &self.name, RenameFlags::empty())?))
            .and_then(|()| Ok(rustix::fs::fsync(&self.folder)?));
        put.or_else(|error| {
            staging::remove(&self.folder, &temporary).map_err(&fail)?;
            Err(fail(error))
        })
    }
}
