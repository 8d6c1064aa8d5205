//! What a lockfile says about who needs whom, by hand-written files.

use super::{all_resolved, entry, joined, text_at};
use crate::deps::join::State;
use crate::deps::{Relation, join, read};
use crate::model::RepoPath;

/// Each package as `name@version (checksum) > what it needs`, in the order of the file's reading.
#[track_caller]
fn check(path: &str, text: &str, expected: &[&str]) {
    let path: RepoPath = path.parse().unwrap();
    let reading = read(&path, text.as_bytes()).unwrap();
    assert_eq!(reading.notes, []);
    let files = [(path, text.as_bytes().to_vec())];
    let shown = reading.resolved.iter().map(|it| {
        assert_eq!(text_at(&files, &it.place), it.version);
        let needs: Vec<String> = it.dependencies.iter().map(ToString::to_string).collect();
        let checksum = it.checksum.as_deref().unwrap_or("-");
        format!("{} ({checksum}) {} > {}", it.pin(), it.source.name(), needs.join(" "))
    });
    assert_eq!(shown.collect::<Vec<_>>(), expected);
}

#[test]
fn cargo_names_a_package_with_as_much_as_it_takes() {
    let text = r#"
[[package]]
name = "app"
version = "1.0.0"
dependencies = ["one", "two 1.0.0", "three 1.0.0 (git+https://example.org/b#1)", "two 0.9.5", "none"]

[[package]]
name = "one"
version = "0.1.0"
source = "registry+https://example.org/index"
checksum = "aa"

[[package]]
name = "two"
version = "0.9.0"
source = "registry+https://example.org/index"

[[package]]
name = "two"
version = "1.0.0"
source = "registry+https://example.org/index"

[[package]]
name = "three"
version = "1.0.0"
source = "git+https://example.org/a#1"
dependencies = ["one"]

[[package]]
name = "three"
version = "1.0.0"
source = "git+https://example.org/b#1"
dependencies = ["two 0.9.0", "one 0.0.5"]

[metadata]
"checksum two 1.0.0 (registry+https://example.org/index)" = "bb"
"checksum three 1.0.0 (git+https://example.org/a#1)" = "<none>"
"#;
    let expected = [
        "app@1.0.0 (-) workspace > one@0.1.0 two@1.0.0 three@1.0.0",
        "one@0.1.0 (aa) registry > ",
        "two@0.9.0 (-) registry > ",
        "two@1.0.0 (bb) registry > ",
        "three@1.0.0 (-) git > one@0.1.0",
        "three@1.0.0 (-) git > two@0.9.0",
    ];
    check("Cargo.lock", text, &expected);
    // Of the two that are named `three` it is the second one that `app` needs.
    let dependencies = joined(&[("Cargo.lock", text)]);
    let old = dependencies.dependencies.iter().find(|it| it.name == "two").unwrap();
    let path = Relation::Transitive { path: vec!["three@1.0.0".to_owned(), "two@0.9.0".to_owned()] };
    assert_eq!(old.resolved[0].relation, path);
}

