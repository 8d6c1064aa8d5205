//! `packages.config`: <https://learn.microsoft.com/nuget/reference/packages-config>. It lists every package that is
//! installed, direct or not, at its exact version.

use crate::deps::document::Document;
use crate::deps::fact::Scope;
use crate::deps::format::{Contents, Manifest, Parts};
use crate::deps::note::ENTRY_MALFORMED;
use crate::deps::xml::{attribute, elements, is, parse};
use crate::model::Note;

use super::exact::{declared, settled};

/// # Errors
/// When the file is not XML, or its root is not `packages`.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let tree = parse(document)?;
    let root = tree.root_element();
    if !is(root, "packages") {
        return Err(document.unreadable(root.range().start, "its root is not `packages`"));
    }
    let (mut entries, mut notes) = (Vec::new(), Vec::new());
    for node in elements(root).filter(|it| is(*it, "package")) {
        let text = |name| attribute(document, node, name).filter(|it| !it.value.is_empty());
        let (Some(name), Some(version)) = (text("id"), text("version")) else {
            let message = "a package without an id or a version was left out";
            notes.push(document.note(ENTRY_MALFORMED, node.range().start, message));
            continue;
        };
        let is_dev = text("developmentDependency").is_some_and(|it| it.value.eq_ignore_ascii_case("true"));
        let scope = if is_dev { Scope::Dev } else { Scope::Normal };
        let mut entry = declared(document, &name.value, Some(&version.value), version.range, scope);
        entry.target = text("targetFramework").map(|it| it.value);
        entries.push(entry);
    }
    let resolved = entries.iter().filter_map(settled).collect();
    Ok(Parts { contents: Contents::Manifest(Manifest::default()), declared: entries, resolved, notes })
}
