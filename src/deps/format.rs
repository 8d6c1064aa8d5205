//! The table of formats: which file names are read, and by what.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Location, Note, Redacted, RepoPath};

use super::document::{Document, utf8};
use super::ecosystem::Ecosystem;
use super::fact::{Declared, Pin, Resolved};
use super::include::Include;
use super::nameless::leave_out;
use super::note::NOT_TEXT;
use super::{cargo, conda, deno, dotnet, golang, jvm, node, python};

/// Whether a file asks for dependencies or settles them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileKind {
    Manifest,
    Lockfile,
}

/// What one file says.
#[derive(Clone, Debug)]
pub struct Reading {
    pub path: RepoPath,
    pub ecosystem: Ecosystem,
    pub kind: FileKind,
    pub declared: Vec<Declared>,
    pub resolved: Vec<Resolved>,
    pub notes: Vec<Note>,
    pub(super) contents: Contents,
}

impl Reading {
    /// Takes credentials out of every text that is shown or compared with one that is.
    pub(super) fn redact(&mut self) {
        self.declared.iter_mut().for_each(Declared::redact);
        self.resolved.iter_mut().for_each(Resolved::redact);
        if let Contents::Lockfile(it) = &mut self.contents {
            let asked_for = std::mem::take(&mut it.asked_for).into_iter();
            it.asked_for = asked_for.map(|(key, to)| (Redacted::new(key).into(), to)).collect();
        }
    }

    /// As `manifest`, to change it.
    pub(super) const fn manifest_mut(&mut self) -> Option<&mut Manifest> {
        match &mut self.contents {
            Contents::Manifest(it) => Some(it),
            Contents::Lockfile(_) | Contents::Unreadable => None,
        }
    }

    /// What a manifest is, beyond its statements.
    pub(super) const fn manifest(&self) -> Option<&Manifest> {
        match &self.contents {
            Contents::Manifest(it) => Some(it),
            Contents::Lockfile(_) | Contents::Unreadable => None,
        }
    }
}

/// What one file is, beyond its statements.
#[derive(Clone, Debug)]
pub enum Contents {
    /// It could not be read; a note says why.
    Unreadable,
    Manifest(Manifest),
    Lockfile(Lockfile),
}

#[derive(Clone, Debug, Default)]
pub struct Manifest {
    /// The name of the package that it describes.
    pub package: Option<String>,
    /// For the root of a workspace, the folders of its members as patterns relative to it; `!` takes away.
    pub workspace: Option<Vec<String>>,
    /// The folder of the workspace root that it names itself, relative to it, and where it does.
    pub root: Option<(String, Location)>,
    /// The keys of entries that take everything from the workspace root, each an index into the declared ones.
    pub inherited: Vec<usize>,
    /// The files whose entries belong to it too.
    pub includes: Vec<Include>,
    /// Entries that are an address without the name of a package, which a note says; another file can name it.
    pub unnamed: Vec<Declared>,
    /// For a list of checksums, that of each version.
    pub checksums: BTreeMap<Pin, String>,
    /// For a file of MSBuild, what it says in order: that has a meaning only beside the files that it takes in.
    pub msbuild: Vec<dotnet::Element>,
    /// For a module of Go, whether its copies mark all that it requires.
    pub marks_copies: bool,
    /// What it says in the language of a build tool of the JVM, which other files can be needed to understand.
    pub jvm: Option<jvm::Model>,
}

#[derive(Clone, Debug, Default)]
pub struct Lockfile {
    /// The project's own packages: names (Cargo) or folders relative to the lockfile (npm).
    pub members: BTreeSet<String>,
    /// For each resolved package, the indices of those it depends on.
    pub edges: Vec<Vec<usize>>,
    /// The indices of the project's own packages.
    pub own: Vec<usize>,
    /// The indices of what the project itself depends on.
    pub direct: BTreeSet<usize>,
    /// The indices of what is direct when a manifest declares its name: for lockfiles that do not say.
    pub top: Vec<usize>,
    /// For each of the project's own packages, which are named as `members` are, what each key of its manifest leads to.
    pub wants: BTreeMap<String, BTreeMap<String, Vec<usize>>>,
    /// What each text `name@range` was settled to: for lockfiles that a manifest's own words are the keys of.
    pub asked_for: BTreeMap<String, usize>,
    /// For a list of copied modules of Go, what it says of each.
    pub copied: Vec<golang::Copied>,
}

/// What a reader makes of a file.
#[derive(Debug)]
pub struct Parts {
    pub contents: Contents,
    pub declared: Vec<Declared>,
    pub resolved: Vec<Resolved>,
    pub notes: Vec<Note>,
}

