//! Which language imports the packages of which ecosystem.

use crate::deps::Ecosystem;
use crate::syntax::Language;

/// Languages with one way to name a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    Script,
    Python,
    Rust,
}

impl Family {
    /// None for a language whose imports are not matched with packages.
    pub fn of_language(language: Language) -> Option<Self> {
        match language.name().as_str() {
            "javascript" | "typescript" | "tsx" => Some(Self::Script),
            "python" => Some(Self::Python),
            "rust" => Some(Self::Rust),
            _ => None,
        }
    }

    /// None for an ecosystem whose packages are not looked for in imports.
    pub const fn of_ecosystem(ecosystem: Ecosystem) -> Option<Self> {
        match ecosystem {
            Ecosystem::Npm => Some(Self::Script),
            Ecosystem::Pypi => Some(Self::Python),
            Ecosystem::Cargo => Some(Self::Rust),
            Ecosystem::Conda
            | Ecosystem::Golang
            | Ecosystem::Jsr
            | Ecosystem::Nuget
            | Ecosystem::Maven
            | Ecosystem::Gradle
            | Ecosystem::Ivy => None,
        }
    }
}
