//! `go.sum` and `go.work.sum`: <https://go.dev/ref/mod#go-sum-files>. They list more than the build takes.

use std::collections::BTreeMap;

use crate::deps::document::{Document, MAX_PACKAGES};
use crate::deps::fact::Pin;
use crate::deps::format::{Contents, Manifest, Parts};
use crate::deps::note::ENTRY_MALFORMED;
use crate::model::Note;

/// # Errors
/// Never: a line that is none is a note.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let mut checksums = BTreeMap::new();
    let mut notes = Vec::new();
    let mut at = 0;
    for line in document.text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] => {}
            // The checksum of the `go.mod` alone.
            [_, version, _] if version.ends_with("/go.mod") => {}
            [name, version, checksum] => {
                if checksums.len() == MAX_PACKAGES {
                    notes.push(document.too_many(start));
                    break;
                }
                let pin = Pin { name: (*name).to_owned(), version: (*version).to_owned() };
                checksums.insert(pin, (*checksum).to_owned());
            }
            _ => {
                let message = "the line is not `PATH VERSION CHECKSUM` and was left out";
                notes.push(document.note(ENTRY_MALFORMED, start, message));
            }
        }
    }
    let contents = Contents::Manifest(Manifest { checksums, ..Manifest::default() });
    Ok(Parts { contents, declared: Vec::new(), resolved: Vec::new(), notes })
}
