//! A file written beside the place where it will stand, so that it can take that place in one step.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt as _;

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

/// A name may have 255 bytes; the rest is for what is put around it.
const MAX_STEM: usize = 200;
/// Left-overs of runs that were killed may hold the first names.
const TRIES: u32 = 1_000;

/// Makes a name beside `name` with `make`, which must refuse a name that is taken.
///
/// # Errors
/// When `make` fails for another reason, or every name is taken.
pub fn beside<T>(name: &[u8], make: impl Fn(&OsStr) -> rustix::io::Result<T>) -> io::Result<(Vec<u8>, T)> {
    let stem = name.get(..MAX_STEM).unwrap_or(name);
    for attempt in 0..TRIES {
        let suffix = format!(".{}-{attempt}.cortex-tmp", std::process::id());
        let candidate = [b".".as_slice(), stem, suffix.as_bytes()].concat();
        match make(OsStr::from_bytes(&candidate)) {
            Err(Errno::EXIST) => {}
            other => return Ok((candidate, other?)),
        }
    }
    Err(Errno::EXIST.into())
}

/// Opens a file that did not exist, for its owner alone.
///
/// # Errors
/// When the name is taken or the folder cannot be written.
pub fn create(folder: impl AsFd, name: &OsStr) -> rustix::io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(folder, name, flags, Mode::from_raw_mode(0o600)).map(File::from)
}

/// Writes all bytes, gives the file its mode and waits until both are on the disk.
///
/// # Errors
/// When the disk is full or fails.
pub fn fill(file: &mut File, bytes: &[u8], mode: u32) -> io::Result<()> {
    file.write_all(bytes)?;
    rustix::fs::fchmod(&*file, Mode::from_raw_mode(mode))?;
    file.sync_all()
}

/// Removes a name if it is there; used where a failure to clean up must not hide the first failure.
///
/// # Errors
/// When the name is there and stays.
pub fn remove(folder: impl AsFd, name: &[u8]) -> io::Result<()> {
    match rustix::fs::unlinkat(folder, OsStr::from_bytes(name), AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(errno) => Err(errno.into()),
    }
}

/// Puts `from` in the place of `to` within one folder.
///
/// # Errors
/// When the file system refuses.
pub fn rename(folder: impl AsFd, from: &[u8], to: &[u8], flags: RenameFlags) -> rustix::io::Result<()> {
    let folder = folder.as_fd();
    rustix::fs::renameat_with(folder, OsStr::from_bytes(from), folder, OsStr::from_bytes(to), flags)
}

/// Whether the file system does not know how to exchange two names.
pub const fn cannot_exchange(errno: Errno) -> bool {
    matches!(errno, Errno::INVAL | Errno::NOSYS | Errno::NOTSUP)
}
