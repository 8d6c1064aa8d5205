//! Packages that the real tools installed, asked through the built program. Which version marks what was read off the
//! published sources by hand.
//!
//! `ci/packages.sh` installs them; `CORTEX_TEST_PACKAGES` names the folder that it filled.
#![expect(clippy::disallowed_methods, reason = "a test makes the links that must not be followed")]

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::fixture::{Repo, copy};

const TYPESCRIPT: &str = "import { decodeStrict, decode } from 'entities';\nimport * as all from 'entities';\n\
    export const x = decodeStrict('&amp;') + decode('&lt;');\nall.decodeStrict('a');\n\
    function f(decodeStrict: (x: string) => string) { return decodeStrict('b'); }\n";

const PYTHON: &str = "from packaging.version import LegacyVersion, Version\nimport packaging.version\n\
    v = LegacyVersion('x')\nw = Version('1')\npackaging.version.LegacyVersion('y')\n";

const RUST: &str = "use base64::decode;\npub fn f() -> String { base64::encode(\"x\") }\n\
    pub fn g() { let _ = decode(\"x\"); }\n\
    pub fn h(it: Option<E>) { if let Some(base64) = it { base64.encode(); } }\n";

/// The folder of installed packages; without one, the test says that it does not run.
fn packages(what: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("CORTEX_TEST_PACKAGES").map(PathBuf::from);
    if folder.is_none() {
        let text =
            format!("{what}: LEFT OUT: CORTEX_TEST_PACKAGES names no folder that ci/packages.sh has filled");
        writeln!(std::io::stderr(), "{text}").unwrap();
    }
    folder.inspect(|it| assert!(it.join("made-of").is_file(), "run ci/packages.sh {}", it.display()))
}

