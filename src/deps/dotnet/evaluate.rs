//! What the projects of a repository ask for, with the files that they take in:
//! <https://learn.microsoft.com/nuget/consume-packages/central-package-management>.

use std::collections::{BTreeMap, BTreeSet};

use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Declared, Scope, Settled, Source, Via};
use crate::deps::format::Reading;
use crate::deps::note::{NOT_INHERITED, UNEVALUATED};
use crate::model::{Location, Note, Redacted, RepoPath};

use super::item::{Action, Item, Kind};
use super::msbuild::{Element, Written};
use super::property::{Meaning, Properties};
use super::sequence::{Files, Sequence};
use super::version::common_name;

/// Adds to each project what it asks for. A shared file states versions for others, and what no project takes.
pub fn evaluate(readings: &mut [Reading]) {
    let files = Files::of(readings);
    let mut notes: BTreeSet<Note> = BTreeSet::new();
    let mut declared: BTreeMap<RepoPath, Vec<Declared>> = BTreeMap::new();
    // The entries and the files that projects take in.
    let (mut taken, mut used): (BTreeSet<Location>, BTreeSet<&RepoPath>) = (BTreeSet::new(), BTreeSet::new());
    let (shared, projects): (Vec<&RepoPath>, Vec<&RepoPath>) = files.paths().partition(|it| is_shared(it));
    for path in projects.into_iter().chain(shared) {
        let sequence = files.sequence(path);
        let versions = if is_shared(path) { Versions::All } else { Versions::Asked };
        let mut project = Project::of(&sequence, versions);
        if is_shared(path) {
            let is_own = |it: &Declared| it.place.path == *path && !taken.contains(&it.place);
            project.entries.retain(is_own);
            project.entries.extend(project.central.into_values().flatten().filter(is_own));
            // What is open in a file by itself, the projects that take it in may settle, or have noted.
            project.notes.retain(|it| it.code == UNEVALUATED && !used.contains(path));
        } else {
            taken.extend(project.entries.iter().map(|it| it.place.clone()));
            used.extend(sequence.iter().map(|it| it.0));
        }
        notes.extend(project.notes);
        declared.insert(path.clone(), project.entries);
    }
    // A note knows its own file.
    let first = readings.iter().position(|it| it.ecosystem == Ecosystem::Nuget);
    for reading in readings.iter_mut().filter(|it| it.ecosystem == Ecosystem::Nuget) {
        reading.declared.extend(declared.remove(&reading.path).unwrap_or_default());
    }
    if let Some(reading) = first.and_then(|it| readings.get_mut(it)) {
        reading.notes.extend(notes);
    }
}

/// Whether other files take a file in, so that it is no project by itself.
fn is_shared(path: &RepoPath) -> bool {
    [&b"props"[..], b"targets"].iter().any(|it| path.extension().is_some_and(|extension| extension == *it))
}

/// Which of the central versions are evaluated: all, or those that an entry asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Versions {
    All,
    Asked,
}

/// What the elements of a project amount to.
#[derive(Default)]
struct Project {
    properties: Properties,
    entries: Vec<Declared>,
    /// The versions for those who state none, by name.
    central: BTreeMap<String, Vec<Declared>>,
    notes: Vec<Note>,
}

impl Project {
    fn of(sequence: &Sequence<'_>, versions: Versions) -> Self {
        let mut project = Self::default();
        // As MSBuild does: first all properties, then all items.
        for (_, element) in sequence {
            if let Element::Property { name, value, conditions } = element {
                project.properties.set(name, value, conditions);
            }
        }
        let items = || {
            sequence.iter().filter_map(|(_, element)| match element {
                Element::Item(item) => Some(item),
                Element::Property { .. } | Element::Import(_) => None,
            })
        };
        items().filter(|it| it.kind != Kind::CentralVersion).for_each(|it| project.item(it));
        // Of hundreds of central versions a project asks for a few.
        let open = project.entries.iter().filter(|it| it.constraint.is_none());
        let open: BTreeSet<String> = open.map(|it| it.name.clone()).collect();
        let is_asked = |it: &&Item| {
            let names = &it.names.text;
            versions == Versions::All || names.contains(['$', ';']) || open.contains(&common_name(names))
        };
        items().filter(|it| it.kind == Kind::CentralVersion).filter(is_asked).for_each(|it| project.item(it));
        if project
            .properties
            .get("ManagePackageVersionsCentrally")
            .is_some_and(|it| it.eq_ignore_ascii_case("true"))
        {
            project.inherit();
        }
        project
    }

    fn item(&mut self, item: &Item) {
        let names = match self.properties.meaning(&item.names.text) {
            Meaning::Known(names, _) => names,
            Meaning::Unknown => {
                // What is done to all packages alike names none.
                if item.action == Action::Include {
                    self.unevaluated(&item.names, "the name of a package is left out");
                }
                return;
            }
        };
        for name in names.split(';').map(str::trim).filter(|it| !it.is_empty()) {
            match item.kind {
                Kind::Package | Kind::GlobalPackage | Kind::Tool => self.package(item, name),
                Kind::CentralVersion => self.central_version(item, name),
                Kind::Project if item.action == Action::Include => self.entries.push(reference(item, name)),
                Kind::Project => {}
            }
        }
    }

