//! A bundle is taken apart byte by byte.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::fixture::{OUT, Repo, copy, files, write};

/// A repository whose bundle has every part: findings, a preview, impact, dependencies, a skipped file.
fn full() -> Repo {
    let repo = Repo::with(&[
        ("a.py", "def f(x):\n    return old(x)\n\n\ndef g():\n    return f(1)\n"),
        ("test_a.py", "from a import f\n\n\ndef test_f():\n    assert f(\"é\") == old(old(2))\n"),
        ("binary.py", "x = 1\0\n"),
        ("Cargo.toml", "[package]\nname = \"p\"\nversion = \"1.0.0\"\n\n[dependencies]\nserde = \"1\"\n"),
        (
            ".codecortex/rules/r.yml",
            "id: r\nlanguage: python\nseverity: warning\nfix: new($X)\nrule: {pattern: old($X)}\n",
        ),
    ]);
    repo.write("a.py", "def f(x):\n    y = old(x)\n    return old(y)\n\n\ndef g():\n    return f(1)\n");
    repo
}

/// A scan into a folder beside the repository.
fn scanned(repo: &Repo, name: &str, more: &[&str]) -> PathBuf {
    let out = repo.beside(name);
    let time = [("SOURCE_DATE_EPOCH", "1700000000")];
    let arguments = ["scan", "--preview", "--validate", "--exit-zero", "--out", &out];
    repo.cortex_with(&time, &[&arguments, more].concat()).ends(0);
    PathBuf::from(out)
}

