//! One question in words: which layers it asks, what they say, and the few lines of source that answer it.
//!
//! Terms: an *aim* is what the question wants to know (where a name is defined, who calls it); a *route* is the layers
//! that can say so, with the reason for each; a *term* is a word as it is compared, so that `parsing`, `parser` and
//! `parse` are one; a *claim* is a record of evidence with the lines that show it, a *piece* some of these lines.
//! Everything here is deterministic: rules over words, no model and no clock. Nothing is ever changed: a question that
//! asks for a change gets the evidence for it.

mod aim;
mod answer;
mod claim;
mod found;
mod known;
mod lexical;
mod pack;
mod question;
mod route;
mod synonym;
mod term;
mod text;
mod token;

pub use aim::Aim;
pub use answer::{Answer, CODES, Material, answer};
pub use claim::{Claim, Shown};
pub use found::Sources;
pub use known::Known;
pub use pack::{Sort, count};
pub use question::Question;
pub use route::{Route, route};
