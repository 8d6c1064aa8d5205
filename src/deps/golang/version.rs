//! Versions of Go modules: <https://go.dev/ref/mod#versions>.

use std::cmp::Ordering;

use semver::Version;

/// What marks a version from before modules, of which it is a part.
const INCOMPATIBLE: &str = "+incompatible";

/// Whether a text is a version that a build can take; any other, such as a branch, is still to be looked up.
pub fn is_canonical(version: &str) -> bool {
    parsed(version).is_some_and(|it| it.build.is_empty() || version.ends_with(INCOMPATIBLE))
}

/// The text that all spellings of one release have in common: with its `v`, and with no build metadata of its own.
pub fn release(version: &str) -> String {
    let text = version.trim();
    let with_letter = if text.starts_with('v') { text.to_owned() } else { format!("v{text}") };
    if parsed(&with_letter).is_none() {
        return text.to_owned();
    }
    match with_letter.split_once('+') {
        Some((release, build)) if build != INCOMPATIBLE.trim_start_matches('+') => release.to_owned(),
        Some(_) | None => with_letter,
    }
}

/// Which of two versions is the newer one.
pub fn compare(left: &str, right: &str) -> Ordering {
    match (parsed(left), parsed(right)) {
        (Some(left), Some(right)) => left.cmp_precedence(&right),
        (left, right) => left.is_some().cmp(&right.is_some()),
    }
}

/// Whether the major version is the one that the module's path ends in, as every version but an incompatible one must
/// have it: `/v2`, or `.v2` at gopkg.in.
pub fn fits_path(path: &str, version: &str) -> bool {
    let major = version.split(['.', '-', '+']).next().unwrap_or_default();
    match path_major(path) {
        None => matches!(major, "v0" | "v1") || version.ends_with(INCOMPATIBLE),
        // Pseudo-versions that gopkg.in had before modules.
        Some("v1") if version.starts_with("v0.0.0-") => true,
        Some(wanted) => wanted == major,
    }
}

fn path_major(path: &str) -> Option<&str> {
    let is_major = |it: &&str| {
        let digits = it.strip_prefix('v').unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit())
    };
    if path.starts_with("gopkg.in/") {
        let path = path.strip_suffix("-unstable").unwrap_or(path);
        return path.rsplit('.').next().filter(is_major);
    }
    let last = path.rsplit_once('/')?.1;
    (is_major(&last) && !matches!(last, "v0" | "v1")).then_some(last)
}

fn parsed(version: &str) -> Option<Version> {
    Version::parse(version.strip_prefix('v')?).ok()
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::{compare, fits_path, is_canonical, release};

    /// As `golang.org/x/mod/module` has it for `CanonicalVersion`, but for the letter that labels elsewhere lack.
    #[test]
    fn spellings_of_a_release_are_one() {
        for (spelling, expected) in [
            ("1.2.3", "v1.2.3"),
            (" v1.2.3 ", "v1.2.3"),
            ("v1.2.3+meta", "v1.2.3"),
            ("v2.0.0+incompatible", "v2.0.0+incompatible"),
            ("v1.2.3-0.20240102030405-abcdefabcdef", "v1.2.3-0.20240102030405-abcdefabcdef"),
            ("v1.2", "v1.2"),
            ("master", "master"),
        ] {
            assert_eq!(release(spelling), expected);
        }
        for (text, expected) in [
            ("v1.2.3", true),
            ("v2.0.0+incompatible", true),
            ("v1.2", false),
            ("1.2.3", false),
            ("v1.0.0+b", false),
        ] {
            assert_eq!(is_canonical(text), expected, "{text}");
        }
    }

    /// The order of <https://go.dev/ref/mod#versions>.
    #[test]
    fn the_newer_version_is_the_greater_one() {
        let ascending = [
            "master",
            "v0.0.0-20240102030405-abcdefabcdef",
            "v1.2.3-0.20240102030405-abcdefabcdef",
            "v1.2.3-pre",
            "v1.2.3",
            "v1.10.0",
            "v2.0.0+incompatible",
        ];
        for pair in ascending.windows(2) {
            assert_eq!(compare(pair[0], pair[1]), Ordering::Less, "{pair:?}");
        }
    }

    /// As `golang.org/x/mod/module` has it for `CheckPathMajor`.
    #[test]
    fn a_version_has_the_major_version_of_its_path() {
        for (path, version, expected) in [
            ("example.com/a", "v1.2.3", true),
            ("example.com/a", "v0.0.0-20240102030405-abcdefabcdef", true),
            ("example.com/a", "v2.0.0", false),
            ("example.com/a", "v2.0.0+incompatible", true),
            ("example.com/a/v2", "v2.0.0", true),
            ("example.com/a/v2", "v3.0.0", false),
            ("gopkg.in/yaml.v3", "v3.0.1", true),
            ("gopkg.in/yaml.v3", "v2.0.0", false),
            ("gopkg.in/yaml.v1", "v0.0.0-20140924161607-9f9df34309c0", true),
            ("gopkg.in/a.v2-unstable", "v2.1.0", true),
        ] {
            assert_eq!(fits_path(path, version), expected, "{path} {version}");
        }
    }
}
