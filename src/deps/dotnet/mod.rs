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
