//! All rules of a run, by language, ready to be asked about one file after another.

use std::collections::BTreeMap;

use ast_grep_core::Matcher as _;
use globset::GlobSet;

use super::matching::{self, Found};
use super::needs::Prefilter;
use super::problem::Problem;
use super::rule::Rule;
use crate::model::{Digest, RepoPath, Severity};
use crate::syntax::{Kinds, Language, Parsed};

/// The rules of a run, sorted by id and language.
#[derive(Default)]
pub struct RuleSet {
    rules: Vec<Rule>,
    languages: BTreeMap<Language, Group>,
    ignores: GlobSet,
    /// The matches of one rule in one file that are kept; the others are counted.
    most_matches: u64,
}

/// The rules of one language.
struct Group {
    /// Numbers in [`RuleSet::rules`].
    rules: Vec<usize>,
    prefilter: Prefilter,
    /// Node kind to the numbers of the rules that may take it.
    kinds: Vec<Vec<usize>>,
}

/// The rules that may match in one file: not empty, or there would be none.
pub struct Active<'s> {
    set: &'s RuleSet,
    group: &'s Group,
    /// Sorted numbers in [`RuleSet::rules`].
    rules: Vec<usize>,
}

impl RuleSet {
    /// # Errors
    /// When two rules of one language share an id: a finding would not say which of them it is of.
    pub fn new(mut rules: Vec<Rule>, ignores: GlobSet, most_matches: u64) -> Result<Self, Vec<Problem>> {
        rules.sort_by(|left, right| {
            (&left.id, left.language, &left.origin).cmp(&(&right.id, right.language, &right.origin))
        });
        let twins: Vec<Problem> = rules.windows(2).filter_map(twin).collect();
        if !twins.is_empty() {
            return Err(twins);
        }
        let mut numbers: BTreeMap<Language, Vec<usize>> = BTreeMap::new();
        for (number, rule) in rules.iter().enumerate() {
            numbers.entry(rule.language).or_default().push(number);
        }
        let languages =
            numbers.into_iter().map(|(language, numbers)| (language, Group::new(numbers, &rules))).collect();
        Ok(Self { rules, languages, ignores, most_matches })
    }

    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    pub fn get(&self, number: usize) -> Option<&Rule> {
        self.rules.get(number)
    }

    /// Over the text of every rule and the severity it has in this run.
    pub fn digest(&self) -> Digest {
        let lines: Vec<String> =
            self.rules.iter().map(|it| format!("{} {}", it.digest, it.severity.name())).collect();
        Digest::of(lines.join("\n").as_bytes())
    }

    /// The rules that may match in a file, by its path, language and text; none when it need not be parsed for them.
    pub fn active(&self, path: &RepoPath, language: Language, text: &str) -> Option<Active<'_>> {
        let group = self.languages.get(&language)?;
        if self.ignores.is_match(path.as_path()) {
            return None;
        }
        let admitted = group.prefilter.admit(text);
        let rules: Vec<usize> = group
            .rules
            .iter()
            .zip(admitted)
            .filter(|(number, admitted)| {
                *admitted && self.get(**number).is_some_and(|it| it.applies_to(path))
            })
            .map(|(number, _)| *number)
            .collect();
        if rules.is_empty() { None } else { Some(Active { set: self, group, rules }) }
    }

    /// Whether any rule wants to look at a file of this path and language.
    pub fn asks_for(&self, path: &RepoPath, language: Language) -> bool {
        let rules = self.languages.get(&language).into_iter().flat_map(|it| &it.rules);
        !self.ignores.is_match(path.as_path())
            && rules.filter_map(|it| self.get(*it)).any(|it| it.applies_to(path))
    }
}

fn twin(pair: &[Rule]) -> Option<Problem> {
    let [first, second] = pair else { return None };
    if first.id != second.id || first.language != second.language {
        return None;
    }
    let message = format!("a rule of this id and language is at {} already", first.origin);
    Some(Problem { origin: second.origin.clone(), rule: Some(second.id.clone()), message })
}

impl Group {
    fn new(numbers: Vec<usize>, rules: &[Rule]) -> Self {
        let own = || numbers.iter().filter_map(|it| rules.get(*it).map(|rule| (*it, rule)));
        let mut kinds: Vec<Vec<usize>> = Vec::new();
        for (number, rule) in own() {
            for kind in &rule.config.matcher.potential_kinds().unwrap_or_default() {
                if kinds.len() <= kind {
                    kinds.resize_with(kind + 1, Vec::new);
                }
                if let Some(takers) = kinds.get_mut(kind) {
                    takers.push(number);
                }
            }
        }
        let prefilter = Prefilter::new(own().map(|(_, rule)| &rule.needs));
        Self { rules: numbers, prefilter, kinds }
    }
}

impl Active<'_> {
    /// The kinds of nodes that any of these rules may take.
    pub fn kinds(&self) -> Kinds {
        self.group.kinds.iter().map(|takers| takers.iter().any(|it| self.admits(*it))).collect()
    }

    /// What these rules take in a parsed file, of the nodes of their kinds there.
    pub fn found(&self, parsed: &Parsed, nodes: &[tree_sitter::Node<'_>]) -> Found {
        let rules = |kind: u16| {
            let takers = self.group.kinds.get(usize::from(kind)).into_iter().flatten().copied();
            takers.filter(|it| self.admits(*it)).filter_map(|it| self.set.get(it).map(|rule| (it, rule)))
        };
        matching::matches(parsed, nodes, rules, self.set.most_matches)
    }

    fn admits(&self, number: usize) -> bool {
        self.rules.binary_search(&number).is_ok()
    }
}

/// The severities that a configuration gives to rules instead of their own; none leaves a rule out.
pub fn with_severities(rules: Vec<Rule>, severities: &BTreeMap<String, Option<Severity>>) -> Vec<Rule> {
    let changed = rules.into_iter().filter_map(|mut rule| {
        if let Some(severity) = severities.get(&rule.id) {
            rule.severity = (*severity)?;
        }
        Some(rule)
    });
    changed.collect()
}
