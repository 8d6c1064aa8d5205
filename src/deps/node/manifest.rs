//! `package.json`: <https://docs.npmjs.com/cli/v11/configuring-npm/package-json>.

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged as _;

use crate::config::inside_quotes;
use crate::deps::document::Document;
use crate::deps::fact::{Declared, Scope};
use crate::deps::format::{Contents, Manifest, Parts};
use crate::deps::inherit::{CATALOG, DEFAULT_CATALOG, catalog_of};
use crate::deps::json::{last, object};
use crate::deps::note::ENTRY_MALFORMED;
use crate::model::Note;

use super::source::{asked, is_name, split_version};

const TABLES: [(&str, Scope); 4] = [
    ("dependencies", Scope::Normal),
    ("devDependencies", Scope::Dev),
    ("optionalDependencies", Scope::Optional),
    ("peerDependencies", Scope::Peer),
];

/// # Errors
/// When the file is not a JSON object.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let root = object(document)?;
    let mut reader = Reader { document, declared: Vec::new(), notes: Vec::new(), catalog: None };
    for (table, scope) in TABLES {
        match last(&root, table).map(|it| &it.value) {
            None => {}
            Some(Value::Object(entries)) => reader.table(entries, scope),
            Some(other) => {
                let message = format!("`{table}` is not an object and was left out");
                reader.notes.push(document.note(ENTRY_MALFORMED, other.start(), message));
            }
        }
    }
    let pnpm = last(&root, "pnpm").and_then(|it| it.value.as_object());
    let overrides =
        [last(&root, "overrides"), last(&root, "resolutions"), pnpm.and_then(|it| last(it, "overrides"))];
    for table in overrides.into_iter().flatten() {
        reader.overrides(&table.value);
    }
    reader.catalogs(&root);
    if let Some(workspaces) = last(&root, "workspaces").and_then(|it| it.value.as_object()) {
        reader.catalogs(workspaces);
    }
    let package = last(&root, "name").and_then(|it| it.value.as_string_lit());
    if let Some(name) = package.filter(|it| !is_name(&it.value)) {
        let message = "npm allows no package of this name";
        reader.notes.push(document.note(ENTRY_MALFORMED, inside_quotes(&name.range).start, message));
    }
    let manifest = Manifest {
        package: package.map(|it| it.value.clone().into_owned()),
        workspace: last(&root, "workspaces").map(|it| members(&it.value)),
        inherited: inherited(&reader.declared),
        ..Manifest::default()
    };
    Ok(Parts {
        contents: Contents::Manifest(manifest),
        declared: reader.declared,
        resolved: Vec::new(),
        notes: reader.notes,
    })
}

/// The patterns of `workspaces`, a list or, in the style of yarn, an object with one.
fn members(value: &Value<'_>) -> Vec<String> {
    let nested = value.as_object().and_then(|it| last(it, "packages"));
    let list = nested.map_or(value, |it| &it.value).as_array();
    let patterns = list.into_iter().flat_map(|it| &it.elements).filter_map(Value::as_string_lit);
    patterns.map(|it| it.value.clone().into_owned()).collect()
}

/// The entries that take their constraint from a catalog.
fn inherited(declared: &[Declared]) -> Vec<usize> {
    let named = declared.iter().enumerate().filter(|(_, it)| catalog_of(it).is_some());
    named.map(|(index, _)| index).collect()
}

struct Reader<'d, 't> {
    document: &'d Document<'t>,
    declared: Vec<Declared>,
    notes: Vec<Note>,
    /// The named catalog that is being read.
    catalog: Option<String>,
}

impl Reader<'_, '_> {
    fn table(&mut self, entries: &Object<'_>, scope: Scope) {
        let mut seen = std::collections::BTreeSet::new();
        let first = self.declared.len();
        for property in entries.properties.iter().rev() {
            if seen.insert(property.name.as_str()) {
                self.entry(property, property.name.as_str(), scope);
            }
        }
        self.declared.get_mut(first..).unwrap_or_default().reverse();
    }

