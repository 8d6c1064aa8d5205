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
    capture_diff_slices(Algorithm::Histogram, old_middle, new_middle)
        .into_iter()
        .filter(|operation| !matches!(operation, DiffOp::Equal { .. }))
        .map(|operation| hunk(shift(operation.old_range()), shift(operation.new_range())))
        .collect()
}

fn hunk(before: Range<usize>, after: Range<usize>) -> Hunk {
    let line = |index: usize| u32::try_from(index).unwrap_or(u32::MAX - 1) + 1;
    Hunk { before: line(before.start)..line(before.end), after: line(after.start)..line(after.end) }
}
