//! What a repository calls its own and what it takes from others: whether a word of a question is a name here.

use std::collections::BTreeSet;

use crate::deps::Dependencies;
use crate::graph::SourceFile;

/// The names that a repository defines and the packages that it depends on.
#[derive(Clone, Debug, Default)]
pub struct Known {
    names: BTreeSet<String>,
    /// Those of them that are more than a value: a plain word can be meant by them.
    things: BTreeSet<String>,
    /// Those that come from elsewhere, in lower case.
    packages: BTreeSet<String>,
}

impl Known {
    pub fn of(files: &[SourceFile], dependencies: Option<&Dependencies>) -> Self {
        let definitions = files.iter().flat_map(|it| &it.outline.definitions);
        let named = || definitions.clone().filter(|it| it.kind.has_name());
        let names = named().map(|it| it.name.to_string());
        let things = named().filter(|it| !it.kind.holds_value()).map(|it| it.name.to_string());
        let packages = dependencies.into_iter().flat_map(|it| &it.dependencies);
        // A manifest names it: what others bring with them is no package that one asks about by a plain word.
        let direct = packages.filter(|it| it.is_from_elsewhere() && !it.declared.is_empty());
        let (names, things) = (names.collect(), things.collect());
        Self { names, things, packages: direct.map(|it| it.name.to_lowercase()).collect() }
    }

    /// Whether a name, or the last part of a dotted one, is defined here.
    pub fn defines(&self, name: &str) -> bool {
        let last = name.rsplit(['.', ':', '#']).next().unwrap_or(name);
        self.names.contains(last)
    }

    /// Whether a word is the name of something that is more than a value.
    pub fn defines_thing(&self, word: &str) -> bool {
        self.things.contains(word)
    }

    /// Whether some project here asks for a package of that name from elsewhere.
    pub fn depends_on(&self, package: &str) -> bool {
        let package = package.to_lowercase();
        self.packages.contains(&package) || self.packages.contains(&package.replace('_', "-"))
    }

    #[cfg(test)]
    pub fn from_names(names: &[&str], packages: &[&str]) -> Self {
        let owned = |it: &[&str]| it.iter().map(|it| (*it).to_owned()).collect();
        Self { names: owned(names), things: owned(names), packages: owned(packages) }
    }
}
