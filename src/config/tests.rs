use proptest::prelude::{any, prop_assert, proptest};

use super::settings::Level;
use super::{CODES, Config, Origin, digest, read, schema};
use crate::model::{Note, RepoPath};

fn parsed(text: &str) -> (Config, Vec<Note>) {
    read(&RepoPath::new(b".codecortex/config.json").unwrap(), text.as_bytes())
}

/// Each note as `code line:column`, in order.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let (_, notes) = parsed(text);
    let shown: Vec<String> = notes
        .iter()
        .map(|it| format!("{} {}:{}", it.code, it.line.unwrap_or(0), it.column.unwrap_or(0)))
        .collect();
    assert_eq!(shown, expected, "{notes:?}");
    assert!(notes.iter().all(|note| CODES.iter().any(|(code, _)| *code == note.code)));
}

/// The example of the specification, which states every key of its three sections with its default.
const SPECIFIED: &str = r#"{
  "precision_index": {"enabled": true, "path": ".codecortex/precision/index.cortexidx",
    "auto_generate": false, "generator_command": []},
  "dependency_docs": {"enabled": false, "api_key_env": "CODECORTEX_DEPENDENCY_DOCS_API_KEY",
    "cache_ttl_seconds": 86400, "serve_stale_when_offline": true},
  "structural": {"enabled": true, "command": null, "max_rewrite_files": 50, "max_rewrite_matches": 500,
    "max_rewrite_bytes": 1048576, "preview_ttl_seconds": 1800, "allow_apply": true}
}"#;

#[test]
fn the_specified_example_states_the_defaults() {
    let (mut config, notes) = parsed(SPECIFIED);
    assert_eq!(notes, []);
    assert_eq!(
        config.precision_index.path.take().unwrap().to_string(),
        ".codecortex/precision/index.cortexidx"
    );
    assert_eq!(digest(&config), digest(&Config::default()));
}

#[test]
fn a_malformed_section_falls_back_whole_and_leaves_the_others() {
    let text = "{\n  \"structural\": {\"max_rewrite_files\": \"9\", \"allow_apply\": false},\n  \"limits\": {\"max_findings\": 7}\n}";
    check(text, &["config_section_malformed 2:39"]);
    let (config, notes) = parsed(text);
    assert!(config.structural.allow_apply);
    assert_eq!((config.structural.max_rewrite_files, config.limits.max_findings), (50, 7));
    let message = &notes[0].message;
    assert!(
        message.contains("a whole number from 1 to 10000000") && message.contains("preview_ttl_seconds"),
        "{message}"
    );
}

