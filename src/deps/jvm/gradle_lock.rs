//! `gradle.lockfile`: <https://docs.gradle.org/current/userguide/dependency_locking.html>.

use crate::deps::document::{Document, MAX_PACKAGES};
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Resolved, Scope};
use crate::deps::format::{Contents, Lockfile, Parts};
use crate::deps::note::ENTRY_MALFORMED;
use crate::model::Note;

use super::evaluate::is_name;

/// Lines `group:name:version=configuration,…`. It does not say who needs whom.
///
/// # Errors
/// Never: a line that is no entry is a note.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let (mut resolved, mut notes) = (Vec::new(), Vec::new());
    let mut end = 0;
    for line in document.text.split_inclusive('\n') {
        let start = end + (line.len() - line.trim_start().len());
        end += line.len();
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') || text.starts_with("empty=") {
            continue;
        }
        if resolved.len() == MAX_PACKAGES {
            notes.push(document.too_many(start));
            break;
        }
        // A lockfile of one configuration, as older versions write it, names none.
        let (coordinates, configurations) =
            text.split_once('=').map_or((text, None), |(it, rest)| (it, Some(rest)));
        let parts: Vec<&str> = coordinates.split(':').collect();
        let [group, name, version] = parts.as_slice() else {
            notes.push(document.note(ENTRY_MALFORMED, start, "a line that is no entry was left out"));
            continue;
        };
        if !is_name(group) || !is_name(name) || version.is_empty() {
            notes.push(document.note(
                ENTRY_MALFORMED,
                start,
                "an entry without a name or a version was left out",
            ));
            continue;
        }
        let at = start + group.len() + name.len() + 2;
        let place = document.place(at..at + version.len());
        let locked =
            Resolved::locked(Ecosystem::Gradle, format!("{group}:{name}"), (*version).to_owned(), place);
        resolved.push(Resolved { scope: configurations.map(scope), ..locked });
    }
    let top = (0..resolved.len()).collect();
    let edges = vec![Vec::new(); resolved.len()];
    let contents = Contents::Lockfile(Lockfile { top, edges, ..Lockfile::default() });
    Ok(Parts { contents, declared: Vec::new(), resolved, notes })
}

/// What the configurations that have a package are for: tests when all are.
fn scope(configurations: &str) -> Scope {
    let mut names = configurations.split(',').map(str::trim).filter(|it| !it.is_empty());
    if names.clone().all(|it| it.to_ascii_lowercase().contains("test")) {
        return Scope::Dev;
    }
    if names.all(|it| it == "classpath" || it.ends_with("nnotationProcessor")) {
        Scope::Build
    } else {
        Scope::Normal
    }
}
