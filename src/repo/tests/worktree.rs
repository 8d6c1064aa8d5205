//! Which files of a working tree are taken, and what they hold.

use std::os::unix::fs::{PermissionsExt as _, symlink};

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use rustix::fs::{CWD, FileType, Mode};

use super::fixture::{Fixture, git_in, names, notes, options, os, path, records, skips, text, worktree};
use crate::repo::ids::BlobId;
use crate::repo::{FileMode, Options, Repository, View};
use crate::system::Unread;

#[test]
fn ignore_files_hide_what_is_not_tracked() {
    let fixture = Fixture::with_git();
    fixture.write("keep.rs", "1");
    fixture.write("build/tracked.rs", "2");
    fixture.write("build/untracked.rs", "3");
    fixture.write("logs/a.log", "4");
    fixture.write("logs/deep/kept.log", "5");
    fixture.write("excluded.rs", "6");
    fixture.write("private/x.rs", "7");
    fixture.write(".github/workflow.yml", "8");
    fixture.git(&["add", "-f", "build/tracked.rs", "keep.rs", ".github/workflow.yml"]);
    fixture.write(".gitignore", "build/\n*.log\n");
    fixture.write("logs/deep/.gitignore", "!kept.log\n");
    fixture.write(".ignore", "private/\n!wanted.log\n");
    fixture.write("wanted.log", "10");
    fixture.write(".git/info/exclude", "excluded.rs\n");
    fixture.write(".codecortex/out/bundle.json", "9");
    let repository = fixture.open();
    let snapshot = worktree(&repository);
    assert_eq!(names(&snapshot), ["build/tracked.rs", "keep.rs", "logs/deep/kept.log", "wanted.log"]);
    let expected = [
        ".github hidden",
        ".gitignore hidden",
        ".ignore hidden",
        "build ignored",
        "excluded.rs ignored",
        "logs/a.log ignored",
        "logs/deep/.gitignore hidden",
        "private ignored",
    ];
    assert_eq!(skips(&snapshot), expected);
    assert!(snapshot.notes.is_empty());
}

