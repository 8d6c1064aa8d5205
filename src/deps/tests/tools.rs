//! Fixtures against what the real tools list; each `make.sh` says how its expectation was made.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{all_declared, all_resolved, entry, files, fixture, readings, text_at};
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::Scope;
use crate::deps::{Dependencies, Relation, join, read};

/// Compares a fixture with what the real tool listed.
#[track_caller]
fn check(case: &str) {
    let root = fixture(case);
    let files = files(&root.join("repo"));
    let dependencies = join(readings(&files));
    assert_eq!(dependencies.notes, []);
    let expected: Value = serde_json::from_slice(&fs::read(root.join("expected.json")).unwrap()).unwrap();
    let pins: BTreeSet<String> = all_resolved(&dependencies).map(|it| it.pin().to_string()).collect();
    assert_eq!(json!(pins), expected["packages"]);
    let direct = all_resolved(&dependencies).filter(|it| it.relation == Relation::Direct);
    let direct: BTreeSet<String> = direct.map(|it| it.pin().to_string()).collect();
    assert_eq!(json!(direct), expected["direct"]);
    // Of the lockfiles only these do not say who needs whom.
    let unlinked = all_resolved(&dependencies).filter(|it| it.relation == Relation::Unlinked).count();
    assert_eq!(unlinked > 0, ["go-vendor", "python-pylock"].contains(&case), "{unlinked} without a relation");
    if let Some(expected) = expected.get("declared") {
        assert_eq!(&as_cargo_lists(&dependencies), expected);
    }
    if let Some(expected) = expected.get("required") {
        assert_eq!(&as_go_edits(&dependencies), expected);
    }
    for it in all_declared(&dependencies) {
        let stated = it.constraint.as_deref().filter(|_| it.via.is_none());
        assert_eq!(text_at(&files, &it.place), stated.unwrap_or(&it.raw_name));
        if let Some(via) = entry(it) {
            assert_eq!(text_at(&files, via), it.constraint.as_deref().unwrap());
        }
    }
    for it in all_resolved(&dependencies) {
        assert_eq!(text_at(&files, &it.place), it.version);
        if let Relation::Transitive { path } = &it.relation {
            // A `go.mod` says only that there is a path.
            if path.is_empty() && it.ecosystem == Ecosystem::Golang {
                continue;
            }
            assert!(path.len() > 1 && direct.contains(&path[0]), "{path:?}");
            assert_eq!(path.last(), Some(&it.pin().to_string()));
        }
    }
    let mut reversed = readings(&files);
    reversed.reverse();
    assert_eq!(join(reversed), dependencies, "the order of the files does not matter");
}

/// The declared dependencies in the form that `cargo metadata` has for them.
fn as_cargo_lists(dependencies: &Dependencies) -> Value {
    let mut rows: Vec<Value> = all_declared(dependencies)
        .filter(|it| it.scope.is_wanted())
        .map(|it| {
            let constraint = it.constraint.as_deref().unwrap_or("*");
            let bare = constraint.starts_with(|it: char| it.is_ascii_digit());
            json!([
                it.place.path,
                it.name,
                it.alias(),
                if bare { format!("^{constraint}") } else { constraint.to_owned() },
                match it.scope {
                    Scope::Dev => Some("dev"),
                    Scope::Build => Some("build"),
                    Scope::Normal
                    | Scope::Optional
                    | Scope::Peer
                    | Scope::Indirect
                    | Scope::Catalog
                    | Scope::Override => None,
                },
                it.scope == Scope::Optional,
                it.target,
                it.source.name(),
            ])
        })
        .collect();
    rows.sort_by_key(Value::to_string);
    json!(rows)
}

/// The requirements in the form that `go mod edit -json` has for them.
fn as_go_edits(dependencies: &Dependencies) -> Value {
    let mut rows: Vec<Value> = all_declared(dependencies)
        .filter(|it| it.scope.is_present())
        .map(|it| json!([it.place.path, it.raw_name, it.constraint, it.scope == Scope::Indirect]))
        .collect();
    rows.sort_by_key(Value::to_string);
    json!(rows)
}

