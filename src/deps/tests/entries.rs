//! The ways to write an entry of a manifest.

use super::text_at;
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
