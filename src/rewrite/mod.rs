//! Guarded migrations: what the rules with a fix would do, as an artifact that can be reviewed, and its application.
//!
//! A rewrite is a set of byte edits; code that no rule matched keeps every byte. Nothing is written without a
//! *preview*: the edits, the SHA-256 of each file before and after, and a time after which it is void. Applying
//! takes a verified preview, which only [`verify`] makes, and a [`Grant`], which only the explicit flag makes.

mod apply;
mod draft;
mod explain;
mod preview;
mod splice;

pub use apply::{Grant, apply, verify};
pub use draft::{Draft, SecondPass, Version, draft};
pub use explain::CODES;
pub use preview::{FilePreview, Limits, Preview, SCHEMA, Subject, assemble};
