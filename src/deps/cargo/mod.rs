//! Cargo: <https://doc.rust-lang.org/cargo/reference/>.

mod lock;
mod manifest;
pub mod version;

use super::ecosystem::Ecosystem::Cargo;
use super::format::Row;

pub const FORMATS: &[Row] =
    &[Row::manifest("Cargo.toml", Cargo, manifest::read), Row::lockfile("Cargo.lock", Cargo, lock::read)];
