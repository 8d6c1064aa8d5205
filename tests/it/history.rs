//! The history of small repositories whose commits are counted by hand, or by `git blame`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::fixture::{Repo, git_in, write};

const DAY: i64 = 86_400;
/// Some day.
const NOW: i64 = 1_760_000_000;

fn file<'a>(answer: &'a Value, path: &str) -> &'a Value {
    answer["files"].as_array().unwrap().iter().find(|it| it["path"] == path).unwrap()
}

/// The records of a fact, as `path: message [trust]`.
fn facts(answer: &Value, fact: &str) -> Vec<String> {
    let records = answer["results"].as_array().unwrap().iter();
    let of = records.filter(|it| {
        let found = &it["metadata"]["history"]["fact"];
        found == fact || !found[fact].is_null()
    });
    of.map(|it| {
        assert_eq!((&it["kind"], &it["provider"]), (&"git_history".into(), &"git".into()));
        let text = |key: &str| it[key].as_str().unwrap().to_owned();
        format!("{}: {} [{}]", text("path"), text("message"), text("trust"))
    })
    .collect()
}

/// Three fixes of `new.py` in the last year (one of them under its old name), one before, one of another file, and a
/// subject that only looks like one.
fn fixed() -> Repo {
    let repo = Repo::new();
    repo.write_all(&[("old.py", "a = 1\nb = 2\nc = 3\n"), ("other.py", "x = 1\n")]);
    repo.commit_by("Ann", NOW - 800 * DAY, "Begin");
    repo.write("old.py", "a = 1\nb = 2\nc = 4\n");
    repo.commit_by("Bob", NOW - 400 * DAY, "Fix c");
    repo.write("old.py", "a = 1\nb = 3\nc = 4\n");
    repo.commit_by("Bob", NOW - 300 * DAY, "fix(b): count from three");
    repo.git(&["mv", "old.py", "new.py"]);
    repo.commit_by("Ann", NOW - 200 * DAY, "Rename it");
    repo.write("new.py", "a = 2\nb = 3\nc = 4\n");
    repo.commit_by("Ann", NOW - 100 * DAY, "Revert \"Set a\"");
    repo.write("other.py", "x = 2\n");
    repo.commit_by("Ann", NOW - 90 * DAY, "Fix x");
    repo.write("new.py", "a = 2\nb = 3\nc = 5\n");
    repo.commit_by("Cid", NOW - 2 * DAY, "Do not crash on c");
    repo.write("new.py", "a = 2\nb = 3\nc = 5 # five\n");
    repo.commit_by("Ann", NOW - DAY, "Fix a typo");
    repo
}

#[test]
fn a_file_is_known_under_its_old_name_and_its_fixes_are_those_of_a_year() {
    let repo = fixed();
    let answer = repo.cortex(&["history", "new.py", "--json", "--limit", "2"]).ends(0).json();
    let new = file(&answer, "new.py");
    assert_eq!((new["changes"].as_u64(), new["fixes_12mo"].as_u64()), (Some(7), Some(3)), "{new}");
    assert_eq!(new["last_time"], "2025-10-08T08:53:20Z");
    let authors =
        new["authors"].as_array().unwrap().iter().map(|it| (it["name"].as_str(), it["changes"].as_u64()));
    let expected = [(Some("Ann"), Some(4)), (Some("Bob"), Some(2)), (Some("Cid"), Some(1))];
    assert_eq!(authors.collect::<Vec<_>>(), expected);
    let [typo, crash] = ["HEAD", "HEAD~1"].map(|it| repo.git(&["rev-parse", "--short=10", it]));
    let changes = [
        format!("new.py: {} 2025-10-08 Ann: Fix a typo [structural]", typo.trim()),
        format!("new.py: {} 2025-10-07 Cid: Do not crash on c [structural]", crash.trim()),
    ];
    assert_eq!(facts(&answer, "changed"), changes);
    let fixes = ["new.py: 3 fixes in the twelve months before the newest commit [inferred]"];
    assert_eq!(facts(&answer, "fixed"), fixes);
    let commits =
        answer["results"].as_array().unwrap().iter().find(|it| it["metadata"]["history"]["fact"] == "fixed");
    let named = commits.unwrap()["metadata"]["history"]["commits"].as_array().unwrap();
    let expected = ["HEAD~1", "HEAD~3", "HEAD~5"].map(|it| repo.git(&["rev-parse", it]).trim().to_owned());
    assert_eq!(named.iter().map(|it| it.as_str().unwrap()).collect::<Vec<_>>(), expected);
}

