//! As much of an answer as fits into a budget: the most telling lines for their length, and not five of one function
//! where a definition and four of its callers say more.
//!
//! A token is counted as four bytes of the text that is printed, line breaks included. Only whole lines are taken.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{EvidenceId, RepoPath};

/// What a token is counted as.
const BYTES_PER_TOKEN: usize = 4;
/// What each further piece about the same thing is worth of the one before it.
const SAME_THING: f64 = 0.8;
/// What each further piece of the same sort is worth of the one before it.
const SAME_SORT: f64 = 0.93;

/// What a piece of an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    Definition,
    Body,
    Use,
    Test,
    Change,
    Package,
    Place,
}

/// Some lines that belong together, with what they are worth.
#[derive(Clone, Debug)]
pub struct Piece {
    pub sort: Sort,
    /// What it is about: pieces of one definition have one number.
    pub about: usize,
    pub section: Section,
    pub lines: Vec<Line>,
    pub value: f64,
    /// The record that it rests on.
    pub evidence: EvidenceId,
}

/// A group of lines with one heading.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Section {
    pub path: RepoPath,
    pub title: String,
    /// Both, as they are printed.
    pub heading: String,
}

/// A line of a file, or a statement that is none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// None for a statement.
    pub number: Option<u32>,
    pub text: String,
}

/// A section as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub section: Section,
    pub lines: Vec<Line>,
    pub evidence: Vec<EvidenceId>,
}

/// What fits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Packed {
    pub items: Vec<Item>,
    /// How many pieces of each sort did not.
    pub left_out: BTreeMap<Sort, usize>,
    /// The whole as it is printed.
    pub text: String,
}

impl Sort {
    /// The word for one, and for several.
    pub const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Definition => ("definition", "definitions"),
            Self::Body => ("part of a body", "parts of bodies"),
            Self::Use => ("use", "uses"),
            Self::Test => ("test", "tests"),
            Self::Change => ("commit", "commits"),
            Self::Package => ("statement on packages", "statements on packages"),
            Self::Place => ("place", "places"),
        }
    }
}

/// The tokens of a text.
pub fn count(text: &str) -> usize {
    text.len().div_ceil(BYTES_PER_TOKEN)
}

/// Takes what is worth most for its length until the budget is spent, and counts what is left, with what lies beyond the
/// pieces. The same pieces give the same text.
pub fn pack(pieces: &[Piece], beyond: &BTreeMap<Sort, usize>, budget: usize) -> Packed {
    let bytes = budget.saturating_mul(BYTES_PER_TOKEN);
    // What was left out is said in the last line, where there is room for one.
    let all = left_out(pieces, beyond, &BTreeSet::new());
    let reserve = summary(&all).len();
    let room = if reserve < bytes / 4 { bytes - reserve } else { bytes };
    let taken = take(pieces, room);
    let items = items(pieces, &taken);
    let left_out = left_out(pieces, beyond, &taken.iter().copied().collect());
    let mut text: String = items.iter().map(render).collect();
    let last = summary(&left_out);
    if text.len() + last.len() <= bytes {
        text.push_str(&last);
    }
    Packed { items, left_out, text }
}

/// The numbers of the pieces that are taken, in that order.
fn take(pieces: &[Piece], room: usize) -> Vec<usize> {
    let mut taken: Vec<usize> = Vec::new();
    let mut open: Vec<usize> = (0..pieces.len()).collect();
    let mut shown: BTreeMap<&Section, BTreeSet<&Line>> = BTreeMap::new();
    let (mut things, mut sorts): (BTreeMap<usize, i32>, BTreeMap<Sort, i32>) =
        (BTreeMap::new(), BTreeMap::new());
    let mut left = room;
    loop {
        let mut best: Option<(f64, usize, usize)> = None;
        for (at, number) in open.iter().enumerate() {
            let Some(piece) = pieces.get(*number) else { continue };
            let cost = cost(piece, &shown);
            if cost > left {
                continue;
            }
            let again = |count: Option<&i32>, factor: f64| factor.powi(count.copied().unwrap_or(0));
            let worth = piece.value
                * again(things.get(&piece.about), SAME_THING)
                * again(sorts.get(&piece.sort), SAME_SORT);
            let gain = worth / as_number(cost.max(1)).sqrt();
            if best.is_none_or(|it| gain > it.0) {
                best = Some((gain, at, cost));
            }
        }
        let Some((_, at, cost)) = best else { return taken };
        let number = open.remove(at);
        left -= cost;
        if let Some(piece) = pieces.get(number) {
            shown.entry(&piece.section).or_default().extend(&piece.lines);
            *things.entry(piece.about).or_default() += 1;
            *sorts.entry(piece.sort).or_default() += 1;
        }
        taken.push(number);
    }
}

/// The bytes that a piece adds to what is shown.
fn cost(piece: &Piece, shown: &BTreeMap<&Section, BTreeSet<&Line>>) -> usize {
    let known = shown.get(&piece.section);
    let heading = if known.is_some() { 0 } else { heading(&piece.section).len() };
    let fresh = piece.lines.iter().filter(|it| known.is_none_or(|known| !known.contains(it)));
    heading + fresh.map(|it| render_line(it).len()).sum::<usize>()
}

