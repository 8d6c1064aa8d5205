//! Symbols of an index: global ones, and local ones that mean something in their document only.

use std::borrow::Cow;

use super::document::Document;
use crate::model::SymbolId;

/// A symbol as it can be compared: two documents may use one local id for two things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symbol<'b> {
    pub text: &'b str,
    /// The number of the document; none for a global symbol.
    pub scope: Option<usize>,
}

/// Everything behind it is opaque.
const LOCAL: &str = "local ";

impl<'b> Symbol<'b> {
    pub fn new(text: &'b str, document: usize) -> Self {
        Self { text, scope: is_local(text).then_some(document) }
    }

    pub const fn global(text: &'b str) -> Self {
        Self { text, scope: None }
    }

    /// The identity that a record carries: the index's own text, for a local symbol with its document.
    pub fn id(self, documents: &[Document<'_>]) -> Option<SymbolId> {
        let text = match self.scope {
            Some(document) => format!("{}#{}", documents.get(document)?.path, self.text),
            None => self.text.to_owned(),
        };
        SymbolId::try_from(text).ok()
    }
}

pub fn is_local(text: &str) -> bool {
    text.starts_with(LOCAL)
}

/// The names in the descriptors of a global symbol, outermost first: `AuthService`, `refresh` of
/// `scheme manager package version src/`auth.ts`/AuthService#refresh().`.
///
/// <https://github.com/scip-code/scip/blob/main/scip.proto>, message `Symbol`.
pub fn names(symbol: &str) -> Vec<Cow<'_, str>> {
    if is_local(symbol) {
        return Vec::new();
    }
    let mut rest = descriptors(symbol);
    let mut names = Vec::new();
    let mut follows_type = false;
    while !rest.is_empty() {
        let is_type = rest.starts_with('[');
        // A parameter stands in `(…)`, a type parameter in `[…]`, a method has `(disambiguator)` behind its name.
        rest = rest.strip_prefix(['(', '[']).unwrap_or(rest);
        let (name, after) = name(rest);
        let end = after.find(['/', '#', '.', ':', '!', ']', ')']).map_or(after.len(), |it| it + 1);
        rest = after.get(end..).unwrap_or_default();
        if after.starts_with('(') {
            rest = rest.strip_prefix('.').unwrap_or(rest);
        }
        // rust-analyzer writes `impl#[Type][Trait]method().`: what a person calls the type's method, not the trait's.
        let is_trait = is_type && follows_type;
        if !name.is_empty() && !is_trait {
            names.push(name);
        }
        follows_type = is_type;
    }
    names
}

/// What follows scheme, manager, package and version. A space inside of one of them is doubled.
fn descriptors(symbol: &str) -> &str {
    let mut rest = symbol;
    for _ in 0..4 {
        let mut from = 0;
        let end = loop {
            let Some(at) = rest.get(from..).and_then(|it| it.find(' ')).map(|it| it + from) else {
                return "";
            };
            if rest.as_bytes().get(at + 1) != Some(&b' ') || at == 0 {
                break at;
            }
            // An empty part is written as one space: two of them are an escape only inside a part.
            from = at + 2;
        };
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    rest
}

/// The name at the start of descriptors, and what follows it.
fn name(text: &str) -> (Cow<'_, str>, &str) {
    let Some(quoted) = text.strip_prefix('`') else {
        let end = text.find(['/', '#', '.', ':', '!', '(', ')', '[', ']', '`']).unwrap_or(text.len());
        let (name, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        return (Cow::Borrowed(name), rest);
    };
    let mut from = 0;
    loop {
        let Some(at) = quoted.get(from..).and_then(|it| it.find('`')).map(|it| it + from) else {
            return (Cow::Borrowed(quoted), "");
        };
        if quoted.as_bytes().get(at + 1) == Some(&b'`') {
            from = at + 2;
            continue;
        }
        let name = quoted.get(..at).unwrap_or_default();
        let name = if from == 0 { Cow::Borrowed(name) } else { Cow::Owned(name.replace("``", "`")) };
        return (name, quoted.get(at + 1..).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn descriptors_are_read_as_the_protocol_writes_them() {
        for (symbol, expected) in [
            (
                "scip-typescript npm pkg 1.0 src/`auth.ts`/AuthService#refresh().",
                &["src", "auth.ts", "AuthService", "refresh"][..],
            ),
            ("scip-python python pkg 0.1 `a.b`/C#__init__().(self)", &["a.b", "C", "__init__", "self"]),
            ("rust-analyzer cargo x 0.1.0 m/Trait#[T]", &["m", "Trait", "T"]),
            ("rust-analyzer cargo x 0.1.0 m/impl#[T][`Trait<U>`]f().", &["m", "impl", "T", "f"]),
            ("s m p v m/f(+1).", &["m", "f"]),
            ("s m p v m/mac!", &["m", "mac"]),
            ("s m p v m/meta:", &["m", "meta"]),
            ("scip-java maven a  b 1 c/D#", &["c", "D"]),
            ("cxx . . $ ns/f(a1b2).", &["ns", "f"]),
            ("s m p v `a``b`/c.", &["a`b", "c"]),
            ("local 3", &[]),
            ("nonsense", &[]),
            ("", &[]),
        ] {
            assert_eq!(names(symbol), expected, "{symbol}");
        }
    }
}
