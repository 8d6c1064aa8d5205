//! Dependencies as a bundle and `cortex deps` write them.

use super::document::{Declared, Dependency, DependencyChange, ImportedAs, Relation, Resolved, UsedBy};
use crate::deps;
use crate::docs::{FileUse, Usage, Usages};

/// Every dependency of every project, with who uses it.
pub fn all(dependencies: &deps::Dependencies, usages: &Usages) -> Vec<Dependency> {
    dependencies.dependencies.iter().map(|it| dependency(it, usages.of(it))).collect()
}

fn dependency(dependency: &deps::Dependency, usage: Option<&Usage>) -> Dependency {
    let (relation, chain) = relation(&dependency.relation);
    Dependency {
        ecosystem: dependency.ecosystem.name().to_owned(),
        name: dependency.name.clone(),
        purl: dependency.purl.clone(),
        relation,
        state: dependency.state.name().to_owned(),
        chain,
        declared: dependency.declared.iter().map(declared).collect(),
        resolved: dependency.resolved.iter().map(resolved).collect(),
        imported_as: usage.map(|it| ImportedAs {
            names: it.imported_as.names.clone(),
            known_by: it.imported_as.known_by.name().to_owned(),
        }),
        used_by: usage.map(|it| it.files.iter().map(used_by).collect()),
    }
}

fn used_by(file: &FileUse) -> UsedBy {
    UsedBy {
        path: file.path.clone(),
        line: file.place.start.line,
        column: file.place.start.column,
        names: file.names.clone(),
    }
}

fn relation(relation: &deps::Relation) -> (Relation, Vec<String>) {
    match relation {
        deps::Relation::Direct => (Relation::Direct, Vec::new()),
        deps::Relation::Transitive { path } => (Relation::Transitive, path.clone()),
        deps::Relation::Unlinked => (Relation::Unlinked, Vec::new()),
    }
}

fn declared(declared: &deps::Declared) -> Declared {
    Declared {
        constraint: declared.constraint.clone(),
        evaluated: declared.evaluated.clone(),
        // Of a catalog or an override it is which one of them.
        condition: declared.target.clone().filter(|_| declared.scope.is_wanted()),
        settled: declared.settled.version().map(str::to_owned),
        published_in: declared.published_in().map(str::to_owned),
        raw_name: declared.raw_name.clone(),
        alias: declared.alias().map(str::to_owned),
        scope: declared.scope.name().to_owned(),
        source: declared.source.name().to_owned(),
        path: declared.place.path.clone(),
        line: declared.place.span.start.line,
        column: declared.place.span.start.column,
    }
}

fn resolved(resolved: &deps::Resolved) -> Resolved {
    Resolved {
        version: resolved.version.clone(),
        scope: resolved.scope.map(|it| it.name().to_owned()),
        source: resolved.source.name().to_owned(),
        path: resolved.place.path.clone(),
        line: resolved.place.span.start.line,
        column: resolved.place.span.start.column,
    }
}

/// Every difference from the base.
pub fn changes(changes: &[deps::DependencyChange]) -> Vec<DependencyChange> {
    changes.iter().map(change).collect()
}

fn change(change: &deps::DependencyChange) -> DependencyChange {
    // What came and has no version yet is what is asked for.
    let list = |values: Vec<&str>, constraints: Vec<&str>| {
        let shown = if values.is_empty() { constraints } else { values };
        (!shown.is_empty()).then(|| shown.join(", "))
    };
    let (before, after) = change.change.values();
    let (asked_before, asked_after) = change.change.constraints();
    let place = change.after.as_ref().or(change.before.as_ref());
    DependencyChange {
        ecosystem: change.ecosystem.name().to_owned(),
        name: change.name.clone(),
        change: change.change.name().to_owned(),
        before: list(before, asked_before),
        after: list(after, asked_after),
        distance: change.change.distance().map(|it| it.name().to_owned()),
        path: place.map(|it| it.path.clone()),
        line: place.map(|it| it.span.start.line),
        is_of_base: change.after.is_none() && change.before.is_some(),
    }
}