#[test]
fn values_out_of_range_are_malformed() {
    for value in ["-1", "0", "1.5", "1e3", "99999999999999999999999", "null", "true", "[]", "{}", "\"5\""] {
        check(
            &format!("{{\"structural\":{{\"max_rewrite_files\":{value}}}}}"),
            &["config_section_malformed 1:36"],
        );
    }
    for path in ["/etc/passwd", "../x", "a/../b", "", "a\\u0000b"] {
        check(
            &format!("{{\"precision_index\":{{\"path\":\"{path}\"}}}}"),
            &["config_section_malformed 1:28"],
        );
    }
    check(r#"{"rules":{"severity":{"x":"fatal"}}}"#, &["config_section_malformed 1:27"]);
    check(r#"{"rules":{"ignores":["[z-a]","ok"]}}"#, &["config_section_malformed 1:22"]);
    check(r#"{"dependency_docs":{"api_key_env":"A B"}}"#, &["config_section_malformed 1:35"]);
    check(r#"{"validation":{"commands":[{"name":"a"}]}}"#, &["config_section_malformed 1:28"]);
    check(
        r#"{"validation":{"commands":[{"name":"a","argv":["x"]},{"name":"a","argv":["x"]}]}}"#,
        &["config_section_malformed 1:54"],
    );
    check(r#"{"limits":[]}"#, &["config_section_malformed 1:11"]);
}

#[test]
fn a_document_that_is_no_document_gives_defaults_and_its_place() {
    check("", &["config_unreadable 1:1"]);
    check("[]", &["config_unreadable 1:1"]);
    check("{\n\"limits\": }", &["config_unreadable 2:11"]);
    check(&"[".repeat(100_000), &["config_unreadable 1:129"]);
    let (config, notes) = read(&RepoPath::new(b"c").unwrap(), b"{\n  \"limits\": \xff}");
    assert_eq!((config, notes[0].line, notes[0].column), (Config::default(), Some(2), Some(13)));
    let (_, notes) = read(&RepoPath::new(b"c").unwrap(), &vec![b' '; (1 << 20) + 1]);
    assert_eq!(notes[0].code, "config_unreadable");
}

#[test]
fn an_unknown_key_is_ignored_and_the_nearest_is_named() {
    let text =
        "\u{feff}{ // comment\n \"structural\": {\"allow_aply\": false, \"max_rewrite_files\": 3,},\n}";
    check(text, &["config_key_unknown 2:17"]);
    let (config, notes) = parsed(text);
    assert!(notes[0].message.contains("did you mean `allow_apply`?"), "{}", notes[0].message);
    assert_eq!(config.structural.max_rewrite_files, 3);
    check(r#"{"$schema":"x","limts":{}}"#, &["config_key_unknown 1:16"]);
    check(r#"{"limits":{},"limits":{}}"#, &["config_key_repeated 1:14"]);
}

#[test]
fn entries_say_where_each_value_comes_from() {
    let (config, _) =
        parsed("{\"rules\": {\"severity\": {\"no-print\": \"off\"}},\n\"limits\": {\"max_files\": 9}}");
    assert_eq!(config.rules.severity["no-print"], Level::Off);
    let entries = config.entries();
    assert!(entries.is_sorted_by(|left, right| left.key < right.key));
    let shown: Vec<_> = entries.iter().filter(|it| it.origin != Origin::Default).collect();
    assert_eq!(shown.len(), 2);
    assert_eq!((shown[0].key.as_str(), shown[0].value.as_str()), ("limits.max_files", "9"));
    assert_eq!(shown[0].origin, Origin::File { line: 2, column: 25 });
    assert_eq!((shown[1].key.as_str(), shown[1].value.as_str()), ("rules.severity", r#"{"no-print":"off"}"#));
}

#[test]
fn what_runs_or_loosens_is_not_taken_from_a_change_under_review() {
    let text = r#"{"validation": {"commands": [{"name": "t", "argv": ["make"]}]},
        "precision_index": {"auto_generate": true, "generator_command": ["sh"], "path": "i.scip"},
        "structural": {"command": "/tmp/x", "max_rewrite_files": 51, "max_rewrite_matches": 499},
        "dependency_docs": {"enabled": true, "api_key_env": "HOME"}}"#;
    let (config, notes) = parsed(text);
    assert_eq!(notes, []);
    let (config, notes) = config.without_programs();
    let codes: Vec<&str> = notes.iter().map(|it| it.code.as_str()).collect();
    assert_eq!(codes, [["config_program_ignored"; 6].as_slice(), &["config_limit_ignored"]].concat());
    assert_eq!(config.precision_index.path.as_ref().unwrap().to_string(), "i.scip");
    assert_eq!((config.structural.max_rewrite_files, config.structural.max_rewrite_matches), (50, 499));
    assert!(config.validation.commands.is_empty() && !config.dependency_docs.enabled);
    let set = config.entries().into_iter().filter(|it| it.origin != Origin::Default).count();
    assert_eq!(set, 2, "only the path and the lowered limit still come from the file");
}

#[test]
fn the_schema_describes_every_section_and_bounds_its_numbers() {
    let schema = serde_json::to_value(schema()).unwrap();
    let sections = ["precision_index", "dependency_docs", "structural", "rules", "validation", "limits"];
    for section in sections {
        assert!(schema.pointer(&format!("/properties/{section}")).is_some(), "{section}");
    }
    let files = schema.pointer("/$defs/Structural/properties/max_rewrite_files").unwrap();
    assert_eq!((&files["minimum"], &files["maximum"]), (&1.into(), &10_000_000.into()));
    assert_eq!(files["default"], 50);
    let check = schema.pointer("/$defs/Check").unwrap();
    assert_eq!(check["required"], serde_json::json!(["name", "argv"]));
    assert_eq!(check["additionalProperties"], false);
}

proptest! {
    #[test]
    fn no_bytes_stop_the_reader(bytes in proptest::collection::vec(any::<u8>(), 0..200), cut in 0..600usize) {
        let path = RepoPath::new(b"c").unwrap();
        let (_, notes) = read(&path, &bytes);
        prop_assert!(notes.len() < 200);
        drop(read(&path, SPECIFIED.as_bytes().get(..cut).unwrap_or_default()));
    }
}
