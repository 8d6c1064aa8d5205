//! A remote provider of documentation, for who has agreed to ask one. The only network of the program.
//!
//! What leaves the machine is the name of a library, a label of one of its versions, and the question; nothing else. What
//! comes back is bounded, checked and shown as data. A library that is not ready, a missing label, a redirect, a refusal
//! are states, never documentation.

mod ask;
mod cache;
mod contract;
mod label;
mod provider;
mod state;

pub use ask::{Cached, Outcome, Question, ask};
pub use provider::Provider;
pub use state::State;
