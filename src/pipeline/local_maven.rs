//! The local repository of Maven: the poms that it has are read where the repository's own poms take something from them.
//!
//! Nothing is fetched. The folder is the user's, never one that a repository names, and no link in it is followed.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rayon::prelude::*;

use crate::deps::{self, Absence, Coordinates, Reading, Settings};
use crate::docs::Machine;
use crate::model::RepoPath;
use crate::system::{Root, Unread};

/// More poms than any project takes parents and bills of materials from.
const MOST_POMS: usize = 2_000;
/// Each round is a step up from a child to its parent or its imports; no chain of published poms is longer.
const MOST_ROUNDS: usize = 64;
/// The largest published bills of materials have about 1 MiB.
const POM_BYTES: u64 = 8 << 20;
const SETTINGS_BYTES: u64 = 1 << 20;

/// Adds the poms of the local repository that those among the readings ask for, and those that they ask for in turn.
pub fn complete(readings: &mut Vec<Reading>, machine: &Machine) {
    let mut wanted = deps::unpublished(readings);
    if wanted.is_empty() {
        return;
    }
    let Some(repository) = repository(machine) else { return };
    let mut read = 0;
    for _ in 0..MOST_ROUNDS {
        let (now, later) = split(wanted, MOST_POMS.saturating_sub(read));
        read += now.len();
        readings.par_extend(now.into_par_iter().filter_map(|it| pom(&repository, it)));
        readings.extend(later.into_iter().filter_map(too_many));
        wanted = deps::unpublished(readings);
        if wanted.is_empty() {
            return;
        }
    }
    readings.extend(wanted.into_iter().filter_map(too_many));
}

fn split(wanted: BTreeSet<Coordinates>, room: usize) -> (Vec<Coordinates>, Vec<Coordinates>) {
    let mut now: Vec<Coordinates> = wanted.into_iter().collect();
    let later = now.split_off(room.min(now.len()));
    (now, later)
}

fn pom(repository: &Root, coordinates: Coordinates) -> Option<Reading> {
    let path = coordinates.path()?;
    let bytes = repository.read(&path, POM_BYTES).map_err(|unread| {
        if unread == Unread::Missing { Absence::Missing } else { Absence::Unread(unread.to_string()) }
    });
    Some(deps::read_published(coordinates, path, bytes))
}

fn too_many(coordinates: Coordinates) -> Option<Reading> {
    let path = coordinates.path()?;
    let reason = format!("it is one of more than {MOST_POMS} poms, or more than {MOST_ROUNDS} steps away");
    Some(deps::read_published(coordinates, path, Err(Absence::Unread(reason))))
}

/// The folder that Maven would use for this user; none where there is no such folder, or only Maven can tell.
fn repository(machine: &Machine) -> Option<Root> {
    let folder = match &machine.maven_repository {
        Some(named) => named.clone(),
        None => {
            let home = machine.home.as_ref()?;
            let settings: Option<RepoPath> = "settings.xml".parse().ok();
            let bytes = Root::open(&home.join(".m2")).ok()?.read(&settings?, SETTINGS_BYTES);
            match bytes.map(|it| deps::maven_settings(&it, &home.to_string_lossy())) {
                Ok(Settings::Folder(folder)) => PathBuf::from(folder),
                Ok(Settings::Usual) | Err(Unread::Missing) => home.join(".m2/repository"),
                Ok(Settings::Unclear) | Err(_) => return None,
            }
        }
    };
    // One that is relative is looked for in the folder that Maven runs in, which a repository could hold.
    folder.is_absolute().then(|| Root::open(&folder).ok()).flatten()
}
