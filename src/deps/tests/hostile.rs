//! Files that are broken, huge or malicious.

use std::fmt::Write as _;
use std::fs;

use proptest::prelude::{any, prop_assert, proptest};

use super::{all_resolved, fixture, joined};
use crate::deps::fact::{SettledBy, Source};
use crate::deps::{CODES, Relation, join, names, read, read_included};

#[track_caller]
fn check_note(path: &str, text: &str, expected: &str) {
    let reading = read(&path.parse().unwrap(), text.as_bytes()).unwrap();
    let shown: Vec<String> = reading
        .notes
        .iter()
        .map(|it| format!("{} {}:{}", it.code, it.line.unwrap_or(0), it.column.unwrap_or(0)))
        .collect();
    assert_eq!(shown.join("; "), expected, "{:?}", reading.notes);
    assert!(reading.notes.iter().all(|note| CODES.iter().any(|(code, _)| *code == note.code)));
}

#[test]
fn what_cannot_be_read_is_a_note_with_its_place() {
    check_note("Cargo.toml", "[dependencies]\na = ", "dependency_file_unreadable 2:5");
    check_note("Cargo.lock", "[[package]]\nname = \"a\"\nversion", "dependency_file_unreadable 3:8");
    check_note("package.json", "{\"dependencies\": {\"a\": \"1\"", "dependency_file_unreadable 1:18");
    check_note("package.json", "", "dependency_file_unreadable 1:1");
    let module = "[libraries]\na = { module = \"g:a:1\", version.ref = \"x\" }\n[versions]\nx = \"2\"\n";
    check_note("gradle/libs.versions.toml", module, "dependency_entry_malformed 2:1");
    check_note("yarn.lock", "a@1:\n  version \"1\"\nnonsense\n", "dependency_file_unreadable 3:1");
    check_note("yarn.lock", "<<<<<<< ours\na@1:\n", "dependency_file_conflicted 1:1");
    check_note("yarn.lock", "a@1:\n  resolved \"x\"\n", "dependency_entry_malformed 1:1");
    check_note("pnpm-lock.yaml", "packages:\n  /a/1.0.0: {\n", "dependency_file_unreadable 2:13");
    check_note("pnpm-lock.yaml", "- a\n", "dependency_file_unreadable 1:1");
    check_note("pnpm-lock.yaml", "packages:\n\n  nothing: {}\n", "dependency_entry_malformed 3:3");
    check_note("pnpm-lock.yaml", "lockfileVersion: 12.1\n", "dependency_lock_version_unknown 1:18");
    check_note("pnpm-lock.yaml", "# nothing\n", "");
    check_note("package.json", "{\"name\": \"@a/b/\"}", "dependency_entry_malformed 1:11");
    check_note("package.json", "[]", "dependency_file_unreadable 1:1");
    check_note("package-lock.json", "{}", "dependency_file_unreadable 1:1");
    check_note("package-lock.json", "{\n<<<<<<< HEAD\n\"a\": 1\n", "dependency_file_conflicted 2:1");
    check_note(
        "Cargo.lock",
        "a = 1\n<<<<<<< ours\n=======\n>>>>>>> theirs",
        "dependency_file_conflicted 2:1",
    );
    check_note(
        "package-lock.json",
        &"{\"dependencies\":".repeat(100_000),
        "dependency_file_unreadable 1:2049",
    );
    check_note("Cargo.toml", &format!("a = {}", "[".repeat(100_000)), "dependency_file_unreadable 1:85");
    check_note(
        "package.json",
        "{\"dependencies\": {\"a\": 1, \"b\": \"1\"}}",
        "dependency_entry_malformed 1:19",
    );
    check_note("package.json", "{\"dependencies\": []}", "dependency_entry_malformed 1:18");
    check_note(
        "Cargo.toml",
        "[dependencies]\na = 1\nb = { version = 2 }",
        "dependency_entry_malformed 2:1; dependency_entry_malformed 3:1",
    );
    check_note("Cargo.lock", "version = 9", "dependency_lock_version_unknown 1:11");
    check_note("Cargo.lock", "[[package]]\nname = \"a\"", "dependency_entry_malformed 1:1");
    let reading = read(&"package.json".parse().unwrap(), b"{\"a\": \"\xff\"}").unwrap();
    assert_eq!(
        (reading.notes[0].code.as_str(), reading.notes[0].column),
        ("dependency_file_not_text", Some(8))
    );
}

