//! npm's registry: npm, pnpm and yarn.

mod manifest;
mod npm_lock;
mod npm_lock_nested;
mod pnpm_lock;
mod source;
mod yarn_lock;

use super::ecosystem::Ecosystem::Npm;
use super::format::Row;

pub const FORMATS: &[Row] = &[
    Row::manifest("package.json", Npm, manifest::read),
    Row::lockfile("npm-shrinkwrap.json", Npm, npm_lock::read),
    Row::lockfile("package-lock.json", Npm, npm_lock::read),
    Row::lockfile("pnpm-lock.yaml", Npm, pnpm_lock::read),
    Row::lockfile("yarn.lock", Npm, yarn_lock::read),
];
