//! The constraints of Poetry: <https://python-poetry.org/docs/dependency-specification/>.

use std::str::FromStr as _;

use pep440_rs::{Version, VersionSpecifiers};

/// Whether a version is one that a constraint of Poetry admits; none when the constraint is of another language, or
/// that cannot be told.
pub fn satisfies(constraint: &str, version: &Version) -> Option<bool> {
    let mut is_admitted = false;
    for alternative in constraint.split("||") {
        is_admitted |= all(alternative, version)?;
    }
    Some(is_admitted)
}

fn all(alternative: &str, version: &Version) -> Option<bool> {
    let mut is_admitted = true;
    for part in alternative.split([',', ' ']).filter(|it| !it.is_empty()) {
        is_admitted &= one(part, version)?;
    }
    Some(is_admitted)
}

fn one(part: &str, version: &Version) -> Option<bool> {
    if part == "*" {
        return Some(true);
    }
    if let Some(least) = part.strip_prefix('^') {
        return between(least, version, |release| {
            let first = release.iter().position(|it| *it != 0);
            first.unwrap_or(release.len().saturating_sub(1))
        });
    }
    if let Some(least) = part.strip_prefix('~').filter(|it| !it.starts_with('=')) {
        return between(least, version, |release| usize::from(release.len() > 1));
    }
    let is_plain = part.starts_with(|it: char| it.is_ascii_digit());
    let written = if is_plain { format!("=={part}") } else { part.to_owned() };
    Some(VersionSpecifiers::from_str(&written).ok()?.contains(version))
}

/// From a version on, up to the next where the number at a place is raised.
fn between(least: &str, version: &Version, place: impl Fn(&[u64]) -> usize) -> Option<bool> {
    let least = Version::from_str(least).ok()?;
    let release = least.release();
    let place = place(release);
    let next = release.get(place)?.checked_add(1)?;
    let above = Version::new(release.iter().take(place).copied().chain([next]));
    // A pre-release of the next version is not below it in the sense of a range.
    let is_below = version.release().iter().cmp(above.release().iter()) == std::cmp::Ordering::Less;
    Some(*version >= least && is_below)
}

#[cfg(test)]
mod tests {
    use std::str::FromStr as _;

    use pep440_rs::Version;

    use super::satisfies;

    /// The tables of Poetry's documentation.
    #[test]
    fn constraints_admit_what_poetry_documents() {
        for (constraint, admits, refuses) in [
            ("^1.2.3", "1.9.0", "2.0.0"),
            ("^1.2", "1.2.0", "1.1.9"),
            ("^0.2.3", "0.2.9", "0.3.0"),
            ("^0.0.3", "0.0.3", "0.0.4"),
            ("^0.0", "0.0.9", "0.1.0"),
            ("^0", "0.9", "1.0"),
            ("~1.2.3", "1.2.9", "1.3.0"),
            ("~1.2", "1.2.9", "1.3.0"),
            ("~1", "1.9", "2.0"),
            ("1.2.*", "1.2.9", "1.3.0"),
            ("1.2.3", "1.2.3", "1.2.4"),
            (">=1.2,<1.5", "1.4", "1.5"),
            (">=1.2 <1.5", "1.4", "1.5"),
            ("^1.0 || ^3.0", "3.1", "2.0"),
            ("^2.0", "2.0.1", "3.0.0a1"),
        ] {
            let check = |it: &str| satisfies(constraint, &Version::from_str(it).unwrap());
            assert_eq!(check(admits), Some(true), "{constraint} {admits}");
            assert_eq!(check(refuses), Some(false), "{constraint} {refuses}");
        }
        assert_eq!(satisfies("*", &Version::from_str("1").unwrap()), Some(true));
        assert_eq!(satisfies("latest", &Version::from_str("1").unwrap()), None);
        assert_eq!(satisfies("^x", &Version::from_str("1").unwrap()), None);
    }
}
