//! What a lockfile says about who needs whom, by hand-written files.

use super::{joined, text_at};
use crate::deps::join::State;
use crate::deps::{Relation, read};
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
