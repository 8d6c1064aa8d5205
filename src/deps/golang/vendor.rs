//! `vendor/modules.txt`: <https://go.dev/ref/mod#vendoring>, which lists the modules whose packages are copied.

use crate::deps::document::{Document, MAX_PACKAGES};
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::Resolved;
use crate::deps::format::{Contents, Lockfile, Parts};
use crate::deps::note::ENTRY_MALFORMED;
use crate::model::Note;

/// # Errors
/// Never: a line that is none is a note.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let (mut resolved, mut notes) = (Vec::new(), Vec::new());
    let mut lockfile = Lockfile::default();
    // A module counts when marks or packages follow; the list ends with replacements of which the build takes none.
    let mut module: Option<Resolved> = None;
    let mut at = 0;
    for line in document.text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some(words) = line.strip_prefix("# ") else {
            if let Some(module) = module.take() {
                let is_explicit = line
                    .strip_prefix("## ")
                    .is_some_and(|it| it.split(';').any(|it| it.trim() == "explicit"));
                lockfile.direct.extend(is_explicit.then_some(resolved.len()));
                lockfile.top.push(resolved.len());
                resolved.push(module);
            }
            continue;
        };
        if resolved.len() == MAX_PACKAGES {
            notes.push(document.too_many(start));
            break;
        }
        module = match words.split_whitespace().collect::<Vec<&str>>().as_slice() {
            // What the build takes, or takes instead.
            [name, version] | [_, _, "=>", name, version] => {
                let before = start + line.rfind(version).unwrap_or_default();
                let place = document.place(before..before + version.len());
                let (name, version) = ((*name).to_owned(), (*version).to_owned());
                Some(Resolved::locked(Ecosystem::Golang, name, version, place))
            }
            // A folder, which has no version, and what is replaced whatever its version is.
            [_, _, "=>", _] | [_, "=>", ..] => None,
            _ => {
                let message = "the line is not `# PATH VERSION` and was left out";
                notes.push(document.note(ENTRY_MALFORMED, start, message));
                None
            }
        };
    }
    Ok(Parts { contents: Contents::Lockfile(lockfile), declared: Vec::new(), resolved, notes })
}
