//! The root of a repository as a jail: no open below it follows a symbolic link or leaves the folder.
//!
//! The kernel holds the wall (`openat2`); where a sandbox forbids that call, the path is opened one component at
//! a time. What is opened is judged by its handle, never by its name: a regular file of bounded size, or nothing.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read as _;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawDir, ResolveFlags, SeekFrom, Stat};
use rustix::io::Errno;

use crate::model::RepoPath;

const SEARCH_FOLDER: OFlags =
    OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
const LIST_FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// A FIFO must not block the open, a terminal must not become ours.
const READ_FILE: OFlags =
    OFlags::NONBLOCK.union(OFlags::NOFOLLOW).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);
/// `openat2` asks to be called again when a rename happened beside it.
const TRIES: usize = 8;

/// The folder that holds everything a run may read or replace.
#[derive(Debug)]
pub struct Root {
    handle: OwnedFd,
    path: PathBuf,
    wall: Wall,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wall {
    Kernel,
    Components,
}

/// Why a folder cannot serve as a root.
#[derive(Debug, thiserror::Error)]
#[error("cannot open the folder `{path}`: {source}", path = .path.display())]
pub struct RootError {
    pub path: PathBuf,
    pub source: std::io::Error,
}

/// Why the content of a path is not there. Never means "empty".
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Unread {
    #[error("there is no such file")]
    Missing,
    #[error("it is a symbolic link, or lies behind one; links are not followed")]
    Symlink,
    #[error("it is a folder")]
    Directory,
    #[error("it is neither a regular file nor a folder")]
    Special,
    #[error("it has {size} bytes, more than the limit")]
    TooLarge { size: u64 },
    #[error("permission is denied")]
    Denied,
    #[error("it cannot be read: {0}")]
    Failed(String),
}

impl Unread {
    /// The stable code that `cortex explain` knows.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Symlink => "symlink",
            Self::Directory => "directory",
            Self::Special => "special_file",
            Self::TooLarge { .. } => "too_large",
            Self::Denied => "denied",
            Self::Failed(_) => "unreadable",
        }
    }
}

impl From<Errno> for Unread {
    fn from(errno: Errno) -> Self {
        match errno {
            Errno::NOENT | Errno::NOTDIR => Self::Missing,
            Errno::LOOP | Errno::XDEV => Self::Symlink,
            Errno::ACCESS | Errno::PERM => Self::Denied,
            Errno::NXIO | Errno::NODEV => Self::Special,
            other => Self::Failed(std::io::Error::from(other).to_string()),
        }
    }
}

/// What a name in a folder stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileKind {
    Regular,
    Directory,
    Symlink,
    Special,
}

impl From<FileType> for FileKind {
    fn from(kind: FileType) -> Self {
        match kind {
            FileType::RegularFile => Self::Regular,
            FileType::Directory => Self::Directory,
            FileType::Symlink => Self::Symlink,
            FileType::Fifo
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice
            | FileType::Unknown => Self::Special,
        }
    }
}

/// What the file system says of a file without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStat {
    pub kind: FileKind,
    /// Permission bits only.
    pub mode: u32,
    pub size: u64,
    pub mtime_ns: i128,
    pub ctime_ns: i128,
    pub device: u64,
    pub inode: u64,
    pub links: u64,
    pub owner: u32,
    pub group: u32,
}

impl FileStat {
    /// The type of a field differs between targets, so each is widened.
    #[expect(clippy::unnecessary_cast, reason = "the widths of `stat` differ between targets")]
    #[expect(clippy::cast_sign_loss, reason = "a size is never negative")]
    fn of(stat: &Stat) -> Self {
        let nanoseconds = |seconds: i64, rest: u64| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
        Self {
            kind: FileType::from_raw_mode(stat.st_mode).into(),
            mode: stat.st_mode & 0o7777,
            size: stat.st_size as u64,
            mtime_ns: nanoseconds(stat.st_mtime as i64, stat.st_mtime_nsec as u64),
            ctime_ns: nanoseconds(stat.st_ctime as i64, stat.st_ctime_nsec as u64),
            device: stat.st_dev as u64,
            inode: stat.st_ino as u64,
            links: stat.st_nlink as u64,
            owner: stat.st_uid,
            group: stat.st_gid,
        }
    }

