//! By which names code imports a package, and how that is known.

use super::family::Family;
use crate::deps::{Dependency, Ecosystem};

/// The names, and what says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedAs {
    /// A package, a module or a crate, as code writes it; sorted.
    pub names: Vec<String>,
    pub known_by: KnownBy,
}

/// Surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KnownBy {
    /// Code imports it by the key that the manifest has for it.
    Manifest,
    /// The installed package lists its modules.
    Installed,
    /// The package is not installed; its published files have these modules.
    Published,
    /// The package is not installed; its name is taken for that of its module, which is the custom and no rule.
    Convention,
}

impl KnownBy {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Manifest => "manifest",
            Self::Installed => "installed",
            Self::Published => "published",
            Self::Convention => "convention",
        }
    }
}

/// Well-known packages of Python whose modules have other names: read from the wheels on the Python Package Index.
const PUBLISHED: &[(&str, &[&str])] = &[
    ("attrs", &["attr", "attrs"]),
    ("beautifulsoup4", &["bs4"]),
    ("djangorestframework", &["rest_framework"]),
    ("gitpython", &["git"]),
    ("grpcio", &["grpc"]),
    ("pillow", &["PIL"]),
    ("protobuf", &["google.protobuf"]),
    ("pyjwt", &["jwt"]),
    ("python-dateutil", &["dateutil"]),
    ("python-dotenv", &["dotenv"]),
    ("pyyaml", &["_yaml", "yaml"]),
    ("pyzmq", &["zmq"]),
    ("scikit-learn", &["sklearn"]),
    ("websocket-client", &["websocket"]),
];

/// The names of a package, given those that the installed one states; none where nothing says which language imports it.
pub fn imported_as(dependency: &Dependency, installed: &[String]) -> Option<ImportedAs> {
    match Family::of_ecosystem(dependency.ecosystem)? {
        Family::Script => {
            let keys =
                dependency.declared.iter().filter(|it| it.scope.is_wanted()).map(|it| it.raw_name.clone());
            Some(of(keys.chain(unnamed(dependency)), KnownBy::Manifest))
        }
        Family::Rust => Some(of_rust(dependency, installed)),
        Family::Python => Some(of_python(dependency, installed)),
    }
}

/// A key that renames the package is its name; else the library has one of its own.
fn of_rust(dependency: &Dependency, installed: &[String]) -> ImportedAs {
    let wanted = || dependency.declared.iter().filter(|it| it.scope.is_wanted());
    let renamed: Vec<String> = wanted().filter_map(|it| it.alias()).map(crate_name).collect();
    if !renamed.is_empty() && wanted().all(|it| it.alias().is_some()) {
        return of(renamed, KnownBy::Manifest);
    }
    let (own, known_by) = match installed {
        [] => (vec![crate_name(&dependency.name)], KnownBy::Convention),
        stated => (stated.to_vec(), KnownBy::Installed),
    };
    of(own.into_iter().chain(renamed), known_by)
}

/// The package's own name, when no manifest has a key for it.
fn unnamed(dependency: &Dependency) -> Option<String> {
    let has_key = dependency.declared.iter().any(|it| it.scope.is_wanted());
    (!has_key).then(|| dependency.name.clone())
}

fn of_python(dependency: &Dependency, installed: &[String]) -> ImportedAs {
    let name = Ecosystem::Pypi.common_name(&dependency.name);
    if !installed.is_empty() {
        return of(installed.iter().cloned(), KnownBy::Installed);
    }
    match PUBLISHED.iter().find(|it| it.0 == name) {
        Some((_, modules)) => of(modules.iter().map(|it| (*it).to_owned()), KnownBy::Published),
        None => of([name.replace('-', "_")], KnownBy::Convention),
    }
}

/// As Cargo makes the name of a library from that of its package.
fn crate_name(key: &str) -> String {
    key.replace('-', "_")
}

fn of(names: impl IntoIterator<Item = String>, known_by: KnownBy) -> ImportedAs {
    let mut names: Vec<String> = names.into_iter().collect();
    names.sort();
    names.dedup();
    ImportedAs { names, known_by }
}
