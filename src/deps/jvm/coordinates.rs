//! The name under which a repository of Maven has a pom.

use std::fmt;

use crate::model::RepoPath;

use super::evaluate::is_name;
use super::pom::Entry;

/// Group, artifact and version, each of letters that lead nowhere but to a folder of their own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Coordinates {
    group: String,
    artifact: String,
    version: String,
}

impl Coordinates {
    /// None for what no repository has: variables, ranges, and names that would lead out of it.
    pub fn new(group: &str, artifact: &str, version: &str) -> Option<Self> {
        let is_folder = |it: &str| is_name(it) && !it.starts_with('.') && !it.contains("..");
        let is_valid = is_folder(artifact) && is_folder(version) && group.split('.').all(is_folder);
        is_valid.then(|| Self {
            group: group.to_owned(),
            artifact: artifact.to_owned(),
            version: version.to_owned(),
        })
    }

    /// Those of an entry, where they are written without variables.
    pub fn of(entry: &Entry) -> Option<Self> {
        Self::new(&entry.group, &entry.artifact, entry.version.as_deref()?)
    }

    /// Where the pom stands: <https://maven.apache.org/repository/layout.html>.
    pub fn path(&self) -> Option<RepoPath> {
        let Self { group, artifact, version } = self;
        let group = group.replace('.', "/");
        format!("{group}/{artifact}/{version}/{artifact}-{version}.pom").parse().ok()
    }
}

impl fmt::Display for Coordinates {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}", self.group, self.artifact, self.version)
    }
}

#[cfg(test)]
mod tests {
    use super::Coordinates;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let mut parts = text.split(':');
        let mut part = || parts.next().unwrap();
        let path = Coordinates::new(part(), part(), part()).map(|it| it.path().unwrap().to_string());
        assert_eq!(path.as_deref(), expected, "{text}");
    }

    #[test]
    fn names_that_would_lead_elsewhere_are_no_coordinates() {
        check("org.junit:junit-bom:5.10.2", Some("org/junit/junit-bom/5.10.2/junit-bom-5.10.2.pom"));
        check("g_1:a.b:1.0-SNAPSHOT", Some("g_1/a.b/1.0-SNAPSHOT/a.b-1.0-SNAPSHOT.pom"));
        for hostile in [
            "..:a:1",
            "g..h:a:1",
            ".g:a:1",
            "g.:a:1",
            "g:..:1",
            "g:a:..",
            "g:a:.",
            "g:.a:1",
            "g/h:a:1",
            "g:a/b:1",
            "g:a:1/..",
            "g:a\\b:1",
            "g:a:[1,2)",
            "g:a:${v}",
            ":a:1",
            "g::1",
            "g:a:",
            "g:ä:1",
            "g:a\0:1",
            "g:a b:1",
        ] {
            check(hostile, None);
        }
    }
}
