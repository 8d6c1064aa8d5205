//! What a misspelt word may have meant.

/// Words longer than this are compared by nobody: the table below is quadratic.
const LONGEST: usize = 64;

/// The candidate with the fewest edits from `word`, when a third of the word or less differs; the first in order among
/// equals.
pub fn nearest<'c>(word: &str, candidates: &[&'c str]) -> Option<&'c str> {
    let length = word.chars().count();
    if length > LONGEST {
        return None;
    }
    let scored = candidates.iter().map(|it| (distance(word, it), *it));
    let (edits, best) = scored.min()?;
    (edits <= length.div_ceil(3)).then_some(best)
}

/// The Levenshtein distance in characters.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, character) in left.chars().enumerate() {
        let mut diagonal = index;
        let mut before = index + 1;
        let mut next = vec![before];
        for (other, above) in right.iter().zip(row.iter().skip(1)) {
            let replaced = diagonal + usize::from(character != *other);
            before = replaced.min(above + 1).min(before + 1);
            diagonal = *above;
            next.push(before);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn distance_is_that_of_the_textbook() {
        for (left, right, expected) in [
            ("kitten", "sitting", 3),
            ("", "abc", 3),
            ("abc", "", 3),
            ("flaw", "lawn", 2),
            ("é", "e", 1),
            ("a", "a", 0),
        ] {
            assert_eq!(distance(left, right), expected, "{left} {right}");
        }
    }

    #[test]
    fn only_a_near_word_is_offered() {
        let keys = ["enabled", "path", "generator_command"];
        assert_eq!(nearest("enabeld", &keys), Some("enabled"));
        assert_eq!(nearest("paht", &keys), Some("path"));
        assert_eq!(nearest("colour", &keys), None);
        assert_eq!(nearest(&"e".repeat(100_000), &keys), None);
    }
}
