//! Git data in every shape that a checkout can have, and in shapes that it must not have.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use sha1::Digest as _;

use super::fixture::{Fixture, git_in, names, notes, open, options, text, worktree};
use crate::repo::{Depth, Head, HeadState, Repository, SnapshotError, View};

fn head(path: &Path) -> Head {
    open(path).head().clone()
}

#[test]
fn every_kind_of_checkout_says_what_it_is() {
    let fixture = Fixture::new();
    fixture.write("a.rs", "1");
    assert_eq!(head(&fixture.root).state, HeadState::NoGit);
    assert!(matches!(fixture.open().snapshot(View::Staged, &options()), Err(SnapshotError::NoGit)));
    fixture.git(&["init", "-q", "-b", "main"]);
    assert_eq!(head(&fixture.root).state, HeadState::Unborn);
    assert_eq!(names(&worktree(&fixture.open())), ["a.rs"]);
    fixture.commit("one");
    let second = fixture.commit("two");
    let on_branch = head(&fixture.root);
    assert_eq!((on_branch.state, on_branch.branch.as_deref()), (HeadState::Branch, Some("main")));
    assert_eq!(on_branch.commit.unwrap().to_string(), second);
    fixture.git(&["pack-refs", "--all"]);
    fixture.git(&["gc", "-q"]);
    assert_eq!(head(&fixture.root).commit.unwrap().to_string(), second);
    fixture.git(&["checkout", "-q", "--detach"]);
    let detached = head(&fixture.root);
    assert_eq!((detached.state, detached.branch), (HeadState::Detached, None));

    let url = format!("file://{}", fixture.root.display());
    git_in(&fixture.outside(), &["clone", "-q", "--depth", "1", &url, "shallow"]);
    let shallow = head(&fixture.outside().join("shallow"));
    assert_eq!((shallow.depth, shallow.commit), (Depth::Shallow, detached.commit));

    git_in(&fixture.outside(), &["clone", "-q", "--bare", &url, "bare.git"]);
    let bare = fixture.outside().join("bare.git");
    git_in(&bare, &["worktree", "add", "-q", "../linked", &second]);
    let linked = open(&fixture.outside().join("linked"));
    assert_eq!(linked.head().commit, detached.commit, "{:?}", linked.head());
    assert_eq!(names(&linked.snapshot(View::Staged, &options()).unwrap()), ["a.rs"]);
}

#[test]
fn a_link_to_foreign_git_data_is_not_followed() {
    let fixture = Fixture::new();
    fixture.write("a.rs", "1");
    let other = Fixture::with_git();
    other.write("secret.rs", "2");
    other.commit("secret");
    let target = other.root.join(".git");
    let refused = |what: &str| {
        let repository = fixture.open();
        let HeadState::Unavailable(reason) = &repository.head().state else { panic!("{what}") };
        assert_eq!(reason.code, "git_link_refused", "{what}");
        let snapshot = worktree(&repository);
        assert_eq!((names(&snapshot), notes(&snapshot)), (vec!["a.rs".to_owned()], vec!["git_link_refused"]));
    };
    fixture.write(".git", format!("gitdir: {}\n", target.display()));
    refused("file");
    std::fs::remove_file(fixture.root.join(".git")).unwrap();
    symlink(&target, fixture.root.join(".git")).unwrap();
    refused("link");
    std::fs::remove_file(fixture.root.join(".git")).unwrap();
    fixture.git(&["init", "-q"]);
    fixture.write(".git/commondir", target.to_str().unwrap());
    refused("commondir");
    std::fs::remove_file(fixture.root.join(".git/commondir")).unwrap();
    fixture.write(".git/objects/info/alternates", target.join("objects").to_str().unwrap());
    refused("alternates");
    std::fs::remove_file(fixture.root.join(".git/objects/info/alternates")).unwrap();
    symlink(fixture.outside().join("x"), fixture.root.join(".git/packed-refs")).unwrap();
    refused("packed-refs");
    std::fs::remove_file(fixture.root.join(".git/packed-refs")).unwrap();
    symlink("/dev/zero", fixture.root.join(".git/refs/heads/zero")).unwrap();
    refused("loose ref");
}

