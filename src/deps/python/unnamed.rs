//! What a requirements file takes from an address without a name: the file that was compiled from it has the name.

use std::collections::BTreeMap;

use crate::deps::ecosystem::Ecosystem;
use crate::deps::format::{Contents, Reading};
use crate::deps::note::UNEVALUATED;
use crate::model::{Note, Redacted, RepoPath};

/// Names the addresses that a compiled file of the same folder has with a name; the note about the others stands.
pub fn name(readings: &mut [Reading]) {
    let mut names: BTreeMap<(Option<RepoPath>, String), (String, String)> = BTreeMap::new();
    let is_lockfile = |it: &&Reading| matches!(it.contents, Contents::Lockfile(_));
    for reading in readings.iter().filter(|it| it.ecosystem == Ecosystem::Pypi).filter(is_lockfile) {
        let resolved = reading.resolved.iter().map(|it| (&it.origin, &it.name, &it.name));
        let declared = reading.declared.iter().map(|it| (&it.origin, &it.name, &it.raw_name));
        for (origin, name, raw_name) in resolved.chain(declared) {
            let Some(origin) = origin else { continue };
            names.insert((reading.path.parent(), place(origin)), (name.clone(), raw_name.clone()));
        }
    }
    for reading in readings {
        let folder = reading.path.parent();
        let Some(manifest) = reading.manifest_mut() else { continue };
        for mut it in std::mem::take(&mut manifest.unnamed) {
            let key = it.origin.as_ref().map(|it| (folder.clone(), place(it)));
            let Some((name, raw_name)) = key.and_then(|it| names.get(&it)) else { continue };
            let start = it.place.span.start;
            let is_about = |it: &Note| {
                it.code == UNEVALUATED && (it.line, it.column) == (Some(start.line), Some(start.column))
            };
            reading.notes.retain(|it| !is_about(it));
            (it.name, it.raw_name) = (name.clone(), raw_name.clone());
            reading.declared.push(it);
        }
    }
}

/// What two addresses of one thing have in common, whatever revision they name: a tool writes the one that it found.
fn place(address: &Redacted) -> String {
    let address = address.as_str();
    let address = address.split('#').next().unwrap_or(address);
    let host = address.find("://").map_or(0, |it| it + 3);
    let path = address.get(host..).and_then(|it| it.find('/')).map_or(address.len(), |it| host + it);
    let revision = address.get(path..).and_then(|it| it.rfind('@')).map_or(address.len(), |it| path + it);
    let place = address.get(..revision).unwrap_or(address);
    place.trim_end_matches('/').trim_end_matches(".git").to_owned()
}
