//! What is wrong with a rule, and where.

use std::fmt;

use super::rule::Origin;

/// A rule that cannot be used. A run with such a rule stops: a pattern that means nothing must not look like one
/// that found nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    pub origin: Origin,
    /// The rule's id, when it was readable.
    pub rule: Option<String>,
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: ", self.origin)?;
        if let Some(rule) = &self.rule {
            write!(formatter, "rule `{rule}`: ")?;
        }
        formatter.write_str(&self.message)
    }
}
