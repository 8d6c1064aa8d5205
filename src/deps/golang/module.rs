//! `go.mod`: <https://go.dev/ref/mod#go-mod-file>.

use std::collections::BTreeSet;

use crate::deps::document::Document;
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Declared, Relation, Resolved, Scope, Settled, SettledBy, Source};
use crate::deps::format::{Contents, Manifest, Parts};
use crate::deps::note::{BUILD_LIST_UNKNOWN, VERSION_REFUSED};
use crate::model::Note;

use super::replace::replacement;
use super::syntax::{Line, lines};
use super::version::{fits_path, is_canonical};

/// The version of the language from which on a file lists all that its packages need.
const LISTS_ALL: (u32, u32) = (1, 17);
/// The version from which on the copies of modules are marked with all that the file says of them.
const MARKS_COPIES: (u32, u32) = (1, 14);
/// Directives that add no dependency: the language, its settings and tools, what others may not take of this module,
/// and the versions that it does not take itself.
const OTHER: [&str; 7] = ["toolchain", "tool", "ignore", "godebug", "retract", "exclude", "go"];

/// # Errors
/// When the file is not made of lines of words.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let lines = lines(document)?;
    let (mut declared, mut notes) = (Vec::new(), Vec::new());
    let mut package = None;
    let mut language = None;
    for line in &lines {
        match (line.verb, line.texts().as_slice()) {
            ("module", [path]) => package = Some((*path).to_owned()),
            ("go", [version]) => language = Some(((*version).to_owned(), line.offset)),
            ("require", _) => match requirement(document, line) {
                Ok(it) => {
                    notes.extend(misfit(document, &it, line.offset));
                    declared.push(it);
                }
                Err(note) => notes.push(note),
            },
            ("replace", _) => match replacement(document, line) {
                Ok(it) => declared.push(it),
                Err(note) => notes.push(note),
            },
            (verb, [_, ..]) if OTHER.contains(&verb) => {}
            _ => notes.push(line.unknown(document)),
        }
    }
    let excluded = lines.iter().filter(|it| it.verb == "exclude");
    let excluded: BTreeSet<Vec<&str>> = excluded.map(Line::texts).collect();
    let is_since = |wanted| language.as_ref().is_some_and(|it| is_at_least(&it.0, wanted));
    let (lists_all, marks_copies) = (is_since(LISTS_ALL), is_since(MARKS_COPIES));
    let has_requirements = declared.iter().any(|it| it.scope != Scope::Override);
    if !lists_all && has_requirements {
        let message = "before Go 1.17 a module states minimums only: which versions the build takes, and which \
                       further modules, is unknown";
        notes.push(document.note(BUILD_LIST_UNKNOWN, language.map_or(0, |it| it.1), message));
    }
    let is_taken = |it: &&Declared| {
        let version = it.constraint.as_deref().unwrap_or_default();
        it.scope != Scope::Override
            && is_canonical(version)
            && fits_path(&it.name, version)
            && !excluded.contains(&vec![it.name.as_str(), version])
    };
    let resolved = declared.iter().filter(|_| lists_all).filter(is_taken).map(selected).collect();
    let contents = Contents::Manifest(Manifest { package, marks_copies, ..Manifest::default() });
    Ok(Parts { contents, declared, resolved, notes })
}

fn requirement(document: &Document<'_>, line: &Line<'_>) -> Result<Declared, Note> {
    let [path, version] = line.words.as_slice() else {
        return Err(line.malformed(document, "a requirement is `PATH VERSION`"));
    };
    let is_indirect = line.comment == "indirect" || line.comment.starts_with("indirect;");
    Ok(Declared {
        ecosystem: Ecosystem::Golang,
        name: path.text.to_string(),
        raw_name: path.text.to_string(),
        constraint: Some(version.text.to_string()),
        evaluated: None,
        settled: Settled::Unknown,
        place: document.place(version.place.clone()),
        scope: if is_indirect { Scope::Indirect } else { Scope::Normal },
        target: None,
        source: Source::Registry,
        origin: None,
        via: None,
    })
}

/// That Go refuses the version of a module, because the module's path would have to name its major number.
fn misfit(document: &Document<'_>, declared: &Declared, offset: usize) -> Option<Note> {
    let version =
        declared.constraint.as_deref().filter(|it| is_canonical(it) && !fits_path(&declared.name, it))?;
    let message =
        format!("`{}` does not end in the major number of {version}, so that Go refuses it", declared.name);
    Some(document.note(VERSION_REFUSED, offset, message))
}

/// The version that a requirement of a complete list settles.
fn selected(declared: &Declared) -> Resolved {
    let resolved = Resolved::locked(
        Ecosystem::Golang,
        declared.name.clone(),
        declared.constraint.clone().unwrap_or_default(),
        declared.place.clone(),
    );
    selected_by(declared.scope, resolved)
}

/// A version as a requirement of this scope settles it.
pub fn selected_by(scope: Scope, resolved: Resolved) -> Resolved {
    let relation =
        if scope == Scope::Indirect { Relation::Transitive { path: Vec::new() } } else { Relation::Direct };
    Resolved { scope: Some(scope), relation, settled_by: SettledBy::BuildList, ..resolved }
}

/// Whether a version of the language, such as `1.21` or `1.21rc1`, is not older than another one.
fn is_at_least(language: &str, wanted: (u32, u32)) -> bool {
    let mut parts = language.split('.');
    let mut number = || {
        let part = parts.next()?;
        part.split(|it: char| !it.is_ascii_digit()).next()?.parse().ok()
    };
    number().zip(number()).is_some_and(|it: (u32, u32)| it >= wanted)
}
