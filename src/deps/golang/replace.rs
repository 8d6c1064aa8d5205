//! What takes the place of a module: <https://go.dev/ref/mod#go-mod-file-replace>.

use crate::deps::document::Document;
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Declared, Scope, Settled, Source};
use crate::model::{Note, Redacted};

use super::syntax::{Line, Word};

/// An entry that replaces a module: its key is the module that is replaced, its condition the version of it that is,
/// and its name and version are what the build takes instead.
///
/// # Errors
/// When the line is none; the note says so.
pub fn replacement(document: &Document<'_>, line: &Line<'_>) -> Result<Declared, Note> {
    let arrow = line.words.iter().position(|it| it.text == "=>");
    let (old, new) = arrow.and_then(|it| line.words.split_at_checked(it)).unwrap_or_default();
    let (path, only, name, version) = match (old, new) {
        ([path], [_, name]) => (path, None, name, None),
        ([path, only], [_, name]) => (path, Some(only), name, None),
        ([path], [_, name, version]) => (path, None, name, Some(version)),
        ([path, only], [_, name, version]) => (path, Some(only), name, Some(version)),
        _ => return Err(line.malformed(document, "a replacement is `PATH [VERSION] => PATH [VERSION]`")),
    };
    let reason = match (is_folder(&name.text), version) {
        (true, Some(_)) => "a replacement by a folder has no version",
        (false, None) => "a replacement without a version must be a folder, beginning with `./` or `../`",
        (true, None) | (false, Some(_)) => "",
    };
    if !reason.is_empty() {
        return Err(line.malformed(document, reason));
    }
    let is_local = version.is_none();
    Ok(Declared {
        ecosystem: Ecosystem::Golang,
        name: if is_local { &path.text } else { &name.text }.to_string(),
        raw_name: path.text.to_string(),
        constraint: version.map(|it| it.text.to_string()),
        evaluated: None,
        settled: Settled::Unknown,
        place: document.place(version.unwrap_or(path).place.clone()),
        scope: Scope::Override,
        target: only.map(|it: &Word<'_>| it.text.to_string()),
        source: if is_local { Source::Path } else { Source::Registry },
        origin: is_local.then(|| Redacted::new(&*name.text)),
        via: None,
    })
}

/// Whether Go takes a path for one of the file system.
fn is_folder(path: &str) -> bool {
    let drive = path.as_bytes().get(1) == Some(&b':');
    matches!(path, "." | "..")
        || drive
        || ["./", "../", "/", ".\\", "..\\", "\\"].iter().any(|it| path.starts_with(it))
}
