//! `conda-meta/*.json`: what one installed package says of itself.

use crate::config::inside_quotes;
use crate::deps::document::Document;
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::Resolved;
use crate::deps::format::{Contents, Lockfile, Parts};
use crate::deps::json::{last, object};
use crate::model::{Note, Redacted};

/// # Errors
/// When the file is not a JSON object, or states no name or no version.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let root = object(document)?;
    let literal = |key: &str| last(&root, key).and_then(|it| it.value.as_string_lit());
    let stated = |key: &str| {
        literal(key)
            .filter(|it| !it.value.is_empty())
            .ok_or_else(|| document.unreadable(root.range.start, &format!("it states no `{key}`")))
    };
    let (name, version) = (stated("name")?, stated("version")?);
    let package = Resolved {
        origin: literal("channel").map(|it| Redacted::new(it.value.as_ref())),
        checksum: literal("sha256").or_else(|| literal("md5")).map(|it| it.value.clone().into_owned()),
        ..Resolved::locked(
            Ecosystem::Conda,
            name.value.clone().into_owned(),
            version.value.clone().into_owned(),
            document.place(inside_quotes(&version.range)),
        )
    };
    let lockfile = Lockfile { edges: vec![Vec::new()], ..Lockfile::default() };
    Ok(Parts {
        contents: Contents::Lockfile(lockfile),
        declared: Vec::new(),
        resolved: vec![package],
        notes: Vec::new(),
    })
}
