//! Which of the provider's labels is the version that the project settled on.

use crate::deps::Ecosystem;

/// The label of a version, in the provider's own spelling: the identical text, else the text without a leading `v` or a
/// well-known prefix of tags, else what the ecosystem takes for the same release. Of several the first of the provider's.
/// Never the nearest one.
pub fn label<'l>(labels: &'l [String], ecosystem: Ecosystem, name: &str, version: &str) -> Option<&'l str> {
    let version = version.trim();
    let identical = |label: &&String| label.trim() == version;
    let bare = |label: &&String| without_prefix(label.trim(), name) == Some(version);
    let same = |label: &&String| {
        let text = label.trim();
        let text = without_prefix(text, name).unwrap_or(text);
        is_version(text) && ecosystem.release(text) == ecosystem.release(version)
    };
    let found = labels.iter().find(identical).or_else(|| labels.iter().find(bare));
    found.or_else(|| labels.iter().find(same)).map(String::as_str)
}

/// The text behind what tags put before a version, when that is all that is left.
fn without_prefix<'t>(label: &'t str, name: &str) -> Option<&'t str> {
    let named = label.strip_prefix(name).and_then(|it| it.strip_prefix(['-', '@']));
    let rest = named
        .or_else(|| label.strip_prefix("release-"))
        .or_else(|| label.strip_prefix("rel/"))
        .unwrap_or(label);
    let rest = rest.strip_prefix(['v', 'V']).unwrap_or(rest);
    (rest != label && is_version(rest)).then_some(rest)
}

fn is_version(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_digit())
        && text.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '.' | '-' | '+' | '!' | '_'))
}

#[cfg(test)]
mod tests {
    use super::label;
    use crate::deps::Ecosystem::{self, Cargo, Npm, Pypi};

    #[track_caller]
    fn check(ecosystem: Ecosystem, labels: &[&str], version: &str, expected: Option<&str>) {
        let labels: Vec<String> = labels.iter().map(|it| (*it).to_owned()).collect();
        assert_eq!(label(&labels, ecosystem, "pkg", version), expected, "{labels:?} {version}");
    }

    /// Pairs that are one release, and pairs that look like it.
    #[test]
    fn a_label_is_the_version_or_it_is_not() {
        check(Npm, &["v15.1.8", "v14.3.0"], "15.1.8", Some("v15.1.8"));
        check(Npm, &["2.0.0"], "2.0.0-rc.1", None);
        check(Npm, &["2.0.0-rc.1"], "2.0.0", None);
        check(Npm, &["1.1"], "1.10", None);
        check(Npm, &["1.0"], "1.0.0", None);
        check(Npm, &["15.1"], "15.1.8", None);
        check(Npm, &["1.2.3-0"], "1.2.3", None);
        check(Npm, &["1.2.3-RC.1"], "1.2.3-rc.1", None);
        check(Npm, &["1.2.3+a"], "1.2.3", Some("1.2.3+a"));
        check(Npm, &["2024.01.02"], "2024.1.2", None);
        check(Cargo, &["1.2.3+a"], "1.2.3+b", Some("1.2.3+a"));
        check(Pypi, &["1.0"], "1.0.0", Some("1.0"));
        check(Pypi, &["v2024.01.02"], "2024.1.2", Some("v2024.01.02"));
        check(Pypi, &["1.0+abc"], "1.0", None);
        check(Npm, &["pkg@1.0.0", "other@1.0.0"], "1.0.0", Some("pkg@1.0.0"));
        check(Npm, &["release-1.0.0"], "1.0.0", Some("release-1.0.0"));
        check(Npm, &["v1.0.0", "1.0.0"], "1.0.0", Some("1.0.0"));
        check(Npm, &["latest", ""], "1.0.0", None);
    }
}
