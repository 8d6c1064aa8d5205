//! Previews and their application, from the outside.

use serde_json::Value;

use super::fixture::{OUT, Repo, Run, write};

const RULE: &str = "id: r\nlanguage: python\nseverity: warning\nfix: new($X)\nrule: {pattern: old($X)}\n";
const EPOCH: &str = "1700000000";

fn repo(files: &[(&str, &str)]) -> Repo {
    Repo::with(&[files, &[(".codecortex/rules/r.yml", RULE)]].concat())
}

/// Makes a preview; it is kept under the id that comes back.
fn preview(repo: &Repo) -> (String, Value) {
    let time = [("SOURCE_DATE_EPOCH", EPOCH)];
    repo.cortex_with(&time, &["scan", "--preview", "--fail-on", "none"]).ends(0);
    let preview = repo.document("preview.json");
    (preview["id"].as_str().unwrap().to_owned(), preview)
}

/// Applies a preview this many seconds after it was made.
fn apply(repo: &Repo, preview: &str, seconds: i64, more: &[&str]) -> Run {
    let now = (EPOCH.parse::<i64>().unwrap() + seconds).to_string();
    let time = [("SOURCE_DATE_EPOCH", now.as_str())];
    repo.cortex_with(&time, &[&["rewrite", "apply", preview], more].concat())
}

#[test]
fn a_preview_writes_nothing_until_it_is_applied() {
    let before = "a = old(1)\nb = 2\n";
    let repo = repo(&[("a.py", before)]);
    let (id, preview) = preview(&repo);
    assert_eq!(repo.read("a.py"), before);
    assert_eq!(
        preview["files"][0]["diff"],
        "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-a = old(1)\n+a = new(1)\n b = 2\n"
    );
    let run = apply(&repo, &id, 1, &[]).ends(0);
    assert_eq!(run.stdout, "a.py\nverified, nothing written: 1 match in 1 file; add --apply to write\n");
    assert_eq!(repo.read("a.py"), before);
    let run = apply(&repo, &id, 1, &["--apply", "--json"]).ends(0);
    assert_eq!(repo.read("a.py"), "a = new(1)\nb = 2\n");
    let expected = serde_json::json!({"id": id, "applied": true, "files": ["a.py"], "matches": 1});
    assert_eq!(run.json(), expected);
    // What was applied once does not apply twice.
    apply(&repo, &id, 1, &["--apply"]).fails(4, "file_changed");
}

#[test]
fn a_changed_file_refuses_all_of_the_rewrite() {
    let repo = repo(&[("a.py", "old(1)\n"), ("b.py", "old(2)\n")]);
    let (id, _) = preview(&repo);
    repo.write("b.py", "old(3)\n");
    let run = apply(&repo, &id, 1, &["--apply"]).fails(4, "file_changed");
    assert!(
        run.stderr.contains("b.py: its content changed") && !run.stderr.contains("a.py:"),
        "{}",
        run.stderr
    );
    assert_eq!((repo.read("a.py"), repo.read("b.py")), ("old(1)\n".into(), "old(3)\n".into()));
}

#[test]
fn a_preview_expires() {
    let repo = repo(&[("a.py", "old(1)\n")]);
    let (id, _) = preview(&repo);
    apply(&repo, &id, 1_799, &[]).ends(0);
    apply(&repo, &id, 1_800, &["--apply"]).fails(4, "preview_expired");
    assert_eq!(repo.read("a.py"), "old(1)\n");
}

#[test]
fn an_edited_preview_is_refused() {
    let repo = repo(&[("a.py", "old(1)\n")]);
    let out = repo.beside("out");
    let arguments = ["scan", "--preview", "--fail-on", "none", "--out", &out];
    repo.cortex_with(&[("SOURCE_DATE_EPOCH", EPOCH)], &arguments).ends(0);
    let path = format!("{out}/preview.json");
    apply(&repo, &path, 1, &[]).ends(0);
    let text = std::fs::read_to_string(&path).unwrap();
    for (from, to, code) in [
        ("\"text\": \"new(1)\"", "\"text\": \"evil(1)\"", "preview_altered"),
        ("\"remaining\": 0", "\"remaining\": 1", "preview_altered"),
        ("codecortex.preview/1", "codecortex.preview/9", "preview_unreadable"),
        ("\"remaining\"", "\"unknown\"", "preview_unreadable"),
    ] {
        assert!(text.contains(from), "{from}");
        write(&path, text.replace(from, to));
        apply(&repo, &path, 1, &["--apply"]).fails(4, code);
    }
    write(&path, text);
    std::fs::remove_file(format!("{out}/volatile.json")).unwrap();
    apply(&repo, &path, 1, &["--apply"]).fails(4, "preview_unreadable");
    assert_eq!(repo.read("a.py"), "old(1)\n");
}

