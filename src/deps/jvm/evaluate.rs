//! What the poms of a repository say together: parents, properties, managed versions.

use std::collections::{BTreeMap, BTreeSet};

use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Declared, Scope, Settled, Source, Via};
use crate::deps::format::Reading;
use crate::deps::note::{ENTRY_MALFORMED, MODEL_MISSING, NOT_INHERITED, PARENT_CYCLE, UNEVALUATED};
use crate::model::{Location, Note, Redacted};

use super::expand::{Place, Unsettled, expand, settled_by};
use super::lineage::{Ancestry, Lineage};
use super::managed::{Answer, Found, Key, Management, Missing, key};
use super::pom::{Entry, Role};
use super::published::Absence;
use super::{Model, model};

/// Fills what each pom declares, now that its parents can be known.
pub fn evaluate(readings: &mut [Reading]) {
    let found: Vec<(usize, Outcome)> = {
        let is_own = |it: &Reading| matches!(model(it), Some(Model::Pom(_)));
        let indices = readings.iter().enumerate().filter(|it| is_own(it.1)).map(|it| it.0);
        let lineage = Lineage::of(readings);
        let management = Management::new(&lineage);
        let of = |(number, index)| (index, Evaluation::of(&lineage, &management, number));
        indices.enumerate().map(of).collect()
    };
    for (index, outcome) in found {
        let Some(reading) = readings.get_mut(index) else { continue };
        reading.declared.extend(outcome.declared);
        reading.notes.extend(outcome.notes);
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
    /// The parents and imports of which something is missing, by where they are stated and what they are.
    outside: BTreeMap<(&'r Location, &'r Location), Missing<'r>>,
    /// The expressions that are noted.
    unsettled: BTreeSet<String>,
}

/// Where the version of an entry is taken from.
struct Origin<'r> {
    entry: &'r Entry,
    pom: usize,
    /// The pom that has the entry.
    owner: usize,
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
        let missing = it.outside.into_values().map(missing);
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
            let is_own = match ancestry {
                Some(Ancestry::Of(parent)) => self.lineage.coordinates(parent).is_none(),
                Some(Ancestry::Root | Ancestry::Outside | Ancestry::Cycle) | None => false,
            };
            self.entry(
                parent,
                parent,
                self.number,
                if is_own { Source::Workspace } else { Source::Registry },
            );
            self.published_cycle(parent);
        }
        let mut own = BTreeSet::new();
        for entry in &pom.entries {
            self.entry(entry, entry, self.number, Source::Registry);
            if entry.role == Role::Dependency {
                own.extend(self.key(entry, Role::Dependency));
            }
        }
        let Some((parent, _)) = &pom.parent else { return };
        for (owner, ancestor) in self.lineage.ancestors(self.number).skip(1) {
            for entry in
                ancestor.entries.iter().filter(|it| it.role == Role::Dependency && it.profile.is_none())
            {
                // The nearest one to the pom wins.
                if self.key(entry, Role::Dependency).is_some_and(|it| own.insert(it)) {
                    self.entry(entry, parent, owner, Source::Registry);
                }
            }
        }
    }

    /// That a published parent is its own ancestor.
    fn published_cycle(&mut self, parent: &Entry) {
        let Some((last, _)) = self.lineage.ancestors(self.number).last() else { return };
        if let Some(coordinates) = self.lineage.coordinates(last)
            && self.lineage.parents.get(last) == Some(&Ancestry::Cycle)
        {
            let message = format!(
                "the parents of `{coordinates}` in the local Maven repository form a cycle, which Maven refuses; what \
                 they state is left out"
            );
            let note = Note::new(PARENT_CYCLE, message);
            self.notes.push(note.at_point(parent.place.path.clone(), parent.place.span.start));
        }
    }

    fn key(&self, entry: &Entry, role: Role) -> Option<Key> {
        key(self.lineage, entry, self.place(entry), role)
    }

    fn place<'e>(&self, entry: &'e Entry) -> Place<'e> {
        Place { pom: self.number, profile: entry.profile.as_deref() }
    }

    /// Declares an entry at the place where this pom has it: its own, or that of the parent it is inherited from.
    fn entry(&mut self, entry: &'r Entry, stated: &'r Entry, owner: usize, default: Source) {
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
        let managed = self.managed(entry, stated, owner);
        let origin = match (&entry.version, &managed) {
            (None, Some(found)) => Origin { entry: found.entry, pom: found.pom, owner: found.owner },
            (Some(_) | None, _) => Origin { entry, pom: self.number, owner },
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
        let scope = entry.scope.as_deref().or_else(|| managed.as_ref()?.entry.scope.as_deref());
        let via = self.via(&origin, stated, place);
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
            via,
        });
    }

    /// Where a version comes from that the entry does not state itself. What a published pom has a part in can differ from
    /// machine to machine, so that one is named.
    fn via(&self, origin: &Origin<'_>, stated: &Entry, place: Place<'_>) -> Option<Via> {
        let settled = || settled_by(self.lineage, origin.entry.version.as_deref()?, place);
        let published =
            self.lineage.coordinates(origin.owner).or_else(|| self.lineage.coordinates(settled()?));
        let is_inherited = !std::ptr::eq(origin.entry, stated);
        match published {
            Some(it) => Some(Via::Published(it.to_string())),
            None => is_inherited.then(|| Via::Entry(origin.entry.place.clone())),
        }
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
    fn managed(&mut self, entry: &'r Entry, stated: &'r Entry, owner: usize) -> Option<Found<'r>> {
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
            Answer::Found(found) => return Some(found),
            // Maven has versions of its own for plugins.
            _ if entry.version.is_some() || role == Role::ManagedPlugin => {}
            Answer::Outside(missing) => {
                self.outside.extend(missing.into_iter().map(|it| ((&it.stated.place, &it.entry.place), it)));
            }
            Answer::Nowhere => {
                let message = format!(
                    "`{}:{}` states no version, and neither does any parent or imported pom; it is unknown",
                    key.group, key.artifact
                );
                // What a published pom lacks is noted where that one is taken in.
                let at = if self.lineage.coordinates(owner).is_none() { entry } else { stated };
                let note = Note::new(NOT_INHERITED, message);
                self.notes.push(note.at_point(at.place.path.clone(), at.place.span.start));
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

fn missing(it: Missing<'_>) -> Note {
    let Missing { entry, stated, absence } = it;
    let what = if entry.role == Role::Parent { "parent" } else { "imported pom" };
    let by = if std::ptr::eq(entry, stated) {
        String::new()
    } else {
        format!(", which `{}:{}` in the local Maven repository leads to,", stated.group, stated.artifact)
    };
    let here = match absence {
        None => "is not in this repository".to_owned(),
        Some(Absence::Missing) => {
            "is neither in this repository nor in the local Maven repository".to_owned()
        }
        Some(Absence::Unread(reason)) => {
            format!(
                "is not in this repository, and that of the local Maven repository was not read ({reason})"
            )
        }
    };
    let (group, artifact) = (&entry.group, &entry.artifact);
    let message = format!("the {what} `{group}:{artifact}`{by} {here}; what only it states is unknown");
    Note::new(MODEL_MISSING, message).at_point(stated.place.path.clone(), stated.place.span.start)
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
