//! What was asked for and could not be done: while there is any of it, nothing may be called clean.

use std::collections::BTreeSet;

use crate::model::{CheckStatus, LayerState, Note, RepoPath};
use crate::pipeline::{Outcome, is_manifest_unread};

/// Reasons for which a file that should have been looked at was not.
const UNREADABLE: [&str; 3] = ["denied", "unreadable", "missing"];
/// States of layers that something was asked of.
const REQUESTED: [&str; 2] = ["rewrite_limit", "commands_blocked"];
/// Notes that say that the configuration did not get its say about the rules.
const CONFIGURATION: [&str; 2] = ["config_unread", "config_unreadable"];

/// One sentence for each gap.
pub fn gaps(outcome: &Outcome) -> Vec<String> {
    let mut gaps = Vec::new();
    for (layer, state) in &outcome.layers {
        match state {
            LayerState::Unavailable { reason } if REQUESTED.contains(&reason.code.as_str()) => {
                gaps.push(format!("{}: {}", layer.name(), reason.message));
            }
            LayerState::Available
            | LayerState::Stale { .. }
            | LayerState::Unavailable { .. }
            | LayerState::Disabled { .. } => {}
        }
    }
    let unread: Vec<&RepoPath> =
        outcome.unseen.iter().filter(|it| UNREADABLE.contains(&it.code)).map(|it| &it.path).collect();
    gaps.extend(named("could not be read", &unread));
    let unsearched: Vec<&RepoPath> = outcome.unsearched.iter().collect();
    gaps.extend(named("could not be searched (no text, too large, or not parsed)", &unsearched));
    if outcome.findings_cut > 0 {
        gaps.push(format!("{} findings are beyond a limit and not listed", outcome.findings_cut));
    }
    let manifests =
        outcome.notes.iter().filter(|it| is_manifest_unread(it)).filter_map(|it| it.path.as_ref());
    // One that the base has as it is says nothing of the change.
    let is_new = |path: &&RepoPath| outcome.differing.as_ref().is_none_or(|it| it.contains(*path));
    let manifests: BTreeSet<&RepoPath> = manifests.filter(is_new).collect();
    gaps.extend(named("could not be read for its dependencies", &Vec::from_iter(manifests)));
    gaps.extend(outcome.notes.iter().filter(|it| is_about_rules(it)).map(|it| it.message.clone()));
    for check in &outcome.checks {
        if check.status == CheckStatus::Inconclusive {
            gaps.push(format!("the check `{}` says nothing: {}", check.name, check.message));
        }
    }
    gaps
}

fn named(what: &str, paths: &[&RepoPath]) -> Option<String> {
    let first = paths.first()?;
    Some(match paths.len() {
        1 => format!("{first} {what}"),
        count => format!("{first} and {} more {what}", count - 1),
    })
}

fn is_about_rules(note: &Note) -> bool {
    let rules = note.code == "config_section_malformed" && note.message.contains("`rules");
    CONFIGURATION.contains(&note.code.as_str()) || rules
}
