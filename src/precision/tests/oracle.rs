//! The protocol's own crate reads the same occurrences and relations.

use protobuf::Message as _;
use scip::types::occurrence::Typed_range;
use scip::types::{Index as Theirs, Occurrence};

use super::data;
use crate::precision::Index;

/// Path, range, symbol.
type Row = (String, [i32; 4], String);

fn range(it: &Occurrence) -> Option<[i32; 4]> {
    let range = match (&it.typed_range, it.range.as_slice()) {
        (Some(Typed_range::SingleLineRange(it)), _) => {
            [it.line, it.start_character, it.line, it.end_character]
        }
        (Some(Typed_range::MultiLineRange(it)), _) => {
            [it.start_line, it.start_character, it.end_line, it.end_character]
        }
        (_, &[line, start, end]) => [line, start, line, end],
        (_, &[first, start, last, end]) => [first, start, last, end],
        _ => return None,
    };
    let is_sound = range.iter().all(|it| *it >= 0) && range[..2] <= range[2..];
    is_sound.then_some(range)
}

fn theirs(index: &Theirs) -> Vec<Row> {
    let mut rows = Vec::new();
    for document in &index.documents {
        for it in &document.occurrences {
            rows.extend(range(it).map(|range| (document.relative_path.clone(), range, it.symbol.clone())));
        }
    }
    rows.sort();
    rows.dedup();
    rows
}

fn ours(index: &Index<'_>) -> Vec<Row> {
    let number = |it: u32| i32::try_from(it).unwrap();
    let mut rows: Vec<Row> = index
        .occurrences()
        .map(|(document, it)| {
            let ((a, b), (c, d)) = (it.range.start, it.range.end);
            let path = std::str::from_utf8(index.documents[document].path.as_bytes()).unwrap().to_owned();
            (path, [a, b, c, d].map(number), it.symbol.to_owned())
        })
        .collect();
    rows.sort();
    // Equal but for their roles.
    rows.dedup();
    rows
}

#[test]
fn every_index_that_is_accepted_is_read_as_the_protocols_own_crate_reads_it() {
    let Some(folder) = data::folder() else { return };
    let mut compared = 0;
    for name in ["indexes", "wild", "variants"] {
        for (name, bytes) in data::indexes(&folder.join(name)) {
            let Ok(index) = Index::parse(&bytes) else { continue };
            let other = Theirs::parse_from_bytes(&bytes).unwrap();
            assert!(ours(&index) == theirs(&other), "{name}");
            let relations: usize =
                other.documents.iter().flat_map(|it| &it.symbols).map(|it| it.relationships.len()).sum();
            let outside: usize = other.external_symbols.iter().map(|it| it.relationships.len()).sum();
            assert_eq!(index.relations().count(), relations + outside, "{name}");
            let tool = other.metadata.tool_info.clone().unwrap();
            assert_eq!(
                (index.metadata.tool, index.metadata.version),
                (&*tool.name, &*tool.version),
                "{name}"
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 31);
}