    fn package(&mut self, item: &Item, name: &str) {
        let key = common_name(name);
        let declared = self.declared(item, name);
        match item.action {
            Action::Include => self.entries.push(declared),
            Action::Remove => self.entries.retain(|it| it.name != key || it.source == Source::Workspace),
            Action::Update => {
                let mut found = false;
                for it in self.entries.iter_mut().filter(|it| it.name == key && it.source == Source::Registry)
                {
                    found = true;
                    if declared.constraint.is_some() {
                        // The entry is where the package is asked for; the version is another one's.
                        it.via = Some(Via::Entry(declared.place.clone()));
                        it.constraint.clone_from(&declared.constraint);
                    }
                }
                if !found && declared.constraint.is_some() {
                    let entry = Declared { scope: Scope::Catalog, ..declared };
                    self.central.entry(key).or_default().push(entry);
                }
            }
        }
    }

    fn central_version(&mut self, item: &Item, name: &str) {
        let declared = Declared { scope: Scope::Catalog, ..self.declared(item, name) };
        match item.action {
            Action::Remove => {
                self.central.remove(&declared.name);
            }
            Action::Include | Action::Update => {
                self.central.entry(declared.name.clone()).or_default().push(declared);
            }
        }
    }

    fn declared(&mut self, item: &Item, name: &str) -> Declared {
        let version = item.version_override.as_ref().or(item.version.as_ref());
        let (constraint, via) = match version {
            None => (None, None),
            Some(written) => match self.properties.meaning(&written.text) {
                Meaning::Known(text, via) => (Some(text.trim().to_owned()), via),
                Meaning::Unknown => {
                    self.unevaluated(written, &format!("the version of `{name}` is unknown"));
                    (Some(written.text.clone()), None)
                }
            },
        };
        let conditions: Vec<&str> = item.conditions.iter().map(String::as_str).collect();
        Declared {
            ecosystem: Ecosystem::Nuget,
            name: common_name(name),
            raw_name: name.to_owned(),
            constraint: constraint.filter(|it| !it.is_empty()),
            evaluated: None,
            settled: Settled::Unknown,
            place: version.map_or(&item.names.place, |it| &it.place).clone(),
            scope: match item.kind {
                Kind::Package | Kind::Project | Kind::CentralVersion => item.scope,
                Kind::GlobalPackage => Scope::Dev,
                Kind::Tool => Scope::Build,
            },
            target: (!conditions.is_empty()).then(|| conditions.join(" and ")),
            source: Source::Registry,
            origin: None,
            via: via.map(Via::Entry),
        }
    }

    fn unevaluated(&mut self, written: &Written, what: &str) {
        let message = format!("`{}` is set by no file that was read: {what}", Redacted::new(&*written.text));
        let place = &written.place;
        self.notes.push(Note::new(UNEVALUATED, message).at_point(place.path.clone(), place.span.start));
    }

    /// Gives those who state no version the central one.
    fn inherit(&mut self) {
        for it in std::mem::take(&mut self.entries) {
            if it.constraint.is_some() || it.source != Source::Registry {
                self.entries.push(it);
                continue;
            }
            let versions = in_effect(self.central.get(&it.name).map(Vec::as_slice).unwrap_or_default());
            if versions.is_empty() {
                let message = format!(
                    "`{}` has no version, and no central one was read; its constraint is unknown",
                    it.raw_name
                );
                let place = &it.place;
                self.notes
                    .push(Note::new(NOT_INHERITED, message).at_point(place.path.clone(), place.span.start));
                self.entries.push(it);
                continue;
            }
            self.entries.extend(versions.iter().map(|version| {
                let conditions: Vec<&str> =
                    it.target.as_deref().into_iter().chain(version.target.as_deref()).collect();
                Declared {
                    constraint: version.constraint.clone(),
                    via: Some(Via::Entry(version.place.clone())),
                    target: (!conditions.is_empty()).then(|| conditions.join(" and ")),
                    ..it.clone()
                }
            }));
        }
    }
}

/// Of the central versions of a package the last one that is always meant, and those under a condition behind it.
fn in_effect(versions: &[Declared]) -> &[Declared] {
    let last = versions.iter().rposition(|it| it.target.is_none()).unwrap_or(0);
    versions.get(last..).unwrap_or_default()
}

/// Another project of the repository, by the name of its file.
fn reference(item: &Item, path: &str) -> Declared {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = file.rsplit_once('.').map_or(file, |it| it.0);
    Declared {
        ecosystem: Ecosystem::Nuget,
        name: common_name(name),
        raw_name: name.to_owned(),
        constraint: None,
        evaluated: None,
        settled: Settled::Unknown,
        place: item.names.place.clone(),
        scope: item.scope,
        target: (!item.conditions.is_empty()).then(|| item.conditions.join(" and ")),
        source: Source::Workspace,
        origin: Some(Redacted::new(path)),
        via: None,
    }
}
