//! `environment.yml`: <https://docs.conda.io/projects/conda/en/stable/user-guide/tasks/manage-environments.html>. Its
//! nested list `pip` asks for packages of Python's index.

use crate::deps::document::{Document, MAX_PACKAGES};
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Declared, Scope, Settled, Source};
use crate::deps::format::{Contents, Manifest, Parts};
use crate::deps::note::{ENTRY_MALFORMED, UNEVALUATED};
use crate::deps::python::{Wanted, declared, within};
use crate::deps::yaml::{Node, Value, documents};
use crate::model::{Note, Redacted};

use super::spec::spec;

/// # Errors
/// When the file is not YAML or not a mapping.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let mut reader = Reader { document, declared: Vec::new(), notes: Vec::new() };
    for root in &documents(document)? {
        match root.value {
            Value::Mapping(_) => {}
            Value::Scalar(_) | Value::Sequence(_) | Value::Alias => {
                return Err(document.unreadable(root.place.start, "it must be a mapping"));
            }
        }
        for entry in root.get("dependencies").map(Node::items).unwrap_or_default() {
            if reader.declared.len() == MAX_PACKAGES {
                reader.notes.push(document.too_many(entry.place.start));
                break;
            }
            reader.entry(entry);
        }
    }
    let contents = Contents::Manifest(Manifest::default());
    Ok(Parts { contents, declared: reader.declared, resolved: Vec::new(), notes: reader.notes })
}

struct Reader<'d, 't> {
    document: &'d Document<'t>,
    declared: Vec<Declared>,
    notes: Vec<Note>,
}

impl Reader<'_, '_> {
    fn entry(&mut self, entry: &Node) {
        if let Some(text) = entry.text() {
            self.package(entry, text);
            return;
        }
        let Some(pip) = entry.get("pip") else {
            self.malformed(entry, "an entry that is neither a text nor the list `pip`");
            return;
        };
        for requirement in pip.items() {
            match requirement.text() {
                Some(text) => self.requirement(requirement, text),
                None => self.malformed(requirement, "a requirement that is not a text"),
            }
        }
    }

    fn package(&mut self, entry: &Node, text: &str) {
        // A bare number is a text to us and an error to conda.
        let found =
            spec(text).filter(|it| text.get(it.name.clone()).unwrap_or_default().parse::<f64>().is_err());
        let Some(spec) = found else {
            self.malformed(entry, &format!("`{}`, which names no package,", Redacted::new(text)));
            return;
        };
        let inside = entry.inside(self.document.text);
        let part = |it: std::ops::Range<usize>| text.get(it).unwrap_or_default();
        let name = part(spec.name.clone());
        let place = spec.constraint.clone().unwrap_or_else(|| spec.name.clone());
        self.declared.push(Declared {
            ecosystem: Ecosystem::Conda,
            name: name.to_lowercase(),
            raw_name: name.to_owned(),
            constraint: spec.constraint.map(|it| part(it).to_owned()),
            evaluated: None,
            settled: Settled::Unknown,
            place: self.document.place(within(self.document, text, &inside, place)),
            scope: Scope::Normal,
            target: None,
            source: Source::Registry,
            origin: spec.channel.map(|it| Redacted::new(part(it))),
            via: None,
        });
    }

    fn requirement(&mut self, entry: &Node, text: &str) {
        if text.starts_with('-') {
            let message = format!("`{}` is an option of pip and was left out", Redacted::new(text));
            self.notes.push(self.document.note(UNEVALUATED, entry.place.start, message));
            return;
        }
        let inside = entry.inside(self.document.text);
        let place = |it| within(self.document, text, &inside, it);
        match declared(self.document, text, place, Wanted { scope: Scope::Normal, condition: None }) {
            Ok(it) => self.declared.push(it),
            Err(note) => self.notes.push(note),
        }
    }

    fn malformed(&mut self, entry: &Node, what: &str) {
        let message = format!("{what} was left out");
        self.notes.push(self.document.note(ENTRY_MALFORMED, entry.place.start, message));
    }
}
