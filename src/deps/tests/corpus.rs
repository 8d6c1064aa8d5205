//! The inputs that the fuzz targets begin with, and what they check.

use std::fs;
use std::path::Path;

#[path = "../../../fuzz/files.rs"]
mod files;

#[test]
fn what_fuzzing_begins_with_is_read_and_keeps_its_promises() {
    for (name, family) in [
        ("python_files", files::PYTHON),
        ("node_files", files::NODE),
        ("go_files", files::GO),
        ("jvm_files", files::JVM),
        ("dotnet_files", files::DOTNET),
    ] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            assert!(family.read_everything(&fs::read(&path).unwrap()) > 0, "{}", path.display());
        }
    }
}
