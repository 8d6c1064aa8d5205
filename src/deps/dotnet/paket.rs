//! `paket.dependencies`: <https://fsprojects.github.io/Paket/dependencies-file.html>.

use crate::deps::document::Document;
use crate::deps::fact::{Declared, Scope, Source};
use crate::deps::format::{Contents, Manifest, Parts};
use crate::deps::note::ENTRY_MALFORMED;
use crate::model::{Note, Redacted};

use super::exact::declared;

/// Words that begin a line without a package: where packages come from, and how they are taken.
const OTHER: [&str; 16] = [
    "source",
    "cache",
    "storage:",
    "framework:",
    "frameworks:",
    "restriction:",
    "references:",
    "redirects:",
    "strategy:",
    "lowest_matching:",
    "content:",
    "import_targets:",
    "copy_local:",
    "version",
    "generate_load_scripts:",
    "framework",
];

/// # Errors
/// Never: a line that is none is a note.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let (mut entries, mut notes) = (Vec::new(), Vec::new());
    let mut group = None;
    let mut at = 0;
    for line in document.text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let text = line.trim_end();
        let words = words(text);
        match words.as_slice() {
            [] => {}
            [(_, "group"), (_, name)] => {
                group = (!name.eq_ignore_ascii_case("main")).then(|| (*name).to_owned());
            }
            [(_, "nuget" | "clitool"), rest @ ..] if !rest.is_empty() => {
                entries.push(nuget(document, text, start, rest, group.as_deref()));
            }
            [(_, kind @ ("git" | "github" | "gist" | "http")), rest @ ..] if !rest.is_empty() => {
                entries.extend(file(document, start, kind, rest, group.as_deref()));
            }
            [(_, first), ..] if OTHER.contains(&first.to_lowercase().as_str()) => {}
            [(_, first), ..] if first.contains(':') => {}
            _ => {
                let message = "the line is none of this format and was left out";
                notes.push(document.note(ENTRY_MALFORMED, start, message));
            }
        }
    }
    Ok(Parts {
        contents: Contents::Manifest(Manifest::default()),
        declared: entries,
        resolved: Vec::new(),
        notes,
    })
}

/// The words of a line with their offsets, up to a comment.
fn words(line: &str) -> Vec<(usize, &str)> {
    let text = line.split(" //").next().unwrap_or(line);
    if text.trim_start().starts_with("//") || text.trim_start().starts_with('#') {
        return Vec::new();
    }
    let mut words = Vec::new();
    let mut at = 0;
    for word in text.split([' ', '\t']) {
        if !word.is_empty() {
            words.push((at, word));
        }
        at += word.len() + 1;
    }
    words
}

/// `nuget NAME [CONSTRAINT] [SETTING: VALUE, ...]`, where a constraint is made of versions and signs.
fn nuget(
    document: &Document<'_>,
    line: &str,
    start: usize,
    words: &[(usize, &str)],
    group: Option<&str>,
) -> Declared {
    let (at, name) = words.first().copied().unwrap_or_default();
    let is_part = |it: &&&(usize, &str)| {
        it.1.starts_with(|it: char| it.is_ascii_digit() || "~<>=!*@".contains(it)) || is_label(it.1)
    };
    let constraint: Vec<&(usize, &str)> = words.iter().skip(1).take_while(|it| is_part(&it)).collect();
    let range = match (constraint.first(), constraint.last()) {
        (Some(first), Some(last)) => Some(first.0..last.0 + last.1.len()),
        (None, _) | (_, None) => None,
    };
    let text = range.clone().and_then(|it| line.get(it));
    let place = range.unwrap_or(at..at + name.len());
    Declared {
        target: group.map(str::to_owned),
        ..declared(document, name, text, start + place.start..start + place.end, Scope::Normal)
    }
}

/// Which pre-releases are taken is a part of the constraint.
fn is_label(word: &str) -> bool {
    ["prerelease", "alpha", "beta", "rc", "pre"].contains(&word)
}

/// `github OWNER/NAME[:REVISION] [FILE]`, `git ADDRESS [REVISION]`, `gist OWNER/ID`, `http ADDRESS`.
fn file(
    document: &Document<'_>,
    start: usize,
    kind: &str,
    words: &[(usize, &str)],
    group: Option<&str>,
) -> Option<Declared> {
    let (at, address) = words.first().copied()?;
    let name = address.trim_end_matches('/').trim_end_matches(".git");
    // An address has its name at its end, `OWNER/NAME:REVISION` before the revision.
    let is_address = kind == "http" || name.contains("://");
    let name = if is_address { name.rsplit('/').next() } else { name.split(':').next() };
    let name = name.unwrap_or(address);
    Some(Declared {
        source: if kind == "http" { Source::Url } else { Source::Git },
        origin: Some(Redacted::new(address)),
        target: group.map(str::to_owned),
        ..declared(document, name, None, start + at..start + at + address.len(), Scope::Normal)
    })
}
