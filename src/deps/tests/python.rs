//! The ways to write an entry of a Python manifest.

use super::{joined, text_at};
use crate::deps::fact::Scope;
use crate::deps::join::State;
use crate::deps::{Change, changes, read};
use crate::model::RepoPath;

/// Each entry as `name (key) constraint scope source [condition]`, and that its place holds the constraint, else the
/// key.
#[track_caller]
fn check(path: &str, text: &str, expected: &[&str]) {
    let path: RepoPath = path.parse().unwrap();
    let reading = read(&path, text.as_bytes()).unwrap();
    let files = [(path, text.as_bytes().to_vec())];
    let shown = reading.declared.iter().map(|it| {
        let constraint = it.constraint.as_deref().unwrap_or("-");
        assert_eq!(text_at(&files, &it.place), it.constraint.as_deref().unwrap_or(&it.raw_name));
        let target = it.target.as_deref().map(|it| format!(" [{it}]")).unwrap_or_default();
        format!("{} ({}) {constraint} {} {}{target}", it.name, it.raw_name, it.scope.name(), it.source.name())
    });
    assert_eq!(shown.collect::<Vec<_>>(), expected);
    assert_eq!(reading.notes, []);
}

#[test]
fn the_tables_of_the_standard_are_read() {
    let text = r#"
[build-system]
requires = ["hatchling>=1.26"]
[project]
name = "My.App"
dependencies = [
    "ruamel.yaml==0.18.6", # é
    'Flask[async] >=2, <4 ; python_version >= "3.9"',
    "six (>=1.16); sys_platform == \"win32\"",
    "tool @ git+https://example.org/tool.git@v1",
    "plain",
    "my-app[socks]",
]
[project.optional-dependencies]
Socks_5 = ["pysocks!=1.5.7,>=1.5.6"]
[dependency-groups]
base = ["pytest>8"]
all = [{ include-group = "base" }, "coverage[toml]"]
[tool.uv]
dev-dependencies = ["ruff"]
constraint-dependencies = ["idna<4"]
[tool.uv.sources]
plain = { workspace = true }
coverage = [{ path = "../coverage", marker = "x" }]
[tool.pdm.dev-dependencies]
lint = ["flake8>=6"]
[tool.hatch.envs.docs]
extra-dependencies = ["mkdocs~=1.6"]
"#;
    let expected = [
        "hatchling (hatchling) >=1.26 build registry",
        "ruamel-yaml (ruamel.yaml) ==0.18.6 normal registry",
        "flask (Flask) >=2, <4 normal registry [python_version >= \"3.9\"]",
        "six (six) >=1.16 normal registry [sys_platform == \"win32\"]",
        "tool (tool) git+https://example.org/tool.git@v1 normal git",
        "plain (plain) - normal workspace",
        "my-app (my-app) - normal workspace",
        "pysocks (pysocks) !=1.5.7,>=1.5.6 optional registry ['socks-5' in extras]",
        "pytest (pytest) >8 dev registry ['base' in dependency_groups or 'all' in dependency_groups]",
        "coverage (coverage) - dev path ['all' in dependency_groups]",
        "ruff (ruff) - dev registry ['dev' in dependency_groups]",
        "idna (idna) <4 override registry",
        "flake8 (flake8) >=6 dev registry ['lint' in dependency_groups]",
        "mkdocs (mkdocs) ~=1.6 dev registry ['docs' in dependency_groups]",
    ];
    check("pyproject.toml", text, &expected);
}

#[test]
fn the_tables_of_poetry_are_read() {
    let text = r#"
[tool.poetry]
name = "app"
[tool.poetry.dependencies]
python = "^3.9"
requests = "^2.28"
exact = "1.2.3"
pick = [{ version = "<2", python = "<3.9" }, { version = ">=2", markers = "python_version >= '3.9'" }]
extra_one = { version = "*", optional = true }
near = { path = "../near", develop = true }
repository = { git = "https://example.org/r.git", rev = "abc" }
archive = { url = "https://example.org/a.zip" }
mirror = { version = "~1.2", source = "mine" }
[tool.poetry.dependencies.own-table]
version = ">=1,<3 || ^4"
[tool.poetry.extras]
one = ["extra-one"]
[tool.poetry.dev-dependencies]
old = ">= 1.0"
[tool.poetry.group.docs.dependencies]
sphinx = "^7"
"#;
    let expected = [
        "requests (requests) ^2.28 normal registry",
        "exact (exact) 1.2.3 normal registry",
        "pick (pick) <2 normal registry",
        "pick (pick) >=2 normal registry [python_version >= '3.9']",
        "extra-one (extra_one) * optional registry ['one' in extras]",
        "near (near) - normal path",
        "repository (repository) - normal git",
        "archive (archive) - normal url",
        "mirror (mirror) ~1.2 normal registry",
        "own-table (own-table) >=1,<3 || ^4 normal registry",
        "old (old) >= 1.0 dev registry ['dev' in dependency_groups]",
        "sphinx (sphinx) ^7 dev registry ['docs' in dependency_groups]",
    ];
    check("pyproject.toml", text, &expected);
}

#[test]
fn another_spelling_of_a_release_is_no_move() {
    let state = |constraint: &str| {
        joined(&[("pyproject.toml", &format!("[project]\ndependencies = ['My_Pkg{constraint}']\n"))])
    };
    let (short, long, next) = (state("==1.0"), state("==1.0.0"), state("==1.1"));
    let text = |it: &str| Some(it.to_owned());
    let constraint =
        |from: &str, to: &str| Change::Constraint { scope: Scope::Normal, from: text(from), to: text(to) };
    let kinds = |before, after| changes(before, after).into_iter().map(|it| it.change).collect::<Vec<_>>();
    assert_eq!(kinds(&short, &long), [constraint("==1.0", "==1.0.0")]);
    let moved = Change::Version { from: vec!["1.0".to_owned()], to: vec!["1.1".to_owned()] };
    assert_eq!(kinds(&short, &next), [constraint("==1.0", "==1.1"), moved]);
    assert_eq!(
        (short.dependencies[0].state, &*short.dependencies[0].purl),
        (State::Pinned, "pkg:pypi/my-pkg")
    );
}
