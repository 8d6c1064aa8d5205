//! Where a lockfile no longer fits what its manifests ask for.

use crate::model::Note;

use super::fact::{Declared, Resolved, Scope, Settled, SettledBy, Source};
use super::join::{Dependency, State};
use super::note::{LOCK_DRIFTED, NOT_LOCKED};

/// An entry of a manifest that the lockfile does not do justice to.
#[derive(Clone, Copy, Debug)]
pub struct Drift<'d> {
    pub declared: &'d Declared,
    /// The version that the constraint does not admit; none when the lockfile does not list the package.
    pub locked: Option<&'d Resolved>,
}

impl Dependency {
    /// The entries whose constraint admits none of the locked versions, and those that the lockfile does not list. What
    /// cannot be told, as of a tag or an address, is left out.
    pub fn drifts(&self) -> impl Iterator<Item = Drift<'_>> {
        // What an override says counts more than any constraint.
        let is_overridden = self.declared.iter().any(|it| it.scope == Scope::Override);
        let asks = move |it: &&Declared| {
            // A conflict with a peer is a warning to those who install it; build requirements of Python are never locked.
            it.scope.is_wanted()
                && !matches!(it.scope, Scope::Peer | Scope::Build)
                && it.source == Source::Registry
                && !is_overridden
        };
        self.declared.iter().filter(asks).filter_map(|declared| match self.state {
            State::Locked if declared.settled == Settled::Missing => Some(Drift { declared, locked: None }),
            State::Missing => Some(Drift { declared, locked: None }),
            State::Locked => self.drift(declared),
            State::Pinned
            | State::Selected
            | State::Unlocked
            | State::LockUnreadable
            | State::Local
            | State::Unused => None,
        })
    }

    fn drift<'d>(&'d self, declared: &'d Declared) -> Option<Drift<'d>> {
        let constraint = declared.asked()?;
        let mut locked = self
            .resolved
            .iter()
            .filter(|it| it.settled_by == SettledBy::Lockfile && it.source == Source::Registry)
            .filter(|it| declared.settled.admits(&it.version))
            .peekable();
        let first = *locked.peek()?;
        let is_refused = |it: &Resolved| self.ecosystem.satisfies(constraint, &it.version) == Some(false);
        locked.all(is_refused).then_some(Drift { declared, locked: Some(first) })
    }
}

impl Drift<'_> {
    pub fn message(&self) -> String {
        let Declared { name, constraint, .. } = self.declared;
        let asks = constraint.as_ref().map_or_else(|| name.clone(), |it| format!("{name} {it}"));
        match self.locked {
            Some(it) => {
                let (at, line) = (&it.place.path, it.place.span.start.line);
                format!("asks for {asks}, but {at}:{line} has {}", it.version)
            }
            None => format!("asks for {asks}, which the lockfile does not list"),
        }
    }

    pub fn note(&self) -> Note {
        let code = if self.locked.is_some() { LOCK_DRIFTED } else { NOT_LOCKED };
        let place = &self.declared.place;
        Note::new(code, self.message()).at_point(place.path.clone(), place.span.start)
    }
}
