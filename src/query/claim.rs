//! From evidence to pieces: which lines show a claim, under which heading, and what they are worth.

use std::rc::Rc;

use super::found::{Found, Sources, overlap};
use super::pack::{Line, Piece, Section, Sort};
use super::text::{Extent, Text};
use crate::model::{Detail, Evidence, Kind, Location, Redacted, RepoPath, Tier, counted, fuse};
use crate::syntax::DefinitionKind;

/// A record with how it is to be shown.
pub struct Claim {
    pub evidence: Evidence,
    pub sort: Sort,
    pub value: f64,
    pub shown: Shown,
}

/// What shows a claim.
pub enum Shown {
    /// The parts of a definition.
    Definition { file: usize, definition: usize },
    /// The lines of the place; the heading also says what is around it.
    Place,
    /// A statement instead of lines.
    Statement(String),
}

/// Makes whatever a terminal would obey visible.
pub type Escape = fn(&str) -> String;

/// A chunk of a body.
const CHUNK: u32 = 6;
/// A body up to here is one chunk.
const SHORT_BODY: u32 = 10;
/// No more of a body is offered.
const MOST_CHUNKS: usize = 30;
/// The lines of a comment that are offered at once.
const COMMENT: u32 = 5;
const MOST_MEMBERS: usize = 40;

/// What all claims come to: every record with the weaker ones about the same place under it, and the pieces.
pub struct Laid {
    pub evidence: Vec<Evidence>,
    pub pieces: Vec<Piece>,
}

/// Fuses the records and lays out what shows them.
pub fn lay(claims: Vec<Claim>, words: &[String], sources: &Sources<'_>, escape: Escape) -> Laid {
    let evidence = fuse(claims.iter().map(|it| it.evidence.clone()));
    let mut layout = Layout { sources, words, escape, texts: Vec::new(), pieces: Vec::new() };
    let mut seen: Vec<(Location, Kind, Sort)> = Vec::new();
    let mut next = sources.files.len();
    for claim in claims {
        let key = (claim.evidence.place.clone(), claim.evidence.kind, claim.sort);
        if !matches!(claim.shown, Shown::Statement(_)) && seen.contains(&key) {
            continue;
        }
        let is_it = |it: &&Evidence| it.place == key.0 && it.kind == key.1;
        let strongest = evidence.iter().find(is_it).unwrap_or(&claim.evidence);
        seen.push(key);
        next += 1;
        layout.claim(&claim, strongest, next);
    }
    Laid { pieces: layout.pieces, evidence }
}

/// Claims with what is known of a definition.
pub fn of_definition(found: &Found, value: f64) -> Claim {
    let shown = Shown::Definition { file: found.file, definition: found.definition };
    Claim { evidence: found.evidence.clone(), sort: Sort::Definition, value, shown }
}

/// What a tier is worth among places that are otherwise alike.
pub const fn weight(tier: Tier) -> f64 {
    match tier {
        Tier::Exact | Tier::NearExact | Tier::Structural => 1.0,
        Tier::InferredHigh => 0.95,
        Tier::Inferred => 0.7,
        Tier::Weak => 0.3,
    }
}

/// What a record says, without what its heading says anyway.
fn said(evidence: &Evidence) -> String {
    match &evidence.detail {
        Detail::Reach(it) => {
            let first = it.via.first().map_or("", |it| it.as_str());
            let first = first.rsplit_once('#').map_or(first, |it| it.1);
            format!("reached by {first} in {}", counted(u64::from(it.distance), "step"))
        }
        Detail::None
        | Detail::Match(_)
        | Detail::Dependency(_)
        | Detail::Change(_)
        | Detail::Check(_)
        | Detail::Deprecation(_) => evidence.message.as_str().to_owned(),
        // The statement below it says the rest.
        Detail::History(_) => "its commits".to_owned(),
    }
}

fn mark(evidence: &Evidence) -> String {
    let stale = if evidence.is_stale() { ", stale" } else { "" };
    format!("[{}{stale}]", evidence.tier().name())
}

struct Layout<'l> {
    sources: &'l Sources<'l>,
    words: &'l [String],
    escape: Escape,
    texts: Vec<(RepoPath, Rc<str>)>,
    pieces: Vec<Piece>,
}

