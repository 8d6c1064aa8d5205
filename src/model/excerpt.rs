//! The source text that a person sees beside a result.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::place::{LineIndex, Point, Span};
use super::redacted::Redacted;

/// The first lines of a place, credentials masked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Excerpt {
    /// The column of the first character of each line shown: above 1 where long lines are cut at their front.
    pub first_column: u32,
    pub lines: Vec<Redacted>,
}

const LINES: u32 = 4;
const CHARACTERS: usize = 240;
/// What stands before the place on a line that has to be cut.
const LEAD: u32 = 40;

impl Excerpt {
    pub fn of(index: &LineIndex<'_>, span: Span) -> Self {
        let first_column =
            if span.start.column > CHARACTERS as u32 / 2 { span.start.column - LEAD } else { 1 };
        let last = span.end.line.min(span.start.line.saturating_add(LINES - 1));
        let lines = (span.start.line..=last).take_while(|line| *line as usize <= index.lines());
        let cut = |line: u32| -> String {
            let line = index.rest(Point { line, column: first_column }).unwrap_or_default();
            line.trim_end_matches('\r').chars().take(CHARACTERS).collect()
        };
        Self { first_column, lines: lines.map(|it| Redacted::new(cut(it))).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::Excerpt;
    use crate::model::LineIndex;

    #[test]
    fn an_excerpt_is_the_first_lines_and_long_ones_are_cut_around_the_place() {
        let index = LineIndex::new("a(\n  1,\n)\r\nb\n");
        let excerpt = Excerpt::of(&index, index.span(0..9));
        assert_eq!(excerpt.first_column, 1);
        assert_eq!(excerpt.lines.iter().map(|it| it.as_str()).collect::<Vec<_>>(), ["a(", "  1,", ")"]);
        let long = format!("{}needle{}", "é".repeat(1_000), "x".repeat(1_000));
        let index = LineIndex::new(&long);
        let excerpt = Excerpt::of(&index, index.span(2_000..2_006));
        assert_eq!(excerpt.first_column, 961);
        assert!(excerpt.lines[0].as_str().starts_with(&format!("{}needle", "é".repeat(40))));
        assert_eq!(excerpt.lines[0].as_str().chars().count(), 240);
    }
}
