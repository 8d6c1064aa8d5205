//! What `dependencyManagement` and `pluginManagement` say, of a pom, its parents and the poms that they import.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::coordinates::Coordinates;
use super::expand::{Place, expand};
use super::lineage::{Ancestry, Lineage, group, version};
use super::pom::{Entry, Role};
use super::published::Absence;

/// What a managed entry is found by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    pub role: Role,
    pub group: String,
    pub artifact: String,
    pub kind: String,
    pub classifier: String,
    pub profile: Option<String>,
}

/// What a managed entry says, and in whose place it is to be expanded: that of an imported pom in its own.
#[derive(Clone, Copy)]
pub struct Found<'r> {
    pub entry: &'r Entry,
    pub pom: usize,
    /// The pom that has the entry.
    pub owner: usize,
}

/// A parent or an import that was not read.
#[derive(Clone, Copy)]
pub struct Missing<'r> {
    pub entry: &'r Entry,
    /// The entry of the repository's own pom that leads to it.
    pub stated: &'r Entry,
    /// None when nobody was asked for it.
    pub absence: Option<&'r Absence>,
}

/// The answer of a search.
pub enum Answer<'r> {
    Found(Found<'r>),
    /// Nothing that was read has it, and there is nothing else.
    Nowhere,
    /// It may be in these parents and imports.
    Outside(Vec<Missing<'r>>),
}

pub struct Management<'l, 'r> {
    lineage: &'l Lineage<'r>,
    /// The managed entries of each pom.
    own: Vec<BTreeMap<Key, &'r Entry>>,
    by_name: BTreeMap<(String, String), Vec<usize>>,
    /// What each pom imports, with its parents, once asked for.
    imports: RefCell<BTreeMap<usize, Rc<Imports<'r>>>>,
}

struct Imports<'r> {
    /// Each with the entry that leads to it.
    inside: Vec<(usize, &'r Entry)>,
    outside: Vec<Missing<'r>>,
    /// The coordinates of those outside.
    wanted: Vec<Coordinates>,
}

impl<'l, 'r> Management<'l, 'r> {
    pub fn new(lineage: &'l Lineage<'r>) -> Self {
        let mut own = Vec::new();
        let mut by_name: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
        for (index, pom) in lineage.poms.iter().enumerate() {
            let mut entries = BTreeMap::new();
            for entry in
                pom.entries.iter().filter(|it| matches!(it.role, Role::Managed | Role::ManagedPlugin))
            {
                // Where the name has variables they are expanded in the place of the pom that has the entry.
                let place = Place { pom: index, profile: entry.profile.as_deref() };
                if let Some(key) = key(lineage, entry, place, entry.role) {
                    entries.insert(key, entry);
                }
            }
            own.push(entries);
            if lineage.coordinates(index).is_some() {
                continue;
            }
            let place = Place { pom: index, profile: None };
            let group = group(pom).and_then(|it| expand(lineage, it, place).ok());
            if let Some(group) = group {
                by_name.entry((group, pom.artifact.clone())).or_default().push(index);
            }
        }
        Self { lineage, own, by_name, imports: RefCell::default() }
    }

    /// The pom of the repository that has these coordinates.
    pub fn pom_of(&self, group: &str, artifact: &str, asked: &str) -> Option<usize> {
        let found = self.by_name.get(&(group.to_owned(), artifact.to_owned()))?;
        found.iter().copied().find(|index| {
            let version = self.lineage.pom(*index).and_then(version);
            version.is_some_and(|it| {
                expand(self.lineage, it, Place { pom: *index, profile: None }).is_ok_and(|it| it == asked)
            })
        })
    }

    /// Explicit entries of the pom and its parents win over those of imported poms.
    pub fn find(&self, pom: usize, key: &Key) -> Answer<'r> {
        let (mut seen, mut outside) = (BTreeSet::new(), Vec::new());
        match self.search(pom, key, &mut seen, &mut outside) {
            Some(found) => Answer::Found(found),
            None if outside.is_empty() => Answer::Nowhere,
            None => Answer::Outside(outside),
        }
    }

    /// The coordinates of all parents and imports that were not read, of the repository's own poms and of what those
    /// import.
    pub fn wanted(&self) -> BTreeSet<Coordinates> {
        let mut open: Vec<usize> = (0..self.lineage.own).collect();
        let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
        while let Some(pom) = open.pop() {
            if seen.insert(pom) {
                let imports = self.imports(pom);
                found.extend(imports.wanted.iter().cloned());
                open.extend(imports.inside.iter().map(|it| it.0));
            }
        }
        found
    }

    fn search(
        &self,
        start: usize,
        key: &Key,
        seen: &mut BTreeSet<usize>,
        outside: &mut Vec<Missing<'r>>,
    ) -> Option<Found<'r>> {
        // Imported poms in their order, each followed by what it imports itself.
        let mut open = vec![(start, None)];
        let general = Key { profile: None, ..key.clone() };
        while let Some((pom, stated)) = open.pop() {
            if !seen.insert(pom) {
                continue;
            }
            for (ancestor, _) in self.lineage.ancestors(pom) {
                let own = self.own.get(ancestor)?;
                if let Some(entry) = own.get(key).or_else(|| own.get(&general)) {
                    return Some(Found { entry, pom, owner: ancestor });
                }
            }
            let imports = self.imports(pom);
            outside.extend(
                imports.outside.iter().map(|it| Missing { stated: stated.unwrap_or(it.stated), ..*it }),
            );
            // The first entry that leads to a published pom is the one of the repository.
            open.extend(imports.inside.iter().rev().map(|(it, entry)| {
                let is_published = self.lineage.coordinates(*it).is_some();
                (*it, stated.or(is_published.then_some(*entry)))
            }));
        }
        None
    }

    fn imports(&self, pom: usize) -> Rc<Imports<'r>> {
        if let Some(known) = self.imports.borrow().get(&pom) {
            return Rc::clone(known);
        }
        let mut found = Imports { inside: Vec::new(), outside: Vec::new(), wanted: Vec::new() };
        // The parent by which the own poms are left: what only that one leads to is noted there.
        let mut left = None;
        for (index, ancestor) in self.lineage.ancestors(pom) {
            let parent = ancestor.parent.as_ref().map(|it| &it.0);
            if self.lineage.coordinates(index).is_none() {
                left = None;
            }
            if let Some(parent) = parent
                && self.lineage.parents.get(index) == Some(&Ancestry::Outside)
            {
                found.miss(self.lineage, parent, left.unwrap_or(parent), Coordinates::of(parent));
            }
            for entry in ancestor.entries.iter().filter(|it| it.role == Role::Import && it.profile.is_none())
            {
                let stated = left.unwrap_or(entry);
                let place = Place { pom, profile: None };
                let part = |it: &str| expand(self.lineage, it, place).ok();
                let version = entry.version.as_deref().and_then(part);
                let name = part(&entry.group).zip(part(&entry.artifact)).zip(version);
                let inside = name
                    .as_ref()
                    .and_then(|((group, artifact), version)| self.pom_of(group, artifact, version));
                let coordinates = name
                    .and_then(|((group, artifact), version)| Coordinates::new(&group, &artifact, &version));
                let inside = inside.or_else(|| self.lineage.published(coordinates.as_ref()?));
                match inside {
                    Some(inside) => found.inside.push((inside, stated)),
                    None => found.miss(self.lineage, entry, stated, coordinates),
                }
            }
            left = left.or(parent);
        }
        let found = Rc::new(found);
        self.imports.borrow_mut().insert(pom, Rc::clone(&found));
        found
    }
}

impl<'r> Imports<'r> {
    fn miss(
        &mut self,
        lineage: &Lineage<'r>,
        entry: &'r Entry,
        stated: &'r Entry,
        coordinates: Option<Coordinates>,
    ) {
        let absence = coordinates.as_ref().and_then(|it| lineage.absence(it));
        self.outside.push(Missing { entry, stated, absence });
        self.wanted.extend(coordinates);
    }
}

/// What an entry is found by; none when its name has no value.
pub fn key(lineage: &Lineage<'_>, entry: &Entry, place: Place<'_>, role: Role) -> Option<Key> {
    let part = |it: &str| expand(lineage, it, place).ok();
    let optional = |it: &Option<String>| it.as_deref().map_or_else(|| Some(String::new()), part);
    Some(Key {
        role,
        group: part(&entry.group)?,
        artifact: part(&entry.artifact)?,
        kind: optional(&entry.kind).map(|it| if it == "jar" { String::new() } else { it })?,
        classifier: optional(&entry.classifier)?,
        profile: entry.profile.clone(),
    })
}
