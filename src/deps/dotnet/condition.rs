//! Conditions of MSBuild: <https://learn.microsoft.com/visualstudio/msbuild/msbuild-conditions>. Only comparisons of
//! known texts are decided.

use super::property::{Meaning, Properties, only_name};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    True,
    False,
    Unknown,
}

impl Truth {
    pub fn all(truths: impl IntoIterator<Item = Self>) -> Self {
        truths.into_iter().fold(Self::True, |left, right| match (left, right) {
            (Self::False, _) | (_, Self::False) => Self::False,
            (Self::True, Self::True) => Self::True,
            (Self::Unknown, Self::True | Self::Unknown) | (Self::True, Self::Unknown) => Self::Unknown,
        })
    }
}

/// Decides a comparison or several with `and` between them.
pub fn truth(condition: &str, properties: &Properties) -> Truth {
    let has_other = condition.contains('(') && condition.replace("$(", "").contains('(');
    let lower = condition.to_lowercase();
    if has_other || lower.contains(" or ") || lower.len() != condition.len() {
        return Truth::Unknown;
    }
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(next) = lower.get(at..).and_then(|it| it.find(" and ")) {
        parts.extend(condition.get(at..at + next));
        at += next + " and ".len();
    }
    parts.extend(condition.get(at..));
    Truth::all(parts.into_iter().map(|it| comparison(it, properties)))
}

fn comparison(text: &str, properties: &Properties) -> Truth {
    let sides = |sign: &str| text.split_once(sign).map(|(left, right)| (unquoted(left), unquoted(right)));
    let (is_equal, sides) = match (sides("=="), sides("!=")) {
        (Some(sides), None) => (true, sides),
        (None, Some(sides)) => (false, sides),
        (Some(_), Some(_)) | (None, None) => return Truth::Unknown,
    };
    let value = |text: &str, other: &str| match only_name(text) {
        // What no file sets is empty, unless the build itself is told otherwise: then the default is not meant.
        Some(name) if other.is_empty() && !properties.is_set(name) && !is_reserved(name) => {
            Some(String::new())
        }
        Some(_) | None => match properties.meaning(text) {
            Meaning::Known(text, _) => Some(text),
            Meaning::Unknown => None,
        },
    };
    match (value(sides.0, sides.1), value(sides.1, sides.0)) {
        (Some(left), Some(right)) if left.eq_ignore_ascii_case(&right) == is_equal => Truth::True,
        (Some(_), Some(_)) => Truth::False,
        (None, _) | (_, None) => Truth::Unknown,
    }
}

fn unquoted(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('\'').and_then(|it| it.strip_suffix('\'')).unwrap_or(text)
}

/// Whether a build always has the property, whatever the files say.
fn is_reserved(name: &str) -> bool {
    const RESERVED: [&str; 8] = [
        "configuration",
        "os",
        "platform",
        "targetframework",
        "targetframeworkidentifier",
        "targetframeworkversion",
        "solutiondir",
        "visualstudioversion",
    ];
    let name = name.to_lowercase();
    name.starts_with("msbuild") || name.starts_with("netcore") || RESERVED.contains(&name.as_str())
}
