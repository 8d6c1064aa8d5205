//! Help, completions, explanations and colours.

use std::collections::BTreeMap;

use super::fixture::{Repo, fixtures, golden};

/// The subcommands that a help page lists.
fn subcommands(help: &str) -> Vec<&str> {
    let rows = help.lines().skip_while(|it| *it != "Commands:").skip(1).take_while(|it| it.starts_with("  "));
    let names = rows.filter(|it| !it.starts_with("   ")).filter_map(|it| it.split_whitespace().next());
    names.filter(|it| *it != "help").collect()
}

#[test]
fn the_help_of_every_command_is_what_was_agreed() {
    let repo = Repo::bare_folder();
    let folder = fixtures().join("cli");
    let mut open: Vec<Vec<String>> = vec![vec![]];
    let mut pages = vec![];
    while let Some(command) = open.pop() {
        let arguments: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
        let help = repo.cortex(&arguments).ends(0).stdout;
        open.extend(subcommands(&help).iter().map(|it| [&command[..], &[(*it).to_owned()]].concat()));
        let name =
            ["cortex"].into_iter().chain(command.iter().map(String::as_str)).collect::<Vec<_>>().join("-");
        golden(&folder.join(format!("{name}.txt")), &help);
        pages.push(name);
    }
    let scan = repo.run(env!("CARGO_BIN_EXE_cortex-scan"), &[], &["--help"]).ends(0).stdout;
    golden(&folder.join("cortex-scan-alone.txt"), &scan);
    pages.sort();
    assert_eq!(
        pages,
        [
            "cortex",
            "cortex-bundle",
            "cortex-bundle-show",
            "cortex-bundle-verify",
            "cortex-completions",
            "cortex-config",
            "cortex-config-schema",
            "cortex-config-show",
            "cortex-definition",
            "cortex-deps",
            "cortex-deps-diff",
            "cortex-deps-docs",
            "cortex-deps-why",
            "cortex-doctor",
            "cortex-explain",
            "cortex-graph",
            "cortex-graph-edges",
            "cortex-history",
            "cortex-impact",
            "cortex-implementations",
            "cortex-index",
            "cortex-index-generate",
            "cortex-index-seal",
            "cortex-precision-status",
            "cortex-query",
            "cortex-references",
            "cortex-rewrite",
            "cortex-rewrite-apply",
            "cortex-route",
            "cortex-scan",
            "cortex-symbol",
            "cortex-tests",
        ]
    );
}

#[test]
fn each_shell_gets_a_completion_script_with_every_command() {
    let repo = Repo::bare_folder();
    for shell in ["bash", "zsh", "fish"] {
        let script = repo.cortex(&["completions", shell]).ends(0).stdout;
        assert!(["scan", "bundle", "rewrite", "doctor"].iter().all(|it| script.contains(it)), "{shell}");
    }
    repo.cortex(&["completions", "cmd"]).ends(2);
}

#[test]
fn settings_say_where_they_come_from() {
    let repo = Repo::new();
    repo.write(".codecortex/config.json", "{\n  \"limits\": {\n    \"max_files\": 7\n  }\n}\n");
    let text = repo.cortex(&["config", "show", "--origin"]).ends(0).stdout;
    let lines: BTreeMap<&str, &str> = text.lines().filter_map(|it| it.split_once(" = ")).collect();
    assert_eq!(lines["limits.max_files"], "7  # .codecortex/config.json:3:18");
    assert_eq!(lines["structural.allow_apply"], "true  # default");
    let plain = repo.cortex(&["config", "show"]).ends(0).stdout;
    assert!(plain.lines().any(|it| it == "limits.max_files = 7"), "{plain}");
}

#[test]
fn a_setting_that_is_wrong_or_unknown_is_told_with_its_place() {
    let repo = Repo::new();
    repo.write(".codecortex/config.json", "{\n  \"limits\": {\n    \"max_filez\": 7\n  }\n}\n");
    let run = repo.cortex(&["config", "show"]).ends(0);
    assert!(run.stderr.starts_with("note: .codecortex/config.json:3:5: "), "{}", run.stderr);
    assert!(run.stderr.contains("max_files"), "{}", run.stderr);
}

