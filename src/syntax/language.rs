//! The languages that can be parsed, by the engine's grammars.

use std::fmt;

use ast_grep_core::Language as _;
use ast_grep_language::SupportLang;

use crate::model::RepoPath;

/// A language that the engine has a grammar for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Language(SupportLang);

impl Language {
    /// Every language, in the engine's order.
    pub fn all() -> impl Iterator<Item = Self> {
        SupportLang::all_langs().iter().copied().map(Self)
    }

    /// The language of a file by its extension; none for a name without a known one. The rest of the name may be no
    /// text at all.
    pub fn of_path(path: &RepoPath) -> Option<Self> {
        let name = String::from_utf8_lossy(path.file_name());
        SupportLang::from_path(name.as_ref()).map(Self)
    }

    /// The language of a name such as `python`, `py`, `TypeScript` or `c#`.
    pub fn of_name(name: &str) -> Option<Self> {
        name.parse::<SupportLang>().ok().map(Self)
    }

    /// The name in lower case, as symbols and reports carry it.
    pub fn name(self) -> String {
        self.0.to_string().to_lowercase()
    }

    /// Tells it from the others of this program.
    pub const fn number(self) -> u8 {
        self.0 as u8
    }

    /// The engine's own value, for its matchers.
    pub const fn engine(self) -> SupportLang {
        self.0
    }
}

impl From<SupportLang> for Language {
    fn from(language: SupportLang) -> Self {
        Self(language)
    }
}

impl PartialOrd for Language {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Language {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.number().cmp(&other.number())
    }
}

impl fmt::Display for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
