//! When two spellings of a Maven version are one release, and which constraints leave one version only:
//! <https://maven.apache.org/pom.html#version-order-specification>.

use std::cmp::Ordering;

/// Longer texts are no versions; nothing reads them.
const LONGEST: usize = 256;

/// The text that all spellings of one release have in common, after `ComparableVersion` of Maven.
pub fn release(version: &str) -> String {
    if version.len() > LONGEST {
        return version.to_owned();
    }
    let text = version.trim().to_lowercase();
    // What stands behind a `-`, or behind a change between digits and letters, is a list of its own.
    let mut lists: Vec<Vec<String>> = vec![Vec::new()];
    let mut at = 0;
    while at < text.len() {
        let (item, end) = item(&text, at);
        let separator = text.get(end..).and_then(|it| it.chars().next());
        let is_word = item.starts_with(|it: char| !it.is_ascii_digit());
        let is_followed_by_digit = is_word && separator.is_some_and(|it| it.is_ascii_digit());
        // `.x` means `-x` at the end and before a number.
        let starts_list = is_word && (is_followed_by_digit || separator.is_none());
        if starts_list && lists.last().is_some_and(|it| !it.is_empty()) {
            lists.push(Vec::new());
        }
        let item = canonical(item, is_followed_by_digit);
        lists.last_mut().into_iter().for_each(|it| it.push(item.clone()));
        at = end + usize::from(matches!(separator, Some('.' | '-')));
        if matches!(separator, Some(it) if it != '.') {
            lists.push(Vec::new());
        }
    }
    let mut lists: Vec<Vec<String>> = lists.into_iter().map(without_end).collect();
    while lists.last().is_some_and(Vec::is_empty) {
        lists.pop();
    }
    let lists: Vec<String> = lists.into_iter().map(|it| it.join(".")).collect();
    lists.join("-")
}

/// The digits or letters at a place, and where they end.
fn item(text: &str, at: usize) -> (&str, usize) {
    let rest = text.get(at..).unwrap_or_default();
    let is_digit = |it: char| it.is_ascii_digit();
    let kind = rest.starts_with(is_digit);
    let length = rest.find(|it| matches!(it, '.' | '-') || is_digit(it) != kind).unwrap_or(rest.len());
    (rest.get(..length).unwrap_or_default(), at + length)
}

/// One spelling of a number or a qualifier.
fn canonical(item: &str, is_followed_by_digit: bool) -> String {
    if item.starts_with(|it: char| it.is_ascii_digit()) {
        let digits = item.trim_start_matches('0');
        return if digits.is_empty() { "0" } else { digits }.to_owned();
    }
    let word = match item {
        "a" if is_followed_by_digit => "alpha",
        "b" if is_followed_by_digit => "beta",
        "m" if is_followed_by_digit => "milestone",
        "cr" => "rc",
        "ga" | "final" | "release" => "",
        "" => "0",
        other => other,
    };
    word.to_owned()
}

/// A list without what says nothing at its end.
fn without_end(mut list: Vec<String>) -> Vec<String> {
    while list.last().is_some_and(|it| it == "0" || it.is_empty()) {
        list.pop();
    }
    list
}

/// The version that a range of one element leaves: `[1.0]`.
pub fn pinned(constraint: &str) -> Option<&str> {
    let inside = constraint.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
    nearest(inside)
}

/// The version of Gradle that is strict: `1.0!!`.
pub fn strict(constraint: &str) -> Option<&str> {
    nearest(constraint.trim().strip_suffix("!!")?)
}

/// Whether the version of a Gradle lockfile is one that a constraint admits; none when that cannot be told. A plain version
/// is a minimum: <https://docs.gradle.org/current/userguide/dependency_versions.html>.
pub fn satisfies(constraint: &str, version: &str) -> Option<bool> {
    if let Some(only) = pinned(constraint).or_else(|| strict(constraint)) {
        return Some(only == version);
    }
    match compare(nearest(constraint)?, nearest(version)?)? {
        Ordering::Greater => Some(false),
        Ordering::Less | Ordering::Equal => Some(true),
    }
}

/// Which of two versions Gradle takes for the higher one, as far as numbers tell: words such as `rc` have an order of
/// their own.
fn compare(left: &str, right: &str) -> Option<Ordering> {
    if left == right {
        return Some(Ordering::Equal);
    }
    let (mut left, mut right) = (parts(left), parts(right));
    loop {
        return match (left.next(), right.next()) {
            (Some(left), Some(right)) if left == right => continue,
            (Some(left), Some(right)) => Some(left?.cmp(&right?)),
            // What has one number more is higher.
            (Some(left), None) => left.map(|_| Ordering::Greater),
            (None, Some(right)) => right.map(|_| Ordering::Less),
            (None, None) => None,
        };
    }
}