#[test]
fn npm_looks_a_name_up_from_the_inside_out() {
    let nested = r#"{"lockfileVersion": 1, "dependencies": {
        "a": {"version": "1.0.0", "integrity": "x", "requires": {"b": "^2", "c": "*"},
            "dependencies": {"b": {"version": "2.0.0", "requires": {"c": "*", "b": "*", "gone": "1"}}}},
        "b": {"version": "1.0.0"},
        "c": {"version": "git+https://example.org/c.git#0123abc", "from": "git+https://example.org/c.git"},
        "d": {"version": "npm:@real/d@3.0.0"}}}"#;
    let expected = [
        "a@1.0.0 (x) registry > c@0123abc b@2.0.0",
        "b@1.0.0 (-) registry > ",
        "c@0123abc (-) git > ",
        "@real/d@3.0.0 (-) registry > ",
        "b@2.0.0 (-) registry > c@0123abc b@2.0.0",
    ];
    check("package-lock.json", nested, &expected);
    let folders = r#"{"lockfileVersion": 3, "packages": {
        "node_modules/a": {"version": "1.0.0", "dependencies": {"b": "^2", "c": "*"}, "optionalDependencies": {"gone": "1"}},
        "node_modules/a/node_modules/b": {"version": "2.0.0", "peerDependencies": {"c": "*"}},
        "node_modules/b": {"version": "1.0.0"},
        "node_modules/c": {"version": "5.0.0", "resolved": "git+ssh://git@example.org/c.git#0123abc"},
        "node_modules/@s/d": {"name": "@real/d", "version": "3.0.0", "integrity": "y", "dependencies": {"l": "*"}},
        "node_modules/l": {"link": true, "resolved": "packages/l"},
        "packages/l": {"version": "0.1.0", "dependencies": {"b": "*"}, "devDependencies": {"c": "*"}},
        "packages/l/node_modules/b": {"version": "4.0.0"}}}"#;
    let expected = [
        "@real/d@3.0.0 (y) registry > l@0.1.0",
        "a@1.0.0 (-) registry > b@2.0.0 c@5.0.0",
        "b@2.0.0 (-) registry > c@5.0.0",
        "b@1.0.0 (-) registry > ",
        "c@5.0.0 (-) git > ",
        "l@0.1.0 (-) workspace > c@5.0.0 b@4.0.0",
        "b@4.0.0 (-) registry > ",
    ];
    check("npm-shrinkwrap.json", folders, &expected);
}

#[test]
fn a_path_is_a_shortest_one() {
    let package = |name: &str, needs: &str| {
        let source = if name == "app" { "" } else { "source = \"registry+x\"\n" };
        format!("[[package]]\nname = \"{name}\"\nversion = \"1.0.0\"\n{source}dependencies = [{needs}]\n")
    };
    let lock = [
        package("app", "\"long\", \"short\""),
        package("end", ""),
        package("short", "\"end\""),
        package("long", "\"middle\""),
        package("middle", "\"end\""),
        package("stray", ""),
    ];
    let dependencies = joined(&[("Cargo.lock", &lock.concat())]);
    let relation =
        |name: &str| &dependencies.dependencies.iter().find(|it| it.name == name).unwrap().relation;
    let path = ["short@1.0.0", "end@1.0.0"].map(str::to_owned).to_vec();
    assert_eq!(relation("end"), &Relation::Transitive { path });
    assert_eq!((relation("short"), relation("stray")), (&Relation::Direct, &Relation::Unlinked));
}

#[test]
fn a_repository_is_not_pinned_by_a_version_beside_it() {
    let text = "[dependencies]\na = { git = \"https://example.org/a\", version = \"=1.0.0\" }\n";
    let dependencies = joined(&[("Cargo.toml", text)]);
    assert_eq!(dependencies.dependencies[0].state, State::Unlocked);
}

/// The rows are a name, a version and how the project comes to it.
#[track_caller]
fn check_resolved(files: &[(&str, &str)], expected: &[&str]) {
    let dependencies = joined(files);
    let rows = all_resolved(&dependencies).map(|it| {
        let relation = match &it.relation {
            Relation::Direct => "direct".to_owned(),
            Relation::Transitive { path } => path.join(" > "),
            Relation::Unlinked => "unlinked".to_owned(),
        };
        format!("{} {} {} {relation}", it.name, it.version, it.source.name())
    });
    assert_eq!(rows.collect::<Vec<_>>(), expected, "{:?}", dependencies.notes);
}

#[test]
fn a_repository_without_a_version_has_its_commit() {
    let lock = r#"{"lockfileVersion": 3, "packages": {
        "": {"dependencies": {"a": "o/a", "b": "file:./deps/b"}},
        "node_modules/a": {"resolved": "git+ssh://git@github.com/o/a.git#c2b377e7"},
        "deps/b": {"version": "1.8.0"}
    }}"#;
    check_resolved(&[("package-lock.json", lock)], &["a c2b377e7 git direct", "b 1.8.0 workspace direct"]);
}

