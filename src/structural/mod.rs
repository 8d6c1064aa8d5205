//! Finding code by its syntax: ast-grep rules, checked before they are believed, run over trees that are parsed once.
//!
//! Terms: a *rule* is one YAML document; a *pattern* is code with metavariables; a rule's *needs* are the literals
//! without which it cannot match, so that a file that lacks them is not looked at; a *match* is a node that a rule
//! took; a *suppression* is a comment that takes matches back.

mod explain;
mod load;
mod matching;
mod needs;
mod pattern;
mod problem;
mod rule;
mod ruleset;
mod suppression;

pub use explain::CODES;
pub use load::{Loaded, Source, Wanted, load};
pub use matching::{Edit, Found, Match};
pub use rule::{Inline, Rule};
pub use ruleset::{Active, RuleSet, with_severities};
