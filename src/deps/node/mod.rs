//! npm's registry: npm, pnpm, yarn and bun.

mod bun_lock;
mod catalog;
mod manifest;
mod npm_lock;
mod npm_lock_nested;
mod pnpm_lock;
mod source;
pub mod version;
mod yarn_lock;

use super::ecosystem::Ecosystem::Npm;
use super::format::Row;

pub const FORMATS: &[Row] = &[
    Row::manifest("package.json", Npm, manifest::read),
    Row::manifest("pnpm-workspace.yaml", Npm, catalog::read),
    Row::manifest(".yarnrc.yml", Npm, catalog::read),
    Row::lockfile("npm-shrinkwrap.json", Npm, npm_lock::read),
    Row::lockfile("package-lock.json", Npm, npm_lock::read),
    Row::lockfile("pnpm-lock.yaml", Npm, pnpm_lock::read),
    Row::lockfile("yarn.lock", Npm, yarn_lock::read),
    Row::lockfile("bun.lock", Npm, bun_lock::read),
    Row::unread(
        "bun.lockb",
        Npm,
        "`bun install --save-text-lockfile` writes one that can be read, `bun.lock`",
    ),
];
