//! The readers against what the real tools say, and against hostile files.

use std::fs;
use std::path::{Path, PathBuf};

use super::fact::Via;
use super::{
    Declared, Dependencies, Reading, Resolved, holds_manifest, is_manifest, join, may_hold_manifest, read,
    read_included,
};
use crate::model::{LineIndex, Location, RepoPath};

mod corpus;
mod dotnet;
mod drift;
mod entries;
mod golang;
mod hostile;
mod jvm;
mod locks;
mod python;
mod secrets;
mod tools;
mod whole;

fn fixture(case: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/deps").join(case)
}

/// The files that are read below a folder, as they are given to the readers.
fn files(root: &Path) -> Vec<(RepoPath, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let relative = path.strip_prefix(root).unwrap().to_str().unwrap();
            let name: RepoPath = relative.parse().unwrap();
            if path.is_dir() {
                open.push(path);
            } else {
                let bytes = fs::read(&path).unwrap();
                if is_manifest(&name) || may_hold_manifest(&name) && holds_manifest(&bytes) {
                    found.push((name, bytes));
                }
            }
        }
    }
    found
}

/// Reads files, whatever their names are.
fn readings(files: &[(RepoPath, Vec<u8>)]) -> Vec<Reading> {
    files.iter().map(|(path, bytes)| read(path, bytes).unwrap()).collect()
}

/// Joins files given as texts, of whatever name.
fn joined(files: &[(&str, &str)]) -> Dependencies {
    let of = |(path, text): &(&str, &str)| read_included(&path.parse().unwrap(), text.as_bytes());
    join(files.iter().map(of).collect())
}

/// The other entry that one takes its constraint from.
fn entry(declared: &Declared) -> Option<&Location> {
    match declared.via.as_ref()? {
        Via::Entry(place) => Some(place),
        Via::Published(_) => None,
    }
}

/// The text at a place.
fn text_at<'f>(files: &'f [(RepoPath, Vec<u8>)], place: &Location) -> &'f str {
    let (_, bytes) = files.iter().find(|(path, _)| *path == place.path).unwrap();
    let text = std::str::from_utf8(bytes).unwrap();
    let index = LineIndex::new(text);
    text.get(index.offset(place.span.start).unwrap()..index.offset(place.span.end).unwrap()).unwrap()
}

fn all_declared(dependencies: &Dependencies) -> impl Iterator<Item = &Declared> {
    dependencies.dependencies.iter().flat_map(|it| &it.declared)
}

fn all_resolved(dependencies: &Dependencies) -> impl Iterator<Item = &Resolved> {
    dependencies.dependencies.iter().flat_map(|it| &it.resolved)
}
