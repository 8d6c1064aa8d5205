//! What an index resolves, put over what names say, in a scan of a change.

use serde_json::{Value, json};

use super::fixture::Repo;
use super::precision::{field, occurrence, write_after};

const FILES: [&str; 3] = ["a.py", "b.py", "c.py"];
const A_RUN: &str = "scip-python python p 1 a/A#run().";
const B_RUN: &str = "scip-python python p 1 b/B#run().";

/// `go` calls a method of that name; by names it may be that of either class.
fn repo() -> Repo {
    let repo = Repo::with(&[
        ("a.py", "class A:\n    def run(self):\n        return 1\n"),
        ("b.py", "class B:\n    def run(self):\n        return 1\n"),
        ("c.py", "from a import A\nfrom b import B\n\ndef go(x):\n    return x.run()\n"),
    ]);
    repo.write("a.py", "class A:\n    def run(self):\n        return 2\n");
    repo.write("b.py", "class B:\n    def run(self):\n        return 2\n");
    repo
}

/// The index knows that it is A's.
fn index() -> Vec<u8> {
    let tool = field(2, &[field(1, b"scip-python"), field(2, b"0.6.6")].concat());
    let a = [field(1, b"a.py"), occurrence([1, 8, 11], A_RUN, 1)].concat();
    let b = [field(1, b"b.py"), occurrence([1, 8, 11], B_RUN, 1)].concat();
    let c = [field(1, b"c.py"), occurrence([4, 13, 16], A_RUN, 0)].concat();
    [field(1, &tool), field(2, &a), field(2, &b), field(2, &c)].concat()
}

/// The state of the layer, and of everything affected what it is reached through and how sure that is, with the
/// weaker records under its evidence.
fn reached(repo: &Repo) -> Value {
    let stages = repo.document("bundle.json")["stages"].clone();
    let stage = stages.as_array().unwrap().iter().find(|it| it["layer"] == "precision").unwrap().clone();
    let text = repo.read(".codecortex/out/evidence.jsonl");
    let evidence = text.lines().map(|it| serde_json::from_str::<Value>(it).unwrap());
    let affected = evidence.filter(|it| it["kind"] == "impact").map(|it| {
        let superseded = it["metadata"]["superseded"].as_array().map_or(&[][..], Vec::as_slice);
        let weaker: Vec<&Value> = superseded.iter().map(|it| &it["trust"]).collect();
        json!([it["symbol"], it["target_symbol"], it["trust"], it["exact"], weaker])
    });
    json!([stage["status"]["state"], affected.collect::<Vec<_>>()])
}

#[test]
fn an_index_decides_between_the_targets_that_names_leave_open() {
    let repo = repo();
    repo.scan(&["--base", "HEAD"]).ends(0);
    let guess = json!(["python:c.py#go", "python:a.py#A.run", "weak", false, []]);
    assert_eq!(reached(&repo), json!(["unavailable", [guess]]));
    write_after(&repo, &FILES, &index());
    repo.cortex(&["index", "seal"]).ends(0);
    let run = repo.scan(&["--base", "HEAD"]).ends(0);
    let exact = json!(["python:c.py#go", "python:a.py#A.run", "exact", true, ["weak"]]);
    assert_eq!(reached(&repo), json!(["available", [exact]]));
    let said = "precision: 1 use resolved by the index; names alone get 100.0 % of 1 right";
    assert!(run.stdout.contains(said), "{}", run.stdout);
    let impact = repo.document("impact.json");
    assert_eq!(impact["blind_spots"], json!([]), "an index is no code that changed");
    let blast = impact["blast"].clone();
    assert_eq!((&blast["symbols"], &blast["exactly"]), (&json!(1), &json!(1)));
}

#[test]
fn what_names_guess_and_the_index_denies_is_not_reached() {
    let repo = repo();
    repo.git(&["checkout", "-q", "a.py"]);
    repo.scan(&["--base", "HEAD"]).ends(0);
    let guess = json!(["python:c.py#go", "python:b.py#B.run", "weak", false, []]);
    assert_eq!(reached(&repo), json!(["unavailable", [guess]]));
    write_after(&repo, &FILES, &index());
    repo.scan(&["--base", "HEAD"]).ends(0);
    assert_eq!(reached(&repo), json!(["available", []]));
}

#[test]
fn a_file_that_changed_since_is_read_by_its_names() {
    let repo = repo();
    write_after(&repo, &FILES, &index());
    repo.write("c.py", "from a import A\nfrom b import B\n\n\ndef go(x):\n    return x.run()\n");
    repo.scan(&["--base", "HEAD"]).ends(0);
    let reached = reached(&repo);
    assert_eq!((&reached[0], &reached[1][0][2]), (&json!("stale"), &json!("weak")));
}

#[test]
fn an_index_that_the_change_brings_does_not_judge_it() {
    // A field that the protocol does not know makes an index larger than any source file that is looked at.
    let large = [&[15 << 3 | 2, 0x80, 0x80, 0x80, 0x01][..], &vec![0; 1 << 21]].concat();
    for index in [index(), [index(), large].concat()] {
        let repo = repo();
        write_after(&repo, &FILES, &index);
        repo.commit();
        write_after(&repo, &FILES, &index);
        repo.scan(&["--base", "HEAD~1"]).ends(0);
        assert_eq!(reached(&repo)[0], "unavailable");
        repo.scan(&["--base", "HEAD"]).ends(0);
        assert_eq!(reached(&repo)[0], "available");
    }
}
