//! Input made to hurt: whatever a change brings, a run ends soon, says what it left out, and still sees the rest.

use std::path::Path;

use serde_json::Value;

use crate::fixture::{OUT, Repo, Run};

/// Far above what any of these takes, far below what they took when they took too long.
const SECONDS: &str = "60";
const RULES: &str = ".codecortex/rules/old.yml";
const OLD: &str = "id: old\nlanguage: ts\nrule: {pattern: old_api($X)}\n";
const ORDINARY: (&str, &str) = ("src/a.ts", "old_api(1)\n");

/// A repository with one rule, one ordinary file that it matches, and what else is given.
fn repo(files: &[(&str, &str)]) -> Repo {
    Repo::with(&[&[ORDINARY, (RULES, OLD)], files].concat())
}

/// A scan that is ended, with the status 124, when it takes too long.
fn scan(repo: &Repo, arguments: &[&str]) -> Run {
    let program = [SECONDS, env!("CARGO_BIN_EXE_cortex-scan"), "--fail-on", "none"];
    repo.run("/usr/bin/timeout", &[], &[&program, arguments].concat())
}

fn shell(repo: &Repo, script: &str) {
    let run = repo.run("/bin/sh", &[("HOME", "/nonexistent")], &["-e", "-c", script]);
    assert_eq!(run.status, 0, "{}", run.stderr);
}

#[track_caller]
fn sees_the_ordinary_file(repo: &Repo, run: &Run) {
    assert!([0, 3].contains(&run.status), "{} {}", run.status, run.stderr);
    let findings = repo.findings();
    assert!(findings.iter().any(|it| it.starts_with("src/a.ts:1:1")), "{findings:?}");
}

/// Whether a program that reads a build's output would take one of the lines as an order.
fn orders(text: &str) -> bool {
    text.lines().any(|it| it.trim_start().starts_with("::error::"))
}

#[test]
fn a_head_that_leads_to_a_pipe_or_an_endless_file_is_no_head() {
    for trap in ["mkfifo .git/ORIG_HEAD", "truncate -s 3G .git/ORIG_HEAD", "ln -s /dev/zero .git/ORIG_HEAD"] {
        let repo = repo(&[]);
        shell(&repo, &format!("{trap}; echo 'ref: ORIG_HEAD' > .git/HEAD"));
        sees_the_ordinary_file(&repo, &scan(&repo, &[]));
    }
    let repo = repo(&[]);
    shell(&repo, "truncate -s 3G .git/refs/heads/main");
    sees_the_ordinary_file(&repo, &scan(&repo, &[]));
}

