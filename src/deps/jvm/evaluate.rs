//! What the poms of a repository say together: parents, properties, managed versions.

use std::collections::{BTreeMap, BTreeSet};

use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Declared, Scope, Settled, Source};
use crate::deps::format::{Contents, Reading};
use crate::deps::note::{ENTRY_MALFORMED, MODEL_MISSING, NOT_INHERITED, PARENT_CYCLE, UNEVALUATED};
use crate::model::{Location, Note, Redacted};

use super::Model;
use super::expand::{Place, Unsettled, expand};
use super::lineage::{Ancestry, Lineage};
use super::managed::{Answer, Key, Management, key};
use super::pom::{Entry, Pom, Role};

/// Fills what each pom declares, now that its parents can be known.
pub fn evaluate(readings: &mut [Reading]) {
    let found: Vec<(usize, Outcome)> = {
        let (indices, poms): (Vec<usize>, Vec<_>) =
            readings.iter().enumerate().filter_map(|(index, it)| Some((index, (&it.path, pom(it)?)))).unzip();
        let lineage = Lineage::new(poms);
        let management = Management::new(&lineage);
        let of = |(number, index)| (index, Evaluation::of(&lineage, &management, number));
        indices.into_iter().enumerate().map(of).collect()
    };
    for (index, outcome) in found {
        let Some(reading) = readings.get_mut(index) else { continue };
        reading.declared.extend(outcome.declared);
        reading.notes.extend(outcome.notes);
    }
}

fn pom(reading: &Reading) -> Option<&Pom> {
    match &reading.contents {
        Contents::Manifest(it) => match it.jvm.as_ref()? {
            Model::Pom(pom) => Some(pom),
            Model::Script(_) | Model::Catalog(_) | Model::Properties(_) => None,
        },
        Contents::Lockfile(_) | Contents::Unreadable => None,
    }
}

struct Outcome {
    declared: Vec<Declared>,
    notes: Vec<Note>,
}

/// What one pom declares.
struct Evaluation<'l, 'r> {
    lineage: &'l Lineage<'r>,
    management: &'l Management<'l, 'r>,
    number: usize,
    declared: Vec<Declared>,
    notes: Vec<Note>,
    /// The parents and imports of which something is missing.
    outside: BTreeMap<&'r Location, &'r Entry>,
    /// The expressions that are noted.
    unsettled: BTreeSet<String>,
}

/// Where the version of an entry is taken from.
struct Origin<'r> {
    entry: &'r Entry,
    pom: usize,
    via: Option<Location>,
}

impl<'l, 'r> Evaluation<'l, 'r> {
    fn of(lineage: &'l Lineage<'r>, management: &'l Management<'l, 'r>, number: usize) -> Outcome {
        let mut it = Self {
            lineage,
            management,
            number,
            declared: Vec::new(),
            notes: Vec::new(),
            outside: BTreeMap::new(),
            unsettled: BTreeSet::new(),
        };
        it.run();
        let missing = it.outside.into_iter().map(|(place, entry)| {
            let what = if entry.role == Role::Parent { "parent" } else { "imported pom" };
            let (group, artifact) = (&entry.group, &entry.artifact);
            let message = format!(
                "the {what} `{group}:{artifact}` is not in this repository; what only it states is unknown"
            );
            Note::new(MODEL_MISSING, message).at_point(place.path.clone(), place.span.start)
        });
        // A note about what an ancestor lacks stands in the ancestor, and is the same for all that miss it.
        let mut notes = it.notes;
        notes.extend(missing);
        Outcome { declared: it.declared, notes }
    }

    fn run(&mut self) {
        let Some(pom) = self.lineage.pom(self.number) else { return };
        let ancestry = self.lineage.parents.get(self.number).copied();
        if let Some((parent, _)) = &pom.parent {
            if ancestry == Some(Ancestry::Cycle) {
                let message = "the parents form a cycle, which Maven refuses; the parent is left out";
                let note = Note::new(PARENT_CYCLE, message);
                self.notes.push(note.at_point(parent.place.path.clone(), parent.place.span.start));
            }
            let source =
                if matches!(ancestry, Some(Ancestry::Of(_))) { Source::Workspace } else { Source::Registry };
            self.entry(parent, parent, source);
        }
        let mut own = BTreeSet::new();
        for entry in &pom.entries {
            self.entry(entry, entry, Source::Registry);
            if entry.role == Role::Dependency {
                own.extend(self.key(entry, Role::Dependency));
            }
        }
        let Some((parent, _)) = &pom.parent else { return };
        for (_, ancestor) in self.lineage.ancestors(self.number).skip(1) {
            for entry in
                ancestor.entries.iter().filter(|it| it.role == Role::Dependency && it.profile.is_none())
            {
                // The nearest one to the pom wins.
                if self.key(entry, Role::Dependency).is_some_and(|it| own.insert(it)) {
                    self.entry(entry, parent, Source::Registry);
                }
            }
        }
    }

    fn key(&self, entry: &Entry, role: Role) -> Option<Key> {
        key(self.lineage, entry, self.place(entry), role)
    }

