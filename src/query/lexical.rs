//! Which definitions the words of a question are about: BM25 over several fields, where names count by their parts.
//!
//! A definition is a document with five fields: its name, the names around it, its path, what is said about it, and
//! what it says itself. The weights were settled on two repositories and tried on a third (`benches/query_score.py`).

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::synonym::synonyms;
use super::term::{parts, term};
use super::text::{Extent, Text};
use crate::graph::SourceFile;
use crate::model::RepoPath;
use crate::syntax::{Definition, DefinitionKind, Role, Visibility, is_test_file};

/// A definition and how well the words fit it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    pub file: usize,
    pub definition: usize,
    pub score: f64,
}

/// Reads a file of the repository; none when it is no text, or gone.
pub type Read<'r> = &'r (dyn Fn(&RepoPath) -> Option<String> + Sync);

const FIELDS: usize = 5;
const NAME: usize = 0;
const AROUND: usize = 1;
const PATH: usize = 2;
const SAID: usize = 3;
const BODY: usize = 4;

/// How much a word in a field counts, and how much a long field takes of that.
const WEIGHTS: [f64; FIELDS] = [4.0, 1.5, 1.0, 2.0, 0.7];
const LENGTHS: [f64; FIELDS] = [0.6, 0.4, 0.3, 0.6, 0.7];
const SATURATION: f64 = 1.4;
/// What a word that only means the same counts.
const SYNONYM: f64 = 0.5;
/// What test code counts where nobody asks for tests.
const TEST: f64 = 0.35;
/// No body is read further.
const MOST_BODY_LINES: u32 = 400;
/// No more is read of what is said about the type around.
const MOST_SAID_AROUND: usize = 20;
/// No question has more terms that count.
const MOST_TERMS: usize = 40;

/// The words of a question as they are looked for.
struct Wanted {
    /// With the number of the word that it stands for.
    terms: Vec<(String, usize)>,
    words: usize,
}

impl Wanted {
    fn of(words: &[String]) -> Self {
        let mut terms: Vec<(String, usize)> = Vec::new();
        for (number, word) in words.iter().take(MOST_TERMS).enumerate() {
            terms.push((word.clone(), number));
        }
        for (number, word) in words.iter().take(MOST_TERMS).enumerate() {
            for other in synonyms(word) {
                if !terms.iter().any(|it| it.0 == other) {
                    terms.push((other, number));
                }
            }
        }
        terms.sort();
        Self { terms, words: words.len().min(MOST_TERMS) }
    }

    fn find(&self, part: &str) -> Option<usize> {
        let term = term(part);
        self.terms.binary_search_by(|it| it.0.as_str().cmp(&term)).ok()
    }
}

/// What one definition has of the wanted terms.
struct Document {
    file: usize,
    definition: usize,
    /// By term, then by field.
    counts: Vec<[f64; FIELDS]>,
    lengths: [f64; FIELDS],
    factor: f64,
}

/// The definitions that the words fit, best first.
pub fn search(files: &[SourceFile], read: Read<'_>, words: &[String], most: usize) -> Vec<Hit> {
    let wanted = Wanted::of(words);
    if wanted.terms.is_empty() {
        return Vec::new();
    }
    let asks_for_tests = words.iter().any(|it| *it == term("test"));
    let documents = files.par_iter().enumerate().flat_map_iter(|(number, file)| {
        documents(&wanted, number, file, &read(&file.path).unwrap_or_default(), asks_for_tests)
    });
    let documents: Vec<Document> = documents.collect();
    let mut hits = ranked(&wanted, &documents, words);
    hits.sort_by(|left, right| {
        right
            .score
            .total_cmp(&left.score)
            .then((left.file, left.definition).cmp(&(right.file, right.definition)))
    });
    hits.truncate(most);
    hits
}

fn documents(
    wanted: &Wanted,
    number: usize,
    file: &SourceFile,
    text: &str,
    asks_for_tests: bool,
) -> Vec<Document> {
    let text = Text::new(text);
    let path = file.path.to_string();
    let is_test = is_test_file(&file.path, file.language);
    let mut lines = Lines::new(wanted, &text);
    let definitions = file.outline.definitions.iter().enumerate();
    let named = definitions.filter(|it| it.1.kind.has_name() && it.1.kind.owns_lines());
    named
        .map(|(definition, it)| {
            let mut document = Document {
                file: number,
                definition,
                counts: vec![[0.0; FIELDS]; wanted.terms.len()],
                lengths: [0.0; FIELDS],
                factor: factor(it, is_test && !asks_for_tests, &path),
            };
            document.take(wanted, NAME, &it.name);
            document.take(wanted, AROUND, it.qualified.strip_suffix(it.name.as_ref()).unwrap_or_default());
            document.take(wanted, PATH, &path);
            // What is said about a type tells what its members are for.
            let around =
                it.container.and_then(|it| file.outline.definitions.get(it)).filter(|it| it.kind.is_type());
            if let Some(Extent { above, below, .. }) = around.map(|it| text.extent(it)) {
                for line in above.chain(below).take(MOST_SAID_AROUND) {
                    document.add(AROUND, lines.of(line));
                }
            }
            let Extent { above, head, below, body } = text.extent(it);
            for line in above.chain(below) {
                document.add(SAID, lines.of(line));
            }
            let end = body.end.min(body.start.saturating_add(MOST_BODY_LINES));
            let inner: Vec<std::ops::Range<u32>> = if it.kind.is_type() || it.kind == DefinitionKind::Module {
                nested(&file.outline.definitions, definition)
            } else {
                Vec::new()
            };
            let own = (body.start..end).filter(|line| !inner.iter().any(|it| it.contains(line)));
            for line in head.chain(own) {
                document.add(BODY, lines.of(line));
            }
            document
        })
        .collect()
}

