//! What a question leaves for the next one: it saves work and never changes an answer.

use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

use super::fixture::Repo;

const FILES: &[(&str, &str)] = &[
    ("a.py", "def price():\n    return 1\n"),
    ("b.py", "from a import price\n\n\ndef total():\n    return price()\n"),
    ("c.py", "from b import total\n\n\ndef bill():\n    return total()\n"),
    ("tests/test_c.py", "from c import bill\n\n\ndef test_bill():\n    assert bill() == 1\n"),
    ("bad.py", "\u{0}"),
];

fn kept(repo: &Repo, name: &str) -> Option<String> {
    let folders = std::fs::read_dir(PathBuf::from(repo.beside("state/cortex/graphs"))).ok()?;
    let mut places = folders.flatten().map(|it| it.path().join(name));
    places.find(|it| it.exists()).map(|it| it.to_str().unwrap().to_owned())
}

/// The answers to the same questions in another copy of the repository's files, where nothing was asked before.
fn answers(repo: &Repo) -> Vec<String> {
    let questions: [&[&str]; 4] = [
        &["impact", "--json"],
        &["impact", "--symbol", "price", "--json"],
        &["graph", "edges", "--json"],
        &["symbol", "total", "--json"],
    ];
    questions.iter().map(|it| repo.cortex(it).ends(0).stdout).collect()
}

/// Ages the files, so that git knows from its index alone what they hold.
fn settle(repo: &Repo) {
    for name in repo.git(&["ls-files"]).lines() {
        let file = std::fs::File::open(repo.root.join(name)).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_secs(1_600_000_000)).unwrap();
    }
    // An index as young as the change of a file's state leaves open which was first.
    std::thread::sleep(Duration::from_millis(50));
    repo.git(&["update-index", "--refresh"]);
}

fn forget(repo: &Repo) {
    let folder = PathBuf::from(repo.beside("state/cortex/graphs"));
    if folder.exists() {
        std::fs::remove_dir_all(folder).unwrap();
    }
}

/// What is answered with what is kept now; the same as with nothing kept.
fn same(repo: &Repo) -> Vec<String> {
    let warm = answers(repo);
    assert_eq!(answers(repo), warm);
    forget(repo);
    assert_eq!(answers(repo), warm);
    warm
}

#[test]
fn an_answer_is_the_same_with_something_kept_and_without() {
    let repo = Repo::with(FILES);
    settle(&repo);
    let first = same(&repo);
    assert!(first[1].contains("python:tests/test_c.py#test_bill"), "{}", first[1]);

    repo.write("a.py", "def price():\n    return 2\n");
    let edited = same(&repo);
    assert!(edited[0].contains("python:b.py#total"), "{}", edited[0]);

    // The same names in another file, and one that calls no more.
    repo.write("b.py", "def total():\n    return 1\n");
    repo.git(&["mv", "c.py", "d.py"]);
    let moved = same(&repo);
    assert!(!moved[1].contains("python:b.py#total"), "{}", moved[1]);
}

#[test]
fn what_is_kept_is_used_while_the_files_stay_and_made_anew_after() {
    let repo = Repo::with(FILES);
    settle(&repo);
    let ask = || repo.cortex(&["impact", "--symbol", "price", "--json"]).ends(0).stdout;
    let first = ask();
    let graph = kept(&repo, "graph").expect("a graph is kept");
    let bytes = std::fs::read(&graph).unwrap();
    // One that says of another repository what it says of this one: only what is kept can give that answer.
    let other = Repo::with(&[("a.py", "def price():\n    return 1\n")]);
    settle(&other);
    other.cortex(&["impact", "--symbol", "price", "--json"]).ends(0);
    assert_ne!(std::fs::read(kept(&other, "graph").unwrap()).unwrap(), bytes);
    repo.write(&graph, std::fs::read(kept(&other, "graph").unwrap()).unwrap());
    assert_eq!(ask(), first, "a graph of other files is not believed");

    let outlines = kept(&repo, "outlines").unwrap();
    for (name, content) in [(&graph, &b"damaged"[..]), (&outlines, b"")] {
        repo.write(name, content);
    }
    assert_eq!(ask(), first, "what is damaged is made again");
    assert_eq!(std::fs::read(&graph).unwrap(), bytes);
    repo.write(&outlines, b"");
    assert_eq!(ask(), first);
    assert_eq!(std::fs::read(&outlines).unwrap(), b"", "with the graph at hand, no outline is asked for");
}

#[test]
fn a_state_folder_that_cannot_be_written_costs_nothing_but_time() {
    let repo = Repo::with(FILES);
    repo.write(&repo.beside("state"), "a file in its place");
    let ask = || repo.cortex(&["impact", "--symbol", "price", "--json"]).ends(0).stdout;
    assert_eq!(ask(), ask());
}
