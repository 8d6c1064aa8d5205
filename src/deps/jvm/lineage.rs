//! The poms of a repository and which is whose parent.

use std::collections::BTreeMap;

use crate::deps::format::Reading;
use crate::model::RepoPath;

use super::coordinates::Coordinates;
use super::pom::Pom;
use super::published::Absence;
use super::{Model, model};

/// All poms, each with the index of its parent.
pub struct Lineage<'r> {
    /// Those of the repository, and behind them the published ones.
    pub poms: Vec<&'r Pom>,
    pub parents: Vec<Ancestry>,
    /// How many are the repository's own.
    pub own: usize,
    published: Vec<&'r Coordinates>,
    by_coordinates: BTreeMap<&'r Coordinates, Result<usize, &'r Absence>>,
}

/// What is known of the parent of a pom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ancestry {
    /// It has none.
    Root,
    Of(usize),
    /// Its parent is in no file that was read.
    Outside,
    /// It is its own ancestor.
    Cycle,
}

impl<'r> Lineage<'r> {
    pub fn of(readings: &'r [Reading]) -> Self {
        let (mut own, mut published, mut by_coordinates) = (Vec::new(), Vec::new(), BTreeMap::new());
        for reading in readings {
            match model(reading) {
                Some(Model::Pom(pom)) => own.push((&reading.path, &**pom)),
                Some(Model::Published(it)) => match &it.pom {
                    Ok(pom) => published.push((&it.coordinates, &**pom)),
                    Err(absence) => drop(by_coordinates.insert(&it.coordinates, Err(absence))),
                },
                Some(Model::Script(_) | Model::Catalog(_) | Model::Properties(_)) | None => {}
            }
        }
        for (index, (coordinates, _)) in published.iter().enumerate() {
            by_coordinates.insert(coordinates, Ok(own.len() + index));
        }
        let mut lineage = Self {
            parents: parents(&own),
            own: own.len(),
            poms: own.iter().map(|it| it.1).chain(published.iter().map(|it| it.1)).collect(),
            published: published.iter().map(|it| it.0).collect(),
            by_coordinates,
        };
        lineage.parents.extend(published.iter().map(|(_, pom)| match &pom.parent {
            Some(_) => Ancestry::Outside,
            None => Ancestry::Root,
        }));
        for index in 0..lineage.parents.len() {
            let Some(Ancestry::Outside) = lineage.parents.get(index) else { continue };
            let parent = lineage.pom(index).and_then(|it| Coordinates::of(&it.parent.as_ref()?.0));
            if let Some((found, slot)) =
                parent.and_then(|it| lineage.published(&it)).zip(lineage.parents.get_mut(index))
            {
                *slot = Ancestry::Of(found);
            }
        }
        for index in lineage.in_cycles() {
            if let Some(it) = lineage.parents.get_mut(index) {
                *it = Ancestry::Cycle;
            }
        }
        lineage
    }

    /// The index of a published pom.
    pub fn published(&self, coordinates: &Coordinates) -> Option<usize> {
        self.by_coordinates.get(coordinates)?.ok()
    }

