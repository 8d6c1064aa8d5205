//! How far a version moved.

use std::cmp::Ordering;

/// The first of a version's numbers that differs, and whether the version went down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distance {
    pub part: Part,
    pub is_down: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Major,
    Minor,
    Patch,
}

impl Distance {
    /// `major`, `minor` or `patch`, with `down` behind it when the version went down.
    pub const fn name(self) -> &'static str {
        match (self.part, self.is_down) {
            (Part::Major, false) => "major",
            (Part::Minor, false) => "minor",
            (Part::Patch, false) => "patch",
            (Part::Major, true) => "major down",
            (Part::Minor, true) => "minor down",
            (Part::Patch, true) => "patch down",
        }
    }
}

/// The distance from one version to another, by their first three numbers. None where these are equal, so that only
/// what stands behind them differs, or where a text does not begin with numbers.
pub fn distance(from: &str, to: &str) -> Option<Distance> {
    let (from, to) = (numbers(from)?, numbers(to)?);
    let parts = [Part::Major, Part::Minor, Part::Patch];
    let mut compared = from.iter().zip(&to).zip(parts).map(|((from, to), part)| (from.cmp(to), part));
    let (order, part) = compared.find(|it| it.0 != Ordering::Equal)?;
    Some(Distance { part, is_down: order == Ordering::Greater })
}

/// The first three numbers; those that are missing are 0.
fn numbers(version: &str) -> Option<[u64; 3]> {
    let mut rest = version.strip_prefix(['v', 'V']).unwrap_or(version);
    let mut numbers = [0; 3];
    for (index, number) in numbers.iter_mut().enumerate() {
        let end = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
        match rest.get(..end).and_then(|it| it.parse().ok()) {
            Some(found) => *number = found,
            None if index == 0 => return None,
            None => break,
        }
        match rest.get(end..).and_then(|it| it.strip_prefix('.')) {
            Some(behind) => rest = behind,
            None => break,
        }
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::{Distance, distance};

    #[test]
    fn the_first_number_that_differs_counts() {
        for (from, to, expected) in [
            ("1.2.3", "2.0.0", Some("major")),
            ("1.2.3", "1.3.0", Some("minor")),
            ("1.2.3", "1.2.10", Some("patch")),
            ("2.0.0", "1.9.9", Some("major down")),
            ("v1.9.0", "v1.10.0", Some("minor")),
            ("1.2", "1.2.1", Some("patch")),
            ("4.13.2.RELEASE", "4.13.3.RELEASE", Some("patch")),
            ("2023.10", "2024.1", Some("major")),
            ("1.2.3.4", "1.2.3.5", None),
            ("1.0.0-rc.1", "1.0.0", None),
            ("v0.0.0-20230101000000-0123456789ab", "v0.0.0-20240101000000-0123456789ab", None),
            ("main", "2.0", None),
            ("99999999999999999999.1", "2", None),
        ] {
            assert_eq!(distance(from, to).map(Distance::name), expected, "{from} {to}");
        }
    }
}
