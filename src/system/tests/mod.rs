//! Effects against the real system: real files, real programs.

mod process;
mod publish;
mod replace;
