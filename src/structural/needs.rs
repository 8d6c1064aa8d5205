//! The literals without which a rule cannot match, and one automaton that looks for all of them at once.

use std::collections::BTreeSet;

use aho_corasick::AhoCorasick;
use serde_json::Value;

/// A condition on a text: every clause must hold, and a clause holds when the text has one of its literals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs(Vec<BTreeSet<String>>);

impl Needs {
    fn literal(text: String) -> Self {
        Self(vec![BTreeSet::from([text])])
    }

    fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// What holds when one of several conditions does: one clause with the rarest-looking literal of each.
    fn any(branches: Vec<Self>) -> Self {
        let mut clause = BTreeSet::new();
        for branch in branches {
            let narrowest = branch.0.into_iter().max_by_key(|it| it.iter().map(String::len).min());
            match narrowest {
                Some(literals) => clause.extend(literals),
                None => return Self::default(),
            }
        }
        Self(if clause.is_empty() { Vec::new() } else { vec![clause] })
    }

    /// The needs of a rule object (ast-grep's own JSON form). `pattern_literals` gives the texts that every match
    /// of a pattern holds.
    pub fn of_rule(rule: &Value, pattern_literals: &impl Fn(&Value) -> BTreeSet<String>) -> Self {
        let Some(fields) = rule.as_object() else { return Self::default() };
        let mut needs = Self::default();
        for (key, value) in fields {
            let more = match key.as_str() {
                "pattern" => pattern_literals(value)
                    .into_iter()
                    .fold(Self::default(), |all, text| all.and(Self::literal(text))),
                "all" => parts(value)
                    .fold(Self::default(), |all, part| all.and(Self::of_rule(part, pattern_literals))),
                "any" => Self::any(parts(value).map(|it| Self::of_rule(it, pattern_literals)).collect()),
                "inside" | "has" | "precedes" | "follows" => Self::of_rule(value, pattern_literals),
                _ => Self::default(),
            };
            needs = needs.and(more);
        }
        needs
    }
}

fn parts(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The needs of many rules, looked for in one pass over a text.
#[derive(Debug)]
pub struct Prefilter {
    automaton: Option<AhoCorasick>,
    literals: usize,
    /// For each rule its clauses, as numbers of literals.
    clauses: Vec<Vec<Vec<usize>>>,
}

impl Prefilter {
    pub fn new<'n>(rules: impl Iterator<Item = &'n Needs>) -> Self {
        let rules: Vec<&Needs> = rules.collect();
        let literals: BTreeSet<&str> =
            rules.iter().flat_map(|it| &it.0).flatten().map(String::as_str).collect();
        let literals: Vec<&str> = literals.into_iter().collect();
        let number = |it: &String| literals.binary_search(&it.as_str()).ok();
        let clauses = rules
            .iter()
            .map(|rule| rule.0.iter().map(|clause| clause.iter().filter_map(number).collect()).collect())
            .collect();
        // An automaton that cannot be built (too many literals) filters nothing.
        let automaton = AhoCorasick::new(&literals).ok().filter(|_| !literals.is_empty());
        Self { automaton, literals: literals.len(), clauses }
    }

    /// For each rule, in order, whether a text can hold a match of it.
    pub fn admit(&self, text: &str) -> Vec<bool> {
        let Some(automaton) = &self.automaton else { return vec![true; self.clauses.len()] };
        let mut found = vec![false; self.literals];
        let mut missing = self.literals;
        for hit in automaton.find_overlapping_iter(text) {
            if let Some(seen) = found.get_mut(hit.pattern().as_usize())
                && !*seen
            {
                *seen = true;
                missing -= 1;
                if missing == 0 {
                    break;
                }
            }
        }
        let has = |literal: &usize| found.get(*literal).copied().unwrap_or(true);
        self.clauses.iter().map(|rule| rule.iter().all(|clause| clause.iter().any(has))).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::{Needs, Prefilter};

    fn needs(rule: &serde_json::Value) -> Needs {
        let words = |pattern: &serde_json::Value| -> BTreeSet<String> {
            pattern.as_str().unwrap().split(' ').map(str::to_owned).collect()
        };
        Needs::of_rule(rule, &words)
    }

    #[test]
    fn a_text_is_admitted_when_every_clause_has_a_literal_in_it() {
        let rules = [
            needs(&json!({"pattern": "alpha beta"})),
            needs(&json!({"any": [{"pattern": "alpha"}, {"pattern": "gamma x"}]})),
            needs(&json!({"any": [{"pattern": "alpha"}, {"kind": "call"}]})),
            needs(&json!({"kind": "call", "inside": {"pattern": "delta"}, "not": {"pattern": "alpha"}})),
        ];
        let filter = Prefilter::new(rules.iter());
        assert_eq!(filter.admit("alpha"), [false, true, true, false]);
        assert_eq!(filter.admit("alphabeta"), [true, true, true, false]);
        assert_eq!(filter.admit("a gamma"), [false, true, true, false]);
        assert_eq!(filter.admit("deltas"), [false, false, true, true]);
        assert_eq!(Prefilter::new([].iter()).admit("x"), Vec::<bool>::new());
    }
}
