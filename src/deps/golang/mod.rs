//! Go modules: <https://go.dev/ref/mod>.
//!
//! From Go 1.17 on a `go.mod` lists every module that its packages need, at the version that the build takes: what it
//! requires is asked for and settled in one word. Before, it holds only minimums. `go.sum` lists all that was ever
//! looked at, so that nothing but checksums is taken from it.

mod build;
mod copied;
mod module;
mod replace;
mod settle;
mod sum;
mod syntax;
mod vendor;
pub mod version;
mod workspace;

pub use copied::Copied;
pub use settle::settle;

use super::ecosystem::Ecosystem::Golang;
use super::format::Row;

pub const FORMATS: &[Row] = &[
    Row::manifest("go.mod", Golang, module::read),
    Row::manifest("go.work", Golang, workspace::read),
    Row::manifest("go.sum", Golang, sum::read),
    Row::manifest("go.work.sum", Golang, sum::read),
    Row::lockfile("vendor/modules.txt", Golang, vendor::read),
];
