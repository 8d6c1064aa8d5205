//! A document of the index together with its file as it is.

use std::ops::Range;

use super::document::Document;
use super::encoding::Convention;
use super::freshness::{Doubt, Freshness};
use super::index::Index;
use super::occurrence::Occurrence;
use super::text::{Certainty, Grid, decode};
use crate::model::{Evidence, LineIndex, Point, Span, Tier};
use crate::system::Root;

/// The text of a document and where its occurrences lie in it.
pub struct Reading {
    pub text: String,
    /// In the order of the occurrences; none for one that does not lie in the text.
    pub ranges: Vec<Option<Range<usize>>>,
    pub standing: Standing,
    /// What speaks against the document, now that its text is read.
    pub doubt: Option<Doubt>,
}

/// How far what a document says may be trusted; the later, the less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    Fresh,
    /// Only the times of its file say that it is current: a copy of an old index is new, and a clone gives all files one
    /// time.
    Dated,
    /// It is current, but in which unit it counts is a guess.
    Assumed,
    Stale,
}

/// Files above this are not source code that anybody indexed.
const MAX_FILE_BYTES: u64 = 64 << 20;

impl Reading {
    /// Reads the file of a document and holds every occurrence against it.
    pub fn of(root: &Root, index: &Index<'_>, freshness: &Freshness, number: usize) -> Self {
        let gone = Self {
            text: String::new(),
            ranges: Vec::new(),
            standing: Standing::Stale,
            doubt: Some(Doubt::Gone),
        };
        let Some(document) = index.documents.get(number) else { return gone };
        let Ok(bytes) = root.read(&document.path, MAX_FILE_BYTES) else { return gone };
        let doubt = freshness.doubt_of_content(number, &bytes);
        let (text, decoded) = decode(bytes);
        let convention = Convention::of(index.metadata.tool, index.metadata.version, document.declared);
        let grid = Grid::new(&text, decoded, convention);
        let ranges: Vec<_> = document.occurrences().iter().map(|it| grid.bytes(&it.range)).collect();
        let fits = ranges.iter().all(|it| it.as_ref().is_some_and(|it| !grid.splits_word(it)));
        let (standing, doubt) = match (doubt, fits, grid.certainty) {
            (Some(doubt), _, _) => (Standing::Stale, Some(doubt)),
            (None, false, Certainty::Known) => (Standing::Stale, Some(Doubt::Misplaced)),
            // Where the unit is a guess, a position that does not fit may only mean that the guess is wrong.
            (None, _, Certainty::Assumed) => (Standing::Assumed, None),
            (None, true, Certainty::Known) if freshness.is_proof() => (Standing::Fresh, None),
            (None, true, Certainty::Known) => (Standing::Dated, None),
        };
        Self { text, ranges, standing, doubt }
    }

    /// The occurrences whose range is the smallest that holds a position. One that ends there does not.
    pub fn at<'d, 'b>(&self, document: &'d Document<'b>, point: Point) -> Vec<&'d Occurrence<'b>> {
        let Some(caret) = LineIndex::new(&self.text).offset(point) else { return Vec::new() };
        let holding = || {
            let placed = self.ranges.iter().zip(document.occurrences());
            placed.filter_map(|(range, it)| Some((range.as_ref().filter(|it| it.contains(&caret))?, it)))
        };
        let smallest = holding().map(|(range, _)| range.len()).min();
        holding().filter(|(range, _)| Some(range.len()) == smallest).map(|(_, it)| it).collect()
    }

    /// Where an occurrence is for a reader. One that does not lie in the text is where the index says.
    pub fn span(&self, lines: &LineIndex<'_>, number: usize, occurrence: &Occurrence<'_>) -> Span {
        let point = |(line, column): (u32, u32)| Point {
            line: line.saturating_add(1),
            column: column.saturating_add(1),
        };
        match self.ranges.get(number) {
            Some(Some(range)) => lines.span(range.clone()),
            Some(None) | None => {
                Span { start: point(occurrence.range.start), end: point(occurrence.range.end) }
            }
        }
    }
}

impl Standing {
    /// Marks a record with what is known of where it comes from.
    pub fn mark(self, evidence: Evidence) -> Evidence {
        match self {
            Self::Fresh => evidence,
            Self::Dated | Self::Assumed => evidence.at_most(Tier::NearExact),
            Self::Stale => evidence.into_stale(),
        }
    }
}
