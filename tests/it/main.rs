//! The one integration test binary: the built programs, run over small repositories of their own.
#![cfg(test)]

/// A bundle proves what it holds: every byte is covered, and equal input gives equal bytes.
mod bundle;
/// The command line says the same thing in every release unless somebody means to change it.
mod cli;
/// What is deprecated is found through every way in which a package hands it on.
mod deprecated;
/// What a repository depends on is listed with its places, for people and for programs.
mod deps;
/// What an installed package says holds for its own version, at the places of ours that use it.
mod docs;
/// Repositories in temporary folders, and runs of the built programs over them.
mod fixture;
mod fusion;
/// The commits say what changed a file, what was fixed in it and what changes with it, or that a clone cannot know.
mod history;
/// Whatever a change brings, a run ends soon, says what it left out, and still sees the rest.
mod hostile;
/// A change is weighed by who uses it, and its tests are listed for whoever runs them.
mod impact;
/// An indexer makes the precision index, or leaves it as it is.
mod index;
/// The answers from the indexes of real indexers are those that a reader of the files would give.
mod indexers;
/// The modules name only what their row of the layering table lists.
mod layers;
/// What others publish is read where the user of Maven keeps it, and nowhere else.
mod local_maven;
/// What a question leaves for the next one saves work and changes no answer.
mod memory;
/// A precision index answers with what it knows and says how current that is.
mod precision;
/// The first page shows what the program really prints.
mod query;
mod readme;
/// The remote provider is asked by who agreed to it, and what it says is an answer or a state.
mod remote;
/// A rewrite is previewed, verified and written whole, or refused with nothing written.
mod rewrite;
/// A scan finds what it should, where it is, and ends with the right status.
mod scan;
/// The documents keep to the schemas that are checked in.
mod schema;
/// A dependency is used where an import of ours names it.
mod usage;