#[test]
fn a_folder_shows_the_files_that_were_fixed_most() {
    let repo = fixed();
    let run = repo.cortex(&["history"]).ends(0);
    let heads: Vec<&str> = run.stdout.lines().filter(|it| !it.starts_with(' ')).collect();
    let expected = [
        "new.py: 7 changes; 3 fixes in 12 months; last 2025-10-08; Ann 4, Bob 2, Cid 1",
        "other.py: 2 changes; 1 fix in 12 months; last 2025-07-11; Ann 2",
    ];
    assert_eq!(heads, expected);
}

/// `a.py` changed in five commits of few files, `b.py` in four of these, `c.py` in three; a sweep changed all.
fn coupled() -> Repo {
    let repo = Repo::new();
    let change = |names: &[&str], round: i64| {
        for name in names {
            repo.write(name, format!("x = {round}\n"));
        }
        repo.commit_by("Ann", NOW + round * DAY, "Work");
    };
    change(&["a.py", "b.py", "c.py"], 1);
    change(&["a.py", "b.py", "c.py"], 2);
    change(&["a.py", "b.py", "c.py"], 3);
    change(&["a.py", "b.py"], 4);
    change(&["a.py"], 5);
    let sweep: Vec<String> = (0..29).map(|it| format!("s{it}.py")).collect();
    let sweep: Vec<&str> = sweep.iter().map(String::as_str).chain(["a.py", "c.py"]).collect();
    change(&sweep, 6);
    repo
}

#[test]
fn what_mostly_changes_too_is_advice_for_a_change_without_it() {
    let repo = coupled();
    repo.write("a.py", "x = 0\n");
    let answer = repo.cortex(&["history", "--base", "HEAD", "--json"]).ends(0).json();
    let advice = ["b.py: changed in 4 of 5 changes of a.py, and not in this one [weak]"];
    assert_eq!(facts(&answer, "changed_together"), advice);
    let record = answer["results"].as_array().unwrap().iter().find(|it| it["path"] == "b.py").unwrap();
    assert_eq!(record["confidence"], 0.8);
    repo.write("b.py", "x = 0\n");
    let answer = repo.cortex(&["history", "--base", "HEAD", "--json"]).ends(0).json();
    assert!(facts(&answer, "changed_together").is_empty());
    // Nobody is told to change what is gone.
    repo.git(&["checkout", "-q", "b.py"]);
    repo.git(&["rm", "-q", "--cached", "b.py"]);
    std::fs::remove_file(repo.root.join("b.py")).unwrap();
    repo.commit_by("Ann", NOW + 7 * DAY, "Remove b");
    repo.write("a.py", "x = 9\n");
    let answer = repo.cortex(&["history", "--base", "HEAD", "--json"]).ends(0).json();
    assert!(facts(&answer, "changed_together").is_empty());
}

#[test]
fn a_change_is_not_judged_by_its_own_commits() {
    let repo = coupled();
    // `b.py` changed in four commits, each time with `a.py`, before it changed alone.
    repo.write("b.py", "x = 7\n");
    repo.commit_by("Ann", NOW + 7 * DAY, "Fix b");
    let range = "HEAD~1..HEAD";
    let answer = repo.cortex(&["history", "--base", range, "--json"]).ends(0).json();
    let advice = ["a.py: changed in 4 of 4 changes of b.py, and not in this one [weak]"];
    assert_eq!(facts(&answer, "changed_together"), advice);
    let b = file(&answer, "b.py");
    assert_eq!((&b["changes"], &b["fixes_12mo"]), (&4.into(), &0.into()));
}

#[test]
fn an_impact_names_what_mostly_changes_too() {
    let repo = coupled();
    repo.write_all(&[("b.py", "x = 0\n"), ("c.py", "x = 0\n")]);
    let partner = serde_json::json!([{ "path": "a.py", "with": "b.py", "both": 4, "all": 4 }]);
    let impact = repo.cortex(&["impact", "--json"]).ends(0).json();
    assert_eq!(impact["partners"], partner);
    let text = repo.cortex(&["impact"]).ends(0).stdout;
    assert!(
        text.contains("\nmostly changed too, and not here\n  a.py (in 4 of 4 changes of b.py)\n"),
        "{text}"
    );
    repo.scan(&["--base", "HEAD", "--exit-zero"]).ends(0);
    assert_eq!(repo.document("impact.json")["partners"], partner);
    // What is only named has companions too, and no lines to tell a risk by.
    let named = repo.cortex(&["impact", "--path", "b.py", "--json"]).ends(0).json();
    assert_eq!((&named["partners"], &named["risk"]), (&partner, &Value::Null));
    // A list of tests hears of tests alone.
    assert_eq!(repo.cortex(&["tests", "--json"]).ends(0).json()["partners"], Value::Array(Vec::new()));
}

