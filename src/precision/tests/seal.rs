//! What a seal proves, and what it does not.

use std::time::Duration;

use super::data::{Project, document, metadata, occurrence};
use crate::model::{LayerState, Point};
use crate::precision::{Before, Freshness, Index, IndexFile, Library, Question, Seal, open};

fn project() -> Project {
    Project::with(&[
        ("a.ts", b"one\n"),
        ("b.ts", b"one two\n"),
        ("tsconfig.json", b"{}\n"),
        ("left_out.ts", b"x\n"),
    ])
}

fn bytes() -> Vec<u8> {
    let a = document("a.ts", &[occurrence([0, 0, 3], "s npm p 1 `a.ts`/one.", 1)]);
    let b = document("b.ts", &[occurrence([0, 0, 3], "s npm p 1 `a.ts`/one.", 0)]);
    [metadata("scip-typescript", "0.4.0"), a, b].concat()
}

/// A sealed project and its index.
fn sealed() -> (Project, IndexFile) {
    let project = project();
    let file = project.index(&bytes());
    let index = Index::parse(&file.bytes).unwrap();
    let seal = Seal::make(&project.repository, &index, &file.bytes, &Before::of_index(&file)).unwrap();
    assert_eq!(seal.raced(), 0);
    project.write("index.scip.manifest.json", &serde_json::to_vec(&seal).unwrap());
    // From here on times say nothing: the index is older than everything.
    project.set_time_back("index.scip");
    let file = open(&project.path("index.scip")).unwrap();
    let index = Index::parse(&file.bytes).unwrap();
    assert_eq!(Freshness::settle(&project.repository, &index, &file).stale(), 0);
    (project, file)
}

/// The state by the file system, whether the definition of what stands in `b.ts` is exact, and the state after that.
fn judged(project: &Project, file: &IndexFile) -> (&'static str, bool, &'static str) {
    let index = Index::parse(&file.bytes).unwrap();
    let mut freshness = project.freshness(&index, file);
    let before = freshness.state(&index.documents).name();
    let library = Library { root: project.root(), index: &index, freshness: &freshness };
    let answer = library.at(Question::Definition, &"b.ts".parse().unwrap(), Point { line: 1, column: 1 });
    freshness.learn(&answer.read);
    let exact = answer.results.iter().all(|it| it.is_exact());
    assert_eq!(answer.results.len(), 1);
    (before, exact, freshness.state(&index.documents).name())
}

#[track_caller]
fn check(change: impl FnOnce(&Project), expected: (&str, bool, &str)) {
    let (project, file) = sealed();
    change(&project);
    assert_eq!(judged(&project, &file), expected);
}

#[test]
fn a_sealed_file_is_current_by_its_state_and_else_by_its_content() {
    check(|_| {}, ("available", true, "available"));
    check(|it| it.set_time("b.ts", Duration::ZERO), ("stale", true, "available"));
    check(|it| it.write("b.ts", b"one twi\n"), ("stale", false, "stale"));
    check(|it| it.write("b.ts", b"one\n"), ("stale", false, "stale"));
    check(|it| it.write("a.ts", b"two\n"), ("stale", false, "stale"));
}

#[test]
fn what_an_indexer_would_find_depends_on_more_than_its_documents() {
    check(|it| it.write("tsconfig.json", b"{ }\n"), ("stale", false, "stale"));
    check(|it| it.write("lib/package.json", b"{}\n"), ("stale", false, "stale"));
    check(|it| std::fs::remove_file(it.path("tsconfig.json")).unwrap(), ("stale", false, "stale"));
    check(|it| it.write("new.ts", b""), ("stale", false, "stale"));
    check(|it| it.write("left_out.ts", b"y\n"), ("available", true, "available"));
    check(|it| it.write("notes.md", b"y\n"), ("available", true, "available"));
}

#[test]
fn a_seal_of_another_index_proves_nothing() {
    let (project, file) = sealed();
    let forged = IndexFile { seal: Some(b"{}".to_vec()), ..file };
    assert_eq!(judged(&project, &forged), ("stale", false, "stale"));
    let (project, file) = sealed();
    let other = [file.bytes.clone(), document("left_out.ts", &[])].concat();
    assert_eq!(judged(&project, &IndexFile { bytes: other, ..file }), ("stale", false, "stale"));
}

#[test]
fn a_file_that_is_not_older_than_the_index_is_sealed_as_never_current() {
    let project = project();
    let file = project.index(&bytes());
    project.set_time("b.ts", Duration::from_secs(7200));
    let index = Index::parse(&file.bytes).unwrap();
    let seal = Seal::make(&project.repository, &index, &file.bytes, &Before::of_index(&file)).unwrap();
    assert_eq!(seal.raced(), 1);
    project.write("index.scip.manifest.json", &serde_json::to_vec(&seal).unwrap());
    let file = open(&project.path("index.scip")).unwrap();
    let index = Index::parse(&file.bytes).unwrap();
    let state = project.freshness(&index, &file).state(&index.documents);
    assert!(matches!(state, LayerState::Stale { .. }));
}
