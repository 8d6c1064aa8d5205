//! The JSON Schemas in `schema/`, which other programs read bundles by, held against the types.

use std::path::Path;

use schemars::{Schema, schema_for};

use super::{Dependencies, Finding, Impact, Manifest, Skipped, Validation, Volatile};
use crate::config;
use crate::model::Evidence;
use crate::rewrite::Preview;

fn documents() -> Vec<(&'static str, Schema)> {
    vec![
        ("bundle", schema_for!(Manifest)),
        ("config", config::schema()),
        ("dependencies", schema_for!(Dependencies)),
        ("evidence", schema_for!(Evidence)),
        ("finding", schema_for!(Finding)),
        ("impact", schema_for!(Impact)),
        ("preview", schema_for!(Preview)),
        ("skipped", schema_for!(Skipped)),
        ("validation", schema_for!(Validation)),
        ("volatile", schema_for!(Volatile)),
    ]
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "`CORTEX_BLESS=1` renews the files that the test compares with"
)]
fn the_schemas_are_those_of_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema");
    let mut stale = Vec::new();
    for (name, schema) in documents() {
        let path = folder.join(format!("{name}.schema.json"));
        let text = format!("{}\n", serde_json::to_string_pretty(&schema).unwrap());
        if std::env::var("CORTEX_BLESS").is_ok_and(|it| it == "1") {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        if std::fs::read_to_string(&path).unwrap_or_default() != text {
            stale.push(name);
        }
    }
    assert!(stale.is_empty(), "CORTEX_BLESS=1 renews {stale:?}");
}
