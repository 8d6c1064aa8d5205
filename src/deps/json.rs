//! JSON as the readers of several ecosystems need it.

use std::collections::BTreeMap;

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged as _;

use crate::model::Note;

use super::document::Document;
use crate::config::{Dialect, parse};

/// The document's one object.
pub fn object<'t>(document: &Document<'t>) -> Result<Object<'t>, Note> {
    object_of(document, Dialect::Strict)
}

/// The one object of a document that may have comments and trailing commas.
pub fn commented_object<'t>(document: &Document<'t>) -> Result<Object<'t>, Note> {
    object_of(document, Dialect::Commented)
}

fn object_of<'t>(document: &Document<'t>, dialect: Dialect) -> Result<Object<'t>, Note> {
    match parse(document.text, dialect) {
        Ok(Value::Object(root)) => Ok(root),
        Ok(other) => Err(document.unreadable(other.start(), "it must be a JSON object")),
        Err(error) => Err(document.unreadable(error.offset, &error.reason)),
    }
}

/// The property of a name; the last one counts, as in ECMAScript.
pub fn last<'o, 't>(object: &'o Object<'t>, name: &str) -> Option<&'o ObjectProp<'t>> {
    object.properties.iter().rev().find(|it| it.name.as_str() == name)
}

/// An object's values by their keys; the last of equal keys counts.
pub fn by_key<'o, 't>(object: &'o Object<'t>) -> BTreeMap<&'o str, &'o Value<'t>> {
    object.properties.iter().map(|it| (it.name.as_str(), &it.value)).collect()
}

pub fn text<'v>(entry: &BTreeMap<&str, &'v Value<'_>>, key: &str) -> Option<&'v str> {
    match entry.get(key) {
        Some(Value::StringLit(it)) => Some(&it.value),
        _ => None,
    }
}
