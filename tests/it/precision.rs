//! A precision index beside real files, asked through the built program.
#![expect(clippy::disallowed_methods, reason = "a test sets the times that it is about")]

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use super::fixture::{Repo, git_in};

/// A field whose value is fewer than 128 bytes.
pub fn field(number: u8, value: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2, u8::try_from(value.len()).unwrap()], value].concat()
}

pub fn occurrence(range: [u8; 3], symbol: &str, roles: u8) -> Vec<u8> {
    field(2, &[field(1, &range), field(2, symbol.as_bytes()), vec![3 << 3, roles]].concat())
}

const WORK: &str = "scip-python python p 1 lib/work().";

fn index() -> Vec<u8> {
    let tool = field(2, &[field(1, b"scip-python"), field(2, b"0.6.6")].concat());
    let app =
        [field(1, b"app.py"), occurrence([0, 16, 20], WORK, 0), occurrence([2, 6, 10], WORK, 8)].concat();
    let lib = [field(1, b"lib.py"), occurrence([0, 4, 8], WORK, 1)].concat();
    [field(1, &tool), field(2, &app), field(2, &lib)].concat()
}

/// The call stands in column 6 in code points and behind 6 code units of UTF-16.
const APP: &str = "from lib import work\n\n'\u{1f600}', work()\n";

fn repo() -> Repo {
    Repo::with(&[("app.py", APP), ("lib.py", "def work():\n    pass\n")])
}

fn write_index(repo: &Repo) {
    write_after(repo, &["app.py", "lib.py"], &index());
}

/// Writes an index until the clock of the file system has gone on, so that it is newer than what it describes.
pub fn write_after(repo: &Repo, files: &[&str], index: &[u8]) {
    let changed = |path: &str| {
        let metadata = repo.root.join(path).metadata().unwrap();
        (metadata.ctime(), metadata.ctime_nsec())
    };
    let newest = files.iter().copied().map(changed).max();
    loop {
        repo.write("index.scip", index);
        if Some(changed("index.scip")) > newest {
            return;
        }
    }
}

fn set_time(path: &Path) {
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(3600)).unwrap();
}

/// State, code of the reason, and the places of the results with tier and staleness.
fn answer(repo: &Repo, arguments: &[&str]) -> Value {
    let answer = repo.cortex(&[arguments, &["--json"]].concat()).ends(0).json();
    let keys: Vec<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["reason", "results", "state", "symbol"]);
    let place = |it: &Value| {
        format!("{}:{}:{} {} {}", it["path"], it["start_line"], it["start_column"], it["trust"], it["stale"])
            .replace('"', "")
    };
    let results: Vec<String> = answer["results"].as_array().unwrap().iter().map(place).collect();
    json!([answer["state"], answer["reason"]["code"], results])
}

#[test]
fn an_index_answers_and_without_one_the_layer_is_unavailable() {
    let repo = repo();
    let ask = ["definition", "app.py", "3", "6"];
    let by_names = json!(["unavailable", "no_precision_index", ["lib.py:1:5 inferred_high false"]]);
    assert_eq!(answer(&repo, &ask), by_names);
    write_index(&repo);
    let by_times = json!(["available", "index_unsealed", ["lib.py:1:5 near_exact false"]]);
    assert_eq!(answer(&repo, &ask), by_times);
    repo.cortex(&["index", "seal"]).ends(0);
    assert_eq!(answer(&repo, &ask), json!(["available", null, ["lib.py:1:5 exact false"]]));
    let uses = json!(["available", null, ["app.py:1:17 exact false", "app.py:3:6 exact false"]]);
    assert_eq!(answer(&repo, &["references", "lib.py", "1", "5"]), uses);
    let none = json!(["available", "no_implementation_data", []]);
    assert_eq!(answer(&repo, &["implementations", "lib.py", "1", "5"]), none);
    let found = json!(["available", null, ["lib.py:1:5 exact false"]]);
    assert_eq!(answer(&repo, &["symbol", "lib.work"]), found);
    let text = repo.cortex(&ask).ends(0).stdout;
    assert_eq!(text, "lib.py:1:5: definition of lib.work [exact]\n");
    repo.cortex(&["definition", "app.py", "0", "6"]).ends(2);
    repo.cortex(&["definition", ".", "1", "6"]).fails(2, "path_unusable");
}

