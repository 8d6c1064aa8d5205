//! One package has no crate borders that a compiler would hold; this table and its tests stand in for them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::fixture::{files, package};

/// A module and the modules that it may name.
struct Row {
    module: &'static str,
    may_name: &'static [&'static str],
}

const fn row(module: &'static str, may_name: &'static [&'static str]) -> Row {
    Row { module, may_name }
}

/// In reading order: a module stands below everything that it names.
const TABLE: &[Row] = &[
    row("model", &[]),
    row("config", &["model"]),
    row("system", &["model"]),
    row("repo", &["model", "system"]),
    row("history", &["model", "system", "repo"]),
    row("precision", &["model", "config", "system", "repo"]),
    row("deps", &["model", "config", "system", "repo"]),
    row("syntax", &["model", "system", "repo"]),
    // `syntax`: what a package says is read from its sources, and who uses it from ours.
    row("docs", &["model", "config", "system", "repo", "deps", "syntax"]),
    // `system`: rule files that a caller names lie outside every repository and are opened confined all the same.
    row("structural", &["model", "config", "repo", "syntax", "system"]),
    row("graph", &["model", "repo", "precision", "syntax"]),
    // `syntax`: a change is a difference of two outlines of one file; the graph holds the newer one only.
    row("impact", &["model", "repo", "graph", "syntax"]),
    row("rewrite", &["model", "config", "system", "repo", "syntax", "structural", "impact"]),
    row("validate", &["model", "config", "system", "repo", "rewrite"]),
    row("query", &["model", "deps", "graph", "impact", "syntax"]),
    row(
        "pipeline",
        &[
            "model",
            "config",
            "system",
            "repo",
            "history",
            "precision",
            "deps",
            "docs",
            "syntax",
            "structural",
            "graph",
            "impact",
            "rewrite",
            "validate",
        ],
    ),
    // A bundle writes the results of every layer down, so it names the layers whose results it writes; `system` is
    // how it reads them again.
    row(
        "bundle",
        &[
            "model",
            "config",
            "deps",
            "docs",
            "impact",
            "pipeline",
            "repo",
            "rewrite",
            "structural",
            "system",
            "validate",
        ],
    ),
    // `rewrite`: the preview is a document of its own inside the bundle.
    row("report", &["model", "bundle", "rewrite"]),
    row(
        "ops",
        &[
            "model",
            "config",
            "system",
            "repo",
            "history",
            "precision",
            "deps",
            "docs",
            "syntax",
            "structural",
            "graph",
            "impact",
            "query",
            "rewrite",
            "validate",
            "pipeline",
            "bundle",
            "report",
        ],
    ),
    // `pipeline`: the progress line listens to its events.
    row("cli", &["model", "config", "bundle", "report", "ops", "pipeline"]),
];

/// Names that say nothing of what a module owns.
const EMPTY_NAMES: [&str; 7] = ["utils", "common", "helpers", "types", "errors", "traits", "constants"];

const MOST_LINES: usize = 500;

fn source() -> PathBuf {
    package().join("src")
}

/// The Rust files of the program with their paths below `src`, tests left out.
fn program() -> Vec<(PathBuf, String)> {
    let root = source();
    let relative = |it: &Path| it.strip_prefix(&root).unwrap().to_owned();
    let is_test = |it: &Path| {
        it.components().any(|part| ["tests", "tests.rs"].map(Some).contains(&part.as_os_str().to_str()))
    };
    files(&root)
        .iter()
        .filter(|it| it.extension().is_some_and(|it| it == "rs") && !is_test(&relative(it)))
        .map(|it| (relative(it), std::fs::read_to_string(it).unwrap()))
        .collect()
}

/// The lines before the unit tests at the end of a file.
fn without_tests(text: &str) -> &str {
    text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or(text)
}

/// The modules that a text names by `crate::`, in `use` lines and in paths.
fn named(text: &str) -> BTreeSet<String> {
    let code = without_tests(text).lines().filter(|it| !it.trim_start().starts_with("//"));
    let mut found = BTreeSet::new();
    for line in code {
        for rest in line.split("crate::").skip(1) {
            let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
            match rest.strip_prefix('{').and_then(|it| it.split_once('}')) {
                Some((group, _)) => found.extend(group.split(", ").map(str::to_owned)),
                None => {
                    found.insert(rest.chars().take_while(|it| is_word(*it)).collect());
                }
            }
        }
    }
    found.remove("");
    found
}

/// The module that owns a file below `src`.
fn owner(path: &Path) -> String {
    path.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs").to_owned()
}

#[test]
fn modules_name_only_what_their_row_lists() {
    let table: BTreeMap<&str, &[&str]> = TABLE.iter().map(|it| (it.module, it.may_name)).collect();
    let mut broken = Vec::new();
    for (path, text) in
        program().iter().filter(|(path, _)| path.iter().count() > 1 && !path.starts_with("bin"))
    {
        let owner = owner(path);
        let Some(may_name) = table.get(owner.as_str()) else {
            broken.push(format!("{}: `{owner}` has no row", path.display()));
            continue;
        };
        for name in named(text) {
            if name != owner && !may_name.contains(&name.as_str()) {
                broken.push(format!("{}: `{owner}` names `{name}`", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_table_has_a_row_for_each_module_and_no_circle() {
    let text = std::fs::read_to_string(source().join("lib.rs")).unwrap();
    let declared: BTreeSet<&str> =
        text.lines().filter_map(|it| it.strip_prefix("mod ")?.strip_suffix(';')).collect();
    assert_eq!(declared, TABLE.iter().map(|it| it.module).collect::<BTreeSet<_>>());
    for (number, row) in TABLE.iter().enumerate() {
        for name in row.may_name {
            assert!(
                TABLE[..number].iter().any(|it| it.module == *name),
                "{} stands above {name}",
                row.module
            );
        }
    }
}

#[test]
fn names_of_modules_say_what_they_own() {
    for (path, _) in program() {
        for part in path.iter() {
            let name = part.to_str().unwrap().trim_end_matches(".rs");
            assert!(!EMPTY_NAMES.contains(&name), "{}", path.display());
        }
    }
}

#[test]
fn files_stay_short_and_nothing_is_half_public() {
    for (path, text) in program() {
        let lines = without_tests(&text).lines().count();
        assert!(lines <= MOST_LINES, "{} has {lines} lines", path.display());
        assert!(!text.contains(concat!("pub", "(crate)")), "{}", path.display());
    }
}

/// Whatever else leaves the machine leaves it here.
#[test]
fn one_file_speaks_to_the_network() {
    let words = ["ureq", "TcpStream", "UdpSocket", "ToSocketAddrs"];
    let program = program();
    let speaking = program.iter().filter(|(_, text)| words.iter().any(|it| without_tests(text).contains(it)));
    let speaking: Vec<String> = speaking.map(|it| it.0.display().to_string()).collect();
    assert_eq!(speaking, ["docs/remote/provider.rs"]);
}

#[test]
fn every_file_of_the_tests_is_a_module_of_theirs() {
    let folder = package().join("tests/it");
    let text = std::fs::read_to_string(folder.join("main.rs")).unwrap();
    for file in files(&folder) {
        let name = file.file_stem().unwrap().to_str().unwrap();
        assert!(name == "main" || text.contains(&format!("\nmod {name};\n")), "{}", file.display());
    }
}

#[test]
fn paths_are_read_out_of_code_and_not_out_of_comments_and_tests() {
    let text = "use crate::a::X;\n// crate::b\nfn f() { crate::c::d(); }\nuse crate::{f, g};\n#[cfg(test)]\nmod tests {\nuse crate::e;\n}\n";
    assert_eq!(named(text).into_iter().collect::<Vec<_>>(), ["a", "c", "f", "g"]);
}
