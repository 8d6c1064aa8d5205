//! The project's settings, `.codecortex/config.json`: from what is written to what is valid.
//!
//! The raw form is the syntax tree of the file, which knows the place of every value; the valid form is [`Config`],
//! which holds only values in range. A malformed section falls back to its defaults and leaves a note, so that a typing
//! error never stops local work. Every value remembers whether the file or the program chose it.

mod jsonc;
mod nearest;
mod note;
mod read;
mod section;
mod settings;
mod trust;

pub use jsonc::{Dialect, inside_quotes, parse};
pub use note::{CODES, UNREADABLE};
pub use read::read;
pub use settings::{Check, Config, Entry, Level, Limits, Origin, PrecisionIndex, digest, schema};

#[cfg(test)]
mod tests;
