//! Credentials in addresses: no text of the result has them, whichever format holds them.

use super::{all_declared, all_resolved, joined};

/// Each text as it is written, with the name of a secret.
const FILES: [(&str, &str); 8] = [
    (
        "a/package.json",
        r#"{"dependencies": {
            "lone": "git+https://TOKEN@x/r",
            "upper": "HTTPS://x:TOKEN@h/",
            "query": "https://h/a.tgz?token=TOKEN&sig=TOKEN",
            "range": "1.0 || https://u:TOKEN@h/",
            "alias": "npm:https://u:TOKEN@x/",
            "https://TOKEN@key": "1",
            "list": ["https://TOKEN@x/"]
        }}"#,
    ),
    (
        "b/package-lock.json",
        r#"{"lockfileVersion": 3, "packages": {
            "": {"dependencies": {"a": "*"}},
            "node_modules/a": {"version": "https://u:TOKEN@x/b.tgz", "resolved": "https://TOKEN@x/b.tgz"}
        }}"#,
    ),
    (
        "c/package-lock.json",
        r#"{"lockfileVersion": 1, "dependencies": {"a": {"version": "https://x/b.tgz?X-Amz-Signature=TOKEN"}}}"#,
    ),
    (
        "d/yarn.lock",
        "\"a@https://TOKEN@x/b.tgz\":\n  version \"1.0.0\"\n  resolved \"https://TOKEN@x/b.tgz#1\"\n",
    ),
    ("d/package.json", r#"{"dependencies": {"a": "https://TOKEN@x/b.tgz"}}"#),
    (
        "e/pom.xml",
        "<project><groupId>g</groupId><artifactId>p</artifactId><version>1</version><properties>\
         <v>https://u:TOKEN@h/</v></properties><dependencies><dependency><groupId>o</groupId>\
         <artifactId>x</artifactId><version>${v}</version></dependency></dependencies></project>",
    ),
    (
        "f/requirements.txt",
        "a @ https://h/a.zip#access_token=TOKEN\nhttps://TOKEN@h/unknown.zip\n-r https://TOKEN@h/more.txt\n! https://TOKEN@h\n",
    ),
    ("g/Cargo.toml", "[dependencies]\na = { git = \"https://TOKEN@h/a\" }\nb = \"https://u:TOKEN@h/\"\n"),
];

#[test]
fn no_text_has_the_credentials_of_an_address() {
    let found = joined(&FILES);
    let shown = format!("{found:?}");
    let around = shown.find("TOKEN").and_then(|it| shown.get(it.saturating_sub(200)..it + 50));
    assert_eq!(around, None);
    let constraints: Vec<&str> = all_declared(&found).filter_map(|it| it.constraint.as_deref()).collect();
    for expected in [
        "git+https://[redacted]@x/r",
        "HTTPS://x:[redacted]@h/",
        "https://h/a.tgz?token=[redacted]&sig=[redacted]",
        "1.0 || https://u:[redacted]@h/",
    ] {
        assert!(constraints.contains(&expected), "{expected}");
    }
    assert!(all_resolved(&found).any(|it| it.version == "https://u:[redacted]@x/b.tgz"));
    assert!(found.dependencies.iter().all(|it| it.name != "alias" && !it.name.contains("u:")));
    let alias = found.notes.iter().find(|it| it.message.contains("`alias`")).unwrap();
    assert_eq!((alias.code.as_str(), alias.line), ("dependency_entry_malformed", Some(6)));
    // What yarn was asked for is found by the address as it is written.
    let locked = found
        .dependencies
        .iter()
        .find(|it| it.project.as_ref().is_some_and(|it| *it == "d".parse().unwrap()));
    assert_eq!(locked.unwrap().state.name(), "locked");
}

#[test]
fn names_and_ordinary_constraints_come_through() {
    let text = r#"{"dependencies": {
        "sk-a-name-that-looks-like-a-token": "^1.0 || >=2",
        "b": "git+ssh://git@github.com/a/b.git#v1"
    }}"#;
    let found = joined(&[("package.json", text)]);
    let rows: Vec<(&str, Option<&str>)> =
        all_declared(&found).map(|it| (it.name.as_str(), it.constraint.as_deref())).collect();
    let expected = [
        ("b", Some("git+ssh://git@github.com/a/b.git#v1")),
        ("sk-a-name-that-looks-like-a-token", Some("^1.0 || >=2")),
    ];
    assert_eq!(rows, expected);
}
