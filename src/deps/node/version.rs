//! Versions of npm: <https://docs.npmjs.com/cli/v11/configuring-npm/package-json#dependencies>.

use nodejs_semver::{Range, Version};

/// Longer texts are no ranges that a person wrote.
const LONGEST: usize = 256;

/// Whether a version is one that the constraint admits; none when that cannot be told, as of a tag or an address.
pub fn satisfies(constraint: &str, version: &str) -> Option<bool> {
    let text = constraint.trim();
    // A tag such as `latest` or `next-12` is no range, and neither is an alias.
    let is_range =
        text.is_empty() || text.starts_with(|it: char| it.is_ascii_digit() || "^~<>=*vxX ".contains(it));
    if !is_range || text.len() > LONGEST || version.len() > LONGEST {
        return None;
    }
    let range = Range::parse(if text.is_empty() { "*" } else { text }).ok()?;
    Some(range.satisfies(&Version::parse(version).ok()?))
}

#[cfg(test)]
mod tests {
    use super::satisfies;

    /// What the `semver` package of npm itself answers.
    #[test]
    fn ranges_admit_what_npm_says() {
        for (constraint, admits, refuses) in [
            ("^1.2.3", "1.9.0", "2.0.0"),
            ("^0.2.3", "0.2.9", "0.3.0"),
            ("^0.0.3", "0.0.3", "0.0.4"),
            ("~1.2.3", "1.2.9", "1.3.0"),
            ("1.x", "1.0.0", "2.0.0"),
            (">=1.2.7 <1.3.0 || ^3", "3.1.0", "1.3.0"),
            ("1.2.3 - 2.3", "2.3.9", "2.4.0"),
            ("1.2.3", "1.2.3", "1.2.4"),
            ("*", "9.9.9", "1.0.0-rc.1"),
            ("", "0.0.1", "0.0.1-a"),
            ("^1.0.0-rc.1", "1.0.0-rc.2", "1.1.0-rc.1"),
        ] {
            assert_eq!(satisfies(constraint, admits), Some(true), "{constraint} {admits}");
            assert_eq!(satisfies(constraint, refuses), Some(false), "{constraint} {refuses}");
        }
        for constraint in ["latest", "github:a/b", "workspace:*", "npm:a@1", "^1.2.x.y"] {
            assert_eq!(satisfies(constraint, "1.0.0"), None, "{constraint}");
        }
    }
}
