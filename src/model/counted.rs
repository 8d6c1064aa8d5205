//! Counts in running text.

/// A noun for a count.
pub fn plural(count: u64, noun: &str) -> String {
    if count == 1 {
        return noun.to_owned();
    }
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ if noun.ends_with("ch") => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// A count with its noun.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{count} {}", plural(count, noun))
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_not_many() {
        for (count, noun, expected) in [
            (0, "file", "0 files"),
            (1, "match", "1 match"),
            (2, "match", "2 matches"),
            (1, "dependency", "1 dependency"),
            (3, "dependency", "3 dependencies"),
            (2, "day", "2 days"),
        ] {
            assert_eq!(counted(count, noun), expected);
        }
    }
}
