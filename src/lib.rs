//! CodeCortex.
mod config;
mod deps;
mod model;
mod syntax;
