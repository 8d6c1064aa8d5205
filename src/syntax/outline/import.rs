//! A statement that makes names of another file or package available.

use crate::model::Span;

/// One import, as written.
#[derive(Clone, Debug)]
pub struct Import {
    /// The module as written, without quotes and without leading dots; `::`, `.` or `/` as the language has it.
    pub module: Box<str>,
    pub names: Vec<ImportedName>,
    pub kind: ImportKind,
    pub form: ImportForm,
    /// The number of leading dots of a relative Python import.
    pub dots: u32,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedName {
    pub name: Box<str>,
    pub alias: Option<Box<str>>,
}

/// What becomes available.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ImportKind {
    /// The listed names of the module.
    Names,
    /// The module itself: one listed name when it is bound to an alias, none otherwise.
    Module,
    /// Everything that the module exports.
    Star,
    /// Nothing: the module is only run.
    SideEffect,
}

/// Whether the names are for this file or handed on to those who import it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ImportForm {
    Use,
    ReExport,
}

impl ImportedName {
    /// The name under which this file knows it.
    pub fn local(&self) -> &str {
        self.alias.as_deref().unwrap_or(&self.name)
    }
}

#[cfg(test)]
impl ImportKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Names => "names",
            Self::Module => "module",
            Self::Star => "star",
            Self::SideEffect => "side_effect",
        }
    }
}
