//! Constraints as Poetry writes them: <https://python-poetry.org/docs/dependency-specification/#version-constraints>.

use std::str::FromStr as _;

use pep440_rs::{Version, VersionSpecifier, VersionSpecifiers};

/// The operators of Poetry that the standard has too, and what it calls them.
const OPERATORS: [(&str, &str); 10] = [
    ("===", "==="),
    ("~=", "~="),
    ("==", "=="),
    ("!=", "!="),
    ("<>", "!="),
    ("<=", "<="),
    (">=", ">="),
    ("<", "<"),
    (">", ">"),
    ("=", "=="),
];

/// The specifiers of the standard that a constraint stands for, of which one has to admit a version; none when it is of
/// no form whose meaning Poetry states.
pub fn alternatives(constraint: &str) -> Option<Vec<VersionSpecifiers>> {
    constraint.replace("||", "|").split('|').map(all).collect()
}

/// The condition of Python's markers that a constraint on the interpreter stands for; none when it admits any.
pub fn interpreter(constraint: &str) -> Option<String> {
    let Some(alternatives) = alternatives(constraint) else {
        return Some(format!("python_version == '{constraint}'"));
    };
    let clause = |it: &VersionSpecifier| {
        let text = it.to_string();
        let version = text.trim_start_matches(['<', '>', '=', '!', '~']);
        let operator = text.strip_suffix(version).unwrap_or_default();
        format!("python_version {operator} '{}'", version.trim())
    };
    let all = |it: &VersionSpecifiers| it.iter().map(clause).collect::<Vec<String>>().join(" and ");
    let any: Vec<String> = alternatives.iter().map(all).collect();
    (!any.iter().any(String::is_empty)).then(|| any.join(" or "))
}

/// Clauses with commas or blanks between them, which all have to hold.
fn all(clauses: &str) -> Option<VersionSpecifiers> {
    let mut specifiers = Vec::new();
    let mut operator = String::new();
    for word in clauses.split([',', ' ', '\t']).filter(|it| !it.is_empty()) {
        operator.push_str(word);
        // A blank may stand between operator and version.
        if !operator.ends_with(['^', '~', '=', '!', '<', '>']) {
            specifiers.extend(clause(&std::mem::take(&mut operator))?);
        }
    }
    let is_whole = operator.is_empty() && !clauses.trim().is_empty();
    is_whole.then(|| specifiers.into_iter().collect())
}

fn clause(text: &str) -> Option<Vec<VersionSpecifier>> {
    if text == "*" {
        return Some(Vec::new());
    }
    if let Some(version) = text.strip_prefix('^') {
        return range(version, next_breaking);
    }
    if let Some(version) = text.strip_prefix('~').filter(|it| !it.starts_with('=')) {
        return range(version, next_minor);
    }
    let (operator, version) = OPERATORS
        .iter()
        .find_map(|(written, standard)| Some((*standard, text.strip_prefix(written)?)))
        .unwrap_or(("==", text));
    let version = match version.strip_suffix(".x").or_else(|| version.strip_suffix(".X")) {
        Some(prefix) => format!("{prefix}.*"),
        None => version.to_owned(),
    };
    Some(vec![VersionSpecifier::from_str(&format!("{operator}{version}")).ok()?])
}

/// From a version on up to another one. An epoch and what comes behind a release are left to Poetry.
fn range(lowest: &str, above: fn(&[u64]) -> Option<Vec<u64>>) -> Option<Vec<VersionSpecifier>> {
    let version = Version::from_str(lowest).ok()?;
    if version.epoch() != 0 || version.is_post() || version.is_dev() || version.is_local() {
        return None;
    }
    let above = Version::new(above(version.release())?);
    Some(vec![
        VersionSpecifier::greater_than_equal_version(version),
        VersionSpecifier::less_than_version(above),
    ])
}

/// Above the first number that is not zero, else above the last one.
fn next_breaking(release: &[u64]) -> Option<Vec<u64>> {
    // Behind the third number nothing breaks.
    let counted = release.get(..3).unwrap_or(release);
    let at = counted.iter().position(|it| *it != 0).unwrap_or(counted.len().checked_sub(1)?);
    raised(counted, at)
}

/// Above the second number, or above the first where there is no other.
fn next_minor(release: &[u64]) -> Option<Vec<u64>> {
    raised(release, 1.min(release.len().checked_sub(1)?))
}

fn raised(release: &[u64], at: usize) -> Option<Vec<u64>> {
    let mut raised = release.get(..=at)?.to_vec();
    let last = raised.last_mut()?;
    *last = last.checked_add(1)?;
    Some(raised)
}

#[cfg(test)]
mod tests {
    use super::{alternatives, interpreter};

    /// The tables of Poetry's own documentation, and what `poetry-core` makes of the other forms.
    #[test]
    fn constraints_are_those_of_the_documentation() {
        for (constraint, expected) in [
            ("^1.2.3", ">=1.2.3, <2"),
            ("^1.2", ">=1.2, <2"),
            ("^1", ">=1, <2"),
            ("^0.2.3", ">=0.2.3, <0.3"),
            ("^0.0.3", ">=0.0.3, <0.0.4"),
            ("^0.0", ">=0.0, <0.1"),
            ("^0", ">=0, <1"),
            ("^22.3b0", ">=22.3b0, <23"),
            ("~1.2.3", ">=1.2.3, <1.3"),
            ("~1.2", ">=1.2, <1.3"),
            ("~1", ">=1, <2"),
            ("*", ""),
            ("1.*", "==1.*"),
            ("1.2.x", "==1.2.*"),
            ("1.2.3", "==1.2.3"),
            ("=1.2", "==1.2"),
            (">= 1.2, < 1.5", ">=1.2, <1.5"),
            (">=1.2 <1.5", ">=1.2, <1.5"),
            ("^1.2,!=1.3.*", ">=1.2, !=1.3.*, <2"),
            ("<1 || ^2.0", "<1 | >=2.0, <3"),
        ] {
            let shown: Option<Vec<String>> =
                alternatives(constraint).map(|it| it.iter().map(ToString::to_string).collect());
            let normal = |it: &str| {
                let mut clauses: Vec<String> = it.split(',').map(|it| it.trim().to_owned()).collect();
                clauses.sort();
                clauses
            };
            let shown = shown.unwrap_or_else(|| panic!("{constraint}"));
            let expected: Vec<_> = expected.split(" | ").map(normal).collect();
            assert_eq!(shown.iter().map(|it| normal(it)).collect::<Vec<_>>(), expected, "{constraint}");
        }
        for constraint in ["", "^", "^1!2.0", "^1.0.post1", "one", "1 ||", ">=1.*", "~= 1"] {
            assert!(alternatives(constraint).is_none(), "{constraint}");
        }
    }

    #[test]
    fn an_interpreter_is_a_marker() {
        for (constraint, expected) in [
            ("<3.8", Some("python_version < '3.8'")),
            ("^3.8", Some("python_version >= '3.8' and python_version < '4'")),
            (
                "~2.7 || 3.9.*",
                Some("python_version >= '2.7' and python_version < '2.8' or python_version == '3.9.*'"),
            ),
            ("*", None),
            ("odd", Some("python_version == 'odd'")),
        ] {
            assert_eq!(interpreter(constraint).as_deref(), expected, "{constraint}");
        }
    }
}
