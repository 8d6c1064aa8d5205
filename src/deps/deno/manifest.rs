//! `deno.json` and `deno.jsonc`: <https://docs.deno.com/runtime/fundamentals/configuration/>.

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged as _;

use crate::config::inside_quotes;
use crate::deps::document::Document;
use crate::deps::fact::{Declared, Scope, Settled, Source};
use crate::deps::format::{Contents, Manifest, Parts};
use crate::deps::json::{commented_object, last};
use crate::deps::note::ENTRY_MALFORMED;
use crate::model::Note;

use super::specifier::specifier;

/// # Errors
/// When the file is not a JSON object.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let root = commented_object(document)?;
    let mut reader = Reader { document, declared: Vec::new(), notes: Vec::new() };
    if let Some(property) = last(&root, "imports") {
        reader.imports(property);
    }
    // Imports that hold only below a folder.
    for property in
        last(&root, "scopes").and_then(|it| it.value.as_object()).iter().flat_map(|it| &it.properties)
    {
        reader.imports(property);
    }
    let package = last(&root, "name").and_then(|it| it.value.as_string_lit());
    let manifest = Manifest {
        package: package.map(|it| it.value.clone().into_owned()),
        workspace: last(&root, "workspace").map(|it| members(&it.value)),
        ..Manifest::default()
    };
    let Reader { declared, notes, .. } = reader;
    Ok(Parts { contents: Contents::Manifest(manifest), declared, resolved: Vec::new(), notes })
}

/// The patterns of `workspace`, a list or an object with one.
fn members(value: &Value<'_>) -> Vec<String> {
    let nested = value.as_object().and_then(|it| last(it, "members"));
    let list = nested.map_or(value, |it| &it.value).as_array();
    let patterns = list.into_iter().flat_map(|it| &it.elements).filter_map(Value::as_string_lit);
    patterns.map(|it| it.value.clone().into_owned()).collect()
}

struct Reader<'d, 't> {
    document: &'d Document<'t>,
    declared: Vec<Declared>,
    notes: Vec<Note>,
}

impl Reader<'_, '_> {
    fn imports(&mut self, imports: &ObjectProp<'_>) {
        let Some(entries) = imports.value.as_object() else {
            let message = format!("`{}` is not an object and was left out", imports.name.as_str());
            self.notes.push(self.document.note(ENTRY_MALFORMED, imports.value.start(), message));
            return;
        };
        self.entries(entries);
    }

    fn entries(&mut self, entries: &Object<'_>) {
        for property in &entries.properties {
            let Some(literal) = property.value.as_string_lit() else {
                let message =
                    format!("the entry `{}` is not a text and was left out", property.name.as_str());
                self.notes.push(self.document.note(ENTRY_MALFORMED, property.range.start, message));
                continue;
            };
            // A path or an address names no package of a registry.
            let Some(asked) = specifier(&literal.value) else { continue };
            let inside = inside_quotes(&literal.range);
            let written = self.document.text.get(inside.clone()).unwrap_or_default();
            let place =
                match asked.constraint.and_then(|it| Some((written.rfind(&format!("@{it}"))? + 1, it.len())))
                {
                    Some((at, length)) => inside.start + at..inside.start + at + length,
                    None => inside_quotes(&property.name.range()),
                };
            self.declared.push(Declared {
                ecosystem: asked.ecosystem,
                name: asked.name.to_owned(),
                raw_name: property.name.as_str().to_owned(),
                constraint: asked.constraint.map(str::to_owned),
                evaluated: None,
                settled: Settled::Unknown,
                place: self.document.place(place),
                scope: Scope::Normal,
                target: None,
                source: Source::Registry,
                origin: None,
                via: None,
            });
        }
    }
}
