//! Names and versions of NuGet packages: <https://learn.microsoft.com/nuget/concepts/package-versioning>.

/// Names differ in nothing but case.
pub fn common_name(name: &str) -> String {
    name.to_lowercase()
}

/// The text that all spellings of one release have in common; what is no version stays as it is.
pub fn release(version: &str) -> String {
    let text = version.trim();
    let without_build = text.split('+').next().unwrap_or(text);
    let (numbers, label) = match without_build.split_once('-') {
        Some((numbers, label)) => (numbers, Some(label)),
        None => (without_build, None),
    };
    let parsed: Option<Vec<u64>> = numbers.split('.').map(number).collect();
    let Some(mut numbers) = parsed.filter(|it| it.len() <= 4 && label != Some("")) else {
        return text.to_owned();
    };
    numbers.resize(4, 0);
    if numbers.last() == Some(&0) {
        numbers.pop();
    }
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    let label = label.map(|it| format!("-{}", it.to_lowercase())).unwrap_or_default();
    format!("{}{label}", numbers.join("."))
}

fn number(text: &str) -> Option<u64> {
    text.bytes().all(|it| it.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// Whether a range admits a version; none when that cannot be told. A bare version is a minimum; `1.2.*` floats over what
/// begins so.
pub fn satisfies(constraint: &str, version: &str) -> Option<bool> {
    let version = parse(version)?;
    let text = constraint.trim();
    if let Some(begin) = text.strip_suffix('*') {
        let numbers: Option<Vec<u64>> = begin.split('.').filter(|it| !it.is_empty()).map(number).collect();
        return Some(version.numbers.starts_with(&numbers?));
    }
    let Some(inside) = text.strip_prefix(['[', '(']).and_then(|it| it.strip_suffix([']', ')'])) else {
        return Some(version >= parse(text)?);
    };
    let Some((low, high)) = inside.split_once(',') else {
        let is_exact = text.starts_with('[') && text.ends_with(']');
        return is_exact.then_some(version == parse(inside)?);
    };
    let bound = |text: &str| if text.trim().is_empty() { Some(None) } else { parse(text).map(Some) };
    let is_above = match bound(low)? {
        None => true,
        Some(low) => {
            if text.starts_with('[') {
                version >= low
            } else {
                version > low
            }
        }
    };
    let is_below = match bound(high)? {
        None => true,
        Some(high) => {
            if text.ends_with(']') {
                version <= high
            } else {
                version < high
            }
        }
    };
    Some(is_above && is_below)
}

/// A version by its order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Ordered {
    numbers: [u64; 4],
    /// A release comes behind its pre-releases.
    is_release: bool,
    label: Vec<Identifier>,
}

/// A part of a pre-release's label: numbers come before words.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Identifier {
    Number(u64),
    Word(String),
}

fn parse(version: &str) -> Option<Ordered> {
    let text = version.trim();
    let text = text.split('+').next().unwrap_or(text);
    let (numbers, label) =
        text.split_once('-').map_or((text, None), |(numbers, label)| (numbers, Some(label)));
    let mut parts = numbers.split('.').map(number);
    let mut found = [0; 4];
    for (index, slot) in found.iter_mut().enumerate() {
        match parts.next() {
            Some(part) => *slot = part?,
            None if index == 0 => return None,
            None => break,
        }
    }
    let identifier =
        |it: &str| number(it).map_or_else(|| Identifier::Word(it.to_lowercase()), Identifier::Number);
    let is_whole = parts.next().is_none() && label != Some("");
    let label: Vec<Identifier> = label.into_iter().flat_map(|it| it.split('.')).map(identifier).collect();
    is_whole.then_some(Ordered { numbers: found, is_release: label.is_empty(), label })
}

/// The version that a range admits alone: `[1.0]` or `[1.0, 1.0]`. A bare version is a minimum.
pub fn pinned(constraint: &str) -> Option<&str> {
    let inside = constraint.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (low, high) = inside.split_once(',').unwrap_or((inside, inside));
    let (low, high) = (low.trim(), high.trim());
    let is_version = low.starts_with(|it: char| it.is_ascii_digit()) && !low.contains(['*', '$', '(']);
    (is_version && release(low) == release(high)).then_some(low)
}

#[cfg(test)]
mod tests {
    use super::{pinned, release, satisfies};

    /// The table of the documentation on version ranges, and its order of pre-releases.
    #[test]
    fn ranges_admit_what_the_documentation_says() {
        for (constraint, admits, refuses) in [
            ("1.0", "1.0", "0.9"),
            ("1.0", "9.0", "1.0-rc"),
            ("[1.0,)", "1.0", "0.9.9"),
            ("(1.0,)", "1.0.0.1", "1.0"),
            ("[1.0]", "1.0.0", "1.0.1"),
            ("(,1.0]", "1.0", "1.0.1"),
            ("(,1.0)", "0.9", "1.0"),
            ("[1.0,2.0]", "2.0", "2.0.1"),
            ("(1.0, 2.0)", "1.5", "2.0"),
            ("[1.0,2.0)", "2.0-beta", "2.0"),
            ("1.2.*", "1.2.9", "1.3.0"),
            ("[1.0.1-rc.10,)", "1.0.1-rc.10", "1.0.1-rc.2"),
            ("[1.0.1-RC,1.0.1)", "1.0.1-rc", "1.0.1-beta"),
        ] {
            assert_eq!(satisfies(constraint, admits), Some(true), "{constraint} {admits}");
            assert_eq!(satisfies(constraint, refuses), Some(false), "{constraint} {refuses}");
        }
        for constraint in ["(1.0)", "$(Version)", "1.0.0-*", "latest", ""] {
            assert_eq!(satisfies(constraint, "1.0"), None, "{constraint}");
        }
    }

    /// The examples of the documentation on normalized version numbers, and what NuGet compares without case.
    #[test]
    fn spellings_of_a_release_are_one() {
        for (left, right) in [
            ("1.00", "1.0"),
            ("1.01.1", "1.1.1"),
            ("1.00.0.1", "1.0.0.1"),
            ("1.0.0.0", "1.0.0"),
            ("1.0.01.0", "1.0.1"),
            ("1.0.7+r3456", "1.0.7"),
            ("1", "1.0.0"),
            ("1.0.0-RC.1", "1.0.0-rc.1"),
            ("2024.01.02", "2024.1.2"),
        ] {
            assert_eq!(release(left), release(right), "{left} {right}");
        }
        for (left, right) in [
            ("1.0.0.1", "1.0.0"),
            ("1.10", "1.1"),
            ("2.0.0-rc.1", "2.0.0"),
            ("1.0.0-01", "1.0.0-1"),
            ("v1", "1"),
        ] {
            assert_ne!(release(left), release(right), "{left} {right}");
        }
        for text in ["1.2.3.4.5", "1..2", "1.0-", "[1.0]", "1.*"] {
            assert_eq!(release(text), text);
        }
    }

    #[test]
    fn only_a_range_of_one_version_pins_itself() {
        for (constraint, expected) in [
            ("[1.0]", Some("1.0")),
            (" [1.2.3-rc.1] ", Some("1.2.3-rc.1")),
            ("[1.0, 1.0.0]", Some("1.0")),
            ("1.0", None),
            ("[1.0,)", None),
            ("[1.0,]", None),
            ("[1.0, 2.0]", None),
            ("(1.0)", None),
            ("[1.*]", None),
            ("[$(V)]", None),
            ("[]", None),
            ("*", None),
        ] {
            assert_eq!(pinned(constraint), expected, "{constraint}");
        }
    }
}
