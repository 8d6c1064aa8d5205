//! Dependency groups: <https://packaging.python.org/en/latest/specifications/dependency-groups/>.

use std::collections::{BTreeMap, BTreeSet};

use toml_edit::{Item, Value};

use crate::deps::document::Document;
use crate::deps::fact::{Declared, Scope};
use crate::deps::note::ENTRY_MALFORMED;
use crate::deps::toml::entries;
use crate::model::Note;

use super::entry::{Wanted, of_value};
use super::version::common_name;

/// For each group, the groups that include it.
type Includers = BTreeMap<String, BTreeSet<String>>;

/// Reads the table of groups. An entry is declared once, under the condition of every group that it comes into.
pub fn read(document: &Document<'_>, groups: &Item, found: &mut Vec<Result<Declared, Note>>) {
    let names: BTreeSet<String> = entries(groups).map(|(key, _)| common_name(key.get())).collect();
    let malformed = |offset: usize, message: String| Err(document.note(ENTRY_MALFORMED, offset, message));
    let mut includers = Includers::new();
    for (key, item) in entries(groups) {
        for value in item.as_array().into_iter().flatten() {
            let Some(included) = included(value) else { continue };
            let name = common_name(included);
            if names.contains(&name) {
                includers.entry(name).or_default().insert(common_name(key.get()));
            } else {
                let message = format!("the group `{included}` is included, but there is no such group");
                found.push(malformed(value.span().map_or(0, |it| it.start), message));
            }
        }
    }
    for (key, item) in entries(groups) {
        let name = common_name(key.get());
        let offset = key.span().map_or(0, |it| it.start);
        let reached = reached(&name, &includers);
        if reached.contains(&name) {
            found.push(malformed(offset, format!("the group `{}` includes itself", key.get())));
        }
        let conditions: Vec<String> = std::iter::once(&name)
            .chain(reached.iter().filter(|it| **it != name))
            .map(|it| in_group(it))
            .collect();
        let condition = conditions.join(" or ");
        let wanted = Wanted { scope: Scope::Dev, condition: Some(&condition) };
        match item.as_array() {
            Some(list) => {
                let requirements = list.iter().filter(|it| included(it).is_none());
                found.extend(requirements.map(|it| of_value(document, it, wanted)));
            }
            None => {
                let message = format!("the group `{}` is not a list and was left out", key.get());
                found.push(malformed(offset, message));
            }
        }
    }
}

/// That a group is asked for, in the language of lockfiles.
pub fn in_group(group: &str) -> String {
    format!("'{}' in dependency_groups", common_name(group))
}

fn included(value: &Value) -> Option<&str> {
    value.as_inline_table()?.get("include-group")?.as_str()
}

/// The groups that a group comes into, as far as they are followed.
fn reached(group: &str, includers: &Includers) -> BTreeSet<String> {
    /// More than any project has; what comes into more of them is shown under the first.
    const MOST: usize = 64;
    let mut reached = BTreeSet::new();
    let mut open = vec![group];
    while let Some(it) = open.pop().filter(|_| reached.len() < MOST) {
        for above in includers.get(it).into_iter().flatten() {
            if reached.insert(above.clone()) {
                open.push(above);
            }
        }
    }
    reached
}
