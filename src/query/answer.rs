//! What the layers say about a question, put together by its aim.

use std::collections::BTreeMap;

use super::aim::Aim;
use super::claim::{Claim, Escape, Laid, Shown, lay, of_definition, weight};
use super::found::{Found, How, Sources, find};
use super::pack::{Item, Packed, Piece, Sort, pack};
use super::question::Question;
use crate::deps::Dependencies;
use crate::graph::Graph;
use crate::impact::{self, Named};
use crate::model::{Detail, Evidence, Kind, RepoPath};
use crate::syntax::is_test_file;

/// What a repository has to answer from.
pub struct Material<'m> {
    pub sources: Sources<'m>,
    /// Made only when an aim takes it.
    pub graph: &'m dyn Fn() -> Graph,
    pub dependencies: Option<&'m Dependencies>,
    /// What other layers were asked: history, places of a shape.
    pub claims: Vec<Claim>,
    pub escape: Escape,
}

/// An answer that fits its budget.
pub struct Answer {
    pub items: Vec<Item>,
    pub left_out: BTreeMap<Sort, usize>,
    /// As it is printed.
    pub text: String,
    /// What the items rest on, strongest first, with what was superseded.
    pub evidence: Vec<Evidence>,
}

/// Why a question has no answer.
pub const CODES: &[(&str, &str)] = &[
    (
        "budget_too_small",
        "The answer has no line that fits into `--budget`. Only whole lines are shown, with the heading that says what \
         they are: raise it.",
    ),
    (
        "nothing_found",
        "No layer that the question was routed to has anything on it. `cortex route` says which they are and why; other \
         words, or a name in backticks, may lead further.",
    ),
    (
        "pattern_missing",
        "The question describes a shape of code in words, and words are no pattern. Write it as code with holes, in \
         backticks: `old_api($X)`.",
    ),
    (
        "pattern_unreadable",
        "The pattern of the question cannot be read in any of the languages of the repository.",
    ),
    ("history_silent", "The history was asked and could not answer: the message says why."),
];

/// Pieces beyond this many are not weighed against each other; they are counted as left out.
const MOST_PIECES: usize = 600;
/// The definitions that words alone lead to.
const MOST_DEFINITIONS: usize = 10;
/// The definitions whose uses are listed.
const MOST_SUBJECTS: usize = 4;

/// Answers a question within a budget of tokens.
pub fn answer(question: &Question, mut material: Material<'_>, budget: usize) -> Answer {
    let claims = std::mem::take(&mut material.claims);
    let claims: Vec<Claim> = claims.into_iter().chain(claimed(question, &material)).collect();
    let Laid { evidence, pieces } = lay(claims, &question.words, &material.sources, material.escape);
    let (pieces, beyond) = bounded(pieces);
    let Packed { items, mut left_out, text } = pack(&pieces, &beyond, budget);
    left_out.retain(|_, count| *count > 0);
    let is_shown = |it: &Evidence| {
        let id = it.id();
        items.iter().any(|item| item.evidence.contains(&id))
    };
    let evidence = evidence.into_iter().filter(is_shown).collect();
    Answer { items, left_out, text, evidence }
}

/// The pieces that are worth most, in their order, and how many of each sort are not among them.
fn bounded(mut pieces: Vec<Piece>) -> (Vec<Piece>, BTreeMap<Sort, usize>) {
    let mut beyond = BTreeMap::new();
    if pieces.len() > MOST_PIECES {
        pieces.sort_by(|left, right| right.value.total_cmp(&left.value));
        for piece in pieces.split_off(MOST_PIECES) {
            *beyond.entry(piece.sort).or_default() += 1;
        }
    }
    (pieces, beyond)
}

fn claimed(question: &Question, material: &Material<'_>) -> Vec<Claim> {
    match question.aim {
        Aim::Pattern | Aim::History | Aim::Apply => Vec::new(),
        Aim::Dependencies | Aim::Documentation => of_packages(question, material),
        Aim::Impact | Aim::Tests => {
            let found = subjects(question, material);
            let mut claims = definitions(&found, 6.0);
            claims.extend(reached(question, &found, material));
            claims
        }
        Aim::Uses => named(question, material, Relation::Uses, 7.0),
        Aim::Implementations => named(question, material, Relation::Below, 7.0),
        Aim::Rename | Aim::Change => named(question, material, Relation::Uses, 4.0),
        Aim::Definition => named(question, material, Relation::Uses, 1.6),
        Aim::Behaviour => {
            let found = find(question, &material.sources);
            definitions(&found, 10.0)
        }
    }
}

/// What a question is about; where it names nothing, what its words fit best.
fn subjects(question: &Question, material: &Material<'_>) -> Vec<Found> {
    let mut found = find(question, &material.sources);
    let has_names = found.iter().any(|it| it.how == How::Named);
    found.retain(|it| !has_names || it.how == How::Named);
    found.truncate(if has_names { MOST_DEFINITIONS } else { 1 });
    if !question.paths.is_empty() && !has_names {
        found.clear();
    }
    found
}

