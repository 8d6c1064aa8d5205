//! One question in words: which layers it asks, what they say, and the few lines of source that answer it.
//!
//! Terms: an *aim* is what the question wants to know (where a name is defined, who calls it); a *route* is the layers
//! that can say so, with the reason for each; a *term* is a word as it is compared, so that `parsing`, `parser` and
//! `parse` are one. Everything here is pure and deterministic: rules over words, no model and no clock. Nothing is ever
//! changed: a question that asks for a change gets the evidence for it.

mod aim;
mod answer;
mod known;
mod lexical;
mod pack;
mod question;
mod render;
mod route;
mod term;
mod token;

pub use answer::{Answer, CODES, Found, Material, Seen, answer};
pub use known::Known;
pub use pack::{Item, Packed, pack};
pub use question::Question;
pub use render::context;
pub use route::{Route, Step, route};
pub use token::tokens;