#[test]
fn yarn_1_is_asked_by_the_words_of_the_manifest() {
    let manifest = r#"{"dependencies": {"x": "npm:real@^1", "y": "^2.0.0", "moved": "^9"}}"#;
    let lock = "\"x@npm:real@^1\":\n  version \"1.2.0\"\n  dependencies:\n    y \"^1.0.0\"\n\n\
                y@^1.0.0:\n  version \"1.0.0\"\n\ny@^2.0.0, \"y@>=2\":\n  version \"2.5.0\"\n\n\
                moved@^8:\n  version \"8.0.0\"\n\nleft@^1:\n  version \"1.0.0\"\n";
    check_resolved(
        &[("package.json", manifest), ("yarn.lock", lock)],
        &[
            "left 1.0.0 registry unlinked",
            // The constraint changed since; the name is clear all the same.
            "moved 8.0.0 registry direct",
            "real 1.2.0 registry direct",
            "y 1.0.0 registry real@1.2.0 > y@1.0.0",
            "y 2.5.0 registry direct",
        ],
    );
}

/// Older files leave the registry's protocol out of what packages need, and long keys are written with `?`.
#[test]
fn yarn_berry_is_read_as_its_versions_write_it() {
    let lock = "__metadata:\n  version: 5\n\n\"own@workspace:.\":\n  version: 0.0.0-use.local\n  \
                resolution: \"own@workspace:.\"\n  dependencies:\n    a: ^1.0.0\n\n? \"a@npm:^1.0.0, a@npm:1\"\n:\n  \
                version: 1.1.0\n  resolution: \"a@npm:1.1.0\"\n  dependencies:\n    \"@s/b\": \"npm:^2\"\n\n\
                \"@s/b@npm:^2\":\n  version: 2.0.0\n  resolution: \"@s/b@npm:2.0.0\"\n\n\
                \"a@patch:a@npm%3A1#~builtin<compat/a>\":\n  version: 1.1.0\n  \
                resolution: \"a@patch:a@npm%3A1.1.0#~builtin<compat/a>::version=1.1.0\"\n";
    check_resolved(
        &[("yarn.lock", lock)],
        &["@s/b 2.0.0 registry a@1.1.0 > @s/b@2.0.0", "a 1.1.0 registry direct"],
    );
}

#[test]
fn pnpm_names_what_comes_from_elsewhere_in_its_entry() {
    let lock = "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      d:\n        specifier: o/d\n        \
                version: https://codeload.github.com/o/d/tar.gz/abc\n      gone:\n        specifier: ^1\n        \
                version: 1.5.0(p@1.0.0)\n\npackages:\n  d@https://codeload.github.com/o/d/tar.gz/abc:\n    \
                resolution: {tarball: https://codeload.github.com/o/d/tar.gz/abc}\n    version: 1.10.0\n";
    check_resolved(&[("pnpm-lock.yaml", lock)], &["d 1.10.0 git direct", "gone 1.5.0 registry direct"]);
}

#[test]
fn a_member_whose_workspace_is_not_there_says_so() {
    let member = "[package]\nname = \"m\"\nworkspace = \"../..\"\n[dependencies]\nlog = \"=0.4.0\"\n";
    let notes =
        |files: &[(&str, &str)]| joined(files).notes.into_iter().map(|it| it.code).collect::<Vec<_>>();
    assert_eq!(notes(&[("Cargo.toml", member)]), ["dependency_workspace_missing"]);
    assert_eq!(notes(&[("a/b/Cargo.toml", member), ("Cargo.toml", "[workspace]\n")]), [] as [&str; 0]);
}

