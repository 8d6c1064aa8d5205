//! The build tools of the Java virtual machine, whose packages are those of Maven's repositories.

mod ant;
mod assignment;
mod catalog;
mod catalog_script;
mod configuration;
mod coordinates;
mod evaluate;
mod expand;
mod expression;
mod gradle;
mod gradle_lock;
mod lineage;
mod managed;
mod pom;
mod properties;
mod published;
mod sbt;
mod sbt_lock;
mod script;
mod script_entry;
mod script_item;
mod script_reader;
mod settings;
mod token;
mod verification;
pub mod version;
mod xml;

use std::collections::BTreeMap;

pub use coordinates::Coordinates;
pub use published::{Absence, read_published, unpublished};
pub use settings::{Settings, settings};

use super::ecosystem::Ecosystem::{Gradle, Ivy, Maven};
use super::format::{Reading, Row};
use crate::model::RepoPath;

pub const POM: Row = Row::manifest("pom.xml", Maven, pom::read);

pub const FORMATS: &[Row] = &[
    POM,
    Row::manifest("*.pom.xml", Maven, pom::read),
    Row::manifest("*.versions.toml", Gradle, catalog::read),
    Row::manifest("*.gradle", Gradle, script_reader::read),
    Row::manifest("*.gradle.kts", Gradle, script_reader::read),
    Row::manifest("buildSrc/src/main/kotlin/*.kt", Gradle, script_reader::read),
    Row::manifest("gradle.properties", Gradle, properties::read),
    Row::lockfile("*.lockfile", Gradle, gradle_lock::read),
    Row::lockfile("verification-metadata.xml", Gradle, verification::read),
    Row::manifest("*.sbt", Ivy, sbt::read),
    Row::manifest("project/*.scala", Ivy, sbt::read),
    Row::lockfile("build.sbt.lock", Ivy, sbt_lock::read),
    Row::manifest("ivy.xml", Ivy, ant::ivy),
    Row::manifest("build.xml", Maven, ant::build),
];

/// What a manifest says in the language of its build tool.
#[derive(Clone, Debug)]
pub enum Model {
    Pom(Box<pom::Pom>),
    /// A pom that is not the repository's own.
    Published(Box<published::Published>),
    Script(script::Script),
    Catalog(catalog::Catalog),
    Properties(BTreeMap<String, String>),
}

/// Fills what is known only when the files of a build are seen together. What others publish is of no use after it.
pub fn evaluate(readings: &mut Vec<Reading>) {
    evaluate::evaluate(readings);
    gradle::evaluate(readings);
    readings.retain(|it| !matches!(model(it), Some(Model::Published(_))));
}

fn model(reading: &Reading) -> Option<&Model> {
    reading.manifest()?.jvm.as_ref()
}

/// The folder of the build that a file of Gradle is about: catalogs and older lockfiles stand in a folder of their own.
/// The checksums there stay with that folder, since they list every version that was ever allowed and settle none.
pub fn gradle_home(path: &RepoPath) -> Option<RepoPath> {
    let is_named = |it: &RepoPath, name: &[u8]| it.file_name() == name;
    let folder = path.parent()?;
    // The sources of a build's own logic hold what its scripts use.
    if path.file_name().ends_with(b".kt") {
        return std::iter::successors(Some(folder), RepoPath::parent).nth(4);
    }
    let folder = if is_named(&folder, b"dependency-locks") { folder.parent()? } else { folder };
    if is_named(&folder, b"gradle") && !is_named(path, b"verification-metadata.xml") {
        return folder.parent();
    }
    Some(folder)
}

/// The folder of the build that a file of sbt is about: its definition can stand in `project`.
pub fn sbt_home(path: &RepoPath) -> Option<RepoPath> {
    let folder = path.parent()?;
    if folder.file_name() == b"project" { folder.parent() } else { Some(folder) }
}

/// What the name of the package that leads to a plugin of Gradle ends with:
/// <https://docs.gradle.org/current/userguide/plugins.html#sec:plugin_markers>.
const PLUGIN_END: &str = ".gradle.plugin";

/// The package that leads to a plugin of Gradle.
fn plugin_package(id: &str) -> String {
    format!("{id}:{id}{PLUGIN_END}")
}
