//! The readers of the dependency files of Python and Conda.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    dependency_files::PYTHON.read_everything(bytes);
});
