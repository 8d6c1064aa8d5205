//! The outline as it is kept: references sorted, names interned, what is local dropped.

use std::collections::BTreeMap;

use super::bind::RESULT;
use super::definition::Definition;
use super::import::Import;
use super::record::CALL;
use super::reference::{Name, Qualifier, Reference, ReferenceKind};
use super::value::{Binding, FunctionNumber, Value, ValueNumber};
use super::walk::{Before, Mark, MarkKind, Walk};
use super::written::{Written, WrittenNumber};
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
    /// The names that functions bind, by their text.
    sorted: Vec<Name>,
    values: Vec<Value>,
    written: Vec<Written>,
    /// By function and name.
    bindings: Vec<Binding>,
    functions: Vec<Option<FunctionNumber>>,
    /// The name under which functions bind what they give back.
    result: Option<Name>,
}

impl Outline {
    /// The text of a name of this outline.
    pub fn text(&self, name: Name) -> &str {
        self.names.get(name.0 as usize).map_or("", AsRef::as_ref)
    }

    /// The number of a name that stands in the file.
    pub fn name(&self, text: &str) -> Option<Name> {
        let at = self.sorted.binary_search_by(|it| self.text(*it).cmp(text)).ok()?;
        self.sorted.get(at).copied()
    }

    /// What an expression is made of.
    pub fn value(&self, number: ValueNumber) -> Option<Value> {
        self.values.get(number as usize).copied()
    }

    /// A type as it is written.
    pub fn written(&self, number: WrittenNumber) -> Option<&Written> {
        self.written.get(number as usize)
    }

    /// What a function binds to a name.
    pub fn bindings(&self, function: FunctionNumber, name: Name) -> &[Binding] {
        let key = |it: &Binding| (it.function, it.name);
        let start = self.bindings.partition_point(|it| key(it) < (function, name));
        let rest = self.bindings.get(start..).unwrap_or_default();
        let count = rest.iter().take_while(|it| key(it) == (function, name)).count();
        rest.get(..count).unwrap_or_default()
    }

    /// What a function gives back, where it says so by its statements.
    pub fn results(&self, function: FunctionNumber) -> &[Binding] {
        self.result.map_or(&[], |it| self.bindings(function, it))
    }

    /// What a function gets at the place of a parameter.
    pub fn parameter(&self, function: FunctionNumber, place: u8) -> Option<&Binding> {
        let start = self.bindings.partition_point(|it| it.function < function);
        let own = self.bindings.get(start..).unwrap_or_default();
        own.iter().take_while(|it| it.function == function).find(|it| it.parameter == Some(place))
    }

    #[cfg(test)]
    pub fn all_bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// The function around a function.
    pub fn around(&self, function: FunctionNumber) -> Option<FunctionNumber> {
        self.functions.get(function as usize).copied().flatten().filter(|it| *it < function)
    }

    /// The place of a reference's name.
    pub fn span(&self, reference: &Reference) -> Span {
        if self.text(reference.name) == CALL
            && let Qualifier::Value(value) = reference.qualifier
            && let Some(Value::Name(name)) = self.value(value)
        {
            return self.span(&Reference { name, qualifier: Qualifier::Absent, ..*reference });
        }
        let length = u32::try_from(self.text(reference.name).chars().count()).unwrap_or(u32::MAX);
        let start = reference.start;
        Span { start, end: Point { line: start.line, column: start.column.saturating_add(length) } }
    }
}

impl<'t> Walk<'t> {
    pub(super) fn finish(mut self) -> Outline {
        self.attach_owned();
        let mut marks = std::mem::take(&mut self.marks);
        marks.sort_by_key(|it| (it.offset, it.kind));
        marks.dedup_by_key(|it| it.offset);
        self.bindings.sort_unstable();
        self.bindings.dedup();
        let known: Vec<Box<str>> = local_names(&self).into_iter().map(Into::into).collect();
        let mut references = Vec::new();
        for mark in marks {
            references.extend(self.reference(&mark, &known));
        }
        references.shrink_to_fit();
        let result = self.tables.names.known(RESULT);
        let (names, values, written) = self.tables.into_lists();
        let mut sorted: Vec<Name> = self.bindings.iter().map(|it| it.name).collect();
        sorted.sort_unstable();
        sorted.dedup();
        sorted.sort_by(|a, b| names.get(a.0 as usize).cmp(&names.get(b.0 as usize)));
        Outline {
            references,
            names,
            sorted,
            values,
            written,
            bindings: self.bindings,
            functions: self.functions,
            result,
            definitions: self.definitions,
            imports: self.imports,
            packages: self.packages,
            errors: self.errors,
        }
    }

    /// A mark as a reference, when what it means may stand outside its function.
    fn reference(&mut self, mark: &Mark<'t>, known: &[Box<str>]) -> Option<Reference> {
        let MarkKind::Reference(mut kind) = mark.kind else { return None };
        if leads_on(self.text, mark) {
            kind = ReferenceKind::Use;
        }
        let locals = Locals(&self.bindings, &self.functions);
        let binds = |text: &str| locals.binds(mark.function, self.tables.names.known(text));
        let is_shared = self.habits.shares_packages;
        let is_known = |text: &str| is_shared || known.binary_search_by(|it| it.as_ref().cmp(text)).is_ok();
        let is_value = kind == ReferenceKind::Use;
        let qualifier = match mark.qualifier {
            Before::Nothing => {
                let is_bound = kind != ReferenceKind::Injected && binds(mark.name);
                if is_bound && kind == ReferenceKind::Call {
                    // What calling a value does is told by its type.
                    let value = self.chain(mark.name);
                    let name = self.tables.names.intern(CALL);
                    return Some(self.referred(mark, name, Qualifier::Value(value), kind));
                }
                if is_bound || is_value && !is_known(mark.name) {
                    return None;
                }
                Qualifier::Absent
            }
            Before::Named(text) if binds(head(text)) => Qualifier::Value(self.chain(text)),
            Before::Named(text) => {
                let is_own = matches!(
                    head(text),
                    "self" | "this" | "cls" | "Self" | "super" | "base" | "crate" | "JSX"
                );
                if is_value && !is_own && !is_known(head(text)) {
                    return None;
                }
                Qualifier::Named(self.tables.names.intern(text))
            }
            Before::Expression(node) => match self.value(node) {
                Some(value) => Qualifier::Value(value),
                None if is_value => return None,
                None => Qualifier::Expression,
            },
        };
        let name = self.tables.names.intern(mark.name);
        Some(self.referred(mark, name, qualifier, kind))
    }

    fn referred(&self, mark: &Mark<'t>, name: Name, qualifier: Qualifier, kind: ReferenceKind) -> Reference {
        let start = self.columns.point(mark.place, mark.offset);
        Reference { name, qualifier, kind, start, within: mark.within, function: mark.function }
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

/// The names that functions bind for themselves.
struct Locals<'w>(&'w [Binding], &'w [Option<FunctionNumber>]);

impl Locals<'_> {
    /// Whether a function, or one around it, binds a name.
    fn binds(&self, function: Option<FunctionNumber>, name: Option<Name>) -> bool {
        let Some(name) = name else { return false };
        let mut around = function;
        while let Some(function) = around {
            if self.0.binary_search_by_key(&(function, name), |it| (it.function, it.name)).is_ok() {
                return true;
            }
            around = self.1.get(function as usize).copied().flatten().filter(|it| *it < function);
        }
        false
    }
}
