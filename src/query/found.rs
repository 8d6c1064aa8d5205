//! The definitions that a question is about, best first: those that it names, and those that its words fit.

use super::lexical::{self, Hit, Read};
use super::question::Question;
use super::term::terms;
use crate::graph::{Lookup, SourceFile};
use crate::model::{Confidence, Evidence, Kind, Location, Method, Redacted, RepoPath, SymbolId};
use crate::syntax::{Definition, Role, Visibility, is_test_file};

/// A definition with what it has to do with the question.
#[derive(Clone, Debug)]
pub struct Found {
    pub file: usize,
    pub definition: usize,
    /// From 0 to 2: what is named comes before what only fits.
    pub relevance: f64,
    pub how: How,
    pub evidence: Evidence,
}

/// How a definition was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    Named,
    ByWords,
}

/// The files of a repository, sorted by path, and what is known across them.
#[derive(Clone, Copy)]
pub struct Sources<'s> {
    pub files: &'s [SourceFile],
    pub lookup: &'s Lookup<'s>,
    pub read: Read<'s>,
}

/// More definitions are not looked at.
const MOST_HITS: usize = 40;
/// More definitions of one name are not told apart by a question.
const MOST_NAMED: usize = 12;
/// A member of what is named, which the other words of the question fit.
const MEMBER: f64 = 0.9;
/// What the words fit though something else is named.
const ASIDE: f64 = 0.3;

impl Sources<'_> {
    pub fn definition(&self, file: usize, definition: usize) -> Option<(&SourceFile, &Definition)> {
        let file = self.files.get(file)?;
        Some((file, file.outline.definitions.get(definition)?))
    }

    /// The definition whose name stands at a place.
    pub fn at(&self, place: &Location) -> Option<(usize, usize)> {
        let file = self.file(&place.path)?;
        let definitions = &self.files.get(file)?.outline.definitions;
        let definition = definitions.iter().position(|it| it.name_span == place.span)?;
        Some((file, definition))
    }

    pub fn file(&self, path: &RepoPath) -> Option<usize> {
        self.files.binary_search_by(|it| it.path.cmp(path)).ok()
    }

    /// The innermost definition with a body around a place.
    pub fn around(&self, place: &Location) -> Option<(usize, usize)> {
        let file = self.file(&place.path)?;
        let definitions = self.files.get(file)?.outline.definitions.iter().enumerate();
        let holds = |it: &Definition| it.span.encloses(&place.span) && it.name_span != place.span;
        let around =
            definitions.filter(|it| it.1.kind.owns_lines() && !it.1.kind.holds_value() && holds(it.1));
        around.max_by_key(|it| (it.1.span.start, std::cmp::Reverse(it.1.span.end))).map(|it| (file, it.0))
    }
}

/// Looks for what a question is about.
pub fn find(question: &Question, sources: &Sources<'_>) -> Vec<Found> {
    let hits = lexical::search(sources.files, sources.read, &question.words, MOST_HITS);
    let best = hits.first().map_or(1.0, |it| it.score).max(f64::MIN_POSITIVE);
    let fit = |file: usize, definition: usize| {
        let hit = hits.iter().find(|it| (it.file, it.definition) == (file, definition));
        hit.map_or(0.0, |it| it.score / best)
    };
    let mut found = named(question, sources, &fit);
    let subjects: Vec<(usize, usize)> = found.iter().map(|it| (it.file, it.definition)).collect();
    // Names alone are answered by what has them.
    let says_more = subjects.is_empty() || !question.others.is_empty();
    for hit in hits.iter().filter(|_| says_more) {
        if !subjects.contains(&(hit.file, hit.definition)) {
            found.extend(by_words(sources, hit, best, &subjects));
        }
    }
    found.sort_by(|left, right| {
        right
            .relevance
            .total_cmp(&left.relevance)
            .then((left.file, left.definition).cmp(&(right.file, right.definition)))
    });
    without_twins(found, sources)
}

/// Of the overloads of one function, the one that fits best: the others stand beside it.
fn without_twins(found: Vec<Found>, sources: &Sources<'_>) -> Vec<Found> {
    let mut kept: Vec<Found> = Vec::new();
    for it in found {
        let name = |it: &Found| sources.definition(it.file, it.definition).map(|it| &it.1.qualified);
        if !kept.iter().any(|known| known.file == it.file && name(known) == name(&it)) {
            kept.push(it);
        }
    }
    kept
}

fn named(question: &Question, sources: &Sources<'_>, fit: &dyn Fn(usize, usize) -> f64) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for (number, name) in question.names.iter().enumerate() {
        let records = sources.lookup.definitions(&sources.lookup.called(name));
        let mut own: Vec<Found> = Vec::new();
        for evidence in records {
            let Some((file, definition)) = sources.at(&evidence.place) else { continue };
            let Some((source, it)) = sources.definition(file, definition) else { continue };
            let is_test = is_test_file(&source.path, source.language) || it.role == Role::Test;
            let mut relevance = 1.5 + 0.3 * fit(file, definition) - 0.15 * small(number);
            relevance -= if is_test { 0.4 } else { 0.0 };
            relevance -= if it.kind.holds_value() { 0.15 } else { 0.0 };
            // Of several overloads, the one that does it is the longest.
            let lines = (it.span.end.line - it.span.start.line).min(50);
            relevance += f64::from(lines) / 1_000.0;
            relevance -= if it.visibility == Visibility::Exported { 0.0 } else { 0.05 };
            if !found.iter().any(|it| (it.file, it.definition) == (file, definition)) {
                own.push(Found { file, definition, relevance, how: How::Named, evidence });
            }
        }
        own.sort_by(|left, right| right.relevance.total_cmp(&left.relevance));
        own.truncate(MOST_NAMED);
        found.extend(own);
    }
    found
}

fn by_words(sources: &Sources<'_>, hit: &Hit, best: f64, subjects: &[(usize, usize)]) -> Option<Found> {
    let (source, it) = sources.definition(hit.file, hit.definition)?;
    let share = (hit.score / best).clamp(0.0, 1.0);
    let is_member = subjects.iter().any(|subject| {
        let around = sources.definition(subject.0, subject.1).map_or("", |it| it.1.qualified.as_ref());
        subject.0 == hit.file && it.qualified.strip_prefix(around).is_some_and(|it| it.starts_with('.'))
    });
    let factor = if subjects.is_empty() {
        1.0
    } else if is_member {
        MEMBER
    } else {
        ASIDE
    };
    let place = Location { path: source.path.clone(), span: it.name_span };
    let message = Redacted::new(format!("definition of {}, by its words", it.qualified));
    let mut evidence = Evidence::new(Kind::Definition, Method::Lexical, place, &it.qualified, message);
    evidence.symbol = Some(SymbolId::of_definition(&source.language.name(), &source.path, &it.qualified));
    evidence.confidence = Confidence::new(share).unwrap_or(Confidence::FULL);
    let (file, definition) = (hit.file, hit.definition);
    Some(Found { file, definition, relevance: share * factor, how: How::ByWords, evidence })
}

/// How many of the words a line has, each counted once.
pub fn overlap(words: &[String], line: &str) -> usize {
    let own = terms(line);
    words.iter().filter(|it| own.contains(it)).count()
}

fn small(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}
