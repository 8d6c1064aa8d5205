//! A question decodes the documents that hold what it is about; the answer is the one that all documents give.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::vec;
use proptest::prelude::{Strategy as _, prop_assert_eq, proptest};

use super::data::{self, Project, document, field, information, metadata, occurrence};
use crate::model::Point;
use crate::precision::information::RelationKind;
use crate::precision::occurrence::{Occurrence, Range};
use crate::precision::symbol::{Symbol, names};
use crate::precision::{Answer, Index, IndexFile, Library, Question};

/// The number of results in each document.
type Counts = BTreeMap<String, usize>;
type Symbols<'b> = BTreeSet<Symbol<'b>>;

fn counts(answer: &Answer) -> Counts {
    let mut counts = Counts::new();
    for it in &answer.results {
        *counts.entry(it.place.path.to_string()).or_default() += 1;
    }
    counts
}

/// By looking at every occurrence of the index.
fn places(index: &Index<'_>, is_meant: impl Fn(usize, &Occurrence<'_>) -> bool) -> Counts {
    let found = index.occurrences().filter(|(number, it)| is_meant(*number, it));
    let ranges: BTreeSet<(usize, Range)> = found.map(|(number, it)| (number, it.range)).collect();
    let mut counts = Counts::new();
    for (number, _) in ranges {
        *counts.entry(index.documents[number].path.to_string()).or_default() += 1;
    }
    counts
}

/// Everything that relations of a kind lead to, by going over all of them until nothing is added.
fn closure<'b>(index: &Index<'b>, kind: RelationKind, start: &Symbols<'b>, is_up: bool) -> Symbols<'b> {
    let mut seen = start.clone();
    loop {
        let before = seen.len();
        for (at, it) in index.relations().filter(|(_, it)| it.is(kind)) {
            let of = |text| at.map_or(Symbol::global(text), |at| Symbol::new(text, at));
            let (from, to) = if is_up { (of(it.from), of(it.to)) } else { (of(it.to), of(it.from)) };
            if seen.contains(&from) {
                seen.insert(to);
            }
        }
        if seen.len() == before {
            return seen.difference(start).copied().collect();
        }
    }
}

/// The symbols of the smallest range at a place, with what copies of a document call them.
fn own<'b>(index: &Index<'b>, number: usize, caret: (u32, u32)) -> Symbols<'b> {
    let holding: Vec<_> = index.documents[number]
        .occurrences()
        .iter()
        .filter(|it| it.range.start <= caret && caret < it.range.end)
        .collect();
    let size = |it: &Range| (it.end.0 - it.start.0, it.end.1.wrapping_sub(it.start.1));
    let smallest = holding.iter().map(|it| size(&it.range)).min();
    let here = holding.iter().filter(|it| Some(size(&it.range)) == smallest);
    let mut symbols: Symbols<'b> = here.map(|it| Symbol::new(it.symbol, number)).collect();
    loop {
        let before = symbols.len();
        for (number, document) in index.documents.iter().enumerate().filter(|(_, it)| it.is_copied()) {
            let all = document.occurrences().iter();
            let definitions: Vec<_> = all.filter(|it| it.is_definition() && !it.range.is_empty()).collect();
            for (one, other) in definitions.iter().flat_map(|one| definitions.iter().map(move |it| (one, it)))
            {
                let is_alias =
                    one.range == other.range && names(one.symbol).last() == names(other.symbol).last();
                if is_alias && symbols.contains(&Symbol::new(one.symbol, number)) {
                    symbols.insert(Symbol::new(other.symbol, number));
                }
            }
        }
        if symbols.len() == before {
            return symbols;
        }
    }
}

fn expected(index: &Index<'_>, question: Question, number: usize, caret: (u32, u32)) -> Counts {
    let own = own(index, number, caret);
    let related = |kind, is_up| closure(index, kind, &own, is_up);
    let among =
        |symbols: &Symbols<'_>, at, it: &Occurrence<'_>| symbols.contains(&Symbol::new(it.symbol, at));
    match question {
        Question::Definition => {
            let imported = |it: &Symbol<'_>| {
                index.occurrences().any(|(number, occurrence)| {
                    occurrence.is_definition()
                        && occurrence.is_import()
                        && Symbol::new(occurrence.symbol, number) == *it
                })
            };
            let mut meant: Symbols<'_> = own.iter().filter(|it| !imported(it)).copied().collect();
            if meant.is_empty() {
                meant.clone_from(&own);
            }
            meant.extend(related(RelationKind::Definition, true));
            places(index, |at, it| it.is_definition() && among(&meant, at, it))
        }
        Question::References => {
            let mut meant = own.clone();
            meant.extend(related(RelationKind::Reference, true));
            meant.extend(related(RelationKind::Reference, false));
            places(index, |at, it| !it.is_definition() && among(&meant, at, it))
        }
        Question::Implementations => {
            let meant = related(RelationKind::Implementation, false);
            places(index, |at, it| it.is_definition() && among(&meant, at, it))
        }
    }
}

