//! What the past says of the files of a change: fixes, and what used to change together. Advice and one factor of the
//! risk; nothing here is about the code itself.

mod fix;
mod past;

pub use fix::{Fixes, fixes};
pub use past::{CODES, FilePast, Partner, partners, past};
