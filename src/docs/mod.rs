//! What the code uses of its dependencies, and what the installed packages say about that.
//!
//! A dependency is used where an import names it; [`usages`] joins the outlines of the files with the resolved
//! dependencies. What is installed is looked at only where code imports it, and answers only for the version that it is.

mod declaration;
mod deprecated_use;
mod family;
mod import_name;
mod library;
mod listing;
mod lookup;
mod machine;
mod package;
mod python_lookup;
mod python_text;
mod python_warning;
mod remote;
mod rust_lookup;
mod rust_text;
mod script_lookup;
mod script_text;
mod site_packages;
mod usage;
mod uses;

pub use deprecated_use::{CODES, deprecated_uses};
pub use listing::{Listing, listing};
pub use machine::{Machine, Places};
pub use package::{Presence, find};
pub use remote::{Cached, Outcome, Provider, Question, State, ask};
pub use usage::{FileUse, Packages, Usage, Usages, is_imported_from, usages};
pub use uses::Source;