    fn entry(&mut self, property: &ObjectProp<'_>, name: &str, scope: Scope) {
        let Value::StringLit(literal) = &property.value else {
            let message = format!("the entry `{name}` is not a text and was left out");
            self.notes.push(self.document.note(ENTRY_MALFORMED, property.range.start, message));
            return;
        };
        let asked = asked(&literal.value);
        if let Some(message) = asked.unnamed(name) {
            self.notes.push(self.document.note(ENTRY_MALFORMED, property.range.start, message));
            return;
        }
        let inside = inside_quotes(&literal.range);
        let written = self.document.text.get(inside.clone()).unwrap_or_default();
        let place = match asked.constraint {
            // It is stated elsewhere or nowhere.
            None => inside_quotes(&property.name.range()),
            Some(it) if it.starts_with(CATALOG) => inside_quotes(&property.name.range()),
            // That of an alias is the end of the text; escapes would shift it, and then the whole text is shown.
            Some(it) if written.ends_with(it) => inside.end - it.len()..inside.end,
            Some(_) => inside,
        };
        let place = self.document.place(place);
        self.declared.push(Declared {
            target: self.catalog.clone(),
            ..asked.declared(name, &literal.value, place, scope)
        });
    }

    /// The catalogs in the style of bun: <https://bun.com/docs/pm/catalogs>.
    fn catalogs(&mut self, object: &Object<'_>) {
        if let Some(entries) = last(object, "catalog").and_then(|it| it.value.as_object()) {
            self.table(entries, Scope::Catalog);
        }
        let named = last(object, "catalogs").and_then(|it| it.value.as_object());
        for property in named.into_iter().flat_map(|it| &it.properties) {
            let Some(entries) = property.value.as_object() else { continue };
            self.catalog =
                Some(property.name.as_str()).filter(|it| *it != DEFAULT_CATALOG).map(str::to_owned);
            self.table(entries, Scope::Catalog);
            self.catalog = None;
        }
    }

    /// Overrides nest: `{"a": {".": "1", "b": "2"}}` forces `a` to 1 and, below it, `b` to 2. The name is the last key
    /// of the way, without a version that it may carry and, in the style of yarn, without the packages before it.
    fn overrides(&mut self, root: &Value<'_>) {
        let mut open: Vec<(&Value<'_>, &str)> = vec![(root, "")];
        let first = self.declared.len();
        while let Some((value, above)) = open.pop() {
            let Value::Object(entries) = value else { continue };
            for property in &entries.properties {
                let key = property.name.as_str();
                let name = if key == "." { above } else { overridden(key) };
                // `$name` repeats the constraint of a direct dependency.
                let repeats = property.value.as_string_lit().is_some_and(|it| it.value.starts_with('$'));
                if property.value.as_object().is_some() {
                    open.push((&property.value, name));
                } else if !repeats {
                    self.entry(property, name, Scope::Override);
                }
            }
        }
        self.declared
            .get_mut(first..)
            .unwrap_or_default()
            .sort_by(|left, right| left.place.cmp(&right.place));
    }
}

/// The package that a key such as `a@^1`, `a>b`, `**/b` or `a/@scope/b` is about.
pub fn overridden(key: &str) -> &str {
    let key = key.rsplit('>').next().unwrap_or(key).trim();
    let mut parts = key.rsplit('/');
    let name = parts.next().unwrap_or(key);
    let scoped =
        parts.next().filter(|it| it.starts_with('@')).map_or(name.len(), |it| it.len() + 1 + name.len());
    let last = key.get(key.len() - scoped..).unwrap_or(key);
    split_version(last).0
}

#[cfg(test)]
mod tests {
    use super::overridden;

    #[test]
    fn a_key_of_overrides_is_about_its_last_package() {
        for (key, expected) in [
            ("a", "a"),
            ("a@^1", "a"),
            ("@s/a", "@s/a"),
            ("@s/a@1", "@s/a"),
            ("a>b@2", "b"),
            ("**/b", "b"),
            ("a/**/@s/b", "@s/b"),
        ] {
            assert_eq!(overridden(key), expected, "{key}");
        }
    }
}