/// Reads a file, or fails with the one note that says why.
type Read = fn(&Document<'_>) -> Result<Parts, Note>;

/// A format: the names of its files and its reader.
pub struct Row {
    /// The end of a path, where `*` stands for any letters of a name.
    name: &'static str,
    kind: FileKind,
    ecosystem: Ecosystem,
    read: Reader,
}

enum Reader {
    Text(Read),
    /// The file is never read; what to do instead.
    Never(&'static str),
}

/// Each ecosystem's rows.
const FORMATS: [&[Row]; 8] = [
    cargo::FORMATS,
    conda::FORMATS,
    deno::FORMATS,
    dotnet::FORMATS,
    golang::FORMATS,
    jvm::FORMATS,
    node::FORMATS,
    python::FORMATS,
];

impl Row {
    pub const fn manifest(name: &'static str, ecosystem: Ecosystem, read: Read) -> Self {
        Self { name, kind: FileKind::Manifest, ecosystem, read: Reader::Text(read) }
    }

    pub const fn lockfile(name: &'static str, ecosystem: Ecosystem, read: Read) -> Self {
        Self { name, kind: FileKind::Lockfile, ecosystem, read: Reader::Text(read) }
    }

    /// A lockfile that is never read, and what to do instead.
    pub const fn unread(name: &'static str, ecosystem: Ecosystem, instead: &'static str) -> Self {
        Self { name, kind: FileKind::Lockfile, ecosystem, read: Reader::Never(instead) }
    }
}

fn rows() -> impl Iterator<Item = &'static Row> {
    FORMATS.into_iter().flatten()
}

fn row(path: &RepoPath) -> Option<&'static Row> {
    let ends_as = |name: &str| {
        let mut parts = path.as_bytes().rsplit(|it| *it == b'/');
        name.rsplit('/').all(|it| parts.next().is_some_and(|part| fits(it.as_bytes(), part)))
    };
    rows().find(|it| ends_as(it.name))
}

fn fits(pattern: &[u8], name: &[u8]) -> bool {
    match pattern.split_first() {
        None => name.is_empty(),
        Some((b'*', rest)) => (0..=name.len()).filter_map(|it| name.get(it..)).any(|it| fits(rest, it)),
        Some((letter, rest)) => {
            name.split_first().is_some_and(|(first, name)| first == letter && fits(rest, name))
        }
    }
}

/// The names of the files that can be read, where `*` stands for any letters.
pub fn names() -> impl Iterator<Item = &'static str> {
    rows().map(|it| it.name)
}

/// Whether a file can be a manifest that only its text tells: see [`holds_manifest`].
pub fn may_hold_manifest(path: &RepoPath) -> bool {
    python::script::is_script(path) && row(path).is_none() && !is_installed(path)
}

/// Whether the text of such a file makes it a manifest.
pub fn holds_manifest(bytes: &[u8]) -> bool {
    python::script::has_mark(bytes)
}

/// What stands in `node_modules` or `site-packages` is installed, not declared.
fn is_installed(path: &RepoPath) -> bool {
    path.as_bytes().split(|it| *it == b'/').any(|it| it == b"node_modules" || it == b"site-packages")
}

/// Whether a file's name is that of a manifest or lockfile that can be read, wherever it stands.
pub fn is_known(path: &RepoPath) -> bool {
    row(path).is_some()
}

/// Whether a file's name is that of a manifest or lockfile that can be read.
pub fn is_manifest(path: &RepoPath) -> bool {
    row(path).is_some() && !is_installed(path)
}

/// Reads one file; none when its name is that of no known format.
pub fn read(path: &RepoPath, bytes: &[u8]) -> Option<Reading> {
    const SCRIPT: Row = python::SCRIPT;
    match row(path) {
        Some(row) => Some(read_as(row, path, bytes)),
        None => (may_hold_manifest(path) && holds_manifest(bytes)).then(|| read_as(&SCRIPT, path, bytes)),
    }
}

/// Reads a file that a requirements file includes; its name can be any.
pub fn read_included(path: &RepoPath, bytes: &[u8]) -> Reading {
    read(path, bytes).unwrap_or_else(|| read_as(&REQUIREMENTS, path, bytes))
}

/// Reads a file that someone names: of one whose name tells nothing the text can.
pub fn read_named(path: &RepoPath, bytes: &[u8]) -> Option<Reading> {
    const POM: Row = jvm::POM;
    read(path, bytes).or_else(|| {
        let pom = read_as(&POM, path, bytes);
        // The root of an Ant build has the same name, and no `artifactId`.
        if pom.manifest().is_some_and(|it| it.package.is_some()) {
            return Some(pom);
        }
        let is_list = [b".txt".as_slice(), b".in"].iter().any(|it| path.as_bytes().ends_with(it));
        let list = is_list.then(|| read_as(&REQUIREMENTS, path, bytes))?;
        python::is_evident(&list).then_some(list)
    })
}

const REQUIREMENTS: Row = python::requirements("*");

fn read_as(row: &Row, path: &RepoPath, bytes: &[u8]) -> Reading {
    let bytes = &utf8(bytes);
    let parts = match row.read {
        Reader::Text(read) => {
            Document::open(path, bytes).and_then(Document::without_conflict).and_then(|it| read(&it))
        }
        Reader::Never(instead) => {
            let message = format!("the format is binary and was not read; {instead}");
            Err(Note::new(NOT_TEXT, message).at(path.clone()))
        }
    };
    let mut parts = parts.unwrap_or_else(|note| Parts {
        contents: Contents::Unreadable,
        declared: Vec::new(),
        resolved: Vec::new(),
        notes: vec![note],
    });
    leave_out(&mut parts);
    let Parts { contents, declared, resolved, notes } = parts;
    let kind = match contents {
        Contents::Unreadable => row.kind,
        Contents::Manifest(_) => FileKind::Manifest,
        Contents::Lockfile(_) => FileKind::Lockfile,
    };
    Reading { path: path.clone(), ecosystem: row.ecosystem, kind, declared, resolved, notes, contents }
}
