//! The worlds of packages, and the identity of a package in them.

use super::cargo::version as cargo;
use super::conda;
use super::dotnet::is_locked_by as is_locked_by_dotnet;
use super::dotnet::version as dotnet;
use super::fact::{Declared, SettledBy};
use super::golang::version as golang;
use super::jvm::version as jvm;
use super::node::version as node;
use super::python::is_locked_by as is_locked_by_python;
use super::python::version as python;
use crate::model::RepoPath;

/// A package registry with its own names and versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ecosystem {
    Cargo,
    Conda,
    Golang,
    /// <https://jsr.io>, which the package URL specification does not know yet.
    Jsr,
    Npm,
    Nuget,
    Pypi,
    /// Maven: the version that is asked for nearest to the project wins.
    Maven,
    /// Gradle: it takes packages of Maven, but the highest version that is asked for wins.
    Gradle,
    /// sbt and Ivy: packages of Maven too, of which the latest wins.
    Ivy,
}

impl Ecosystem {
    /// The type of its package URLs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cargo => "cargo",
            Self::Conda => "conda",
            Self::Golang => "golang",
            Self::Jsr => "jsr",
            Self::Npm => "npm",
            Self::Nuget => "nuget",
            Self::Pypi => "pypi",
            Self::Maven | Self::Gradle | Self::Ivy => "maven",
        }
    }

    /// The package URL of a package, or of one version of it.
    pub fn purl(self, name: &str, version: Option<&str>) -> String {
        // The specification folds the case of Go's, though Go itself does not.
        let name = if self == Self::Golang { name.to_lowercase() } else { name.to_owned() };
        // A package of Maven is `group:artifact`.
        let separator = if self.is_of_maven() { ':' } else { '/' };
        let name: Vec<String> = name.split(separator).map(percent_encoded).collect();
        let version = version.map(|it| format!("@{}", percent_encoded(it))).unwrap_or_default();
        format!("pkg:{}/{}{version}", self.name(), name.join("/"))
    }

    /// Whether its packages are those of Maven's repositories.
    pub const fn is_of_maven(self) -> bool {
        match self {
            Self::Maven | Self::Gradle | Self::Ivy => true,
            Self::Cargo | Self::Conda | Self::Golang | Self::Jsr | Self::Npm | Self::Nuget | Self::Pypi => {
                false
            }
        }
    }

    /// What a lockfile calls a declared package: npm installs it under its key.
    pub fn known_as(self, declared: &Declared) -> &str {
        match self {
            Self::Cargo | Self::Jsr | Self::Npm => &declared.raw_name,
            Self::Conda
            | Self::Golang
            | Self::Nuget
            | Self::Pypi
            | Self::Maven
            | Self::Gradle
            | Self::Ivy => &declared.name,
        }
    }

    /// Whether each lockfile of a folder counts, and a pin beside them: a folder can have those of several tools, and
    /// of several sets of requirements.
    pub const fn has_several_lockfiles(self) -> bool {
        match self {
            Self::Cargo | Self::Golang | Self::Jsr | Self::Npm | Self::Maven => false,
            // Each installed package of Conda has a file of its own.
            Self::Conda | Self::Nuget | Self::Pypi | Self::Gradle | Self::Ivy => true,
        }
    }

    /// Whether the key of an entry is another name than that of its package. A key of a Gradle catalog is one; any
    /// other entry of Maven's world is written with its coordinates, which hold a `:`.
    pub fn is_alias(self, key: &str, name: &str) -> bool {
        if self.is_of_maven() { !key.contains(':') } else { self.common_name(key) != name }
    }

    /// The name that all spellings of a package's name have in common.
    pub fn common_name(self, name: &str) -> String {
        match self {
            Self::Cargo | Self::Golang | Self::Jsr | Self::Npm | Self::Maven | Self::Gradle | Self::Ivy => {
                name.to_owned()
            }
            Self::Conda => name.to_lowercase(),
            Self::Nuget => dotnet::common_name(name),
            Self::Pypi => python::common_name(name),
        }
    }

    /// The text that all spellings of one release have in common.
    pub fn release(self, version: &str) -> String {
        match self {
            Self::Cargo => without_build(version).to_owned(),
            Self::Conda => conda::release(version),
            Self::Golang => golang::release(version),
            // Gradle takes 1.0 and 1.0.0 for two versions.
            Self::Gradle => version.to_owned(),
            Self::Jsr | Self::Npm => without_build(version.strip_prefix('v').unwrap_or(version)).to_owned(),
            Self::Nuget => dotnet::release(version),
            Self::Pypi => python::release(version),
            Self::Maven | Self::Ivy => jvm::release(version),
        }
    }

    /// Whether a constraint admits a version; none when that cannot be told.
    pub fn satisfies(self, constraint: &str, version: &str) -> Option<bool> {
        match self {
            Self::Cargo => cargo::satisfies(constraint, version),
            Self::Jsr | Self::Npm => node::satisfies(constraint, version),
            Self::Pypi => python::satisfies(constraint, version),
            Self::Nuget => dotnet::satisfies(constraint, version),
            Self::Gradle => jvm::satisfies(constraint, version),
            Self::Conda | Self::Golang | Self::Maven | Self::Ivy => None,
        }
    }

    /// Whether a lockfile settles what a manifest of its folder asks for: a folder can have the files of several tools.
    pub fn is_locked_by(self, manifest: &RepoPath, lockfile: &RepoPath) -> bool {
        match self {
            Self::Nuget => is_locked_by_dotnet(manifest, lockfile),
            Self::Pypi => is_locked_by_python(manifest, lockfile),
            Self::Cargo
            | Self::Conda
            | Self::Golang
            | Self::Jsr
            | Self::Npm
            | Self::Maven
            | Self::Gradle
            | Self::Ivy => true,
        }
    }

    /// Whether its lockfiles list all that manifests ask for. Gradle and sbt lock the configurations that a build says.
    pub const fn locks_all(self) -> bool {
        match self {
            Self::Cargo | Self::Golang | Self::Jsr | Self::Npm | Self::Nuget | Self::Pypi => true,
            Self::Conda | Self::Maven | Self::Gradle | Self::Ivy => false,
        }
    }

    /// The version that a constraint settles by itself, when it admits only one.
    pub fn pinned(self, constraint: &str) -> Option<&str> {
        let version = match self {
            Self::Cargo => constraint.trim().strip_prefix('=')?.trim_start(),
            Self::Jsr | Self::Npm => {
                let text = constraint.trim();
                let text = text.strip_prefix('=').unwrap_or(text).trim_start();
                text.strip_prefix('v').unwrap_or(text)
            }
            Self::Conda => return conda::pinned(constraint),
            // A version is a minimum.
            Self::Golang => return None,
            Self::Nuget => return dotnet::pinned(constraint),
            Self::Pypi => return python::pinned(constraint),
            Self::Maven => return jvm::pinned(constraint).or_else(|| jvm::nearest(constraint)),
            Self::Gradle => return jvm::pinned(constraint).or_else(|| jvm::strict(constraint)),
            Self::Ivy => return jvm::pinned(constraint),
        };
        is_semantic_version(version).then_some(version)
    }

    /// By what a constraint that pins a version does so.
    pub fn settled_by(self, constraint: &str) -> SettledBy {
        if self == Self::Maven && jvm::nearest(constraint).is_some() {
            SettledBy::Nearest
        } else {
            SettledBy::Constraint
        }
    }
}

