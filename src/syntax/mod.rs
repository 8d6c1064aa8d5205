//! Source text as trees: the language table, one parse per file, and the outline taken from it.
//!
//! A parse has a deadline and a bound on nesting, so that no file can stop a run. Outlines name what a file defines,
//! imports and uses; they never resolve a name to another file (that is the graph's work).

mod language;
mod mend;
mod outline;
mod parse;
mod survey;
mod test_code;

pub use language::Language;
pub use outline::{
    Access, Definition, DefinitionKind, FunctionNumber, Import, ImportForm, ImportKind, ImportedName,
    Outline, Qualifier, Reference, ReferenceKind, Role, Value, ValueNumber, Visibility, Written,
    WrittenNumber, has_outline,
};
pub use parse::{Limits, Parsed, parse};
pub use survey::{Kinds, Survey, survey};
pub use test_code::is_test_file;