#[test]
fn a_preview_inside_the_repository_is_refused() {
    let repo = repo(&[("a.py", "old(1)\n")]);
    preview(&repo);
    apply(&repo, &format!("{OUT}/preview.json"), 1, &["--apply"]).fails(4, "preview_inside_repository");
    apply(&repo, "nowhere.json", 1, &["--apply"]).fails(4, "no_preview");
    assert_eq!(repo.read("a.py"), "old(1)\n");
}

#[test]
fn the_configuration_can_forbid_to_apply() {
    let repo =
        repo(&[("a.py", "old(1)\n"), (".codecortex/config.json", r#"{"structural":{"allow_apply":false}}"#)]);
    let (id, _) = preview(&repo);
    apply(&repo, &id, 1, &[]).ends(0);
    apply(&repo, &id, 1, &["--apply"]).fails(4, "apply_not_allowed");
    assert_eq!(repo.read("a.py"), "old(1)\n");
}

#[test]
fn a_limit_makes_no_preview_at_all() {
    let limit = r#"{"structural":{"max_rewrite_matches":1}}"#;
    let repo = repo(&[("a.py", "old(1)\n"), ("b.py", "old(2)\n"), (".codecortex/config.json", limit)]);
    repo.scan(&["--preview", "--fail-on", "none"]).ends(3);
    assert!(!repo.root.join(OUT).join("preview.json").exists());
    let stages = repo.document("bundle.json")["stages"].clone();
    let rewrite = stages.as_array().unwrap().iter().find(|it| it["layer"] == "rewrite").unwrap();
    assert_eq!(rewrite["status"]["reason"]["code"], "rewrite_limit");
}

#[test]
fn bytes_that_no_rule_matched_stay() {
    for (before, after) in [
        ("\u{feff}a = old(1)\r\nb = 2\r\n", "\u{feff}a = new(1)\r\nb = 2\r\n"),
        ("a = old(1)\r\nb = 2", "a = new(1)\r\nb = 2"),
        ("a  =  old( 1 ) ;b=2 # é😀\t\n\n\n", "a  =  new(1) ;b=2 # é😀\t\n\n\n"),
    ] {
        let repo = repo(&[("a.py", before)]);
        repo.set_mode("a.py", 0o755);
        let (id, _) = preview(&repo);
        apply(&repo, &id, 1, &["--apply"]).ends(0);
        assert_eq!(repo.read("a.py"), after);
        assert_eq!(repo.mode("a.py"), 0o755);
    }
}

#[test]
fn matches_inside_others_are_left_for_another_preview() {
    let repo = repo(&[("a.py", "old(old(1))\n")]);
    let (id, preview) = preview(&repo);
    assert_eq!(
        (&preview["remaining"], &preview["warnings"][0]["code"]),
        (&Value::from(1), &Value::from("remaining_matches"))
    );
    apply(&repo, &id, 1, &["--apply"]).ends(0);
    assert_eq!(repo.read("a.py"), "new(old(1))\n");
}

#[test]
fn a_fix_that_breaks_the_syntax_is_left_out() {
    let repo = repo(&[("a.py", "old(1)\n"), ("b.py", "other(1)\n")]);
    repo.write(
        ".codecortex/rules/s.yml",
        "id: s\nlanguage: python\nseverity: info\nfix: \"other($X\"\nrule: {pattern: other($X)}\n",
    );
    let (_, preview) = preview(&repo);
    assert_eq!(preview["skipped"], serde_json::json!([{"path": "b.py", "reason": "breaks_syntax"}]));
    assert_eq!(preview["files"].as_array().unwrap().len(), 1);
}

#[test]
fn a_rule_that_matches_its_own_result_is_reported() {
    let repo = repo(&[("a.py", "other(1)\n")]);
    repo.write(
        ".codecortex/rules/r.yml",
        "id: r\nlanguage: python\nseverity: info\nfix: other($X + 1)\nrule: {pattern: other($X)}\n",
    );
    let (_, preview) = preview(&repo);
    assert_eq!(preview["not_a_fixpoint"], true);
    assert_eq!(preview["warnings"][0]["code"], "not_idempotent");
}

#[test]
fn the_same_rewrite_has_the_same_id() {
    let (one, other) = (repo(&[("a.py", "old(1)\n")]), repo(&[("a.py", "old(1)\n")]));
    assert_eq!(preview(&one).0, preview(&other).0);
    assert_ne!(preview(&one).0, preview(&repo(&[("a.py", "old(2)\n")])).0);
}
