//! What changed, compared with what `git diff` says.

use std::os::unix::fs::PermissionsExt as _;

use super::fixture::{Fixture, notes, options, path, records, worktree};
use crate::repo::{Alteration, Change, HeadFile, Snapshot, View, changes};

fn named(snapshot: &Snapshot<'_>) -> Vec<HeadFile> {
    let name = |file| HeadFile {
        path: crate::repo::File::clone(file).path,
        mode: file.mode,
        blob: snapshot.read(file).unwrap().blob,
    };
    snapshot.files.iter().map(name).collect()
}

/// As `git diff --name-status -z` writes it, without the percentage.
fn status(change: &Change) -> Vec<String> {
    let path = change.path.to_string();
    match &change.kind {
        Alteration::Added => vec!["A".to_owned(), path],
        Alteration::Removed => vec!["D".to_owned(), path],
        Alteration::Modified | Alteration::ModeOnly => vec!["M".to_owned(), path],
        Alteration::Renamed { from, .. } => vec!["R".to_owned(), from.to_string(), path],
    }
}

fn lines(seed: &str, count: usize) -> String {
    (0..count).map(|it| format!("{seed} line {it} {}\n", it * 7919 % 101)).collect()
}

#[test]
fn changes_are_those_of_git() {
    let fixture = Fixture::with_git();
    for name in ["same.rs", "edited.rs", "gone.rs", "moved.rs", "mode.sh", "recast.rs", "rewritten.rs"] {
        fixture.write(name, lines(name, 40));
    }
    fixture.write("empty1.rs", "");
    fixture.write("p/y.rs", "twin\n");
    fixture.write("q/x.rs", "twin\n");
    fixture.write("third.rs", lines("third.rs", 30));
    fixture.commit("one");
    fixture.write("edited.rs", lines("edited.rs", 41));
    fixture.git(&["mv", "moved.rs", "there.rs"]);
    std::fs::remove_file(fixture.root.join("gone.rs")).unwrap();
    std::fs::set_permissions(fixture.root.join("mode.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
    fixture.git(&["rm", "-q", "recast.rs", "rewritten.rs"]);
    fixture.write("sub/recast.rs", lines("recast.rs", 45).replace("line 3 ", "LINE 3 "));
    fixture.write("sub/rewritten.rs", lines("quite", 10) + &lines("other", 40));
    std::fs::remove_file(fixture.root.join("empty1.rs")).unwrap();
    fixture.write("empty2.rs", "");
    fixture.write("new.rs", "fn new() {}\n");
    fixture.git(&["mv", "p/y.rs", "y.rs"]);
    fixture.git(&["mv", "q/x.rs", "x.rs"]);
    fixture.git(&["rm", "-q", "third.rs"]);
    fixture.write("sub/third.rs", lines("third.rs", 10) + &lines("unlike", 20));
    fixture.git(&["add", "-A", "-N"]);

    let repository = fixture.open();
    let base = repository.snapshot(View::Commit(repository.head().commit.unwrap()), &options()).unwrap();
    let head = worktree(&repository);
    let found = changes(&base, &head, &named(&head));
    assert!(found.notes.is_empty() && notes(&head).is_empty());

    let listed = fixture.git(&["diff", "--name-status", "-z", "-M", "HEAD"]);
    let mut expected = Vec::new();
    let mut fields = records(&listed).into_iter().map(|it| String::from_utf8(it).unwrap());
    while let Some(kind) = fields.next() {
        let kind = kind[..1].to_owned();
        let paths = if kind == "R" { 2 } else { 1 };
        expected.push(std::iter::once(kind).chain(fields.by_ref().take(paths)).collect::<Vec<_>>());
    }
    let mut ours: Vec<_> = found.changes.iter().map(status).collect();
    ours.sort();
    expected.sort();
    assert_eq!(ours, expected);
    assert!(found.changes.contains(&Change { path: path("mode.sh"), kind: Alteration::ModeOnly }));
}

#[test]
fn a_file_that_one_side_leaves_out_is_not_removed() {
    let fixture = Fixture::with_git();
    fixture.write("grows.rs", "small");
    fixture.commit("one");
    fixture.write("grows.rs", "x".repeat(2 << 20));
    let repository = fixture.open();
    let base = repository.snapshot(View::Commit(repository.head().commit.unwrap()), &options()).unwrap();
    let head = worktree(&repository);
    assert_eq!(changes(&base, &head, &named(&head)).changes, []);
    let unread = repository.snapshot(View::Staged, &options()).unwrap();
    assert_eq!(changes(&base, &unread, &[]).changes, [], "a listed file without a name was not readable");
}

#[test]
fn many_unlike_files_are_cut_with_a_note() {
    let fixture = Fixture::with_git();
    for it in 0..300 {
        fixture.write(format!("old{it}.rs"), lines(&format!("old {it}"), 30));
    }
    fixture.commit("one");
    for it in 0..300 {
        std::fs::remove_file(fixture.root.join(format!("old{it}.rs"))).unwrap();
        fixture.write(format!("new{it}.rs"), lines(&format!("new {it}"), 30));
    }
    let repository = fixture.open();
    let base = repository.snapshot(View::Commit(repository.head().commit.unwrap()), &options()).unwrap();
    let head = worktree(&repository);
    let found = changes(&base, &head, &named(&head));
    assert_eq!(found.changes.len(), 600);
    assert_eq!(found.notes.len(), 1);
}
