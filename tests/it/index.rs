//! `cortex index`: a configured program makes the index, and what is there stays until something better is.

use serde_json::{Value, json};

use super::fixture::{Repo, Run, write};
use super::precision::field;

fn metadata() -> Vec<u8> {
    field(1, &field(2, &[field(1, b"scip-python"), field(2, b"0.6.6")].concat()))
}

fn index() -> Vec<u8> {
    let occurrence = [field(1, &[0, 4, 8]), field(2, b"s python p 1 lib/work()."), vec![3 << 3, 1]].concat();
    [metadata(), field(2, &[field(1, b"lib.py"), field(2, &occurrence)].concat())].concat()
}

/// A repository with an indexer beside it: a script that gets the path to write to as its last argument.
struct Ground {
    repo: Repo,
    configuration: String,
}

const PLACE: &str = ".codecortex/precision/index.cortexidx";
const OLD: &str = "the old one";

fn ground(script: &str) -> Ground {
    let repo = Repo::with(&[("lib.py", "def work():\n    pass\n"), ("pyproject.toml", "[project]\n")]);
    write(repo.beside("made.scip"), index());
    write(repo.beside("indexer"), format!("set -e; made={}; out=$1; {script}", repo.beside("made.scip")));
    let command = json!(["sh", repo.beside("indexer"), "{output}"]);
    let configuration = json!({ "precision_index": { "generator_command": command } }).to_string();
    Ground { repo, configuration }
}

impl Ground {
    /// With the configuration that the operator names.
    fn generate(&self) -> Run {
        write(self.repo.beside("config.json"), &self.configuration);
        self.repo.cortex(&["index", "generate", "--config", &self.repo.beside("config.json")])
    }

    fn status(&self) -> (Value, Value, Value) {
        let status = self.repo.cortex(&["precision-status", "--json"]).ends(0).json();
        let index = &status["index"];
        (status["state"].clone(), index["stale_documents"].clone(), index["hashed_files"].clone())
    }
}

#[test]
fn an_indexer_makes_an_index_that_is_sealed_and_current() {
    let ground = ground("cp \"$made\" \"$out\"; test -f lib.py");
    let run = ground.generate().ends(0);
    assert_eq!(run.stdout, format!("written: {PLACE}\nwritten: {PLACE}.manifest.json (1 document)\n"));
    assert_eq!(run.stderr, "");
    assert_eq!(ground.status(), (json!("available"), json!(0), json!(0)));
    assert!(
        !ground.repo.git(&["status", "--porcelain"]).contains("cache"),
        "the cache is nobody's to commit"
    );
    // An index that is found elsewhere is the one that is renewed.
    std::fs::rename(ground.repo.root.join(PLACE), ground.repo.root.join("index.scip")).unwrap();
    assert!(ground.generate().ends(0).stdout.starts_with("written: index.scip\n"));
}

#[test]
fn an_edit_while_the_indexer_runs_stays_stale_until_it_runs_again() {
    let edit = "test -f edited || { echo '#' >> lib.py; touch edited; }";
    let ground = ground(&format!("cp \"$made\" \"$out\"; {edit}"));
    let run = ground.generate().ends(0);
    assert!(run.stdout.contains("(1 document; 1 not proven current"), "{run:?}");
    assert!(run.stderr.contains("1 files changed since the index was begun"), "{run:?}");
    assert_eq!(ground.status(), (json!("stale"), json!(1), json!(0)));
    assert!(ground.generate().ends(0).stdout.contains("(1 document)"));
    assert_eq!(ground.status(), (json!("available"), json!(0), json!(0)));
}

/// What stood there still stands, and no temporary file is left beside it.
#[track_caller]
fn fails(script: &str, code: &str, says: &str) {
    let ground = ground(script);
    ground.repo.write(PLACE, OLD);
    let run = ground.generate().fails(3, code);
    assert!(run.stderr.contains(says), "{run:?}");
    assert_eq!(ground.repo.read(PLACE), OLD);
    let folder = ground.repo.root.join(".codecortex/precision");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1);
}

#[test]
fn an_indexer_that_fails_leaves_the_index_that_was_there() {
    fails("rm lib.py; cp \"$made\" \"$out\"", "generator_no_index", "none of the 1 files");
    fails("echo out of memory >&2; exit 7", "generator_failed", "exited with 7");
    fails("echo out of memory >&2; exit 7", "generator_failed", "out of memory");
    fails("kill -9 $$", "generator_failed", "was ended by signal 9");
    fails("cp \"$made\" \"$out\"; exit 1", "generator_failed", "exited with 1");
    fails("true", "generator_no_index", "wrote nothing to `{output}`");
    fails("cp \"$made\" index.scip", "generator_no_index", "wrote nothing to `{output}`");
    fails(": > \"$out\"", "generator_no_index", "empty file");
    fails("head -c 40 \"$made\" > \"$out\"", "generator_no_index", "ends in the middle of a record");
    fails("head -c 24 \"$made\" > \"$out\"", "generator_no_index", "has no documents");
    fails("echo '<html>' > \"$out\"", "generator_no_index", "web page");
    fails("mkdir \"$out\"", "generator_no_index", "it is a folder");
    fails("ln -s \"$made\" \"$out\"", "generator_no_index", "symbolic link");
}

