//! What an answer says over small projects written here.

use std::time::Duration;

use super::data::{Project, document, field, information, metadata, occurrence};
use crate::model::{Evidence, LayerState, Point, Tier};
use crate::precision::{Answer, Index, Library, Question};

const SHAPE: &str = "scip-typescript npm p 1 `a.ts`/Shape#";
const CIRCLE: &str = "scip-typescript npm p 1 `a.ts`/Circle#";
const RING: &str = "scip-typescript npm p 1 `a.ts`/Ring#";

fn project() -> Project {
    Project::with(&[("a.ts", b"Shape\nCircle Shape\nRing Circle\nx x\n"), ("b.ts", b"x Shape Shape\n")])
}

fn index(tool: &str) -> Vec<u8> {
    let a = document(
        "a.ts",
        &[
            // The module itself: an empty range at the start.
            occurrence([0, 0, 0], "scip-typescript npm p 1 `a.ts`/", 1),
            occurrence([0, 0, 5], SHAPE, 1),
            occurrence([1, 0, 6], CIRCLE, 1),
            occurrence([1, 7, 12], SHAPE, 0),
            occurrence([2, 0, 4], RING, 1),
            occurrence([2, 5, 11], CIRCLE, 0),
            occurrence([3, 0, 1], "local 0", 1),
            occurrence([3, 2, 3], "local 0", 0),
            // What implements goes in a ring.
            information(CIRCLE, &[(SHAPE, 3)]),
            information(RING, &[(CIRCLE, 3)]),
            information(SHAPE, &[(RING, 3)]),
        ],
    );
    let b = document(
        "b.ts",
        &[
            occurrence([0, 0, 1], "local 0", 0),
            occurrence([0, 2, 7], SHAPE, 2),
            occurrence([0, 8, 13], SHAPE, 0),
            occurrence([0, 8, 13], "scip-typescript npm p 1 `b.ts`/same.", 0),
        ],
    );
    [metadata(tool, "0.4.0"), a, b].concat()
}

/// One line for a result.
fn shown(it: &Evidence) -> String {
    let stale = if it.is_stale() { " stale" } else { "" };
    format!("{}:{} {} {}{stale}", it.place.path, it.place.span.start, it.message.as_str(), it.tier().name())
}

fn shown_place(it: &Evidence) -> String {
    format!("{}:{}", it.place.path, it.place.span.start)
}

/// The answer at a position, and the state of the layer after it.
fn ask(
    project: &Project,
    bytes: &[u8],
    question: Question,
    path: &str,
    at: (u32, u32),
) -> (Answer, LayerState) {
    let file = project.index(bytes);
    asked(project, &file, question, path, at)
}

fn asked(
    project: &Project,
    file: &crate::precision::IndexFile,
    question: Question,
    path: &str,
    (line, column): (u32, u32),
) -> (Answer, LayerState) {
    let index = Index::parse(&file.bytes).unwrap();
    let mut freshness = project.freshness(&index, file);
    let library = Library { root: project.root(), index: &index, freshness: &freshness };
    let answer = library.at(question, &path.parse().unwrap(), Point { line, column });
    freshness.learn(&answer.read);
    let state = freshness.state(&index.documents);
    (answer, state)
}

#[track_caller]
fn check(question: Question, path: &str, at: (u32, u32), expected: &[&str]) {
    let (answer, state) = ask(&project(), &index("scip-typescript"), question, path, at);
    let found: Vec<String> = answer.results.iter().map(shown).collect();
    assert_eq!(found, expected, "{:?}", answer.gap);
    assert_eq!(state, LayerState::Available);
}

#[track_caller]
fn gap(question: Question, path: &str, at: (u32, u32), code: &str) {
    let (answer, _) = ask(&project(), &index("scip-typescript"), question, path, at);
    assert_eq!((answer.results.len(), answer.gap.unwrap().code.as_str()), (0, code));
}

#[test]
fn a_definition_and_its_references_are_found_by_identity() {
    let definition = &["a.ts:1:1 definition of a.ts.Shape near_exact"];
    check(Question::Definition, "b.ts", (1, 5), definition);
    check(Question::Definition, "a.ts", (1, 1), definition);
    check(
        Question::References,
        "a.ts",
        (1, 3),
        &[
            "a.ts:2:8 reference to a.ts.Shape near_exact",
            "b.ts:1:3 import of a.ts.Shape near_exact",
            "b.ts:1:9 reference to a.ts.Shape near_exact",
        ],
    );
}