#[test]
fn a_package_of_the_workspace_is_not_missing_in_a_lock_that_lists_none() {
    let root = r#"{"workspaces": ["p/*"]}"#;
    let (a, b) = (r#"{"name": "a", "dependencies": {"b": "1.0.0", "c": "1.0.0"}}"#, r#"{"name": "b"}"#);
    let files = [("package.json", root), ("p/a/package.json", a), ("p/b/package.json", b), ("yarn.lock", "")];
    let states: Vec<State> = joined(&files).dependencies.iter().map(|it| it.state).collect();
    assert_eq!(states, [State::Local, State::Missing]);
}

/// The first lines follow the lockfiles that bun's manual shows; the rest is by hand.
#[test]
fn bun_finds_what_stands_nearest_above() {
    let text = r#"{
  "lockfileVersion": 1, // a comment
  "workspaces": { "": { "name": "app", "dependencies": { "a": "1" } }, "x": { "name": "@s/x" }, },
  "packages": {
    "@s/x": ["@s/x@workspace:x", { "dependencies": { "b": "^2" } }],
    "a": ["a@1.0.0", "", { "dependencies": { "b": "^1" } }, "sha512-aa=="],
    "b": ["b@2.0.0", "", {}, "sha512-bb=="],
    "a/b": ["b@1.0.0", "", { "dependencies": { "@s/c": "1", "d": "1" } }, "sha512-cc=="],
    "d": ["d@2.0.0", "", {}, "sha512-dd=="],
    "a/d": ["d@1.0.0", "", {}, "sha512-ee=="],
    "@s/c": ["@s/c@github:owner/c#0a1b2c3", { "dependencies": { "b": "*" } }, "owner-c-0a1b2c3"],
  },
}"#;
    check(
        "bun.lock",
        text,
        &[
            "a@1.0.0 (sha512-aa==) registry > b@1.0.0",
            "b@2.0.0 (sha512-bb==) registry > ",
            "b@1.0.0 (sha512-cc==) registry > d@1.0.0 @s/c@github:owner/c#0a1b2c3",
            "d@2.0.0 (sha512-dd==) registry > ",
            "d@1.0.0 (sha512-ee==) registry > ",
            "@s/c@github:owner/c#0a1b2c3 (owner-c-0a1b2c3) git > b@2.0.0",
        ],
    );
}

#[test]
fn deno_follows_the_specifiers_of_jsr() {
    let text = r#"{
  "version": "5",
  "specifiers": { "jsr:@std/path@1": "1.1.5", "jsr:@std/internal@^1.0.12": "1.0.14", "npm:react-dom@19": "19.0.0_react@19.0.0" },
  "jsr": {
    "@std/path@1.1.5": { "integrity": "aa", "dependencies": ["jsr:@std/internal@^1.0.12"] },
    "@std/internal@1.0.14": { "integrity": "bb" }
  },
  "npm": {
    "react-dom@19.0.0_react@19.0.0": { "integrity": "cc", "dependencies": ["react"] },
    "react@19.0.0": { "integrity": "dd" }
  },
  "workspace": { "dependencies": ["jsr:@std/path@1", "npm:react-dom@19"] }
}"#;
    check(
        "deno.lock",
        text,
        &[
            "@std/path@1.1.5 (aa) registry > @std/internal@1.0.14",
            "@std/internal@1.0.14 (bb) registry > ",
            "react-dom@19.0.0 (cc) registry > react@19.0.0",
            "react@19.0.0 (dd) registry > ",
        ],
    );
    let dependencies = joined(&[("deno.lock", text)]);
    let direct = all_resolved(&dependencies).filter(|it| it.relation == Relation::Direct);
    let direct: Vec<&str> = direct.map(|it| it.name.as_str()).collect();
    assert_eq!(direct, ["@std/path", "react-dom"]);
}

#[test]
fn the_members_of_a_workspace_take_constraints_from_its_catalogs() {
    let workspace =
        "packages: ['packages/*']\ncatalog:\n  a: ^1.0.0\ncatalogs:\n  old:\n    a: 'npm:b@0.9'\n";
    let member = r#"{ "dependencies": { "a": "catalog:" }, "devDependencies": { "c": "catalog:old", "x": "catalog:" } }"#;
    let other = r#"{ "dependencies": { "a": "catalog:old" } }"#;
    for (name, yaml) in [("pnpm-workspace.yaml", workspace), (".yarnrc.yml", workspace)] {
        let files = [(name, yaml), ("packages/m/package.json", member), ("packages/n/package.json", other)];
        let dependencies = joined(&files);
        let files = files.map(|(path, text)| (path.parse::<RepoPath>().unwrap(), text.as_bytes().to_vec()));
        let shown = super::all_declared(&dependencies).filter(|it| it.scope.is_wanted()).map(|it| {
            let via = entry(it).map(|via| text_at(&files, via));
            (it.name.as_str(), it.constraint.as_deref(), text_at(&files, &it.place), via)
        });
        assert_eq!(
            shown.collect::<Vec<_>>(),
            [
                ("a", Some("^1.0.0"), "a", Some("^1.0.0")),
                ("b", Some("0.9"), "a", Some("0.9")),
                ("c", Some("catalog:old"), "c", None),
                ("x", Some("catalog:"), "x", None),
            ]
        );
        let missing: Vec<&str> = dependencies.notes.iter().map(|it| it.code.as_str()).collect();
        assert_eq!(missing, ["dependency_not_inherited", "dependency_not_inherited"]);
    }
}

