//! What the rules would do to one file, checked on the spot.

use super::splice::{Chosen, Wanted, choose, splice};
use crate::model::{Digest, LineIndex, RepoPath, Span};
use crate::structural::{Active, Edit, Match, RuleSet};
use crate::syntax::{self, Kinds, Limits, Outline, Parsed, parse};

/// The rewrite of one file.
#[derive(Clone, Debug)]
pub struct Draft {
    pub path: RepoPath,
    pub before: Digest,
    /// The new text's digest; none when the file is left alone for the reason in `refusal`.
    pub after: Option<Digest>,
    pub edits: Vec<Edit>,
    /// The place and the rule number of every match that is rewritten.
    pub matches: Vec<(usize, Span)>,
    /// Matches that stay: inside another of their rule.
    pub nested: usize,
    /// Fixable matches in the new text beyond the nested ones: the rewrite made them.
    pub renewed: usize,
    pub second_pass: SecondPass,
    /// Winner, loser and place of every clash.
    pub clashes: Vec<(usize, usize, Span)>,
    pub changed_bytes: u64,
    pub diff: String,
    /// The file before and after, for a draft that is accepted.
    pub sides: Option<Box<[Version; 2]>>,
    pub refusal: Option<&'static str>,
}

/// One state of a file.
#[derive(Clone, Debug)]
pub struct Version {
    pub text: String,
    pub outline: Option<Outline>,
}

/// What the rules would do to the new text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecondPass {
    Nothing,
    Changes,
}

/// Drafts the rewrite of one file from its matches; none when no rule with a fix matched.
pub fn draft(
    path: &RepoPath,
    parsed: &Parsed,
    matches: &[Match],
    rules: &RuleSet,
    limits: Limits,
) -> Option<Draft> {
    let wanted: Vec<Wanted> =
        matches.iter().filter_map(|it| it.fix.clone().map(|edit| Wanted { rule: it.rule, edit })).collect();
    if wanted.is_empty() {
        return None;
    }
    let text = parsed.text();
    let index = LineIndex::new(text);
    let Chosen { edits, nested, clashes } = choose(wanted);
    let mut draft = Draft {
        path: path.clone(),
        before: Digest::of(text.as_bytes()),
        after: None,
        matches: edits.iter().map(|it| (it.rule, index.span(it.edit.range.clone()))).collect(),
        nested: nested.len(),
        renewed: 0,
        second_pass: SecondPass::Nothing,
        clashes: clashes.into_iter().map(|it| (it.winner, it.loser, index.span(it.range))).collect(),
        changed_bytes: edits.iter().map(|it| (it.edit.range.len() + it.edit.text.len()) as u64).sum(),
        edits: edits.into_iter().map(|it| it.edit).collect(),
        diff: String::new(),
        sides: None,
        refusal: None,
    };
    let Some(after) = splice(text, draft.edits.iter()) else {
        draft.refusal = Some("edit_splits_character");
        return Some(draft);
    };
    draft.judge(parsed, &after, rules, limits);
    Some(draft)
}

impl Draft {
    /// The text that this draft makes of the file's text.
    pub fn rewritten(&self, text: &str) -> Option<String> {
        splice(text, self.edits.iter())
    }

    fn judge(&mut self, parsed: &Parsed, after: &str, rules: &RuleSet, limits: Limits) {
        if after == parsed.text() {
            self.refusal = Some("changes_nothing");
            return;
        }
        let Ok(reparsed) = parse(after.to_owned(), parsed.language, limits) else {
            self.refusal = Some("result_does_not_parse");
            return;
        };
        if syntax_errors(&reparsed) > syntax_errors(parsed) {
            self.refusal = Some("breaks_syntax");
            return;
        }
        let (outline, again) = reread(&self.path, &reparsed, rules);
        self.renewed = again.len().saturating_sub(self.nested);
        if again.iter().any(|it| after.get(it.range.clone()) != Some(&it.text)) {
            self.second_pass = SecondPass::Changes;
        }
        self.after = Some(Digest::of(after.as_bytes()));
        self.diff = unified(&self.path, parsed.text(), after);
        let older = Version {
            text: parsed.text().to_owned(),
            outline: syntax::survey(parsed, &Kinds::default()).outline,
        };
        self.sides = Some(Box::new([older, Version { text: after.to_owned(), outline }]));
    }
}

/// The ERROR and MISSING nodes of a tree.
fn syntax_errors(parsed: &Parsed) -> usize {
    if !parsed.tree().root_node().has_error() {
        return 0;
    }
    parsed.root().root().dfs().filter(|it| it.is_error() || it.is_missing()).count()
}

/// The outline of a rewritten text, and what the rules with a fix still want of it.
fn reread(path: &RepoPath, parsed: &Parsed, rules: &RuleSet) -> (Option<Outline>, Vec<Edit>) {
    let active = rules.active(path, parsed.language, parsed.text());
    let survey = syntax::survey(parsed, &active.as_ref().map(Active::kinds).unwrap_or_default());
    let found = active.map(|it| it.found(parsed, &survey.nodes)).unwrap_or_default();
    (survey.outline, found.matches.into_iter().filter_map(|it| it.fix).collect())
}

fn unified(path: &RepoPath, before: &str, after: &str) -> String {
    similar::TextDiff::from_lines(before, after)
        .unified_diff()
        .context_radius(3)
        .header(&format!("a/{path}"), &format!("b/{path}"))
        .to_string()
}
