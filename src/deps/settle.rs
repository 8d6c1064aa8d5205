//! Which version each entry of a manifest got.

use crate::model::RepoPath;

use super::fact::{Declared, Resolved, Settled, Source};
use super::format::{Contents, Lockfile, Manifest, Reading};
use super::graph::asked_for;
use super::project::member;

/// Tells the entries of a manifest which of a lockfile's packages are theirs; `at` is the folder of the project.
pub fn settle(manifest: &mut Reading, lockfile: &Reading, at: Option<&RepoPath>) {
    let Contents::Lockfile(locked) = &lockfile.contents else { return };
    let Contents::Manifest(described) = &manifest.contents else { return };
    let wants = wants(locked, described, manifest, at);
    let settled: Vec<Settled> = manifest
        .declared
        .iter()
        .map(|it| match wants {
            _ if !it.scope.is_wanted() => Settled::Unknown,
            Some(wants) => of_member(wants, it, &lockfile.resolved),
            None => asked_for(locked, it).map_or(Settled::Unknown, |it| version(&lockfile.resolved, it)),
        })
        .collect();
    for (entry, settled) in manifest.declared.iter_mut().zip(settled) {
        if entry.settled == Settled::Unknown {
            entry.settled = settled;
        }
    }
}

type Wants = std::collections::BTreeMap<String, Vec<usize>>;

fn wants<'l>(
    lockfile: &'l Lockfile,
    described: &Manifest,
    manifest: &Reading,
    at: Option<&RepoPath>,
) -> Option<&'l Wants> {
    let by_folder = member(manifest, at).and_then(|it| lockfile.wants.get(it));
    by_folder.or_else(|| lockfile.wants.get(described.package.as_ref()?))
}

fn of_member(wants: &Wants, declared: &Declared, resolved: &[Resolved]) -> Settled {
    let Some(found) = wants.get(declared.ecosystem.known_as(declared)).or_else(|| wants.get(&declared.name))
    else {
        let is_listed = declared.source == Source::Registry;
        return if is_listed { Settled::Missing } else { Settled::Unknown };
    };
    match found.as_slice() {
        [] => Settled::Unknown,
        [one] => version(resolved, *one),
        // Renamed entries of one package: the one that each admits.
        several => {
            let admits = |it: &&usize| {
                let version = resolved.get(**it).map(|it| it.version.as_str());
                let asked = declared.asked().zip(version);
                asked.and_then(|(asked, version)| declared.ecosystem.satisfies(asked, version)) == Some(true)
            };
            let mut fitting = several.iter().filter(admits);
            match (fitting.next(), fitting.next()) {
                (Some(one), None) => version(resolved, *one),
                _ => Settled::Unknown,
            }
        }
    }
}

fn version(resolved: &[Resolved], index: usize) -> Settled {
    resolved.get(index).map_or(Settled::Unknown, |it| Settled::Version(it.version.clone()))
}