#[test]
fn a_binary_lockfile_is_unread_and_says_what_to_do() {
    let reading =
        read(&"bun.lockb".parse().unwrap(), b"#!/usr/bin/env bun\nbun-lockfile-format-v0\n\0\xff").unwrap();
    assert!(reading.notes[0].message.contains("bun install --save-text-lockfile"));
    let dependencies = join(vec![
        read(&"package.json".parse().unwrap(), br#"{"dependencies": {"a": "1"}}"#).unwrap(),
        reading,
    ]);
    assert_eq!(dependencies.dependencies[0].state, State::LockUnreadable);
}

/// The lines are those of files that the real tools wrote, cut down.
#[test]
fn the_older_forms_of_denos_lockfile_are_read() {
    let second = r#"{ "version": "2", "remote": {}, "npm": {
  "specifiers": { "a@^1": "a@1.0.0" },
  "packages": { "a@1.0.0": { "integrity": "aa", "dependencies": { "b": "b@2.0.0" } }, "b@2.0.0": { "integrity": "bb", "dependencies": {} } }
} }"#;
    let third = r#"{ "version": "3", "packages": {
  "specifiers": { "npm:a@^1": "npm:a@1.0.0" },
  "npm": { "a@1.0.0": { "integrity": "aa", "dependencies": { "b": "b@2.0.0" } }, "b@2.0.0": { "integrity": "bb", "dependencies": {} } }
}, "remote": {} }"#;
    for text in [second, third] {
        check("deno.lock", text, &["a@1.0.0 (aa) registry > b@2.0.0", "b@2.0.0 (bb) registry > "]);
    }
}

#[test]
fn a_lockfile_that_was_read_counts_before_one_that_was_not() {
    let lock = br#"{"lockfileVersion": 3, "packages": {"": {}, "node_modules/a": {"version": "1.0.0"}}}"#;
    let readings = [
        read(&"bun.lockb".parse().unwrap(), b"\0").unwrap(),
        read(&"package-lock.json".parse().unwrap(), lock).unwrap(),
        read(&"package.json".parse().unwrap(), br#"{"dependencies": {"a": "1"}}"#).unwrap(),
    ];
    let dependencies = join(readings.to_vec());
    assert_eq!(dependencies.dependencies[0].resolved[0].version, "1.0.0");
    let codes: Vec<&str> = dependencies.notes.iter().map(|it| it.code.as_str()).collect();
    assert_eq!(codes, ["dependency_file_not_text", "dependency_lock_shadowed"]);
}

#[test]
fn a_lockfile_that_no_longer_fits_its_manifest_is_said_to() {
    let manifest = r#"{ "dependencies": { "a": "^2.0.0", "b": "^1.0.0", "c": "1", "d": "latest", "e": "^9" },
  "devDependencies": { "f": "~1.2" }, "peerDependencies": { "b": "^7" }, "overrides": { "e": "1.0.0" } }"#;
    let lock = r#"{ "lockfileVersion": 3, "packages": { "": {},
  "node_modules/a": { "version": "1.9.0" },
  "node_modules/b": { "version": "1.0.1" },
  "node_modules/d": { "version": "0.1.0" },
  "node_modules/e": { "version": "1.0.0" },
  "node_modules/f": { "version": "1.3.0" }
} }"#;
    let dependencies = joined(&[("package.json", manifest), ("package-lock.json", lock)]);
    let shown: Vec<String> = dependencies
        .notes
        .iter()
        .map(|it| format!("{}:{} {}", it.line.unwrap(), it.column.unwrap(), it.message))
        .collect();
    assert_eq!(
        shown,
        [
            "1:27 asks for a ^2.0.0, but package-lock.json:2 has 1.9.0",
            "2:30 asks for f ~1.2, but package-lock.json:6 has 1.3.0",
            "1:57 asks for c 1, which the lockfile does not list",
        ]
    );
}