fn fixes_factor(repo: &Repo, base: &str) -> Value {
    repo.scan(&["--base", base, "--exit-zero"]).ends(0);
    let impact = repo.document("impact.json");
    impact["risk"]["factors"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["name"] == "fixes_12mo")
        .unwrap()
        .clone()
}

#[test]
fn the_risk_counts_the_fixes_before_the_change_and_not_those_in_it() {
    let repo = fixed();
    repo.write("new.py", "a = 2\nb = 3\nc = 6\n");
    let factor = fixes_factor(&repo, "HEAD");
    // 14 · ln 4 / ln 9.
    assert_eq!(factor["value"], 3.0);
    assert!((factor["share"].as_f64().unwrap() - 8.833).abs() < 0.001, "{factor}");
    // The crash was not mended yet, and the twelve months before that base hold the first fix.
    assert_eq!(fixes_factor(&repo, "HEAD~2")["value"], 3.0);
    // Prose is not judged by its fixes.
    let repo = Repo::with(&[("a.md", "a\n"), ("b.py", "b = 1\n")]);
    repo.write("a.md", "b\n");
    repo.commit_by("Ann", NOW, "Fix a");
    repo.write_all(&[("a.md", "c\n"), ("b.py", "b = 2\n")]);
    assert_eq!(fixes_factor(&repo, "HEAD")["value"], 0.0);
}

fn shallow(repo: &Repo, depth: &str) -> Repo {
    let clone = Repo::bare_folder();
    let url = format!("file://{}", repo.root.display());
    git_in(&clone.root, &["clone", "-q", "--depth", depth, &url, "."]);
    clone
}

#[test]
fn a_shallow_clone_says_unavailable_and_never_none() {
    let source = fixed();
    let clone = shallow(&source, "3");
    let answer = clone.cortex(&["history", "new.py", "--json"]).ends(0).json();
    let new = file(&answer, "new.py");
    assert_eq!((&new["fixes_12mo"], &new["unavailable"]["code"]), (&Value::Null, &"history_shallow".into()));
    // The third commit is the border: whether it changed this file is not known.
    assert_eq!(new["changes"], 2);
    assert_eq!(answer["notes"][0]["code"], "history_shallow");
    clone.write("new.py", "a = 2\nb = 3\nc = 6\n");
    let factor = fixes_factor(&clone, "HEAD");
    assert_eq!((&factor["value"], &factor["share"]), (&Value::Null, &0.0.into()));
    let blind = clone.document("impact.json")["blind_spots"].clone();
    assert!(blind.as_array().unwrap().iter().any(|it| it["code"] == "history_shallow"), "{blind}");
    // What the border hid is read once it is there, whatever was kept before.
    clone.git(&["fetch", "-q", "--unshallow"]);
    let answer = clone.cortex(&["history", "new.py", "--json"]).ends(0).json();
    assert_eq!(
        (&file(&answer, "new.py")["changes"], &answer["notes"]),
        (&7.into(), &Value::Array(Vec::new()))
    );
    assert_eq!(fixes_factor(&clone, "HEAD")["value"], 3.0);
}

#[test]
fn a_shallow_clone_that_reaches_back_far_enough_counts() {
    let clone = shallow(&fixed(), "7");
    // The seventh commit is 400 days old.
    let answer = clone.cortex(&["history", "new.py", "--json"]).ends(0).json();
    assert_eq!(file(&answer, "new.py")["fixes_12mo"], 3);
}

#[test]
fn the_answer_is_the_same_with_what_was_kept_without_it_and_with_a_damaged_one() {
    let repo = fixed();
    let ask = |arguments: &[&str]| repo.cortex(&[&["history", "--json"], arguments].concat()).ends(0).stdout;
    let first = ask(&[]);
    let folder = repo.beside("state/cortex/history");
    let kept: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|it| it.unwrap().path()).collect();
    assert_eq!(kept.len(), 1);
    assert_eq!(ask(&[]), first);
    write(&kept[0], "{");
    assert_eq!(ask(&[]), first);
    let nowhere = repo.cortex_with(&[("XDG_STATE_HOME", "")], &["history", "--json"]).ends(0).stdout;
    assert_eq!(nowhere, first);
}