    pub fn of_handle(handle: impl AsFd) -> Result<Self, Unread> {
        Ok(Self::of(&rustix::fs::fstat(handle)?))
    }

    /// Whether both describe one and the same file.
    pub const fn is_same_file(&self, other: &Self) -> bool {
        self.device == other.device && self.inode == other.inode
    }
}

impl Root {
    /// # Errors
    /// When the path is not a folder that can be opened.
    pub fn open(path: &Path) -> Result<Self, RootError> {
        let fail = |source| RootError { path: path.to_owned(), source };
        let path = path.canonicalize().map_err(fail)?;
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        let handle = rustix::fs::open(&path, flags, Mode::empty()).map_err(|errno| fail(errno.into()))?;
        let probe = rustix::fs::openat2(&handle, c".", SEARCH_FOLDER, Mode::empty(), confined());
        let wall = if probe.is_ok() { Wall::Kernel } else { Wall::Components };
        Ok(Self { handle, path, wall })
    }

    /// Absolute and canonical: for messages and for readers that take a path, never for an open below it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The first symbolic link in this folder on the way to a path that someone else named. Whoever wrote the folder's
    /// content decides where such a link leads.
    pub fn link_towards(&self, path: &Path) -> Option<PathBuf> {
        let absolute = std::path::absolute(path).ok()?;
        let mut steps: Vec<&Path> = absolute.ancestors().collect();
        steps.reverse();
        let found = steps.into_iter().find(|step| {
            step.is_symlink()
                && step
                    .parent()
                    .and_then(|it| it.canonicalize().ok())
                    .is_some_and(|it| it.starts_with(&self.path))
        });
        found.map(Path::to_path_buf)
    }

    /// The whole content of a regular file of at most `limit` bytes.
    ///
    /// # Errors
    /// When the path is not such a file, or a symbolic link is on the way.
    pub fn read(&self, path: &RepoPath, limit: u64) -> Result<Vec<u8>, Unread> {
        self.read_file(path, limit).map(|(bytes, _)| bytes)
    }

    /// As `read`, with what the handle said of the file before it was read.
    ///
    /// # Errors
    /// As `read`.
    pub fn read_file(&self, path: &RepoPath, limit: u64) -> Result<(Vec<u8>, FileStat), Unread> {
        read_bounded(self.open_below(path, READ_FILE)?, limit)
    }

    /// The state of a path, without following a link and without opening it.
    ///
    /// # Errors
    /// When there is nothing, or a link or something unsearchable is on the way.
    pub fn stat(&self, path: &RepoPath) -> Result<FileStat, Unread> {
        self.holder(path)?.stat(path.file_name())
    }

    /// The folder at `path`, the root itself for none.
    ///
    /// # Errors
    /// When it is not a folder or cannot be read.
    pub fn folder(&self, path: Option<&RepoPath>) -> Result<Folder, Unread> {
        let handle = match path {
            Some(path) => self.open_below(path, LIST_FOLDER)?,
            None => rustix::fs::openat(&self.handle, c".", LIST_FOLDER, Mode::empty())?,
        };
        Ok(Folder { handle })
    }

    /// The folder that holds `path`.
    ///
    /// # Errors
    /// When it is not there or cannot be searched.
    pub fn holder(&self, path: &RepoPath) -> Result<Folder, Unread> {
        self.folder(path.parent().as_ref())
    }

    /// The folder at `path`, made with all its parents when it is not there.
    ///
    /// # Errors
    /// When a component is a link or no folder, or cannot be made.
    pub fn make_folder(&self, path: Option<&RepoPath>) -> Result<Folder, Unread> {
        let mut folder = self.folder(None)?;
        let components = path.map(|it| it.as_bytes().split(|byte| *byte == b'/')).into_iter().flatten();
        for name in components {
            folder = folder.make_folder(name)?;
        }
        Ok(folder)
    }

    fn open_below(&self, path: &RepoPath, flags: OFlags) -> Result<OwnedFd, Unread> {
        match self.wall {
            Wall::Kernel => self.open_by_kernel(path, flags),
            Wall::Components => self.open_by_component(path, flags),
        }
    }

