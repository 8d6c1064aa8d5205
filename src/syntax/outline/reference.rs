//! A place where a file uses a name. There are many: names are numbers into the file's own list.

use super::value::{FunctionNumber, ValueNumber};
use crate::model::Point;
use serde::{Deserialize, Serialize};

/// A use of a name that may be defined elsewhere.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Reference {
    pub name: Name,
    pub qualifier: Qualifier,
    pub kind: ReferenceKind,
    pub start: Point,
    /// The innermost definition around it, as an index into the outline's definitions.
    pub within: Option<u32>,
    /// The innermost function around it.
    pub function: Option<FunctionNumber>,
}

/// A name of one outline; its text is `Outline::text`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Name(pub(super) u32);

/// What stands before the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Qualifier {
    Absent,
    /// A name or a chain of names, such as `module`, `self`, `a.b` or `a::b`.
    Named(Name),
    /// What is worked out, or a name that is bound in the function.
    Value(ValueNumber),
    /// Anything else.
    Expression,
}

/// Strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ReferenceKind {
    /// A parameter that a framework fills by its name, such as a fixture of pytest.
    Injected,
    /// A base class, implemented interface or trait; `within` is the type that inherits.
    Inherits,
    Call,
    Type,
    /// A value, passed or read. Only names that the file imports or defines itself are kept.
    Use,
}

#[cfg(test)]
impl ReferenceKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inherits => "inherits",
            Self::Call => "call",
            Self::Type => "type",
            Self::Use => "use",
            Self::Injected => "injected",
        }
    }
}
