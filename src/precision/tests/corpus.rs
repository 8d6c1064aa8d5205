//! The inputs that the fuzz target keeps, and the questions that it asks.

use std::path::Path;

#[path = "../../../fuzz/ask.rs"]
mod ask;

#[test]
fn what_fuzzing_kept_can_be_asked() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/precision");
    let inputs = std::fs::read_dir(folder).unwrap();
    let bytes: Vec<_> = inputs.map(|it| std::fs::read(it.unwrap().path()).unwrap()).collect();
    let are_indexes = bytes.iter().filter(|it| ask::PLACE.with(|place| place.ask_everything(it))).count();
    assert!(are_indexes >= 10 && are_indexes < bytes.len(), "{are_indexes} of {}", bytes.len());
}