impl Layout<'_> {
    fn claim(&mut self, claim: &Claim, evidence: &Evidence, number: usize) {
        match &claim.shown {
            Shown::Definition { file, definition } => self.definition(claim, evidence, (*file, *definition)),
            Shown::Place => self.place(claim, evidence),
            Shown::Statement(text) => {
                let line = Line { number: None, text: (self.escape)(text) };
                // Commits share their place: each is known in its own way.
                let title = format!("{} {}", said(&claim.evidence), mark(&claim.evidence));
                self.push(claim, &claim.evidence, number, title, claim.value, vec![line]);
            }
        }
    }

    /// The text of a file, read once.
    fn text(&mut self, path: &RepoPath) -> Rc<str> {
        if let Some(known) = self.texts.iter().find(|it| it.0 == *path) {
            return Rc::clone(&known.1);
        }
        let text: Rc<str> = (self.sources.read)(path).unwrap_or_default().into();
        self.texts.push((path.clone(), Rc::clone(&text)));
        text
    }

    fn push(
        &mut self,
        claim: &Claim,
        evidence: &Evidence,
        about: usize,
        title: String,
        value: f64,
        lines: Vec<Line>,
    ) {
        if lines.is_empty() {
            return;
        }
        let path = evidence.place.path.clone();
        let section = Section { heading: (self.escape)(&format!("{path}: {title}")), path, title };
        let sort = claim.sort;
        self.pieces.push(Piece { sort, about, section, lines, value, evidence: evidence.id() });
    }

    fn lines(&self, text: &Text<'_>, range: std::ops::Range<u32>) -> Vec<Line> {
        let number = |it: u32| {
            let text = Redacted::new(text.line(it)?.trim_end());
            Some(Line { number: Some(it), text: (self.escape)(text.as_str()) })
        };
        // What only closes something tells nothing.
        range.filter_map(number).filter(|it| it.text.contains(char::is_alphanumeric)).collect()
    }

    fn place(&mut self, claim: &Claim, evidence: &Evidence) {
        let around = self.sources.around(&evidence.place);
        let inside = around.and_then(|it| self.sources.definition(it.0, it.1));
        let inside = inside.map(|it| format!(" in {}", it.1.qualified)).unwrap_or_default();
        let title = format!("{}{inside} {}", said(evidence), mark(evidence));
        let content = self.text(&evidence.place.path);
        let text = Text::new(&content);
        let span = evidence.place.span;
        let last = span.end.line.min(span.start.line + COMMENT);
        let lines = self.lines(&text, span.start.line..last + 1);
        let file = self.sources.file(&evidence.place.path).unwrap_or(usize::MAX);
        // Uses in one function are about one thing.
        let about = file.saturating_mul(1 << 16).saturating_add(around.map_or(0, |it| it.1 + 1));
        self.push(claim, evidence, about, title, claim.value, lines);
    }

    fn definition(&mut self, claim: &Claim, evidence: &Evidence, (file, number): (usize, usize)) {
        let sources = self.sources;
        let Some((source, it)) = sources.definition(file, number) else { return };
        let content = self.text(&source.path);
        let text = Text::new(&content);
        let Extent { above, head, below, body } = text.extent(it);
        let about = file.saturating_mul(1 << 16).saturating_add(number + 1);
        let title = format!("{} {}", evidence.message.as_str(), mark(evidence));
        let value = claim.value;
        let lines = self.lines(&text, head);
        self.push(claim, evidence, about, title.clone(), value, lines);
        let part = Claim { evidence: evidence.clone(), sort: Sort::Body, value, shown: Shown::Place };
        // The first lines of what is said about it; the rest tells less.
        let comment = if below.is_empty() { above } else { below };
        for (at, start) in comment.clone().step_by(COMMENT as usize).enumerate().take(3) {
            let range = start..(start + COMMENT).min(comment.end);
            let share = 0.4 * 0.5f64.powi(i32::try_from(at).unwrap_or(i32::MAX))
                + 0.2 * self.share(&text, range.clone());
            let lines = self.lines(&text, range);
            self.push(&part, evidence, about, title.clone(), value * share, lines);
        }
        if it.kind.is_type() || it.kind == DefinitionKind::Module {
            self.members(&part, evidence, (file, number), &title);
        }
        let own_end = if it.kind.is_type() {
            first_member(sources, file, number).unwrap_or(body.end)
        } else {
            body.end
        };
        let body = body.start..own_end.max(body.start);
        let length = body.end - body.start;
        let chunk = if length <= SHORT_BODY { length.max(1) } else { CHUNK };
        for (at, start) in body.clone().step_by(chunk as usize).enumerate().take(MOST_CHUNKS) {
            let range = start..(start + chunk).min(body.end);
            let early = 0.4 * 0.9f64.powi(i32::try_from(at).unwrap_or(i32::MAX));
            let share = early + 0.5 * self.share(&text, range.clone());
            let lines = self.lines(&text, range);
            self.push(&part, evidence, about, title.clone(), value * share, lines);
        }
    }

    /// Which part of the words some lines have.
    fn share(&self, text: &Text<'_>, range: std::ops::Range<u32>) -> f64 {
        let said: Vec<&str> = range.filter_map(|it| text.line(it)).collect();
        let met = overlap(self.words, &said.join("\n"));
        f64::from(u32::try_from(met).unwrap_or(0))
            / f64::from(u32::try_from(self.words.len().max(1)).unwrap_or(1))
    }

    /// The first line of each member of a type.
    fn members(&mut self, part: &Claim, evidence: &Evidence, (file, number): (usize, usize), title: &str) {
        let sources = self.sources;
        let Some((source, _)) = sources.definition(file, number) else { return };
        let content = self.text(&source.path);
        let text = Text::new(&content);
        let members = source.outline.definitions.iter().enumerate();
        let own = members.filter(|it| it.1.container == Some(number) && it.1.kind.runs());
        for (member, it) in own.take(MOST_MEMBERS) {
            let line = it.name_span.start.line;
            let lines = self.lines(&text, line..line + 1);
            let share = 0.15 + 0.4 * self.share(&text, line..line + 1);
            let about = file.saturating_mul(1 << 16).saturating_add(member + 1);
            self.push(part, evidence, about, title.to_owned(), part.value * share, lines);
        }
    }
}

/// The line on which the first member of a type with a body of its own begins.
fn first_member(sources: &Sources<'_>, file: usize, number: usize) -> Option<u32> {
    let definitions = &sources.files.get(file)?.outline.definitions;
    let own = definitions.iter().filter(|it| it.container == Some(number) && it.kind.runs());
    own.map(|it| it.span.start.line).min()
}