    fn open_by_kernel(&self, path: &RepoPath, flags: OFlags) -> Result<OwnedFd, Unread> {
        for _ in 1..TRIES {
            match rustix::fs::openat2(&self.handle, path.as_path(), flags, Mode::empty(), confined()) {
                Err(Errno::AGAIN | Errno::INTR) => {}
                other => return other.map_err(|errno| self.explain(errno, path)),
            }
        }
        Err(Errno::AGAIN.into())
    }

    /// `ENOTDIR` on the last component says the same of a file and of a link: a second look tells them apart.
    fn explain(&self, errno: Errno, path: &RepoPath) -> Unread {
        if errno != Errno::NOTDIR {
            return errno.into();
        }
        let parent = path.parent();
        let holder = match &parent {
            Some(parent) => {
                rustix::fs::openat2(&self.handle, parent.as_path(), SEARCH_FOLDER, Mode::empty(), confined())
            }
            None => rustix::fs::openat(&self.handle, c".", SEARCH_FOLDER, Mode::empty()),
        };
        holder.map_or(Unread::Missing, |holder| last_is_link(holder.as_fd(), path.file_name()))
    }

    fn open_by_component(&self, path: &RepoPath, flags: OFlags) -> Result<OwnedFd, Unread> {
        let mut folder = rustix::fs::openat(&self.handle, c".", SEARCH_FOLDER, Mode::empty())?;
        let mut names = path.as_bytes().split(|byte| *byte == b'/').map(OsStr::from_bytes).peekable();
        while let Some(name) = names.next() {
            let is_last = names.peek().is_none();
            let opened =
                rustix::fs::openat(&folder, name, if is_last { flags } else { SEARCH_FOLDER }, Mode::empty());
            folder = match opened {
                Err(Errno::NOTDIR) => return Err(last_is_link(folder.as_fd(), name.as_bytes())),
                other => other?,
            };
        }
        Ok(folder)
    }
}

fn last_is_link(folder: BorrowedFd<'_>, name: &[u8]) -> Unread {
    match stat_at(folder, name) {
        Ok(stat) if stat.kind == FileKind::Symlink => Unread::Symlink,
        Ok(_) | Err(_) => Unread::Missing,
    }
}

fn confined() -> ResolveFlags {
    ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS
}

fn stat_at(folder: BorrowedFd<'_>, name: &[u8]) -> Result<FileStat, Unread> {
    let stat = rustix::fs::statat(folder, OsStr::from_bytes(name), AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(FileStat::of(&stat))
}

/// Reads at most one byte more than allowed, so that a file which grows meanwhile is still refused.
fn read_bounded(handle: OwnedFd, limit: u64) -> Result<(Vec<u8>, FileStat), Unread> {
    let stat = FileStat::of_handle(&handle)?;
    match stat.kind {
        FileKind::Regular => {}
        FileKind::Directory => return Err(Unread::Directory),
        FileKind::Symlink => return Err(Unread::Symlink),
        FileKind::Special => return Err(Unread::Special),
    }
    if stat.size > limit {
        return Err(Unread::TooLarge { size: stat.size });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(stat.size).unwrap_or(0).saturating_add(1));
    let mut reader = File::from(handle).take(limit.saturating_add(1));
    reader.read_to_end(&mut bytes).map_err(|error| Unread::Failed(error.to_string()))?;
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if size > limit { Err(Unread::TooLarge { size }) } else { Ok((bytes, stat)) }
}

/// An open folder below a root.
#[derive(Debug)]
pub struct Folder {
    handle: OwnedFd,
}

/// One name in a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderEntry {
    pub name: Vec<u8>,
    pub kind: FileKind,
}

