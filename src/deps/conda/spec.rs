//! What an entry of an environment asks for: <https://docs.conda.io/projects/conda/en/stable/user-guide/concepts/pkg-specs.html>.

use std::ops::Range;

/// The parts of a specification such as `conda-forge::numpy>=1.26,<2` or `blas 1.0 openblas`, as ranges of its text.
#[derive(Debug, PartialEq, Eq)]
pub struct Spec {
    pub channel: Option<Range<usize>>,
    pub name: Range<usize>,
    /// The version and, behind it, the build.
    pub constraint: Option<Range<usize>>,
}

/// Takes a specification apart; none when it has no name.
pub fn spec(text: &str) -> Option<Spec> {
    let (channel, start) = match text.find("::") {
        Some(at) => (Some(0..at), at + 2),
        None => (None, 0),
    };
    let rest = text.get(start..)?;
    let start = start + rest.len() - rest.trim_start().len();
    let is_of_name = |it: char| it.is_alphanumeric() || "._-".contains(it);
    let rest = text.get(start..)?;
    let length = rest.find(|it| !is_of_name(it)).unwrap_or(rest.len());
    let name = start..start + length;
    if name.is_empty() {
        return None;
    }
    let behind = text.get(name.end..)?;
    let trimmed = behind.trim();
    let at = name.end + behind.len() - behind.trim_start().len();
    Some(Spec { channel, name, constraint: (!trimmed.is_empty()).then(|| at..at + trimmed.len()) })
}

/// The version that a constraint settles by itself: `==1.0`, `1.0`, and with a build `=1.0=py_0` and `1.0 py_0`. A
/// single `=` admits every version that begins so.
pub fn pinned(constraint: &str) -> Option<&str> {
    let text = constraint.trim();
    let version = if let Some(exact) = text.strip_prefix("==") {
        exact.split(['=', ' ']).next()?
    } else if let Some(fuzzy) = text.strip_prefix('=') {
        fuzzy.split_once('=').filter(|it| !it.1.is_empty() && !it.1.contains('*'))?.0
    } else {
        text.split([' ', '=']).next()?
    };
    let is_version = |it: &str| {
        it.starts_with(|it: char| it.is_ascii_alphanumeric())
            && it.bytes().all(|it| it.is_ascii_alphanumeric() || b"._+!-".contains(&it))
    };
    Some(version.trim()).filter(|it| is_version(it))
}

/// The text that all spellings of one release have in common: parts that are missing at the end are 0.
pub fn release(version: &str) -> String {
    let mut text = version.trim().to_lowercase().replace('-', "_");
    while let Some(shorter) = text.strip_suffix(".0") {
        text.truncate(shorter.len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{pinned, spec};

    /// The examples of conda's manual, and what its `MatchSpec` makes of them.
    #[test]
    fn specifications_have_a_channel_a_name_and_a_constraint() {
        for (text, expected) in [
            ("numpy", (None, "numpy", None)),
            ("numpy=1.11", (None, "numpy", Some("=1.11"))),
            ("numpy >=1.8,<2", (None, "numpy", Some(">=1.8,<2"))),
            ("blas=1.0=openblas", (None, "blas", Some("=1.0=openblas"))),
            ("libgomp 13.2.0 hf8544c7_5", (None, "libgomp", Some("13.2.0 hf8544c7_5"))),
            ("conda-forge::pandas>=1.3", (Some("conda-forge"), "pandas", Some(">=1.3"))),
            ("_libgcc_mutex", (None, "_libgcc_mutex", None)),
            ("numpy[version='>=1']", (None, "numpy", Some("[version='>=1']"))),
        ] {
            let found = spec(text).unwrap();
            let part = |it: std::ops::Range<usize>| text.get(it).unwrap();
            assert_eq!((found.channel.map(part), part(found.name), found.constraint.map(part)), expected);
        }
        for text in ["=", "==1", "", "::"] {
            assert_eq!(spec(text), None, "{text}");
        }
    }

    #[test]
    fn only_an_exact_version_pins_itself() {
        for (text, expected) in [
            ("==1.0", Some("1.0")),
            ("==3.4.2=h3557bc0_5", Some("3.4.2")),
            ("1.0", Some("1.0")),
            ("=1.0=openblas", Some("1.0")),
            ("13.2.0 hf8544c7_5", Some("13.2.0")),
            ("=1.0", None),
            (">=1.0", None),
            ("1.0|1.1", None),
            ("1.*", None),
            ("=3.9.*=22_openblas", None),
            ("<=3.9.0=22", None),
            ("[version='1']", None),
        ] {
            assert_eq!(pinned(text), expected, "{text}");
        }
    }
}
