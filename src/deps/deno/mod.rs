//! Deno: <https://docs.deno.com/runtime/fundamentals/modules/>. Its packages come from JSR and from npm.

mod lock;
mod manifest;
mod specifier;

use super::ecosystem::Ecosystem::Jsr;
use super::format::Row;

pub const FORMATS: &[Row] = &[
    Row::manifest("deno.json", Jsr, manifest::read),
    Row::manifest("deno.jsonc", Jsr, manifest::read),
    Row::lockfile("deno.lock", Jsr, lock::read),
];
