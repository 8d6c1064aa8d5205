//! Many edits of one text, made in one go.

use std::ops::Range;

use crate::structural::Edit;

/// An edit and the rule that wants it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The rule's number in its set.
    pub rule: usize,
    pub edit: Edit,
}

/// Two rules want different things of the same text; the first has its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    pub winner: usize,
    pub loser: usize,
    /// The bytes that the loser wanted to replace.
    pub range: Range<usize>,
}

/// The edits that can be made together.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// Sorted, without overlap.
    pub edits: Vec<Wanted>,
    /// Edits that lie inside another of the same rule: a later pass can make them.
    pub nested: Vec<Wanted>,
    pub clashes: Vec<Clash>,
}

/// Chooses by place: what starts first, then what is longer, then the lower rule number wins.
pub fn choose(mut wanted: Vec<Wanted>) -> Chosen {
    wanted.sort_by(|left, right| {
        let key = |it: &Wanted| (it.edit.range.start, std::cmp::Reverse(it.edit.range.end), it.rule);
        key(left).cmp(&key(right))
    });
    let mut chosen = Chosen::default();
    for next in wanted {
        match chosen.edits.last() {
            Some(last) if overlaps(&last.edit.range, &next.edit.range) => {
                if last.rule == next.rule {
                    chosen.nested.push(next);
                } else if last.edit != next.edit {
                    chosen.clashes.push(Clash {
                        winner: last.rule,
                        loser: next.rule,
                        range: next.edit.range,
                    });
                }
            }
            _ => chosen.edits.push(next),
        }
    }
    chosen
}

/// Empty ranges at one place overlap too: the order of two insertions is nobody's to guess.
fn overlaps(first: &Range<usize>, second: &Range<usize>) -> bool {
    second.start < first.end || first.start == second.start
}

/// The text with the chosen edits made. In a file whose lines end with `\r\n`, so do those of the new text.
///
/// Returns none when an edit does not lie on character boundaries of the text.
pub fn splice<'e>(text: &str, edits: impl Iterator<Item = &'e Edit>) -> Option<String> {
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut result = String::with_capacity(text.len());
    let mut done = 0;
    for edit in edits {
        result.push_str(text.get(done..edit.range.start)?);
        for (number, line) in edit.text.split('\n').enumerate() {
            if number > 0 {
                result.push_str(line_end);
            }
            result.push_str(if line_end == "\r\n" { line.strip_suffix('\r').unwrap_or(line) } else { line });
        }
        done = edit.range.end;
    }
    result.push_str(text.get(done..)?);
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::{Clash, Wanted, choose, splice};
    use crate::structural::Edit;

    fn wanted(rule: usize, start: usize, end: usize, text: &str) -> Wanted {
        Wanted { rule, edit: Edit { range: start..end, text: text.to_owned() } }
    }

    #[test]
    fn the_outermost_of_one_rule_is_made_and_the_inner_ones_are_left() {
        let chosen = choose(vec![wanted(0, 4, 6, "b"), wanted(0, 0, 9, "a"), wanted(0, 9, 10, "c")]);
        assert_eq!(chosen.edits, [wanted(0, 0, 9, "a"), wanted(0, 9, 10, "c")]);
        assert_eq!(chosen.nested, [wanted(0, 4, 6, "b")]);
    }

    #[test]
    fn two_rules_on_one_text_clash_unless_they_agree() {
        let chosen = choose(vec![wanted(1, 0, 3, "x"), wanted(0, 0, 3, "y"), wanted(2, 0, 3, "y")]);
        assert_eq!(chosen.edits, [wanted(0, 0, 3, "y")]);
        assert_eq!(chosen.clashes, [Clash { winner: 0, loser: 1, range: 0..3 }]);
    }

    #[test]
    fn new_lines_take_the_line_end_of_the_file() {
        let edits = [Edit { range: 0..1, text: "x\ny\r\nz".to_owned() }];
        assert_eq!(splice("a\r\nb", edits.iter()).unwrap(), "x\r\ny\r\nz\r\nb");
        assert_eq!(splice("a\nb", edits.iter()).unwrap(), "x\ny\r\nz\nb");
        assert_eq!(splice("é", [Edit { range: 1..2, text: String::new() }].iter()), None);
    }
}
