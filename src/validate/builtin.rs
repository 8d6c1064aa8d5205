//! The checks that every rewrite has to pass, from what its drafts found out already.

use super::Outcome;
use crate::model::{CheckStatus, Redacted, counted};
use crate::rewrite::{Draft, SecondPass};

/// Judges all drafts.
pub fn judge(drafts: &[Draft]) -> Vec<Outcome> {
    let broken: Vec<&Draft> = drafts
        .iter()
        .filter(|it| matches!(it.refusal, Some("breaks_syntax" | "result_does_not_parse")))
        .collect();
    let left: usize = drafts.iter().map(left).sum();
    let unsettled: Vec<&Draft> = drafts.iter().filter(|it| it.second_pass == SecondPass::Changes).collect();
    vec![
        outcome(
            "syntax",
            broken.is_empty(),
            || named("would have more syntax errors and is left out", &broken),
            "no file gains a syntax error",
        ),
        outcome(
            "nothing-left",
            left == 0,
            || format!("{} of rules with a fix would stay", counted(left as u64, "match")),
            "the rules find nothing more to rewrite",
        ),
        outcome(
            "second-pass",
            unsettled.is_empty(),
            || named("would change again", &unsettled),
            "a second pass changes nothing",
        ),
    ]
}

/// The matches of one file that the rewrite would leave: those inside others, those it makes, and all of a file that is
/// left out.
fn left(draft: &Draft) -> usize {
    let refused = if draft.after.is_none() { draft.matches.len() } else { 0 };
    draft.nested + draft.renewed + refused
}

fn outcome(name: &str, holds: bool, failure: impl Fn() -> String, success: &str) -> Outcome {
    Outcome {
        name: name.to_owned(),
        status: if holds { CheckStatus::Passed } else { CheckStatus::Failed },
        argv: Vec::new(),
        message: Redacted::new(if holds { success.to_owned() } else { failure() }),
        output: Redacted::new(""),
    }
}

fn named(what: &str, drafts: &[&Draft]) -> String {
    let first = drafts.first().map(|it| it.path.to_string()).unwrap_or_default();
    match drafts.len() {
        1 => format!("{first} {what}"),
        count => format!("{count} files, {first} first, {}", what.replace("would have", "would each have")),
    }
}
