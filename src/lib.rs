//! CodeCortex.
mod graph;
mod impact;
mod model;
mod syntax;
