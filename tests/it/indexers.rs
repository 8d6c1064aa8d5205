//! Indexes that the real indexers make of the projects in `tests/fixtures/precision`, asked through the built program
//! and held against the `truth.tsv` of each, which a reader of the files wrote.
//!
//! `ci/indexers.sh` installs the indexers; `CORTEX_TEST_INDEXERS` names the folder that it filled.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::fixture::{Repo, files, fixtures};

/// What is asked, of which name or place.
type Asked = (String, String);

#[test]
fn scip_typescript_is_answered_as_the_files_are_read() {
    check("scip-typescript", "typescript");
}

#[test]
fn scip_python_is_answered_as_the_files_are_read() {
    check("scip-python", "python");
}

#[test]
fn ty_scip_is_answered_as_the_files_are_read() {
    check("ty-scip", "python");
}

#[test]
fn scip_go_is_answered_as_the_files_are_read() {
    check("scip-go", "go");
}

#[test]
fn rust_analyzer_is_answered_as_the_files_are_read() {
    check("rust-analyzer", "rust");
}

/// Without an index: what names and imports are sure of is among what a reader says; what they cannot know is left out.
#[test]
fn names_alone_are_never_sure_of_anything_else() {
    for (project, least) in [("go", 59), ("python", 63), ("rust", 70), ("typescript", 57)] {
        let repo = Repo::of(&format!("precision/{project}"));
        let truth = truth("names", &fixtures().join("precision").join(project).join("truth.tsv"));
        let (mut wrong, mut answered, mut asked_for) = (Vec::new(), 0, 0);
        for (asked, expected) in &truth {
            let answer = ask(&repo, asked);
            assert_eq!(answer["state"], "unavailable");
            let results = answer["results"].as_array().unwrap();
            assert!(results.iter().all(|it| it["exact"] == false && it["stale"] == false), "{asked:?}");
            let sure =
                results.iter().filter(|it| it["trust"] == "inferred_high" || it["trust"] == "structural");
            let found: Vec<String> = sure.map(spot).collect();
            let expected: Vec<&str> = expected.iter().map(|it| it.trim_start_matches('~')).collect();
            asked_for += 1;
            answered += usize::from(!found.is_empty());
            wrong.extend(
                found
                    .iter()
                    .filter(|it| !expected.contains(&it.as_str()))
                    .map(|it| format!("{asked:?} {it}")),
            );
        }
        assert!(wrong.is_empty(), "{project}: {}\n{}", wrong.len(), wrong.join("\n"));
        assert!(answered >= least, "{project}: {answered} of {asked_for}");
    }
}

/// A checkout that changes them would take away what the projects are for.
#[test]
fn every_project_has_its_carriage_returns_and_byte_order_marks() {
    for project in ["go", "python", "rust", "typescript"] {
        let all = files(&fixtures().join("precision").join(project).join("repo"));
        let contents: Vec<Vec<u8>> = all.iter().map(|it| std::fs::read(it).unwrap()).collect();
        let with = |wanted: &[u8]| {
            contents.iter().filter(|it| it.windows(wanted.len()).any(|it| it == wanted)).count()
        };
        assert_eq!((with(b"\r\n"), with(b"\xef\xbb\xbf")), (3, 2), "{project}");
    }
}