/// Lines by commit, as `git blame` has it.
fn blamed(repo: &Repo, path: &str) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for line in repo.git(&["blame", "-l", "-s", "--root", "HEAD", "--", path]).lines() {
        *counts.entry(line.split(' ').next().unwrap().to_owned()).or_default() += 1;
    }
    counts
}

fn written(answer: &Value) -> BTreeMap<String, u64> {
    let records = answer["results"].as_array().unwrap().iter().map(|it| &it["metadata"]["history"]);
    let written = records.filter_map(|it| Some((it, it["fact"]["written"]["lines"].as_u64()?)));
    written.map(|(it, lines)| (it["commits"][0].as_str().unwrap().to_owned(), lines)).collect()
}

/// A file that two branches changed, that was renamed, and whose lines five commits wrote.
fn merged() -> Repo {
    let repo = Repo::new();
    repo.write(
        "m.py",
        "def f(a):\n    b = a\n    c = b\n    d = c\n    e = d\n    return e\n\n\ndef g():\n    return 1\n",
    );
    repo.commit_by("Ann", NOW, "Begin");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("m.py", "def f(a):\n    b = a + 1\n    c = b\n    d = c\n    e = d\n    return e\n\n\ndef g():\n    return 1\n");
    repo.commit_by("Bob", NOW + 2 * DAY, "Add one");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("m.py", "def f(a):\n    b = a\n    c = b\n    d = c\n    x = 0\n    e = d + x\n    return e\n\n\ndef g():\n    return 1\n");
    repo.commit_by("Cid", NOW + DAY, "Add nothing");
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge", "side"]);
    repo.git(&["mv", "m.py", "n.py"]);
    repo.commit_by("Ann", NOW + 4 * DAY, "Rename it");
    let text = repo.read("n.py").replace("return 1", "return 2");
    repo.write("n.py", text);
    repo.commit_by("Dan", NOW + 5 * DAY, "Return two");
    repo
}

#[test]
fn lines_belong_to_the_commits_that_git_blame_names() {
    let repo = merged();
    let expected = blamed(&repo, "n.py");
    assert_eq!(expected.len(), 4);
    std::fs::remove_file(repo.root.join("n.py")).unwrap();
    let answer = repo.cortex(&["history", "--base", "HEAD", "--json"]).ends(0).json();
    assert_eq!(written(&answer), expected);
}

#[test]
fn a_symbol_has_the_commits_that_wrote_its_lines() {
    let repo = merged();
    let answer = repo.cortex(&["history", "--symbol", "g", "--json"]).ends(0).json();
    let short = |it: &str| repo.git(&["rev-parse", "--short=10", it]).trim().to_owned();
    let expected = [
        format!("n.py: 1 line written by {} 2025-10-14 Dan: Return two [structural]", short("HEAD")),
        format!("n.py: 1 line written by {} 2025-10-09 Ann: Begin [structural]", short("HEAD~4")),
    ];
    assert_eq!(facts(&answer, "written"), expected);
    // A line that is not committed has no commit.
    let text = repo.read("n.py").replace("return 2", "return 3");
    repo.write("n.py", text);
    let answer = repo.cortex(&["history", "--symbol", "g", "--json"]).ends(0).json();
    assert_eq!(facts(&answer, "written"), expected[1..]);
    assert_eq!(answer["notes"][0]["code"], "never_committed");
    repo.cortex(&["history", "--symbol", "nothing"]).fails(2, "symbol_unknown");
}

#[test]
fn at_the_border_of_a_shallow_clone_nobody_is_blamed() {
    let clone = shallow(&merged(), "2");
    let answer = clone.cortex(&["history", "--symbol", "g", "--json"]).ends(0).json();
    let lines = facts(&answer, "written");
    assert!(lines.len() == 1 && lines[0].contains("Dan"), "{lines:?}");
    let codes: Vec<&str> =
        answer["notes"].as_array().unwrap().iter().map(|it| it["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["blame_unavailable", "history_shallow"]);
}

#[test]
fn without_commits_there_is_a_reason() {
    for repo in [Repo::bare_folder(), Repo::new()] {
        let answer = repo.cortex(&["history", "--json"]).ends(0).json();
        assert_eq!(
            (&answer["state"], &answer["reason"]["code"]),
            (&"unavailable".into(), &"history_without_git".into())
        );
    }
}
