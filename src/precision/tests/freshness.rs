//! Everything that can happen to a file between two looks, each with what is then said of it.
#![expect(clippy::disallowed_methods, reason = "a test makes the files that it is about")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::data::{document, metadata, occurrence};
use crate::model::LayerState;
use crate::precision::{Before, Freshness, Index, IndexFile, Seal, StatCache, open};
use crate::repo::Repository;

pub const DOCUMENTS: [(&str, &[u8]); 3] =
    [("a.ts", b"one\n"), ("lib/b.ts", b"one two\n"), ("lib/c.ts", b"one six\n")];
pub const CONFIGURATION: (&str, &[u8]) = ("tsconfig.json", b"{}\n");
/// Source that the indexer leaves out.
pub const OTHER: (&str, &[u8]) = ("other.ts", b"x\n");
const SEAL: &str = "index.scip.manifest.json";

/// A repository whose index is sealed, in a folder that has room for another.
pub struct Ground {
    _keep: TempDir,
    pub root: PathBuf,
}

pub fn git(folder: &Path, arguments: &[&str]) {
    let ended = Command::new("git")
        .args(["-c", "protocol.file.allow=always", "-c", "core.autocrlf=false"])
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1"), ("HOME", "/nowhere")])
        .envs([("GIT_AUTHOR_NAME", "a"), ("GIT_AUTHOR_EMAIL", "a@b"), ("GIT_COMMITTER_NAME", "a")])
        .env("GIT_COMMITTER_EMAIL", "a@b")
        .output()
        .unwrap();
    assert!(ended.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
}

/// Longer than a tick of the clock of a file system.
pub fn pause() {
    std::thread::sleep(Duration::from_millis(20));
}

impl Ground {
    fn unsealed() -> Self {
        let keep = TempDir::new().unwrap();
        let root = keep.path().canonicalize().unwrap().join("repo");
        let ground = Self { _keep: keep, root };
        for (path, bytes) in DOCUMENTS.iter().chain([&CONFIGURATION, &OTHER]) {
            ground.write(path, bytes);
        }
        git(&ground.root, &["init", "-q", "-b", "main"]);
        ground
    }

    /// Sealed after it was settled, and committed as a whole.
    pub fn sealed() -> Self {
        let ground = Self::unsealed();
        let before = ground.before();
        ground.seal(&before);
        git(&ground.root, &["add", "-A"]);
        git(&ground.root, &["commit", "-q", "-m", "sealed"]);
        pause();
        assert_eq!(ground.settle().0, "available");
        ground
    }

    fn before(&self) -> Before {
        let repository = self.repository();
        Before::now(&repository, &StatCache::make_folder(repository.root()).unwrap()).unwrap()
    }

    fn seal(&self, before: &Before) {
        let occurrence = || vec![occurrence([0, 0, 3], "s npm p 1 `a.ts`/one.", 1)];
        let documents = DOCUMENTS.iter().map(|(path, _)| document(path, &occurrence()));
        let bytes = [metadata("scip-typescript", "0.4.0"), documents.collect::<Vec<_>>().concat()].concat();
        let seal = Seal::make(&self.repository(), &Index::parse(&bytes).unwrap(), &bytes, before).unwrap();
        self.write("index.scip", &bytes);
        self.write(SEAL, &serde_json::to_vec(&seal).unwrap());
    }

    pub fn repository(&self) -> Repository {
        Repository::discover(&self.root).unwrap().0
    }

    pub fn index(&self) -> IndexFile {
        open(&self.path("index.scip")).unwrap()
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub fn time(&self, path: &str) -> SystemTime {
        self.path(path).metadata().unwrap().modified().unwrap()
    }

    pub fn set_time(&self, path: &str, time: SystemTime) {
        std::fs::File::options().write(true).open(self.path(path)).unwrap().set_modified(time).unwrap();
    }

    /// Another file with the times of the one that it takes the place of.
    pub fn replace(&self, path: &str, bytes: &[u8]) {
        self.write("replacement", bytes);
        self.set_time("replacement", self.time(path));
        std::fs::rename(self.path("replacement"), self.path(path)).unwrap();
    }

    /// A clone, in the place of this repository, that git has no doubt about.
    pub fn become_clone(&self) {
        let clone = self.root.with_file_name("clone");
        git(&self.root, &["clone", "-q", ".", clone.to_str().unwrap()]);
        self.take(&clone);
        self.set_time(".git/index", SystemTime::now() + Duration::from_secs(1));
    }

    /// A copy with the same modification times and the cache of this repository, in its place.
    pub fn become_copy(&self) {
        let copy = self.root.with_file_name("copy");
        let ended = Command::new("cp").arg("-a").args([&self.root, &copy]).output().unwrap();
        assert!(ended.status.success());
        self.take(&copy);
    }

    fn take(&self, folder: &Path) {
        std::fs::remove_dir_all(&self.root).unwrap();
        std::fs::rename(folder, &self.root).unwrap();
    }

    /// The state by a look that reads nothing, with its reason.
    fn state(&self) -> String {
        let file = self.index();
        let index = Index::parse(&file.bytes).unwrap();
        let freshness = Freshness::check(&self.repository(), &index, &file);
        assert_eq!(freshness.hashed(), 0);
        words(&freshness.state(&index.documents))
    }

    /// The state by a look that may read, with the number of files that it read.
    pub fn settle(&self) -> (String, usize) {
        let file = self.index();
        let index = Index::parse(&file.bytes).unwrap();
        let freshness = Freshness::settle(&self.repository(), &index, &file);
        assert_eq!(freshness.unkept(), None);
        (words(&freshness.state(&index.documents)), freshness.hashed())
    }
}

fn words(state: &LayerState) -> String {
    match state {
        LayerState::Stale { reason } => reason.message.clone(),
        LayerState::Available | LayerState::Unavailable { .. } | LayerState::Disabled { .. } => {
            state.name().to_owned()
        }
    }
}

/// What is said after a change, and after reading what was in doubt, and how many files that read.
#[track_caller]
fn check(change: impl FnOnce(&Ground), first: &str, settled: (&str, usize)) {
    let ground = Ground::sealed();
    change(&ground);
    let said = ground.state();
    assert!(said.contains(first), "`{said}` without `{first}`");
    let (said, hashed) = ground.settle();
    assert!(said.contains(settled.0), "`{said}` without `{}`", settled.0);
    assert_eq!(hashed, settled.1);
    let (again, hashed) = ground.settle();
    assert_eq!((again, hashed), (said, 0), "what was settled stays so");
}

const CHANGED: &str = "`lib/b.ts` holds something else than what was sealed; run the indexer again";

#[test]
fn a_fresh_clone_is_proven_without_reading_a_file() {
    check(|_| {}, "available", ("available", 0));
    check(Ground::become_clone, "available", ("available", 0));
    let sneaky = |it: &Ground| {
        it.become_clone();
        it.write("lib/b.ts", b"two one\n");
    };
    check(sneaky, "1 of 3 documents are not proven current: `lib/b.ts` has not been compared", (CHANGED, 1));
}

/// Git and the cache both name the state of a file at a moment, and a state that is too young proves nothing.
#[test]
fn what_git_wrote_down_within_a_tick_is_read() {
    let clone = |last: &'static str, milliseconds| {
        move |it: &Ground| {
            it.become_clone();
            it.set_time(".git/index", it.time(last) + Duration::from_millis(milliseconds));
        }
    };
    // A checkout writes the files in the order of their names.
    check(clone("tsconfig.json", 10), "available", ("available", 0));
    let unseen =
        "3 of 3 documents are not proven current: `tsconfig.json` has not been compared with the seal here";
    check(clone("a.ts", 9), unseen, ("available", 4));
}

#[test]
fn a_file_that_changed_is_stale_and_says_how() {
    check(|it| it.write("lib/b.ts", b"one two three\n"), CHANGED, (CHANGED, 0));
    check(|it| it.write("lib/b.ts", b"two one\n"), "`lib/b.ts` was written since", (CHANGED, 1));
    let touched = |it: &Ground| it.set_time("lib/b.ts", SystemTime::now());
    check(touched, "`lib/b.ts` was written since", ("available", 1));
    let put_back = |it: &Ground| {
        let time = it.time("lib/b.ts");
        it.write("lib/b.ts", b"two one\n");
        it.set_time("lib/b.ts", time);
    };
    check(put_back, "`lib/b.ts` was renamed, or its times or rights were set", (CHANGED, 1));
    let reference = |it: &Ground| it.set_time("lib/b.ts", it.time("index.scip"));
    check(reference, "`lib/b.ts` was written since", ("available", 1));
    check(|it| it.replace("lib/b.ts", b"two one\n"), "`lib/b.ts` was replaced", (CHANGED, 1));
    check(|it| it.replace("lib/b.ts", b"one two\n"), "`lib/b.ts` was replaced", ("available", 1));
    let moved = |it: &Ground| std::fs::rename(it.path("lib/c.ts"), it.path("lib/b.ts")).unwrap();
    check(moved, "2 of 3 documents are not proven current: `lib/b.ts` was replaced", (CHANGED, 1));
    let gone = |it: &Ground| std::fs::remove_file(it.path("lib/b.ts")).unwrap();
    check(gone, "1 of 3 documents are not proven current: `lib/b.ts` is gone", ("`lib/b.ts` is gone", 0));
}

#[test]
fn what_an_index_hangs_on_makes_all_of_it_stale() {
    let all = |rest: &str| format!("3 of 3 documents are not proven current: {rest}");
    let decides = all("`tsconfig.json` decides what an indexer finds, and is new, gone or changed");
    let longer = |it: &Ground| it.write("tsconfig.json", b"{ }\n");
    check(longer, &decides, (&decides, 0));
    let written = |it: &Ground| it.write("tsconfig.json", b"[]\n");
    check(written, &all("`tsconfig.json` was written since"), (&decides, 1));
    let touched = |it: &Ground| it.set_time("tsconfig.json", SystemTime::now());
    check(touched, &all("`tsconfig.json` was written since"), ("available", 1));
    let gone = |it: &Ground| std::fs::remove_file(it.path("tsconfig.json")).unwrap();
    check(gone, &decides, (&decides, 0));
    let inner = all("`lib/package.json` decides");
    check(|it| it.write("lib/package.json", b"{}\n"), &inner, (&inner, 0));
    let came = all("`lib/new.ts` is a source file that was not there");
    check(|it| it.write("lib/new.ts", b""), &came, (&came, 0));
    let deep = all("`far/away/new.ts` is a source file that was not there");
    check(|it| it.write("far/away/new.ts", b""), &deep, (&deep, 0));
    check(|it| it.write("other.ts", b"y\n"), "available", ("available", 0));
    check(|it| it.write("notes.md", b"y\n"), "available", ("available", 0));
}

/// No folder changes when the text of an ignore file does.
#[test]
fn a_source_file_that_is_no_longer_ignored_is_a_new_one() {
    let ground = Ground::unsealed();
    ground.write(".gitignore", b"hidden.ts\n");
    ground.write("hidden.ts", b"x\n");
    ground.seal(&ground.before());
    assert_eq!(ground.settle(), ("available".to_owned(), 4));
    ground.write(".gitignore", b"nothing\n");
    assert!(ground.state().contains("`hidden.ts` is a source file that was not there"));
}

#[test]
fn an_index_in_another_place_is_proven_by_content_alone() {
    check(
        Ground::become_copy,
        "3 of 3 documents are not proven current: `tsconfig.json` has not",
        ("available", 4),
    );
    let elsewhere = |it: &Ground| {
        it.become_copy();
        it.write("lib/b.ts", b"two one\n");
    };
    check(elsewhere, "`tsconfig.json` has not been compared", (CHANGED, 4));
    let foreign = |it: &Ground| it.write(SEAL, b"{}");
    let says = "`a.ts` may be any version: the seal beside the index is of another one";
    check(foreign, says, (says, 0));
}

#[test]
fn a_cache_that_is_damaged_only_costs_reading() {
    let cache = ".codecortex/cache/precision.json";
    let unseen = "`tsconfig.json` has not been compared with the seal here";
    let damaged = |it: &Ground, bytes: &[u8]| {
        std::fs::remove_dir_all(it.path(".git")).unwrap();
        it.write(cache, bytes);
    };
    check(|it| damaged(it, b"{"), unseen, ("available", 4));
    check(|it| damaged(it, b""), unseen, ("available", 4));
    let foreign = |it: &Ground| {
        let text = std::fs::read_to_string(it.path(cache)).unwrap();
        damaged(it, text.replacen("\"root\":[", "\"root\":[1", 1).as_bytes());
    };
    check(foreign, unseen, ("available", 4));
}

#[test]
fn an_edit_while_the_index_is_made_is_never_current() {
    let raced = |change: &dyn Fn(&Ground)| {
        let ground = Ground::unsealed();
        let before = ground.before();
        change(&ground);
        ground.seal(&before);
        ground.settle().0
    };
    let says = "`lib/b.ts` changed while the index was made, or before it was sealed; run the indexer again";
    assert!(raced(&|it| it.write("lib/b.ts", b"two one\n")).contains(says));
    assert!(raced(&|it| it.replace("lib/b.ts", b"two one\n")).contains(says));
    assert!(
        raced(&|it| it.write("tsconfig.json", b"[]\n")).contains("3 of 3 documents are not proven current")
    );
    assert!(
        raced(&|it| it.write("lib/new.ts", b"")).contains("`lib/new.ts` is a source file that was not there")
    );
    assert_eq!(raced(&|it| it.write("other.ts", b"y\n")), "available");
}
