//! Conda: environments as they are asked for and as they are installed.

mod environment;
mod installed;
mod spec;

use super::ecosystem::Ecosystem::Conda;
use super::format::Row;

pub use spec::{pinned, release};

pub const FORMATS: &[Row] = &[
    Row::manifest("environment.yml", Conda, environment::read),
    Row::manifest("environment.yaml", Conda, environment::read),
    Row::manifest("environment-*.yml", Conda, environment::read),
    Row::manifest("environment-*.yaml", Conda, environment::read),
    Row::lockfile("conda-meta/*.json", Conda, installed::read),
];
