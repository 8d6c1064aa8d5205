//! Reads whatever can be read of dependency files, alone and together, and checks what every reading promises.
//!
//! An input is one file or several, with the character "record separator" between them. The first byte of each picks
//! its path among those of a family, `a` for the first; the rest is its content. The fuzz targets call this with what
//! they make up, and a test of the library with what was kept of it.

use std::collections::BTreeMap;

use crate::deps::{Declared, Dependencies, Reading, Resolved, join, read_included};
use crate::model::{LineIndex, Location, Note, Point, RepoPath};

/// Paths of files that a build can have together, so that what one says can change what others mean.
pub struct Family(&'static [&'static str]);

pub const PYTHON: Family = Family(&[
    "requirements.txt",
    "requirements/base.txt",
    "constraints.txt",
    "requirements.in",
    "setup.cfg",
    "setup.py",
    "environment.yml",
    "Pipfile",
    "Pipfile.lock",
    "pyproject.toml",
    "a/pyproject.toml",
    "poetry.lock",
    "pdm.lock",
    "uv.lock",
    "pylock.toml",
    "conda-meta/a.json",
    "a/tool.py",
    "a/tool.py.lock",
]);
pub const NODE: Family = Family(&[
    "package.json",
    "a/package.json",
    "pnpm-workspace.yaml",
    ".yarnrc.yml",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "deno.json",
    "a/deno.jsonc",
    "deno.lock",
]);
pub const GO: Family =
    Family(&["go.mod", "a/go.mod", "a/b/go.mod", "go.work", "go.sum", "go.work.sum", "vendor/modules.txt"]);
pub const JVM: Family = Family(&[
    "pom.xml",
    "a/pom.xml",
    "a/b/pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "a/build.gradle",
    "a/build.gradle.kts",
    "a/more.gradle",
    "buildSrc/src/main/kotlin/A.kt",
    "gradle/libs.versions.toml",
    "gradle.properties",
    "gradle.lockfile",
    "gradle/dependency-locks/compileClasspath.lockfile",
    "gradle/verification-metadata.xml",
    "build.sbt",
    "project/plugins.sbt",
    "project/A.scala",
    "build.sbt.lock",
    "ivy.xml",
    "build.xml",
]);
pub const DOTNET: Family = Family(&[
    "a.csproj",
    "b/b.csproj",
    "Directory.Build.props",
    "b/Directory.Build.props",
    "Directory.Packages.props",
    "Directory.Build.targets",
    "a.props",
    "packages.config",
    "global.json",
    ".config/dotnet-tools.json",
    "paket.dependencies",
    "paket.lock",
    "packages.lock.json",
    "obj/project.assets.json",
    "a.deps.json",
]);

/// Between two files of an input; no format allows it in its text.
const SEPARATOR: u8 = 0x1e;

impl Family {
    /// Returns how many entries the files have together.
    ///
    /// # Panics
    /// When a reading breaks a promise.
    pub fn read_everything(&self, input: &[u8]) -> usize {
        let files = self.files(input);
        let readings: Vec<Reading> = files.iter().map(|(path, bytes)| read_included(path, bytes)).collect();
        let texts = Texts(files.iter().map(|(path, bytes)| (path, Text::new(bytes))).collect());
        for reading in &readings {
            texts.check(&reading.declared, &reading.resolved, &reading.notes);
            texts.check_words(reading);
        }
        let backwards: Vec<Reading> = readings.iter().rev().cloned().collect();
        let joined = join(readings);
        assert!(joined == join(backwards), "the order of the files makes a difference");
        texts.check_all(&joined);
        joined.dependencies.iter().map(|it| it.declared.len() + it.resolved.len()).sum()
    }

    fn files<'i>(&self, input: &'i [u8]) -> BTreeMap<RepoPath, &'i [u8]> {
        let mut files = BTreeMap::new();
        for (picked, bytes) in input.split(|it| *it == SEPARATOR).filter_map(<[u8]>::split_first) {
            let index = usize::from(picked.wrapping_sub(b'a')) % self.0.len();
            let path = self.0.get(index).and_then(|it| it.parse().ok());
            files.insert(path.expect("because each of the family is a path"), bytes);
        }
        files
    }
}

/// A file's lines; none when it is not UTF-8, so that places in it are those of what it was decoded to.
struct Text<'f>(Option<(&'f str, LineIndex<'f>)>);

impl<'f> Text<'f> {
    fn new(bytes: &'f [u8]) -> Self {
        Self(std::str::from_utf8(bytes).ok().map(|it| (it, LineIndex::new(it))))
    }
}

struct Texts<'f>(BTreeMap<&'f RepoPath, Text<'f>>);

impl Texts<'_> {
    fn check_all(&self, joined: &Dependencies) {
        for it in &joined.dependencies {
            self.check(&it.declared, &it.resolved, &[]);
        }
        self.check(&[], &[], &joined.notes);
        for it in joined.evidence() {
            self.at(&it.place);
        }
    }

    /// What a file says of its own can be read at its place, before other files change what it means.
    fn check_words(&self, reading: &Reading) {
        // What comes from elsewhere has the place of its key.
        let own = reading.declared.iter().filter(|it| it.via.is_none());
        let own = own.filter_map(|it| Some((it.constraint.as_ref()?, &it.place)));
        let own = own.filter(|it| !it.0.starts_with("catalog:"));
        for (stated, place) in own.chain(reading.resolved.iter().map(|it| (&it.version, &it.place))) {
            let text = self.at(place).unwrap_or(stated);
            assert!(says(text, stated), "`{text}` does not say `{stated}`: {place:?}");
        }
    }

    fn check(&self, declared: &[Declared], resolved: &[Resolved], notes: &[Note]) {
        for it in declared {
            assert!(!it.name.is_empty() && !it.raw_name.is_empty(), "a nameless entry: {it:?}");
            let text = self.at(&it.place);
            assert!(
                text != Some("") || it.constraint.as_deref() == Some(""),
                "an entry that nothing says: {it:?}"
            );
        }
        for it in resolved {
            assert!(!it.name.is_empty() && !it.version.is_empty(), "a nameless package: {it:?}");
            assert!(self.at(&it.place) != Some(""), "a version that nothing says: {it:?}");
        }
        for it in notes {
            let text = it.path.as_ref().and_then(|it| self.0.get(it)).and_then(|it| it.0.as_ref());
            let (Some((_, lines)), Some(line), Some(column)) = (text, it.line, it.column) else { continue };
            assert!(lines.offset(Point { line, column }).is_some(), "a note about no place: {it:?}");
        }
    }

    /// The text at a place; none when that cannot be told.
    fn at(&self, place: &Location) -> Option<&str> {
        let file = self.0.get(&place.path);
        let (text, lines) = file.expect("because only these files were read").0.as_ref()?;
        let offset = |it| lines.offset(it);
        let range = offset(place.span.start).zip(offset(place.span.end));
        let found = range.and_then(|(start, end)| text.get(start..end));
        assert!(found.is_some(), "a place outside of its file: {place:?}");
        found
    }
}

/// Whether a text is written with these words. Escapes, folds of white space and credentials are written otherwise.
fn says(written: &str, stated: &str) -> bool {
    written.contains(stated)
        || written.contains(['\\', '&', '\n', '\r', '\t'])
        || written.contains("  ")
        || stated.contains("[redacted]")
}
