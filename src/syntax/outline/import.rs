//! A statement that makes names of another file or package available.

use serde::{Deserialize, Serialize};
use tree_sitter::Node;

use super::walk::{Walk, unquoted};
use crate::model::{Point, Span};

/// One import, as written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Import {
    /// The module as written, without quotes and without leading dots; `::`, `.` or `/` as the language has it.
    pub module: Box<str>,
    pub names: Vec<ImportedName>,
    pub kind: ImportKind,
    pub form: ImportForm,
    /// The number of leading dots of a relative Python import.
    pub dots: u32,
    pub span: Span,
    /// Where the module stands in it, for one that is written in one piece.
    pub place: Option<Span>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedName {
    pub name: Box<str>,
    pub alias: Option<Box<str>>,
    /// Where the name and its alias stand; none for what does not stand there as a name of its own.
    pub places: [Option<Span>; 2],
}

/// What becomes available.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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

impl Walk<'_> {
    /// Records an import of names with their aliases.
    pub(super) fn import(
        &mut self,
        node: Node<'_>,
        module: &str,
        kind: ImportKind,
        names: Vec<ImportedName>,
    ) {
        self.import_as(node, module, kind, names, ImportForm::Use);
    }

    pub(super) fn import_as(
        &mut self,
        node: Node<'_>,
        module: &str,
        kind: ImportKind,
        names: Vec<ImportedName>,
        form: ImportForm,
    ) {
        let span = self.columns.span(node);
        self.imports.push(Import { module: module.into(), names, kind, form, dots: 0, span, place: None });
    }

    /// Says where the module of the last import stands.
    pub(super) fn import_from(&mut self, module: Node<'_>) {
        let place = self.columns.span(module);
        if let Some(last) = self.imports.last_mut() {
            last.place = Some(place);
        }
    }

    pub(super) fn imported(&self, name: Node<'_>, alias: Option<Node<'_>>) -> ImportedName {
        let text = |it| unquoted(self.text_of(it)).into();
        let places = [Some(self.columns.span(name)), alias.map(|it| self.columns.span(it))];
        ImportedName { name: text(name), alias: alias.map(text), places }
    }

    /// A name that does not stand in the statement, bound to one that does.
    pub(super) fn renamed(&self, name: &str, alias: Node<'_>) -> ImportedName {
        let places = [None, Some(self.columns.span(alias))];
        ImportedName { name: name.into(), alias: Some(self.text_of(alias).into()), places }
    }

    /// A name at the end of a path.
    pub(super) fn imported_end(&self, name: &str, path: Node<'_>, alias: Option<Node<'_>>) -> ImportedName {
        let end = self.columns.end(path);
        let length = u32::try_from(name.chars().count()).unwrap_or(u32::MAX);
        let start = end.column.checked_sub(length).map(|column| Point { line: end.line, column });
        let stands = self.text_of(path).ends_with(name);
        let place = start.filter(|_| stands).map(|start| Span { start, end });
        ImportedName {
            name: name.into(),
            alias: alias.map(|it| self.text_of(it).into()),
            places: [place, alias.map(|it| self.columns.span(it))],
        }
    }
}
