//! What a change touches: the symbols that it changes, who uses them, which tests reach them, and how risky it is.
//!
//! Pure functions over outlines and a graph. Blind spots are notes, never a smaller answer without a word.

mod assess;
mod change;
mod hunk;
mod implicit;
mod lines;
mod rank;
mod reach;
mod risk;
mod select;
mod signature;
#[cfg(test)]
mod tests;

pub use assess::{CODES, Impact, Named, assess, assess_named};
pub use change::Change;
pub use hunk::{ChangedFile, Hunk, Side};
pub use reach::Affected;
pub use risk::{Availability, Risk};
pub use select::Selected;
