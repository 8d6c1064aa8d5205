//! Changed lines, compared with what `git diff -U0` says.

use std::ops::Range;

use proptest::prelude::{prop_assert_eq, proptest};

use super::fixture::{Fixture, text};
use crate::repo::{Hunk, hunks};

#[test]
fn hunks_are_one_based_and_half_open() {
    let check = |before: &str, after: &str, expected: &[(Range<u32>, Range<u32>)]| {
        let found: Vec<_> = hunks(before, after).into_iter().map(|it| (it.before, it.after)).collect();
        assert_eq!(found, expected, "{before:?} {after:?}");
    };
    check("", "", &[]);
    check("a\n", "a\n", &[]);
    check("", "a\n", &[(1..1, 1..2)]);
    check("a\nb\n", "a\n", &[(2..3, 2..2)]);
    check("a\nb\nc\n", "a\nX\nY\nc\n", &[(2..3, 2..4)]);
    check("a\nb", "a\nb\n", &[(2..3, 2..3)]);
    check("a\n1\n2\n3\nb\n", "A\n1\n2\n3\nB\n", &[(1..2, 1..2), (5..6, 5..6)]);
}

/// A function that is added behind one with the same last lines is one block, not the tail of the other and its own
/// head. The lines are those that `git diff -U0` gives.
#[test]
fn a_block_is_cut_where_a_reader_would() {
    let function = |name: &str| {
        format!(
            "    /// Gives.\n    fn {name}() {{\n        if x {{\n            y(\"{name}\")\n        }}\n    }}\n\n"
        )
    };
    let (a, b, c) = (function("a"), function("b"), function("c"));
    let before = ["impl S {\n", &a, &c, "}\n// end\n"].concat();
    let after = ["impl S {\n// top\n", &a, &b, &c, "}\n// end.\n"].concat();
    let found: Vec<_> = hunks(&before, &after).into_iter().map(|it| (it.before, it.after)).collect();
    assert_eq!(found, [(2..2, 2..3), (9..9, 10..17), (17..18, 25..26)]);
    let back: Vec<_> = hunks(&after, &before).into_iter().map(|it| (it.after, it.before)).collect();
    assert_eq!(back, found);
}

#[test]
fn hunks_are_those_of_git() {
    let fixture = Fixture::with_git();
    let before: String = (0..60).map(|it| format!("line {it}\n")).collect();
    let after = before
        .replace("line 7\n", "line 7\ninserted\n")
        .replace("line 20\nline 21\n", "")
        .replace("line 40\n", "changed\nmore\n")
        .replace("line 59\n", "line 59");
    fixture.write("a", &before);
    fixture.commit("one");
    fixture.write("a", &after);
    let diff = text(&fixture.git(&["diff", "-U0", "--histogram", "a"]));
    let expected: Vec<Hunk> = diff.lines().filter(|it| it.starts_with("@@")).map(parse).collect();
    assert_eq!(expected.len(), 4);
    assert_eq!(hunks(&before, &after), expected);
}

/// `@@ -start[,count] +start[,count] @@`, where the start of an empty side is the line before it.
fn parse(header: &str) -> Hunk {
    let side = |field: &str| {
        let (start, count) = field[1..].split_once(',').unwrap_or((&field[1..], "1"));
        let (start, count): (u32, u32) = (start.parse().unwrap(), count.parse().unwrap());
        let start = start + u32::from(count == 0);
        start..start + count
    };
    let mut fields = header.split(' ').skip(1);
    Hunk { before: side(fields.next().unwrap()), after: side(fields.next().unwrap()) }
}

#[test]
fn a_hostile_pair_of_texts_is_bounded() {
    let one: String = (0..49_000).map(|it| format!("{}\n", it % 97)).collect();
    let two: String = (0..49_000).map(|it| format!("{}\n", it * 31 % 89)).collect();
    assert!(!hunks(&one, &two).is_empty());
    let long: String = (0..200_000).map(|it| format!("{it}\n")).collect();
    let other: String = (0..200_000).map(|it| format!("{}\n", it * 3)).collect();
    assert_eq!(hunks(&long, &other).len(), 1);
}

proptest! {
    /// Between the hunks both sides are the same lines.
    #[test]
    fn outside_the_hunks_nothing_differs(
        before in proptest::collection::vec("[abc]\n", 0..40),
        after in proptest::collection::vec("[abc]\n", 0..40),
    ) {
        let (mut left, mut right) = (before.clone(), after.clone());
        for hunk in hunks(&before.concat(), &after.concat()).into_iter().rev() {
            left.drain(hunk.before.start as usize - 1..hunk.before.end as usize - 1);
            right.drain(hunk.after.start as usize - 1..hunk.after.end as usize - 1);
        }
        prop_assert_eq!(left, right);
    }
}
