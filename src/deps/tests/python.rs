//! The ways to write an entry of a Python manifest.

use super::{joined, text_at};
use crate::deps::change::Change;
use crate::deps::fact::Scope;
use crate::deps::join::State;
use crate::deps::{Declared, Relation, changes, read};
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
        "mkdocs (mkdocs) ~=1.6 dev registry ['docs' in hatch.envs]",
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
        "pick (pick) <2 normal registry [python_version < '3.9']",
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

#[test]
fn the_lines_of_a_requirements_file_are_read() {
    let text = "\
# comment
ruamel.yaml==0.18.6  # why
Flask[async]>=2,<4 ; python_version >= \"3.9\"
jaraco.text == 4.0.0
tool @ git+https://example.org/tool.git@v1 ; os_name == 'nt'
-e git+ssh://example.org/egg.git#egg=The_Egg[x]&subdirectory=y
./wheels/near-1.0-py3-none-any.whl
--editable https://example.org/far-2.0-py2.py3-none-any.whl
--index-url=https://example.org/simple
-i https://example.org/simple
plain --config-settings x=y
";
    let expected = [
        "ruamel-yaml (ruamel.yaml) ==0.18.6 normal registry",
        "flask (Flask) >=2,<4 normal registry [python_version >= \"3.9\"]",
        "jaraco-text (jaraco.text) == 4.0.0 normal registry",
        "tool (tool) git+https://example.org/tool.git@v1 normal git [os_name == 'nt']",
        "the-egg (The_Egg) git+ssh://example.org/egg.git#egg=The_Egg[x]&subdirectory=y normal git",
        "near (near) ./wheels/near-1.0-py3-none-any.whl normal path",
        "far (far) https://example.org/far-2.0-py2.py3-none-any.whl normal url",
        "plain (plain) - normal registry",
    ];
    check("requirements.txt", text, &expected);
    check("requirements/test.in", "a\r\n", &["a (a) - dev registry"]);
}

/// Each package as `project name relation state versions`.
#[track_caller]
fn check_joined(files: &[(&str, &str)], expected: &[&str], notes: &[&str]) {
    let dependencies = joined(files);
    let shown = dependencies.dependencies.iter().map(|it| {
        let versions: Vec<String> = it
            .resolved
            .iter()
            .map(|it| format!("{} {}:{}", it.version, it.place.path, it.place.span.start.line))
            .collect();
        let project = it.project.as_ref().map_or(".".to_owned(), ToString::to_string);
        let relation = match &it.relation {
            Relation::Direct => "direct".to_owned(),
            Relation::Transitive { path } => path.join(">"),
            Relation::Unlinked => "unlinked".to_owned(),
        };
        format!("{project} {} {relation} {} {}", it.name, it.state.name(), versions.join(", "))
    });
    assert_eq!(shown.collect::<Vec<_>>(), expected);
    let shown = dependencies.notes.iter().map(|it| {
        format!(
            "{} {}:{}",
            it.code,
            it.path.as_ref().map(ToString::to_string).unwrap_or_default(),
            it.line.unwrap_or(0)
        )
    });
    assert_eq!(shown.collect::<Vec<_>>(), notes);
}

#[test]
fn includes_are_followed_once_and_constraints_are_no_dependencies() {
    let files = [
        ("requirements.txt", "-r base.pip\n--constraint limits.pip\nattrs\n"),
        ("base.pip", "-r deeper/more.pip\nidna==3.6\n"),
        ("limits.pip", "attrs==23.2.0\nsix==1.16.0\n"),
        ("deeper/more.pip", "-r ../base.pip\ncertifi==2024.2.2\n-r gone.pip\n"),
    ];
    let expected = [
        ". attrs direct pinned 23.2.0 limits.pip:1",
        ". certifi direct pinned 2024.2.2 deeper/more.pip:2",
        ". idna direct pinned 3.6 base.pip:2",
        ". six unlinked unused ",
    ];
    let notes = ["dependency_not_included deeper/more.pip:1", "dependency_not_included deeper/more.pip:3"];
    check_joined(&files, &expected, &notes);
}

#[test]
fn a_compiled_file_is_a_lockfile_and_hashes_settle_a_pin() {
    let compiled = "\
# This file is autogenerated by pip-compile with Python 3.11
click==8.1.7 \\
    --hash=sha256:aa
    # via flask
flask==3.0.0  # via -r requirements.in
itsdangerous==2.1.2
    # via
    #   -c limits.txt
    #   flask
";
    let hashed = "six==1.16.0 --hash=sha256:aa\r\nplain==1.0\r\n";
    let files =
        [("requirements.in", "Flask>=2\n"), ("requirements.txt", compiled), ("x/requirements.txt", hashed)];
    let expected = [
        ". click flask@3.0.0>click@8.1.7 locked 8.1.7 requirements.txt:2",
        ". flask direct locked 3.0.0 requirements.txt:5",
        ". itsdangerous flask@3.0.0>itsdangerous@2.1.2 locked 2.1.2 requirements.txt:6",
        "x plain direct pinned 1.0 x/requirements.txt:2",
        "x six direct locked 1.16.0 x/requirements.txt:1",
    ];
    check_joined(&files, &expected, &[]);
}

