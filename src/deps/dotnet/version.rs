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
    use super::{pinned, release};

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
