//! What follows when the files of a repository are put together.

use std::collections::BTreeSet;

use super::{all_resolved, files, fixture, joined, readings, text_at};
use crate::deps::change::Change;
use crate::deps::fact::Scope;
use crate::deps::{Dependencies, Dependency, changes, join};

#[test]
fn a_version_is_unknown_unless_a_lockfile_or_the_constraint_itself_settles_it() {
    let manifest = r#"{"dependencies": {"open": "^1.0.0", "pin": "1.2.3", "near": "file:./near"}}"#;
    let states = |files: &[(&str, &str)]| -> Vec<(String, &'static str, Vec<String>)> {
        let versions = |it: &Dependency| it.resolved.iter().map(|it| it.version.clone()).collect();
        joined(files).dependencies.iter().map(|it| (it.name.clone(), it.state.name(), versions(it))).collect()
    };
    let row = |name: &str, state, versions: &[&str]| {
        (name.to_owned(), state, versions.iter().map(|it| (*it).to_owned()).collect::<Vec<String>>())
    };
    assert_eq!(
        states(&[("package.json", manifest)]),
        [row("near", "local", &[]), row("open", "unlocked", &[]), row("pin", "pinned", &["1.2.3"])]
    );
    assert_eq!(
        states(&[("package.json", manifest), ("package-lock.json", "{")]),
        [row("near", "local", &[]), row("open", "lock_unreadable", &[]), row("pin", "lock_unreadable", &[])]
    );
    let lock = r#"{"lockfileVersion": 3, "packages": {"": {"dependencies": {"open": "^1.0.0"}}, "node_modules/open": {"version": "1.9.0"}}}"#;
    assert_eq!(
        states(&[("package.json", manifest), ("package-lock.json", lock)]),
        [row("near", "local", &[]), row("open", "locked", &["1.9.0"]), row("pin", "missing", &[])]
    );
}

