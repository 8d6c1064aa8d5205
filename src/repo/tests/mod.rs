//! The repository layer against the real `git`.

mod changes;
mod fixture;
mod git_data;
mod hunks;
mod revisions;
mod worktree;