#[test]
fn an_indexer_that_does_not_end_is_ended() {
    let ground = ground("sleep 60");
    write(ground.repo.beside("config.json"), &ground.configuration);
    let config = ground.repo.beside("config.json");
    let run = ground.repo.cortex(&["index", "generate", "--timeout", "1", "--config", &config]);
    assert!(run.fails(3, "generator_failed").stderr.contains("did not end within 1 s"));
}

#[test]
fn an_indexer_runs_only_when_it_is_configured_and_approved() {
    let ground = ground("cp \"$made\" \"$out\"");
    let repo = &ground.repo;
    let run = repo.cortex(&["index", "generate"]).fails(2, "no_generator");
    assert!(run.stderr.contains("generator_command") && run.stderr.contains("cortex index seal"), "{run:?}");
    repo.cortex(&["index"]).fails(2, "no_generator");
    repo.write(".codecortex/config.json", &ground.configuration);
    repo.cortex(&["index", "generate"]).fails(4, "generator_blocked");
    repo.cortex(&["index"]).fails(4, "generator_blocked");
    assert!(!repo.root.join(PLACE).exists());
    let approved = repo.cortex_with(&[("CORTEX_APPROVE_COMMANDS", "1")], &["index"]).ends(0);
    assert!(approved.stdout.starts_with("written: "), "{approved:?}");
    // What is there can be sealed without running anything.
    let sealed = repo.cortex(&["index"]).ends(0).stdout;
    assert_eq!(sealed, format!("written: {PLACE}.manifest.json (1 document)\n"));
    let without = r#"{"precision_index":{"generator_command":["true","index.scip"]}}"#;
    write(repo.beside("config.json"), without);
    let config = repo.beside("config.json");
    repo.cortex(&["index", "generate", "--config", &config]).fails(2, "generator_without_output");
    write(
        repo.beside("config.json"),
        without.replace("true", "no-such-program").replace("index.scip", "{output}"),
    );
    repo.cortex(&["index", "generate", "--config", &config]).fails(3, "generator_failed");
}

/// A new seal in a clone would take the files for changed, as they are as old as the index.
#[test]
fn a_seal_that_proves_more_is_kept() {
    let ground = ground("cp \"$made\" \"$out\"");
    ground.generate().ends(0);
    let time = std::fs::metadata(ground.repo.root.join("lib.py")).unwrap().modified().unwrap();
    let place = ground.repo.root.join(PLACE);
    std::fs::File::options().write(true).open(place).unwrap().set_modified(time).unwrap();
    let sealed = ground.repo.cortex(&["index", "seal"]).ends(0).stdout;
    assert_eq!(sealed, format!("kept: {PLACE}.manifest.json (1 document)\n"));
    assert_eq!(ground.status(), (json!("available"), json!(0), json!(0)));
}

/// The state of the layer in a scan with the configuration that the operator names, and the codes of the notes.
fn scanned(ground: &Ground, configuration: &Value) -> Value {
    write(ground.repo.beside("config.json"), configuration.to_string());
    ground.repo.scan(&["--config", &ground.repo.beside("config.json")]).ends(0);
    let manifest = ground.repo.document("bundle.json");
    let stage = manifest["stages"].as_array().unwrap().iter().find(|it| it["layer"] == "precision").unwrap();
    let notes: Vec<&Value> = manifest["notes"].as_array().unwrap().iter().map(|it| &it["code"]).collect();
    json!([stage["status"]["state"], notes])
}

#[test]
fn a_scan_makes_the_index_only_where_that_is_asked_for_and_needed() {
    let ground = ground("echo run >> \"$made.log\"; cp \"$made\" \"$out\"");
    let log = ground.repo.beside("made.scip.log");
    let runs = || std::fs::read_to_string(&log).map_or(0, |it| it.lines().count());
    let mut configuration: Value = serde_json::from_str(&ground.configuration).unwrap();
    assert_eq!((scanned(&ground, &configuration), runs()), (json!(["unavailable", []]), 0));
    configuration["precision_index"]["auto_generate"] = json!(true);
    assert_eq!((scanned(&ground, &configuration), runs()), (json!(["available", []]), 1));
    assert_eq!((scanned(&ground, &configuration), runs()), (json!(["available", []]), 1));
    ground.repo.write("lib.py", "def work():\n    return 1\n");
    assert_eq!((scanned(&ground, &configuration), runs()), (json!(["available", []]), 2));
    ground.repo.write("lib.py", "def work():\n    return 2\n");
    write(ground.repo.beside("indexer"), "exit 3");
    assert_eq!((scanned(&ground, &configuration), runs()), (json!(["stale", ["generator_failed"]]), 2));
    // What the repository itself names does not run.
    write(ground.repo.beside("indexer"), format!("echo run >> {log}"));
    ground.repo.write(".codecortex/config.json", configuration.to_string());
    ground.repo.scan(&[]).ends(0);
    assert_eq!(runs(), 2);
}