#[test]
fn a_configuration_that_is_not_json_is_shown_as_defaults_and_fails() {
    let repo = Repo::new();
    repo.write(".codecortex/config.json", "limits = 7\n");
    let run = repo.cortex(&["config", "show"]).ends(2);
    assert!(run.stdout.lines().any(|it| it.starts_with("limits.max_files = ")), "{}", run.stdout);
    assert!(run.stderr.contains("[config_unreadable]"), "{}", run.stderr);
}

/// The names that `explain` lists, by group.
fn names(repo: &Repo) -> BTreeMap<String, Vec<String>> {
    let text = repo.cortex(&["explain"]).ends(0).stdout;
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut group = String::new();
    for line in text.lines() {
        match line.strip_prefix("  ") {
            Some(name) => groups.entry(group.clone()).or_default().push(name.to_owned()),
            None => line.clone_into(&mut group),
        }
    }
    groups
}

#[test]
fn everything_that_has_a_name_has_an_explanation() {
    let repo = Repo::bare_folder();
    let groups = names(&repo);
    assert_eq!(groups["tiers"], ["exact", "near_exact", "structural", "inferred_high", "inferred", "weak"]);
    assert_eq!(groups["provenance"].len(), 15);
    assert!(groups["codes"].len() > 50);
    for name in groups.values().flatten() {
        let text = repo.cortex(&["explain", name]).ends(0).stdout;
        let (title, explanation) = text.split_once('\n').unwrap();
        assert_eq!(title, name);
        assert!(explanation.trim().len() > 20, "{name}: {explanation}");
    }
    for (group, count) in [
        ("verdicts", 3),
        ("severities", 4),
        ("standings", 3),
        ("changes", 6),
        ("dependency changes", 6),
        ("checks", 5),
        ("layers", 10),
        ("layer states", 4),
        ("risk factors", 5),
    ] {
        assert_eq!(groups[group].len(), count, "{group}");
    }
    let both = repo.cortex(&["explain", "structural"]).ends(0).stdout;
    assert!(both.contains("As a tier: ") && both.contains("As a layer: "), "{both}");
    for name in ["~2", "python:a.py#f~2"] {
        let text = repo.cortex(&["explain", name]).ends(0).stdout;
        assert!(text.contains("second of that name"), "{text}");
    }
    repo.cortex(&["explain", "f~1"]).fails(2, "nothing_of_that_name");
    repo.cortex(&["explain", "nothing-like-this"]).fails(2, "nothing_of_that_name");
}

/// A report and the table of its words are written apart.
#[test]
fn the_words_of_a_real_report_are_explained() {
    let rule = "id: r\nlanguage: python\nseverity: warning\nfix: new($X)\nrule: {pattern: old($X)}\n";
    let manifest =
        |version: &str| format!("[package]\nname = \"p\"\n\n[dependencies]\nserde = \"{version}\"\n");
    let repo = Repo::with(&[
        ("a.py", "def f():\n    return old(1)\n"),
        ("Cargo.toml", &manifest("1")),
        (".codecortex/rules/r.yml", rule),
    ]);
    repo.write("a.py", "def f():\n    return old(2)\n\n\ndef g():\n    pass\n");
    repo.write("Cargo.toml", manifest("2"));
    repo.scan(&["--base", "HEAD", "--preview", "--validate"]).ends(1);
    let groups = names(&repo);
    let check = |group: &str, document: &str, list: &str, key: &str| {
        let document = repo.document(document);
        let rows = document.pointer(list).and_then(serde_json::Value::as_array).unwrap();
        assert!(!rows.is_empty(), "{list}");
        for row in rows {
            let word = row.pointer(key).and_then(serde_json::Value::as_str).unwrap();
            assert!(groups[group].iter().any(|it| it == word), "{group}: {word}");
        }
    };
    check("changes", "impact.json", "/changed", "/change");
    check("risk factors", "impact.json", "/risk/factors", "/name");
    check("dependency changes", "dependencies.json", "/changes", "/change");
    check("checks", "validation.json", "/checks", "/status");
    check("layers", "bundle.json", "/stages", "/layer");
    check("layer states", "bundle.json", "/stages", "/status/state");
}

#[test]
fn every_code_that_an_error_or_note_can_carry_has_an_explanation() {
    let repo = Repo::bare_folder();
    let codes = &names(&repo)["codes"];
    let missing: Vec<String> = written_codes().into_iter().filter(|it| !codes.contains(it)).collect();
    assert!(missing.is_empty(), "no explanation: {}", missing.join(", "));
}

