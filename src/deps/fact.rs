//! The two kinds of statement about a dependency: what is asked for and what was settled on.

use std::borrow::Cow;

use crate::model::{Location, Redacted, without_credentials};

use super::ecosystem::Ecosystem;

/// A manifest's statement: this project wants that package.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Declared {
    pub ecosystem: Ecosystem,
    /// The package's name in its ecosystem.
    pub name: String,
    /// The key as written, which is another name when the dependency is renamed.
    pub raw_name: String,
    /// The text as written; none when the manifest states no version.
    pub constraint: Option<String>,
    /// What the constraint comes to, where it is written with variables that the repository's own files settle.
    pub evaluated: Option<String>,
    /// The version that it got.
    pub settled: Settled,
    /// The text of the constraint, or the key of the entry when there is none.
    pub place: Location,
    pub scope: Scope,
    /// The condition under which it is wanted, as written. That of an extra or of a group is in the language that
    /// Python's lockfiles have for it: `'name' in dependency_groups`.
    pub target: Option<String>,
    pub source: Source,
    /// Where the package comes from when that is not the default registry: an address, a path, a registry's name.
    pub origin: Option<Redacted>,
    pub via: Option<Via>,
}

/// What an entry takes its constraint from, where it does not state it itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Via {
    /// The place of another entry of the repository.
    Entry(Location),
    /// A file that is not the repository's, such as a pom in the local repository of Maven, by its name. Another machine
    /// need not have it.
    Published(String),
}

/// A lockfile's statement: this version was settled on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Resolved {
    pub ecosystem: Ecosystem,
    pub name: String,
    /// The text as written.
    pub version: String,
    /// The text of the version.
    pub place: Location,
    pub source: Source,
    /// The address it was resolved to.
    pub origin: Option<Redacted>,
    pub checksum: Option<String>,
    /// None when the lockfile says nothing about it.
    pub scope: Option<Scope>,
    /// The folder that the lockfile installs it into, where one name can have several.
    pub folder: Option<String>,
    pub dependencies: Vec<Pin>,
    pub relation: Relation,
    pub settled_by: SettledBy,
}

/// Which version an entry of a manifest got.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Settled {
    /// No lockfile says which of the versions it is.
    #[default]
    Unknown,
    /// Something else than what the entry says can decide, so that the lockfile need not fit it.
    Overruled,
    /// The lockfile says what the manifest asks for, and this is not among it.
    Missing,
    Version(String),
}

/// A version of a package.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pin {
    pub name: String,
    pub version: String,
}

/// What a dependency is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    Normal,
    Dev,
    Build,
    Optional,
    Peer,
    /// Not asked for by the project: the version of what others bring with them.
    Indirect,
    /// No dependency by itself: an entry that members of a workspace inherit.
    Catalog,
    /// No dependency by itself: it replaces the version or the source of one.
    Override,
}

/// The kind of place that a package comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    Registry,
    Git,
    Path,
    Url,
    /// The same repository.
    Workspace,
}

/// How the project comes to a dependency.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    Direct,
    /// A shortest chain of `name@version` from a direct dependency to this one, both included; empty when it is known
    /// only that there is one.
    Transitive {
        path: Vec<String>,
    },
    /// Nothing that was read leads to it: the lockfile is out of date, or does not say.
    Unlinked,
}

/// What settled a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SettledBy {
    Lockfile,
    /// The manifest, which lists what the build takes: what it asks for is what it has.
    BuildList,
    /// The constraint itself, which admits one version only. No lockfile confirms it.
    Constraint,
    /// A plain version of a direct dependency in Maven. It is a mere wish, but Maven takes the wish that is nearest to
    /// the project, and none is nearer than the project's own; only a range further away can overrule it.
    Nearest,
}

impl Declared {
    /// What is asked for, with variables settled as far as they can be.
    pub fn asked(&self) -> Option<&str> {
        self.evaluated.as_deref().or(self.constraint.as_deref())
    }

    /// The file outside of the repository that has a part in the constraint.
    pub fn published_in(&self) -> Option<&str> {
        match self.via.as_ref()? {
            Via::Published(name) => Some(name),
            Via::Entry(_) => None,
        }
    }

    /// Takes credentials out of every text. A name is a name, whatever it resembles, unless it holds an address.
    pub fn redact(&mut self) {
        redact_names([&mut self.name, &mut self.raw_name]);
        redact([&mut self.constraint, &mut self.evaluated, &mut self.target].into_iter().flatten());
        if let Settled::Version(version) = &mut self.settled {
            redact([version]);
        }
    }

    /// The name under which the project's code knows the package, when that is not the package's own.
    pub fn alias(&self) -> Option<&str> {
        self.ecosystem.is_alias(&self.raw_name, &self.name).then_some(&self.raw_name)
    }
}

impl Settled {
    /// The version, where it is known.
    pub fn version(&self) -> Option<&str> {
        match self {
            Self::Version(it) => Some(it),
            Self::Unknown | Self::Overruled | Self::Missing => None,
        }
    }

    /// Whether it can be this version.
    pub fn admits(&self, version: &str) -> bool {
        match self {
            Self::Version(it) => it == version,
            Self::Unknown | Self::Overruled => true,
            Self::Missing => false,
        }
    }
}

impl Scope {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Dev => "dev",
            Self::Build => "build",
            Self::Optional => "optional",
            Self::Peer => "peer",
            Self::Indirect => "indirect",
            Self::Catalog => "catalog",
            Self::Override => "override",
        }
    }

    /// Whether an entry of this scope makes its package a dependency of the project.
    pub const fn is_wanted(self) -> bool {
        match self {
            Self::Normal | Self::Dev | Self::Build | Self::Optional | Self::Peer => true,
            Self::Indirect | Self::Catalog | Self::Override => false,
        }
    }

    /// Whether an entry of this scope says that its package is in the project, whoever asks for it.
    pub const fn is_present(self) -> bool {
        self.is_wanted() || matches!(self, Self::Indirect)
    }
}

impl Source {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Registry => "registry",
            Self::Git => "git",
            Self::Path => "path",
            Self::Url => "url",
            Self::Workspace => "workspace",
        }
    }
}

impl Resolved {
    /// A package of a registry as a lockfile names it, of which nothing else is said yet.
    pub const fn locked(ecosystem: Ecosystem, name: String, version: String, place: Location) -> Self {
        Self {
            ecosystem,
            name,
            version,
            place,
            source: Source::Registry,
            origin: None,
            checksum: None,
            scope: None,
            folder: None,
            dependencies: Vec::new(),
            relation: Relation::Unlinked,
            settled_by: SettledBy::Lockfile,
        }
    }

    /// Takes credentials out of every text.
    pub fn redact(&mut self) {
        redact_names([&mut self.name].into_iter().chain(&mut self.folder).chain(&mut self.checksum));
        redact([&mut self.version]);
        for it in &mut self.dependencies {
            redact_names([&mut it.name]);
            redact([&mut it.version]);
        }
    }

    pub fn pin(&self) -> Pin {
        Pin { name: self.name.clone(), version: self.version.clone() }
    }
}

impl std::fmt::Display for Pin {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}@{}", self.name, self.version)
    }
}

fn redact<'t>(texts: impl IntoIterator<Item = &'t mut String>) {
    for it in texts {
        *it = Redacted::new(std::mem::take(it)).into();
    }
}

fn redact_names<'t>(texts: impl IntoIterator<Item = &'t mut String>) {
    for it in texts {
        if let Cow::Owned(masked) = without_credentials(it) {
            *it = masked;
        }
    }
}