#[test]
fn the_tables_of_a_pipfile_are_read() {
    let text = r#"
[[source]]
url = "https://pypi.org/simple"
[packages]
Flask = "==2.0.1"
any = "*"
near = {path = ".", editable = true}
repository = {git = "https://example.org/r.git", ref = "v1"}
marked = {version = ">=1", markers = "os_name == 'nt'", extras = ["x"]}
[dev-packages]
pytest = ">=7,<8"
[docs]
sphinx = "~=7.0"
[requires]
python_version = "3.11"
"#;
    let expected = [
        "flask (Flask) ==2.0.1 normal registry",
        "any (any) * normal registry",
        "near (near) - normal path",
        "repository (repository) - normal git",
        "marked (marked) >=1 normal registry [os_name == 'nt']",
        "pytest (pytest) >=7,<8 dev registry",
        "sphinx (sphinx) ~=7.0 dev registry ['docs' in dependency_groups]",
    ];
    check("Pipfile", text, &expected);
}

#[test]
fn a_lockfile_without_roots_is_joined_by_name() {
    let pipfile = "[packages]\nFlask = '*'\n";
    let lock = r#"{"_meta": {}, "default": {
        "flask": {"hashes": ["sha256:aa"], "version": "==3.0.0"},
        "click": {"version": "==8.1.7"},
        "near": {"path": ".", "editable": true},
        "own": {"git": "https://example.org/o.git", "ref": "0123abc"}}, "develop": {}}"#;
    let expected = [
        ". click unlinked locked 8.1.7 Pipfile.lock:3",
        ". flask direct locked 3.0.0 Pipfile.lock:2",
        ". own unlinked locked 0123abc Pipfile.lock:5",
    ];
    check_joined(&[("Pipfile", pipfile), ("Pipfile.lock", lock)], &expected, &[]);

    let project = "[project]\nname = 'x'\ndependencies = ['Requests']\n";
    let pdm = r#"
[metadata]
lock_version = "4.5.0"
[[package]]
name = "idna"
version = "3.6"
groups = ["default"]
[[package]]
name = "idna"
version = "2.0"
[[package]]
name = "requests"
version = "2.31.0"
dependencies = ["idna==3.6; python_version > '3'", "gone>=1"]
"#;
    let expected = [
        ". idna requests@2.31.0>idna@3.6 locked 2.0 pdm.lock:10, 3.6 pdm.lock:6",
        ". requests direct locked 2.31.0 pdm.lock:13",
    ];
    check_joined(&[("pyproject.toml", project), ("pdm.lock", pdm)], &expected, &[]);
}

#[test]
fn the_lists_of_setup_cfg_are_read() {
    let text = "\
[metadata]
name = app
[options]
packages = find:
setup_requires = wheel; setuptools >=40
install_requires =
    boto3==1.3.1  # why
    # comment
    Flask_X [a] > 2.5.4, < 3.0.0 ; os_name == 'nt'
[options.extras_require]
API =
    six
[other]
install_requires = no
";
    let expected = [
        "wheel (wheel) - build registry",
        "setuptools (setuptools) >=40 build registry",
        "boto3 (boto3) ==1.3.1 normal registry",
        "flask-x (Flask_X) > 2.5.4, < 3.0.0 normal registry [os_name == 'nt']",
        "six (six) - optional registry ['api' in extras]",
    ];
    check("setup.cfg", text, &expected);
}