fn definitions(found: &[Found], value: f64) -> Vec<Claim> {
    let ranked = found.iter().take(MOST_DEFINITIONS).enumerate();
    let worth =
        |rank: usize, it: &Found| value * it.relevance * 0.9f64.powi(i32::try_from(rank).unwrap_or(i32::MAX));
    ranked.map(|(rank, it)| of_definition(it, worth(rank, it))).collect()
}

/// What stands in relation to a definition.
#[derive(Clone, Copy)]
enum Relation {
    Uses,
    /// What is built on it.
    Below,
}

/// The definitions that are named, and their uses or what is built on them.
fn named(question: &Question, material: &Material<'_>, relation: Relation, value: f64) -> Vec<Claim> {
    let mut found = find(question, &material.sources);
    if question.aim != Aim::Definition && found.iter().any(|it| it.how == How::Named) {
        found.retain(|it| it.how == How::Named);
    }
    let mut claims = definitions(&found, 10.0);
    let has_names = found.iter().any(|it| it.how == How::Named);
    let subjects = found.iter().filter(|it| !has_names || it.how == How::Named);
    let subjects = subjects.take(if has_names { MOST_SUBJECTS } else { 1 });
    for subject in subjects {
        let place = &subject.evidence.place;
        let meant = material.sources.lookup.at(&place.path, place.span.start);
        let records = match relation {
            Relation::Below => material.sources.lookup.implementations(&meant),
            Relation::Uses => material.sources.lookup.references(&meant),
        };
        claims.extend(records.into_iter().map(|it| use_of(material, it, value)));
    }
    claims
}

fn use_of(material: &Material<'_>, evidence: Evidence, value: f64) -> Claim {
    let is_import = evidence.message.as_str().starts_with("import");
    let factor =
        if is_import { 0.3 } else { 1.0 } * if is_test(material, &evidence.place.path) { 0.5 } else { 1.0 };
    let value = value * factor * weight(evidence.tier());
    if evidence.kind == Kind::Implementation
        && let Some((file, definition)) = material.sources.at(&evidence.place)
    {
        return Claim {
            evidence,
            sort: Sort::Definition,
            value,
            shown: Shown::Definition { file, definition },
        };
    }
    Claim { evidence, sort: Sort::Use, value, shown: Shown::Place }
}

fn is_test(material: &Material<'_>, path: &RepoPath) -> bool {
    let file = material.sources.file(path).and_then(|it| material.sources.files.get(it));
    file.is_some_and(|it| is_test_file(path, it.language))
}

/// What a change of the subjects reaches.
fn reached(question: &Question, found: &[Found], material: &Material<'_>) -> Vec<Claim> {
    let of_symbols = found.iter().filter_map(|it| it.evidence.symbol.as_ref());
    let mut all: Vec<Named> = of_symbols.map(|it| Named::Symbol(it.as_str().to_owned())).collect();
    all.extend(question.paths.iter().filter_map(|it| it.parse().ok()).map(Named::Path));
    if all.is_empty() {
        return Vec::new();
    }
    let graph = (material.graph)();
    let Some(impact) = impact::assess_named(&graph, &all) else { return Vec::new() };
    let mut claims = Vec::new();
    for affected in &impact.affected {
        let near = 0.6f64.powi(i32::try_from(affected.distance.saturating_sub(1)).unwrap_or(i32::MAX));
        let (sort, value) = match (affected.is_test, question.aim) {
            (true, Aim::Tests) => (Sort::Test, 7.0),
            (true, _) => (Sort::Test, 3.0),
            (false, Aim::Tests) => (Sort::Use, 1.0),
            (false, _) => (Sort::Use, 6.0),
        };
        for evidence in affected.evidence() {
            // The import of a file is touched by whatever is in it.
            let is_file = material.sources.around(&evidence.place).is_none();
            let is_aside = !affected.is_test && is_test(material, &evidence.place.path);
            let value = value * if is_file { 0.3 } else { 1.0 } * if is_aside { 0.5 } else { 1.0 };
            let value = value * near * weight(evidence.tier());
            claims.push(Claim { evidence, sort, value, shown: Shown::Place });
        }
    }
    claims
}

/// What manifests and lockfiles say of the packages that a question names, or of all of them.
fn of_packages(question: &Question, material: &Material<'_>) -> Vec<Claim> {
    let said = question.text.to_lowercase();
    let is_said = |name: &str| {
        let is_letter = |it: char| it.is_alphanumeric() || "-_@/.".contains(it);
        said.split(|it| !is_letter(it)).any(|it| it.trim_end_matches('.') == name.to_lowercase())
    };
    let all = material.dependencies.map(Dependencies::evidence).unwrap_or_default();
    let name = |it: &Evidence| match &it.detail {
        Detail::Dependency(it) => it.name.clone(),
        Detail::None
        | Detail::Match(_)
        | Detail::Change(_)
        | Detail::Reach(_)
        | Detail::Check(_)
        | Detail::History(_)
        | Detail::Deprecation(_) => String::new(),
    };
    let asked: Vec<Evidence> = all.iter().filter(|it| is_said(&name(it))).cloned().collect();
    let records = if asked.is_empty() { all } else { asked };
    let claim = |evidence: Evidence| Claim { evidence, sort: Sort::Package, value: 5.0, shown: Shown::Place };
    records.into_iter().map(claim).collect()
}
