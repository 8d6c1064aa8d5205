//! The repository layer against the real `git`.

#![expect(clippy::disallowed_methods, reason = "fixtures are written plainly")]
#![expect(clippy::string_slice, reason = "hexadecimal digits and diff headers")]

mod changes;
mod fixture;
mod git_data;
mod hunks;
mod log;
mod revisions;
mod worktree;