/// The parts of a version between its separators; none for one that is not a number.
fn parts(version: &str) -> impl Iterator<Item = Option<u64>> {
    version.split(['.', '-', '_', '+']).map(|it| it.parse().ok())
}

/// A plain version, which Maven takes when a direct dependency states it. `LATEST` and `RELEASE` ask a repository.
pub fn nearest(constraint: &str) -> Option<&str> {
    let text = constraint.trim();
    let is_plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '-' | '_' | '+' | '~');
    let is_moving =
        matches!(text, "LATEST" | "RELEASE") || text.ends_with('+') || text.starts_with("latest.");
    (!text.is_empty() && text.len() <= LONGEST && text.chars().all(is_plain) && !is_moving).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::{nearest, pinned, release, satisfies, strict};

    /// Pairs as `ComparableVersion` of maven-artifact 3.8.7 compares them.
    #[test]
    fn spellings_of_a_release_are_one() {
        for (left, right) in SAME {
            assert_eq!(release(left), release(right), "{left} {right}");
        }
        for (left, right) in DIFFERENT {
            assert_ne!(release(left), release(right), "{left} {right}");
        }
    }

    const SAME: [(&str, &str); 15] = [
        ("1.0.RC1", "1.0-rc1"),
        ("1", "1.0"),
        ("1", "1.0.0"),
        ("1", "1.0.0-ga"),
        ("1", "1.0.0.Final"),
        ("1", "1-RELEASE"),
        ("1.0-rc1", "1.0-CR1"),
        ("1.0-rc1", "1.0rc1"),
        ("1.0a1", "1.0-alpha-1"),
        ("1.0-a1", "1.0-alpha1"),
        ("1.0b2", "1.0-beta-2"),
        ("1.0m3", "1.0-milestone-3"),
        ("01.02", "1.2"),
        ("1.0.0-SNAPSHOT", "1-snapshot"),
        ("1.0.0-1", "1-1"),
    ];

    const DIFFERENT: [(&str, &str); 9] = [
        ("1.0-SNAPSHOT", "1.0"),
        ("1.0-jre", "1.0-android"),
        ("1.0-jre", "1.0"),
        ("1.0a", "1.0-alpha"),
        ("1.0-1", "1.0.1"),
        ("1.10", "1.1"),
        ("1.0-rc1", "1.0-rc2"),
        ("1.0-sp", "1.0"),
        ("1.0.0-rc.1", "1.0.0"),
    ];

    /// The order that Gradle's guide on versions states; words are left to Gradle.
    #[test]
    fn a_plain_version_of_gradle_is_a_minimum() {
        for (constraint, locked, expected) in [
            ("1.10", "1.9", Some(false)),
            ("1.9", "1.10", Some(true)),
            ("1.0.1", "1.0", Some(false)),
            ("1.0", "1.0.1", Some(true)),
            ("1.0", "1.0.0", Some(true)),
            ("32.1-jre", "31.1-jre", Some(false)),
            ("1.0", "1.0-rc1", None),
            ("1.0-rc2", "1.0-rc1", None),
            ("1.0-jre", "1.0-android", None),
            ("1.0!!", "1.1", Some(false)),
            ("[1.0]", "1.1", Some(false)),
            ("1.0!!", "1.0", Some(true)),
            ("[1.0,2.0)", "2.1", None),
            ("1.+", "2.1", None),
            ("latest.release", "1.0", None),
            ("${a}", "1.0", None),
        ] {
            assert_eq!(satisfies(constraint, locked), expected, "{constraint} {locked}");
        }
    }

    #[test]
    fn only_a_range_of_one_version_pins_it() {
        for (constraint, expected) in [
            ("[1.0]", Some("1.0")),
            ("[1.0,1.0]", None),
            ("[1.0,)", None),
            ("1.0", None),
            ("[]", None),
            ("[${a}]", None),
        ] {
            assert_eq!(pinned(constraint), expected, "{constraint}");
        }
        for (constraint, expected) in [
            ("1.0", Some("1.0")),
            ("1.0-SNAPSHOT", Some("1.0-SNAPSHOT")),
            ("${a}", None),
            ("@a@", None),
            ("1.+", None),
            ("LATEST", None),
            ("[1.0]", None),
            ("", None),
        ] {
            assert_eq!(nearest(constraint), expected, "{constraint}");
        }
        assert_eq!(strict("1.0!!"), Some("1.0"));
        assert_eq!(strict("1.0"), None);
    }
}
