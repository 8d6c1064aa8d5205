//! The ways to write an entry of a manifest.

use super::{joined, text_at};
use crate::deps::read;
use crate::model::RepoPath;

/// Each entry as `name (key) constraint scope source`, and that its place holds the constraint, else the key.
#[track_caller]
fn check_declared(path: &str, text: &str, expected: &[&str]) {
    let path: RepoPath = path.parse().unwrap();
    let reading = read(&path, text.as_bytes()).unwrap();
    let files = [(path, text.as_bytes().to_vec())];
    let shown = reading.declared.iter().map(|it| {
        let constraint = it.constraint.as_deref().unwrap_or("-");
        assert_eq!(text_at(&files, &it.place), it.constraint.as_deref().unwrap_or(&it.raw_name));
        format!("{} ({}) {constraint} {} {}", it.name, it.raw_name, it.scope.name(), it.source.name())
    });
    assert_eq!(shown.collect::<Vec<_>>(), expected);
    assert_eq!(reading.notes, []);
}

#[test]
fn every_way_to_write_an_entry_of_cargo_is_read() {
    check_declared("Cargo.toml", "dependencies.dotted.version = '1'", &["dotted (dotted) 1 normal registry"]);
    let text = r#"
[dependencies]
"quoted" = '=1.0.0'
long = """2"""
inline = { version = "~1.2", features = ["é"] } # é
local = { path = "../local" }
both = { path = "../both", version = "0.3" }
repository = { git = "https://example.org/r", rev = "abc" }
mirror = { version = "1", registry = "mine" }
[dependencies.own-table]
version = ">=1, <3"
optional = true
[dev_dependencies]
old-spelling = "*"
[target.x86_64-unknown-linux-gnu.build-dependencies]
tool = { package = "real-tool", version = "1.0.0-rc.1+b" }
[workspace.dependencies]
shared = "5"
[patch.crates-io]
fixed = { git = "https://example.org/f" }
"#;
    let expected = [
        "quoted (quoted) =1.0.0 normal registry",
        "long (long) 2 normal registry",
        "inline (inline) ~1.2 normal registry",
        "local (local) - normal path",
        "both (both) 0.3 normal path",
        "repository (repository) - normal git",
        "mirror (mirror) 1 normal registry",
        "own-table (own-table) >=1, <3 optional registry",
        "old-spelling (old-spelling) * dev registry",
        "real-tool (tool) 1.0.0-rc.1+b build registry",
        "shared (shared) 5 catalog registry",
        "fixed (fixed) - override git",
    ];
    check_declared("Cargo.toml", text, &expected);
}

#[test]
fn every_way_to_write_an_entry_of_npm_is_read() {
    let text = r#"{
  "dependencies": {"range": "^1.0.0 || 2", "alias": "npm:@scope/real@~1.2", "again": "1", "again": "2", "tag": "latest"},
  "devDependencies": {"linked": "link:../l", "own": "workspace:^"},
  "optionalDependencies": {"archive": "https://example.org/a.tgz"},
  "peerDependencies": {"peer": ">=1"},
  "overrides": {"a": {".": "1.0.0", "b@^2": "2.0.0"}, "c": "$range"},
  "resolutions": {"**/d": "4"},
  "pnpm": {"overrides": {"e>f": "5"}}
}"#;
    let expected = [
        "range (range) ^1.0.0 || 2 normal registry",
        "@scope/real (alias) ~1.2 normal registry",
        "again (again) 2 normal registry",
        "tag (tag) latest normal registry",
        "linked (linked) link:../l dev path",
        "own (own) workspace:^ dev workspace",
        "archive (archive) https://example.org/a.tgz optional url",
        "peer (peer) >=1 peer registry",
        "a (a) 1.0.0 override registry",
        "b (b) 2.0.0 override registry",
        "d (d) 4 override registry",
        "f (f) 5 override registry",
    ];
    check_declared("package.json", text, &expected);
}

/// Each file has one entry that is whole, `a` at version 1.0.0, and states how many others are left out.
#[track_caller]
fn check_left_out(cases: &[(&str, &str, usize)]) {
    for (path, text, left_out) in cases.iter().copied() {
        let found = joined(&[(path, text)]);
        let names: Vec<&str> = found.dependencies.iter().map(|it| it.name.as_str()).collect();
        let malformed = found.notes.iter().filter(|it| it.code == "dependency_entry_malformed").count();
        assert_eq!((names.as_slice(), malformed), (["a"].as_slice(), left_out), "{path} {text}");
        assert!(
            found.dependencies[0].resolved.iter().all(|it| it.version == "1.0.0" || it.version == "v1.0.0")
        );
    }
}

