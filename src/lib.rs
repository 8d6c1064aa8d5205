//! CodeCortex.
mod model;
mod syntax;
