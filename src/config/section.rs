//! One object of the file, read key by key, with a fault for whatever is not as expected.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use ignore::gitignore::GitignoreBuilder;
use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged as _;

use crate::model::RepoPath;

/// The most elements of a list and characters of a text.
const LONGEST_LIST: usize = 1_000;
const LONGEST_TEXT: usize = 4_096;

/// An object with the keys that were asked for so far: these are its valid ones.
pub struct Section<'a> {
    keys: BTreeMap<&'a str, &'a ObjectProp<'a>>,
    asked: Vec<&'static str>,
    /// Offset and key of each value that was there.
    pub found: Vec<(usize, &'static str)>,
    pub faults: Vec<Fault>,
    /// Offsets and names of keys that an earlier one has too.
    pub repeated: Vec<(usize, &'a str)>,
}

/// A value that is not as expected.
pub struct Fault {
    pub offset: usize,
    /// The key, then what was expected.
    pub message: String,
}

impl<'a> Section<'a> {
    pub fn new(object: &'a Object<'a>) -> Self {
        let mut keys: BTreeMap<&'a str, &'a ObjectProp<'a>> = BTreeMap::new();
        let mut repeated = Vec::new();
        for property in &object.properties {
            if keys.insert(property.name.as_str(), property).is_some() {
                repeated.push((property.range.start, property.name.as_str()));
            }
        }
        Self { keys, asked: Vec::new(), found: Vec::new(), faults: Vec::new(), repeated }
    }

    /// The keys that nobody asked for, with their offsets.
    pub fn unknown(&self) -> Vec<(usize, &'a str)> {
        let unknown = self.keys.iter().filter(|(name, _)| !self.asked.contains(name));
        unknown.map(|(name, it)| (it.range.start, *name)).collect()
    }

    pub fn valid_keys(&self) -> &[&'static str] {
        &self.asked
    }

    pub fn value(&mut self, key: &'static str) -> Option<&'a Value<'a>> {
        self.asked.push(key);
        let property = *self.keys.get(key)?;
        self.found.push((property.value.start(), key));
        Some(&property.value)
    }

    pub fn fault(&mut self, value: &Value<'_>, key: &str, expected: &str) {
        self.faults.push(Fault { offset: value.start(), message: format!("`{key}` must be {expected}") });
    }

    pub fn flag(&mut self, key: &'static str, target: &mut bool) {
        match self.value(key) {
            None => {}
            Some(Value::BooleanLit(it)) => *target = it.value,
            Some(other) => self.fault(other, key, "true or false"),
        }
    }

    pub fn count(&mut self, key: &'static str, range: RangeInclusive<u64>, target: &mut u64) {
        let Some(value) = self.value(key) else { return };
        match whole_number(value).filter(|it| range.contains(it)) {
            Some(number) => *target = number,
            None => {
                let expected = format!("a whole number from {} to {}", range.start(), range.end());
                self.fault(value, key, &expected);
            }
        }
    }

    /// A text that `parse` accepts.
    pub fn text<T>(
        &mut self,
        key: &'static str,
        expected: &str,
        target: &mut T,
        parse: impl Fn(&str) -> Option<T>,
    ) {
        let Some(value) = self.value(key) else { return };
        match short_text(value).and_then(parse) {
            Some(parsed) => *target = parsed,
            None => self.fault(value, key, expected),
        }
    }

    /// As [`Self::text`]; null is none.
    pub fn optional_text<T>(
        &mut self,
        key: &'static str,
        expected: &str,
        target: &mut Option<T>,
        parse: impl Fn(&str) -> Option<T>,
    ) {
        let Some(value) = self.value(key) else { return };
        if matches!(value, Value::NullKeyword(_)) {
            *target = None;
            return;
        }
        match short_text(value).and_then(parse) {
            Some(parsed) => *target = Some(parsed),
            None => self.fault(value, key, &format!("{expected}, or null")),
        }
    }

    /// A list of texts that `parse` accepts.
    pub fn texts<T>(
        &mut self,
        key: &'static str,
        expected: &str,
        target: &mut Vec<T>,
        parse: impl Fn(&str) -> Option<T>,
    ) {
        let Some(value) = self.value(key) else { return };
        let Value::Array(list) = value else {
            self.fault(value, key, &format!("a list, each {expected}"));
            return;
        };
        if list.elements.len() > LONGEST_LIST {
            self.fault(value, key, &format!("a list of at most {LONGEST_LIST}"));
            return;
        }
        target.clear();
        for element in &list.elements {
            match short_text(element).and_then(&parse) {
                Some(parsed) => target.push(parsed),
                None => self.fault(element, key, &format!("a list, each {expected}")),
            }
        }
    }
}

fn short_text<'v>(value: &'v Value<'_>) -> Option<&'v str> {
    let Value::StringLit(literal) = value else { return None };
    Some(literal.value.as_ref()).filter(|it| it.len() <= LONGEST_TEXT && !it.contains('\0'))
}

/// A fraction or an exponent is not a whole number, whatever its value.
pub fn whole_number(value: &Value<'_>) -> Option<u64> {
    let Value::NumberLit(literal) = value else { return None };
    literal.value.parse().ok()
}

/// A path inside the repository; a leading `./` and a trailing `/` add nothing.
pub fn path(text: &str) -> Option<RepoPath> {
    let text = text.strip_prefix("./").unwrap_or(text);
    RepoPath::new(text.strip_suffix('/').unwrap_or(text).as_bytes()).ok()
}

pub fn pattern(text: &str) -> Option<String> {
    let valid = !text.trim().is_empty() && GitignoreBuilder::new("").add_line(None, text).is_ok();
    valid.then(|| text.to_owned())
}

pub fn word(text: &str) -> Option<String> {
    (!text.trim().is_empty()).then(|| text.to_owned())
}

/// An argument, which may be empty.
pub fn argument(text: &str) -> Option<String> {
    Some(text.to_owned())
}
