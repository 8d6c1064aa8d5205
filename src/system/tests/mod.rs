//! Effects against the real system: real files, real programs.

#![expect(clippy::disallowed_methods, reason = "fixtures are written plainly")]

mod process;
mod publish;
mod replace;
