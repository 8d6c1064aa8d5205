//! CodeCortex.
mod config;
mod deps;
mod model;
mod repo;
mod syntax;
mod system;
