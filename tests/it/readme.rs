//! The example of the README, run.

use super::fixture::{Repo, golden, package};

/// The fenced blocks of a language.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let fence = format!("\n```{language}\n");
    text.split(fence.as_str()).skip(1).filter_map(|it| it.split("```").next()).collect()
}

#[test]
fn the_example_prints_what_the_readme_shows() {
    let readme = std::fs::read_to_string(package().join("README.md")).unwrap();
    let rule = blocks(&readme, "yaml")[0];
    let repo = Repo::with(&[
        (
            "prices.py",
            "from legacy import fetch\n\n\ndef total(order):\n    return sum(fetch(item) for item in order)\n",
        ),
        ("test_prices.py", "from prices import total\n\n\ndef test_total():\n    assert total([]) == 0\n"),
        (".codecortex/rules/no-fetch.yml", rule),
    ]);
    repo.write(
        "prices.py",
        "from legacy import fetch\n\n\ndef total(order):\n    return sum(fetch(item) * item.count for item in order)\n\n\n\
         def first(order):\n    return fetch(order[0])\n",
    );
    let run = repo.run(env!("CARGO_BIN_EXE_cortex-scan"), &[], &["--base", "HEAD", "--preview"]).ends(1);
    let id = repo.document("preview.json")["id"].as_str().unwrap().to_owned();
    let shown = blocks(&readme, "text")[0];
    let shown_id = shown.split_whitespace().find_map(|it| it.strip_suffix(':')?.strip_prefix("pv_")).unwrap();
    let renewed = readme.replace(shown, &run.stdout).replace(&format!("pv_{shown_id}"), &id);
    golden(&package().join("README.md"), &renewed);
}

#[test]
fn the_settings_of_the_example_are_all_known() {
    let readme = std::fs::read_to_string(package().join("README.md")).unwrap();
    let repo = Repo::new();
    repo.write("config.json", blocks(&readme, "json")[0]);
    let run = repo.cortex(&["config", "show", "--config", "config.json", "--origin"]).ends(0);
    assert_eq!(run.stderr, "");
    assert_eq!(run.stdout.lines().filter(|it| it.contains("  # config.json:")).count(), 7);
    for block in blocks(&readme, "json") {
        repo.write("config.json", block);
        assert_eq!(repo.cortex(&["config", "show", "--config", "config.json"]).ends(0).stderr, "", "{block}");
    }
}
