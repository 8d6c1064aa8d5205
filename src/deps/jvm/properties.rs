//! `gradle.properties`: the variables that a build's scripts can use.

use std::collections::BTreeMap;

use crate::deps::document::Document;
use crate::deps::format::{Contents, Manifest, Parts};
use crate::model::Note;

use super::Model;

/// # Errors
/// Never: a line that sets nothing is a comment or a continuation.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let mut found = BTreeMap::new();
    for line in document.text.lines().map(str::trim) {
        if line.starts_with(['#', '!']) {
            continue;
        }
        if let Some((name, value)) = line.split_once(['=', ':']) {
            // Some write quotes, as in a script.
            let value = value.trim().trim_matches(['"', '\'']);
            found.insert(name.trim().to_owned(), value.to_owned());
        }
    }
    let jvm = Some(Model::Properties(found));
    let contents = Contents::Manifest(Manifest { jvm, ..Manifest::default() });
    Ok(Parts { contents, declared: Vec::new(), resolved: Vec::new(), notes: Vec::new() })
}