/// Formats of lines would take both sides for entries, and the marks for entries that are none.
#[test]
fn a_conflict_of_a_merge_is_nothing_to_any_format() {
    let conflict = "\n<<<<<<< HEAD\na==1.0\n||||||| base\n=======\r\na==2.0\n>>>>>>> theirs\n";
    let named = names().filter(|it| *it != "bun.lockb").map(|it| it.replace('*', "x"));
    for name in named.chain(["included".to_owned()]) {
        let path = name.parse().unwrap();
        let reading = read_included(&path, conflict.as_bytes());
        let shown = reading.notes.iter().map(|it| (it.code.as_str(), it.line)).collect::<Vec<_>>();
        assert_eq!(shown, [("dependency_file_conflicted", Some(2))], "{name}");
        assert!(reading.declared.is_empty() && reading.resolved.is_empty(), "{name}");
    }
}

/// Headings and quoted lines are no conflict, and neither is one of which a mark is missing.
#[test]
fn a_conflict_has_all_its_marks() {
    for text in [
        "a==1.0\n# <<<<<<< a\n# =======\n# >>>>>>> b\n",
        "# b\n>>>>>>> b\n=======\n<<<<<<< a\na==1.0\n",
        "<<<<<<<a\n=======\n>>>>>>>b\na==1.0\n",
        "=======\n# Title\n=======\n>>>>>>> b\na==1.0\n",
    ] {
        let reading = read(&"requirements.txt".parse().unwrap(), text.as_bytes()).unwrap();
        assert_eq!(reading.declared.len(), 1, "{text}: {:?}", reading.notes);
        assert!(reading.notes.iter().all(|it| it.code == "dependency_entry_malformed"), "{text}");
    }
}

#[test]
fn what_cannot_be_read_of_python_is_a_note_with_its_place() {
    check_note(
        "pyproject.toml",
        "[project]\ndependencies = ['a b', 1, 'c']\n[dependency-groups]\nx = [{include-group = 'y'}, {include-group = 'x'}]",
        "dependency_entry_malformed 2:20; dependency_entry_malformed 2:24; dependency_entry_malformed 4:6; \
         dependency_entry_malformed 4:1",
    );
    check_note(
        "pyproject.toml",
        "[tool.poetry.dependencies]\na = '2.18.^'\nb = 1\nc = { version = 1 }",
        "dependency_entry_malformed 2:1; dependency_entry_malformed 3:1; dependency_entry_malformed 4:1",
    );
    check_note("pyproject.toml", "[project]\ndependencies = 'a'", "dependency_entry_malformed 2:16");
    check_note(
        "requirements.txt",
        "a b\n4 + 4 = 2 # no\n--allow-external x\nc==${VERSION}\ngit+https://example.org/d\n-r ../out.txt\n-e .\n",
        "dependency_entry_malformed 1:3; dependency_entry_malformed 2:3; dependency_entry_malformed 3:1; \
         dependency_unevaluated 4:1; dependency_unevaluated 5:1; dependency_not_included 6:4",
    );
    for lock in ["uv.lock", "poetry.lock", "pdm.lock"] {
        check_note(lock, "bogus", "dependency_file_unreadable 1:6");
        check_note(lock, "[[package]]\nname = \"a\"", "dependency_entry_malformed 1:1");
    }
    check_note(
        "uv.lock",
        "version = 1\n[[package]]\nname = 'a'\nversion = '1'",
        "dependency_entry_malformed 1:1",
    );
    check_note("uv.lock", "version = 9", "dependency_lock_version_unknown 1:11");
    check_note(
        "pylock.toml",
        "lock-version = '2.0'\n[[packages]]\nversion = '1'",
        "dependency_lock_version_unknown 1:16; dependency_entry_malformed 2:1",
    );
    check_note(
        "setup.cfg",
        "[options]\ninstall_requires =\n  a==2.6.1b == 5\n  b\n",
        "dependency_entry_malformed 3:4",
    );
    check_note("setup.py", "setup(", "dependency_file_unreadable 1:1");
    check_note(
        "setup.py",
        "setup(install_requires=read('x'), tests_require=['a' + b, f'{c}'], extras_require=d)",
        "dependency_unevaluated 1:24; dependency_unevaluated 1:50; dependency_unevaluated 1:59; \
         dependency_unevaluated 1:83",
    );
    check_note("Pipfile", "[packages]\na = 1", "dependency_entry_malformed 2:1");
    check_note(
        "Pipfile.lock",
        "{\"default\": {\"a\": {}}, \"develop\": 1}",
        "dependency_entry_malformed 1:14; dependency_entry_malformed 1:24",
    );
}

