//! `setup.cfg`: <https://setuptools.pypa.io/en/latest/userguide/declarative_config.html>.

use std::ops::Range;

use crate::deps::document::Document;
use crate::deps::fact::{Declared, Scope};
use crate::deps::format::{Contents, Manifest, Parts};
use crate::deps::include::{Include, IncludeKind, include};
use crate::model::Note;

use super::entry::{Wanted, declared};
use super::pyproject::in_extra;
use super::requirement::trimmed;

/// # Errors
/// Never: an entry that is no requirement is a note.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let mut reader = Reader { document, declared: Vec::new(), includes: Vec::new(), notes: Vec::new() };
    let (mut section, mut key, mut at) = ("", "", 0);
    let mut package = None;
    for line in document.text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let text = line.trim();
        if text.is_empty() || text.starts_with(['#', ';']) {
            continue;
        }
        let is_continued = line.starts_with([' ', '\t']);
        if let (false, Some(name)) =
            (is_continued, text.strip_prefix('[').and_then(|it| it.strip_suffix(']')))
        {
            (section, key) = (name.trim(), "");
        } else if is_continued {
            reader.value(section, key, trimmed(document.text, start..at), Lines::Several);
        } else if let Some(sign) = line.find(['=', ':']) {
            key = line.get(..sign).unwrap_or_default().trim();
            let value = trimmed(document.text, start + sign + 1..at);
            if (section, key) == ("metadata", "name") {
                package = document.text.get(value.clone()).map(str::to_owned);
            }
            reader.value(section, key, value, Lines::One);
        }
    }
    let Reader { declared, includes, notes, .. } = reader;
    let contents = Contents::Manifest(Manifest { package, includes, ..Manifest::default() });
    Ok(Parts { contents, declared, resolved: Vec::new(), notes })
}

/// Where a value stands: in the line of its key it is a list with `;` between entries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    One,
    Several,
}

struct Reader<'d, 't> {
    document: &'d Document<'t>,
    declared: Vec<Declared>,
    includes: Vec<Include>,
    notes: Vec<Note>,
}

impl Reader<'_, '_> {
    fn value(&mut self, section: &str, key: &str, value: Range<usize>, lines: Lines) {
        let condition = in_extra(key);
        let wanted = match (section, key) {
            ("options", "install_requires") => Wanted { scope: Scope::Normal, condition: None },
            ("options", "setup_requires") => Wanted { scope: Scope::Build, condition: None },
            ("options", "tests_require") => Wanted { scope: Scope::Dev, condition: None },
            ("options.extras_require", _) => Wanted { scope: Scope::Optional, condition: Some(&condition) },
            _ => return,
        };
        let text = self.document.text.get(value.clone()).unwrap_or_default();
        if let Some(files) = text.strip_prefix("file:") {
            self.files(files, value.end - files.len());
            return;
        }
        // A comment can stand behind an entry.
        let text = text.split(" #").next().unwrap_or(text);
        let mut at = value.start;
        let entries: Vec<&str> = match lines {
            Lines::One => text.split(';').collect(),
            Lines::Several => vec![text],
        };
        for entry in entries {
            let range = trimmed(self.document.text, at..at + entry.len());
            at += entry.len() + 1;
            if range.is_empty() {
                continue;
            }
            let place = |it: Range<usize>| range.start + it.start..range.start + it.end;
            match declared(self.document, entry.trim(), place, wanted) {
                Ok(it) => self.declared.push(it),
                Err(note) => self.notes.push(note),
            }
        }
    }

    fn files(&mut self, files: &str, start: usize) {
        let mut at = start;
        for file in files.split(',') {
            let range = trimmed(self.document.text, at..at + file.len());
            at += file.len() + 1;
            match include(self.document, file.trim(), range, IncludeKind::Requirements) {
                Ok(it) => self.includes.push(it),
                Err(note) => self.notes.push(note),
            }
        }
    }
}