impl Folder {
    /// A folder that the operator named, outside any root; links in its path are followed.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, Unread> {
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self { handle: rustix::fs::open(path, flags, Mode::empty())? })
    }

    /// All names but `.` and `..`, in the order of their bytes.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn entries(&self) -> Result<Vec<FolderEntry>, Unread> {
        // The handle remembers how far it was listed.
        rustix::fs::seek(&self.handle, SeekFrom::Start(0))?;
        let mut buffer = [MaybeUninit::<u8>::uninit(); 32 * 1024];
        let mut listing = RawDir::new(&self.handle, &mut buffer);
        let mut entries = Vec::new();
        while let Some(entry) = listing.next() {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if matches!(name, b"." | b"..") {
                continue;
            }
            let told = entry.file_type();
            let is_told = told != FileType::Unknown;
            let kind =
                if is_told { told.into() } else { self.stat(name).map_or(FileKind::Special, |it| it.kind) };
            entries.push(FolderEntry { name: name.to_vec(), kind });
        }
        entries.sort_unstable();
        Ok(entries)
    }

    /// # Errors
    /// When there is no such name.
    pub fn stat(&self, name: &[u8]) -> Result<FileStat, Unread> {
        stat_at(self.handle.as_fd(), name)
    }

    /// # Errors
    /// As `Root::read`.
    pub fn read(&self, name: &[u8], limit: u64) -> Result<(Vec<u8>, FileStat), Unread> {
        let handle = rustix::fs::openat(&self.handle, OsStr::from_bytes(name), READ_FILE, Mode::empty())?;
        read_bounded(handle, limit)
    }

    /// The folder `name` in this one, never through a link.
    ///
    /// # Errors
    /// When it is a link, no folder, or cannot be opened.
    pub fn folder(&self, name: &[u8]) -> Result<Self, Unread> {
        match rustix::fs::openat(&self.handle, OsStr::from_bytes(name), LIST_FOLDER, Mode::empty()) {
            Err(Errno::NOTDIR) => Err(last_is_link(self.handle.as_fd(), name)),
            other => Ok(Self { handle: other? }),
        }
    }

    /// As `folder`, making it when it is not there.
    ///
    /// # Errors
    /// As `folder`, or when it cannot be made.
    pub fn make_folder(&self, name: &[u8]) -> Result<Self, Unread> {
        match rustix::fs::mkdirat(&self.handle, OsStr::from_bytes(name), Mode::from_raw_mode(0o777)) {
            Ok(()) | Err(Errno::EXIST) => self.folder(name),
            Err(errno) => Err(errno.into()),
        }
    }
}

impl AsFd for Folder {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::{FileKind, Root, Unread, Wall};
    use crate::model::RepoPath;

    /// Both walls give the same answer to every path.
    #[test]
    fn the_jail_holds_with_and_without_the_kernel() {
        let keep = tempfile::TempDir::new().unwrap();
        let top = keep.path().join("root");
        std::fs::create_dir_all(top.join("a/b")).unwrap();
        for (name, content) in [("root/a/b/f", "inside"), ("secret", "outside")] {
            crate::system::write_file(&keep.path().join(name), content.as_bytes()).unwrap();
        }
        for (link, target) in [("out", ".."), ("a/up", "../../secret"), ("a/in", "b"), ("self", "self")] {
            symlink(target, top.join(link)).unwrap();
        }
        symlink("/proc/self/root/etc/passwd", top.join("magic")).unwrap();
        let check = |path: &str, expected: &Result<&[u8], Unread>| {
            for wall in [Wall::Kernel, Wall::Components] {
                let root = Root { wall, ..Root::open(&top).unwrap() };
                let path = RepoPath::new(path.as_bytes()).unwrap();
                let found = root.read(&path, 10);
                assert_eq!(found.as_deref(), expected.as_deref(), "{path} {wall:?}");
                let listed = root.folder(Some(&path)).err();
                let kind = root.stat(&path).map(|it| it.kind);
                assert_eq!(listed.is_none(), kind == Ok(FileKind::Directory), "{path} {wall:?}");
            }
        };
        check("a/b/f", &Ok(b"inside"));
        check("a/b", &Err(Unread::Directory));
        check("a/b/none", &Err(Unread::Missing));
        check("a/b/f/none", &Err(Unread::Missing));
        for link in ["out/secret", "out/root/a/b/f", "a/up", "a/in/f", "self", "self/x", "magic", "out"] {
            check(link, &Err(Unread::Symlink));
        }
        let root = Root::open(&top).unwrap();
        let folder = root.folder(None).unwrap();
        let names = || folder.entries().unwrap().into_iter().map(|it| it.name).collect::<Vec<_>>();
        assert_eq!(names(), [b"a".as_slice(), b"magic", b"out", b"self"]);
        assert_eq!(names(), names(), "a folder can be listed again");
        let f = RepoPath::new(b"a/b/f").unwrap();
        assert_eq!(root.read(&f, 5), Err(Unread::TooLarge { size: 6 }));
        assert_eq!(root.wall, Wall::Kernel, "this system has `openat2`");
    }
}
