//! A named thing that a file defines.

use super::value::{FunctionNumber, ValueNumber};
use super::written::WrittenNumber;
use crate::model::{Point, Span};

/// A definition, with the places that tell a changed signature from a changed body.
#[derive(Clone, Debug)]
pub struct Definition {
    pub kind: DefinitionKind,
    pub name: Box<str>,
    /// The path of names inside the file: `Outer.inner`.
    pub qualified: Box<str>,
    pub name_span: Span,
    /// The whole definition, with decorators, attributes and the comment directly above.
    pub span: Span,
    /// Where the body begins: what changes before it changes the signature.
    pub body_start: Option<Point>,
    /// The definition around this one, or the type whose method it is when that stands in the same file.
    pub container: Option<usize>,
    pub visibility: Visibility,
    pub role: Role,
    /// The type that it says it has, or that its result has.
    pub declared: Option<WrittenNumber>,
    /// What it is set to.
    pub value: Option<ValueNumber>,
    /// The scope of the names that it binds when it runs.
    pub function: Option<FunctionNumber>,
    pub access: Access,
}

/// What naming a member means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// The member itself.
    Plain,
    /// What it gives when it runs: a property, a getter.
    Runs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DefinitionKind {
    Function,
    Method,
    Class,
    Interface,
    Struct,
    Enum,
    Variant,
    Trait,
    Module,
    Macro,
    Constant,
    Variable,
    Field,
    /// A field that a method gives its object; it stands inside the method, and no line is its own.
    Attribute,
    Type,
    /// A group of tests that is a call, such as `describe("…", …)`.
    Suite,
    /// A test that is a call, such as `it("…", …)`.
    Test,
}

/// Whether a definition can be named from another file, by its language's rule or habit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Visibility {
    Exported,
    Internal,
}

/// Whether a definition has the shape of a test. Where that shape is only a name (Python, Go, JavaScript), it counts
/// in a test file only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    Code,
    Test,
}

impl DefinitionKind {
    /// Whether code can name it: what a suite or test is called is a text for people.
    pub const fn has_name(self) -> bool {
        !matches!(self, Self::Suite | Self::Test)
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Method => "method",
            Self::Class => "class",
            Self::Interface => "interface",
            Self::Struct => "struct",
            Self::Enum => "enum",
            Self::Variant => "variant",
            Self::Trait => "trait",
            Self::Module => "module",
            Self::Macro => "macro",
            Self::Constant => "constant",
            Self::Variable => "variable",
            Self::Field | Self::Attribute => "field",
            Self::Type => "type",
            Self::Suite => "suite",
            Self::Test => "test",
        }
    }

    /// Whether it is a type that can have members.
    pub const fn is_type(self) -> bool {
        matches!(self, Self::Class | Self::Interface | Self::Struct | Self::Enum | Self::Trait | Self::Type)
    }

    /// Whether naming it gives what it holds.
    pub const fn holds_value(self) -> bool {
        matches!(self, Self::Field | Self::Attribute | Self::Variable | Self::Constant)
    }

    /// Whether its lines are its own: those of an attribute are the method's that sets it.
    pub const fn owns_lines(self) -> bool {
        !matches!(self, Self::Attribute)
    }

    /// Whether it runs: only such a definition can be a single test.
    pub const fn runs(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Test)
    }
}

impl Visibility {
    #[cfg(test)]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exported => "exported",
            Self::Internal => "internal",
        }
    }

    pub(super) const fn exported_if(is_exported: bool) -> Self {
        if is_exported { Self::Exported } else { Self::Internal }
    }
}

impl Role {
    pub(super) const fn test_if(is_test: bool) -> Self {
        if is_test { Self::Test } else { Self::Code }
    }
}
