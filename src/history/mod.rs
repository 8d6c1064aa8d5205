//! What the commits say: which of them changed a file, which of these were fixes, and which files change together.
//!
//! Only names of contents are compared, never contents, so that a clone without blobs answers too. What a clone lacks
//! (it is shallow, or has no trees) is a reason beside the answer: a count that needs more is unavailable and never 0.
//! Who wrote a line does need contents, and is asked for a few lines at a time and within a time limit.

mod blame;
mod cache;
mod changed;
mod codes;
mod evidence;
mod fix;
mod mined;
mod together;

pub use blame::{blame, older_line};
pub use changed::{changed, sides};
pub use codes::CODES;
pub use mined::{FileHistory, History, read};
pub use together::Partner;
