//! `Pipfile`: <https://pipenv.pypa.io/en/latest/pipfile.html>.

use crate::deps::document::Document;
use crate::deps::fact::Scope;
use crate::deps::format::{Contents, Manifest, Parts};
use crate::deps::toml::parse;
use crate::model::Note;

use super::entry::Wanted;
use super::pyproject_group::in_group;
use super::table::packages;

/// The tables that list no packages.
const OTHER_TABLES: [&str; 5] = ["source", "requires", "scripts", "pipenv", "pipfile"];

/// # Errors
/// When the file is not TOML.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let toml = parse(document)?;
    let mut found = Vec::new();
    for (table, item) in toml.iter().filter(|(table, _)| !OTHER_TABLES.contains(table)) {
        let condition = in_group(table);
        let wanted = match table {
            "packages" => Wanted { scope: Scope::Normal, condition: None },
            "dev-packages" => Wanted { scope: Scope::Dev, condition: None },
            _ => Wanted { scope: Scope::Dev, condition: Some(&condition) },
        };
        packages(document, item, wanted, &mut found);
    }
    let (mut declared, mut notes) = (Vec::new(), Vec::new());
    for it in found {
        match it {
            Ok(it) => declared.push(it),
            Err(note) => notes.push(note),
        }
    }
    let contents = Contents::Manifest(Manifest::default());
    Ok(Parts { contents, declared, resolved: Vec::new(), notes })
}
