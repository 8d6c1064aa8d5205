//! `cortex deps`: the list, the ways, the difference and the bill of materials, over files written for it.

use serde_json::{Value, json};

use super::fixture::Repo;

const MANIFEST: &str = r#"{
  "name": "app",
  "dependencies": {
    "é": "npm:@s/left@^1.0.0",
    "top": "^2.0.0"
  }
}
"#;

const LOCK: &str = r#"{
  "lockfileVersion": 3,
  "packages": {
    "": { "name": "app", "dependencies": { "é": "npm:@s/left@^1.0.0", "top": "^2.0.0" } },
    "node_modules/é": { "name": "@s/left", "version": "1.2.0", "dependencies": { "low": "*" } },
    "node_modules/top": { "version": "2.0.1", "dependencies": { "mid": "*" } },
    "node_modules/mid": { "version": "3.0.0", "dependencies": { "low": "*" } },
    "node_modules/low": { "version": "0.1.0" }
  }
}
"#;

const CARGO: &str = "[package]\nname = \"tool\"\nversion = \"0.1.0\"\n[dependencies]\nserde = \"=1.0.200\"\n";

fn repo() -> Repo {
    Repo::with(&[
        ("package.json", MANIFEST),
        ("package-lock.json", LOCK),
        ("tool/Cargo.toml", CARGO),
        ("broken/package.json", "{\n  \"dependencies\": {\n"),
    ])
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// By hand from the files above. The columns are those of code points: `é` is one.
#[test]
fn the_json_is_the_agreed_interface() {
    let repo = repo();
    let found = value(&repo.cortex(&["deps", ".", "--json"]).ends(3).stdout);
    let declared = |constraint: &str, raw: &str, alias: Value, line: u32, column: u32| {
        json!([{
            "constraint": constraint, "raw_name": raw, "alias": alias, "scope": "normal", "source": "registry",
            "path": "package.json", "line": line, "column": column,
        }])
    };
    let resolved = |version: &str, line: u32, column: u32| {
        json!([{
            "version": version, "scope": "normal", "source": "registry",
            "path": "package-lock.json", "line": line, "column": column,
        }])
    };
    // Beside the agreed fields, what each entry got.
    let npm = |name: &str, purl: &str, relation: &str, mut declared: Value, resolved: Value| {
        if let Some(entry) = declared.get_mut(0) {
            entry["settled"] = resolved[0]["version"].clone();
        }
        json!({
            "ecosystem": "npm", "name": name, "purl": purl, "relation": relation,
            "declared": declared, "resolved": resolved,
        })
    };
    let pin = |mut it: Value| {
        it["path"] = json!("tool/Cargo.toml");
        (it["line"], it["column"]) = (json!(5), json!(10));
        (it["scope"], it["source"]) = (json!("normal"), json!("registry"));
        json!([it])
    };
    let serde = json!({
        "ecosystem": "cargo", "name": "serde", "purl": "pkg:cargo/serde", "relation": "direct",
        "declared": pin(json!({"constraint": "=1.0.200", "raw_name": "serde", "alias": null})),
        "resolved": pin(json!({"version": "1.0.200"})),
    });
    assert_eq!(
        found["dependencies"],
        json!([
            serde,
            npm(
                "@s/left",
                "pkg:npm/%40s/left",
                "direct",
                declared("^1.0.0", "é", json!("é"), 4, 23),
                resolved("1.2.0", 5, 56),
            ),
            npm("low", "pkg:npm/low", "transitive", json!([]), resolved("0.1.0", 8, 39)),
            npm("mid", "pkg:npm/mid", "transitive", json!([]), resolved("3.0.0", 7, 39)),
            npm(
                "top",
                "pkg:npm/top",
                "direct",
                declared("^2.0.0", "top", Value::Null, 5, 13),
                resolved("2.0.1", 6, 39),
            ),
        ])
    );
}

#[test]
fn what_cannot_be_read_is_a_diagnostic() {
    let found = value(&repo().cortex(&["deps", "--json"]).ends(3).stdout);
    let diagnostics = found["diagnostics"].as_array().unwrap();
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0]["path"], "broken/package.json");
    assert_eq!(diagnostics[0]["code"], "dependency_file_unreadable");
    let keys: Vec<&String> = diagnostics[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["code", "line", "message", "path"]);
}

