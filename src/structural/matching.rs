//! All rules of a language at the nodes that they may take.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use ast_grep_core::matcher::MatcherExt as _;
use ast_grep_core::meta_var::MetaVariable;
use ast_grep_core::tree_sitter::StrDoc;
use ast_grep_core::{Doc as _, Node, NodeMatch};
use ast_grep_language::SupportLang;

use super::rule::Rule;
use super::suppression::Suppressions;
use crate::model::{
    Detail, Evidence, Kind, LineIndex, Location, MatchDetail, Method, Redacted, RepoPath, Span,
};
use crate::syntax::Parsed;

/// A node that a rule took.
#[derive(Clone, Debug)]
pub struct Match {
    /// The rule's number in its set.
    pub rule: usize,
    pub range: Range<usize>,
    pub span: Span,
    pub message: Redacted,
    pub captures: BTreeMap<String, Redacted>,
    /// What the rule's fix would do here.
    pub fix: Option<Edit>,
}

/// A replacement of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub range: Range<usize>,
    pub text: String,
}

/// A captured text in evidence is cut to this many characters: it helps to recognise a match, it is no copy of it.
const CAPTURE_CHARACTERS: usize = 160;

type Tree<'t> = StrDoc<SupportLang>;

/// What the rules took in one file.
#[derive(Debug, Default)]
pub struct Found {
    /// In the order of the text, suppressed ones left out; of each rule at most as many as its set allows.
    pub matches: Vec<Match>,
    /// How many more a rule took, by its number.
    pub beyond: BTreeMap<usize, u64>,
}

/// The matches of the rules that may take a node of a kind, of each rule at most `most`.
pub fn matches<'r, R: Iterator<Item = (usize, &'r Rule)>>(
    parsed: &Parsed,
    nodes: &[tree_sitter::Node<'_>],
    rules: impl Fn(u16) -> R,
    most: u64,
) -> Found {
    let suppressions = Suppressions::of(parsed);
    let index = LineIndex::new(parsed.text());
    let mut found = Found::default();
    let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
    for node in nodes {
        let node = parsed.root().adopt(*node);
        for (number, rule) in rules(node.kind_id()) {
            let Some(taken) = rule.config.matcher.match_node(node.clone()) else { continue };
            if suppressions.silence(&rule.id, node.start_pos().line()) {
                continue;
            }
            let count = counts.entry(number).or_default();
            *count += 1;
            if *count <= most {
                found.matches.push(describe(number, rule, &taken, &index));
            }
        }
    }
    found.matches.sort_by(|left, right| {
        (left.range.start, left.range.end, left.rule).cmp(&(right.range.start, right.range.end, right.rule))
    });
    let beyond = counts.into_iter().map(|(rule, count)| (rule, count.saturating_sub(most)));
    found.beyond = beyond.filter(|(_, more)| *more > 0).collect();
    found
}

fn describe(number: usize, rule: &Rule, taken: &NodeMatch<'_, Tree<'_>>, index: &LineIndex<'_>) -> Match {
    let range = taken.range();
    let message = match rule.message() {
        plain if !plain.contains('$') => Cow::Borrowed(plain),
        _ => Cow::Owned(rule.config.get_message(taken)),
    };
    let fix = rule.fixer().map(|fixer| {
        let edit = taken.make_edit(&rule.config.matcher, fixer);
        let text = String::from_utf8_lossy(&edit.inserted_text).into_owned();
        Edit { range: edit.position..edit.position + edit.deleted_length, text }
    });
    Match {
        rule: number,
        span: index.span(range.clone()),
        range,
        message: Redacted::new(message.lines().next().unwrap_or_default()),
        captures: captures(taken),
        fix,
    }
}

fn captures(taken: &NodeMatch<'_, Tree<'_>>) -> BTreeMap<String, Redacted> {
    let variables = taken.get_env();
    let source = taken.get_doc().get_source();
    let mut found = BTreeMap::new();
    for variable in variables.get_matched_variables() {
        let (name, text) = match variable {
            MetaVariable::Capture(name, _) => {
                let text = variables.get_match(&name).map(Node::text).unwrap_or_default();
                (name, text.into_owned())
            }
            MetaVariable::MultiCapture(name) => {
                let nodes = variables.get_multiple_matches(&name);
                let range = nodes
                    .first()
                    .zip(nodes.last())
                    .map(|(first, last)| first.range().start..last.range().end);
                let text = range.and_then(|it| source.get(it)).unwrap_or_default();
                (name, text.to_owned())
            }
            MetaVariable::Dropped(_) | MetaVariable::Multiple => continue,
        };
        found.insert(name, Redacted::new(text.chars().take(CAPTURE_CHARACTERS).collect::<String>()));
    }
    found
}

impl Match {
    /// The match as evidence. `text` is the text that it was found in.
    pub fn evidence(&self, rule: &Rule, path: &RepoPath, text: &str) -> Evidence {
        let matched = text.get(self.range.clone()).unwrap_or_default();
        let subject = format!("{} {matched}", rule.id);
        let place = Location { path: path.clone(), span: self.span };
        let mut evidence = Evidence::new(
            Kind::StructuralMatch,
            Method::StructuralMatch,
            place,
            &subject,
            self.message.clone(),
        );
        evidence.detail =
            Detail::Match(MatchDetail { rule: rule.id.clone(), captures: self.captures.clone() });
        evidence
    }
}

#[cfg(test)]
mod tests {
    use crate::structural::Inline;
    use crate::structural::{RuleSet, Source, load};
    use crate::syntax::{Language, Limits, parse, survey};

    #[test]
    fn a_capture_of_many_nodes_is_the_text_from_the_first_to_the_last() {
        let language = Language::of_name("python").unwrap();
        let inline = Inline { pattern: "f($A, $$$REST)".to_owned(), language, rewrite: None };
        let rules = RuleSet::new(load(&[Source::Inline(&inline)]).rules, globset::GlobSet::empty(), 1);
        let rules = rules.ok().unwrap();
        let text = "f(1, 2 ,  3)\nf(1,)\n";
        let parsed = parse(text.to_owned(), language, Limits::default()).unwrap();
        let active = rules.active(&"a.py".parse().unwrap(), language, text).unwrap();
        let found = active.found(&parsed, &survey(&parsed, &active.kinds()).nodes);
        assert_eq!(found.beyond.values().sum::<u64>(), 1, "the set allows one match of a rule");
        let [first] = &found.matches[..] else { unreachable!("one match is kept") };
        assert_eq!(first.captures["REST"].as_str(), "2 ,  3");
        assert_eq!(first.captures["A"].as_str(), "1");
        assert_eq!((first.span.start.line, first.span.end.column), (1, 13));
    }
}
