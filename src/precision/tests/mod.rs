//! Real indexes against ground truth, hostile ones against what must become of them, and both against the readers
//! that the protocol's own crate has.
//!
//! The indexes are large and hold other people's text, so they lie beside the repository and the tests that need
//! them say so and end where they are absent.

mod corpus;
mod data;
mod freshness;
mod hostile;
mod oracle;
mod property;
mod queries;
mod seal;
mod selection;
mod truth;