/// Asks an index of which nothing is decoded.
fn ask<T>(project: &Project, file: &IndexFile, question: impl FnOnce(&Library<'_, '_>) -> T) -> T {
    let index = Index::parse(&file.bytes).unwrap();
    let freshness = project.freshness(&index, file);
    question(&Library { root: project.root(), index: &index, freshness: &freshness })
}

/// Asks at every occurrence of an index whose columns are those of its ASCII files.
fn check_places(project: &Project, bytes: &[u8]) -> usize {
    let file = project.index(bytes);
    let index = Index::parse(&file.bytes).unwrap();
    let mut asked = 0;
    for (number, it) in index.occurrences().filter(|(_, it)| !it.range.is_empty()) {
        let path = &index.documents[number].path;
        // Where a carriage return alone ends a line for the indexer, its lines are not ours.
        let is_plain = |it: Vec<u8>| it.is_ascii() && !it.contains(&b'\r');
        let is_ascii = project.root().read(path, 1 << 20).is_ok_and(is_plain);
        for question in [Question::Definition, Question::References, Question::Implementations] {
            let (line, column) = it.range.start;
            let point = Point { line: line + 1, column: column + 1 };
            if is_ascii {
                let answer = ask(project, &file, |it| it.at(question, path, point));
                let expected = expected(&index, question, number, it.range.start);
                assert_eq!(counts(&answer), expected, "{question:?} at {path}:{point}");
                asked += 1;
            }
        }
    }
    asked
}

/// Asks for every symbol by its text, its name and what a person calls it.
fn check_names(bytes: &[u8]) -> usize {
    let project = Project::empty();
    let file = project.index(bytes);
    let index = Index::parse(&file.bytes).unwrap();
    let symbols: BTreeSet<&str> = index.occurrences().map(|it| it.1.symbol).collect();
    let mut sought: BTreeSet<String> = symbols.iter().map(|it| (*it).to_owned()).collect();
    sought.insert("shown".to_owned());
    sought.extend(symbols.iter().filter_map(|it| names(it).last().map(ToString::to_string)));
    for name in &sought {
        let tail: Vec<&str> = name.split(['.', '#', '/', ':']).filter(|it| !it.is_empty()).collect();
        let inside = index.documents.iter().enumerate();
        let mut shown: Symbols<'_> =
            inside.flat_map(|(at, it)| it.shown_as(name).map(move |it| Symbol::new(it, at))).collect();
        shown.extend(index.external_shown_as(name).map(Symbol::global));
        let is_meant = |at, it: &Occurrence<'_>| {
            let names = names(it.symbol);
            let has_tail = !tail.is_empty()
                && names.len() >= tail.len()
                && names[names.len() - tail.len()..].iter().eq(tail.iter());
            it.symbol == name || has_tail || shown.contains(&Symbol::new(it.symbol, at))
        };
        let symbols = |is_wanted: &dyn Fn(usize, &Occurrence<'_>) -> bool| -> Symbols<'_> {
            let all = index.occurrences().filter(|(at, it)| it.is_definition() && is_wanted(*at, it));
            all.map(|(at, it)| Symbol::new(it.symbol, at)).collect()
        };
        let named = symbols(&is_meant);
        let imported = symbols(&|_, it| it.is_import());
        let rest: Symbols<'_> = named.difference(&imported).copied().collect();
        let meant = if rest.is_empty() { named } else { rest };
        let expected =
            places(&index, |at, it| it.is_definition() && meant.contains(&Symbol::new(it.symbol, at)));
        let answer = ask(&project, &file, |it| it.named(name));
        assert_eq!(counts(&answer), expected, "{name}");
    }
    sought.len()
}

#[test]
fn every_symbol_of_a_real_index_is_found_by_its_name() {
    let Some(folder) = data::folder() else { return };
    let mut asked = 0;
    for name in ["indexes", "wild", "variants"] {
        for (_, bytes) in data::indexes(&folder.join(name)) {
            if bytes.len() < 100_000 && Index::parse(&bytes).is_ok() {
                asked += check_names(&bytes);
            }
        }
    }
    assert!(asked > 1_000, "{asked}");
}

