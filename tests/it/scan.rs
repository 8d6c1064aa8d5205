//! Whole runs over small repositories, whose findings were counted by hand.

use serde_json::Value;

use super::fixture::{Repo, Run, fixtures, git_in};

/// A rule for Python calls of `old`.
fn rule(severity: &str) -> String {
    format!("id: no-old\nlanguage: python\nseverity: {severity}\nmessage: old\nrule:\n  pattern: old($X)\n")
}

const RULE: &str = ".codecortex/rules/r.yml";

/// A committed repository with a rule of severity warning and these files.
fn ruled(files: &[(&str, &str)]) -> Repo {
    Repo::with(&[files, &[(RULE, &rule("warning"))]].concat())
}

/// The reason of a stage that is not available.
fn reason(manifest: &Value, layer: &str) -> String {
    let stage = manifest["stages"].as_array().unwrap().iter().find(|it| it["layer"] == layer).unwrap();
    stage["status"]["reason"]["code"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn findings_stand_at_the_positions_counted_by_hand() {
    let repo = Repo::of("languages");
    repo.scan(&[]).ends(1);
    let expected = std::fs::read_to_string(fixtures().join("languages/expect/findings.txt")).unwrap();
    assert_eq!(repo.findings(), expected.lines().collect::<Vec<_>>());
}

#[test]
fn both_programs_scan_alike() {
    let repo = Repo::of("languages");
    let one = repo.scan(&["--format", "json"]).ends(1);
    let other = repo.run(env!("CARGO_BIN_EXE_cortex-scan"), &[], &["--format", "json"]).ends(1);
    assert_eq!(one.stdout, other.stdout);
}

#[test]
fn annotations_begin_with_what_is_new() {
    let repo = Repo::with(&[
        ("a.py", "old(1)\n"),
        ("z.py", "pass\n"),
        (
            RULE,
            &format!(
                "{}---\n{}",
                rule("warning"),
                rule("error").replace("no-old", "never").replace("old(", "never(")
            ),
        ),
    ]);
    repo.write("a.py", "old(1)\nnever(2)\n");
    repo.commit();
    repo.write("a.py", "old(1)\nnever(2)\n\n");
    repo.write("z.py", "old(3)\n");
    let text = repo.scan(&["--base", "HEAD", "--format", "github"]).ends(1).stdout;
    let expected = "::warning file=z.py,line=1,endLine=1,col=1,endColumn=7,title=no-old::old (new)\n\
                    ::error file=a.py,line=2,endLine=2,col=1,endColumn=9,title=never::old\n\
                    ::warning file=a.py,line=1,endLine=1,col=1,endColumn=7,title=no-old::old\n";
    assert_eq!(text, expected);
}

#[test]
fn one_line_tells_of_all_fixes() {
    let fixable = format!("{}fix: new($X)\n", rule("warning"));
    let repo = Repo::with(&[("a.py", "old(1)\nold(2)\n"), (RULE, &fixable)]);
    let text = repo.scan(&[]).ends(1).stdout;
    assert_eq!(text.matches("--preview").count(), 1, "{text}");
    assert!(text.contains("\n2 findings have a fix; see what it would change with --preview\n"), "{text}");
    let text = repo.scan(&["--preview"]).ends(1).stdout;
    assert!(!text.contains("--preview"), "{text}");
}

#[test]
fn a_page_does_not_show_none_for_what_is_not_known() {
    let repo = ruled(&[("a.py", "old(1)\n")]);
    repo.scan(&[]).ends(1);
    let page = repo.read(".codecortex/out/report.html");
    assert!(page.contains("<li><b>–</b>dependencies: not known</li>"));
    assert!(page.contains("<li><b>1</b>finding</li>"));
}

#[test]
fn fail_on_decides_which_severities_fail() {
    let levels = ["hint", "info", "warning", "error"];
    for (fail_on, first_failing) in [("none", 4), ("info", 1), ("warning", 2), ("error", 3)] {
        for (number, severity) in levels.iter().enumerate() {
            let repo = Repo::with(&[("a.py", "old(1)\n"), (RULE, &rule(severity))]);
            let expected = i32::from(number >= first_failing);
            repo.scan(&["--fail-on", fail_on]).ends(expected);
            assert_eq!(repo.findings(), [format!("a.py:1:1-1:7 {severity} unknown no-old: old")]);
        }
    }
    let repo = Repo::with(&[("a.py", "old(1)\n"), (RULE, &rule("warning"))]);
    repo.scan(&[]).ends(1);
    repo.scan(&["--exit-zero"]).ends(0);
}

#[test]
fn only_what_a_comparison_calls_new_fails_on_new() {
    let repo = Repo::with(&[("a.py", "old(1)\n"), (RULE, &rule("warning"))]);
    repo.scan(&["--fail-on", "new"]).fails(2, "no_base");
    repo.scan(&["--base", "HEAD", "--fail-on", "new"]).ends(0);
    repo.write("b.py", "old(2)\n");
    repo.scan(&["--base", "HEAD", "--fail-on", "new"]).ends(1);
    // Before the first commit everything that is staged is new.
    let unborn = Repo::new();
    unborn.write_all(&[("a.py", "old(1)\n"), (RULE, &rule("warning"))]);
    unborn.git(&["add", "."]);
    unborn.scan(&["--staged", "--fail-on", "new"]).ends(1);
}

#[test]
fn a_changed_file_that_rules_cannot_read_is_never_clean() {
    for (name, content) in [
        ("latin.py", b"x = '\xe9'\nold(1)\n".to_vec()),
        ("nul.py", b"x = 1\0\nold(1)\n".to_vec()),
        ("large.py", [b"#".repeat(1 << 20), b"\nold(1)\n".to_vec()].concat()),
        ("deep.py", [b"(".repeat(2_000), b"old(1)".to_vec(), b")".repeat(2_000)].concat()),
    ] {
        let repo = Repo::with(&[("a.py", "a\n"), (RULE, &rule("warning"))]);
        repo.write(name, &content);
        let run = repo.scan(&["--base", "HEAD"]).ends(3);
        assert!(run.stdout.contains(&format!("Incomplete: {name} could not be searched")), "{}", run.stdout);
        repo.scan(&[name]).ends(3);
        // In a scan of everything it is one of the things that are listed as not looked at.
        repo.scan(&[]).ends(0);
        // And once it is committed, it is no part of the change.
        repo.commit();
        repo.scan(&["--base", "HEAD"]).ends(0);
    }
}

#[test]
fn names_that_are_no_text_are_searched_too() {
    use std::os::unix::ffi::OsStrExt as _;
    let repo = ruled(&[("a.py", "a\n")]);
    let name = std::ffi::OsStr::from_bytes(b"b\xff.py");
    super::fixture::write(repo.root.join(name), "old(1)\n");
    repo.scan(&["--fail-on", "info"]).ends(1);
    assert_eq!(repo.findings().len(), 1);
}

#[test]
fn a_configuration_that_does_not_get_its_say_is_never_clean() {
    let repo = Repo::with(&[("a.py", "a\n"), (".codecortex/config.json", "{\"rules\": {\"paths\": [")]);
    repo.scan(&[]).ends(3);
    let repo =
        Repo::with(&[("a.py", "a\n"), (".codecortex/config.json", r#"{"rules": {"paths": ["nope"]}}"#)]);
    repo.scan(&[]).fails(2, "rule_invalid");
    repo.write("named.json", r#"{"limits": {"max_file_bytes": -1}}"#);
    repo.scan(&["--config", "named.json"]).fails(2, "config_invalid");
}

#[test]
fn a_change_to_its_own_judges_is_noted() {
    let repo = Repo::with(&[("a.py", "old(1)\n"), (RULE, &rule("warning"))]);
    let notes = |run: &Run| run.stdout.contains("[rules_changed]");
    assert!(!notes(&repo.scan(&["--base", "HEAD"])));
    repo.write(RULE, rule("hint"));
    assert!(notes(&repo.scan(&["--base", "HEAD"])));
}

#[test]
fn a_failed_check_fails_the_run() {
    let repo = ruled(&[("a.py", "old(1)\n")]);
    repo.write("checks.json", r#"{"validation": {"commands": [{"name": "no", "argv": ["false"]}]}}"#);
    let arguments = ["-p", "old($X)", "-l", "python", "--rewrite", "neu($X)", "--preview", "--validate"];
    repo.scan(&[&arguments[..], &["--fail-on", "none"]].concat()).ends(0);
    let run =
        repo.scan(&[&arguments[..], &["--fail-on", "none", "--config", "checks.json"]].concat()).ends(1);
    assert!(run.stdout.ends_with("1 check of the rewrite failed.\n"), "{}", run.stdout);
    assert!(!run.stderr.contains("apply it with"), "{}", run.stderr);
}

#[test]
fn the_base_and_not_the_change_decides_which_checks_run() {
    let checks = |program: &str| {
        format!(r#"{{"validation": {{"commands": [{{"name": "c", "argv": ["{program}"]}}]}}}}"#)
    };
    let repo = ruled(&[("a.py", "a\n"), (".codecortex/config.json", &checks("true"))]);
    repo.write("a.py", "old(1)\n");
    repo.write(".codecortex/config.json", checks("false"));
    let arguments = ["-p", "old($X)", "-l", "python", "--rewrite", "neu($X)", "--preview", "--validate"];
    let run = repo.scan(&[&arguments[..], &["--base", "HEAD"]].concat()).ends(0);
    assert!(run.stdout.contains("check c: passed"), "{}", run.stdout);
    // Without a base nobody vouches for the program.
    let run = repo.scan(&arguments).ends(3);
    assert!(run.stdout.contains("check c: blocked"), "{}", run.stdout);
}

#[test]
fn reports_replace_no_file_that_git_tracks() {
    let repo = ruled(&[("a.py", "old(1)\n")]);
    repo.scan(&["--output", "sarif=a.py"]).fails(2, "output_unusable");
    repo.scan(&["--output", "sarif=missing/results.sarif"]).fails(2, "output_unusable");
    assert_eq!(repo.read("a.py"), "old(1)\n");
}

#[test]
fn wrong_use_ends_with_2() {
    let repo = ruled(&[("a.py", "old(1)\n")]);
    repo.scan(&["--no-such-option"]).ends(2);
    repo.scan(&["--exit-zero", "missing"]).fails(2, "path_unusable");
    repo.scan(&["--pattern", "old($X)", "--language", "klingon"]).fails(2, "language_unknown");
    repo.scan(&["--base", "nowhere"]).fails(2, "revision_unknown");
    repo.scan(&["--base", "main:a.py"]).fails(2, "revision_malformed");
    repo.scan(&["--config", "missing.json"]).fails(2, "config_unread");
    let folder = Repo::bare_folder();
    folder.write("a.py", "old(1)\n");
    folder.scan(&["--base", "HEAD"]).fails(2, "no_git");
}

#[test]
fn a_rule_that_cannot_be_used_stops_the_run_and_is_named() {
    let repo = ruled(&[("a.py", "old(1)\n")]);
    repo.write(
        ".codecortex/rules/bad.yml",
        "id: no-ending\nlanguage: python\nseverity: error\nrule:\n  pattern: old(\n",
    );
    let run = repo.scan(&[]).fails(2, "rule_invalid");
    assert!(run.stderr.contains(".codecortex/rules/bad.yml:1"), "{}", run.stderr);
    assert!(run.stderr.contains("no-ending"), "{}", run.stderr);
    assert!(!repo.root.join(".codecortex/out").exists());
}

#[test]
fn what_could_not_be_looked_at_makes_a_run_incomplete() {
    let repo = ruled(&[
        ("a.py", "old(1)\nold(2)\n"),
        (".codecortex/config.json", r#"{"limits":{"max_findings":1}}"#),
    ]);
    repo.scan(&["--fail-on", "none"]).ends(3);
    assert_eq!(repo.findings().len(), 1);
    assert_eq!(repo.document("bundle.json")["counts"]["suppressed_by_limit"], 1);
    repo.scan(&["--output", "sarif=/dev/full"]).fails(3, "report_unwritten");
}

#[test]
fn what_a_gate_refuses_ends_with_4() {
    let repo = ruled(&[("a.py", "old(1)\n")]);
    repo.cortex(&["rewrite", "apply", "pv_00000000000000000000"]).fails(4, "no_preview");
    repo.scan(&[]).ends(1);
    repo.write(".codecortex/out/findings.jsonl", "");
    repo.cortex(&["bundle", "verify"]).fails(4, "bundle_differs");
}

#[test]
fn a_base_tells_new_findings_from_those_that_only_moved() {
    let repo = ruled(&[("a.py", "old(1)\n"), ("same.py", "old(9)\n")]);
    repo.write("a.py", "import os\n\n\nold(1)\nold(2)\n");
    repo.scan(&["--base", "HEAD", "--fail-on", "new"]).ends(1);
    assert_eq!(
        repo.findings(),
        ["a.py:4:1-4:7 warning existing no-old: old", "a.py:5:1-5:7 warning new no-old: old"]
    );
    repo.write("a.py", "import os\n\n\nold(1)\n");
    repo.scan(&["--base", "HEAD", "--fail-on", "new"]).ends(0);
    assert_eq!(repo.findings(), ["a.py:4:1-4:7 warning existing no-old: old"]);
}

#[test]
fn a_renamed_file_keeps_its_findings() {
    let text = "old(1)\nx = 1\ny = 2\nz = 3\nw = 4\nv = 5\n";
    let repo = ruled(&[("a.py", text)]);
    repo.git(&["mv", "a.py", "b.py"]);
    repo.write("b.py", format!("{text}old(2)\n"));
    repo.git(&["add", "-A"]);
    repo.scan(&["--base", "HEAD", "--fail-on", "none"]).ends(0);
    assert_eq!(
        repo.findings(),
        ["b.py:1:1-1:7 warning existing no-old: old", "b.py:7:1-7:7 warning new no-old: old"]
    );
}

#[test]
fn two_revisions_are_compared_without_the_working_tree() {
    let repo = ruled(&[("a.py", "x = 1\n")]);
    let first = repo.git(&["rev-parse", "HEAD"]);
    repo.write("a.py", "x = 1\nold(1)\n");
    let second = repo.commit();
    repo.write("a.py", "nothing\n");
    repo.scan(&["--base", &format!("{}..{second}", first.trim()), "--fail-on", "new"]).ends(1);
    assert_eq!(repo.findings(), ["a.py:2:1-2:7 warning new no-old: old"]);
    assert_eq!(repo.document("bundle.json")["scope"]["base"]["commit"], first.trim());
}

#[test]
fn staged_sees_the_index_and_not_the_working_tree() {
    let repo = ruled(&[("a.py", "x = 1\n")]);
    repo.write("a.py", "x = 1\nold(1)\n");
    repo.scan(&["--staged"]).ends(0);
    assert_eq!(repo.findings(), Vec::<String>::new());
    repo.git(&["add", "a.py"]);
    repo.write("a.py", "x = 1\n");
    repo.scan(&["--staged"]).ends(1);
    assert_eq!(repo.findings(), ["a.py:2:1-2:7 warning new no-old: old"]);
    assert_eq!(repo.document("bundle.json")["scope"]["kind"], "staged");
}

#[test]
fn a_path_narrows_the_scan() {
    let repo = ruled(&[("src/a.py", "old(1)\n"), ("lib/b.py", "old(2)\n")]);
    repo.scan(&["src"]).ends(1);
    assert_eq!(repo.findings(), ["src/a.py:1:1-1:7 warning unknown no-old: old"]);
    repo.scan(&["lib/b.py"]).ends(1);
    assert_eq!(repo.findings(), ["lib/b.py:1:1-1:7 warning unknown no-old: old"]);
    assert_eq!(repo.document("bundle.json")["scope"]["path"], "lib/b.py");
}

#[test]
fn several_reports_are_written_at_once() {
    let repo = ruled(&[("a.py", "old(1)\n")]);
    let formats = ["human", "json", "markdown", "html", "sarif", "github"];
    let outputs: Vec<String> =
        formats.iter().map(|it| format!("--output={it}={}", repo.beside(it))).collect();
    let arguments: Vec<&str> = outputs.iter().map(String::as_str).collect();
    repo.scan(&arguments).ends(1);
    for format in formats {
        assert!(!std::fs::read(repo.beside(format)).unwrap().is_empty(), "{format}");
    }
    let sarif: Value = serde_json::from_slice(&std::fs::read(repo.beside("sarif")).unwrap()).unwrap();
    let region = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startLine"], &region["startColumn"]), (&Value::from(1), &Value::from(1)));
    repo.scan(&["--output", "pdf=a.pdf"]).ends(2);
    repo.scan(&["--output", "sarif"]).ends(2);
}

#[test]
fn a_repository_without_rules_is_scanned_and_says_so() {
    let repo = Repo::with(&[("a.py", "def f():\n    return 1\n")]);
    repo.scan(&[]).ends(0);
    let manifest = repo.document("bundle.json");
    assert_eq!(reason(&manifest, "structural"), "no_rules");
    assert_eq!(reason(&manifest, "impact"), "no_base");
    assert_eq!(
        manifest["snapshot"]["languages"]["Python"]
            .as_u64()
            .or(manifest["snapshot"]["languages"]["python"].as_u64()),
        Some(1)
    );
}

#[test]
fn a_pattern_is_a_question_of_its_own() {
    let repo = ruled(&[("a.py", "old(1)\nother(2)\n")]);
    repo.scan(&["--pattern", "other($X)", "--language", "python"]).ends(0);
    assert_eq!(repo.findings(), ["a.py:2:1-2:9 info unknown pattern: matches `other(2)`"]);
    repo.scan(&["--pattern", "other($X)"]).ends(2);
    let run = repo.scan(&["--pattern", "other(", "--language", "python"]).fails(2, "rule_invalid");
    assert!(run.stderr.contains("--pattern:1"), "{}", run.stderr);
}

#[test]
fn a_shallow_clone_is_told_to_fetch_more() {
    let repo = ruled(&[("a.py", "x = 1\n")]);
    let first = repo.git(&["rev-parse", "HEAD"]);
    repo.write("a.py", "old(1)\n");
    repo.commit();
    let clone = Repo::bare_folder();
    git_in(&clone.root, &["clone", "-q", "--depth", "1", &format!("file://{}", repo.root.display()), "."]);
    let run = clone.scan(&["--base", first.trim()]).fails(2, "revision_unknown");
    assert!(
        run.stderr.contains("the clone is shallow") && run.stderr.contains("--unshallow"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_comment_takes_a_finding_back() {
    let repo = ruled(&[("a.py", "old(1)  # cortex-ignore: no-old\n# ast-grep-ignore\nold(2)\nold(3)\n")]);
    repo.scan(&[]).ends(1);
    assert_eq!(repo.findings(), ["a.py:4:1-4:7 warning unknown no-old: old"]);
}

#[test]
fn a_run_changes_nothing_that_git_sees() {
    let repo = ruled(&[("a.py", "old(1)\n")]);
    repo.scan(&[]).ends(1);
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}
