//! What one file defines, imports and uses, taken from its tree in one walk.
//!
//! A language is a table from node kinds to what is read there; the walk, the scopes and the positions are the same
//! for all. Tables and not queries: the walk carries the enclosing definition and the names bound in it along, which a
//! match of a query does not know.

mod bind;
mod columns;
mod csharp;
mod definition;
mod finish;
mod go;
mod go_value;
mod grammar;
mod import;
mod java;
mod kotlin;
mod python;
mod record;
mod reference;
mod rust;
mod rust_value;
mod script;
mod script_import;
mod script_value;
mod tables;
#[cfg(test)]
mod tests;
mod value;
mod walk;
mod written;

pub use definition::{Access, Definition, DefinitionKind, Role, Visibility};
pub use finish::Outline;
pub use grammar::has_outline;
pub(super) use grammar::outline;
pub use import::{Import, ImportForm, ImportKind, ImportedName};
pub use reference::{Qualifier, Reference, ReferenceKind};
pub use value::{FunctionNumber, Value, ValueNumber};
pub use written::{Written, WrittenNumber};