#[test]
fn a_caret_at_the_end_of_a_name_belongs_to_what_follows() {
    check(Question::Definition, "b.ts", (1, 7), &["a.ts:1:1 definition of a.ts.Shape near_exact"]);
    gap(Question::Definition, "b.ts", (1, 8), "no_symbol_here");
    gap(Question::Definition, "b.ts", (9, 9), "no_symbol_here");
    gap(Question::Definition, "c.ts", (1, 1), "not_in_index");
}

#[test]
fn a_local_symbol_means_something_in_its_document_only() {
    check(Question::Definition, "a.ts", (4, 3), &["a.ts:4:1 definition of local 0 near_exact"]);
    check(Question::References, "a.ts", (4, 1), &["a.ts:4:3 reference to local 0 near_exact"]);
    gap(Question::Definition, "b.ts", (1, 1), "local_unresolved");
    let (answer, _) = ask(&project(), &index("scip-typescript"), Question::Definition, "a.ts", (4, 3));
    assert_eq!(answer.symbol.unwrap().as_str(), "a.ts#local 0");
}

#[test]
fn implementations_are_followed_to_the_end_and_a_ring_ends() {
    check(
        Question::Implementations,
        "a.ts",
        (1, 1),
        &[
            "a.ts:2:1 implementation by a.ts.Circle near_exact",
            "a.ts:3:1 implementation by a.ts.Ring near_exact",
        ],
    );
    let bare =
        [metadata("scip-typescript", "0.4.0"), document("a.ts", &[occurrence([0, 0, 5], SHAPE, 1)])].concat();
    let (answer, _) = ask(&project(), &bare, Question::Implementations, "a.ts", (1, 1));
    assert_eq!(answer.gap.unwrap().code, "no_implementation_data");
}

#[test]
fn a_symbol_is_found_by_its_name_its_tail_and_its_text() {
    let (project, bytes) = (project(), index("scip-typescript"));
    let file = project.index(&bytes);
    let index = Index::parse(&file.bytes).unwrap();
    let freshness = project.freshness(&index, &file);
    let library = Library { root: project.root(), index: &index, freshness: &freshness };
    for name in ["Circle", CIRCLE] {
        let answer = library.named(name);
        assert_eq!(
            answer.results.iter().map(shown).collect::<Vec<_>>(),
            ["a.ts:2:1 definition of a.ts.Circle near_exact"]
        );
        assert_eq!(answer.symbol.unwrap().as_str(), CIRCLE);
    }
    assert_eq!(library.named("ircle").gap.unwrap().code, "no_symbol_of_that_name");
    assert_eq!(library.named(".").gap.unwrap().code, "no_symbol_of_that_name");
}

/// ty-scip binds what an import brings to a local symbol that it shows by the imported name.
#[test]
fn a_local_symbol_shown_by_a_name_is_that_of_its_document_only() {
    let project = project();
    let shown = |symbol: &str, name: &str| {
        field(3, &[field(1, symbol.as_bytes()), field(6, name.as_bytes())].concat())
    };
    let a = [occurrence([2, 0, 4], RING, 1), occurrence([3, 0, 1], "local 0", 1), shown("local 0", "y")];
    let b = [occurrence([0, 0, 1], "local 0", 3), shown("local 0", "Ring")];
    let bytes = [metadata("scip-typescript", "0.4.0"), document("a.ts", &a), document("b.ts", &b)].concat();
    let file = project.index(&bytes);
    let index = Index::parse(&file.bytes).unwrap();
    let freshness = project.freshness(&index, &file);
    let library = Library { root: project.root(), index: &index, freshness: &freshness };
    let named = |name: &str| library.named(name).results.iter().map(shown_place).collect::<Vec<_>>();
    assert_eq!(named("Ring"), ["a.ts:3:1"]);
    assert_eq!(named("y"), ["a.ts:4:1"]);
}

#[test]
fn what_rests_on_a_file_that_is_newer_than_the_index_is_stale() {
    let project = project();
    let file = project.index(&index("scip-typescript"));
    project.set_time("b.ts", Duration::from_secs(3600 * 2));
    let (answer, state) = asked(&project, &file, Question::References, "a.ts", (1, 1));
    let found: Vec<String> = answer.results.iter().map(shown).collect();
    let expected = [
        "a.ts:2:8 reference to a.ts.Shape near_exact",
        "b.ts:1:3 import of a.ts.Shape inferred_high stale",
        "b.ts:1:9 reference to a.ts.Shape inferred_high stale",
    ];
    assert_eq!(found, expected);
    assert_eq!(state.name(), "stale");
    // Both ends must be current: from the changed file, nothing is.
    let (answer, _) = asked(&project, &file, Question::Definition, "b.ts", (1, 9));
    assert!(answer.results.iter().all(Evidence::is_stale) && answer.results.len() == 1);
}

