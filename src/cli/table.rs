//! Rows of texts under each other.

/// The widest column: a longer text stands out of it, so that one among many short ones makes no huge table.
const WIDEST: usize = 200;

/// The lines of a table: a heading unless it is empty, and the rows, each column as wide as its widest text,
/// up to a bound.
pub fn table<'r>(heading: &[&str], rows: &'r [Vec<String>]) -> impl Iterator<Item = String> + use<'r> {
    let heading: Vec<String> = heading.iter().map(|it| (*it).to_owned()).collect();
    let heading = (!heading.is_empty() && !rows.is_empty()).then_some(heading);
    let mut widths: Vec<usize> = Vec::new();
    for row in heading.iter().chain(rows) {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, text) in widths.iter_mut().zip(row) {
            *width = (*width).max(text.chars().count().min(WIDEST));
        }
    }
    let line = move |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(text, width)| format!("{text:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    heading.map(|it| line(&it)).into_iter().chain(rows.iter().map(line).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::{WIDEST, table};

    #[test]
    fn columns_are_as_wide_as_their_widest_text() {
        let rows = [vec!["é".to_owned(), "1".to_owned()], vec!["abc".to_owned(), String::new()]];
        assert_eq!(table(&["N", "V"], &rows).collect::<Vec<_>>(), ["N    V", "é    1", "abc"]);
        assert_eq!(table(&[], &rows).collect::<Vec<_>>(), ["é    1", "abc"]);
        assert_eq!(table(&["N"], &[]).count(), 0);
    }

    #[test]
    fn a_text_of_any_length_is_a_cell() {
        let long = "a".repeat(1 << 17);
        let rows = [vec![long.clone(), "1".to_owned()], vec!["b".to_owned(), "2".to_owned()]];
        let short = format!("b{}  2", " ".repeat(WIDEST - 1));
        assert_eq!(table(&[], &rows).collect::<Vec<_>>(), [format!("{long}  1"), short]);
    }
}
