//! CodeCortex.
mod model;
mod repo;
mod syntax;
mod system;