#[test]
fn hostile_configuration_runs_nothing() {
    let fixture = Fixture::with_git();
    fixture.write("a.rs", "1");
    fixture.write("b.rs", "2");
    let first = fixture.commit("one");
    let marker = fixture.outside().join("marker");
    let script = fixture.outside().join("script.sh");
    std::fs::write(&script, format!("#!/bin/sh\ntouch {}\n", marker.display())).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let script = script.display();
    let config = format!(
        "[core]\n\tfsmonitor = {script}\n\tsshCommand = {script}\n\tworktree = /\n\thooksPath = /\n\
         [diff]\n\texternal = {script}\n[filter \"x\"]\n\tsmudge = {script}\n\tclean = {script}\n\
         [include]\n\tpath = config\n\tpath = ../../outside.cfg\n[remote \"origin\"]\n\turl = ext::{script}\n\
         \tpromisor = true\n[gitoxide \"core\"]\n\tshallowFile = ../../../outside.cfg\n"
    );
    let text = std::fs::read_to_string(fixture.root.join(".git/config")).unwrap();
    fixture.write(".git/config", text + &config);
    fixture.write(".gitattributes", "*.rs filter=x diff=x\n");
    fixture.write("a.rs", "changed");
    let repository = fixture.open();
    assert_eq!(repository.head().commit.unwrap().to_string(), first, "{:?}", repository.head());
    assert_eq!(repository.resolve_base("HEAD").unwrap().commit.to_string(), first);
    for view in [View::Worktree, View::Staged, View::Commit(repository.head().commit.unwrap())] {
        let snapshot = repository.snapshot(view, &options()).unwrap();
        assert_eq!(names(&snapshot), ["a.rs", "b.rs"]);
        assert!(snapshot.files.iter().all(|it| snapshot.read(it).is_ok()));
    }
    assert!(!marker.exists());
}