    fn place<'e>(&self, entry: &'e Entry) -> Place<'e> {
        Place { pom: self.number, profile: entry.profile.as_deref() }
    }

    /// Declares an entry at the place where this pom has it: its own, or that of the parent it is inherited from.
    fn entry(&mut self, entry: &'r Entry, stated: &'r Entry, default: Source) {
        let part = |text: &str| expand(self.lineage, text, self.place(entry));
        let name = part(&entry.group).and_then(|group| Ok((group, part(&entry.artifact)?)));
        let (group, artifact) = match name {
            Ok(name) => name,
            Err(it) => {
                self.unsettled(&it, stated, "the name of a dependency");
                return;
            }
        };
        if ![&group, &artifact].into_iter().all(|it| is_name(it)) {
            let message = format!("`{group}:{artifact}` is no name of a package and was left out");
            let note = Note::new(ENTRY_MALFORMED, Redacted::new(message).as_str());
            self.notes.push(note.at_point(stated.place.path.clone(), stated.place.span.start));
            return;
        }
        let managed = self.managed(entry);
        let is_inherited = !std::ptr::eq(entry, stated);
        let via = is_inherited.then(|| entry.place.clone());
        let origin = match (&entry.version, &managed) {
            (None, Some((found, pom))) => Origin { entry: found, pom: *pom, via: Some(found.place.clone()) },
            (Some(_) | None, _) => Origin { entry, pom: self.number, via },
        };
        let name = format!("{group}:{artifact}");
        let place = Place { pom: origin.pom, profile: origin.entry.profile.as_deref() };
        let value = origin.entry.version.as_deref().map(|it| expand(self.lineage, it, place));
        let value = match value {
            Some(Err(it)) => {
                self.unsettled(&it, stated, &format!("the version of `{name}`"));
                None
            }
            Some(Ok(value)) => Some(value),
            None => None,
        };
        let is_own =
            value.as_deref().is_some_and(|it| self.management.pom_of(&group, &artifact, it).is_some());
        let scope = entry.scope.as_deref().or_else(|| managed.as_ref()?.0.scope.as_deref());
        let file = (scope == Some("system")).then(|| entry.file.clone()).flatten();
        let constraint = origin.entry.version.clone();
        self.declared.push(Declared {
            ecosystem: Ecosystem::Maven,
            raw_name: coordinates(entry),
            name,
            evaluated: value.filter(|it| constraint.as_ref() != Some(it)),
            settled: Settled::Unknown,
            constraint,
            place: stated.place.clone(),
            scope: self.scope(entry, scope),
            target: entry.profile.clone(),
            source: match (scope, is_own) {
                (Some("system"), _) => Source::Path,
                (_, true) => Source::Workspace,
                (_, false) => default,
            },
            origin: file.map(Redacted::new),
            via: origin.via,
        });
    }

    fn scope(&self, entry: &Entry, scope: Option<&str>) -> Scope {
        match entry.role {
            Role::Parent | Role::Import | Role::Plugin | Role::Tool => return Scope::Build,
            Role::Managed | Role::ManagedPlugin => return Scope::Catalog,
            Role::Dependency => {}
        }
        let scope = scope.and_then(|it| expand(self.lineage, it, self.place(entry)).ok());
        match scope.as_deref() {
            Some("test") => Scope::Dev,
            // The environment that it runs in brings it.
            Some("provided") => Scope::Peer,
            _ if entry.optional.as_deref() == Some("true") => Scope::Optional,
            _ => Scope::Normal,
        }
    }

    /// The managed entry that an entry takes its version or scope from, where it states none.
    fn managed(&mut self, entry: &'r Entry) -> Option<(&'r Entry, usize)> {
        let role = match entry.role {
            Role::Dependency => Role::Managed,
            Role::Plugin => Role::ManagedPlugin,
            Role::Parent | Role::Managed | Role::Import | Role::ManagedPlugin | Role::Tool => return None,
        };
        if entry.version.is_some() && entry.scope.is_some() {
            return None;
        }
        let key = self.key(entry, role)?;
        match self.management.find(self.number, &key) {
            Answer::Found(found) => return Some((found.entry, found.pom)),
            // Maven has versions of its own for plugins.
            _ if entry.version.is_some() || role == Role::ManagedPlugin => {}
            Answer::Outside(entries) => self.outside.extend(entries.into_iter().map(|it| (&it.place, it))),
            Answer::Nowhere => {
                let message = format!(
                    "`{}:{}` states no version, and neither does any parent or imported pom; it is unknown",
                    key.group, key.artifact
                );
                let note = Note::new(NOT_INHERITED, message);
                self.notes.push(note.at_point(entry.place.path.clone(), entry.place.span.start));
            }
        }
        None
    }

    fn unsettled(&mut self, it: &Unsettled, stated: &Entry, what: &str) {
        if self.unsettled.insert(it.0.clone()) {
            let message =
                format!("`{}` has no value in the files of this repository; {what} is unknown", it.0);
            let note = Note::new(UNEVALUATED, Redacted::new(message).as_str());
            self.notes.push(note.at_point(stated.place.path.clone(), stated.place.span.start));
        }
    }
}

/// The coordinates as written, in Maven's own notation; the type only where it is not the usual one.
fn coordinates(entry: &Entry) -> String {
    let Entry { group, artifact, .. } = entry;
    let kind = entry.kind.as_deref().unwrap_or("jar");
    match entry.classifier.as_deref() {
        Some(classifier) => format!("{group}:{artifact}:{kind}:{classifier}"),
        None if kind == "jar" => format!("{group}:{artifact}"),
        None => format!("{group}:{artifact}:{kind}"),
    }
}

/// Whether a text can be the name of a group or an artifact: <https://maven.apache.org/pom.html#maven-coordinates>.
pub fn is_name(text: &str) -> bool {
    /// No published name is longer.
    const LONGEST: usize = 256;
    let is_allowed = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '-' | '_');
    !text.is_empty() && text.len() <= LONGEST && text.chars().all(is_allowed)
}