#[test]
fn a_tree_that_holds_itself_twice_thirty_times_over_is_cut() {
    let repo = repo(&[]);
    let grow = "tree=$(printf '100644 blob %s\\tx.ts\\n' $(git hash-object -w src/a.ts) | git mktree)
        for level in $(seq 30); do
            tree=$(printf '040000 tree %s\\ta\\n040000 tree %s\\tb\\n' $tree $tree | git mktree)
        done
        export GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=e
        git branch bomb $(git commit-tree -m bomb $tree)";
    shell(&repo, grow);
    let run = scan(&repo, &["--base", "bomb"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let manifest = repo.document("bundle.json");
    let notes = manifest["notes"].as_array().unwrap();
    assert!(notes.iter().any(|it| it["code"] == "walk_cut"), "{notes:?}");
}

#[test]
fn texts_of_a_repository_give_no_orders_to_the_build() {
    let name = "src/b\n::error::pwned\u{1b}[2J.ts";
    let repo = repo(&[(name, "old_api('\u{1b}[2J')\n::error::source\n")]);
    repo.write(
        "package.json",
        r#"{"name": "p", "dependencies": {"x\n::error::dep": "1\n::error::version"}}"#,
    );
    let rule = r#"{id: "r\n::error::id", language: ts, message: "m\n::error::message", rule: {pattern: old_api($X)}}"#;
    repo.write(".codecortex/rules/hostile.yml", rule);
    for format in ["human", "json", "markdown", "sarif", "github"] {
        let run = scan(&repo, &["--format", format]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(!orders(&run.stdout) && !run.stdout.contains('\u{1b}'), "{format}: {}", run.stdout);
        assert!(!orders(&run.stderr), "{}", run.stderr);
    }
    for report in ["report.md", "report.html"] {
        let text = repo.read(&format!("{OUT}/{report}"));
        assert!(!orders(&text) && !text.contains('\u{1b}'), "{report}: {text}");
    }
}

#[test]
fn what_an_error_quotes_stays_on_its_line() {
    let repo = repo(&[]);
    repo.write(
        ".codecortex/rules/hostile\n::error::file.yml",
        r#"{id: "r\n::error::id", language: ts, rule: {pattern: "f(\n::error::x"}}"#,
    );
    for arguments in [
        &[][..],
        &["--base", "x\n::error::x"],
        &["--bogus\n::error::x"],
        &["no\n::error::x"],
        &["--fail-on", "\n::error::x"],
    ] {
        let run = repo.run(env!("CARGO_BIN_EXE_cortex-scan"), &[], arguments);
        assert_eq!(run.status, 2, "{}", run.stderr);
        assert!(!orders(&run.stderr), "{}", run.stderr);
    }
}

#[test]
fn the_repository_does_not_choose_which_file_the_results_replace() {
    let repo = repo(&[]);
    let precious = repo.beside("precious");
    shell(&repo, &format!("echo precious > '{precious}'; ln -s '{precious}' results.sarif; ln -s .. up"));
    for arguments in
        [["--output", "sarif=results.sarif"], ["--output", "sarif=up/precious"], ["--out", "up/bundle"]]
    {
        let run = scan(&repo, &arguments);
        assert_eq!(run.status, 4, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains("[output_behind_link]"), "{}", run.stderr);
    }
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "precious\n");
    assert!(!Path::new(&repo.beside("bundle")).exists());
}

#[test]
fn matches_without_number_on_one_line_end() {
    let repo = repo(&[("src/flood.ts", &format!("f('é');{}", "old_api(1);".repeat(40_000)))]);
    let run = scan(&repo, &[]);
    sees_the_ordinary_file(&repo, &run);
    assert!(run.stdout.contains("match_limit"), "{}", run.stdout);
}

#[test]
fn runs_of_suppressing_comments_end() {
    let lines = "// cortex-ignore\n".repeat(60_000);
    let line = "/* cortex-ignore: other */".repeat(60_000);
    let repo = repo(&[("src/lines.ts", &lines), ("src/line.ts", &format!("x;{line}"))]);
    sees_the_ordinary_file(&repo, &scan(&repo, &[]));
}

#[test]
fn namesakes_without_number_end() {
    let repo = repo(&[("src/names.ts", &"function f(){f();g()}".repeat(40_000))]);
    sees_the_ordinary_file(&repo, &scan(&repo, &[]));
}

#[test]
fn manifests_and_settings_that_nest_without_end_are_left_out() {
    let deep = |open: &str| open.repeat(200_000);
    let repo = repo(&[
        ("package.json", &deep("{\"name\":")),
        ("package-lock.json", &deep("{\"packages\":")),
        ("tsconfig.json", &deep("{\"compilerOptions\":")),
        ("Cargo.toml", &format!("a = {}", deep("["))),
        ("Cargo.lock", &format!("a = {}", deep("[{a="))),
        ("b/Cargo.toml", &format!("a{} = 1", deep(".a"))),
        (".codecortex/config.json", &deep("{\"limits\":")),
    ]);
    let run = scan(&repo, &[]);
    sees_the_ordinary_file(&repo, &run);
    let manifest: Value = repo.document("bundle.json");
    let notes = manifest["notes"].as_array().unwrap();
    assert!(notes.iter().any(|it| it["path"] == ".codecortex/config.json"), "{notes:?}");
}

#[test]
fn rules_that_nest_or_are_no_files_are_refused_and_named() {
    let deep = format!("id: deep\nlanguage: ts\nrule: {}", "{any: [".repeat(100_000));
    let repo = repo(&[(".codecortex/rules/deep.yml", &deep)]);
    let run = scan(&repo, &[]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(run.stderr.contains(".codecortex/rules/deep.yml:"), "{}", run.stderr);
    shell(
        &repo,
        "rm .codecortex/rules/deep.yml; mkfifo pipe.yml; mkfifo sgconfig.yml; mkfifo .codecortex/rules/p.yml",
    );
    for arguments in [&["--rules", "pipe.yml"][..], &["--rules", "/dev/zero"], &[]] {
        let run = scan(&repo, arguments);
        assert!([0, 2, 3].contains(&run.status), "{} {}", run.status, run.stderr);
    }
}

#[test]
fn lost_output_is_not_success_and_closed_pipes_are_quiet() {
    let repo = repo(&[]);
    let program = env!("CARGO_BIN_EXE_cortex-scan");
    let end = |script: &str| {
        repo.run("/bin/sh", &[], &["-c", &format!("{program} --fail-on none {script}")]).status
    };
    assert_eq!(end("> /dev/full"), 3);
    assert_eq!(end("--output sarif=/dev/full > /dev/null"), 3);
    assert_eq!(end("<&- >&- 2>&-"), 0);
}
