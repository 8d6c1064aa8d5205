//! What is of a type that is written out.

use super::evaluate::{Evaluation, Scene};
use super::known::{Kinds, Known, Shape, scene_of, tidy};
use super::made::made_of;
use super::names::{FUEL, Found};
use super::store::SymbolNumber;
use crate::syntax::{DefinitionKind, Written, WrittenNumber};

/// Types that are what their first argument is.
const TRANSPARENT: &[&str] = &[
    "Annotated",
    "Final",
    "ClassVar",
    "Required",
    "NotRequired",
    "ReadOnly",
    "Optional",
    "Union",
    "Box",
    "Rc",
    "Arc",
    "Ref",
    "RefMut",
    "Cow",
    "Pin",
    "MutexGuard",
    "RwLockReadGuard",
    "RwLockWriteGuard",
    "Readonly",
    "Partial",
    "NonNullable",
    "Required",
    "Omit",
    "Pick",
    "DeepReadonly",
];

impl<'f> Evaluation<'_, '_, 'f> {
    /// What is of a type that is written out.
    pub(super) fn written(&mut self, scene: &Scene<'_, 'f>, number: WrittenNumber) -> Kinds {
        let outline = &scene.row.source.outline;
        let Some(written) = outline.written(number).filter(|_| self.step()) else { return Kinds::new() };
        self.depth += 1;
        let mut kinds = match written {
            Written::Named(name, arguments) => {
                let parts: Box<[Kinds]> = arguments.iter().map(|it| self.written(scene, *it)).collect();
                self.type_named(scene, outline.text(*name), parts)
            }
            Written::Either(parts) => parts.iter().flat_map(|it| self.written(scene, *it)).collect(),
            Written::Sequence(item) => {
                let item = self.written(scene, *item);
                vec![Known::with(Shape::Sequence, Box::new([item]))]
            }
            Written::Tuple(parts) => {
                let parts = parts.iter().map(|it| self.written(scene, *it)).collect();
                vec![Known::with(Shape::Tuple, parts)]
            }
            Written::Function(parts) => {
                let parts = parts.iter().map(|it| self.written(scene, *it)).collect();
                vec![Known::with(Shape::Function, parts)]
            }
            Written::Unknown => Kinds::new(),
        };
        self.depth -= 1;
        tidy(&mut kinds);
        kinds
    }

    fn type_named(&mut self, scene: &Scene<'_, 'f>, path: &str, parts: Box<[Kinds]>) -> Kinds {
        let last = path.rsplit(['.', ':']).next().unwrap_or(path);
        if last == "None" || path == "null" || path == "undefined" || path == "nil" {
            return Kinds::new();
        }
        if matches!(path, "Self" | "this") {
            return self.own(scene, Shape::Instance);
        }
        let linker = self.linker;
        let around = linker.around(scene.row, scene.within);
        let mut fuel = FUEL;
        let nested = if path == last { linker.nested(scene.row, scene.within, path) } else { None };
        let found = nested
            .map(Found::Symbols)
            .or_else(|| linker.type_path(scene.row, scene.within, &around, path, &mut fuel));
        match found {
            Some(Found::Symbols(symbols)) => {
                let mut kinds = Kinds::new();
                for symbol in symbols {
                    kinds.extend(self.of_type(symbol, &parts));
                }
                kinds
            }
            Some(Found::Module(_)) => Kinds::new(),
            None => outer(last, parts),
        }
    }

    /// A value of a type of the repository; an alias stands for what it is an alias of.
    fn of_type(&mut self, symbol: SymbolNumber, parts: &[Kinds]) -> Kinds {
        let Some(definition) = self.linker.program.definition(symbol) else { return Kinds::new() };
        let alias = self.linker.kinds_of(symbol);
        let row = self.linker.program.row_of(symbol);
        if let (DefinitionKind::Type, Some(declared), Some(row)) = (definition.kind, definition.declared, row)
        {
            if !alias.is_empty() {
                return alias.to_vec();
            }
            let scene = scene_of(row, symbol.saturating_sub(row.symbol + 1), definition);
            return self.written(&scene, declared);
        }
        if definition.kind.is_type() {
            return vec![Known::with(Shape::Instance(symbol), parts.into())];
        }
        if !matches!(definition.kind, DefinitionKind::Variable | DefinitionKind::Constant) {
            return Kinds::new();
        }
        // `T = TypeVar("T")`, or `Name = Other`.
        if alias.iter().any(|it| it.outer() == Some("TypeVar")) {
            return vec![Known::plain(Shape::Argument(definition.name.clone()))];
        }
        made_of(&alias.to_vec())
    }
}

/// A value of a type that the repository does not define.
fn outer(name: &str, parts: Box<[Kinds]>) -> Kinds {
    match name {
        "type" | "Type" => {
            let of = parts.first().cloned().unwrap_or_default();
            if of.iter().any(|it| matches!(it.shape, Shape::Argument(_))) {
                return vec![Known::with(Shape::Outer("type".into()), parts)];
            }
            return of.into_iter().map(itself).collect();
        }
        "Union" => return parts.into_iter().flatten().collect(),
        "Callable" => return vec![Known::with(Shape::Function, parts)],
        _ => {}
    }
    if TRANSPARENT.contains(&name) {
        return parts.into_iter().next().unwrap_or_default();
    }
    vec![Known::with(Shape::Outer(name.into()), parts)]
}

fn itself(known: Known) -> Known {
    if let Shape::Instance(symbol) = known.shape {
        return Known { shape: Shape::Itself(symbol), ..known };
    }
    known
}
