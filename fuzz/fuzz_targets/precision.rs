//! The reader of precision indexes and everything that can be asked of one.
//!
//! `precision` and the modules that it names stand here as in the library, so that nothing of them has to be public.
#![no_main]
#![expect(dead_code, unused_imports, reason = "the modules serve more than an index")]

#[path = "../../src/config/mod.rs"]
mod config;
#[path = "../../src/model/mod.rs"]
mod model;
#[path = "../../src/precision/mod.rs"]
mod precision;
#[path = "../../src/repo/mod.rs"]
mod repo;
#[path = "../../src/system/mod.rs"]
mod system;

#[path = "../ask.rs"]
mod ask;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    ask::PLACE.with(|place| place.ask_everything(bytes));
});
