//! All files or none, whatever stands in the way.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::super::replace::{Replacement, replace_all};
use super::super::root::Root;
use crate::model::{Digest, RepoPath};

struct Tree {
    keep: TempDir,
    root: PathBuf,
}

impl Tree {
    /// `a.ts`, `s/b.ts` and `s/c.ts`, each holding its own name.
    fn new() -> Self {
        let keep = TempDir::new().unwrap();
        let root = keep.path().canonicalize().unwrap().join("root");
        std::fs::create_dir_all(root.join("s")).unwrap();
        let tree = Self { keep, root };
        for name in ["a.ts", "s/b.ts", "s/c.ts"] {
            tree.write(name, name);
        }
        tree
    }

    fn write(&self, name: &str, content: &str) {
        std::fs::write(self.root.join(name), content).unwrap();
    }

    fn replace(&self, names: &[&str]) -> Result<(), String> {
        let root = Root::open(&self.root).unwrap();
        let files: Vec<_> = names
            .iter()
            .map(|name| Replacement {
                path: RepoPath::new(name.as_bytes()).unwrap(),
                before: Digest::of(name.as_bytes()),
                content: format!("new {name}").into_bytes(),
            })
            .collect();
        replace_all(&root, &files).map_err(|error| error.to_string())
    }

    /// Every file with its content, so that a left-over is seen too.
    fn state(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut folders = vec![self.keep.path().canonicalize().unwrap()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().flatten() {
                if entry.file_type().unwrap().is_dir() {
                    folders.push(entry.path());
                } else {
                    let content = std::fs::read_to_string(entry.path()).unwrap_or_default();
                    let name =
                        entry.path().strip_prefix(self.keep.path()).map_or(entry.path(), Path::to_owned);
                    found.push((name.display().to_string(), content));
                }
            }
        }
        found.sort();
        found
    }
}

const ALL: [&str; 3] = ["a.ts", "s/b.ts", "s/c.ts"];

#[test]
fn all_files_are_replaced_with_their_modes() {
    let tree = Tree::new();
    for (name, mode) in ALL.iter().zip([0o755, 0o600, 0o444]) {
        std::fs::set_permissions(tree.root.join(name), std::fs::Permissions::from_mode(mode)).unwrap();
    }
    tree.replace(&ALL).unwrap();
    for (name, mode) in ALL.iter().zip([0o755, 0o600, 0o444]) {
        assert_eq!(std::fs::read_to_string(tree.root.join(name)).unwrap(), format!("new {name}"));
        assert_eq!(tree.root.join(name).metadata().unwrap().mode() & 0o7777, mode);
    }
    assert_eq!(tree.state().len(), 3);
}

#[test]
fn one_bad_file_leaves_all_as_they_were() {
    type Spoil = fn(&Tree);
    let cases: [(&str, Spoil, &str); 6] = [
        ("edited", |tree| tree.write("s/b.ts", "edited"), "cannot replace `s/b.ts`: it changed since"),
        (
            "gone",
            |tree| std::fs::remove_file(tree.root.join("s/b.ts")).unwrap(),
            "cannot replace `s/b.ts`: there is no such file",
        ),
        (
            "linked",
            |tree| std::fs::hard_link(tree.root.join("s/b.ts"), tree.root.join("../b")).unwrap(),
            "cannot replace `s/b.ts`: it has 2 names",
        ),
        (
            "link",
            |tree| {
                std::fs::rename(tree.root.join("s/b.ts"), tree.root.join("../b.ts")).unwrap();
                symlink("../../b.ts", tree.root.join("s/b.ts")).unwrap();
            },
            "cannot replace `s/b.ts`: it is a symbolic link",
        ),
        (
            "folder link",
            |tree| {
                std::fs::rename(tree.root.join("s"), tree.root.join("../s")).unwrap();
                symlink("../s", tree.root.join("s")).unwrap();
            },
            "cannot replace `s/b.ts`: it is a symbolic link",
        ),
        (
            "fifo",
            |tree| {
                let path = tree.root.join("s/b.ts");
                std::fs::remove_file(&path).unwrap();
                let mode = rustix::fs::Mode::from_raw_mode(0o644);
                rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, mode, 0).unwrap();
            },
            "cannot replace `s/b.ts`: it is neither",
        ),
    ];
    for (what, spoil, expected) in cases {
        let tree = Tree::new();
        spoil(&tree);
        let names = |tree: &Tree| {
            if what == "fifo" {
                std::fs::remove_file(tree.root.join("s/b.ts")).unwrap();
            }
            tree.state()
        };
        let before = if what == "fifo" { Vec::new() } else { tree.state() };
        let error = tree.replace(&ALL).unwrap_err();
        assert!(error.starts_with(expected), "{what}: {error}");
        let after = names(&tree);
        if what == "fifo" {
            assert_eq!(after.iter().map(|it| it.1.as_str()).collect::<Vec<_>>(), ["a.ts", "s/c.ts"]);
        } else {
            assert_eq!(after, before, "{what}");
        }
    }
}

#[test]
fn protected_and_repeated_files_are_refused() {
    let tree = Tree::new();
    for name in [".git/config", ".github/workflows/a.yml", "s/.GIT/config"] {
        let error = tree.replace(&[name]).unwrap_err();
        assert!(error.contains("are left alone"), "{error}");
    }
    assert_eq!(tree.replace(&["a.ts", "a.ts"]).unwrap_err(), "`a.ts` is named twice");
}

/// Other writers edit the files all the time: every edit is either kept or was made before the verification.
#[test]
fn an_edit_that_slips_in_is_not_lost() {
    for round in 0..50 {
        let tree = Tree::new();
        let path = tree.root.join("s/b.ts");
        let edit = tree.root.join("edit");
        std::fs::write(&edit, "edited").unwrap();
        std::thread::scope(|scope| {
            let editor = scope.spawn(|| {
                for _ in 0..round * 200 {
                    std::hint::spin_loop();
                }
                std::fs::rename(&edit, &path).unwrap();
            });
            let replaced = tree.replace(&ALL);
            editor.join().unwrap();
            let content = std::fs::read_to_string(&path).unwrap();
            assert_eq!(content, "edited", "the edit came after or made the replacement fail: {replaced:?}");
            let other = std::fs::read_to_string(tree.root.join("a.ts")).unwrap();
            assert_eq!(other == "new a.ts", replaced.is_ok());
        });
        assert_eq!(tree.state().len(), 3);
    }
}
