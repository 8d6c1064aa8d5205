//! Repositories made by the real `git`, which is also asked what is right.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::model::RepoPath;
use crate::repo::{Options, Repository, Snapshot, View};

pub struct Fixture {
    keep: TempDir,
    pub root: PathBuf,
}

impl Fixture {
    /// An empty folder, with room beside it for what must stay outside.
    pub fn new() -> Self {
        let keep = TempDir::new().unwrap();
        let root = keep.path().canonicalize().unwrap().join("root");
        std::fs::create_dir(&root).unwrap();
        Self { keep, root }
    }

    pub fn with_git() -> Self {
        let fixture = Self::new();
        fixture.git(&["init", "-q", "-b", "main"]);
        fixture
    }

    pub fn outside(&self) -> PathBuf {
        self.keep.path().canonicalize().unwrap()
    }

    pub fn write(&self, path: impl AsRef<OsStr>, content: impl AsRef<[u8]>) {
        let path = self.root.join(Path::new(path.as_ref()));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub fn git(&self, arguments: &[&str]) -> Vec<u8> {
        git_in(&self.root, arguments)
    }

    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        text(&self.git(&["rev-parse", "HEAD"]))
    }

    pub fn open(&self) -> Repository {
        open(&self.root)
    }
}

pub fn git_in(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new("git")
        .args(["-c", "core.quotePath=false", "-c", "protocol.file.allow=always"])
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1"), ("HOME", "/nowhere")])
        .envs([("GIT_AUTHOR_NAME", "a"), ("GIT_AUTHOR_EMAIL", "a@b"), ("GIT_COMMITTER_NAME", "a")])
        .envs([("GIT_COMMITTER_EMAIL", "a@b"), ("GIT_AUTHOR_DATE", "1700000000 +0000")])
        .env("GIT_COMMITTER_DATE", "1700000000 +0000")
        .output()
        .unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

pub fn text(output: &[u8]) -> String {
    String::from_utf8(output.to_vec()).unwrap().trim_end().to_owned()
}

pub fn open(path: &Path) -> Repository {
    Repository::discover(path).unwrap().0
}

pub fn options() -> Options {
    Options { max_file_bytes: 1 << 20, scope: None }
}

pub fn worktree(repository: &Repository) -> Snapshot<'_> {
    repository.snapshot(View::Worktree, &options()).unwrap()
}

pub fn path(text: impl AsRef<[u8]>) -> RepoPath {
    RepoPath::new(text.as_ref()).unwrap()
}

pub fn names(snapshot: &Snapshot<'_>) -> Vec<String> {
    snapshot.files.iter().map(|it| it.path.to_string()).collect()
}

/// `path reason` of all that was left out.
pub fn skips(snapshot: &Snapshot<'_>) -> Vec<String> {
    snapshot.skipped.iter().map(|it| format!("{} {}", it.path, it.reason.code())).collect()
}

pub fn notes<'s>(snapshot: &'s Snapshot<'_>) -> Vec<&'s str> {
    snapshot.notes.iter().map(|it| it.code.as_str()).collect()
}

/// Records of `git … -z`.
pub fn records(output: &[u8]) -> Vec<Vec<u8>> {
    output.split(|it| *it == 0).filter(|it| !it.is_empty()).map(<[u8]>::to_vec).collect()
}

pub fn os(bytes: &[u8]) -> &OsStr {
    OsStr::from_bytes(bytes)
}