#[test]
fn what_cannot_be_read_of_other_ecosystems_is_a_note_with_its_place() {
    check_note("environment.yml", "invalid", "dependency_file_unreadable 1:1");
    check_note(
        "environment.yml",
        "dependencies:\n  - 1\n  - '=='\n  - pip:\n    - a: b\n    - -r x.txt\n    - a b\n",
        "dependency_entry_malformed 2:5; dependency_entry_malformed 3:5; dependency_entry_malformed 5:7; \
         dependency_unevaluated 6:7; dependency_entry_malformed 7:9",
    );
    check_note("conda-meta/a.json", "{\"name\": \"a\"}", "dependency_file_unreadable 1:1");
    check_note("deno.json", "{\"imports\": {\"a\": 1}}", "dependency_entry_malformed 1:14");
    check_note(
        "deno.lock",
        "{\"version\": 5, \"npm\": {\"a\": {}}}",
        "dependency_lock_version_unknown 1:13; dependency_entry_malformed 1:24",
    );
    check_note("bun.lock", "{}", "dependency_file_unreadable 1:1");
    check_note(
        "bun.lock",
        "{\"lockfileVersion\": 9, \"configVersion\": \"x\", \"packages\": {\"a\": [], \"b\": [\"b\"], }}",
        "dependency_lock_version_unknown 1:21; dependency_entry_malformed 1:41; dependency_entry_malformed 1:59; \
         dependency_entry_malformed 1:68",
    );
    check_note(
        ".yarnrc.yml",
        "catalog:\n  a: [1]\n  b:\n",
        "dependency_entry_malformed 2:3; dependency_entry_malformed 3:3",
    );
}

#[test]
fn a_file_in_utf_16_is_read_as_its_text() {
    let text = "# é\r\nflask==1.0\r\n";
    let units = text.encode_utf16();
    let little: Vec<u8> = [0xff, 0xfe].into_iter().chain(units.clone().flat_map(u16::to_le_bytes)).collect();
    let big: Vec<u8> = [0xfe, 0xff].into_iter().chain(units.flat_map(u16::to_be_bytes)).collect();
    for bytes in [little, big] {
        let reading = read(&"requirements.txt".parse().unwrap(), &bytes).unwrap();
        let start = reading.declared[0].place.span.start;
        assert_eq!((start.line, start.column, reading.notes.len()), (2, 6, 0));
    }
    let lone = [0xff, 0xfe, 0x00, 0xd8];
    let reading = read(&"requirements.txt".parse().unwrap(), &lone).unwrap();
    assert_eq!(reading.notes[0].code, "dependency_file_not_text");
}