/// A link can lead anywhere, and a nested repository answers for itself.
#[test]
fn what_is_left_out_on_purpose_is_counted() {
    let repo = Repo::with(&[
        ("package.json", r#"{"workspaces": ["../a", "./../b", "c"]}"#),
        ("go.work", "go 1.21\nuse ./m\nuse ../out\n"),
        ("m/go.mod", "module m\ngo 1.21\n"),
        ("nested/two/package.json", "{}"),
    ]);
    for link in ["y/package.json", "x/go.mod", "x/other"] {
        let link = std::path::PathBuf::from(repo.beside(&format!("repo/{link}")));
        std::fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink("../package.json", link).unwrap();
    }
    repo.git(&["init", "-q", "nested/two"]);
    let found = value(&repo.cortex(&["deps", "--json"]).ends(0).stdout);
    let shown: Vec<String> = found["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            format!(
                "{} {} {}",
                it["code"].as_str().unwrap(),
                it["path"].as_str().unwrap(),
                it["message"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "dependency_workspace_outside go.work 1 member outside of the workspace left out of it, the first of them `../out`",
            "dependency_workspace_outside package.json 2 members outside of the workspace left out of it, the first of them `../a`",
            "manifest_linked x/go.mod 2 symbolic links of a manifest or lockfile left out; a file of the repository is read where it stands",
            "repository_nested nested/two 1 nested repository left out; name its folder to list what it depends on",
        ]
    );
    let below = value(&repo.cortex(&["deps", "y", "--json"]).ends(0).stdout);
    assert_eq!(below["diagnostics"][0]["path"], "y/package.json");
}

/// What cannot be read may hold anything, so that neither command calls the repository clean.
#[test]
fn a_scan_is_as_incomplete_as_the_list() {
    let repo = repo();
    repo.cortex(&["deps"]).ends(3);
    repo.scan(&[]).ends(3);
    let gaps = repo.document("bundle.json")["verdict"]["gaps"].clone();
    assert_eq!(gaps, json!(["broken/package.json could not be read for its dependencies"]));
    // A change that leaves it alone is judged without it.
    repo.scan(&["--base", "HEAD"]).ends(0);
    repo.write("broken/package.json", "{ \"dependencies\": [");
    repo.scan(&["--base", "HEAD"]).ends(3);
    repo.write("broken/package.json", "{}");
    repo.cortex(&["deps"]).ends(0);
    repo.scan(&[]).ends(0);
}

#[test]
fn a_pipe_gets_rows_and_nothing_else() {
    let repo = repo();
    let run = repo.cortex(&["deps", "package.json"]).ends(0);
    assert_eq!(
        run.stdout,
        "@s/left as é  ^1.0.0  1.2.0  normal  package.json:4:23\n\
         top           ^2.0.0  2.0.1  normal  package.json:5:13\n"
    );
    assert_eq!(run.stderr, "");
    let all = repo.cortex(&["deps", "package-lock.json", "--all"]).ends(0).stdout;
    assert!(
        all.lines().any(|it| it == "low           -       0.1.0  transitive  package-lock.json:8:39"),
        "{all}"
    );
}

#[test]
fn a_path_says_whose_dependencies_are_shown() {
    let repo = repo();
    let tool = repo.cortex(&["deps", "tool"]).ends(0).stdout;
    assert_eq!(tool, "serde  =1.0.200  1.0.200  normal  tool/Cargo.toml:5:10\n");
    repo.cortex(&["deps", "broken/package.json"]).ends(3);
    repo.write("notes.md", "");
    repo.cortex(&["deps", "notes.md"]).fails(2, "dependency_format_unknown");
    repo.cortex(&["deps", "nowhere"]).fails(2, "path_unusable");
    // A file that someone names is read although an ignore file names it too.
    repo.write(".gitignore", "kept/\n");
    repo.write("kept/package.json", r#"{"dependencies": {"x": "1.0.0"}}"#);
    let kept = repo.cortex(&["deps", "kept/package.json"]).ends(0).stdout;
    assert_eq!(kept, "x  1.0.0  1.0.0  normal  kept/package.json:1:25\n");
}

#[test]
fn why_names_a_way_from_each_direct_dependency() {
    let repo = repo();
    let low = "low@0.1.0 (npm) package-lock.json:8:39\n  package.json:4:23 asks for `^1.0.0` (normal)\n    \
               @s/left@1.2.0 > low@0.1.0\n  package.json:5:13 asks for `^2.0.0` (normal)\n    \
               top@2.0.1 > mid@3.0.0 > low@0.1.0\n";
    for name in ["low", "low@0.1.0", "pkg:npm/low", "pkg:npm/low@0.1.0"] {
        assert_eq!(repo.cortex(&["deps", "why", name, "package-lock.json"]).ends(0).stdout, low, "{name}");
    }
    let found = value(&repo.cortex(&["deps", "why", "é", "package-lock.json", "--json"]).ends(0).stdout);
    assert_eq!(found["found"][0]["ways"][0]["steps"], json!(["@s/left@1.2.0"]));
    assert_eq!(found["found"][0]["ways_total"], 1);
    let error = repo.cortex(&["deps", "why", "lo", "package-lock.json"]).fails(2, "dependency_unknown");
    assert!(error.stderr.contains("hint: there is low"), "{}", error.stderr);
}

#[test]
fn why_names_the_versions_that_there_are() {
    let repo = repo();
    let error =
        repo.cortex(&["deps", "why", "low@9.9.9", "package-lock.json"]).fails(2, "dependency_unknown");
    assert!(error.stderr.contains("hint: there is low@0.1.0"), "{}", error.stderr);
    let error = repo
        .cortex(&["deps", "why", "pkg:npm/%40s/left@2.0.0", "package.json"])
        .fails(2, "dependency_unknown");
    assert!(error.stderr.contains("hint: there is @s/left@1.2.0"), "{}", error.stderr);
}

/// A build list says that others bring a module, not which ones.
#[test]
fn why_says_what_a_build_list_leaves_out() {
    let repo = Repo::with(&[(
        "go.mod",
        "module x\ngo 1.21\nrequire a.b/c v1.0.0\nrequire d.e/f v1.0.0 // indirect\n",
    )]);
    let codes = |name: &str| {
        let found = value(&repo.cortex(&["deps", "why", name, "--json"]).ends(0).stdout);
        found["diagnostics"].as_array().unwrap().iter().map(|it| it["code"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(codes("a.b/c"), Vec::<Value>::new());
    assert_eq!(codes("d.e/f"), ["dependency_way_unrecorded"]);
}

#[test]
fn a_row_has_the_condition_and_the_hint_is_short() {
    let repo = Repo::with(&[
        ("notes.md", "x"),
        ("Cargo.toml", "[package]\nname = \"a\"\n[target.'cfg(windows)'.dependencies]\nb = \"1\"\n"),
        (
            "pyproject.toml",
            "[project]\ndependencies = [\"c<2; python_version < '3.9' and platform_machine == 'riscv64'\"]\n",
        ),
    ]);
    let rows = repo.cortex(&["deps"]).ends(0).stdout;
    let expected = "b  1 if cfg(windows)  (unlocked)  normal  Cargo.toml:4:6\n\
        c  <2 if python_version < '3.9' and platform_machine == '…  (unlocked)  normal  pyproject.toml:2:19\n";
    assert_eq!(rows, expected);
    let found = value(&repo.cortex(&["deps", "--json", "--all"]).ends(0).stdout);
    assert_eq!(found["dependencies"][0]["declared"][0]["condition"], "cfg(windows)");
    let error = repo.cortex(&["deps", "notes.md"]).fails(2, "dependency_format_unknown");
    assert!(error.stderr.len() < 300, "{}", error.stderr);
    let names = repo.cortex(&["explain", "dependency_format_unknown"]).ends(0).stdout;
    assert!(names.contains("vendor/modules.txt"), "{names}");
}

#[test]
fn diff_tells_constraints_from_versions() {
    let repo = repo();
    repo.write("package.json", MANIFEST.replace("^2.0.0", "^2.0.1"));
    repo.write("package-lock.json", LOCK.replace("0.1.0", "0.2.0"));
    let text = repo.cortex(&["deps", "diff", "--base", "HEAD", "package.json"]).ends(0).stdout;
    assert_eq!(text, "constraint_changed  top  ^2.0.0  ^2.0.1  package.json:5:13\n");
    let found = value(&repo.cortex(&["deps", "diff", "--base", "HEAD", "--json"]).ends(3).stdout);
    let low = &found["changes"][0];
    assert_eq!(low["name"], "low");
    assert_eq!(low["change"], "version_moved");
    assert_eq!(
        low["before"],
        json!({"of": "base", "values": ["0.1.0"], "constraints": [], "path": "package-lock.json", "line": 8, "column": 39})
    );
    assert_eq!(low["after"]["values"], json!(["0.2.0"]));
    assert_eq!(low["after"]["of"], "current");
    assert_eq!(low["distance"], "minor");
    repo.cortex(&["deps", "diff", "--base", "nothing"]).fails(2, "revision_unknown");
}

/// What is gone stands in the base only, and what came need not be locked yet.
#[test]
fn diff_says_what_came_and_where_what_went_was() {
    let repo =
        Repo::with(&[("package.json", MANIFEST), ("package-lock.json", LOCK), ("tool/Cargo.toml", CARGO)]);
    repo.commit();
    repo.write("package.json", MANIFEST.replace(r#""é": "npm:@s/left@^1.0.0""#, r#""new": "^3.1.0""#));
    repo.write("tool/Cargo.toml", CARGO.replace("serde = \"=1.0.200\"", "log = \"=0.4.20\""));
    let text = repo.cortex(&["deps", "diff", "--base", "HEAD"]).ends(0).stdout;
    assert_eq!(
        text,
        "added               log      -                   =0.4.20 (0.4.20)  tool/Cargo.toml:5:8\n\
         removed             serde    =1.0.200 (1.0.200)  -                 tool/Cargo.toml:5:10 (in the base)\n\
         constraint_changed  @s/left  ^1.0.0              -                 package.json:4:23 (in the base)\n\
         added               new      -                   ^3.1.0            package.json:4:13\n"
    );
}

/// A lockfile that someone tampered with: the version is the same, what is installed is not.
#[test]
fn diff_names_another_source_and_another_content_of_a_version() {
    let lock = |address: &str, sum: &str| {
        LOCK.replace(
            "{ \"version\": \"3.0.0\",",
            &format!("{{ \"version\": \"3.0.0\", \"resolved\": \"{address}\", \"integrity\": \"{sum}\","),
        )
    };
    let repo = Repo::with(&[
        ("package.json", MANIFEST),
        ("package-lock.json", &lock("https://r.example/mid.tgz", "sha512-AA==")),
    ]);
    repo.commit();
    repo.write("package-lock.json", lock("https://evil.example/mid.tgz", "sha512-BB=="));
    let text = repo.cortex(&["deps", "diff", "--base", "HEAD"]).ends(0).stdout;
    assert_eq!(
        text,
        "source_changed    mid  https://r.example/mid.tgz  https://evil.example/mid.tgz  package-lock.json:7:39\n\
         checksum_changed  mid  sha512-AA==                sha512-BB==                   package-lock.json:7:39\n"
    );
}

/// The schema itself is asked in `ci/bill.py`.
#[test]
fn the_bill_of_materials_has_each_version_once_and_who_needs_it() {
    let repo = repo();
    let bom = value(&repo.cortex(&["deps", "--cyclonedx", "package-lock.json"]).ends(0).stdout);
    assert_eq!(bom["specVersion"], "1.6");
    let left = &bom["components"][0];
    assert_eq!(
        *left,
        json!({
            "type": "library", "bom-ref": "pkg:npm/%40s/left@1.2.0", "group": "@s", "name": "left",
            "version": "1.2.0", "scope": "required", "purl": "pkg:npm/%40s/left@1.2.0",
            "properties": [{"name": "cortex:constraint", "value": "^1.0.0"}],
            "evidence": {"occurrences": [
                {"location": "package-lock.json", "line": 5},
                {"location": "package.json", "line": 4},
            ]},
        })
    );
    assert_eq!(
        bom["dependencies"][0],
        json!({"ref": "repository", "dependsOn": ["pkg:npm/%40s/left@1.2.0", "pkg:npm/top@2.0.1"]})
    );
    assert_eq!(
        bom["dependencies"][1],
        json!({"ref": "pkg:npm/%40s/left@1.2.0", "dependsOn": ["pkg:npm/low@0.1.0"]})
    );
    repo.cortex(&["deps", "--json", "--cyclonedx"]).ends(2);
}

/// Whether what others bring is needed to run, a module does not say.
#[test]
fn the_bill_of_materials_has_what_others_bring() {
    let requirements = "require example.org/Up v1.0.0\nrequire example.org/b v1.0.0 // indirect\n";
    let listed = |language: &str| -> Vec<(String, Value)> {
        let repo = Repo::with(&[("go.mod", &format!("go {language}\n{requirements}"))]);
        let bom = value(&repo.cortex(&["deps", "--cyclonedx"]).ends(0).stdout);
        let row = |it: &Value| (it["purl"].as_str().unwrap().to_owned(), it["scope"].clone());
        bom["components"].as_array().unwrap().iter().map(row).collect()
    };
    let row = |purl: &str, scope: Value| (purl.to_owned(), scope);
    let up = |version: &str| row(&format!("pkg:golang/example.org/up{version}"), json!("required"));
    assert_eq!(listed("1.21"), [row("pkg:golang/example.org/b@v1.0.0", Value::Null), up("@v1.0.0")]);
    assert_eq!(listed("1.16"), [row("pkg:golang/example.org/b", Value::Null), up("")]);
}

/// Lockfiles are often larger than any source; the limit of sources is not theirs.
#[test]
fn a_scan_reads_a_lockfile_above_the_limit_of_sources() {
    let padding = |version: &str| {
        let entries =
            (0..20_000).map(|it| format!("    \"node_modules/p{it}\": {{ \"version\": \"1.0.{it}\" }},\n"));
        LOCK.replace(
            "    \"node_modules/mid\"",
            &format!("{}    \"node_modules/mid\"", entries.collect::<String>()),
        )
        .replace("\"2.0.1\"", version)
    };
    let repo = Repo::with(&[("package.json", MANIFEST), ("package-lock.json", &padding("\"2.0.1\""))]);
    assert!(repo.read("package-lock.json").len() > 1 << 20);
    repo.commit();
    repo.write("package-lock.json", padding("\"2.1.0\""));
    repo.scan(&["--base", "HEAD", "--pattern", "foo()", "--language", "js"]).ends(0);
    let found = repo.document("dependencies.json");
    let change = &found["changes"][0];
    assert_eq!(found["changes"].as_array().map(Vec::len), Some(1), "{}", found["changes"]);
    assert_eq!((&change["name"], &change["distance"]), (&json!("top"), &json!("minor")));
    assert_eq!((&change["before"], &change["after"]), (&json!("2.0.1"), &json!("2.1.0")));
}

#[test]
fn a_script_is_found_by_its_block_and_told_apart_in_a_change() {
    let script = |range: &str| format!("# /// script\n# dependencies = [\"idna{range}\"]\n# ///\nprint()\n");
    let repo = Repo::with(&[("tools/a.py", &script(">=3")), ("tools/b.py", "print('# /// script')\n")]);
    let listed = value(&repo.cortex(&["deps", "--json"]).ends(0).stdout);
    let places: Vec<Value> = listed["dependencies"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|it| it["declared"].as_array().unwrap().clone())
        .map(|it| json!([it["constraint"], it["path"], it["line"], it["column"]]))
        .collect();
    assert_eq!(places, [json!([">=3", "tools/a.py", 2, 24])]);
    repo.write("tools/a.py", script(">=3.1"));
    let diff = value(&repo.cortex(&["deps", "diff", "--base", "HEAD", "--json"]).ends(0).stdout);
    assert_eq!(diff["changes"].as_array().unwrap().len(), 1, "{diff}");
    let refused = repo.cortex(&["deps", "tools/b.py"]).ends(2).stderr;
    assert!(refused.contains("dependency_format_unknown"), "{refused}");
}

/// What only its text tells is read when someone names it, and never looked for.
#[test]
fn a_file_of_any_name_is_read_when_it_is_named_and_evident() {
    let pom = "<project><artifactId>a</artifactId><dependencies><dependency><groupId>g</groupId><artifactId>b\
               </artifactId><version>1</version></dependency></dependencies></project>";
    let repo = Repo::with(&[
        ("a-1.0.pom", pom),
        ("ant.xml", "<project name=\"a\" default=\"b\"><target name=\"b\"/></project>"),
        ("needs.txt", "# what it needs\nidna>=3\nsix\n"),
        ("loop.txt", "-r other.txt\n"),
        ("other.txt", "-r loop.txt\n"),
        ("words.txt", "some\nwords\n"),
        ("prose.txt", "idna >= 3 is what we need\nsix==1\n"),
        ("list.md", "six==1\n"),
    ]);
    let named = |name: &str| {
        let listed = value(&repo.cortex(&["deps", name, "--json"]).ends(0).stdout);
        let names = listed["dependencies"].as_array().unwrap().iter().map(|it| it["name"].clone());
        let codes = listed["diagnostics"].as_array().unwrap().iter().map(|it| it["code"].clone());
        json!([names.collect::<Vec<_>>(), codes.collect::<Vec<_>>()])
    };
    assert_eq!(named("a-1.0.pom"), json!([["g:b"], []]));
    assert_eq!(named("needs.txt"), json!([["idna", "six"], []]));
    assert_eq!(named("loop.txt"), json!([[], ["dependency_not_included"]]));
    for name in ["ant.xml", "words.txt", "prose.txt", "list.md"] {
        repo.cortex(&["deps", name]).fails(2, "dependency_format_unknown");
    }
    assert_eq!(repo.cortex(&["deps"]).ends(0).stdout, "");
}
