//! The state of a file in short: what a file system changes, all or in part, whenever it changes the file.

use serde::{Deserialize, Serialize};

use super::root::{FileStat, Folder, Unread};
use super::staging;

/// Equal for one file at two moments only when nothing was written to it between them, provided that the first moment
/// was at least [`TICK_NS`] after its times: within one tick of the clock a second write leaves no trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u64, i64, i64, u64)", into = "(u64, i64, i64, u64)")]
pub struct Stamp {
    pub size: u64,
    pub mtime_ns: i64,
    pub ctime_ns: i64,
    pub inode: u64,
}

/// The coarsest clock of a file system's times that is in use.
pub const TICK_NS: i128 = 10_000_000;

impl Stamp {
    /// None for a time outside of what it can hold.
    pub fn of(stat: &FileStat) -> Option<Self> {
        let nanoseconds = |it: i128| i64::try_from(it).ok();
        Some(Self {
            size: stat.size,
            mtime_ns: nanoseconds(stat.mtime_ns)?,
            ctime_ns: nanoseconds(stat.ctime_ns)?,
            inode: stat.inode,
        })
    }

    /// Whether the file was left alone for a tick before a time.
    pub fn is_settled_before(&self, time_ns: i128) -> bool {
        i128::from(self.mtime_ns.max(self.ctime_ns)) + TICK_NS <= time_ns
    }
}

impl From<(u64, i64, i64, u64)> for Stamp {
    fn from((size, mtime_ns, ctime_ns, inode): (u64, i64, i64, u64)) -> Self {
        Self { size, mtime_ns, ctime_ns, inode }
    }
}

impl From<Stamp> for (u64, i64, i64, u64) {
    fn from(it: Stamp) -> Self {
        (it.size, it.mtime_ns, it.ctime_ns, it.inode)
    }
}

/// What the clock of a folder's file system says, at least a tick after this was called: whatever was there before
/// is settled by then. It may be another clock than the one of this machine.
///
/// # Errors
/// When no file can be made there.
pub fn next_tick(folder: &Folder) -> Result<i128, Unread> {
    std::thread::sleep(std::time::Duration::from_millis(25));
    let failed = |it: std::io::Error| Unread::Failed(it.to_string());
    let (name, file) = staging::beside(b"clock", |it| staging::create(folder, it)).map_err(failed)?;
    let stat = FileStat::of_handle(&file);
    staging::remove(folder, &name).map_err(failed)?;
    Ok(stat?.mtime_ns)
}
