//! The checked-in schemas, seen from the outside.

use serde_json::Value;

use super::fixture::{Repo, golden, package};

#[test]
fn the_program_prints_the_schema_of_its_configuration() {
    let run = Repo::bare_folder().cortex(&["config", "schema"]).ends(0);
    golden(&package().join("schema/config.schema.json"), &run.stdout);
}

#[test]
fn no_document_allows_an_unknown_field() {
    let folder = package().join("schema");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let schema: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let mut open = vec![&schema];
        while let Some(value) = open.pop() {
            if value.get("properties").is_some_and(Value::is_object)
                && value.get("type") == Some(&"object".into())
            {
                assert_eq!(value["additionalProperties"], false, "{}: {value}", path.display());
                seen += 1;
            }
            match value {
                Value::Object(fields) => open.extend(fields.values()),
                Value::Array(items) => open.extend(items),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
    }
    assert!(seen > 30, "{seen}");
}
