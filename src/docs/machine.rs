//! Where packages lie on this machine.

use std::path::PathBuf;

use super::site_packages::{self, Distribution};
use crate::deps::Ecosystem;
use crate::model::RepoPath;
use crate::system::Root;

/// What the environment says about where tools keep packages, besides the repository itself.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// The user's folder.
    pub home: Option<PathBuf>,
    /// The local repository of Maven, where an option says that it is not the usual one.
    pub maven_repository: Option<PathBuf>,
    /// `CARGO_HOME`, or `.cargo` in the home folder.
    pub cargo_home: Option<PathBuf>,
    /// `VIRTUAL_ENV`: an environment of Python that is switched on.
    pub virtual_env: Option<PathBuf>,
}

/// The folders that packages lie in, opened. No link below them is followed.
pub struct Places<'r> {
    pub(super) repository: &'r Root,
    /// The sources of crates, a folder for each registry.
    pub(super) registries: Vec<Root>,
    /// An environment of Python outside of the repository.
    environment: Option<Root>,
}

impl<'r> Places<'r> {
    /// What cannot be opened is not there.
    pub fn open(repository: &'r Root, machine: &Machine) -> Self {
        let sources = machine.cargo_home.as_ref().and_then(|it| Root::open(&it.join("registry/src")).ok());
        let registries = sources.iter().flat_map(|sources| {
            let entries = sources.folder(None).and_then(|it| it.entries()).unwrap_or_default();
            let paths = entries.into_iter().filter_map(|it| RepoPath::new(&it.name).ok());
            paths.filter_map(|it| Root::open(&sources.path().join(it.as_path())).ok()).collect::<Vec<_>>()
        });
        Self {
            repository,
            registries: registries.collect(),
            environment: machine.virtual_env.as_ref().and_then(|it| Root::open(it).ok()),
        }
    }

    /// What is installed for Python for a project, by name: in the nearest folder at or above it that has an environment,
    /// else in the environment that is switched on.
    pub fn distributions(
        &self,
        project: Option<&RepoPath>,
        is_wanted: impl Fn(&str) -> bool + Copy,
    ) -> Vec<(&Root, Distribution)> {
        for folder in at_or_above(project.cloned()) {
            let sites = site_packages::environments(self.repository, folder.as_ref());
            if !sites.is_empty() {
                return listed(self.repository, &sites, is_wanted);
            }
        }
        let Some(environment) = &self.environment else { return Vec::new() };
        listed(environment, &site_packages::of_environment(environment, None), is_wanted)
    }

    /// The one distribution of a name.
    pub fn distribution(&self, project: Option<&RepoPath>, name: &str) -> Option<(&Root, Distribution)> {
        let name = Ecosystem::Pypi.common_name(name);
        self.distributions(project, |it| it == name).into_iter().next()
    }
}

fn listed<'p>(
    root: &'p Root,
    sites: &[RepoPath],
    is_wanted: impl Fn(&str) -> bool + Copy,
) -> Vec<(&'p Root, Distribution)> {
    let found = sites.iter().flat_map(|site| site_packages::distributions(root, site, is_wanted));
    found.map(|it| (root, it)).collect()
}

/// A folder and those above it, nearest first; the root of the repository is last.
pub fn at_or_above(folder: Option<RepoPath>) -> impl Iterator<Item = Option<RepoPath>> {
    std::iter::successors(Some(folder), |it| it.as_ref().map(RepoPath::parent))
}