/// A version without its build metadata, by which two releases of a registry cannot differ.
fn without_build(version: &str) -> &str {
    if is_semantic_version(version) { version.split('+').next().unwrap_or(version) } else { version }
}

/// Whether a text is a whole version of Semantic Versioning 2.0.0.
fn is_semantic_version(text: &str) -> bool {
    /// Longer texts are no versions; nothing reads them.
    const LONGEST: usize = 256;
    let (rest, build) = text.split_once('+').map_or((text, None), |(rest, build)| (rest, Some(build)));
    let (core, pre) = rest.split_once('-').map_or((rest, None), |(core, pre)| (core, Some(pre)));
    let numeric = |it: &str| {
        !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()) && (it == "0" || !it.starts_with('0'))
    };
    let word = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-');
    let digits = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    text.len() <= LONGEST
        && core.split('.').count() == 3
        && core.split('.').all(numeric)
        && pre.is_none_or(|it| it.split('.').all(|it| word(it) && (!digits(it) || numeric(it))))
        && build.is_none_or(|it| it.split('.').all(word))
}

/// The encoding of the package URL specification: all but letters, digits, `.`, `-`, `_`, `~` and `:`.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b".-_~:".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push('%');
            encoded.extend(
                [byte >> 4, byte & 15]
                    .map(|it| char::from_digit(u32::from(it), 16).unwrap_or_default().to_ascii_uppercase()),
            );
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::Ecosystem::{self, Cargo, Conda, Npm, Pypi};

    /// Spellings of the package URL specification's test suite.
    #[test]
    fn package_urls_are_those_of_the_specification() {
        assert_eq!(Npm.purl("@angular/animation", Some("12.3.1")), "pkg:npm/%40angular/animation@12.3.1");
        assert_eq!(Cargo.purl("rand", Some("0.7.2")), "pkg:cargo/rand@0.7.2");
        assert_eq!(Cargo.purl("a", Some("1.0.0+b c")), "pkg:cargo/a@1.0.0%2Bb%20c");
    }

    /// Pairs that their own libraries (node-semver, semver, packaging, conda's `VersionOrder`) tell apart or not.
    #[test]
    fn spellings_of_a_release_are_one_in_its_ecosystem_only() {
        for (ecosystem, left, right, same) in [
            (Npm, "v15.1.8", "15.1.8", true),
            (Npm, "1.2.3+a", "1.2.3+b", true),
            (Npm, "1.2.3-RC.1", "1.2.3-rc.1", false),
            (Npm, "2.0.0-rc.1", "2.0.0", false),
            (Npm, "1.0.0", "1.0", false),
            (Cargo, "1.0.0+a", "1.0.0", true),
            (Cargo, "v1.0.0", "1.0.0", false),
            (Cargo, "1.2.3-0", "1.2.3", false),
            (Pypi, "1.0.0", "1.0", true),
            (Pypi, "2024.01.02", "2024.1.2", true),
            (Pypi, "1.10", "1.1", false),
            (Conda, "1.0", "1.0.0", true),
            (Conda, "1.0.RC1", "1.0.rc1", true),
            (Conda, "1.10", "1.1", false),
            (Conda, "1!1.0", "1.0", false),
        ] {
            assert_eq!(ecosystem.release(left) == ecosystem.release(right), same, "{left} {right}");
        }
    }

    #[track_caller]
    fn check(ecosystem: Ecosystem, constraint: &str, expected: Option<&str>) {
        assert_eq!(ecosystem.pinned(constraint), expected, "{constraint}");
    }

    #[test]
    fn only_a_whole_version_pins_itself() {
        check(Cargo, "=1.2.3", Some("1.2.3"));
        check(Cargo, "= 1.2.3-rc.1", Some("1.2.3-rc.1"));
        check(Cargo, "1.2.3", None);
        check(Cargo, "=1.2", None);
        check(Cargo, "=1.2.3, <2", None);
        check(Npm, "1.2.3", Some("1.2.3"));
        check(Npm, "v1.2.3+b", Some("1.2.3+b"));
        check(Npm, "=1.2.3", Some("1.2.3"));
        for open in [
            "^1.2.3",
            "1.2",
            "01.2.3",
            "1.2.3.4",
            "1.2.3-01",
            "1.2.x",
            "latest",
            "1.2.3 || 2.0.0",
            "",
            "1.2.3-",
        ] {
            check(Npm, open, None);
        }
    }
}