/// The lines of the definitions directly inside one that have a body of their own.
fn nested(definitions: &[Definition], around: usize) -> Vec<std::ops::Range<u32>> {
    let inside = definitions.iter().filter(|it| it.container == Some(around) && it.kind.runs());
    inside.map(|it| it.span.start.line..it.span.end.line + 1).collect()
}

/// What the kind of a definition makes of its score.
fn factor(definition: &Definition, is_test: bool, path: &str) -> f64 {
    let kind = match definition.kind {
        DefinitionKind::Function | DefinitionKind::Method | DefinitionKind::Macro | DefinitionKind::Class => {
            1.0
        }
        DefinitionKind::Struct | DefinitionKind::Trait => 0.9,
        DefinitionKind::Interface
        | DefinitionKind::Enum
        | DefinitionKind::Type
        | DefinitionKind::Constant => 0.7,
        DefinitionKind::Variable
        | DefinitionKind::Variant
        | DefinitionKind::Field
        | DefinitionKind::Attribute
        | DefinitionKind::Module => 0.4,
        DefinitionKind::Suite | DefinitionKind::Test => 0.5,
    };
    let is_test = is_test || definition.role == Role::Test;
    let is_beside = path
        .split('/')
        .any(|it| ["examples", "example", "docs", "benchmarks", "bench", "vendor"].contains(&it));
    let seen = if definition.visibility == Visibility::Exported { 1.0 } else { 0.95 };
    let place = if is_test {
        TEST
    } else if is_beside {
        0.5
    } else {
        1.0
    };
    kind * seen * place
}

impl Document {
    fn take(&mut self, wanted: &Wanted, field: usize, text: &str) {
        for part in parts(text) {
            if let Some(length) = self.lengths.get_mut(field) {
                *length += 1.0;
            }
            if let Some(found) = wanted.find(&part) {
                self.count(found, field, 1.0);
            }
        }
    }

    fn add(&mut self, field: usize, (length, found): (f64, &[usize])) {
        if let Some(sum) = self.lengths.get_mut(field) {
            *sum += length;
        }
        for term in found {
            self.count(*term, field, 1.0);
        }
    }

    fn count(&mut self, term: usize, field: usize, times: f64) {
        if let Some(count) = self.counts.get_mut(term).and_then(|it| it.get_mut(field)) {
            *count += times;
        }
    }

    fn holds(&self, term: usize) -> bool {
        self.counts.get(term).is_some_and(|it| it.iter().any(|it| *it > 0.0))
    }
}

/// The wanted terms of each line, found once however many definitions hold it.
struct Lines<'l> {
    wanted: &'l Wanted,
    text: &'l Text<'l>,
    seen: BTreeMap<u32, (f64, Vec<usize>)>,
    /// Most words of a file stand there often.
    words: BTreeMap<String, Option<usize>>,
}

impl<'l> Lines<'l> {
    const fn new(wanted: &'l Wanted, text: &'l Text<'l>) -> Self {
        Self { wanted, text, seen: BTreeMap::new(), words: BTreeMap::new() }
    }

    fn of(&mut self, line: u32) -> (f64, &[usize]) {
        let (wanted, text, words) = (self.wanted, self.text, &mut self.words);
        let (length, found) = self.seen.entry(line).or_insert_with(|| {
            let parts = parts(text.line(line).unwrap_or_default());
            let length = as_number(parts.len());
            let found = parts.into_iter().filter_map(|it| match words.get(&it) {
                Some(known) => *known,
                None => {
                    let found = wanted.find(&it);
                    words.insert(it, found);
                    found
                }
            });
            (length, found.collect())
        });
        (*length, found)
    }
}

fn ranked(wanted: &Wanted, documents: &[Document], words: &[String]) -> Vec<Hit> {
    let count = as_number(documents.len()).max(1.0);
    let mut averages = [0.0; FIELDS];
    for document in documents {
        for (sum, length) in averages.iter_mut().zip(document.lengths) {
            *sum += length / count;
        }
    }
    let rarity: Vec<f64> = (0..wanted.terms.len())
        .map(|term| {
            let holding = as_number(documents.iter().filter(|it| it.holds(term)).count());
            (1.0 + (count - holding + 0.5) / (holding + 0.5)).ln()
        })
        .collect();
    let score = |document: &Document| {
        // Of a word and those that mean the same, the best counts.
        let mut best = vec![0.0f64; wanted.words];
        for (number, ((term, word), rarity)) in wanted.terms.iter().zip(&rarity).enumerate() {
            let Some(counts) = document.counts.get(number) else { continue };
            let mut weighed = 0.0;
            for field in 0..FIELDS {
                let at = |it: &[f64; FIELDS]| it.get(field).copied().unwrap_or(0.0);
                let length = at(&LENGTHS);
                let normal = 1.0 - length + length * at(&document.lengths) / at(&averages).max(0.1);
                weighed += at(&WEIGHTS) * at(counts) / normal;
            }
            let is_own = words.get(*word) == Some(term);
            let value = rarity * weighed / (SATURATION + weighed) * if is_own { 1.0 } else { SYNONYM };
            if let Some(best) = best.get_mut(*word) {
                *best = best.max(value);
            }
        }
        let sum: f64 = best.iter().sum();
        let met = as_number(best.iter().filter(|it| **it > 0.0).count());
        // A definition that has all the words is worth more than one that has one of them often.
        sum * (met / as_number(wanted.words.max(1))).sqrt() * document.factor
    };
    let hits = documents.iter().map(|it| Hit { file: it.file, definition: it.definition, score: score(it) });
    hits.filter(|it| it.score > 0.0).collect()
}

fn as_number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