/// `git ls-files --cached --others --exclude-standard` has the same rule, but for hidden files.
#[test]
fn the_rule_is_that_of_git() {
    let fixture = Fixture::with_git();
    let patterns = "*.o\n!keep.o\n/top\ndoc/**/draft\nfoo/*\n!foo/bar\ntrailing \\ \n#c\n\\#hash\n[ab].x\n";
    fixture.write(".gitignore", patterns);
    let files = [
        "a.o",
        "keep.o",
        "top",
        "sub/top",
        "doc/x/y/draft",
        "doc/draft",
        "foo/a",
        "foo/bar/b",
        "#hash",
        "a.x",
        "c.x",
        "sub/keep.o",
        "sub/b.o",
        "Ünï/ç.rs",
        "trailing  ",
    ];
    for file in files {
        fixture.write(file, file);
    }
    fixture.write("sub/.gitignore", "!b.o\nkeep.o\n");
    let listed = fixture.git(&["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let mut expected: Vec<_> = records(&listed).iter().map(path).collect();
    expected.retain(|it| it.file_name() != b".gitignore");
    expected.sort();
    let repository = fixture.open();
    let found: Vec<_> = worktree(&repository).files.into_iter().map(|it| it.path).collect();
    assert_eq!(found, expected);
}

#[test]
fn contents_have_the_names_that_git_gives_them() {
    let fixture = Fixture::with_git();
    fixture.write("a.rs", "fn a() {}\n");
    fixture.write(os(b"\xff\n.rs"), b"bytes \xfe");
    fixture.write("run.sh", "#!/bin/sh\n");
    std::fs::set_permissions(fixture.root.join("run.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
    fixture.commit("one");
    fixture.write("a.rs", "fn b() {}\n");
    let repository = fixture.open();
    for view in [View::Worktree, View::Staged, View::Commit(repository.head().commit.unwrap())] {
        let snapshot = repository.snapshot(view, &options()).unwrap();
        assert_eq!(snapshot.files.len(), 3, "{view:?}");
        let contents: Vec<_> = snapshot.files.par_iter().map(|it| snapshot.read(it).unwrap()).collect();
        for (file, content) in snapshot.files.iter().zip(contents) {
            assert_eq!(content.blob, BlobId::of(&content.bytes));
            assert!(file.blob.is_none_or(|it| it == content.blob), "{view:?} {file:?}");
            let is_script = file.path == path("run.sh");
            assert_eq!(file.mode == FileMode::Executable, is_script, "{view:?} {file:?}");
            let changed = view == View::Worktree && file.path == path("a.rs");
            let listed = fixture.git(&["ls-files", "-s", "-z"]);
            let line = records(&listed).into_iter().find(|it| it.ends_with(file.path.as_bytes())).unwrap();
            let is_staged = line.windows(40).any(|it| it == content.blob.to_string().as_bytes());
            assert_eq!(is_staged, !changed, "{view:?} {file:?}");
        }
    }
    let hashed = text(&fixture.git(&["hash-object", "a.rs"]));
    assert_eq!(hashed, BlobId::of(b"fn b() {}\n").to_string());
}

#[test]
fn the_index_vouches_for_what_is_old_and_unchanged() {
    let fixture = Fixture::with_git();
    fixture.write("old.rs", "1");
    fixture.write("racy.rs", "2");
    let age = |name: &str, seconds: i64| {
        let time = rustix::fs::Timespec { tv_sec: seconds, tv_nsec: 5 };
        let times = rustix::fs::Timestamps { last_access: time, last_modification: time };
        rustix::fs::utimensat(CWD, fixture.root.join(name), &times, rustix::fs::AtFlags::empty()).unwrap();
    };
    age("old.rs", 1_600_000_000);
    age("racy.rs", 4_000_000_000);
    fixture.commit("one");
    // The change time of a file is that of this test: only an index of later than that can vouch for it.
    age(".git/index", 3_000_000_000);
    let repository = fixture.open();
    let known = |name: &str| worktree(&repository).find(&path(name)).unwrap().blob;
    assert_eq!(known("old.rs"), Some(BlobId::of(b"1")));
    assert_eq!(known("racy.rs"), None);
    fixture.write("old.rs", "3");
    age("old.rs", 1_600_000_000);
    assert_eq!(known("old.rs"), None, "size and time are back, the change time is not");
}

#[test]
fn what_is_no_plain_file_is_a_record() {
    let fixture = Fixture::new();
    std::fs::write(fixture.outside().join("secret.txt"), "secret").unwrap();
    std::fs::create_dir(fixture.outside().join("folder")).unwrap();
    fixture.write("src/a.rs", "1");
    for (link, target) in [("src/out.rs", "../../secret.txt"), ("src/loop", "loop"), ("up", "../folder")] {
        symlink(target, fixture.root.join(link)).unwrap();
    }
    for name in ["src/fifo.rs", ".gitignore"] {
        rustix::fs::mknodat(CWD, fixture.root.join(name), FileType::Fifo, Mode::from_raw_mode(0o644), 0)
            .unwrap();
    }
    let sparse = std::fs::OpenOptions::new().write(true).create_new(true).open(fixture.root.join("huge.rs"));
    sparse.unwrap().set_len(6 << 30).unwrap();
    let deep: std::path::PathBuf = std::iter::repeat_n("d", 300).collect();
    fixture.write(deep.join("x.rs"), "deep");
    let repository = fixture.open();
    let snapshot = worktree(&repository);
    assert_eq!(names(&snapshot), ["src/a.rs"]);
    let too_deep = vec!["d"; 256].join("/") + " too_deep";
    let expected = [
        ".gitignore hidden",
        &too_deep,
        "huge.rs too_large",
        "src/fifo.rs special_file",
        "src/loop symlink",
        "src/out.rs symlink",
        "up symlink",
    ];
    assert_eq!(skips(&snapshot), expected);
    assert_eq!(notes(&snapshot), ["ignore_file_unread"]);
    let root = &repository.root;
    assert_eq!(root.read(&path("src/out.rs"), 10), Err(Unread::Symlink));
    assert_eq!(root.read(&path("up/x"), 10), Err(Unread::Symlink));
    assert_eq!(root.read(&path("src/fifo.rs"), 10), Err(Unread::Special));
    assert_eq!(root.read(&path("huge.rs"), 10), Err(Unread::TooLarge { size: 6 << 30 }));
    assert_eq!(root.read(&path("src"), 10), Err(Unread::Directory));
    assert_eq!(root.read(&path("src/a.rs/x"), 10), Err(Unread::Missing));
}

#[test]
fn submodules_and_pointers_are_records() {
    let library = Fixture::with_git();
    library.write("lib.rs", "1");
    library.commit("one");
    let fixture = Fixture::with_git();
    let url = library.root.to_str().unwrap();
    fixture.git(&["submodule", "--quiet", "add", url, "vendor/lib"]);
    let pointer =
        format!("version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 12345\n", "a".repeat(64));
    fixture.write("model.rs", &pointer);
    fixture.write(".gitattributes", "*.rs filter=lfs diff=lfs\n");
    fixture.write("nested/a.rs", "1");
    fixture.commit("one");
    git_in(&fixture.root.join("nested"), &["init", "-q"]);
    fixture.write("nested/untracked.rs", "2");
    let repository = fixture.open();
    let expected =
        [".gitattributes hidden", ".gitmodules hidden", "model.rs lfs_pointer", "vendor/lib submodule"];
    for view in [View::Staged, View::Commit(repository.head().commit.unwrap())] {
        let snapshot = repository.snapshot(view, &options()).unwrap();
        assert_eq!(names(&snapshot), ["nested/a.rs"]);
        assert_eq!(skips(&snapshot), expected);
    }
    let snapshot = worktree(&repository);
    assert_eq!(names(&snapshot), ["nested/a.rs"]);
    assert_eq!(skips(&snapshot)[3..], ["nested submodule", "vendor/lib submodule"]);
    let (inner, _) = Repository::discover(&fixture.root.join("vendor/lib")).unwrap();
    assert!(inner.head().commit.is_some(), "{:?}", inner.head());
    assert_eq!(names(&worktree(&inner)), ["lib.rs"]);
}

#[test]
fn a_scope_is_listed_by_the_rules_above_it() {
    let fixture = Fixture::with_git();
    fixture.write(".gitignore", "*.log\n");
    fixture.write(".ci/run.py", "1");
    fixture.write(".ci/x.log", "2");
    fixture.write("src/a.rs", "3");
    fixture.commit("one");
    let (repository, scope) = Repository::discover(&fixture.root.join(".ci")).unwrap();
    assert_eq!(scope, Some(path(".ci")));
    for view in [View::Worktree, View::Staged, View::Commit(repository.head().commit.unwrap())] {
        let options = Options { scope: scope.clone(), ..options() };
        let snapshot = repository.snapshot(view, &options).unwrap();
        assert_eq!(names(&snapshot), [".ci/run.py"], "{view:?}");
    }
    let (_, file) = Repository::discover(&fixture.root.join("src/a.rs")).unwrap();
    let options = Options { scope: file, ..options() };
    assert_eq!(names(&repository.snapshot(View::Worktree, &options).unwrap()), ["src/a.rs"]);
}

#[test]
fn a_huge_ignore_file_is_left_aside_with_a_note() {
    let fixture = Fixture::new();
    fixture.write(".gitignore", "*.rs\n".repeat(60_000));
    fixture.write("a.rs", "1");
    let repository = fixture.open();
    let snapshot = worktree(&repository);
    assert_eq!(names(&snapshot), ["a.rs"]);
    assert_eq!(notes(&snapshot), ["ignore_file_unread"]);
}
