//! Versions of Cargo: <https://doc.rust-lang.org/cargo/reference/specifying-dependencies.html>.

use semver::{Version, VersionReq};

/// Whether a version is one that the constraint admits; none when that cannot be told.
pub fn satisfies(constraint: &str, version: &str) -> Option<bool> {
    Some(VersionReq::parse(constraint).ok()?.matches(&Version::parse(version).ok()?))
}

#[cfg(test)]
mod tests {
    use super::satisfies;

    /// The ranges of the Cargo book.
    #[test]
    fn constraints_admit_what_the_book_says() {
        for (constraint, admits, refuses) in [
            ("1.2.3", "1.9.0", "2.0.0"),
            ("0.2.3", "0.2.9", "0.3.0"),
            ("0.0.3", "0.0.3", "0.0.4"),
            ("0", "0.9.1", "1.0.0"),
            ("~1.2", "1.2.9", "1.3.0"),
            ("1.*", "1.0.0", "2.0.0"),
            (">= 1.2, < 1.5", "1.4.9", "1.5.0"),
            ("=1.2.3", "1.2.3", "1.2.4"),
            ("^1.0.0", "1.0.0+build", "1.1.0-rc.1"),
        ] {
            assert_eq!(satisfies(constraint, admits), Some(true), "{constraint} {admits}");
            assert_eq!(satisfies(constraint, refuses), Some(false), "{constraint} {refuses}");
        }
        assert_eq!(satisfies("no", "1.0.0"), None);
        assert_eq!(satisfies("1", "1.0"), None);
    }
}
