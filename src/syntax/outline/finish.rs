//! The outline as it is kept: references sorted, names interned, what is local dropped.

use std::collections::BTreeMap;

use super::definition::Definition;
use super::import::Import;
use super::reference::{Name, Qualifier, Reference, ReferenceKind};
use super::walk::{Before, Mark, MarkKind, Walk};
use crate::model::{Point, Span};

/// What one file defines, imports and uses, in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    pub definitions: Vec<Definition>,
    pub imports: Vec<Import>,
    pub references: Vec<Reference>,
    /// The package or namespaces that the file says it belongs to.
    pub packages: Vec<Box<str>>,
    /// The number of places that the grammar could not read.
    pub errors: u32,
    names: Vec<Box<str>>,
}

impl Outline {
    /// The text of a name of this outline.
    pub fn text(&self, name: Name) -> &str {
        self.names.get(name.0 as usize).map_or("", AsRef::as_ref)
    }

    /// The place of a reference's name.
    pub fn span(&self, reference: &Reference) -> Span {
        let length = u32::try_from(self.text(reference.name).chars().count()).unwrap_or(u32::MAX);
        let start = reference.start;
        Span { start, end: Point { line: start.line, column: start.column.saturating_add(length) } }
    }
}

impl Walk<'_> {
    pub(super) fn finish(mut self) -> Outline {
        self.attach_owned();
        let mut marks = std::mem::take(&mut self.marks);
        marks.sort_by_key(|it| (it.offset, it.kind));
        marks.dedup_by_key(|it| it.offset);
        let local = Locals::of(&mut self);
        let known = local_names(&self);
        let mut names = Names::default();
        let mut references = Vec::new();
        for mark in marks {
            let MarkKind::Reference(mut kind) = mark.kind else { continue };
            if leads_on(self.text, &mark) {
                kind = ReferenceKind::Use;
            }
            let Some(before) = local.seen_from(&mark, &self.definitions) else { continue };
            let head = match before {
                Before::Nothing => Some(mark.name),
                Before::Named(text) => Some(head(text)),
                Before::Expression => None,
            };
            let is_kept = match kind {
                ReferenceKind::Inherits
                | ReferenceKind::Call
                | ReferenceKind::Type
                | ReferenceKind::Injected => true,
                ReferenceKind::Use => head.is_some_and(|it| known.binary_search(&it).is_ok()),
            };
            let name = mark.name;
            if !is_kept {
                continue;
            }
            let qualifier = match before {
                Before::Nothing => Qualifier::Absent,
                Before::Named(text) => Qualifier::Named(names.intern(text)),
                Before::Expression => Qualifier::Expression,
            };
            let start = self.columns.point(mark.place, mark.offset);
            references.push(Reference {
                name: names.intern(name),
                qualifier,
                kind,
                start,
                within: mark.within,
            });
        }
        references.shrink_to_fit();
        Outline {
            references,
            names: names.list.into_iter().map(Into::into).collect(),
            definitions: self.definitions,
            imports: self.imports,
            packages: self.packages,
            errors: self.errors,
        }
    }

    /// Gives methods that stand outside their type to it, when it is in this file.
    fn attach_owned(&mut self) {
        let types = self.definitions.iter().enumerate().filter(|(_, it)| it.kind.is_type());
        let types: BTreeMap<Box<str>, usize> = types.map(|(at, it)| (it.qualified.clone(), at)).collect();
        for (definition, owner) in self.definitions.iter_mut().zip(&self.owners) {
            if owner.is_some() {
                let of = definition.qualified.rsplit_once('.').map(|it| it.0);
                definition.container = of.and_then(|it| types.get(it).copied());
            }
        }
        for (mark, owner) in std::mem::take(&mut self.owned) {
            let within = types.get(owner).and_then(|it| u32::try_from(*it).ok());
            if let Some(mark) = self.marks.get_mut(mark) {
                mark.within = within;
            }
        }
    }
}

/// Whether a name is the start or middle of a path: the path's end is what is referred to.
fn leads_on(text: &str, mark: &Mark<'_>) -> bool {
    let rest = text.get(mark.offset + mark.name.len()..).unwrap_or_default();
    let is_path = rest.starts_with("::") || rest.starts_with('.') && !rest.starts_with("..");
    is_path && !matches!(mark.kind, MarkKind::Reference(ReferenceKind::Call))
}

/// The first name of a chain.
fn head(text: &str) -> &str {
    text.split(['.', ':']).next().unwrap_or(text)
}

/// The names that a value can mean beyond its function: imported ones and those of the file's top level.
fn local_names<'w>(walk: &'w Walk<'_>) -> Vec<&'w str> {
    let imported = walk.imports.iter().flat_map(|it| {
        let whole = if it.names.is_empty() { Some(head(&it.module)) } else { None };
        it.names.iter().map(|it| it.local()).chain(whole)
    });
    let defined = walk.definitions.iter().filter(|it| it.container.is_none()).map(|it| it.name.as_ref());
    let mut names: Vec<&str> = imported.chain(defined).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The names that each function binds for itself.
struct Locals<'t>(Vec<(u32, &'t str)>);

impl<'t> Locals<'t> {
    fn of(walk: &mut Walk<'t>) -> Self {
        let mut bound = std::mem::take(&mut walk.bound);
        bound.sort_unstable();
        bound.dedup();
        Self(bound)
    }

    /// The mark as seen from outside its function: none when its name is bound there, an expression when what
    /// stands before it is.
    fn seen_from<'m>(&self, mark: &Mark<'m>, definitions: &[Definition]) -> Option<Before<'m>> {
        match mark.qualifier {
            Before::Nothing if mark.kind == MarkKind::Reference(ReferenceKind::Injected) => {
                Some(Before::Nothing)
            }
            Before::Nothing => (!self.binds(mark.within, mark.name, definitions)).then_some(Before::Nothing),
            Before::Named(text) if self.binds(mark.within, head(text), definitions) => {
                Some(Before::Expression)
            }
            Before::Named(_) | Before::Expression => Some(mark.qualifier),
        }
    }

    fn binds(&self, within: Option<u32>, name: &str, definitions: &[Definition]) -> bool {
        let mut around = within;
        while let Some(number) = around {
            if self.0.binary_search(&(number, name)).is_ok() {
                return true;
            }
            let container = definitions.get(number as usize).and_then(|it| it.container);
            around = container.and_then(|it| u32::try_from(it).ok()).filter(|it| *it < number);
        }
        false
    }
}

/// Numbers for names while an outline is made.
#[derive(Default)]
struct Names<'t> {
    numbers: BTreeMap<&'t str, u32>,
    list: Vec<&'t str>,
}

impl<'t> Names<'t> {
    fn intern(&mut self, text: &'t str) -> Name {
        let next = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(text).or_insert(next);
        if number == next {
            self.list.push(text);
        }
        Name(number)
    }
}