#[test]
fn every_place_of_a_real_index_is_answered() {
    let Some(folder) = data::folder() else { return };
    for (project, index) in [
        ("ts-uni", "ts-uni.scip-typescript-0.4.0.scip"),
        ("py-uni", "py-uni.scip-python-0.6.6.scip"),
        ("py-uni", "py-uni.ty-scip-0.1.0.scip"),
    ] {
        let project = Project::copy(&folder.join("small").join(project));
        let bytes = std::fs::read(folder.join("indexes").join(index)).unwrap();
        assert!(check_places(&project, &bytes) > 100, "{index}");
    }
}

/// A local symbol that a person calls `x` says nothing of the locals of other documents.
#[test]
fn a_local_symbol_is_shown_in_its_document_only() {
    let shown = field(3, &[field(1, b"local 0"), field(6, b"x")].concat());
    let index = [
        metadata("t", "1"),
        document("a", &[occurrence([0, 0, 1], "local 0", 1), shown]),
        document("b", &[occurrence([0, 0, 1], "local 0", 1)]),
    ];
    let project = Project::empty();
    let answer = ask(&project, &project.index(&index.concat()), |it| it.named("x"));
    assert_eq!(counts(&answer), Counts::from([("a".to_owned(), 1)]));
}

/// The documents are chosen by their bytes, where there are few texts to look for.
#[test]
fn few_texts_choose_the_documents_that_hold_them() {
    let long = "s n p 1 a/`a very long name that is more than the bytes that are looked for`/f().";
    let parts = [("a", long), ("b", SYMBOLS[1]), ("c", SYMBOLS[2]), ("d", "s n p 1 `a.ts`/g().")];
    let documents = parts.map(|(path, symbol)| document(path, &[occurrence([0, 0, 2], symbol, 0)]));
    let bytes = [metadata("t", "1"), documents.concat()].concat();
    let index = Index::parse(&bytes).unwrap();
    let check = |texts: &[&str], expected: &[usize]| {
        assert_eq!(index.holding(texts), expected.iter().copied().collect(), "{texts:?}");
    };
    check(&[long], &[0]);
    check(&["f()."], &[0, 1, 2]);
    check(&[SYMBOLS[1], SYMBOLS[2]], &[1, 2]);
    check(&["nowhere"], &[]);
    check(&["nowhere"; 9], &[0, 1, 2, 3]);
}

/// One is the end of another, two differ in their package, the name of one has a backtick, which is doubled.
const SYMBOLS: [&str; 7] = [
    "s n p 1 `a.ts`/f().",
    "s n p 2 `a.ts`/f().",
    "s n p 1 `b.ts`/f().(f)",
    "s n p 1 b/`f``f`#",
    "local 0",
    "local 1",
    "f().",
];

proptest! {
    /// Paths come twice, symbols everywhere, relations in rings, names for a person of a symbol of elsewhere.
    #[test]
    fn any_index_answers_as_all_of_its_documents_do(
        documents in vec(
            (0..4usize, vec((0..9u8, 0..7usize, 0..4u8), 1..6), vec((0..7usize, 0..7usize, 1..6u8), 0..3)),
            1..6,
        ).boxed(),
    ) {
        let paths = ["a.ts", "b.ts", "c/a.ts", "c/d.ts"];
        let text = [&b"ab ".repeat(9)[..], b"\n"].concat();
        let project = Project::with(&paths.map(|it| (it, text.as_slice())));
        let mut bytes = metadata("scip-typescript", "0.4.0");
        for (path, occurrences, relations) in documents {
            let occurrences = occurrences.into_iter().map(|(at, symbol, roles)| {
                occurrence([0, at * 3, at * 3 + 2], SYMBOLS[symbol], roles)
            });
            let relations = relations.into_iter().map(|(from, to, kind)| match kind {
                1 => field(3, &[field(1, SYMBOLS[from].as_bytes()), field(6, b"shown")].concat()),
                kind => information(SYMBOLS[from], &[(SYMBOLS[to], kind)]),
            });
            let parts: Vec<Vec<u8>> = occurrences.chain(relations).collect();
            bytes.extend(document(paths[path], &parts));
        }
        check_places(&project, &bytes);
        prop_assert_eq!(check_names(&bytes) > 0, true);
    }
}
