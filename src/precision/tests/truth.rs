//! Small projects whose definitions and references were computed from their text, against what real indexers say.

use std::collections::{BTreeMap, BTreeSet};

use super::data::{self, Project};
use crate::model::{Evidence, Point};
use crate::precision::{Freshness, Index, Library, Question};

/// Path, line, column, end column.
type Place = (String, u32, u32, u32);

/// A symbol of a project as the text has it.
struct True {
    name: String,
    definitions: BTreeSet<Place>,
    references: BTreeSet<Place>,
}

fn truth(text: &str) -> Vec<True> {
    let json: serde_json::Value = serde_json::from_str(text).unwrap();
    let number = |it: &serde_json::Value| u32::try_from(it.as_u64().unwrap()).unwrap();
    let place = |it: &serde_json::Value| {
        let path = it["path"].as_str().unwrap().to_owned();
        (path, number(&it["line"]), number(&it["column"]), number(&it["end_column"]))
    };
    let places = |it: &serde_json::Value| it.as_array().unwrap().iter().map(place).collect();
    let symbols = json["symbols"].as_object().unwrap().iter();
    let read = symbols.map(|(name, it)| True {
        name: name.clone(),
        definitions: places(&it["definitions"]),
        references: places(&it["references"]),
    });
    read.collect()
}

fn place(it: &Evidence) -> Place {
    let span = it.place.span;
    assert_eq!(span.start.line, span.end.line);
    (it.place.path.to_string(), span.start.line, span.start.column, span.end.column)
}

/// Asks about a place; the results that name the symbol itself.
fn ask(library: &Library<'_, '_>, question: Question, (path, line, column, _): &Place) -> BTreeSet<Place> {
    let point = Point { line: *line, column: *column };
    let answer = library.at(question, &path.parse().unwrap(), point);
    let own = answer.results.iter().filter(|it| it.target.is_none());
    own.map(|it| {
        assert!(it.is_exact() || path.contains("latin1"), "{it:?}");
        place(it)
    })
    .collect()
}

/// Asks at every definition and every reference, and lists the symbols for which an answer is not the truth.
fn differences(library: &Library<'_, '_>, truth: &[True]) -> BTreeMap<String, Vec<String>> {
    let mut wrong: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for symbol in truth.iter().filter(|it| !it.definitions.is_empty()) {
        for at in symbol.definitions.iter().chain(&symbol.references) {
            for (question, expected) in
                [(Question::Definition, &symbol.definitions), (Question::References, &symbol.references)]
            {
                let found = ask(library, question, at);
                let parts = [("missing", expected.difference(&found)), ("extra", found.difference(expected))];
                for (what, places) in parts {
                    wrong
                        .entry(symbol.name.clone())
                        .or_default()
                        .extend(places.map(|it| format!("{question:?} at {at:?}: {what} {it:?}")));
                }
            }
        }
    }
    wrong.retain(|_, it| !it.is_empty());
    wrong
}

/// Every place of every symbol, at its exact line and columns; `differs` names the symbols for which the indexer
/// itself says something else, as the notes beside the indexes list.
#[track_caller]
fn check(project: &str, index: &str, differs: &[&str]) {
    let Some(folder) = data::folder() else { return };
    let copy = Project::copy(&folder.join("small").join(project));
    let bytes = std::fs::read(folder.join("indexes").join(index)).unwrap();
    let file = copy.sealed(&bytes);
    let index = Index::parse(&file.bytes).unwrap();
    let freshness = Freshness::settle(&copy.repository, &index, &file);
    let library = Library { root: copy.root(), index: &index, freshness: &freshness };
    let truth = truth(&std::fs::read_to_string(folder.join(format!("small/{project}.truth.json"))).unwrap());
    assert!(truth.len() > 40);
    let wrong = differences(&library, &truth);
    let names: Vec<&str> = wrong.keys().map(String::as_str).collect();
    assert_eq!(names, differs, "{wrong:#?}");
}

#[test]
fn typescript() {
    let differs = [
        // Both words of `default as x` and of `X as Y` name the target.
        "dflt.Dflt",
        // A property of a literal is a definition of the property that it fills.
        "dflt.val",
        "iface.Circle",
        // Each overload is a definition.
        "over.over",
        // A shorthand property names the variable and the property at one range.
        "over.v",
    ];
    check("ts-uni", "ts-uni.scip-typescript-0.4.0.scip", &differs);
}

#[test]
fn python_by_scip_python() {
    // One occurrence spans `X as Y`.
    check("py-uni", "py-uni.scip-python-0.6.6.scip", &["beta.AuthService", "iface.Circle"]);
}

#[test]
fn python_by_ty() {
    let differs = [
        // The index does not have these documents: it refuses Latin-1 and folders with spaces.
        "latin.latin_value",
        "spaces.deep",
        "spaces.spaced",
    ];
    check("py-uni", "py-uni.ty-scip-0.1.0.scip", &differs);
}
