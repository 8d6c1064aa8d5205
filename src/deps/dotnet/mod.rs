//! .NET: NuGet, MSBuild and Paket. <https://learn.microsoft.com/nuget/consume-packages/package-references-in-project-files>.

mod assets;
mod condition;
mod evaluate;
mod exact;
mod item;
mod msbuild;
mod packages_config;
mod packages_lock;
mod paket;
mod paket_lock;
mod property;
mod sequence;
mod settings;
pub mod version;

pub use evaluate::evaluate;
pub use msbuild::Element;

use super::ecosystem::Ecosystem::Nuget;
use super::format::Row;
use crate::model::RepoPath;

pub const FORMATS: &[Row] = &[
    Row::manifest("*.csproj", Nuget, msbuild::read),
    Row::manifest("*.fsproj", Nuget, msbuild::read),
    Row::manifest("*.vbproj", Nuget, msbuild::read),
    Row::manifest("*.sqlproj", Nuget, msbuild::read),
    Row::manifest("*.props", Nuget, msbuild::read),
    Row::manifest("*.targets", Nuget, msbuild::read),
    Row::manifest("packages.config", Nuget, packages_config::read),
    Row::manifest("global.json", Nuget, settings::read_global),
    Row::manifest("dotnet-tools.json", Nuget, settings::read_tools),
    Row::manifest("paket.dependencies", Nuget, paket::read),
    Row::lockfile("paket.lock", Nuget, paket_lock::read),
    Row::lockfile("packages.lock.json", Nuget, packages_lock::read),
    Row::lockfile("project.assets.json", Nuget, assets::read),
    Row::lockfile("*.deps.json", Nuget, assets::read),
];

/// Whether a lockfile settles what a manifest asks for: NuGet locks what projects refer to and nothing else, and Paket
/// what stands in its own file.
pub fn is_locked_by(manifest: &RepoPath, lockfile: &RepoPath) -> bool {
    const OF_PROJECTS: [&[u8]; 3] = [b"proj", b".props", b".targets"];
    let (asks, has) = (manifest.file_name(), lockfile.file_name());
    match has {
        b"paket.lock" => asks == b"paket.dependencies",
        b"packages.lock.json" | b"project.assets.json" => OF_PROJECTS.iter().any(|it| asks.ends_with(it)),
        _ => false,
    }
}
