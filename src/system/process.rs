//! Runs a program that may misbehave: it gets only the environment that it is given, a time, and room for so much
//! output; and when it ends, or must, nothing of it stays behind.

use std::ffi::{OsStr, OsString};
use std::io::{ErrorKind, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use super::strays::Mark;

/// Between the request to end and the order to.
const TERM_GRACE: Duration = Duration::from_millis(500);
/// For the kernel to take a killed process away.
const KILL_GRACE: Duration = Duration::from_secs(1);
/// For output that is still in the pipes when the program has ended.
const DRAIN_GRACE: Duration = Duration::from_millis(250);
const CHUNK: usize = 64 * 1024;

/// What to run and within which bounds.
#[derive(Clone, Debug)]
pub struct Command {
    /// Absolute; see `resolve`.
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    pub folder: PathBuf,
    /// All of the environment that the program sees, but for one variable that marks its descendants.
    pub environment: Vec<(OsString, OsString)>,
    pub timeout: Duration,
    /// Bytes kept of each of the two outputs.
    pub output_limit: usize,
}

/// How it ended and what it said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub status: Status,
    pub stdout: Output,
    pub stderr: Output,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    Exited(i32),
    Signaled(i32),
    TimedOut,
    NotStarted(String),
}

/// One output of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    pub bytes: Vec<u8>,
    pub extent: Extent,
}

/// Whether the kept bytes are all there was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    #[default]
    Whole,
    /// There was more than the limit.
    Cut,
    /// The program ended, but something that it started kept the pipe open.
    Abandoned,
}

/// The absolute path of a program, by a list of folders as in `PATH`; relative folders are passed over.
pub fn resolve(program: &OsStr, search: &OsStr) -> Option<PathBuf> {
    let path = Path::new(program);
    if path.is_absolute() {
        return is_executable(path).then(|| path.to_owned());
    }
    if path.components().count() != 1 {
        return None;
    }
    std::env::split_paths(search)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(path))
        .find(|it| is_executable(it))
}

fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