fn names(folder: &Path) -> Vec<String> {
    files(folder).iter().map(|it| it.file_name().unwrap().to_str().unwrap().to_owned()).collect()
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn lines(path: &Path) -> Vec<Value> {
    std::fs::read_to_string(path).unwrap().lines().map(|it| serde_json::from_str(it).unwrap()).collect()
}

#[test]
fn a_bundle_holds_its_parts_and_the_manifest_lists_them() {
    let repo = full();
    let out = scanned(&repo, "out", &["--base", "HEAD"]);
    let expected = [
        "bundle.json",
        "dependencies.json",
        "evidence.idx.json",
        "evidence.jsonl",
        "findings.jsonl",
        "impact.json",
        "preview.json",
        "report.html",
        "report.md",
        "results.sarif",
        "skipped.jsonl",
        "validation.json",
        "volatile.json",
    ];
    assert_eq!(names(&out), expected);
    let manifest = json(&out.join("bundle.json"));
    let listed: Vec<&str> =
        manifest["parts"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(listed, expected[1..12]);
    for part in ["dependencies.json", "impact.json", "preview.json", "validation.json"] {
        assert!(json(&out.join(part))["schema"].is_string(), "{part}");
    }
    assert_eq!(lines(&out.join("skipped.jsonl")).len(), 1);
    assert!(!json(&out.join("impact.json"))["changed"].as_array().unwrap().is_empty());
}

#[test]
fn verify_names_the_part_in_which_one_byte_changed_or_that_is_gone() {
    let repo = full();
    let out = scanned(&repo, "out", &["--base", "HEAD"]);
    let verify = || repo.cortex(&["bundle", "verify", out.to_str().unwrap()]);
    verify().ends(0);
    for name in names(&out) {
        let path = out.join(&name);
        let whole = std::fs::read(&path).unwrap();
        // No digest covers the times.
        let status = if name == "volatile.json" { 0 } else { 4 };
        for position in [0, whole.len() / 2, whole.len() - 1] {
            let mut changed = whole.clone();
            changed[position] ^= 1;
            write(&path, &changed);
            let run = verify();
            let refused =
                if name == "bundle.json" { [3, 4].contains(&run.status) } else { run.status == status };
            assert!(refused, "{name} at {position}: {run:?}");
            assert!(status == 0 || run.stderr.contains(&format!("`{name}`")), "{name}: {run:?}");
        }
        std::fs::remove_file(&path).unwrap();
        let run = verify();
        // Without its manifest, a folder does not say what is missing.
        let expected = if name == "bundle.json" { 3 } else { status };
        assert_eq!(run.status, expected, "{name}: {run:?}");
        assert!(status == 0 || run.stderr.contains(&format!("`{name}`")), "{name}: {run:?}");
        write(&path, &whole);
    }
    verify().ends(0);
}

#[test]
fn verify_refuses_what_the_manifest_does_not_cover() {
    let repo = full();
    let out = scanned(&repo, "out", &[]);
    let verify = || repo.cortex(&["bundle", "verify", out.to_str().unwrap()]);
    write(out.join(".gitignore"), "*\n");
    verify().ends(0);
    for name in ["more.json", ".hidden", "folder/x.json"] {
        let path = out.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        write(&path, "{}\n");
        let run = verify().fails(4, "bundle_differs");
        let top = name.split('/').next().unwrap();
        assert!(run.stderr.contains(&format!("`{top}` is not listed")), "{run:?}");
        std::fs::remove_file(&path).unwrap();
        drop(std::fs::remove_dir(out.join("folder")));
    }
    let path = out.join("bundle.json");
    let whole = std::fs::read_to_string(&path).unwrap();
    let compact = serde_json::to_string(&json(&path)).unwrap();
    let first_key = "{\n  \"schema\": \"codecortex.bundle/1\",\n";
    let reordered = whole.replacen("  \"schema\": \"codecortex.bundle/1\",\n", "", 1).replacen(
        "\n}\n",
        ",\n  \"schema\": \"codecortex.bundle/1\"\n}\n",
        1,
    );
    assert!(whole.starts_with(first_key) && reordered != whole);
    for other in [format!("{whole}\n"), compact, reordered] {
        write(&path, other);
        verify().fails(4, "bundle_differs");
    }
    write(&path, whole);
    verify().ends(0);
}

#[test]
fn every_field_of_the_manifest_is_under_its_digest() {
    let repo = full();
    let out = scanned(&repo, "out", &[]);
    let path = out.join("bundle.json");
    let whole = json(&path);
    for (key, value) in whole.as_object().unwrap() {
        if ["schema", "bundle_digest"].contains(&key.as_str()) {
            continue;
        }
        // The first number or text below the field takes another value of the same kind.
        let mut changed = whole.clone();
        if !alter(&mut changed[key]) {
            assert_eq!(value.as_array().map(Vec::len), Some(0), "{key}");
            continue;
        }
        write(&path, serde_json::to_vec_pretty(&changed).unwrap());
        let run = repo.cortex(&["bundle", "verify", out.to_str().unwrap()]);
        assert!([3, 4].contains(&run.status), "{key}: {run:?}");
    }
}

fn alter(value: &mut Value) -> bool {
    match value {
        Value::Number(number) => *value = Value::from(number.as_u64().unwrap_or(0) + 1),
        Value::String(text) => text.push('0'),
        Value::Array(items) => return items.iter_mut().any(alter),
        Value::Object(fields) => return fields.values_mut().any(alter),
        Value::Null | Value::Bool(_) => return false,
    }
    true
}

#[test]
fn a_newer_bundle_is_refused_with_what_reads_it() {
    let repo = full();
    let out = scanned(&repo, "out", &[]);
    let path = out.join("bundle.json");
    let text = std::fs::read_to_string(&path).unwrap().replace("codecortex.bundle/1", "codecortex.bundle/2");
    write(&path, text);
    let run = repo.cortex(&["bundle", "show", out.to_str().unwrap()]).fails(3, "schema_too_new");
    assert!(run.stderr.contains("codecortex.bundle/2") && run.stderr.contains("newer"), "{}", run.stderr);
}

#[test]
fn a_stored_bundle_is_shown_as_the_scan_showed_it() {
    let repo = full();
    for format in ["human", "json", "markdown", "sarif", "github"] {
        let scan = repo.scan(&["--preview", "--format", format]).ends(1);
        let show = repo.cortex(&["bundle", "show", "--format", format]).ends(0);
        assert_eq!(scan.stdout, show.stdout, "{format}");
    }
}

#[test]
fn the_index_cuts_the_evidence_into_the_records_of_each_path() {
    let repo = full();
    let out = scanned(&repo, "out", &["--base", "HEAD"]);
    let bytes = std::fs::read(out.join("evidence.jsonl")).unwrap();
    let index = json(&out.join("evidence.idx.json"));
    let mut total = 0;
    for (path, slice) in index.as_object().unwrap() {
        let number = |it: usize| usize::try_from(slice[it].as_u64().unwrap()).unwrap();
        let text = std::str::from_utf8(&bytes[number(0)..number(0) + number(1)]).unwrap();
        let records: Vec<Value> = text.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
        assert_eq!(records.len(), number(2), "{path}");
        assert!(records.iter().all(|it| it["path"] == path.as_str()), "{path}");
        total += number(1);
    }
    assert_eq!(total, bytes.len());
    assert!(index.as_object().unwrap().len() >= 3);
}

#[test]
fn every_position_lies_in_its_text_and_every_finding_rests_on_evidence() {
    let repo = full();
    let out = scanned(&repo, "out", &["--base", "HEAD"]);
    let (evidence, findings) = (lines(&out.join("evidence.jsonl")), lines(&out.join("findings.jsonl")));
    let ids: Vec<&Value> = evidence.iter().map(|it| &it["id"]).collect();
    assert_eq!(findings.len(), 2);
    for finding in &findings {
        let named = finding["evidence"].as_array().unwrap();
        assert!(!named.is_empty() && named.iter().all(|it| ids.contains(&it)), "{finding}");
    }
    for record in evidence.iter().chain(&findings) {
        let number = |key: &str| usize::try_from(record[key].as_u64().unwrap()).unwrap();
        let text = repo.read(record["path"].as_str().unwrap());
        let lines: Vec<&str> = text.split('\n').collect();
        let lies_in = |line: usize, column: usize| {
            let length = lines.get(line.wrapping_sub(1)).map(|it| it.chars().count());
            column >= 1 && length.is_some_and(|length| column <= length + 1)
        };
        let start = (number("start_line"), number("start_column"));
        let end = (number("end_line"), number("end_column"));
        assert!(start <= end && lies_in(start.0, start.1) && lies_in(end.0, end.1), "{record}");
    }
}

/// The parts of a bundle but its times, with their bytes.
fn parts(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let kept = files(folder).into_iter().filter(|it| !it.ends_with("volatile.json"));
    kept.map(|it| (it.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read(it).unwrap()))
        .collect()
}

#[test]
fn equal_input_gives_equal_bytes() {
    let repo = full();
    let first = scanned(&repo, "first", &["--base", "HEAD", "--jobs", "1"]);
    let second = scanned(&repo, "second", &["--base", "HEAD", "--jobs", "2"]);
    let third = scanned(&repo, "third", &["--base", "HEAD"]);
    let moved = Repo::bare_folder();
    copy(&repo.root, &moved.root);
    let fourth = scanned(&moved, "fourth", &["--base", "HEAD"]);
    let expected = parts(&first);
    for other in [second, third, fourth] {
        for ((name, bytes), (other_name, other_bytes)) in expected.iter().zip(parts(&other)) {
            assert_eq!(name, &other_name);
            assert!(*bytes == other_bytes, "{name} in {}", other.display());
        }
    }
}

#[test]
fn the_bundle_in_the_repository_hides_itself_from_git_and_from_the_next_scan() {
    let repo = full();
    repo.scan(&["--fail-on", "none"]).ends(0);
    let first = repo.document("bundle.json");
    repo.scan(&["--fail-on", "none"]).ends(0);
    assert_eq!(repo.document("bundle.json"), first);
    assert_eq!(repo.read(&format!("{OUT}/.gitignore")), "*\n");
}
