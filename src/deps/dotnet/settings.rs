//! `global.json` (<https://learn.microsoft.com/dotnet/core/tools/global-json>) and `dotnet-tools.json`
//! (<https://learn.microsoft.com/dotnet/core/tools/local-tools-how-to-use>): tools of the build at exact versions.

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged as _;

use crate::config::{Dialect, inside_quotes, parse};
use crate::deps::document::Document;
use crate::deps::fact::{Declared, Scope};
use crate::deps::format::{Contents, Manifest, Parts};
use crate::deps::json::last;
use crate::deps::note::ENTRY_MALFORMED;
use crate::model::Note;

use super::exact::{declared, settled};

/// Reads the versions of the build's own packages. The SDK itself is no package.
///
/// # Errors
/// When the file is not a JSON object.
pub fn read_global(document: &Document<'_>) -> Result<Parts, Note> {
    read(document, "msbuild-sdks", Scope::Build, |it| Some(&it.value))
}

/// Reads the packages of a repository's tools.
///
/// # Errors
/// When the file is not a JSON object.
pub fn read_tools(document: &Document<'_>) -> Result<Parts, Note> {
    read(document, "tools", Scope::Dev, |it| {
        it.value.as_object().and_then(|it| Some(&last(it, "version")?.value))
    })
}

fn read(
    document: &Document<'_>,
    table: &str,
    scope: Scope,
    version: for<'o, 't> fn(&'o ObjectProp<'t>) -> Option<&'o Value<'t>>,
) -> Result<Parts, Note> {
    let root = object(document)?;
    let (mut entries, mut notes): (Vec<Declared>, Vec<Note>) = (Vec::new(), Vec::new());
    let listed: &[ObjectProp<'_>] = match last(&root, table).map(|it| &it.value) {
        Some(Value::Object(table)) => &table.properties,
        None => &[],
        Some(other) => {
            let message = format!("`{table}` is not an object and was left out");
            notes.push(document.note(ENTRY_MALFORMED, other.start(), message));
            &[]
        }
    };
    for entry in listed {
        let name = entry.name.as_str();
        let version = version(entry).and_then(Value::as_string_lit).filter(|it| !it.value.is_empty());
        if let Some(text) = version {
            let place = inside_quotes(&text.range);
            entries.push(declared(document, name, Some(&text.value), place, scope));
        } else {
            let message = format!("the entry `{name}` states no version and was left out");
            notes.push(document.note(ENTRY_MALFORMED, entry.start(), message));
        }
    }
    let resolved = entries.iter().filter_map(settled).collect();
    Ok(Parts { contents: Contents::Manifest(Manifest::default()), declared: entries, resolved, notes })
}

/// The document's one object; comments and commas at ends of lists are allowed in these files.
fn object<'t>(document: &Document<'t>) -> Result<Object<'t>, Note> {
    match parse(document.text, Dialect::Commented) {
        Ok(Value::Object(root)) => Ok(root),
        Ok(other) => Err(document.unreadable(other.start(), "it must be a JSON object")),
        Err(error) => Err(document.unreadable(error.offset, &error.reason)),
    }
}
