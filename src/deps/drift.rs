//! Where a lockfile no longer fits what its manifests ask for.

use crate::model::Note;

use super::ecosystem::Ecosystem;
use super::fact::{Declared, Resolved, Scope, Settled, SettledBy, Source};
use super::join::{Dependency, State};
use super::note::{LOCK_DRIFTED, NOT_LOCKED};
use super::python;

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
        // The copies of Go's modules say so of every requirement and replacement.
        let asks = move |it: &&Declared| match it.ecosystem == Ecosystem::Golang {
            true => it.settled == Settled::Missing,
            false => is_judged(it) && !is_overridden,
        };
        self.declared.iter().filter(asks).filter_map(|declared| {
            let is_missing = match self.state {
                State::Locked | State::Selected => declared.settled == Settled::Missing,
                State::Missing => true,
                State::Local => declared.ecosystem == Ecosystem::Golang,
                State::Pinned | State::Unlocked | State::LockUnreadable | State::Unused => return None,
            };
            if is_missing {
                let locks_all = declared.ecosystem.locks_all();
                return locks_all.then(|| Drift { declared, locked: self.copied(declared) });
            }
            self.drift(declared)
        })
    }

    fn drift<'d>(&'d self, declared: &'d Declared) -> Option<Drift<'d>> {
        let constraint = declared.asked()?;
        let mut locked = self
            .resolved
            .iter()
            .filter(|it| it.settled_by == SettledBy::Lockfile && it.source == Source::Registry)
            .filter(|it| declared.settled.admits(&it.version) && is_about(it, declared))
            .peekable();
        let first = *locked.peek()?;
        let is_refused = |it: &Resolved| self.ecosystem.satisfies(constraint, &it.version) == Some(false);
        locked.all(is_refused).then_some(Drift { declared, locked: Some(first) })
    }

    /// What a copy of Go's has instead of the version that is required.
    fn copied(&self, declared: &Declared) -> Option<&Resolved> {
        let is_required = declared.ecosystem == Ecosystem::Golang && declared.scope != Scope::Override;
        let mut copies = self.resolved.iter().filter(|it| it.settled_by == SettledBy::Lockfile);
        copies.find(|it| is_required && Some(&it.version) != declared.constraint.as_ref())
    }
}

/// Whether an entry is one that has to be in a lockfile and fit to it.
fn is_judged(declared: &Declared) -> bool {
    // A conflict with a peer is a warning to those who install it; build requirements of Python are never locked.
    let is_asked = declared.scope.is_wanted() && !matches!(declared.scope, Scope::Peer | Scope::Build);
    // What a project of .NET wants for one target only is locked for that one.
    let is_certain = match declared.ecosystem == Ecosystem::Pypi {
        true => python::is_certain(declared),
        false => declared.ecosystem != Ecosystem::Nuget || declared.target.is_none(),
    };
    is_asked && is_certain && declared.settled != Settled::Overruled && declared.source == Source::Registry
}

/// Whether what is locked is what an entry asks for: of the tool and, for Gradle, of a configuration with the same use.
fn is_about(locked: &Resolved, declared: &Declared) -> bool {
    let is_of_use = declared.ecosystem != Ecosystem::Gradle
        || match locked.scope {
            Some(Scope::Dev) => declared.scope == Scope::Dev,
            Some(Scope::Build) => false,
            _ => true,
        };
    is_of_use && declared.ecosystem.is_locked_by(&declared.place.path, &locked.place.path)
}

impl Drift<'_> {
    pub fn message(&self) -> String {
        let Declared { name, constraint, raw_name, .. } = self.declared;
        let asks = constraint.as_ref().map_or_else(|| name.clone(), |it| format!("{name} {it}"));
        match self.locked {
            _ if self.declared.scope == Scope::Override => {
                format!("replaces `{raw_name}` by `{asks}`, which the lockfile does not")
            }
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
