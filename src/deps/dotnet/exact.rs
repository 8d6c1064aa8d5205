//! Entries that name one version exactly, so that they are asked for and settled in one word.

use std::ops::Range;

use crate::deps::document::Document;
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Declared, Relation, Resolved, Scope, Settled, SettledBy, Source};

use super::version::common_name;

/// What an entry asks for.
pub fn declared(
    document: &Document<'_>,
    name: &str,
    version: Option<&str>,
    place: Range<usize>,
    scope: Scope,
) -> Declared {
    Declared {
        ecosystem: Ecosystem::Nuget,
        name: common_name(name),
        raw_name: name.to_owned(),
        constraint: version.map(str::to_owned),
        evaluated: None,
        settled: Settled::Unknown,
        place: document.place(place),
        scope,
        target: None,
        source: Source::Registry,
        origin: None,
        via: None,
    }
}

/// What such an entry settles.
pub fn settled(declared: &Declared) -> Option<Resolved> {
    let version = declared.constraint.clone()?;
    Some(Resolved {
        scope: Some(declared.scope),
        relation: Relation::Direct,
        settled_by: SettledBy::BuildList,
        ..Resolved::locked(Ecosystem::Nuget, declared.name.clone(), version, declared.place.clone())
    })
}
