//! CodeCortex.

mod bundle;
mod cli;
mod config;
mod deps;
mod graph;
mod impact;
mod model;
mod ops;
mod pipeline;
mod repo;
mod report;
mod rewrite;
mod structural;
mod syntax;
mod system;
mod validate;

pub use cli::{cortex, cortex_scan};
