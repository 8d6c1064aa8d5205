//! The readers of the dependency files of the build tools of the Java virtual machine.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    dependency_files::JVM.read_everything(bytes);
});
