//! `build.sbt.lock`: <https://github.com/stringbean/sbt-dependency-lock>.

use jsonc_parser::ast::Value;

use crate::deps::document::{Document, MAX_PACKAGES};
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Resolved, Scope};
use crate::deps::format::{Contents, Lockfile, Parts};
use crate::deps::json::object;
use crate::deps::note::ENTRY_MALFORMED;
use crate::deps::toml::inside_quotes;
use crate::model::Note;

use super::evaluate::is_name;

/// It does not say who needs whom.
///
/// # Errors
/// When the file is not JSON.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let root = object(document)?;
    let (mut resolved, mut notes) = (Vec::new(), Vec::new());
    let list = root.get_array("dependencies").map_or(&[][..], |it| it.elements.as_slice());
    for element in list {
        let start = jsonc_parser::common::Ranged::start(element);
        if resolved.len() == MAX_PACKAGES {
            notes.push(document.too_many(start));
            break;
        }
        let entry = if let Value::Object(it) = element { Some(it) } else { None };
        let part = |name: &str| entry.and_then(|it| it.get_string(name));
        let (Some(group), Some(name), Some(version)) = (part("org"), part("name"), part("version")) else {
            notes.push(document.note(
                ENTRY_MALFORMED,
                start,
                "an entry without its name or version was left out",
            ));
            continue;
        };
        if !is_name(&group.value) || !is_name(&name.value) {
            notes.push(document.note(ENTRY_MALFORMED, start, "an entry whose name is none was left out"));
            continue;
        }
        let place = document.place(inside_quotes(document.text, version.range.start..version.range.end));
        let name = format!("{}:{}", group.value, name.value);
        let configurations = entry.and_then(|it| it.get_array("configurations"));
        let is_test = configurations.is_some_and(|it| {
            it.elements.iter().all(|it| matches!(it, Value::StringLit(it) if it.value == "test"))
        });
        let scope = Some(if is_test { Scope::Dev } else { Scope::Normal });
        let locked = Resolved::locked(Ecosystem::Ivy, name, version.value.to_string(), place);
        resolved.push(Resolved { scope, ..locked });
    }
    let top = (0..resolved.len()).collect();
    let edges = vec![Vec::new(); resolved.len()];
    let contents = Contents::Lockfile(Lockfile { top, edges, ..Lockfile::default() });
    Ok(Parts { contents, declared: Vec::new(), resolved, notes })
}