/// The sections, those with the piece that is worth most first.
fn items(pieces: &[Piece], taken: &[usize]) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut taken: Vec<&Piece> = taken.iter().filter_map(|it| pieces.get(*it)).collect();
    taken.sort_by(|left, right| {
        right.value.total_cmp(&left.value).then_with(|| left.section.cmp(&right.section))
    });
    for piece in taken {
        let at = items.iter().position(|it| it.section == piece.section).unwrap_or_else(|| {
            items.push(Item { section: piece.section.clone(), lines: Vec::new(), evidence: Vec::new() });
            items.len() - 1
        });
        let Some(item) = items.get_mut(at) else { continue };
        item.lines.extend(piece.lines.iter().cloned());
        if !item.evidence.contains(&piece.evidence) {
            item.evidence.push(piece.evidence.clone());
        }
    }
    for item in &mut items {
        // Statements stay in their order; lines of a file take that of the file.
        item.lines.sort_by_key(|it| it.number);
        item.lines.dedup();
    }
    items
}

fn left_out(
    pieces: &[Piece],
    beyond: &BTreeMap<Sort, usize>,
    taken: &BTreeSet<usize>,
) -> BTreeMap<Sort, usize> {
    let mut counts = beyond.clone();
    for (_, piece) in pieces.iter().enumerate().filter(|it| !taken.contains(&it.0)) {
        *counts.entry(piece.sort).or_default() += 1;
    }
    counts
}

fn heading(section: &Section) -> String {
    format!("{}\n", section.heading)
}

fn render_line(line: &Line) -> String {
    match line.number {
        Some(number) => format!("{number:>5} {}\n", line.text),
        None => format!("  {}\n", line.text),
    }
}

fn render(item: &Item) -> String {
    let lines: String = item.lines.iter().map(render_line).collect();
    heading(&item.section) + &lines
}

/// What did not fit, as one line; empty when everything did.
fn summary(left_out: &BTreeMap<Sort, usize>) -> String {
    if left_out.is_empty() {
        return String::new();
    }
    let parts = left_out.iter().map(|(sort, count)| {
        let (one, several) = sort.names();
        format!("{count} {}", if *count == 1 { one } else { several })
    });
    format!("left out: {}; a larger --budget shows more\n", parts.collect::<Vec<_>>().join(", "))
}

fn as_number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, proptest};

    use std::collections::BTreeMap;

    use super::{Line, Piece, Section, Sort, count, pack};
    use crate::model::{Evidence, Kind, Location, Method, Redacted, RepoPath, Span};

    fn piece(sort: Sort, about: usize, path: &str, first: u32, lines: &[&str], value: f64) -> Piece {
        let path: RepoPath = path.parse().unwrap();
        let place = Location { path: path.clone(), span: Span::FILE };
        let evidence = Evidence::new(Kind::Definition, Method::Lexical, place, "x", Redacted::new("x")).id();
        let lines = lines
            .iter()
            .zip(first..)
            .map(|(it, number)| Line { number: Some(number), text: (*it).to_owned() });
        let title = format!("{sort:?} {about}");
        let section = Section { heading: format!("{path}: {title}"), path, title };
        Piece { sort, about, section, lines: lines.collect(), value, evidence }
    }

    #[test]
    fn a_definition_and_its_callers_come_before_more_of_one_function() {
        let body = ["    one()", "    two()", "    three()", "    four()"];
        let mut pieces = vec![piece(Sort::Definition, 0, "a.py", 1, &["def f():"], 10.0)];
        pieces.extend((0..6).map(|it| piece(Sort::Body, 0, "a.py", 2 + 4 * it, &body, 3.0)));
        pieces.extend((1..5).map(|it| piece(Sort::Use, it, &format!("u{it}.py"), 9, &["f()"], 3.0)));
        let packed = pack(&pieces, &BTreeMap::new(), 50);
        let paths: Vec<String> = packed.items.iter().map(|it| it.section.path.to_string()).collect();
        assert_eq!(paths, ["a.py", "u1.py", "u2.py", "u3.py", "u4.py"]);
        assert!(packed.text.ends_with("parts of bodies; a larger --budget shows more\n"), "{}", packed.text);
    }

    #[test]
    fn lines_that_two_pieces_hold_are_shown_once_and_in_the_order_of_the_file() {
        let pieces = [
            piece(Sort::Body, 0, "a.py", 3, &["c", "d"], 5.0),
            piece(Sort::Body, 0, "a.py", 1, &["a", "b", "c"], 2.0),
        ];
        assert_eq!(
            pack(&pieces, &BTreeMap::new(), 100).text,
            "a.py: Body 0\n    1 a\n    2 b\n    3 c\n    4 d\n"
        );
    }

    fn pieces() -> impl Strategy<Value = Vec<Piece>> {
        let sort = (0usize..7).prop_map(|it| {
            [Sort::Definition, Sort::Body, Sort::Use, Sort::Test, Sort::Change, Sort::Package, Sort::Place]
                [it]
        });
        let one = (sort, 0usize..4, "[a-c]{1,9}", 1u32..90, "[a-zé ]{0,90}", any::<u8>()).prop_map(
            |(sort, about, path, first, text, value)| {
                piece(sort, about, &path, first, &[&text, "x"], f64::from(value))
            },
        );
        proptest::collection::vec(one, 0..30)
    }

    proptest! {
        #[test]
        fn no_budget_is_ever_exceeded(pieces in pieces(), budget in 0usize..600) {
            let packed = pack(&pieces, &BTreeMap::new(), budget);
            prop_assert!(count(&packed.text) <= budget, "{} of {budget}: {}", count(&packed.text), packed.text);
            prop_assert_eq!(&packed, &pack(&pieces, &BTreeMap::new(), budget));
        }
    }
}
