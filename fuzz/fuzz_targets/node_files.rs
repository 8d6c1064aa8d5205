//! The readers of the dependency files of Node.js and Deno.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    dependency_files::NODE.read_everything(bytes);
});
