//! What a repository calls its own and what it takes from others: whether a word of a question is a name here.

use std::collections::BTreeSet;

use crate::deps::Dependencies;
use crate::graph::SourceFile;

/// The names that a repository defines and the packages that it depends on.
#[derive(Clone, Debug, Default)]
pub struct Known {
    names: BTreeSet<String>,
    /// Those that come from elsewhere, in lower case.
    packages: BTreeSet<String>,
}

impl Known {
    pub fn of(files: &[SourceFile], dependencies: Option<&Dependencies>) -> Self {
        let definitions = files.iter().flat_map(|it| &it.outline.definitions);
        let names = definitions.filter(|it| it.kind.has_name()).map(|it| it.name.to_string());
        let packages = dependencies.into_iter().flat_map(|it| &it.dependencies);
        // A manifest names it: what others bring with them is no package that one asks about by a plain word.
        let direct = packages.filter(|it| it.is_from_elsewhere() && !it.declared.is_empty());
        Self { names: names.collect(), packages: direct.map(|it| it.name.to_lowercase()).collect() }
    }

    /// Whether a name, or the last part of a dotted one, is defined here.
    pub fn defines(&self, name: &str) -> bool {
        let last = name.rsplit(['.', ':', '#']).next().unwrap_or(name);
        self.names.contains(last)
    }

    /// Whether some project here asks for a package of that name from elsewhere.
    pub fn depends_on(&self, package: &str) -> bool {
        let package = package.to_lowercase();
        self.packages.contains(&package) || self.packages.contains(&package.replace('_', "-"))
    }

    #[cfg(test)]
    pub fn from_names(names: &[&str], packages: &[&str]) -> Self {
        let owned = |it: &[&str]| it.iter().map(|it| (*it).to_owned()).collect();
        Self { names: owned(names), packages: owned(packages) }
    }
}