#[test]
fn a_manifest_belongs_to_the_nearest_lockfile_that_knows_it() {
    let package = |name: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"1.0.0\"\n[dependencies]\nlog = \"0.4\"\n")
    };
    let (member, stranger) = (package("member"), package("stranger"));
    let lock = "[[package]]\nname = \"member\"\nversion = \"1.0.0\"\ndependencies = [\"log\"]\n\n[[package]]\nname = \"log\"\nversion = \"0.4.20\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n";
    let dependencies = joined(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"member\"]\n"),
        ("Cargo.lock", lock),
        ("member/Cargo.toml", &member),
        ("elsewhere/stranger/Cargo.toml", &stranger),
    ]);
    let shown = |it: &Dependencies| -> Vec<(String, &'static str, usize)> {
        let project = |it: &Dependency| it.project.as_ref().map_or(".".to_owned(), ToString::to_string);
        it.dependencies.iter().map(|it| (project(it), it.state.name(), it.declared.len())).collect()
    };
    let row = |project: &str, state, declared| (project.to_owned(), state, declared);
    assert_eq!(shown(&dependencies), [row(".", "locked", 1), row("elsewhere/stranger", "unlocked", 1)]);
    let apart = joined(&[("a/Cargo.lock", lock), ("a/Cargo.toml", &member), ("b/Cargo.toml", &stranger)]);
    assert_eq!(shown(&apart), [row("a", "locked", 1), row("b", "unlocked", 1)]);
    // A member that the lockfile does not know yet is one all the same.
    let new = joined(&[
        ("x/package.json", r#"{"workspaces": ["./packages/*", "!packages/not"]}"#),
        ("x/package-lock.json", r#"{"lockfileVersion": 3, "packages": {"": {}}}"#),
        ("x/packages/new/package.json", r#"{"dependencies": {"a": "^1"}}"#),
        ("x/packages/not/package.json", r#"{"dependencies": {"a": "^1"}}"#),
        ("x/packages/new/deep/package.json", r#"{"dependencies": {"a": "^1"}}"#),
    ]);
    let expected = [
        row("x", "missing", 1),
        row("x/packages/new/deep", "unlocked", 1),
        row("x/packages/not", "unlocked", 1),
    ];
    assert_eq!(shown(&new), expected);
}

#[test]
fn shrinkwrap_shadows_the_lockfile_beside_it() {
    let lock = |version: &str| {
        format!(
            r#"{{"lockfileVersion": 3, "packages": {{"": {{"dependencies": {{"a": "1"}}}}, "node_modules/a": {{"version": "{version}"}}}}}}"#
        )
    };
    let dependencies = joined(&[
        ("package.json", r#"{"dependencies": {"a": "1"}}"#),
        ("package-lock.json", &lock("1.0.0")),
        ("npm-shrinkwrap.json", &lock("1.1.0")),
    ]);
    assert_eq!(all_resolved(&dependencies).map(|it| it.version.as_str()).collect::<Vec<_>>(), ["1.1.0"]);
    assert_eq!(dependencies.notes[0].code, "dependency_lock_shadowed");
}

#[test]
fn an_entry_that_no_root_lists_is_noted() {
    let dependencies =
        joined(&[("Cargo.toml", "[package]\nname = \"a\"\n[dependencies]\nb.workspace = true\n")]);
    assert_eq!(dependencies.notes[0].code, "dependency_not_inherited");
    assert_eq!((dependencies.notes[0].line, dependencies.notes[0].column), (Some(4), Some(1)));
}

#[test]
fn evidence_states_constraints_and_direct_versions_with_their_places() {
    let files = files(&fixture("npm-workspaces").join("repo"));
    let dependencies = join(readings(&files));
    let shown: BTreeSet<String> = dependencies
        .evidence()
        .iter()
        .map(|it| format!("{} {} {}", it.method().name(), it.place.path, text_at(&files, &it.place)))
        .collect();
    let (a, b, lock) = ("packages/a/package.json", "packages/b/package.json", "package-lock.json");
    let expected = [
        format!("lockfile {lock} 0.3.1"),
        format!("lockfile {lock} 1.0.0"),
        format!("lockfile {lock} 2.1.2"),
        format!("lockfile {lock} 4.4.3"),
        format!("manifest {a} 2.1.2"),
        format!("manifest {a} ^0.3.0"),
        format!("manifest {b} 4"),
        format!("manifest {b} ^1.0.0"),
    ];
    assert_eq!(shown.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn changes_are_those_of_constraints_and_of_versions() {
    let manifest = |text: &str| format!("{{\"dependencies\": {{{text}}}}}");
    let lock = |packages: &[(&str, &str)]| {
        let entries: Vec<String> = packages
            .iter()
            .map(|(name, version)| format!("\"node_modules/{name}\": {{\"version\": \"{version}\"}}"))
            .collect();
        format!("{{\"lockfileVersion\": 3, \"packages\": {{{}}}}}", entries.join(","))
    };
    let state = |declared: &str, packages: &[(&str, &str)]| {
        joined(&[("package.json", &manifest(declared)), ("package-lock.json", &lock(packages))])
    };
    let before = state(
        r#""moved": "^1", "gone": "1", "same": "1""#,
        &[("moved", "1.0.0"), ("gone", "1.0.0"), ("same", "1.0.0")],
    );
    let after = state(
        r#""moved": "^2", "same": "1", "came": "3""#,
        &[("moved", "2.0.0"), ("same", "1.0.0"), ("came", "3.0.0")],
    );
    let text = |it: &str| Some(it.to_owned());
    let list = |it: &str| vec![it.to_owned()];
    let shown: Vec<(String, Change)> =
        changes(&before, &after).into_iter().map(|it| (it.name, it.change)).collect();
    let expected = [
        ("came", Change::Added { constraints: list("3"), versions: list("3.0.0") }),
        ("gone", Change::Removed { constraints: list("1"), versions: list("1.0.0") }),
        ("moved", Change::Constraint { scope: Scope::Normal, from: text("^1"), to: text("^2") }),
        ("moved", Change::Version { from: list("1.0.0"), to: list("2.0.0") }),
    ];
    assert_eq!(shown, expected.map(|(name, change)| (name.to_owned(), change)));
    assert_eq!(changes(&after, &after), []);
}
