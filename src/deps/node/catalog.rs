//! Catalogs: constraints that the members of a workspace name instead of repeating them.
//!
//! `pnpm-workspace.yaml` (<https://pnpm.io/pnpm-workspace_yaml>), which also lists the members, and `.yarnrc.yml`
//! (<https://yarnpkg.com/configuration/yarnrc>) hold them as YAML; bun keeps them in `package.json`.

use crate::deps::document::Document;
use crate::deps::fact::{Declared, Scope};
use crate::deps::format::{Contents, Manifest, Parts};
use crate::deps::inherit::{CATALOG, DEFAULT_CATALOG};
use crate::deps::note::ENTRY_MALFORMED;
use crate::deps::yaml::{Node, Scalar, documents};
use crate::model::Note;

use super::manifest::overridden;
use super::source::asked;

/// # Errors
/// When the file is not YAML.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let mut reader = Reader { document, declared: Vec::new(), notes: Vec::new() };
    let roots = documents(document)?;
    let mut manifest = Manifest::default();
    for root in &roots {
        if let Some(packages) = root.get("packages") {
            let patterns = packages.items().iter().filter_map(Node::text).map(str::to_owned);
            manifest.workspace.get_or_insert_default().extend(patterns);
        }
        reader.catalog(root.get("catalog"), None);
        for (name, catalog) in root.get("catalogs").map(Node::entries).unwrap_or_default() {
            reader.catalog(Some(catalog), Some(&name.text));
        }
        for (key, value) in root.get("overrides").map(Node::entries).unwrap_or_default() {
            reader.entry(key, value, overridden(&key.text), Scope::Override, None);
        }
    }
    let Reader { declared, notes, .. } = reader;
    Ok(Parts { contents: Contents::Manifest(manifest), declared, resolved: Vec::new(), notes })
}

struct Reader<'d, 't> {
    document: &'d Document<'t>,
    declared: Vec<Declared>,
    notes: Vec<Note>,
}

impl Reader<'_, '_> {
    fn catalog(&mut self, catalog: Option<&Node>, name: Option<&str>) {
        let name = name.filter(|it| *it != DEFAULT_CATALOG);
        for (key, value) in catalog.map(Node::entries).unwrap_or_default() {
            self.entry(key, value, &key.text, Scope::Catalog, name);
        }
    }

    fn entry(&mut self, key: &Scalar, value: &Node, name: &str, scope: Scope, catalog: Option<&str>) {
        let Some(text) = value.text().filter(|_| !value.place.is_empty()) else {
            let message = format!("the entry `{}` is not a text and was left out", key.text);
            self.notes.push(self.document.note(ENTRY_MALFORMED, key.place.start, message));
            return;
        };
        // An override can point to a catalog or to what the root asks for itself.
        if scope == Scope::Override && (text.starts_with(CATALOG) || text.starts_with('$')) {
            return;
        }
        let asked = asked(text);
        if let Some(message) = asked.unnamed(name) {
            self.notes.push(self.document.note(ENTRY_MALFORMED, key.place.start, message));
            return;
        }
        let place = value.inside(self.document.text);
        let written = self.document.text.get(place.clone()).unwrap_or_default();
        let length = asked.constraint.filter(|it| written.ends_with(it)).map_or(written.len(), str::len);
        let place = self.document.place(place.end - length..place.end);
        self.declared.push(Declared {
            target: catalog.map(str::to_owned),
            ..asked.declared(name, text, place, scope)
        });
    }
}