/// Each file of the git data in turn becomes garbage: whatever is said then, the working tree is still read.
#[test]
fn damaged_git_data_never_stops_the_scan() {
    let fixture = Fixture::with_git();
    fixture.write("a.rs", "1");
    fixture.write("src/b.rs", "2");
    fixture.commit("one");
    fixture.git(&["gc", "-q"]);
    fixture.write("src/b.rs", "3");
    fixture.commit("two");
    let mut files = Vec::new();
    let mut folders = vec![fixture.root.join(".git")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let is_folder = entry.file_type().unwrap().is_dir();
            if is_folder { folders.push(entry.path()) } else { files.push(entry.path()) }
        }
    }
    let garbage: Vec<u8> = (0..4096_u32).map(|it| (it.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for file in files {
        let original = std::fs::read(&file).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
        let half = original[..original.len() / 2].to_vec();
        for damage in [garbage.clone(), Vec::new(), half, vec![0; 100_000]] {
            std::fs::write(&file, damage).unwrap();
            let repository = fixture.open();
            assert_eq!(names(&worktree(&repository)), ["a.rs", "src/b.rs"], "{}", file.display());
            let _unknown = repository.resolve_base("HEAD~1");
            for view in [Some(View::Staged), repository.head().commit.map(View::Commit)].into_iter().flatten()
            {
                let snapshot = repository.snapshot(view, &options());
                let _contents: Option<Vec<_>> =
                    snapshot.ok().map(|it| it.files.iter().map(|file| it.read(file)).collect());
            }
        }
        std::fs::write(&file, original).unwrap();
    }
}

#[test]
fn a_damaged_list_of_cut_commits_hides_no_history() {
    let fixture = Fixture::with_git();
    fixture.write("a.rs", "1");
    let first = fixture.commit("one");
    fixture.commit("two");
    fixture.write(".git/shallow", "zz\n".repeat(1000));
    let repository = fixture.open();
    assert_eq!(repository.head().depth, Depth::Shallow);
    assert_eq!(repository.resolve_base("HEAD~1").unwrap().commit.to_string(), first);
}

#[test]
fn replaced_commits_are_read_as_they_are() {
    let fixture = Fixture::with_git();
    fixture.write("a.rs", "1");
    let real = fixture.commit("one");
    fixture.git(&["checkout", "-q", "--orphan", "other"]);
    fixture.write("b.rs", "2");
    let fake = fixture.commit("two");
    fixture.git(&["checkout", "-q", "main"]);
    fixture.git(&["replace", &real, &fake]);
    let repository = fixture.open();
    let commit = repository.head().commit.unwrap();
    assert_eq!(commit.to_string(), real);
    assert_eq!(names(&repository.snapshot(View::Commit(commit), &options()).unwrap()), ["a.rs"]);
}

#[test]
fn a_hostile_tree_stays_inside() {
    let fixture = Fixture::with_git();
    fixture.write("x", "hello\n");
    let blob = text(&fixture.git(&["hash-object", "-w", "x"]));
    let raw = bytes_of(&blob);
    let write_tree = |extra: &[u8]| {
        let mut tree = extra.to_vec();
        for name in ["", "..", ".git", ".GIT", "a/b", "ok.rs"] {
            tree.extend([b"100644 ", name.as_bytes(), b"\0", &raw].concat());
        }
        fixture.write("tree", tree);
        text(&fixture.git(&["hash-object", "--literally", "-t", "tree", "-w", "tree"]))
    };
    let inner = bytes_of(&write_tree(b""));
    let id = write_tree(&[b"40000 sub\0".as_slice(), &inner].concat());
    let commit = text(&fixture.git(&["commit-tree", "-m", "x", &id]));
    fixture.git(&["update-ref", "refs/heads/main", &commit]);
    let repository = fixture.open();
    let snapshot = repository.snapshot(View::Commit(repository.head().commit.unwrap()), &options()).unwrap();
    assert_eq!(names(&snapshot), ["ok.rs", "sub/ok.rs"]);
    assert_eq!((snapshot.skipped.len(), notes(&snapshot)), (0, vec!["git_path_refused"]));
}

fn bytes_of(hexadecimal: &str) -> Vec<u8> {
    (0..20).map(|it| u8::from_str_radix(&hexadecimal[it * 2..it * 2 + 2], 16).unwrap()).collect()
}

/// Paths that git would not add are written into the index over others of the same length.
#[test]
fn a_hostile_index_stays_inside() {
    let fixture = Fixture::with_git();
    for name in ["aa/up", "bbbb/hook", "/tmp-x".trim_start_matches('/'), "ok.rs"] {
        fixture.write(name, "1");
    }
    std::fs::write(fixture.outside().join("up"), "secret").unwrap();
    fixture.commit("one");
    let index = fixture.root.join(".git/index");
    let mut bytes = std::fs::read(&index).unwrap();
    for (from, to) in [("aa/up", "../up"), ("bbbb/hook", ".git/hook"), ("tmp-x", "/tmp/")] {
        let at = bytes.windows(from.len()).position(|it| it == from.as_bytes()).unwrap();
        bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
    }
    let (body, _) = bytes.split_last_chunk::<20>().unwrap();
    let sealed = [body, &sha1::Sha1::digest(body)].concat();
    std::fs::write(&index, sealed).unwrap();
    let repository = fixture.open();
    let staged = repository.snapshot(View::Staged, &options()).unwrap();
    assert_eq!((names(&staged), notes(&staged)), (vec!["ok.rs".to_owned()], vec!["git_path_refused"]));
    assert_eq!(names(&worktree(&repository)), ["aa/up", "bbbb/hook", "ok.rs", "tmp-x"]);
}

#[test]
fn a_missing_path_says_so() {
    let fixture = Fixture::new();
    let error = Repository::discover(&fixture.root.join("nowhere")).err().unwrap().to_string();
    assert!(error.starts_with("there is nothing at `") && error.ends_with("name an existing folder or file"));
}