fn check(tool: &str, project: &str) {
    let Some(program) = program(tool) else { return };
    let truth = truth(tool, &fixtures().join("precision").join(project).join("truth.tsv"));
    let repo = Repo::of(&format!("precision/{project}"));
    repo.run(program.to_str().unwrap(), &[], &[]).ends(0);
    repo.cortex(&["index", "seal"]).ends(0);
    let status = repo.cortex(&["precision-status", "--json"]).ends(0).json();
    assert_eq!((&status["state"], &status["index"]["indexer"]), (&"available".into(), &tool.into()));
    let wrong: Vec<String> = truth
        .iter()
        .filter_map(|(asked, expected)| {
            let found = answer(&repo, asked);
            (found != *expected).then(|| format!("{asked:?}\n  expected {expected:?}\n  found    {found:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{tool}: {} of {} differ\n{}", wrong.len(), truth.len(), wrong.join("\n"));
    nothing_is_exact_in_an_edited_file(&repo, &truth);
    aside(&format!("{tool}: {} questions answered as the files are read", truth.len()));
}

/// The program in the folder of indexers; none, said aloud, where there is no folder or it cannot be had.
fn program(tool: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("CORTEX_TEST_INDEXERS") else {
        aside(&format!(
            "{tool}: LEFT OUT: CORTEX_TEST_INDEXERS names no folder that ci/indexers.sh has filled"
        ));
        return None;
    };
    let program = Path::new(&folder).join(tool);
    if let Ok(reason) = std::fs::read_to_string(program.with_added_extension("left-out")) {
        aside(&format!("{tool}: LEFT OUT: {}", reason.trim_end()));
        return None;
    }
    assert!(program.is_file(), "{} is missing: run ci/indexers.sh", program.display());
    Some(program)
}

/// Says something that is shown although the test passes.
fn aside(text: &str) {
    writeln!(std::io::stderr(), "{text}").unwrap();
}

/// The rows of a truth file that hold for a tool; its head says what they mean.
fn truth(tool: &str, path: &Path) -> BTreeMap<Asked, Vec<String>> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut rows = BTreeMap::new();
    for row in text.lines().filter(|it| !it.is_empty() && !it.starts_with('#')) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [question, name, place, row_of, answers, ..] = cells[..] else { panic!("too short: {row}") };
        let asked = (question.to_owned(), if place == "-" { name } else { place }.to_owned());
        let mut answers: Vec<String> =
            answers.split(' ').filter(|it| *it != "none").map(str::to_owned).collect();
        answers.sort();
        if row_of == tool {
            rows.insert(asked, answers);
        } else if row_of == "*" {
            rows.entry(asked).or_insert(answers);
        }
    }
    assert!(rows.len() > 50, "{} has lost its rows", path.display());
    rows
}

fn ask(repo: &Repo, (question, about): &Asked) -> Value {
    let place: Vec<&str> = about.rsplitn(3, ':').collect();
    let run = match place[..] {
        [column, line, path] => repo.cortex(&[question, path, line, column, "--json"]),
        _ => repo.cortex(&[question, about, "--json"]),
    };
    run.ends(0).json()
}

/// The answer of the index as a truth file has it; one that is not current is like no row. What names answer where the
/// index says nothing is left out.
fn answer(repo: &Repo, asked: &Asked) -> Vec<String> {
    let answer = ask(repo, asked);
    let results = answer["results"].as_array().unwrap().iter();
    let mut found: Vec<String> =
        results.filter(|it| it["provenance"] == "precision_index").map(place).collect();
    if answer["state"] != "available" {
        found.push(format!("state:{}", answer["state"]));
    }
    if let Some(code) = answer["reason"]["code"].as_str() {
        found.push(format!("none:{code}"));
    }
    found.sort();
    found
}

fn place(it: &Value) -> String {
    let way = match (it["trust"].as_str().unwrap(), it["exact"].as_bool().unwrap(), it["stale"] == true) {
        ("exact", true, false) => "",
        ("inferred_high", false, false) => "~",
        other => panic!("neither exact nor by a relation, but {other:?}: {it}"),
    };
    assert!(it["confidence"].is_number(), "{it}");
    format!("{way}{}", spot(it))
}

/// The place of a record as a truth file has it.
fn spot(it: &Value) -> String {
    let number = |key: &str| it[key].as_u64().unwrap();
    assert_eq!(number("start_line"), number("end_line"), "{it}");
    let (line, start, end) = (number("start_line"), number("start_column"), number("end_column"));
    format!("{}:{line}:{start}-{end}", it["path"].as_str().unwrap())
}

/// Puts a line on top of the file with the first definition and asks for what is defined there from elsewhere.
fn nothing_is_exact_in_an_edited_file(repo: &Repo, truth: &BTreeMap<Asked, Vec<String>>) {
    let defined_in = |answers: &[String]| Some(answers.first()?.rsplitn(3, ':').last()?.to_owned());
    let definitions = || truth.iter().filter(|(asked, _)| asked.0 == "definition");
    let edited = definitions().find_map(|(_, it)| defined_in(it)).unwrap();
    repo.write(&edited, format!("\n{}", repo.read(&edited)));
    let mut asked_for = 0;
    for (asked, _) in definitions()
        .filter(|(asked, it)| defined_in(it).as_ref() == Some(&edited) && !asked.1.starts_with(&edited))
    {
        let answer = ask(repo, asked);
        assert_eq!(
            (&answer["state"], &answer["reason"]["code"]),
            (&"stale".into(), &"index_stale".into()),
            "{asked:?}"
        );
        let results = answer["results"].as_array().unwrap();
        assert!(!results.is_empty(), "{asked:?}");
        for it in results {
            let is_of_index = it["provenance"] == "precision_index";
            assert_eq!((&it["stale"], &it["exact"]), (&is_of_index.into(), &false.into()), "{asked:?}");
            assert_ne!(it["trust"], "exact", "{asked:?}");
        }
        asked_for += 1;
    }
    assert!(asked_for > 0, "nothing asks for {edited} from elsewhere");
}
