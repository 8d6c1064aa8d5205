//! `go.work`: <https://go.dev/ref/mod#go-work-file>.

use crate::deps::document::Document;
use crate::deps::format::{Contents, Manifest, Parts};
use crate::model::Note;

use super::replace::replacement;
use super::syntax::lines;

/// # Errors
/// When the file is not made of lines of words.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let (mut folders, mut declared, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for line in lines(document)? {
        match (line.verb, line.texts().as_slice()) {
            ("use", [folder]) => folders.push((*folder).to_owned()),
            ("replace", _) => match replacement(document, &line) {
                Ok(it) => declared.push(it),
                Err(note) => notes.push(note),
            },
            ("go" | "toolchain" | "godebug", [_, ..]) => {}
            _ => notes.push(line.unknown(document)),
        }
    }
    let contents = Contents::Manifest(Manifest { workspace: Some(folders), ..Manifest::default() });
    Ok(Parts { contents, declared, resolved: Vec::new(), notes })
}