/// The codes that the program's text hands to the constructors of notes, reasons and errors.
fn written_codes() -> Vec<String> {
    let mut found = vec![];
    for file in super::fixture::files(&super::fixture::package().join("src")) {
        let text = std::fs::read_to_string(&file).unwrap();
        let text = text.split("\n#[cfg(test)]\n").next().unwrap();
        for start in
            ["Note::new(", "Reason::new(", "OpError::usage(", "OpError::incomplete(", "OpError::refused("]
        {
            for rest in text.split(start).skip(1) {
                let Some(code) = rest.trim_start().strip_prefix('"') else { continue };
                found.extend(code.split('"').next().map(str::to_owned));
            }
        }
    }
    found.sort();
    found.dedup();
    assert!(found.len() > 30, "{found:?}");
    found
}

#[test]
fn a_rule_is_explained_by_its_note() {
    let repo = Repo::of("languages");
    let text = repo.cortex(&["explain", "no-legacy-warn"]).ends(0).stdout;
    assert!(text.starts_with("no-legacy-warn\n") && text.contains("goes away with version 3"), "{text}");
}

#[test]
fn a_rule_that_the_configuration_points_at_is_explained_too() {
    let repo = Repo::new();
    repo.write_all(&[
        (".codecortex/config.json", r#"{"rules": {"paths": ["lint"]}}"#),
        (
            "lint/far.yml",
            "id: far-away\nlanguage: python\nnote: Kept elsewhere.\nrule: {pattern: print($A)}\n",
        ),
    ]);
    let text = repo.cortex(&["explain", "far-away"]).ends(0).stdout;
    assert!(text.starts_with("far-away\n") && text.contains("Kept elsewhere."), "{text}");
}

/// The state of each part that the doctor looks at.
fn states(repo: &Repo) -> BTreeMap<String, String> {
    let rows = repo.cortex(&["doctor", "--json"]).ends(0).json();
    let text = |it: &serde_json::Value| it.as_str().unwrap().to_owned();
    rows.as_array().unwrap().iter().map(|it| (text(&it["name"]), text(&it["status"]["state"]))).collect()
}

#[test]
fn the_doctor_tells_what_works() {
    let repo = Repo::with(&[("package.json", "{}\n")]);
    let found = states(&repo);
    for (name, state) in [
        ("git", "available"),
        ("configuration", "available"),
        ("precision intelligence", "unavailable"),
        ("dependency manifests", "available"),
        ("dependency docs", "disabled"),
        ("structural engine", "available"),
        ("state folder", "available"),
    ] {
        assert_eq!(found[name], state, "{name}");
    }
    assert_eq!(found.len(), 7);
    let folder = Repo::bare_folder();
    folder.write(
        ".codecortex/config.json",
        r#"{"structural":{"enabled":false},"precision_index":{"enabled":false}}"#,
    );
    let found = states(&folder);
    for (name, state) in [
        ("git", "unavailable"),
        ("precision intelligence", "disabled"),
        ("dependency manifests", "unavailable"),
        ("structural engine", "disabled"),
    ] {
        assert_eq!(found[name], state, "{name}");
    }
}

#[test]
fn colours_come_only_where_they_are_wanted() {
    let repo = Repo::of("languages");
    for (variables, arguments, expected) in [
        (&[][..], &[][..], false),
        (&[], &["--color", "always"], true),
        (&[], &["--color", "never"], false),
        (&[("CLICOLOR_FORCE", "1")], &[], true),
        (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[], false),
        (&[("CLICOLOR_FORCE", "1")], &["--color", "never"], false),
        (&[("NO_COLOR", "1")], &["--color", "always"], true),
    ] {
        let run = repo.cortex_with(variables, &[&["scan"], arguments].concat()).ends(1);
        assert_eq!(run.stdout.contains('\u{1b}'), expected, "{variables:?} {arguments:?}");
    }
}

#[test]
fn stderr_is_quiet_where_nobody_watches() {
    let repo = Repo::of("languages");
    for format in ["json", "markdown", "sarif", "github"] {
        assert_eq!(repo.scan(&["--format", format]).ends(1).stderr, "", "{format}");
    }
    let run = repo.scan(&[]).ends(1);
    assert_eq!(run.stderr, format!("bundle: {}\n", repo.root.join(".codecortex/out").display()));
}
