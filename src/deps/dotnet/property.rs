//! Properties of MSBuild, and what texts with `$(NAME)` in them mean.

use std::collections::BTreeMap;

use crate::model::Location;

use super::condition::{Truth, truth};
use super::msbuild::Written;

/// Longer than any value of use, so that values that double each other end.
const LONGEST: usize = 1 << 16;

/// The values of properties by their names in lower case.
#[derive(Default)]
pub struct Properties(BTreeMap<String, Value>);

struct Value {
    /// None when it cannot be known.
    text: Option<String>,
    place: Location,
}

/// What a text means.
pub enum Meaning {
    /// The text, and the place of the property that it is, if it is nothing else.
    Known(String, Option<Location>),
    /// It depends on what the files do not say.
    Unknown,
}

impl Properties {
    /// Takes a property as it comes: the last one counts.
    pub fn set(&mut self, name: &str, value: &Written, conditions: &[String]) {
        let text = match self.meaning(&value.text) {
            Meaning::Known(text, _) => Some(text),
            Meaning::Unknown => None,
        };
        let text = match Truth::all(conditions.iter().map(|it| truth(it, self))) {
            Truth::False => return,
            Truth::True => text,
            // One or the other, unless both are the same.
            Truth::Unknown => text.filter(|it| self.get(name) == Some(it)),
        };
        self.0.insert(name.to_owned(), Value { text, place: value.place.clone() });
    }

    pub fn is_set(&self, name: &str) -> bool {
        self.0.contains_key(&name.to_lowercase())
    }

    /// The value of a property, if it is known.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(&name.to_lowercase())?.text.as_deref()
    }

    /// Puts values in the place of their names.
    pub fn meaning(&self, text: &str) -> Meaning {
        if let Some(name) = only_name(text) {
            let place = self.0.get(&name.to_lowercase()).map(|it| it.place.clone());
            return self.get(name).map_or(Meaning::Unknown, |it| Meaning::Known(it.to_owned(), place));
        }
        let mut meaning = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("$(") {
            meaning.push_str(before);
            let value = after.split_once(')').filter(|it| is_name(it.0));
            let Some((value, after)) = value.and_then(|(name, after)| Some((self.get(name)?, after))) else {
                return Meaning::Unknown;
            };
            if meaning.len() + value.len() > LONGEST {
                return Meaning::Unknown;
            }
            meaning.push_str(value);
            rest = after;
        }
        meaning.push_str(rest);
        // Lists of other items, and metadata.
        if meaning.contains("@(") || meaning.contains("%(") {
            return Meaning::Unknown;
        }
        Meaning::Known(meaning, None)
    }
}

/// The name in a text that is `$(NAME)` and nothing else.
pub fn only_name(text: &str) -> Option<&str> {
    text.strip_prefix("$(")?.strip_suffix(')').filter(|it| is_name(it))
}

/// Whether it is the name of a property, and not a call.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_' || it == b'-')
}
