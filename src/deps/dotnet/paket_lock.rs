//! `paket.lock`: <https://fsprojects.github.io/Paket/lock-file.html>.
//!
//! A section names the kind of its sources at the margin, a source is indented by two spaces, a package by four and
//! what it needs by six.

use std::collections::BTreeMap;

use crate::deps::document::{Document, MAX_PACKAGES};
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Resolved, Source};
use crate::deps::format::{Contents, Lockfile, Parts};
use crate::deps::graph::pin_edges;
use crate::deps::note::ENTRY_MALFORMED;
use crate::model::{Note, Redacted};

use super::version::common_name;

const SECTIONS: [(&str, Source); 5] = [
    ("NUGET", Source::Registry),
    ("GITHUB", Source::Git),
    ("GIST", Source::Git),
    ("GIT", Source::Git),
    ("HTTP", Source::Url),
];

/// # Errors
/// Never: a line that is none is a note.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let mut reader = Reader {
        document,
        resolved: Vec::new(),
        groups: Vec::new(),
        needs: Vec::new(),
        notes: Vec::new(),
        group: 0,
        section: None,
        remote: None,
    };
    let mut at = 0;
    for line in document.text.split_inclusive('\n') {
        reader.line(line, at);
        at += line.len();
        if reader.resolved.len() == MAX_PACKAGES {
            reader.notes.push(document.too_many(at));
            break;
        }
    }
    let Reader { mut resolved, groups, needs, notes, .. } = reader;
    let mut known: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    for (index, (group, it)) in groups.iter().zip(&resolved).enumerate() {
        known.insert((*group, &it.name), index);
    }
    let links = groups.iter().zip(&needs).map(|(group, needs)| {
        needs.iter().filter_map(|it| known.get(&(*group, it.as_str())).copied()).collect::<Vec<usize>>()
    });
    let edges: Vec<Vec<usize>> = links.collect();
    pin_edges(&edges, &mut resolved);
    let lockfile = Lockfile { edges, top: (0..resolved.len()).collect(), ..Lockfile::default() };
    Ok(Parts { contents: Contents::Lockfile(lockfile), declared: Vec::new(), resolved, notes })
}

struct Reader<'d, 't> {
    document: &'d Document<'t>,
    resolved: Vec<Resolved>,
    /// For each package its group.
    groups: Vec<usize>,
    /// For each package the names that it needs.
    needs: Vec<Vec<String>>,
    notes: Vec<Note>,
    /// How many groups began.
    group: usize,
    section: Option<Source>,
    remote: Option<String>,
}

impl Reader<'_, '_> {
    fn line(&mut self, line: &str, start: usize) {
        let text = line.trim();
        let indent = line.len() - line.trim_start().len();
        let setting = text.split_once(": ");
        match indent {
            _ if text.is_empty() => {}
            0 if text.starts_with("GROUP ") => {
                self.group += 1;
                self.section = None;
            }
            0 => {
                self.section = SECTIONS.iter().find(|it| it.0 == text).map(|it| it.1);
                self.remote = None;
                if self.section.is_none() && setting.is_none() && !text.ends_with(':') {
                    let message = "the line is no section of a paket.lock and was left out";
                    self.notes.push(self.document.note(ENTRY_MALFORMED, start, message));
                }
            }
            2 => {
                if let Some(("remote", remote)) = setting {
                    self.remote = Some(remote.to_owned());
                }
            }
            4 => {
                if let Some(source) = self.section {
                    self.package(line, start, source);
                }
            }
            6 => {
                let name = text.split([' ', '(']).next().unwrap_or(text);
                self.needs.last_mut().into_iter().for_each(|it| it.push(common_name(name)));
            }
            _ => {}
        }
    }

    fn package(&mut self, line: &str, start: usize, source: Source) {
        let Some((name, version)) = package(line.trim()) else {
            let message = "a package without a version was left out";
            self.notes.push(self.document.note(ENTRY_MALFORMED, start, message));
            return;
        };
        let from = start + line.len() - line.trim_start().len() + name.len() + " (".len();
        // Of a repository a file is named, and the repository as the place that it comes from.
        let name = if source == Source::Git { self.remote.as_deref().unwrap_or(name) } else { name };
        self.groups.push(self.group);
        self.needs.push(Vec::new());
        self.resolved.push(Resolved {
            source,
            origin: self.remote.as_deref().map(Redacted::new),
            ..Resolved::locked(
                Ecosystem::Nuget,
                common_name(name),
                version.to_owned(),
                self.document.place(from..from + version.len()),
            )
        });
    }
}

/// Splits `NAME (VERSION)` with settings behind it.
fn package(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once(" (")?;
    let version = rest.split(')').next()?;
    (!name.is_empty() && !version.is_empty()).then_some((name, version))
}
