//! The ways in which a package hands on what is deprecated, over packages written for it. What is expected was read off
//! them by hand.

use serde_json::Value;

use super::fixture::Repo;

/// The findings of a scan, each as `path:line:column name trust`.
#[track_caller]
fn found(repo: &Repo, variables: &[(&str, &str)]) -> Vec<String> {
    let run = repo.cortex_with(variables, &["scan", "--format", "json"]).ends(0).json();
    let evidence = repo.read(".codecortex/out/evidence.jsonl");
    let evidence: Vec<Value> = evidence.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    let line = |it: &Value| {
        let record = evidence.iter().find(|record| record["id"] == it["evidence"][0]).unwrap();
        let text = |it: &Value| it.as_str().unwrap().to_owned();
        format!(
            "{}:{}:{} {} {}",
            text(&it["path"]),
            it["start_line"],
            it["start_column"],
            text(&record["metadata"]["deprecation"]["name"]),
            text(&record["trust"])
        )
    };
    run["findings"].as_array().unwrap().iter().map(line).collect()
}

/// A package of Node at version 1.0.0, and code that uses it.
fn node(types: &str, index: &str, code: &[(&str, &str)]) -> Repo {
    let repo = Repo::with(&[
        ("package.json", r#"{"dependencies": {"p": "1.0.0"}}"#),
        (".gitignore", "node_modules\n"),
        ("node_modules/p/package.json", r#"{"version": "1.0.0", "main": "index.js"}"#),
    ]);
    if !types.is_empty() {
        repo.write("node_modules/p/index.d.ts", types);
    }
    repo.write("node_modules/p/index.js", index);
    repo.write_all(code);
    repo
}

/// A crate of an edition at version 1.0.0, in Cargo's registry beside the repository.
fn rust(edition: &str, sources: &[(&str, &str)], code: &str) -> (Repo, String) {
    let lock = "version = 4\n\n[[package]]\nname = \"own\"\nversion = \"0.1.0\"\ndependencies = [\"p\"]\n\n[[package]]\n\
                name = \"p\"\nversion = \"1.0.0\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n";
    let repo = Repo::with(&[
        (
            "Cargo.toml",
            "[package]\nname = \"own\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\np = \"1\"\n",
        ),
        ("Cargo.lock", lock),
        ("src/lib.rs", code),
    ]);
    let home = repo.beside("cargo");
    let manifest = format!("[package]\nname = \"p\"\nversion = \"1.0.0\"\nedition = \"{edition}\"\n");
    repo.write(&format!("{home}/registry/src/index/p-1.0.0/Cargo.toml"), manifest);
    for (path, text) in sources {
        repo.write(&format!("{home}/registry/src/index/p-1.0.0/{path}"), text);
    }
    (repo, home)
}

#[test]
fn a_crate_hands_on_by_paths_without_its_own_name() {
    let sources = [
        (
            "src/lib.rs",
            "mod x;\npub mod y;\nmod inner { #[deprecated] pub fn six() {} }\npub use self::x::one;\npub use x::two;\n\
             pub use self::x::{Three, four as fourth};\npub use x::*;\npub use inner::six;\npub use x::deep::seven;\n\
             pub use x::deep;\n",
        ),
        (
            "src/x.rs",
            "#[deprecated]\npub fn one() {}\n#[deprecated]\npub fn two() {}\npub struct Three;\n\
             impl Three { #[deprecated] pub fn make() {} }\n#[deprecated]\npub fn four() {}\n#[deprecated]\npub fn five() {}\n\
             pub mod deep { #[deprecated] pub fn seven() {} #[deprecated] pub fn eight() {} }\n",
        ),
        ("src/y.rs", "pub use x::five as fifth;\npub use super::x::four;\n"),
    ];
    let code = "pub fn f() {\n    p::one();\n    p::two();\n    p::Three::make();\n    p::fourth();\n    p::five();\n    p::six();\n    \
                p::seven();\n    p::deep::eight();\n    p::y::fifth();\n    p::y::four();\n}\n";
    let (repo, home) = rust("2015", &sources, code);
    let lines: Vec<String> = found(&repo, &[("CARGO_HOME", &home)]);
    let names: Vec<&str> = lines.iter().map(|it| it.split(' ').nth(1).unwrap()).collect();
    let all =
        ["one", "two", "Three::make", "fourth", "five", "six", "seven", "deep::eight", "y::fifth", "y::four"];
    assert_eq!(names, all);
    // Since 2018 a path begins where it stands.
    let (repo, home) = rust("2021", &sources, code);
    let lines: Vec<String> = found(&repo, &[("CARGO_HOME", &home)]);
    let names: Vec<&str> = lines.iter().map(|it| it.split(' ').nth(1).unwrap()).collect();
    assert_eq!(names, all.iter().copied().filter(|it| *it != "y::fifth").collect::<Vec<_>>());
}

const TYPES: &str = "/** Levels. */\nexport declare enum Level {\n  /** @deprecated */\n  Low = 1,\n  High,\n  /** @deprecated */ Last\n}\n\
    export declare namespace space {\n  /** @deprecated */\n  function inner(): void;\n  function kept(): void;\n  namespace deep {\n    /** @deprecated */ const value: number;\n  }\n}\n\
    export namespace plain {\n  /** @deprecated */ export function inner(): void;\n}\n\
    /** @deprecated */\nexport namespace gone {\n  export function any(): void;\n}\n\
    export declare class Maker {\n  /** @deprecated */\n  static make(): Maker;\n  static keep(): Maker;\n  /** @deprecated */ static readonly field: number;\n}\n\
    /** @deprecated */\nexport declare function all(a: string): void;\n/** @deprecated */\nexport declare function all(a: number): void;\n\
    /** @deprecated */\nexport declare function some(a: string): void;\nexport declare function some(a: number): void;\n";

#[test]
fn members_of_what_typescript_declares_are_deprecated_by_themselves() {
    let code = "import { Level, space, plain, gone, Maker, all, some } from 'p';\nf(Level.Low);\nf(Level.High);\nf(Level.Last);\n\
        space.inner();\nspace.kept();\nf(space.deep.value);\nplain.inner();\ngone.any();\nMaker.make();\nMaker.keep();\nf(Maker.field);\n\
        all('a');\nsome('a');\n";
    let repo = node(TYPES, "", &[("a.ts", code)]);
    assert_eq!(
        found(&repo, &[]),
        [
            "a.ts:2:9 Level.Low inferred_high",
            "a.ts:4:9 Level.Last inferred_high",
            "a.ts:5:7 space.inner inferred_high",
            "a.ts:7:14 space.deep.value inferred_high",
            "a.ts:8:7 plain.inner inferred_high",
            "a.ts:9:1 gone structural",
            "a.ts:10:7 Maker.make inferred_high",
            "a.ts:12:9 Maker.field inferred_high",
            "a.ts:13:1 all structural",
        ]
    );
}

/// The implementation behind overloads is not one that can be called.
#[test]
fn what_stands_behind_overloads_does_not_count() {
    let source = "/** @deprecated */\nexport function all(a: string): void;\n/** @deprecated */\nexport function all(a: number): void;\n\
        export function all(a: unknown): void {}\n/** @deprecated */\nexport function some(a: string): void;\n\
        export function some(a: number): void;\nexport function some(a: unknown): void {}\n\
        export class C {\n  /** @deprecated */\n  static m(a: string): void;\n  static m(a: unknown): void {}\n}\n";
    let code = "import { all, some, C } from 'p';\nall('a');\nsome('a');\nC.m('a');\n";
    let repo = node("", "", &[("a.ts", code)]);
    repo.write("node_modules/p/package.json", r#"{"version": "1.0.0", "main": "source.ts"}"#);
    repo.write("node_modules/p/source.ts", source);
    assert_eq!(found(&repo, &[]), ["a.ts:2:1 all structural", "a.ts:4:3 C.m inferred_high"]);
}

#[test]
fn what_is_required_is_used_in_every_form() {
    let index = "/** @deprecated */\nexports.a = function () {};\nexports.b = { };\n/** @deprecated */\nexports.c = () => 1;\n";
    let code = "const { a, c: renamed } = require('p');\na();\nrenamed();\nrequire('p').a();\nconst one = require('p').a;\none();\n\
        require('p').b();\nfunction f() {\n  return require('p').c;\n}\nlet { c = 1 } = require('p');\nc();\n\
        async function g() { (await import('p')).a(); }\n";
    let repo = node("", index, &[("a.js", code)]);
    assert_eq!(
        found(&repo, &[]),
        [
            "a.js:2:1 a structural",
            "a.js:3:1 c structural",
            "a.js:4:14 a structural",
            "a.js:6:1 a structural",
            "a.js:9:23 c structural",
            "a.js:12:1 c structural",
            "a.js:13:42 a structural",
        ]
    );
}