#[test]
fn what_cannot_be_read_of_go_is_a_note_with_its_place() {
    check_note(
        "go.mod",
        "go 1.21\nnonsense here\nmodule a b",
        "dependency_entry_malformed 2:1; dependency_entry_malformed 3:1",
    );
    check_note("go.mod", "require (\n\ta v1\n", "dependency_file_unreadable 1:1");
    check_note("go.mod", "module \"a", "dependency_file_unreadable 1:8");
    check_note("go.mod", "/* a */", "dependency_file_unreadable 1:1");
    check_note("go.mod", "require a\u{a0}v1.0.0", "dependency_file_unreadable 1:10");
    check_note("go.mod", "<<<<<<< ours\nmodule \"a", "dependency_file_conflicted 1:1");
    check_note(
        "go.mod",
        "go 1.21\nrequire a\nrequire a v2.0.0\nreplace a => b\nreplace a => ./b v1.0.0\nreplace a b",
        "dependency_entry_malformed 2:1; dependency_version_refused 3:1; dependency_entry_malformed 4:1; \
         dependency_entry_malformed 5:1; dependency_entry_malformed 6:1",
    );
    check_note(
        "go.work",
        "use a b\nrequire a v1.0.0",
        "dependency_entry_malformed 1:1; dependency_entry_malformed 2:1",
    );
    check_note("go.sum", "a v1.0.0 h1:x\nb v1\n", "dependency_entry_malformed 2:1");
    check_note("vendor/modules.txt", "# a\n## explicit\n", "dependency_entry_malformed 1:1");
}

#[test]
fn what_cannot_be_read_of_dotnet_is_a_note_with_its_place() {
    check_note("a.csproj", "<Project>\n<é></Project>", "dependency_file_unreadable 2:4");
    check_note("a.csproj", "<!DOCTYPE a [<!ENTITY b \"c\">]><Project/>", "dependency_file_unreadable 1:1");
    let crowd: String = (0..300).map(|it| format!(" a{it}='x'")).collect();
    check_note("a.csproj", &format!("<Project{crowd}/>"), "dependency_file_unreadable 1:1");
    check_note("other.props", "<configuration/>", "");
    check_note("packages.config", "<Project/>", "dependency_file_unreadable 1:1");
    check_note("packages.lock.json", "{\"version\": 9}", "dependency_lock_version_unknown 1:13");
    check_note(
        "packages.lock.json",
        "{\"dependencies\": {\"net8.0\": {\"a\": {\"type\": \"Direct\"}}}}",
        "dependency_entry_malformed 1:30",
    );
    check_note("a.deps.json", "{}", "dependency_file_unreadable 1:1");
    check_note("project.assets.json", "{\"libraries\": {\"a/1\": {}}}", "dependency_entry_malformed 1:16");
    check_note("global.json", "{\"msbuild-sdks\": []}", "dependency_entry_malformed 1:18");
    check_note("dotnet-tools.json", "{\"tools\": {\"a\": {}}}", "dependency_entry_malformed 1:12");
    check_note(
        "paket.lock",
        "NUGET\n    a\nwhat is this",
        "dependency_entry_malformed 2:1; dependency_entry_malformed 3:1",
    );
}

#[test]
fn a_byte_order_mark_is_not_part_of_the_text() {
    let reading =
        read(&"package.json".parse().unwrap(), "\u{feff}{\"dependencies\":{\"a\":\"1\"}}".as_bytes())
            .unwrap();
    assert_eq!(reading.notes, []);
    assert_eq!(reading.declared[0].place.span.start.column, 23);
}

#[test]
fn credentials_in_addresses_do_not_get_through() {
    let text = r#"{"dependencies": {"a": "git+https://user:hunter22@example.org/a.git"}}"#;
    let dependencies = joined(&[("package.json", text)]);
    assert!(!format!("{dependencies:?} {:?}", dependencies.evidence()).contains("hunter22"));
}

