//! Impact.
