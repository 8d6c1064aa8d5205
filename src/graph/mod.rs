//! Symbols and the edges between them, from outlines alone.
//!
//! What decides the worth of such a graph is the reachability of imports: no edge leads to a file that the source file
//! does not import within three steps, and none from production code to a test. Every edge says which resolution
//! made it; what that resolution is worth was measured against compilers' indexes (see `calibration`).

mod bases;
mod build;
mod calibration;
mod evaluate;
mod fuse;
mod known;
mod link;
mod lookup;
mod made;
mod names;
mod packages;
mod program;
mod python;
mod reach;
mod resolve;
mod roots;
mod rust;
mod script;
mod store;
#[cfg(test)]
mod tests;
mod typed;

pub use build::{CODES, SourceFile, build};
pub use calibration::{Calibration, Resolution};
pub use fuse::{Agreement, Guess};
pub use lookup::Lookup;
pub use roots::Roots;
pub use store::{Edge, EdgeKind, Graph, SymbolNumber};
