//! Precision code intelligence: answers by the identity of a symbol, from an index that a compiler or indexer wrote.
//!
//! An index is a SCIP file. It is read whole and bounded, its positions are converted at this border to one-based
//! lines and columns in code points, and every document is held against the source as it is: only what is proven
//! current, in a unit that is known, is exact.

mod answer;
mod before;
mod codes;
mod document;
mod encoding;
mod find;
mod freshness;
mod index;
mod information;
mod layer;
mod occurrence;
mod proof;
mod reading;
mod record;
mod refusal;
mod relations;
mod resolved;
mod seal;
mod stat_cache;
mod status;
mod symbol;
#[cfg(test)]
mod tests;
mod text;
mod wire;

pub use answer::{Answer, Library, Question};
pub use before::Before;
pub use codes::CODES;
pub use find::{IndexFile, PLACES, SEAL, find, is_index_or_seal, open};
pub use freshness::Freshness;
pub use index::Index;
pub use layer::{resolve, unavailable, usable};
pub use refusal::Refusal;
pub use resolved::{Resolved, Role, Target, Token};
pub use seal::{Seal, uncovered};
pub use stat_cache::StatCache;
pub use status::Status;
