//! `vendor/modules.txt`: <https://go.dev/ref/mod#vendoring>, which lists the modules whose packages are copied.

use crate::deps::document::{Document, MAX_PACKAGES};
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::Resolved;
use crate::deps::format::{Contents, Lockfile, Parts};
use crate::deps::note::ENTRY_MALFORMED;
use crate::model::Note;

use super::copied::Copied;
use super::version::is_canonical;

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
            let is_explicit =
                line.strip_prefix("## ").is_some_and(|it| it.split(';').any(|it| it.trim() == "explicit"));
            if let Some(copied) = lockfile.copied.last_mut() {
                copied.is_explicit |= is_explicit;
            }
            if let Some(module) = module.take() {
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
        let words: Vec<&str> = words.split_whitespace().collect();
        lockfile.copied.extend(copied(document, start, &words));
        module = match words.as_slice() {
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

/// What a line says of a module; none when it names no version of one and no replacement.
fn copied(document: &Document<'_>, start: usize, words: &[&str]) -> Option<Copied> {
    let owned = |it: &str| it.to_owned();
    let (path, version, rest) = match words {
        [path, "=>", rest @ ..] => (path, None, rest),
        [path, version, rest @ ..] if is_canonical(version) => {
            (path, Some(owned(version)), rest.strip_prefix(&["=>"]).unwrap_or_default())
        }
        _ => return None,
    };
    let replaced_by = match rest {
        [path] => Some((owned(path), None)),
        [path, version] => Some((owned(path), Some(owned(version)))),
        _ => None,
    };
    let at = start + "# ".len();
    let place = document.place(at..at + path.len());
    Some(Copied { module: (owned(path), version), is_explicit: false, replaced_by, place })
}
