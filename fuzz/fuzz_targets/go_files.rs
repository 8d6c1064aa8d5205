//! The readers of the dependency files of Go.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    dependency_files::GO.read_everything(bytes);
});
