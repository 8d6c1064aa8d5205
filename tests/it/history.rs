//! The past of files, from commits made for it.

use serde_json::{Value, json};

use super::fixture::{Repo, git_in};

/// Five commits: `a` and `b` change together four times, `c` once; two say that they fix something.
fn repo() -> Repo {
    let repo = Repo::new();
    for (number, subject) in ["Add all", "Fix a", "Grow", "Revert \"Grow\"", "Grow again"].iter().enumerate()
    {
        if number < 4 {
            repo.write("a.py", format!("a = {number}\n"));
        }
        repo.write("b.py", format!("b = {number}\n"));
        if number == 0 {
            repo.write("c.py", "c = 0\n");
        }
        repo.git(&["add", "-A"]);
        repo.git(&["commit", "-q", "-m", subject]);
    }
    repo
}

fn rows(shown: &Value) -> Vec<Value> {
    let files = shown["files"].as_array().unwrap().iter();
    files
        .map(|it| {
            let fixes = it["fixes"].as_array().unwrap().iter().map(|it| it["subject"].clone());
            json!([it["path"], it["changes"], fixes.collect::<Vec<_>>(), it["last"]["subject"]])
        })
        .collect()
}

#[test]
fn changes_and_fixes_of_each_file_are_counted() {
    let shown = repo().cortex(&["history", "--json"]).ends(0).json();
    assert_eq!(
        rows(&shown),
        [
            json!(["b.py", 5, ["Revert \"Grow\"", "Fix a"], "Grow again"]),
            json!(["a.py", 4, ["Revert \"Grow\"", "Fix a"], "Revert \"Grow\""]),
            json!(["c.py", 1, [], "Add all"]),
        ]
    );
    assert_eq!(shown["commits"], 5);
}

#[test]
fn a_change_hears_of_what_used_to_change_with_it() {
    let repo = repo();
    let shown = repo.cortex(&["history", "--base", "HEAD~1..HEAD", "--json"]).ends(0).json();
    assert_eq!(rows(&shown), [json!(["b.py", 4, ["Revert \"Grow\"", "Fix a"], "Revert \"Grow\""])]);
    assert_eq!(shown["partners"], json!([{ "of": "b.py", "path": "a.py", "together": 4, "changes": 4 }]));
    let text = repo.cortex(&["history", "--base", "HEAD~1..HEAD"]).ends(0).stdout;
    assert!(text.ends_with("a.py changed with b.py 4 of 4 times, and does not now\n"), "{text}");
}

#[test]
fn the_risk_counts_fixes_and_says_so_when_it_cannot() {
    let repo = repo();
    let factor = |impact: &Value| {
        impact["risk"]["factors"]
            .as_array()
            .unwrap()
            .iter()
            .find(|it| it["name"] == "fixes_12mo")
            .unwrap()
            .clone()
    };
    let known = factor(&repo.cortex(&["impact", "--base", "HEAD~1..HEAD", "--json"]).ends(0).json());
    assert_eq!(known["value"], 2.0);
    // 14 · ln 3 / ln 9.
    assert!((known["share"].as_f64().unwrap() - 7.0).abs() < 1e-9, "{known}");
    let clone = repo.beside("clone");
    git_in(&repo.root, &["clone", "-q", "--depth", "2", &format!("file://{}", repo.root.display()), &clone]);
    let impact = repo.cortex(&["impact", "-C", &clone, "--base", "HEAD~1..HEAD", "--json"]).ends(0).json();
    assert_eq!(factor(&impact)["value"], Value::Null, "unavailable, not 0");
    let shown = repo.cortex(&["history", &clone, "--json"]).ends(0).json();
    assert_eq!(shown["diagnostics"][0]["code"], "history_shallow");
}
