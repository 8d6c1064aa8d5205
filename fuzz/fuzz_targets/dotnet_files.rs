//! The readers of the dependency files of .NET.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    dependency_files::DOTNET.read_everything(bytes);
});