    /// Why a pom that was asked for is not there.
    pub fn absence(&self, coordinates: &Coordinates) -> Option<&'r Absence> {
        self.by_coordinates.get(coordinates)?.err()
    }

    /// The coordinates of a published pom; none for one of the repository's own.
    pub fn coordinates(&self, index: usize) -> Option<&'r Coordinates> {
        self.published.get(index.checked_sub(self.own)?).copied()
    }

    pub fn pom(&self, index: usize) -> Option<&'r Pom> {
        self.poms.get(index).copied()
    }

    pub fn parent(&self, index: usize) -> Option<usize> {
        match self.parents.get(index)? {
            Ancestry::Of(parent) => Some(*parent),
            Ancestry::Root | Ancestry::Outside | Ancestry::Cycle => None,
        }
    }

    /// A pom and its ancestors, itself first. Without cycles, so that it ends.
    pub fn ancestors(&self, index: usize) -> impl Iterator<Item = (usize, &'r Pom)> {
        let up = std::iter::successors(Some(index), |it| self.parent(*it));
        up.filter_map(|it| Some((it, self.pom(it)?)))
    }

    /// The poms that are their own ancestors.
    fn in_cycles(&self) -> Vec<usize> {
        /// The walk on which a pom was met.
        const UNSEEN: usize = usize::MAX;
        let mut seen = vec![UNSEEN; self.poms.len()];
        let mut found = Vec::new();
        for start in 0..self.poms.len() {
            let mut way = Vec::new();
            let mut at = Some(start);
            while let Some(index) = at {
                match seen.get_mut(index) {
                    Some(walk) if *walk == UNSEEN => *walk = start,
                    Some(walk) if *walk == start => {
                        found.extend(way.iter().copied().skip_while(|it| *it != index));
                        break;
                    }
                    Some(_) | None => break,
                }
                way.push(index);
                at = self.parent(index);
            }
        }
        found
    }
}

/// The parents of the repository's own poms, as far as they are among them.
fn parents(poms: &[(&RepoPath, &Pom)]) -> Vec<Ancestry> {
    let by_path: BTreeMap<&[u8], usize> =
        poms.iter().enumerate().map(|(index, it)| (it.0.as_bytes(), index)).collect();
    let mut by_name: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (index, (_, pom)) in poms.iter().enumerate() {
        if let Some(group) = group(pom) {
            by_name.entry((group, &pom.artifact)).or_default().push(index);
        }
    }
    poms.iter()
        .map(|(path, pom)| {
            let Some((entry, relative)) = &pom.parent else { return Ancestry::Root };
            let is_parent = |index: &usize| {
                let candidate = poms.get(*index).map(|it| it.1);
                candidate.is_some_and(|it| {
                    group(it) == Some(&entry.group)
                        && it.artifact == entry.artifact
                        && may_be(version(it), entry.version.as_deref())
                })
            };
            let relative = relative.as_deref().unwrap_or("../pom.xml");
            let beside = leads_to(path, relative).and_then(|it| by_path.get(it.as_slice()).copied());
            // Maven looks where the path leads, and then among the modules of the build.
            let found = beside.filter(is_parent).or_else(|| {
                let named = by_name.get(&(entry.group.as_str(), entry.artifact.as_str()));
                named.into_iter().flatten().copied().find(is_parent)
            });
            found.map_or(Ancestry::Outside, Ancestry::Of)
        })
        .collect()
}

/// The group of a pom as written, by itself or by its parent.
pub fn group(pom: &Pom) -> Option<&str> {
    pom.group.as_deref().or_else(|| Some(pom.parent.as_ref()?.0.group.as_str()))
}

/// The version of a pom as written, by itself or by its parent.
pub fn version(pom: &Pom) -> Option<&str> {
    pom.version.as_deref().or_else(|| pom.parent.as_ref()?.0.version.as_deref())
}

/// Whether two texts can be one version: variables and ranges can.
fn may_be(has: Option<&str>, asked: Option<&str>) -> bool {
    let is_open = |it: &str| it.contains("${") || it.starts_with(['[', '(']);
    has.zip(asked).is_none_or(|(has, asked)| has == asked || is_open(has) || is_open(asked))
}

/// The pom that a path relative to another one's folder leads to, inside the repository.
fn leads_to(pom: &RepoPath, relative: &str) -> Option<Vec<u8>> {
    if relative.is_empty() || relative.starts_with('/') {
        return None;
    }
    let folder = pom.parent();
    let mut parts: Vec<&[u8]> = folder.iter().flat_map(|it| it.as_bytes().split(|it| *it == b'/')).collect();
    for part in relative.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part.as_bytes()),
        }
    }
    // A path of a folder means the pom in it.
    if !relative.ends_with(".xml") {
        parts.push(b"pom.xml");
    }
    Some(parts.join(&b'/'))
}
