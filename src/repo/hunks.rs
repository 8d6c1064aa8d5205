//! Which lines of a file changed.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Above this the middle that differs is one hunk: exactness there is worth less than the time.
const MAX_LINES: usize = 50_000;

/// Lines `before` that lines `after` stand in the place of. One-based, half-open; an empty side begins where the
/// other one's lines would stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    pub before: Range<u32>,
    pub after: Range<u32>,
}

/// The differences between two texts, line by line, in order.
pub fn hunks(before: &str, after: &str) -> Vec<Hunk> {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (old.get(head..).unwrap_or_default(), new.get(head..).unwrap_or_default());
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let old_middle = old_rest.get(..old_rest.len() - tail).unwrap_or_default();
    let new_middle = new_rest.get(..new_rest.len() - tail).unwrap_or_default();
    if old_middle.is_empty() && new_middle.is_empty() {
        return Vec::new();
    }
    if old_middle.len().max(new_middle.len()) > MAX_LINES {
        return vec![hunk(head..head + old_middle.len(), head..head + new_middle.len())];
    }
    let shift = |range: Range<usize>| range.start + head..range.end + head;
    let operations = capture_diff_slices(Algorithm::Histogram, old_middle, new_middle);
    let changed = operations.into_iter().filter(|it| !matches!(it, DiffOp::Equal { .. }));
    let mut ranges: Vec<Ranges> = changed.map(|it| (shift(it.old_range()), shift(it.new_range()))).collect();
    settle(&mut ranges, &old, &new);
    ranges.into_iter().map(|(before, after)| hunk(before, after)).collect()
}

type Ranges = (Range<usize>, Range<usize>);

/// A block that was only added or only removed can often stand a few lines up or down with the same effect: where its
/// last line equals the one before it. It is put where a reader would cut: at the least indented line, after a blank.
fn settle(ranges: &mut [Ranges], old: &[&str], new: &[&str]) {
    for at in 0..ranges.len() {
        let end_of_last = at.checked_sub(1).and_then(|it| ranges.get(it)).map(|it| (it.0.end, it.1.end));
        let start_of_next = ranges.get(at + 1).map(|it| (it.0.start, it.1.start));
        let Some((before, after)) = ranges.get_mut(at) else { continue };
        let floor = end_of_last.unwrap_or_default();
        let ceiling = start_of_next.unwrap_or((old.len(), new.len()));
        if Range::is_empty(before) {
            let start = settled(new, after, floor.1, ceiling.1);
            *before = start + before.start - after.start..start + before.start - after.start;
            *after = start..start + after.len();
        } else if Range::is_empty(after) {
            let start = settled(old, before, floor.0, ceiling.0);
            *after = start + after.start - before.start..start + after.start - before.start;
            *before = start..start + before.len();
        }
    }
}

/// How far a block is moved at the most.
const MOST_STEPS: usize = 200;

fn settled(lines: &[&str], block: &Range<usize>, floor: usize, ceiling: usize) -> usize {
    let length = block.len();
    let equal = |a: usize, b: usize| lines.get(a).is_some_and(|it| Some(it) == lines.get(b));
    let mut start = block.start;
    let lowest = block.start.saturating_sub(MOST_STEPS).max(floor + 1);
    while start >= lowest && equal(start - 1, start + length - 1) {
        start -= 1;
    }
    let mut best = (cost(lines, start) + cost(lines, start + length), start);
    while start + length < ceiling.min(block.end + MOST_STEPS) && equal(start, start + length) {
        start += 1;
        let here = cost(lines, start) + cost(lines, start + length);
        if here <= best.0 {
            best = (here, start);
        }
    }
    best.1
}

/// How bad a cut before a line is.
fn cost(lines: &[&str], at: usize) -> usize {
    const MOST: usize = 200;
    let is_blank = |it: &str| it.trim().is_empty();
    let next = lines.get(at..).unwrap_or_default().iter().take(MOST).find(|it| !is_blank(it));
    let indent = next.map_or(0, |it| it.len() - it.trim_start().len());
    let after_blank = at == 0 || lines.get(at - 1).is_none_or(|it| is_blank(it));
    2 * indent.min(MOST) + usize::from(!after_blank)
}

fn hunk(before: Range<usize>, after: Range<usize>) -> Hunk {
    let line = |index: usize| u32::try_from(index).unwrap_or(u32::MAX - 1) + 1;
    Hunk { before: line(before.start)..line(before.end), after: line(after.start)..line(after.end) }
}
