//! `Cargo.toml`: <https://doc.rust-lang.org/cargo/reference/specifying-dependencies.html>.

use std::ops::Range;

use toml_edit::{Item, TableLike};

use crate::deps::document::Document;
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Declared, Scope, Settled, Source};
use crate::deps::format::{Contents, Manifest, Parts};
use crate::deps::note::ENTRY_MALFORMED;
use crate::deps::toml::{entries, inside_quotes, parse};
use crate::model::{Note, Redacted};

/// The tables of dependencies in a package or under a target; the spellings with `_` are accepted by Cargo too.
const TABLES: [(&str, Scope); 5] = [
    ("dependencies", Scope::Normal),
    ("dev-dependencies", Scope::Dev),
    ("dev_dependencies", Scope::Dev),
    ("build-dependencies", Scope::Build),
    ("build_dependencies", Scope::Build),
];

/// # Errors
/// When the file is not TOML.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let toml = parse(document)?;
    let mut reader = Reader { document, declared: Vec::new(), notes: Vec::new(), inherited: Vec::new() };
    for (table, scope) in TABLES {
        reader.table(toml.get(table), scope, None);
    }
    for (target, item) in toml.get("target").into_iter().flat_map(entries) {
        for (table, scope) in TABLES {
            reader.table(item.get(table), scope, Some(target.get()));
        }
    }
    let workspace = toml.get("workspace");
    reader.table(workspace.and_then(|it| it.get("dependencies")), Scope::Catalog, None);
    for (_, patches) in toml.get("patch").into_iter().flat_map(entries) {
        reader.table(Some(patches), Scope::Override, None);
    }
    reader.table(toml.get("replace"), Scope::Override, None);
    let package = toml.get("package").and_then(|it| it.get("name")).and_then(Item::as_str);
    let root = toml.get("package").and_then(|it| it.get("workspace"));
    let root = root.and_then(|it| {
        let place = inside_quotes(document.text, it.span()?);
        Some((it.as_str()?.to_owned(), document.place(place)))
    });
    let manifest = Manifest {
        root,
        package: package.map(str::to_owned),
        workspace: workspace.map(members),
        inherited: reader.inherited,
        ..Manifest::default()
    };
    Ok(Parts {
        contents: Contents::Manifest(manifest),
        declared: reader.declared,
        resolved: Vec::new(),
        notes: reader.notes,
    })
}

fn members(workspace: &Item) -> Vec<String> {
    let list = |name: &str| {
        let list = workspace.get(name).and_then(Item::as_array);
        list.into_iter().flatten().filter_map(toml_edit::Value::as_str)
    };
    list("members").map(str::to_owned).chain(list("exclude").map(|it| format!("!{it}"))).collect()
}

struct Reader<'d, 't> {
    document: &'d Document<'t>,
    declared: Vec<Declared>,
    notes: Vec<Note>,
    inherited: Vec<usize>,
}

impl Reader<'_, '_> {
    fn table(&mut self, table: Option<&Item>, scope: Scope, target: Option<&str>) {
        let Some(table) = table else { return };
        if table.as_table_like().is_none() {
            let offset = table.span().map_or(0, |it| it.start);
            let message = format!("the {} dependencies are not a table and were left out", scope.name());
            self.notes.push(self.document.note(ENTRY_MALFORMED, offset, message));
        }
        for (key, item) in entries(table) {
            let place = key.span().unwrap_or(0..0);
            match self.declared(key.get(), place.clone(), item, scope) {
                Some(declared) => {
                    self.declared.push(Declared { target: target.map(str::to_owned), ..declared });
                }
                None => {
                    let message = format!("the entry `{}` is no dependency and was left out", key.get());
                    self.notes.push(self.document.note(ENTRY_MALFORMED, place.start, message));
                }
            }
        }
    }

    fn declared(&mut self, key: &str, place: Range<usize>, item: &Item, scope: Scope) -> Option<Declared> {
        let table = item.as_table_like();
        let version = if item.is_str() { Some(item) } else { table?.get("version") };
        if version.is_some_and(|it| !it.is_str()) {
            return None;
        }
        let text = |name: &str| table.and_then(|it| it.get(name)).and_then(Item::as_str);
        let flag = |name: &str| table.and_then(|it| it.get(name)).and_then(Item::as_bool) == Some(true);
        let constraint_place = version.and_then(Item::span);
        let constraint_place = constraint_place.map(|it| inside_quotes(self.document.text, it));
        let (source, origin) = table.map_or((Source::Registry, None), origin);
        if flag("workspace") {
            self.inherited.push(self.declared.len());
        }
        // A key of `[replace]` is `name:version`.
        let key_name = if scope == Scope::Override { key.split(':').next().unwrap_or(key) } else { key };
        Some(Declared {
            ecosystem: Ecosystem::Cargo,
            name: text("package").unwrap_or(key_name).to_owned(),
            raw_name: key_name.to_owned(),
            constraint: version.and_then(Item::as_str).map(str::to_owned),
            evaluated: None,
            settled: Settled::Unknown,
            place: self.document.place(constraint_place.unwrap_or(place)),
            scope: if scope == Scope::Normal && flag("optional") { Scope::Optional } else { scope },
            target: None,
            source,
            origin: origin.map(Redacted::new),
            via: None,
        })
    }
}

/// Where an entry's package comes from. Of several, Cargo takes the repository or the folder.
fn origin(table: &dyn TableLike) -> (Source, Option<String>) {
    let text = |name: &str| table.get(name).and_then(Item::as_str);
    if let Some(repository) = text("git") {
        let reference = ["rev", "tag", "branch"].iter().find_map(|it| Some((it, text(it)?)));
        let reference = reference.map(|(kind, it)| format!("?{kind}={it}")).unwrap_or_default();
        return (Source::Git, Some(format!("{repository}{reference}")));
    }
    if let Some(path) = text("path") {
        return (Source::Path, Some(path.to_owned()));
    }
    if table.get("workspace").and_then(Item::as_bool) == Some(true) {
        return (Source::Workspace, None);
    }
    (Source::Registry, text("registry").or_else(|| text("registry-index")).map(str::to_owned))
}
