//! Who uses a dependency, over files written for it; what is expected was read off them by hand. The place is that of the
//! first name of the package, or of the statement where it names only the module.

use serde_json::{Value, json};

use super::fixture::Repo;

fn repo() -> Repo {
    Repo::with(&[
        (
            "package.json",
            r#"{"dependencies": {"@s/pkg": "^1.0.0", "left": "npm:right@1.0.0", "idle": "1.0.0"}}"#,
        ),
        ("sub/package.json", r#"{"dependencies": {"@s/pkg": "^2.0.0"}}"#),
        (
            "src/a.ts",
            "import thing, { one as uno, type Two } from '@s/pkg';\nimport * as space from '@s/pkg/deep/x';\n\
             import './local';\nimport fs from 'node:fs';\nuno(); space.inner(); thing.method();\n\
             function f(space) { return space.shadowed(); }\n",
        ),
        ("src/b.js", "const { take } = require('left');\nconst whole = require('left');\nwhole.given();\n"),
        ("sub/c.mjs", "import '@s/pkg';\nexport { three } from '@s/pkg';\n"),
        ("requirements/base.txt", "PyYAML==6.0.1\nrequests==2.0\nown==1.0\nold-name==1.0\n"),
        (
            "app/main.py",
            "import yaml\nfrom yaml.loader import SafeLoader as Safe\nimport requests.adapters as adapters\n\
             import own\nimport old_name\n\nyaml.load('', Loader=Safe)\nadapters.HTTPAdapter()\n",
        ),
        ("own.py", ""),
        (
            "Cargo.toml",
            "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\n\
          serde-x = \"=1.0.0\"\nre = { package = \"regex\", version = \"=1.0.0\" }\nown = \"=1.0.0\"\n",
        ),
        (
            "src/lib.rs",
            "mod own;\nuse serde_x::{value::Map, Value};\nuse own::thing;\n\
             fn f() { re::Regex::new(\"\"); let serde = 1; own::g(); std::mem::take(&mut 1); }\n",
        ),
        ("src/own.rs", ""),
        (".gitignore", ".venv\n"),
    ])
}

/// Each package as `ecosystem name known-by names: path:line:column names; …`.
fn used(found: &Value) -> Vec<String> {
    let texts = |it: &Value| {
        let all: Vec<&str> = it.as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
        all.join(",")
    };
    let of = |it: &Value| {
        let files = it["used_by"].as_array().unwrap().iter();
        let files: Vec<String> = files
            .map(|it| {
                format!(
                    "{}:{}:{} {}",
                    it["path"].as_str().unwrap(),
                    it["line"],
                    it["column"],
                    texts(&it["names"])
                )
            })
            .collect();
        let names = &it["imported_as"];
        format!(
            "{} {} {} {}: {}",
            it["ecosystem"].as_str().unwrap(),
            it["name"].as_str().unwrap(),
            names["known_by"].as_str().unwrap(),
            texts(&names["names"]),
            files.join("; ")
        )
    };
    found["dependencies"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn a_dependency_is_used_where_an_import_names_it() {
    let repo = repo();
    let found = repo.cortex(&["deps", "--used", "--json"]).ends(0).json();
    assert_eq!(
        used(&found),
        [
            "cargo own convention own: ",
            "cargo regex manifest re: src/lib.rs:4:21 Regex::new",
            "cargo serde-x convention serde_x: src/lib.rs:2:22 Value,value::Map",
            "npm @s/pkg manifest @s/pkg: src/a.ts:1:8 Two,deep/x,deep/x/inner,default,method,one; sub/c.mjs:1:1 three",
            "npm idle manifest idle: ",
            "npm right manifest left: src/b.js:1:9 given,take",
            "pypi old-name convention old_name: app/main.py:5:1 ",
            "pypi own convention own: ",
            "pypi pyyaml published _yaml,yaml: app/main.py:1:1 load,loader.SafeLoader",
            "pypi requests convention requests: app/main.py:3:1 adapters,adapters.HTTPAdapter",
        ]
    );
}

/// As `pip` installs them: the list of files says what is imported, under whatever name.
#[test]
fn what_is_installed_says_by_which_name_it_is_imported() {
    let repo = repo();
    let record = "old/module/__init__.py,sha256=x,1\nold/module/y.py,,\nold_name-1.0.dist-info/RECORD,,\n";
    repo.write(".venv/lib/python3.12/site-packages/old_name-1.0.dist-info/RECORD", record);
    repo.write("app/main.py", "from old import module\nimport old\nfrom old.module.y import Z\n");
    let found = repo.cortex(&["deps", "--used", "--json"]).ends(0).json();
    let lines = used(&found);
    let line = lines.iter().find(|it| it.contains("old-name")).unwrap();
    assert_eq!(line, "pypi old-name installed old.module: app/main.py:1:17 y.Z");
}

#[test]
fn a_scan_and_a_person_are_told_the_same() {
    let repo = repo();
    repo.scan(&[]).ends(0);
    let listed = repo.document("dependencies.json");
    let of = |name: &str| {
        let all = listed["dependencies"].as_array().unwrap();
        all.iter().find(|it| it["name"] == name).unwrap()["used_by"].clone()
    };
    assert_eq!(
        of("right"),
        json!([{"path": "src/b.js", "line": 1, "column": 9, "names": ["given", "take"]}])
    );
    assert_eq!(of("idle"), json!([]));
    let rows = repo.cortex(&["deps", "--used"]).ends(0).stdout;
    let row = rows.lines().find(|it| it.starts_with("right as left")).unwrap();
    assert!(row.ends_with("package.json:1:58  1 file: given, take"), "{row}");
    assert!(rows.lines().any(|it| it.starts_with("idle") && it.ends_with("0 files")), "{rows}");
}

/// Each row without its columns of versions: name, place, and who uses it.
fn rows(repo: &Repo) -> Vec<String> {
    let rows = repo.cortex(&["deps", "--used"]).ends(0).stdout;
    let columns =
        |row: &str| row.split("  ").map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect();
    let rows = rows.lines().map(|row| -> Vec<String> { columns(row) });
    rows.map(|it| [it.first(), it.get(it.len() - 2), it.last()].map(|it| it.unwrap().as_str()).join(" | "))
        .collect()
}

#[test]
fn a_row_counts_the_files_of_its_own_member() {
    let member = |name: &str| {
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\nre = \"=1.0.0\"\n"
        )
    };
    let root =
        format!("[workspace]\nmembers = [\"a\", \"b\", \"c\"]\n{}never = \"=1.0.0\"\n", member("root"));
    let repo = Repo::with(&[
        ("Cargo.toml", &root),
        ("src/lib.rs", "use re::One;\n"),
        ("tests/t.rs", "use re::Two;\n"),
        ("a/Cargo.toml", &member("a")),
        ("a/src/lib.rs", "use re::Three;\n"),
        ("b/Cargo.toml", &member("b")),
        ("b/src/lib.rs", "\n"),
        ("c/Cargo.toml", &member("c").replace("re =", "other =")),
        ("c/src/lib.rs", "use re::Four;\n"),
        ("package.json", r#"{"workspaces": ["packages/*"], "dependencies": {"p": "1.0.0"}}"#),
        ("packages/x/package.json", r#"{"name": "x", "dependencies": {"p": "1.0.0"}}"#),
        ("packages/x/i.js", "import { one } from 'p';\n"),
        ("packages/y/package.json", r#"{"name": "y", "dependencies": {"q": "1.0.0"}}"#),
        ("packages/y/i.js", "import { two } from 'p';\nimport 'q';\n"),
        ("pyproject.toml", "[project]\nname = \"own\"\nversion = \"1\"\ndependencies = [\"left==1.0\"]\n"),
        ("requirements/dev.txt", "right==1.0\nleft==1.0\n"),
        ("app/main.py", "import left\nimport right\n"),
    ]);
    let found = rows(&repo);
    assert_eq!(
        found,
        [
            "never | Cargo.toml:9:10 | unknown",
            "other | c/Cargo.toml:6:10 | unknown",
            "re | Cargo.toml:8:7 | 2 files: One, Two",
            "re | a/Cargo.toml:6:7 | 1 file: Three",
            "re | b/Cargo.toml:6:7 | 0 files",
            "p | package.json:1:55 | 1 file: two",
            "p | packages/x/package.json:1:38 | 1 file: one",
            "q | packages/y/package.json:1:38 | 1 file",
            "left | pyproject.toml:4:22 | 1 file",
            // Another project, whose list is not the nearest.
            "left | requirements/dev.txt:2:5 | unknown",
            "right | requirements/dev.txt:1:6 | 1 file",
        ]
    );
}