fn node(folder: &Path, installed: &str, locked: &str) -> Repo {
    let lock = format!(
        r#"{{"lockfileVersion": 3, "packages": {{"": {{"dependencies": {{"entities": "*"}}}}, "node_modules/entities": {{"version": "{locked}"}}}}}}"#
    );
    let repo = Repo::with(&[
        ("package.json", r#"{"dependencies": {"entities": "*"}}"#),
        ("package-lock.json", &lock),
        ("src/a.ts", TYPESCRIPT),
        (".gitignore", "node_modules\n"),
    ]);
    copy(&folder.join(format!("npm-{installed}/node_modules")), &repo.root.join("node_modules"));
    repo
}

fn python(folder: &Path, installed: &str, locked: &str) -> Repo {
    let repo = Repo::with(&[
        ("requirements.txt", &format!("packaging=={locked}\n")),
        ("main.py", PYTHON),
        (".gitignore", ".venv\n"),
    ]);
    copy(&folder.join(format!("python-{installed}/lib")), &repo.root.join(".venv/lib"));
    repo
}

fn rust(folder: &Path, version: &str) -> Repo {
    let manifest = "[package]\nname = \"fetch\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nbase64 = \"*\"\n";
    let lock = std::fs::read_to_string(folder.join(format!("cargo-{version}/Cargo.lock"))).unwrap();
    Repo::with(&[("Cargo.toml", manifest), ("Cargo.lock", &lock), ("src/lib.rs", RUST)])
}

/// The places of a scan's findings with their tier, how they were found, and where the package says so.
fn found(repo: &Repo, variables: &[(&str, &str)]) -> Vec<String> {
    let run = repo.cortex_with(variables, &["scan", "--format", "json"]).ends(0).json();
    let evidence = repo.read(".codecortex/out/evidence.jsonl");
    let evidence: Vec<Value> = evidence.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    let findings = run["findings"].as_array().unwrap().iter();
    findings
        .map(|it| {
            assert_eq!(it["rule"], "deprecated-use");
            let id = &it["evidence"][0];
            let record = evidence.iter().find(|it| it["id"] == *id).unwrap();
            assert_eq!((&record["kind"], &record["provider"]), (&json!("documentation"), &json!("docs")));
            let said = &record["metadata"]["deprecation"];
            let text = |it: &Value| it.as_str().unwrap().to_owned();
            format!(
                "{}:{}:{} {} {} {} {} {}:{} {}",
                text(&it["path"]),
                it["start_line"],
                it["start_column"],
                text(&it["severity"]),
                text(&record["trust"]),
                text(&record["provenance"]),
                text(&said["version"]),
                text(&said["declared_path"]),
                said["declared_line"],
                text(&said["note"])
            )
        })
        .collect()
}

fn notes(repo: &Repo) -> Vec<String> {
    let bundle = repo.document("bundle.json");
    let codes = bundle["notes"].as_array().unwrap().iter().map(|it| it["code"].as_str().unwrap().to_owned());
    codes.filter(|it| it.starts_with("docs_")).collect()
}

fn state(repo: &Repo) -> Value {
    let bundle = repo.document("bundle.json");
    let stages = bundle["stages"].as_array().unwrap();
    let stage = stages.iter().find(|it| it["layer"] == "docs").unwrap();
    json!([stage["status"]["state"], stage["status"]["reason"]["code"]])
}

#[test]
fn a_package_of_node_says_what_is_deprecated_in_its_own_version() {
    let Some(folder) = packages("npm") else { return };
    let repo = node(&folder, "4.5.0", "4.5.0");
    let said = "info structural docs_version_exact 4.5.0 lib/index.d.ts:70 Use `decode` with the `mode` set to `Strict`.";
    assert_eq!(found(&repo, &[]), [format!("src/a.ts:3:18 {said}"), format!("src/a.ts:4:5 {said}")]);
    assert_eq!((notes(&repo), state(&repo)), (Vec::new(), json!(["available", null])));
    for version in ["1.1.2", "9.0.0"] {
        let repo = node(&folder, version, version);
        assert_eq!(found(&repo, &[]), Vec::<String>::new(), "{version}");
        assert_eq!(state(&repo), json!(["available", null]));
    }
}

#[test]
fn a_package_of_python_says_what_is_deprecated_in_its_own_version() {
    let Some(folder) = packages("PyPI") else { return };
    let repo = python(&folder, "21.3", "21.3");
    let said = "info structural docs_version_exact 21.3 packaging/version.py:106 Creating a LegacyVersion has been \
                deprecated and will be removed in the next major release";
    // Through `import packaging.version` it is a member of what the import names.
    let through = said.replace("structural", "inferred_high");
    assert_eq!(found(&repo, &[]), [format!("main.py:3:5 {said}"), format!("main.py:5:19 {through}")]);
    for version in ["19.2", "22.0"] {
        assert_eq!(found(&python(&folder, version, version), &[]), Vec::<String>::new(), "{version}");
    }
}

#[test]
fn a_crate_says_what_is_deprecated_in_its_own_version() {
    let Some(folder) = packages("crates.io") else { return };
    let home = folder.join("cargo-home");
    let home = [("CARGO_HOME", home.to_str().unwrap())];
    let said = |name: &str, line: u32| {
        format!("info structural docs_version_exact 0.21.7 src/{name}.rs:{line} Use Engine::{name}")
    };
    assert_eq!(
        found(&rust(&folder, "0.21.7"), &home),
        [
            format!("src/lib.rs:2:32 {}", said("encode", 18)),
            format!("src/lib.rs:3:22 {}", said("decode", 87))
        ]
    );
    assert_eq!(found(&rust(&folder, "0.13.1"), &home), Vec::<String>::new());
    let listed = rust(&folder, "0.21.7").cortex_with(&home, &["deps", "--used", "--json"]).ends(0).json();
    assert_eq!(
        listed["dependencies"][0]["imported_as"],
        json!({"names": ["base64"], "known_by": "installed"})
    );
    let repo = rust(&folder, "0.21.7");
    assert_eq!(found(&repo, &[]), Vec::<String>::new());
    assert_eq!(state(&repo), json!(["unavailable", "docs_not_installed"]));
}

#[test]
fn another_version_than_the_project_has_answers_nothing() {
    let Some(folder) = packages("stale versions") else { return };
    let repo = node(&folder, "4.5.0", "9.0.0");
    assert_eq!((found(&repo, &[]), notes(&repo)), (Vec::new(), vec!["docs_stale".to_owned()]));
    let answer = repo.cortex(&["deps", "docs", "entities", "decode", "--json"]).ends(0).json();
    let package = &answer["packages"][0];
    assert_eq!((&package["state"], &package["installed"]), (&json!("stale"), &json!("4.5.0")));
    assert_eq!((&package["version_exact"], &package["declarations"]), (&json!(false), &json!([])));
    let repo = python(&folder, "21.3", "22.0");
    assert_eq!((found(&repo, &[]), notes(&repo)), (Vec::new(), vec!["docs_stale".to_owned()]));
}

/// Without a lockfile nothing says that the installed version is the project's.
#[test]
fn what_no_lockfile_confirms_is_graded_lower() {
    let Some(folder) = packages("no lockfile") else { return };
    let repo = node(&folder, "4.5.0", "4.5.0");
    std::fs::remove_file(repo.root.join("package-lock.json")).unwrap();
    let lines = found(&repo, &[]);
    assert_eq!(lines.len(), 2);
    assert!(lines.iter().all(|it| it.contains(" inferred docs_fallback 4.5.0 ")), "{lines:?}");
}

#[test]
fn a_change_answers_for_what_it_brings() {
    let Some(folder) = packages("changes") else { return };
    let repo = node(&folder, "4.5.0", "4.5.0");
    repo.write("src/b.ts", "import { decodeStrict } from 'entities';\ndecodeStrict('1');\n");
    repo.commit();
    repo.write(
        "src/b.ts",
        "import { decodeStrict } from 'entities';\n\ndecodeStrict('1');\ndecodeStrict('2');\n",
    );
    repo.scan(&["--base", "HEAD"]).ends(0);
    let short = |it: &String| it.split(' ').take(3).collect::<Vec<_>>().join(" ");
    let findings: Vec<String> = repo.findings().iter().map(short).collect();
    assert_eq!(findings, ["src/b.ts:3:1-3:13 info existing", "src/b.ts:4:1-4:13 info new"]);
    // A version that moves is asked about everywhere; what the older one said is not known.
    repo.commit();
    let lock = repo.read("package-lock.json").replace("4.5.0", "4.4.0");
    repo.write("package-lock.json", &lock);
    repo.commit();
    repo.write("package-lock.json", lock.replace("4.4.0", "4.5.0"));
    repo.scan(&["--base", "HEAD"]).ends(0);
    let findings: Vec<String> = repo.findings().iter().map(short).collect();
    assert_eq!(findings.len(), 4, "{findings:?}");
    assert!(findings.iter().all(|it| it.ends_with("info unknown")), "{findings:?}");
}

#[test]
fn severity_is_the_projects_to_choose() {
    let Some(folder) = packages("severity") else { return };
    let repo = node(&folder, "4.5.0", "4.5.0");
    repo.write(".codecortex/config.json", r#"{"rules": {"severity": {"deprecated-use": "error"}}}"#);
    repo.scan(&[]).ends(1);
    repo.write(".codecortex/config.json", r#"{"rules": {"severity": {"deprecated-use": "off"}}}"#);
    assert_eq!(found(&repo, &[]), Vec::<String>::new());
    assert_eq!(state(&repo), json!(["disabled", "docs_off"]));
}

#[test]
fn declarations_are_listed_with_their_places() {
    let Some(folder) = packages("declarations") else { return };
    let repo = node(&folder, "4.5.0", "4.5.0");
    let answer = repo.cortex(&["deps", "docs", "entities", "decodeStrict", "--json"]).ends(0).json();
    let package = &answer["packages"][0];
    assert_eq!((&package["version_exact"], &package["resolved"]), (&json!(true), &json!(["4.5.0"])));
    let first = &package["declarations"][0];
    assert_eq!(
        (&first["path"], &first["line"], &first["column"], &first["name"]),
        (&json!("lib/index.d.ts"), &json!(70), &json!(25), &json!("decodeStrict"))
    );
    assert_eq!(
        first["signature"],
        "export declare function decodeStrict(data: string, options?: DecodingOptions | EntityLevel): string"
    );
    assert_eq!(first["deprecated"]["note"], "Use `decode` with the `mode` set to `Strict`.");
    repo.cortex(&["deps", "docs", "entity"]).fails(2, "dependency_unknown");
}

/// A package that a link leads to may lie anywhere: it is not read.
#[test]
fn no_link_is_followed_out_of_the_place_of_packages() {
    let repo = Repo::with(&[
        ("package.json", r#"{"dependencies": {"linked": "1.0.0", "inside": "1.0.0"}}"#),
        ("a.js", "import { old } from 'linked';\nimport { older } from 'inside';\nold(); older();\n"),
        (".gitignore", "node_modules\n"),
    ]);
    let outside = PathBuf::from(repo.beside("outside"));
    std::fs::create_dir_all(&outside).unwrap();
    std::fs::write(outside.join("package.json"), r#"{"version": "1.0.0", "main": "i.js"}"#).unwrap();
    let code = "/** @deprecated secret */\nexport function old() {}\n/** @deprecated secret */\nexport function older() {}\n";
    std::fs::write(outside.join("i.js"), code).unwrap();
    repo.write("node_modules/inside/package.json", r#"{"version": "1.0.0", "main": "i.js"}"#);
    std::os::unix::fs::symlink(&outside, repo.root.join("node_modules/linked")).unwrap();
    std::os::unix::fs::symlink(outside.join("i.js"), repo.root.join("node_modules/inside/i.js")).unwrap();
    assert_eq!(found(&repo, &[]), Vec::<String>::new());
    assert_eq!(notes(&repo), ["docs_absent"]);
    std::fs::remove_file(repo.root.join("node_modules/inside/i.js")).unwrap();
    repo.write("node_modules/inside/i.js", code);
    assert_eq!(found(&repo, &[]), ["a.js:3:8 info structural docs_version_exact 1.0.0 i.js:4 secret"]);
}

/// An answer is not whole when the file that the package begins with could not be read.
#[test]
fn an_answer_says_what_could_not_be_read() {
    let repo = Repo::with(&[
        ("package.json", r#"{"dependencies": {"p": "1.0.0"}}"#),
        (".gitignore", "node_modules\n"),
        ("node_modules/p/package.json", r#"{"version": "1.0.0", "main": "i.js"}"#),
    ]);
    let index = repo.root.join("node_modules/p/i.js");
    let complete = || {
        let answer = repo.cortex(&["deps", "docs", "p", "--json"]).ends(0).json();
        let package = &answer["packages"][0];
        assert_eq!(package["state"], "exact");
        let notes = answer["diagnostics"].as_array().unwrap();
        let notes: Vec<&str> = notes.iter().map(|it| it["message"].as_str().unwrap()).collect();
        (package["complete"].as_bool().unwrap(), package["declarations_total"].clone(), notes.join("; "))
    };
    repo.write("node_modules/p/i.js", "export function f() {}\n");
    assert_eq!(complete(), (true, json!(1), String::new()));
    let answer = repo.cortex(&["deps", "docs", "p", "absent"]).ends(0);
    assert!(answer.stdout.contains("  nothing matches `absent`"), "{}", answer.stdout);
    for (text, reason) in
        [("/".repeat(3 << 20), "more than the limit"), (format!("x = {}", "[".repeat(5_000)), "nest")]
    {
        repo.write("node_modules/p/i.js", text);
        let (is_complete, total, note) = complete();
        assert_eq!((is_complete, total), (false, json!(0)));
        assert!(note.starts_with("of p could not be read: i.js (") && note.contains(reason), "{note}");
    }
    repo.write("node_modules/p/i.js", [0xff, 0xfe, 0xfd]);
    assert!(complete().2.contains("i.js (it is not UTF-8)"));
    std::fs::remove_file(&index).unwrap();
    repo.write("node_modules/p/real.js", "export function f() {}\n");
    std::os::unix::fs::symlink("real.js", &index).unwrap();
    let (is_complete, _, note) = complete();
    assert!(!is_complete && note.starts_with("no file was found that p begins with"), "{note}");
}