#[test]
fn a_long_chain_has_a_short_path_and_a_short_run() {
    let mut lock =
        String::from("[[package]]\nname = \"root\"\nversion = \"1.0.0\"\ndependencies = [\"p0\"]\n");
    for index in 0..20_000 {
        let next = index + 1;
        write!(lock, "[[package]]\nname = \"p{index}\"\nversion = \"1.0.0\"\nsource = \"registry+x\"\ndependencies = [\"p{next}\"]\n").unwrap();
    }
    let dependencies = joined(&[("Cargo.lock", &lock)]);
    let last = dependencies.dependencies.iter().find(|it| it.name == "p19999").unwrap();
    let Relation::Transitive { path } = &last.relation else { panic!("{:?}", last.relation) };
    assert_eq!((path.len(), path[0].as_str(), path[8].as_str()), (17, "p0@1.0.0", "(19984 more)"));
    assert!(
        all_resolved(&dependencies)
            .all(|it| it.settled_by == SettledBy::Lockfile && it.source == Source::Registry)
    );
}

proptest! {
    #[test]
    fn no_bytes_stop_a_reader(bytes in proptest::collection::vec(any::<u8>(), 0..200), cut in 0..3000usize) {
        for name in names().map(|it| it.replace('*', "x")) {
            let reading = read(&name.parse().unwrap(), &bytes).unwrap();
            prop_assert!(!reading.notes.is_empty() || reading.resolved.is_empty() || name.contains("requirements"));
        }
        for (case, name) in [
            ("npm-workspaces", "package-lock.json"),
            ("cargo-workspace", "Cargo.lock"),
            ("yarn-v1", "yarn.lock"),
            ("yarn-berry", "yarn.lock"),
            ("pnpm-v5", "pnpm-lock.yaml"),
            ("pnpm-v9", "pnpm-lock.yaml"),
            ("bun", "bun.lock"),
            ("deno", "deno.lock"),
            ("python-uv", "uv.lock"),
            ("python-pylock", "pylock.toml"),
            ("python-pip-compile", "requirements.txt"),
            ("go-module", "go.mod"),
            ("go-workspace", "go.work"),
            ("go-vendor", "vendor/modules.txt"),
        ] {
            let bytes = fs::read(fixture(case).join("repo").join(name)).unwrap();
            let cut = cut.min(bytes.len() - 1);
            drop(join(vec![read(&name.parse().unwrap(), &bytes[..cut]).unwrap()]));
        }
    }
}

/// Of a file that is two versions at once neither is taken, whatever its format takes for an entry or a comment.
#[test]
fn the_marks_of_a_merge_conflict_mean_the_same_in_every_format() {
    let formats: [(&str, &str, &str); 7] = [
        ("requirements.txt", "a==1\n", "a==2\n"),
        ("go.mod", "module a\n", "module b\n"),
        ("setup.cfg", "[options]\ninstall_requires = a\n", "[options]\n"),
        ("build.gradle", "dependencies { api 'a:b:1' }\n", "// none\n"),
        ("pom.xml", "<project/>\n", "<project></project>\n"),
        ("Cargo.toml", "[dependencies]\n", "[dev-dependencies]\n"),
        ("package.json", "{}\n", "{ }\n"),
    ];
    for (name, ours, theirs) in formats {
        let text = format!("# a\n<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> other\n");
        check_note(name, &text, "dependency_file_conflicted 2:1");
    }
    // A heading underlined with equals signs is no mark, and neither is one mark alone.
    let quiet = "[metadata]\ndescription =\n    A\n    =======\n[options]\ninstall_requires = a\n";
    assert_eq!(read(&"setup.cfg".parse().unwrap(), quiet.as_bytes()).unwrap().declared.len(), 1);
}

#[test]
fn a_script_with_two_blocks_is_refused_and_one_without_an_end_has_none() {
    let block = "# /// script\n# dependencies = ['a>1']\n# ///\n";
    check_note("x.py", &format!("{block}\n{block}"), "dependency_file_unreadable 6:1");
    let open = read(&"x.py".parse().unwrap(), b"# /// script\n# dependencies = ['a']\n").unwrap();
    assert_eq!((open.declared.len(), open.notes.len()), (0, 0));
    assert!(read(&"x.py".parse().unwrap(), b"import a\n").is_none());
}