#[test]
fn what_has_no_name_or_no_version_is_no_package_of_node() {
    check_left_out(&[
        ("package.json", r#"{"dependencies": {"a": "1.0.0", "": "1", "b": "npm:"}}"#, 2),
        ("pnpm-workspace.yaml", "catalog:\n  a: 1.0.0\n  '': 1\n", 1),
        (
            "package-lock.json",
            r#"{"lockfileVersion": 3, "packages": {"": {}, "node_modules/a": {"version": "1.0.0"},
            "node_modules/": {"version": "1"}, "node_modules/b": {"version": ""}, "node_modules/c": {"name": "", "version": "1"}}}"#,
            3,
        ),
        (
            "package-lock.json",
            r#"{"lockfileVersion": 1, "dependencies": {"a": {"version": "1.0.0"}, "": {"version": "1"},
            "b": {"version": ""}}}"#,
            2,
        ),
        ("yarn.lock", "a@1:\n  version \"1.0.0\"\n\"b@npm:\":\n  version \"1\"\nc@1:\n  version \"\"\n", 2),
        (
            "pnpm-lock.yaml",
            "lockfileVersion: 9.0\npackages:\n  a@1.0.0: {}\n  b@1: {name: ''}\n  c@1: {version: ''}\ndependencies:\n  '': 1\n",
            3,
        ),
        ("bun.lock", r#"{"lockfileVersion": 1, "packages": {"a": ["a@1.0.0"], "b": ["b@"], "": ["@"]}}"#, 2),
        ("deno.json", r#"{"imports": {"a": "jsr:a@1.0.0", "b": "jsr:", "c": "npm:", "d": "npm:@"}}"#, 0),
        (
            "deno.lock",
            r#"{"version": "5", "npm": {"a@1.0.0": {}, "@1": {}, "b@": {}}, "jsr": {"c@": {}}}"#,
            3,
        ),
    ]);
}

#[test]
fn what_has_no_name_or_no_version_is_no_package() {
    check_left_out(&[
        (
            "packages.lock.json",
            r#"{"version": 1, "dependencies": {"f": {"a": {"type": "Direct", "requested": "1", "resolved": "1.0.0"},
            "": {"type": "Direct", "resolved": "1"}, "b": {"type": "Direct", "resolved": ""}}}}"#,
            2,
        ),
        (
            "project.assets.json",
            r#"{"libraries": {"a/1.0.0": {"type": "package"}, "/1": {"type": "package"}, "b/": {"type": "package"}}}"#,
            0,
        ),
        ("global.json", r#"{"msbuild-sdks": {"a": "1.0.0", "": "1", "b": ""}}"#, 2),
        (
            "dotnet-tools.json",
            r#"{"tools": {"a": {"version": "1.0.0"}, "": {"version": "1"}, "b": {"version": ""}}}"#,
            2,
        ),
        ("paket.dependencies", "nuget a 1.0.0\ngit https://example.org/.git\ngithub :b\nhttp /\n", 3),
        ("pyproject.toml", "[tool.poetry.dependencies]\na = '1.0.0'\n'' = '1'", 1),
        ("Pipfile", "[packages]\na = '1.0.0'\n'' = '1'", 1),
        (
            "Pipfile.lock",
            r#"{"default": {"a": {"version": "==1.0.0"}, "": {"version": "==1"}, "b": {"version": "=="}, "c": {"version": ""}}}"#,
            3,
        ),
        (
            "poetry.lock",
            "[[package]]\nname = 'a'\nversion = '1.0.0'\n[[package]]\nname = ''\nversion = '1'\n[[package]]\nname = 'b'\nversion = ''",
            2,
        ),
        ("Cargo.toml", "[dependencies]\na = '1.0.0'\n'' = '1'\nb = { version = '1', package = '' }", 2),
        (
            "Cargo.lock",
            "[[package]]\nname = 'a'\nversion = '1.0.0'\nsource = 'registry+x'\n[[package]]\nname = ''\nversion = '1'\n[[package]]\nname = 'b'\nversion = ''",
            2,
        ),
        ("go.mod", "go 1.21\nrequire a v1.0.0\nrequire \"\" v1.0.0", 1),
        (
            "a.csproj",
            "<Project><ItemGroup><PackageReference Include='a' Version='1.0.0'/><PackageReference Include=' ' Version='1'/></ItemGroup></Project>",
            1,
        ),
        (
            "a.csproj",
            "<Project Sdk='/1'><ItemGroup><PackageReference Include='a' Version='1.0.0'/></ItemGroup><Sdk Name='' Version='1'/></Project>",
            1,
        ),
    ]);
}
