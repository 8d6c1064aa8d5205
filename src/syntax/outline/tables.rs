//! Numbers for the names, values and types of one outline: what is equal has one number.

use std::collections::BTreeMap;

use super::reference::Name;
use super::value::{Value, ValueNumber};
use super::written::{Written, WrittenNumber};

#[derive(Default)]
pub(super) struct Tables<'t> {
    pub(super) names: Names<'t>,
    values: Numbered<Value>,
    written: Numbered<Written>,
}

/// The names by number.
#[derive(Default)]
pub(super) struct Names<'t> {
    numbers: BTreeMap<&'t str, u32>,
    list: Vec<&'t str>,
}

struct Numbered<T> {
    numbers: BTreeMap<T, u32>,
    list: Vec<T>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self { numbers: BTreeMap::new(), list: Vec::new() }
    }
}

impl<T: Ord + Clone> Numbered<T> {
    fn number(&mut self, it: T) -> u32 {
        if let Some(number) = self.numbers.get(&it) {
            return *number;
        }
        let next = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.list.push(it.clone());
        self.numbers.insert(it, next);
        next
    }
}

impl<'t> Names<'t> {
    pub(super) fn intern(&mut self, text: &'t str) -> Name {
        let next = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(text).or_insert(next);
        if number == next {
            self.list.push(text);
        }
        Name(number)
    }

    /// The number of a name that has one.
    pub(super) fn known(&self, text: &str) -> Option<Name> {
        self.numbers.get(text).copied().map(Name)
    }
}

impl Tables<'_> {
    pub(super) fn value(&mut self, it: Value) -> ValueNumber {
        self.values.number(it)
    }

    pub(super) fn written(&mut self, it: Written) -> WrittenNumber {
        self.written.number(it)
    }

    pub(super) fn written_at(&self, number: WrittenNumber) -> Option<&Written> {
        self.written.list.get(number as usize)
    }

    /// The lists alone: names, values, types.
    pub(super) fn into_lists(self) -> (Vec<Box<str>>, Vec<Value>, Vec<Written>) {
        let names = self.names.list.into_iter().map(Into::into).collect();
        (names, self.values.list, self.written.list)
    }
}