#[test]
fn go_module_is_as_go_list_shows_it() {
    check("go-module");
}

#[test]
fn go_workspace_is_as_go_list_shows_it() {
    check("go-workspace");
}

#[test]
fn go_vendor_is_as_go_list_shows_it() {
    check("go-vendor");
}

#[test]
fn cargo_workspace_is_as_cargo_metadata_lists_it() {
    check("cargo-workspace");
}

#[test]
fn cargo_patch_is_as_cargo_metadata_lists_it() {
    check("cargo-patch");
}

#[test]
fn npm_version_1_is_as_npm_ls_lists_it() {
    check("npm-v1");
}

#[test]
fn npm_version_2_is_as_npm_ls_lists_it() {
    check("npm-v2");
}

#[test]
fn npm_workspaces_are_as_npm_ls_lists_them() {
    check("npm-workspaces");
}

#[test]
fn npm_shrinkwrap_is_as_npm_ls_lists_it() {
    check("npm-shrinkwrap");
}

#[test]
fn uv_workspace_is_as_uv_tree_lists_it() {
    check("python-uv");
}

#[test]
fn a_script_is_a_project_as_uv_tree_lists_it() {
    check("python-script");
    let files = files(&fixture("python-script").join("repo"));
    let dependencies = join(readings(&files));
    let projects = dependencies.dependencies.iter().filter(|it| it.relation == Relation::Direct).map(|it| {
        let project = it.project.as_ref().map(ToString::to_string).unwrap_or_default();
        let places = it.declared.iter().map(|it| it.place.span.start.to_string()).collect::<Vec<_>>();
        format!("{project} {} {}", it.name, places.join(" "))
    });
    assert_eq!(
        projects.collect::<Vec<_>>(),
        [" idna 5:22", "tools/report.py packaging 6:15", "tools/report.py rich 7:11"]
    );
}

#[test]
fn pylock_is_as_uv_tree_lists_it() {
    check("python-pylock");
}

#[test]
fn poetry_lock_is_as_poetry_show_lists_it() {
    check("python-poetry");
}

#[test]
fn a_compiled_file_is_as_pip_would_install_it() {
    check("python-pip-compile");
}

#[test]
fn yarn_version_1_is_as_yarn_installs_it() {
    check("yarn-v1");
}

#[test]
fn yarn_berry_is_as_yarn_info_lists_it() {
    check("yarn-berry");
}

#[test]
fn pnpm_version_5_is_as_pnpm_list_shows_it() {
    check("pnpm-v5");
}

#[test]
fn pnpm_version_6_is_as_pnpm_list_shows_it() {
    check("pnpm-v6");
}

#[test]
fn pnpm_version_9_is_as_pnpm_list_shows_it() {
    check("pnpm-v9");
}

#[test]
fn bun_is_as_its_installation_holds_it() {
    check("bun");
}

#[test]
fn deno_is_as_deno_info_lists_it() {
    check("deno");
}

/// This package's own lockfile, of some hundred packages, read by the `cargo-lock` crate and by us.
#[test]
fn a_lockfile_means_what_the_cargo_lock_crate_makes_of_it() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock")).unwrap();
    let expected: cargo_lock::Lockfile = text.parse().unwrap();
    let expected: BTreeSet<(String, String, Option<String>, Vec<String>)> = expected
        .packages
        .iter()
        .map(|it| {
            let needs = it.dependencies.iter().map(|it| format!("{}@{}", it.name, it.version));
            (
                it.name.to_string(),
                it.version.to_string(),
                it.checksum.as_ref().map(ToString::to_string),
                needs.collect::<BTreeSet<_>>().into_iter().collect(),
            )
        })
        .collect();
    let reading = read(&"Cargo.lock".parse().unwrap(), text.as_bytes()).unwrap();
    let actual = reading.resolved.iter().map(|it| {
        let needs: BTreeSet<String> = it.dependencies.iter().map(ToString::to_string).collect();
        (it.name.clone(), it.version.clone(), it.checksum.clone(), needs.into_iter().collect())
    });
    assert!(expected.len() > 100);
    assert_eq!(actual.collect::<BTreeSet<_>>(), expected);
}