/// Each entry as `file key asks > got`.
#[track_caller]
fn check_settled(files: &[(&str, &str)], expected: &[&str], notes: &[&str]) {
    let dependencies = joined(files);
    let mut shown: Vec<String> = super::all_declared(&dependencies)
        .map(|it| {
            let asks = it.constraint.as_deref().unwrap_or("-");
            format!("{} {} {asks} > {}", it.place.path, it.raw_name, it.settled.version().unwrap_or("?"))
        })
        .collect();
    shown.sort();
    assert_eq!(shown, expected);
    let said: Vec<String> = dependencies.notes.iter().map(|it| it.message.clone()).collect();
    assert_eq!(said, notes);
}

/// What `npm ci` says of the same files: two versions that do not satisfy, and nothing of the third.
#[test]
fn each_entry_got_the_version_that_its_own_folder_sees() {
    let lock = r#"{ "lockfileVersion": 3, "packages": {
  "": { "dependencies": { "ms": "2.1.2", "a1": "npm:ms@2.0.0" }, "workspaces": ["packages/*"] },
  "node_modules/a1": { "name": "ms", "version": "2.0.0" },
  "node_modules/ms": { "version": "2.1.2" },
  "packages/a": { "name": "a", "dependencies": { "ms": "1.0.0" } },
  "packages/a/node_modules/ms": { "version": "1.0.0" },
  "packages/b": { "name": "b", "dependencies": { "ms": "^2.1.0" } }
} }"#;
    check_settled(
        &[
            (
                "package.json",
                r#"{ "workspaces": ["packages/*"], "dependencies": { "ms": "2.1.2", "a1": "npm:ms@2.0.0" } }"#,
            ),
            ("package-lock.json", lock),
            ("packages/a/package.json", r#"{ "name": "a", "dependencies": { "ms": "2.1.2" } }"#),
            (
                "packages/b/package.json",
                r#"{ "name": "b", "dependencies": { "ms": "1.0.0" }, "devDependencies": { "new": "1" } }"#,
            ),
        ],
        &[
            "package.json a1 2.0.0 > 2.0.0",
            "package.json ms 2.1.2 > 2.1.2",
            "packages/a/package.json ms 2.1.2 > 1.0.0",
            "packages/b/package.json ms 1.0.0 > 2.1.2",
            "packages/b/package.json new 1 > ?",
        ],
        &[
            "asks for ms 2.1.2, but package-lock.json:6 has 1.0.0",
            "asks for ms 1.0.0, but package-lock.json:4 has 2.1.2",
            "asks for new 1, which the lockfile does not list",
        ],
    );
}

#[test]
fn renamed_entries_of_one_package_got_what_each_admits() {
    let lock = r#"
version = 4
[[package]]
name = "app"
version = "1.0.0"
dependencies = ["rand 0.7.3", "rand 0.8.5"]
[[package]]
name = "rand"
version = "0.7.3"
source = "registry+https://example.org/index"
[[package]]
name = "rand"
version = "0.8.5"
source = "registry+https://example.org/index"
"#;
    let manifest = "[package]\nname = 'app'\nversion = '1.0.0'\n[dependencies]\nrand = '0.8'\nold = { package = 'rand', version = '0.7' }\n";
    let files = [("Cargo.toml", manifest), ("Cargo.lock", lock)];
    check_settled(&files, &["Cargo.toml old 0.7 > 0.7.3", "Cargo.toml rand 0.8 > 0.8.5"], &[]);
    let found = crate::deps::why(&joined(&files), "rand@0.7.3");
    let asked: Vec<&str> = found[0].ways[0].declared.iter().map(|it| it.raw_name.as_str()).collect();
    assert_eq!(asked, ["old"]);
}

/// The nameless entry comes before the one that is wanted, so that it moves.
#[test]
fn what_is_wanted_stays_so_when_a_nameless_package_is_left_out() {
    let lock = r#"{ "lockfileVersion": 3, "packages": { "": { "dependencies": { "b": "1" } },
  "node_modules/a": { "version": "" }, "node_modules/b": { "version": "1.0.0" }, "node_modules/c": { "version": "2.0.0" } } }"#;
    let dependencies =
        joined(&[("package.json", r#"{ "dependencies": { "b": "1" } }"#), ("package-lock.json", lock)]);
    assert_eq!(super::all_declared(&dependencies).next().unwrap().settled.version(), Some("1.0.0"));
}