#[test]
fn the_literal_lists_of_setup_py_are_read() {
    let text = "\
import setuptools
if True:
    setuptools.setup(
        name='app',
        install_requires=['boto3==1.3.1', \"Flask_X[a] >2; os_name == 'nt'\"],  # why
        setup_requires=('wheel',),
        tests_require='pytest',
        extras_require={'API': ['six']},
    )
def main():
    setup(install_requires=['a==1', 'b'] + \"\"\"
c>=2
d
\"\"\".split() + ['e'])
setup(extras_require=dict(more=['zipp']))
";
    let expected = [
        "zipp (zipp) - optional registry ['more' in extras]",
        "a (a) ==1 normal registry",
        "b (b) - normal registry",
        "c (c) >=2 normal registry",
        "d (d) - normal registry",
        "e (e) - normal registry",
        "boto3 (boto3) ==1.3.1 normal registry",
        "flask-x (Flask_X) >2 normal registry [os_name == 'nt']",
        "wheel (wheel) - build registry",
        "pytest (pytest) - dev registry",
        "six (six) - optional registry ['api' in extras]",
    ];
    check("setup.py", text, &expected);
}

#[test]
fn an_environment_of_conda_has_packages_of_two_worlds() {
    let text = "name: é\nchannels: [defaults]\ndependencies:\n  - python=3.11 # why\n  - 'conda-forge::NumPy >=1.26,<2'\n  - pip\n  - pip:\n    - Ruamel.yaml==0.18.6\n";
    check(
        "environment.yml",
        text,
        &[
            "python (python) =3.11 normal registry",
            "numpy (NumPy) >=1.26,<2 normal registry",
            "pip (pip) - normal registry",
            "ruamel-yaml (Ruamel.yaml) ==0.18.6 normal registry",
        ],
    );
    let dependencies = joined(&[("environment.yml", text)]);
    let purls: Vec<&str> = dependencies.dependencies.iter().map(|it| it.purl.as_str()).collect();
    assert_eq!(purls, ["pkg:conda/numpy", "pkg:conda/pip", "pkg:conda/python", "pkg:pypi/ruamel-yaml"]);
    assert_eq!(dependencies.dependencies[3].resolved[0].version, "0.18.6");
}

#[test]
fn what_a_compiled_file_takes_from_a_repository_is_settled_by_its_revision() {
    let text = "# This file is autogenerated by pip-compile\n\
        house @ git+https://git@example.org/acme/house@v1.2\n    # via -r requirements.in\n\
        brick==1.0\n    # via house\n\
        sand @ https://example.org/sand-2.0.whl\n    # via -r requirements.in\n\
        grain==3\n    # via sand\n\
        steel @ https://example.org/a/Steel_Beam/../steel-4.1-py3-none-any.whl \\\n    --hash=sha256:00\n    # via -r requirements.in\n\
        stone @ https://example.org/stone-5.0.tar.gz#sha256=00 ; python_version > '3'\n    # via steel\n\
        tile @ https://example.org/archive/tile-6.tar.gz\n    # via -r requirements.in\n\
        wood @ git+https://example.org/acme/wood\n    # via -r requirements.in\n";
    let asked = "house @ git+https://git@example.org/acme/house@v1.2\n";
    let found = joined(&[("requirements.txt", text), ("requirements.in", asked)]);
    let shown: Vec<String> = found
        .dependencies
        .iter()
        .map(|it| {
            let versions: Vec<String> =
                it.resolved.iter().map(|it| format!("{} {}", it.version, it.place.span.start)).collect();
            format!("{} {} {:?} {versions:?}", it.name, it.state.name(), it.relation)
        })
        .collect();
    assert_eq!(
        shown,
        [
            "brick locked Transitive { path: [\"house@v1.2\", \"brick@1.0\"] } [\"1.0 4:8\"]",
            "grain locked Transitive { path: [] } [\"3 8:8\"]",
            "house locked Direct [\"v1.2 2:48\"]",
            "sand unlocked Direct []",
            "steel locked Direct [\"4.1 10:51\"]",
            "stone locked Transitive { path: [\"steel@4.1\", \"stone@5.0\"] } [\"5.0 13:35\"]",
            "tile unlocked Direct []",
            "wood unlocked Direct []",
        ]
    );
}

#[test]
fn an_address_without_a_name_has_that_of_the_file_compiled_from_it() {
    let asked = "git+https://example.org/acme/house.git@v1\n\
        https://example.org/archive/main.zip ; python_version > '3'\n\
        git+ssh://git@example.org/acme/brick\n\
        git+https://example.org/acme/other\n";
    let compiled = "# This file was autogenerated by uv via the following command:\n\
        Big.House @ git+https://example.org/acme/house@0123456789abcdef0123456789abcdef01234567\n    # via -r requirements.in\n\
        brick @ git+ssh://git@example.org/acme/brick@89ab\n    # via -r requirements.in\n\
        main @ https://example.org/archive/main.zip\n    # via -r requirements.in\n";
    let found = joined(&[("requirements.in", asked), ("requirements.txt", compiled)]);
    let places = |it: &[Declared]| {
        it.iter().map(|it| format!("{}:{}", it.place.path, it.place.span.start)).collect::<Vec<_>>().join(" ")
    };
    let shown = found
        .dependencies
        .iter()
        .map(|it| format!("{} {} {}", it.name, it.state.name(), places(&it.declared)));
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [
            "big-house locked requirements.in:1:1",
            "brick locked requirements.in:3:1",
            "main unlocked requirements.in:2:1 requirements.txt:6:8",
        ]
    );
    assert_eq!(found.dependencies[2].declared[0].target.as_deref(), Some("python_version > '3'"));
    let notes = found.notes.iter().map(|it| (it.code.as_str(), it.line)).collect::<Vec<_>>();
    assert_eq!(notes, [("dependency_unevaluated", Some(4))]);
    // A file of another folder is not what was compiled.
    assert_eq!(joined(&[("requirements.in", asked), ("a/requirements.txt", compiled)]).notes.len(), 4);
}
