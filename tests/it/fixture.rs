//! A repository in a temporary folder, made by the real `git`, and the built programs run over it.
#![expect(
    clippy::disallowed_methods,
    reason = "a test makes the files and starts the programs that it is about"
)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// Where every bundle goes that is not sent elsewhere.
pub const OUT: &str = ".codecortex/out";

/// A repository with room beside it for what must stay outside.
pub struct Repo {
    keep: TempDir,
    pub root: PathBuf,
}

/// How a program ended and what it said.
#[derive(Debug)]
pub struct Run {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Repo {
    /// A folder without git data.
    pub fn bare_folder() -> Self {
        let keep = TempDir::new().unwrap();
        let root = keep.path().canonicalize().unwrap().join("repo");
        std::fs::create_dir(&root).unwrap();
        Self { keep, root }
    }

    /// A git repository without a commit.
    pub fn new() -> Self {
        let repo = Self::bare_folder();
        repo.git(&["init", "-q", "-b", "main"]);
        repo
    }

    /// A git repository that holds these files, committed.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let repo = Self::new();
        repo.write_all(files);
        repo.commit();
        repo
    }

    /// A git repository that holds the files of `tests/fixtures/<name>/repo`, committed.
    pub fn of(name: &str) -> Self {
        let repo = Self::new();
        copy(&fixtures().join(name).join("repo"), &repo.root);
        repo.commit();
        repo
    }

    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub fn write_all(&self, files: &[(&str, &str)]) {
        for (path, content) in files {
            self.write(path, content);
        }
    }

    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.root.join(path)).unwrap()
    }

    /// A path beside the repository.
    pub fn beside(&self, name: &str) -> String {
        self.keep.path().canonicalize().unwrap().join(name).to_str().unwrap().to_owned()
    }

    pub fn set_mode(&self, path: &str, mode: u32) {
        std::fs::set_permissions(self.root.join(path), std::fs::Permissions::from_mode(mode)).unwrap();
    }

    pub fn mode(&self, path: &str) -> u32 {
        std::fs::metadata(self.root.join(path)).unwrap().permissions().mode() & 0o7777
    }

    pub fn git(&self, arguments: &[&str]) -> String {
        git_in(&self.root, arguments)
    }

    /// Commits everything.
    pub fn commit(&self) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "state"]);
        self.git(&["rev-parse", "HEAD"]).trim_end().to_owned()
    }

    /// Commits everything at a time, in seconds since 1970, in somebody's name.
    pub fn commit_by(&self, author: &str, time: i64, subject: &str) -> String {
        self.git(&["add", "-A"]);
        let commit = ["commit", "-q", "--allow-empty", "-m", subject];
        git_dated(&self.root, (author, time), &commit);
        self.git(&["rev-parse", "HEAD"]).trim_end().to_owned()
    }

    /// `cortex` with these arguments, inside the repository.
    pub fn cortex(&self, arguments: &[&str]) -> Run {
        self.cortex_with(&[], arguments)
    }

    /// `cortex` with these arguments and variables.
    pub fn cortex_with(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Run {
        self.run(env!("CARGO_BIN_EXE_cortex"), variables, arguments)
    }

    /// `cortex scan` with these arguments.
    pub fn scan(&self, arguments: &[&str]) -> Run {
        self.cortex(&[&["scan"], arguments].concat())
    }

    /// A program with no variables but these, a search path and a state folder beside the repository.
    pub fn run(&self, program: &str, variables: &[(&str, &str)], arguments: &[&str]) -> Run {
        let output = Command::new(program)
            .args(arguments)
            .current_dir(&self.root)
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("XDG_STATE_HOME", self.beside("state"))
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        let text = |it: Vec<u8>| String::from_utf8(it).unwrap();
        Run {
            status: output.status.code().unwrap(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// A document of the bundle in the usual place.
    pub fn document(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(&format!("{OUT}/{name}"))).unwrap()
    }

    /// The findings of the bundle in the usual place, one line for each:
    /// `path:line:column-line:column severity status rule: message`.
    pub fn findings(&self) -> Vec<String> {
        let text = self.read(&format!("{OUT}/findings.jsonl"));
        text.lines().map(|it| finding(&serde_json::from_str(it).unwrap())).collect()
    }
}

impl Run {
    /// The run, if it ended so.
    #[track_caller]
    pub fn ends(self, status: i32) -> Self {
        assert_eq!(self.status, status, "{}{}", self.stdout, self.stderr);
        self
    }

    /// The run, if it was an error with this code.
    #[track_caller]
    pub fn fails(self, status: i32, code: &str) -> Self {
        let run = self.ends(status);
        assert!(run.stderr.lines().next().unwrap_or_default().ends_with(&format!("[{code}]")), "{run:?}");
        run
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap()
    }
}

fn finding(it: &Value) -> String {
    let text = |key: &str| it[key].as_str().unwrap().to_owned();
    format!(
        "{}:{}:{}-{}:{} {} {} {}: {}",
        text("path"),
        it["start_line"],
        it["start_column"],
        it["end_line"],
        it["end_column"],
        text("severity"),
        text("status"),
        text("rule"),
        text("message")
    )
}

pub fn git_in(folder: &Path, arguments: &[&str]) -> String {
    git_dated(folder, ("a", 1_700_000_000), arguments)
}

fn git_dated(folder: &Path, (author, time): (&str, i64), arguments: &[&str]) -> String {
    let date = format!("{time} +0000");
    let output = Command::new("git")
        .args(["-c", "protocol.file.allow=always", "-c", "core.autocrlf=false"])
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1"), ("HOME", "/nowhere")])
        .envs([("GIT_AUTHOR_NAME", author), ("GIT_AUTHOR_EMAIL", "a@b"), ("GIT_COMMITTER_NAME", author)])
        .envs([("GIT_COMMITTER_EMAIL", "a@b"), ("GIT_AUTHOR_DATE", date.as_str())])
        .env("GIT_COMMITTER_DATE", &date)
        .output()
        .unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

pub fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn fixtures() -> PathBuf {
    package().join("tests/fixtures")
}

/// The paths of all files below a folder, sorted.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// Writes a file where the test knows a full path.
pub fn write(path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
    std::fs::write(path, content).unwrap();
}

/// Copies a folder with everything in it.
pub fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let target = to.join(file.strip_prefix(from).unwrap());
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        std::fs::copy(&file, target).unwrap();
    }
}

/// Compares a text with a checked-in file; with `CORTEX_BLESS=1` the file takes the text.
#[track_caller]
pub fn golden(path: &Path, actual: &str) {
    if std::env::var("CORTEX_BLESS").is_ok_and(|it| it == "1") {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, actual).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        expected == actual,
        "{} differs (CORTEX_BLESS=1 renews it)\n{}",
        path.display(),
        similar::TextDiff::from_lines(expected.as_str(), actual).unified_diff()
    );
}
