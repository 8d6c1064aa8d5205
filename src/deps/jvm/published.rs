//! Poms that are not in the repository: parents and bills of materials that others publish.
//!
//! The readers ask for them by their coordinates, again and again until nothing more is asked for; who has them gives
//! their texts. Nothing that such a pom is about is listed by itself: it only settles what the repository's poms ask for.

use std::collections::BTreeSet;

use crate::deps::document::Document;
use crate::deps::ecosystem::Ecosystem;
use crate::deps::format::{Contents, FileKind, Manifest, Reading};
use crate::model::RepoPath;

use super::Model;
use super::coordinates::Coordinates;
use super::lineage::Lineage;
use super::managed::Management;
use super::pom::{self, Pom};

/// A pom that was asked for.
#[derive(Clone, Debug)]
pub struct Published {
    pub coordinates: Coordinates,
    pub pom: Result<Box<Pom>, Absence>,
}

/// Why a pom that was asked for is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absence {
    Missing,
    Unread(String),
}

/// The coordinates of the parents and imported poms that are not among the readings and were not asked for before.
pub fn unpublished(readings: &[Reading]) -> BTreeSet<Coordinates> {
    let lineage = Lineage::of(readings);
    let mut wanted = Management::new(&lineage).wanted();
    wanted.retain(|it| lineage.absence(it).is_none());
    wanted
}

/// Reads a pom that was asked for, or keeps why it is not there.
pub fn read_published(coordinates: Coordinates, path: RepoPath, bytes: Result<Vec<u8>, Absence>) -> Reading {
    let pom = bytes.and_then(|bytes| {
        let parts = Document::open(&path, &bytes).and_then(|it| pom::read(&it));
        match parts.map_err(|note| Absence::Unread(note.message))?.contents {
            Contents::Manifest(Manifest { jvm: Some(Model::Pom(pom)), .. }) => Ok(pom),
            Contents::Manifest(_) | Contents::Lockfile(_) | Contents::Unreadable => Err(Absence::Missing),
        }
    });
    let model = Model::Published(Box::new(Published { coordinates, pom }));
    Reading {
        path,
        ecosystem: Ecosystem::Maven,
        kind: FileKind::Manifest,
        declared: Vec::new(),
        resolved: Vec::new(),
        notes: Vec::new(),
        contents: Contents::Manifest(Manifest { jvm: Some(model), ..Manifest::default() }),
    }
}