#[test]
fn a_changed_file_makes_its_answers_stale_and_a_broken_index_is_named() {
    let repo = repo();
    write_index(&repo);
    repo.write("lib.py", "\ndef work():\n    pass\n");
    set_time(&repo.root.join("lib.py"));
    let (named, old) = ("lib.py:2:5 inferred_high false", "lib.py:1:5 inferred_high true");
    let stale = json!(["stale", "index_stale", [named, old]]);
    assert_eq!(answer(&repo, &["definition", "app.py", "3", "6"]), stale);
    repo.write("index.scip", &index()[..40]);
    let cut = json!(["unavailable", "index_truncated", [named]]);
    assert_eq!(answer(&repo, &["definition", "app.py", "3", "6"]), cut);
    repo.write(".codecortex/config.json", r#"{"precision_index":{"path":"other.scip"}}"#);
    assert_eq!(
        answer(&repo, &["symbol", "work"]),
        json!(["unavailable", "index_missing", ["lib.py:2:5 structural false"]])
    );
    repo.write(".codecortex/config.json", r#"{"precision_index":{"enabled":false}}"#);
    assert_eq!(
        answer(&repo, &["symbol", "work"]),
        json!(["disabled", "precision_disabled", ["lib.py:2:5 structural false"]])
    );
}

/// A clone gives all files one time, which proves nothing; the git index vouches for their content.
#[test]
fn a_sealed_index_is_current_in_a_fresh_clone() {
    let repo = repo();
    write_index(&repo);
    set_time(&repo.root.join(".git/index"));
    let written = repo.cortex(&["index", "seal"]).ends(0).stdout;
    assert_eq!(written, "written: index.scip.manifest.json (2 documents)\n");
    repo.commit();
    let place = repo.beside("clone");
    git_in(&repo.root, &["clone", "-q", ".", &place]);
    set_time(&Path::new(&place).join(".git/index"));
    let mut clone = Repo::bare_folder();
    clone.root = place.into();
    let ask = ["definition", "app.py", "3", "6"];
    assert_eq!(answer(&clone, &ask), json!(["available", null, ["lib.py:1:5 exact false"]]));
    let status = clone.cortex(&["precision-status", "--json"]).ends(0).json();
    assert_eq!((&status["state"], &status["index"]["indexer"]), (&json!("available"), &json!("scip-python")));
    let counts = (&status["index"]["stale_documents"], &status["index"]["hashed_files"]);
    assert_eq!(counts, (&json!(0), &json!(0)), "nothing had to be hashed");
    clone.write("lib.py", "def play():\n    pass\n");
    assert_eq!(answer(&clone, &ask), json!(["stale", "index_stale", ["lib.py:1:5 inferred_high true"]]));
    std::fs::remove_file(clone.root.join("index.scip.manifest.json")).unwrap();
    std::os::unix::fs::symlink("/nowhere", clone.root.join("index.scip.manifest.json")).unwrap();
    clone.cortex(&["index", "seal"]).fails(3, "seal_unwritten");
}

/// What was checked out within one tick of the clock is no proof; a question compares a few such files itself.
#[test]
fn a_clone_that_is_asked_at_once_is_current() {
    let repo = repo();
    repo.write("pyproject.toml", "[project]\nname = \"p\"\n");
    write_after(&repo, &["app.py", "lib.py", "pyproject.toml"], &index());
    repo.cortex(&["index", "seal"]).ends(0);
    repo.commit();
    let place = repo.beside("clone");
    git_in(&repo.root, &["clone", "-q", ".", &place]);
    let mut clone = Repo::bare_folder();
    clone.root = place.into();
    let ask = ["definition", "app.py", "3", "6"];
    assert_eq!(answer(&clone, &ask), json!(["available", null, ["lib.py:1:5 exact false"]]));
}

/// That there is something in the place of the seal is not the same as that there is none.
#[test]
fn a_seal_that_cannot_be_read_is_none_of_this_index() {
    let repo = repo();
    write_index(&repo);
    std::fs::create_dir(repo.root.join("index.scip.manifest.json")).unwrap();
    let named = "lib.py:1:5 inferred_high false";
    assert_eq!(answer(&repo, &["definition", "app.py", "3", "6"]), json!(["stale", "index_stale", [named]]));
}

/// A file of another ending that the same indexer would read.
#[test]
fn a_new_file_of_a_kindred_ending_makes_a_sealed_index_stale() {
    let repo = repo();
    write_index(&repo);
    repo.cortex(&["index", "seal"]).ends(0);
    repo.write("notes.txt", "");
    assert_eq!(answer(&repo, &["symbol", "lib.work"])[0], "available");
    repo.write("more.pyi", "");
    assert_eq!(answer(&repo, &["symbol", "lib.work"])[0], "stale");
}

/// An index of a part answers for its part; the uses elsewhere are those that names lead to.
#[test]
fn uses_in_files_that_the_index_does_not_have_come_from_names() {
    let repo = repo();
    repo.write("late.py", "from lib import work\nwork()\n");
    write_index(&repo);
    repo.cortex(&["index", "seal"]).ends(0);
    let uses = json!([
        "available",
        null,
        [
            "app.py:1:17 exact false",
            "app.py:3:6 exact false",
            "late.py:1:17 inferred_high false",
            "late.py:2:1 inferred_high false"
        ]
    ]);
    assert_eq!(answer(&repo, &["references", "lib.py", "1", "5"]), uses);
}
