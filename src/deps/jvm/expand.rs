//! `${…}` in poms: <https://maven.apache.org/pom.html#properties>.

use std::cell::Cell;

use super::lineage::{Lineage, group, version};

/// In whose place something is expanded: a child's properties win over those of its parents.
#[derive(Clone, Copy)]
pub struct Place<'p> {
    pub pom: usize,
    pub profile: Option<&'p str>,
}

/// An expression that has no value in the files that were read.
#[derive(Debug, PartialEq, Eq)]
pub struct Unsettled(pub String);

/// Longer values are no coordinates.
const LONGEST: usize = 4_096;
/// More steps than any real property takes; properties of properties can double with each step.
const MOST_STEPS: usize = 256;
const DEEPEST: usize = 32;

/// # Errors
/// When an expression has no value; it is named.
pub fn expand(lineage: &Lineage<'_>, text: &str, place: Place<'_>) -> Result<String, Unsettled> {
    expand_by(&|key| Some(value(lineage, place, key)?.1), text)
}

/// The published pom that a text takes a value from; none when it needs only the repository's own.
pub fn settled_by(lineage: &Lineage<'_>, text: &str, place: Place<'_>) -> Option<usize> {
    let found = Cell::new(None);
    let value = |key: &str| {
        let (pom, value) = value(lineage, place, key)?;
        if lineage.coordinates(pom).is_some() {
            found.set(found.get().or(Some(pom)));
        }
        Some(value)
    };
    expand_by(&value, text).ok().and(found.get())
}

/// Puts values in for the keys of a text, and in those values too.
///
/// # Errors
/// When a key has no value; the expression is named.
pub fn expand_by<'r>(value: &dyn Fn(&str) -> Option<&'r str>, text: &str) -> Result<String, Unsettled> {
    Expansion { value, steps: 0 }.text(text, 0)
}

struct Expansion<'v, 'r> {
    value: &'v dyn Fn(&str) -> Option<&'r str>,
    steps: usize,
}

impl Expansion<'_, '_> {
    fn text(&mut self, text: &str, depth: usize) -> Result<String, Unsettled> {
        let mut expanded = String::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once("${") {
            let Some((key, after)) = behind.split_once('}') else { break };
            self.steps += 1;
            let unsettled = || Unsettled(format!("${{{key}}}"));
            // A property that leads to itself is as deep as it can be.
            if self.steps > MOST_STEPS || depth > DEEPEST {
                return Err(unsettled());
            }
            let value = (self.value)(key).ok_or_else(unsettled)?;
            expanded.push_str(before);
            expanded.push_str(&self.text(value, depth + 1)?);
            if expanded.len() > LONGEST {
                return Err(unsettled());
            }
            rest = after;
        }
        expanded.push_str(rest);
        Ok(expanded)
    }
}

/// What a key stands for, as written, and the pom that says so.
fn value<'r>(lineage: &Lineage<'r>, place: Place<'_>, key: &str) -> Option<(usize, &'r str)> {
    let prefixed = key.strip_prefix("project.").or_else(|| key.strip_prefix("pom."));
    let of_project = |key: &str| Some((place.pom, of_project(lineage, place, key)?));
    prefixed.and_then(of_project).or_else(|| property(lineage, place, key)).or_else(|| of_project(key))
}

fn of_project<'r>(lineage: &Lineage<'r>, place: Place<'_>, key: &str) -> Option<&'r str> {
    let pom = lineage.pom(place.pom)?;
    let parent = || pom.parent.as_ref().map(|it| &it.0);
    match key {
        "groupId" => group(pom),
        "artifactId" => Some(&pom.artifact),
        "version" => version(pom),
        "parent.groupId" => Some(&parent()?.group),
        "parent.artifactId" => Some(&parent()?.artifact),
        "parent.version" => parent()?.version.as_deref(),
        _ => None,
    }
}

fn property<'r>(lineage: &Lineage<'r>, place: Place<'_>, key: &str) -> Option<(usize, &'r str)> {
    lineage.ancestors(place.pom).find_map(|(index, pom)| {
        let of_profile = place.profile.and_then(|it| pom.profiles.get(it)?.get(key));
        of_profile.or_else(|| pom.properties.get(key)).map(|it| (index, it.as_str()))
    })
}
