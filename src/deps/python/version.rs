//! Names and versions of Python packages: <https://packaging.python.org/en/latest/specifications/>.

use std::str::FromStr as _;

use pep440_rs::{Version, VersionSpecifiers};

use super::poetry;

/// The name in lower case, with one `-` for each run of `-`, `_` and `.`.
pub fn common_name(name: &str) -> String {
    let mut common = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter {
            '-' | '_' | '.' if common.ends_with('-') => {}
            '-' | '_' | '.' => common.push('-'),
            other => common.push(other.to_ascii_lowercase()),
        }
    }
    common
}

/// The text that all spellings of one release have in common; what is no version stays as it is.
pub fn release(version: &str) -> String {
    let text = version.trim();
    let Ok(parsed) = Version::from_str(text) else { return text.to_owned() };
    let digits = parsed.release().iter().rposition(|it| *it != 0).map_or(1, |it| it + 1);
    let release: Vec<u64> = parsed.release().iter().take(digits).copied().collect();
    parsed.with_release(release).to_string()
}

/// Whether a version is one that the constraint admits, as the standard or Poetry writes it; none when that cannot be
/// told. Whoever locked a pre-release was allowed to, so that one counts.
pub fn satisfies(constraint: &str, version: &str) -> Option<bool> {
    let version = Version::from_str(version).ok()?;
    let standard = VersionSpecifiers::from_str(constraint).ok().map(|it| vec![it]);
    let alternatives = standard.or_else(|| poetry::alternatives(constraint))?;
    Some(alternatives.iter().any(|it| it.contains(&version)))
}

/// The version that a constraint settles by itself. `==1.0` also admits local builds such as `1.0+cpu`, which no public
/// index has. A bare version is what Poetry writes for `==`.
pub fn pinned(constraint: &str) -> Option<&str> {
    let text = constraint.trim();
    if let Some(arbitrary) = text.strip_prefix("===") {
        let arbitrary = arbitrary.trim();
        let is_word =
            !arbitrary.is_empty() && !arbitrary.contains(|it: char| it.is_whitespace() || it == ',');
        return is_word.then_some(arbitrary);
    }
    let version = text.strip_prefix("==").unwrap_or(text).trim();
    Version::from_str(version).is_ok().then_some(version)
}

#[cfg(test)]
mod tests {
    use super::{common_name, pinned, release, satisfies};

    /// The example of PEP 503, and the names that tools are known to lose.
    #[test]
    fn spellings_of_a_name_are_one() {
        for name in ["friendly-bard", "Friendly-Bard", "FRIENDLY.BARD", "friendly_bard", "FrIeNdLy-._.-bArD"]
        {
            assert_eq!(common_name(name), "friendly-bard", "{name}");
        }
        assert_eq!(common_name("ruamel.yaml"), "ruamel-yaml");
    }

    /// What Python's `packaging` answers with pre-releases allowed.
    #[test]
    fn constraints_admit_what_packaging_says() {
        for (constraint, admits, refuses) in [
            (">=1.0,<2", "1.5", "2.0"),
            ("~=1.4.2", "1.4.9", "1.5"),
            ("==1.*", "1.9", "2.0"),
            ("!=1.5", "1.6", "1.5.0"),
            (">=1.0", "1.1rc1", "0.9"),
            ("==1.0", "1.0+cpu", "1.0.post1"),
        ] {
            assert_eq!(satisfies(constraint, admits), Some(true), "{constraint} {admits}");
            assert_eq!(satisfies(constraint, refuses), Some(false), "{constraint} {refuses}");
        }
        for (constraint, admits, refuses) in [
            ("^1.2", "1.9.post1", "2.0.0rc1"),
            ("~1.2", "1.2.9", "1.3.0"),
            ("1.2", "1.2.0", "1.2.1"),
            ("<1 || ^2.1", "2.1", "1.5"),
            ("*", "2.0rc1", "no"),
        ] {
            assert_eq!(satisfies(constraint, admits), Some(true), "{constraint} {admits}");
            assert_ne!(satisfies(constraint, refuses), Some(true), "{constraint} {refuses}");
        }
        assert_eq!(satisfies("^1!1.0", "1.0"), None);
    }

    /// Pairs as Python's `packaging` compares them.
    #[test]
    fn spellings_of_a_release_are_one() {
        for (left, right) in [
            ("1.0", "1.0.0"),
            ("v1.0", "01.0"),
            ("1.0RC1", "1.0-rc.1"),
            ("1.0c1", "1.0rc1"),
            ("1.0-1", "1.0.post1"),
            ("1.0dev", "1.0.dev0"),
            ("1+ABC.1", "1+abc-1"),
            ("2024.01.02", "2024.1.2"),
            ("0.0", "0"),
        ] {
            assert_eq!(release(left), release(right), "{left} {right}");
        }
        for (left, right) in [
            ("1!1.0", "1.0"),
            ("1.0+abc", "1.0"),
            ("1.10", "1.1"),
            ("2.0.0-rc.1", "2.0.0"),
            ("1.0-jre", "1.0"),
        ] {
            assert_ne!(release(left), release(right), "{left} {right}");
        }
        assert_eq!(release("not a version"), "not a version");
    }

    #[test]
    fn only_one_version_pins_itself() {
        for (constraint, expected) in [
            ("==1.0", Some("1.0")),
            ("== 1.0.post1", Some("1.0.post1")),
            ("===any-thing", Some("any-thing")),
            ("1.2.3", Some("1.2.3")),
            ("==1.*", None),
            ("==1.0,!=2", None),
            ("~=1.0", None),
            (">=1", None),
            ("^1.0", None),
            ("*", None),
            ("", None),
            ("===", None),
        ] {
            assert_eq!(pinned(constraint), expected, "{constraint}");
        }
    }
}
