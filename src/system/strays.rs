//! Finds what a program left running after it left its process group: every descendant inherits a mark.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// A stray may start another one while we look.
const ROUNDS: usize = 5;
const MAX_ENVIRONMENT: u64 = 1024 * 1024;

/// A value in the environment that only one child of ours and its descendants have.
pub struct Mark(String);

impl Mark {
    pub const NAME: &'static str = "CORTEX_CHILD";

    pub fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Self(format!("{}.{number}", std::process::id()))
    }

    pub fn value(&self) -> &OsStr {
        OsStr::new(&self.0)
    }

    /// Kills every process that carries the mark.
    pub fn kill_strays(&self) {
        let line = format!("{}={}", Self::NAME, self.0);
        for _ in 0..ROUNDS {
            let Ok(processes) = std::fs::read_dir("/proc") else { return };
            let mut found = 0;
            for entry in processes.flatten() {
                found += usize::from(kill_if_marked(&entry.file_name(), line.as_bytes()));
            }
            if found == 0 {
                return;
            }
        }
    }
}

/// The handle is taken before the mark is read: if the number is given to another process between, the signal
/// goes to the process that was there first, or nowhere.
fn kill_if_marked(number: &OsStr, line: &[u8]) -> bool {
    let number = std::str::from_utf8(number.as_bytes()).ok().and_then(|it| it.parse().ok());
    let Some(pid) = number.and_then(Pid::from_raw) else { return false };
    let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else { return false };
    let path = format!("/proc/{}/environ", pid.as_raw_nonzero());
    let mut environment = Vec::new();
    let read = File::open(path).and_then(|it| it.take(MAX_ENVIRONMENT).read_to_end(&mut environment));
    let is_marked = read.is_ok() && environment.split(|byte| *byte == 0).any(|it| it == line);
    is_marked && pidfd_send_signal(handle, Signal::KILL).is_ok()
}
