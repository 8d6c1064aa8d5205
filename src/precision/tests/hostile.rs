//! Indexes that are cut, forged or of another kind: refused by name, or read without what is wrong in them.

use proptest::collection::vec;
use proptest::prelude::{any, prop, prop_assert, proptest};

use super::data::{self, Project, document, field, information, metadata, occurrence};
use crate::model::Point;
use crate::precision::encoding::{Declared, Unit};
use crate::precision::refusal::Refusal;
use crate::precision::{Index, Library, Question};

/// What becomes of a file: the code of its refusal, or documents and malformed occurrences.
#[derive(Debug, PartialEq, Eq)]
enum Fate {
    Refused(&'static str),
    Read { documents: usize, occurrences: usize, malformed: usize },
}

fn fate(bytes: &[u8]) -> Fate {
    match Index::parse(bytes) {
        Ok(index) => Fate::Read {
            documents: index.documents.len(),
            occurrences: index.occurrences().count(),
            malformed: index.malformed(),
        },
        Err(refusal) => Fate::Refused(refusal.code()),
    }
}

#[track_caller]
fn refused(bytes: &[u8], code: &'static str) {
    assert_eq!(fate(bytes), Fate::Refused(code));
}

fn small() -> [Vec<u8>; 3] {
    let a = document("a.py", &[occurrence([0, 0, 1], "s p n v a.", 1), occurrence([1, 0, 1], "local 0", 0)]);
    let b = document("b/é.py", &[occurrence([0, 0, 1], "s p n v a.", 8)]);
    [metadata("scip-python", "0.6.6"), a, b]
}

#[test]
fn a_cut_index_is_accepted_at_the_end_of_a_document_only() {
    let [head, a, b] = small();
    let whole = [head.clone(), a.clone(), b].concat();
    for length in 0..=whole.len() {
        let expected = if length == head.len() + a.len() {
            Fate::Read { documents: 1, occurrences: 2, malformed: 0 }
        } else if length == whole.len() {
            Fate::Read { documents: 2, occurrences: 3, malformed: 0 }
        } else if length == head.len() {
            Fate::Refused("index_no_documents")
        } else if length == 0 {
            Fate::Refused("index_empty_file")
        } else {
            Fate::Refused("index_truncated")
        };
        assert_eq!(fate(&whole[..length]), expected, "{length} bytes");
    }
}

#[test]
fn what_is_no_index_is_refused_by_its_name() {
    let [head, a, b] = small();
    refused(b"", "index_empty_file");
    refused(b"\x1f\x8b\x08\0", "index_compressed");
    refused(b"\x28\xb5\x2f\xfd\0", "index_compressed");
    refused(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "index_lfs_pointer");
    refused(b"\n <!doctype html>", "index_html");
    refused(b"hello, this is no index", "index_malformed");
    refused(&head, "index_no_documents");
    refused(&a, "index_no_metadata");
    refused(&[a.clone(), head.clone()].concat(), "index_metadata_late");
    refused(&[head.clone(), a.clone(), head.clone(), b].concat(), "index_metadata_repeated");
    refused(&[field(1, &[1 << 3, 1]), a.clone()].concat(), "index_protocol_version");
    // A group, a length behind the end of its record, eleven bytes of a number.
    refused(&[head.clone(), a, vec![0x1b, 0x1c]].concat(), "index_malformed");
    refused(&[head.clone(), field(2, b"\x0a\x7fa")].concat(), "index_malformed");
    refused(&[head.clone(), field(2, &[&[0x30][..], &[0xff; 11]].concat())].concat(), "index_malformed");
    let nested = (0..200_000).fold(Vec::new(), |inner, _| [&[0x0b][..], &inner].concat()[..1].to_vec());
    refused(&[head, nested].concat(), "index_malformed");
}

#[test]
fn a_path_that_leads_out_refuses_the_index_and_is_named() {
    for path in
        ["../a.py", "/a.py", "a/../b.py", "./a.py", "a//b.py", "a/", "", "C:/a.py", "src\\a.py", "a\0.py"]
    {
        let index =
            [metadata("t", "1"), document("fine.py", &[]), document(path, &[]), document("..", &[])].concat();
        let Err(Refusal::Paths { first, count, total }) = Index::parse(&index) else {
            panic!("{path:?} was accepted");
        };
        assert_eq!((first.as_str(), count, total), (path, 2, 3));
    }
}

#[test]
fn a_wrong_occurrence_is_left_out_and_counted() {
    let wrong = [
        field(2, &field(2, b"s")),
        field(2, &[field(1, &[1, 2]), field(2, b"s")].concat()),
        field(2, &[field(1, &[0, 0, 1, 1, 1]), field(2, b"s")].concat()),
        occurrence([0, 5, 4], "s", 0),
        field(2, &[field(1, &[0, 0, 1]), field(2, b"\xff")].concat()),
        field(2, &[field(1, &[&[0, 0][..], &[0xff; 9], &[1]].concat()), field(2, b"s")].concat()),
        // Parts that are longer than what they are part of, and what is said of a symbol.
        field(2, b"\x0a\x7fa"),
        field(2, &[field(8, b"\x08"), field(2, b"s")].concat()),
        field(3, &[field(1, b"s"), field(4, b"\x0a\x7fa")].concat()),
    ];
    let index =
        [metadata("t", "1"), document("a", &[wrong.concat(), occurrence([0, 0, 1], "s", 0)])].concat();
    assert_eq!(fate(&index), Fate::Read { documents: 1, occurrences: 1, malformed: wrong.len() });
}

#[test]
fn documents_of_one_path_are_one_and_equal_occurrences_are_one() {
    let [head, a, b] = small();
    let index = [head, b.clone(), a.clone(), b, a].concat();
    assert_eq!(fate(&index), Fate::Read { documents: 2, occurrences: 3, malformed: 0 });
}

#[test]
fn copies_of_a_document_count_its_symbols_once_and_agree_on_the_unit_or_it_is_a_guess() {
    let copy = |declared: u8| document("a", &[information("s", &[]), vec![6 << 3, declared]]);
    for (second, expected) in [(1, Declared::Unit(Unit::Utf8)), (2, Declared::Unknown)] {
        let bytes = [metadata("t", "1"), copy(1), copy(second)].concat();
        let index = Index::parse(&bytes).unwrap();
        let [document] = index.documents.as_slice() else { panic!("{index:?}") };
        assert_eq!((document.declared, document.symbols().count), (expected, 1));
    }
}

#[test]
fn a_flood_of_empty_documents_costs_nothing() {
    let flood = [metadata("t", "1"), [0x12, 0].repeat(1_000_001)].concat();
    refused(&flood, "index_too_large");
    let flood = [metadata("t", "1"), [0x12, 0].repeat(10_000)].concat();
    refused(&flood, "index_path_violation");
}

proptest! {
    /// Bytes of an index, some of them changed: whatever is accepted can be asked.
    #[test]
    fn a_damaged_index_is_refused_or_can_be_asked(
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        column in 1u32..9,
    ) {
        let mut bytes = small().concat();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let project = Project::with(&[("a.py", b"a\nb\n"), ("b/\u{e9}.py", "\u{feff}\u{e9}\r\n".as_bytes())]);
        let file = project.index(&bytes);
        if let Ok(index) = Index::parse(&file.bytes) {
            let freshness = project.freshness(&index, &file);
            let library = Library { root: project.root(), index: &index, freshness: &freshness };
            for document in &index.documents {
                for question in [Question::Definition, Question::References, Question::Implementations] {
                    let answer = library.at(question, &document.path, Point { line: 1, column });
                    prop_assert!(answer.gap.is_some() || answer.results.len() <= 3);
                }
            }
        }
    }
}

/// The list that came with the variants, in codes.
#[test]
fn the_variants_fare_as_expected() {
    let Some(folder) = data::folder() else { return };
    let whole = |malformed| Fate::Read { documents: 25, occurrences: 232, malformed };
    let one = |occurrences, malformed| Fate::Read { documents: 1, occurrences, malformed };
    let expected: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("variants/EXPECTED.json")).unwrap())
            .unwrap();
    let variants = data::indexes(&folder.join("variants"));
    for name in expected.as_object().unwrap().keys() {
        assert!(variants.iter().any(|it| it.0 == *name), "{name}");
    }
    for (name, bytes) in variants {
        let expected = match name.strip_suffix(".scip").unwrap() {
            "metadata-last" => Fate::Refused("index_metadata_late"),
            "path-dotdot" | "path-backslash" | "path-dot" => Fate::Refused("index_path_violation"),
            "empty-index-metadata-only" => Fate::Refused("index_no_documents"),
            "varint-too-long" => Fate::Refused("index_malformed"),
            "gzip-of-index" => Fate::Refused("index_compressed"),
            "git-lfs-pointer" => Fate::Refused("index_lfs_pointer"),
            "range-length-0" | "range-length-2" | "range-negative" | "range-end-before-start" => one(0, 1),
            "unpacked-range" | "range-in-two-packed-chunks" | "line-past-eof" => one(1, 0),
            _ => whole(0),
        };
        assert_eq!(fate(&bytes), expected, "{name}");
    }
}

/// From the table that came with them: the indexes with a path that violates the protocol, and those without documents.
#[test]
fn the_wild_indexes_fare_as_they_must() {
    let Some(folder) = data::folder() else { return };
    for (name, bytes) in data::indexes(&folder.join("wild")) {
        let found = fate(&bytes);
        let has = |part: &str| name.contains(part);
        if ["CodeGraphContext__5ea809e__index_pkg"].iter().any(|it| has(it)) {
            assert_eq!(found, Fate::Refused("index_no_documents"), "{name}");
        } else if ["core-swag", "mmanela__example"].iter().any(|it| has(it)) {
            assert_eq!(found, Fate::Refused("index_path_violation"), "{name}");
        } else {
            assert!(matches!(found, Fate::Read { malformed: 0, .. }), "{name}: {found:?}");
        }
    }
}