/// Runs the program to its end, or until its time is over. Returns within the timeout and two seconds.
pub fn run(command: &Command) -> Outcome {
    let mark = Mark::new();
    match start(command, &mark) {
        Ok(mut running) => {
            let status = running.wait(command.timeout);
            mark.kill_strays();
            Outcome { status, stdout: running.stdout.end(), stderr: running.stderr.end() }
        }
        Err(message) => Outcome {
            status: Status::NotStarted(message),
            stdout: Output::default(),
            stderr: Output::default(),
        },
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that starts programs")]
fn start(command: &Command, mark: &Mark) -> Result<Running, String> {
    if !command.program.is_absolute() {
        return Err(format!("the program `{}` is not an absolute path", command.program.display()));
    }
    let failed = |error: std::io::Error| format!("`{}`: {error}", command.program.display());
    let mut child = std::process::Command::new(&command.program)
        .args(&command.arguments)
        .current_dir(&command.folder)
        .env_clear()
        .envs(command.environment.iter().map(|(name, value)| (name, value)))
        .env(Mark::NAME, mark.value())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(failed)?;
    let pid = Pid::from_child(&child);
    let limit = command.output_limit;
    let stdout = child.stdout.take().map(|it| Stream::new(Box::new(it), limit));
    let stderr = child.stderr.take().map(|it| Stream::new(Box::new(it), limit));
    let watch = pidfd_open(pid, PidfdFlags::empty());
    match (stdout, stderr, watch) {
        (Some(Ok(stdout)), Some(Ok(stderr)), Ok(watch)) => Ok(Running { child, pid, watch, stdout, stderr }),
        _ => {
            kill_group(pid, Signal::KILL);
            child.wait().map_err(failed)?;
            Err(format!("`{}`: its output cannot be watched", command.program.display()))
        }
    }
}

struct Running {
    child: Child,
    pid: Pid,
    /// Readable once the child has ended; until it is reaped its number belongs to nobody else.
    watch: OwnedFd,
    stdout: Stream,
    stderr: Stream,
}

impl Running {
    fn wait(&mut self, timeout: Duration) -> Status {
        let is_in_time = self.pump(Instant::now() + timeout, Until::Exit);
        if !is_in_time {
            kill_group(self.pid, Signal::TERM);
            self.pump(Instant::now() + TERM_GRACE, Until::Exit);
        }
        // Before the child is reaped, so that its number still names this group and no other.
        kill_group(self.pid, Signal::KILL);
        if !is_in_time {
            self.pump(Instant::now() + KILL_GRACE, Until::Exit);
        }
        self.pump(Instant::now() + DRAIN_GRACE, Until::Silence);
        let ended = self.child.try_wait().ok().flatten();
        match ended {
            Some(status) if is_in_time => match (status.code(), status.signal()) {
                (Some(code), _) => Status::Exited(code),
                (None, signal) => Status::Signaled(signal.unwrap_or_default()),
            },
            Some(_) | None => Status::TimedOut,
        }
    }

    /// Reads both outputs until the goal is reached; false when the deadline comes first.
    fn pump(&mut self, deadline: Instant, until: Until) -> bool {
        loop {
            let is_silent = !self.stdout.is_open() && !self.stderr.is_open();
            if until == Until::Silence && is_silent {
                return true;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let has_ended = self.poll(left, until);
            self.stdout.read();
            self.stderr.read();
            if until == Until::Exit && has_ended {
                return true;
            }
        }
    }

    /// Waits for something to happen; tells whether the child has ended.
    fn poll(&self, left: Duration, until: Until) -> bool {
        let watched = (until == Until::Exit).then(|| self.watch.as_fd());
        let handles = watched.into_iter().chain(self.stdout.handle()).chain(self.stderr.handle());
        let mut polled: Vec<_> = handles.map(|it| PollFd::from_borrowed_fd(it, PollFlags::IN)).collect();
        let timeout = Timespec {
            tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(left.subsec_nanos()),
        };
        let happened = poll(&mut polled, Some(&timeout)).is_ok_and(|count| count > 0);
        let first = polled.first().map(|it| it.revents());
        happened && until == Until::Exit && first.is_some_and(|it| it.contains(PollFlags::IN))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    Exit,
    Silence,
}

/// A group that is already gone is what we want.
fn kill_group(pid: Pid, signal: Signal) {
    kill_process_group(pid, signal).unwrap_or_default();
}

trait Pipe: Read + AsFd + Send {}
impl<T: Read + AsFd + Send> Pipe for T {}

/// The reading end of a pipe and what came out of it so far.
struct Stream {
    pipe: Option<Box<dyn Pipe>>,
    kept: Output,
    limit: usize,
}

impl Stream {
    fn new(pipe: Box<dyn Pipe>, limit: usize) -> rustix::io::Result<Self> {
        let flags = fcntl_getfl(&pipe)?;
        fcntl_setfl(&pipe, flags | OFlags::NONBLOCK)?;
        Ok(Self { pipe: Some(pipe), kept: Output::default(), limit })
    }

    const fn is_open(&self) -> bool {
        self.pipe.is_some()
    }

    fn handle(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(|it| it.as_fd())
    }

    /// Takes what is there, at most one chunk, so that a flood on one pipe starves nothing.
    fn read(&mut self) {
        let Some(pipe) = &mut self.pipe else { return };
        let mut chunk = [0; CHUNK];
        match pipe.read(&mut chunk) {
            Ok(0) => self.pipe = None,
            Ok(count) => {
                let room = self.limit.saturating_sub(self.kept.bytes.len());
                self.kept.bytes.extend(chunk.iter().take(count.min(room)));
                if count > room {
                    self.kept.extent = Extent::Cut;
                }
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(_) => self.pipe = None,
        }
    }

    fn end(self) -> Output {
        let is_abandoned = self.pipe.is_some() && self.kept.extent == Extent::Whole;
        Output { extent: if is_abandoned { Extent::Abandoned } else { self.kept.extent }, ..self.kept }
    }
}
