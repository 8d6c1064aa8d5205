//! `gradle/verification-metadata.xml`: the checksums of what a build may use.
//! <https://docs.gradle.org/current/userguide/dependency_verification.html>

use crate::deps::document::{Document, MAX_PACKAGES};
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::Resolved;
use crate::deps::format::{Contents, Lockfile, Parts};
use crate::deps::note::ENTRY_MALFORMED;
use crate::model::Note;

use super::evaluate::is_name;
use super::xml::{at, attribute, elements, parse};

/// It stays a project of its own: it lists every version that was ever verified, so that it settles none.
///
/// # Errors
/// When the file is no XML, or of another kind.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let tree = parse(document)?;
    let root = tree.root_element();
    if root.tag_name().name() != "verification-metadata" {
        return Err(document.unreadable(root.range().start, "its root is no `verification-metadata`"));
    }
    let (mut resolved, mut notes) = (Vec::new(), Vec::new());
    for component in at(root, &["components", "component"]) {
        let start = component.range().start;
        if resolved.len() == MAX_PACKAGES {
            notes.push(document.too_many(start));
            break;
        }
        let part = |name: &str| attribute(document, component, name).filter(|it| !it.value.is_empty());
        let (Some(group), Some(name), Some(version)) = (part("group"), part("name"), part("version")) else {
            notes.push(document.note(
                ENTRY_MALFORMED,
                start,
                "a component without its name or version was left out",
            ));
            continue;
        };
        if !is_name(&group.value) || !is_name(&name.value) {
            notes.push(document.note(ENTRY_MALFORMED, start, "a component whose name is none was left out"));
            continue;
        }
        let name = format!("{}:{}", group.value, name.value);
        let place = document.place(version.range.clone());
        let checksum = elements(component).flat_map(elements).find_map(|it| {
            let kind = it.tag_name().name();
            Some(format!("{kind}:{}", attribute(document, it, "value")?.value))
        });
        let locked = Resolved::locked(Ecosystem::Gradle, name, version.value, place);
        resolved.push(Resolved { checksum, ..locked });
    }
    let edges = vec![Vec::new(); resolved.len()];
    let contents = Contents::Lockfile(Lockfile { edges, ..Lockfile::default() });
    Ok(Parts { contents, declared: Vec::new(), resolved, notes })
}
