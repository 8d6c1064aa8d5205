//! The readers of dependency files, as the targets ask them.
//!
//! `deps` and the modules that it names stand here as in the library, so that nothing of them has to be public.
#![expect(dead_code, unused_imports, reason = "the modules serve more than the readers")]

#[path = "../src/config/mod.rs"]
mod config;
#[path = "../src/deps/mod.rs"]
mod deps;
#[path = "../src/model/mod.rs"]
mod model;

mod files;

pub use files::{DOTNET, Family, GO, JVM, NODE, PYTHON};