/// A clone gives an index and its sources one time.
#[test]
fn a_file_as_old_as_the_index_is_not_proven_current() {
    let project = project();
    let mut file = project.index(&index("scip-typescript"));
    let stat = project.root().stat(&"a.ts".parse().unwrap()).unwrap();
    file.stat.mtime_ns = stat.ctime_ns;
    let (answer, _) = asked(&project, &file, Question::Definition, "a.ts", (1, 1));
    assert!(answer.results[0].is_stale());
    file.stat.mtime_ns = stat.ctime_ns + 1_000_000_000;
    file.stat.ctime_ns = stat.ctime_ns;
    let (answer, _) = asked(&project, &file, Question::Definition, "a.ts", (1, 1));
    assert!(answer.results[0].is_stale());
    file.stat.ctime_ns = stat.ctime_ns + 1;
    let (answer, _) = asked(&project, &file, Question::Definition, "a.ts", (1, 1));
    assert!(!answer.results[0].is_stale() && !answer.results[0].is_exact());
}

/// `touch` and `mv` bring an old modification time back, not the change time.
#[test]
fn a_modification_time_alone_proves_nothing() {
    let project = project();
    let mut file = project.index(&index("scip-typescript"));
    project.set_time_back("a.ts");
    let stat = project.root().stat(&"a.ts".parse().unwrap()).unwrap();
    file.stat.mtime_ns = stat.ctime_ns;
    let (answer, _) = asked(&project, &file, Question::Definition, "a.ts", (1, 1));
    assert!(stat.mtime_ns < file.stat.mtime_ns && answer.results[0].is_stale());
}

/// By its times the file is current: only its text tells.
#[test]
fn a_text_whose_words_are_cut_is_stale() {
    for (text, expected) in
        [("x Shape Shape\n", false), ("xxShape Shape\n", true), ("x Shape Shapes\n", true)]
    {
        let project = project();
        project.write("b.ts", text.as_bytes());
        let (answer, state) = ask(&project, &index("scip-typescript"), Question::Definition, "b.ts", (1, 4));
        assert_eq!(answer.results[0].is_stale(), expected, "{text}");
        assert_eq!(state.name(), if expected { "stale" } else { "available" });
    }
}

/// The file keeps its old modification time, and what it holds is something else.
#[test]
fn the_change_time_and_the_text_are_witnesses() {
    let project = project();
    let file = project.index(&index("scip-typescript"));
    project.write("a.ts", b"\nShape\nCircle Shape\nRing Circle\nx x\n");
    project.set_time("a.ts", Duration::ZERO);
    let (answer, state) = asked(&project, &file, Question::References, "b.ts", (1, 9));
    assert!(answer.results.iter().all(Evidence::is_stale));
    assert_eq!(state.name(), "stale");
    std::fs::remove_file(project.path("a.ts")).unwrap();
    let (answer, _) = asked(&project, &file, Question::Definition, "b.ts", (1, 9));
    assert_eq!(
        answer.results.iter().map(shown).collect::<Vec<_>>(),
        ["a.ts:1:1 definition of a.ts.Shape inferred_high stale"]
    );
}

#[test]
fn an_unknown_tool_is_never_exact() {
    let (answer, _) = ask(&project(), &index("my-indexer"), Question::Definition, "b.ts", (1, 3));
    assert_eq!(answer.results[0].tier(), Tier::NearExact);
}

/// Two projects that share a file each have a global symbol for what it defines.
#[test]
fn copies_of_a_document_call_one_definition_by_two_names() {
    let (one, two) = ("s npm a 1 `a.ts`/Shape#", "s npm b 1 `a.ts`/Shape#");
    let index = [
        metadata("scip-typescript", "0.4.0"),
        document("a.ts", &[occurrence([0, 0, 5], one, 1)]),
        document("a.ts", &[occurrence([0, 0, 5], two, 1)]),
        document("b.ts", &[occurrence([0, 2, 7], one, 0), occurrence([0, 8, 13], two, 0)]),
    ]
    .concat();
    let (answer, _) = ask(&project(), &index, Question::References, "a.ts", (1, 1));
    assert_eq!(answer.results.len(), 2);
    let (answer, _) = ask(&project(), &index, Question::Definition, "b.ts", (1, 9));
    assert_eq!(answer.results.len(), 1);
}
