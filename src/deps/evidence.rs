//! Dependencies as evidence: each constraint and each version at the place that states it.

use crate::model::{
    DependencyDetail, DependencyFact, Detail, DriftDetail, Evidence, Kind, Location, LockedVersion, Method,
    Redacted, SymbolId, distinguish,
};

use super::drift::Drift;
use super::fact::{Declared, Relation, Resolved, SettledBy};
use super::join::{Dependencies, Dependency, State};

impl Dependencies {
    /// One record for each declared constraint, one for each locked version of a direct dependency, and one where the two
    /// do not fit. Transitive ones stay in the list.
    pub fn evidence(&self) -> Vec<Evidence> {
        let mut records: Vec<Evidence> = self.dependencies.iter().flat_map(of_dependency).collect();
        distinguish(&mut records);
        records.sort_by(Evidence::order);
        records
    }
}

fn of_dependency(dependency: &Dependency) -> impl Iterator<Item = Evidence> {
    let constraints = dependency.declared.iter().filter_map(|it| constraint(dependency, it));
    let settled = dependency.resolved.iter().filter(|it| it.relation == Relation::Direct);
    let drifts = dependency.drifts().map(|it| drift(dependency, it));
    constraints.chain(settled.filter_map(|it| version(dependency, it))).chain(drifts)
}

fn constraint(dependency: &Dependency, declared: &Declared) -> Option<Evidence> {
    let text = Redacted::new(declared.constraint.as_deref()?);
    let asked = declared.asked()?;
    let pinned = dependency.state == State::Pinned && dependency.ecosystem.pinned(asked).is_some();
    let pins = match dependency.ecosystem.settled_by(asked) {
        SettledBy::Nearest if pinned => ", which Maven takes since it is nearest to the project",
        SettledBy::Constraint if pinned => ", which admits one version only",
        SettledBy::Nearest | SettledBy::Constraint | SettledBy::Lockfile | SettledBy::BuildList => "",
    };
    let alias = declared.alias().map(|it| format!(" (as {it})")).unwrap_or_default();
    let published = declared.published_in().map(|it| format!(" by the published `{it}`")).unwrap_or_default();
    let message =
        format!("asks for {}{alias} `{text}`{published}{pins} ({})", dependency.name, declared.scope.name());
    let fact = DependencyFact::Constraint(text.as_str().to_owned());
    Some(record(dependency, Method::Manifest, &declared.place, fact, message, None))
}

/// The record of a version; that of a constraint that settles itself is already one.
fn version(dependency: &Dependency, resolved: &Resolved) -> Option<Evidence> {
    let method = match resolved.settled_by {
        SettledBy::Lockfile => Method::Lockfile,
        SettledBy::BuildList => Method::Manifest,
        SettledBy::Constraint | SettledBy::Nearest => return None,
    };
    let message = format!("has {} at version {}", dependency.name, resolved.version);
    let fact = DependencyFact::Version(Redacted::new(&*resolved.version).as_str().to_owned());
    Some(record(dependency, method, &resolved.place, fact, message, Some(&resolved.version)))
}

fn drift(dependency: &Dependency, drift: Drift<'_>) -> Evidence {
    let redacted = |it: &str| Redacted::new(it).as_str().to_owned();
    let fact = DependencyFact::Drift(DriftDetail {
        constraint: drift.declared.constraint.as_deref().map(redacted),
        locked: drift.locked.map(|it| LockedVersion {
            version: redacted(&it.version),
            path: it.place.path.clone(),
            line: it.place.span.start.line,
            column: it.place.span.start.column,
        }),
    });
    record(dependency, Method::Lockfile, &drift.declared.place, fact, drift.message(), None)
}

fn record(
    dependency: &Dependency,
    method: Method,
    place: &Location,
    fact: DependencyFact,
    message: String,
    version: Option<&str>,
) -> Evidence {
    let ecosystem = dependency.ecosystem;
    let subject = match &fact {
        DependencyFact::Constraint(it) => format!("{} constraint {it}", dependency.purl),
        DependencyFact::Version(it) => format!("{} version {it}", dependency.purl),
        DependencyFact::Drift(_) => format!("{} drift", dependency.purl),
    };
    let mut record = Evidence::new(Kind::Dependency, method, place.clone(), &subject, Redacted::new(message));
    record.target = SymbolId::try_from(ecosystem.purl(&dependency.name, version)).ok();
    record.detail = Detail::Dependency(DependencyDetail {
        ecosystem: ecosystem.name().to_owned(),
        name: dependency.name.clone(),
        fact,
    });
    record
}
