//! The worlds of packages, and the identity of a package in them.

use super::fact::Declared;
use super::python::version as python;

/// A package registry with its own names and versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ecosystem {
    Cargo,
    Npm,
    Pypi,
}

impl Ecosystem {
    /// The type of its package URLs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cargo => "cargo",
            Self::Npm => "npm",
            Self::Pypi => "pypi",
        }
    }

    /// The package URL of a package, or of one version of it.
    pub fn purl(self, name: &str, version: Option<&str>) -> String {
        let name: Vec<String> = name.split('/').map(percent_encoded).collect();
        let version = version.map(|it| format!("@{}", percent_encoded(it))).unwrap_or_default();
        format!("pkg:{}/{}{version}", self.name(), name.join("/"))
    }

    /// What a lockfile calls a declared package: npm installs it under its key.
    pub fn known_as(self, declared: &Declared) -> &str {
        match self {
            Self::Cargo | Self::Npm => &declared.raw_name,
            Self::Pypi => &declared.name,
        }
    }

    /// Whether each lockfile of a folder counts, and a pin beside them: a folder can have those of several tools, and
    /// of several sets of requirements.
    pub const fn has_several_lockfiles(self) -> bool {
        match self {
            Self::Cargo | Self::Npm => false,
            Self::Pypi => true,
        }
    }

    /// The name that all spellings of a package's name have in common.
    pub fn common_name(self, name: &str) -> String {
        match self {
            Self::Cargo | Self::Npm => name.to_owned(),
            Self::Pypi => python::common_name(name),
        }
    }

    /// The text that all spellings of one release have in common.
    pub fn release(self, version: &str) -> String {
        match self {
            Self::Cargo | Self::Npm => version.to_owned(),
            Self::Pypi => python::release(version),
        }
    }

    /// Whether two texts are versions of one release, by the ecosystem's own rules. What is no version is never the same.
    pub fn is_same_release(self, left: &str, right: &str) -> bool {
        match self {
            Self::Cargo | Self::Npm => {
                let plain = |it: &str| it.split('+').next().unwrap_or_default().to_owned();
                is_semantic_version(left) && is_semantic_version(right) && plain(left) == plain(right)
            }
            Self::Pypi => python::is_same_release(left, right),
        }
    }

    /// The version that a constraint settles by itself, when it admits only one.
    pub fn pinned(self, constraint: &str) -> Option<&str> {
        let version = match self {
            Self::Cargo => constraint.trim().strip_prefix('=')?.trim_start(),
            Self::Npm => {
                let text = constraint.trim();
                let text = text.strip_prefix('=').unwrap_or(text).trim_start();
                text.strip_prefix('v').unwrap_or(text)
            }
            Self::Pypi => return python::pinned(constraint),
        };
        is_semantic_version(version).then_some(version)
    }
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
    use super::Ecosystem::{self, Cargo, Npm};

    /// Spellings of the package URL specification's test suite.
    #[test]
    fn package_urls_are_those_of_the_specification() {
        assert_eq!(Npm.purl("@angular/animation", Some("12.3.1")), "pkg:npm/%40angular/animation@12.3.1");
        assert_eq!(Cargo.purl("rand", Some("0.7.2")), "pkg:cargo/rand@0.7.2");
        assert_eq!(Cargo.purl("a", Some("1.0.0+b c")), "pkg:cargo/a@1.0.0%2Bb%20c");
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
