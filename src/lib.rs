//! CodeCortex: evidence for every change.
//!
//! # The way of the data
//!
//! A command line becomes a request (`cli`), a request is an operation (`ops`), and a scan is one run of the
//! `pipeline`: a snapshot of the files, one look at each of them (read once, parsed at most once, outlined and searched
//! from the same tree), the dependencies, the comparison with a base, the graph, the impact, the rewrite preview, the
//! checks. Stages hand over types and never call each other. What came of it is assembled into a `bundle`, and a
//! `report` is made from a bundle alone, so that a stored one can be shown again.
//!
//! # The modules
//!
//! From the bottom up; a module names only modules above it in this list, and `tests/it/layers.rs` holds which.
//!
//! - `model`: the words that all others use. The evidence record, its tiers and its score; places, paths, digests,
//!   times, notes; the state of a layer; text without credentials. Pure.
//! - `config`: `.codecortex/config.json`, raw to valid; what a configuration under review may not decide.
//! - `system`: every effect: confined opening, whole-or-nothing replacement and publishing, bounded processes.
//! - `repo`: the root as a jail; the snapshot of a working tree, an index or a commit; changes, renames, bases.
//! - `history`: the commits behind: fixes, files that change together, who wrote a line; what a clone lacks is said.
//! - `precision`: an index that a compiler or indexer wrote: positions, freshness, answers by symbol identity.
//! - `deps`: manifests and lockfiles, one file for each format; what is asked for and what is settled, apart.
//! - `syntax`: the languages, one parse, and the outline of a file: definitions, imports, uses.
//! - `docs`: what the code uses of its dependencies, and what the installed packages say about that.
//! - `structural`: rules in ast-grep's format, checked before they run; matches, suppressions, edits.
//! - `graph`: symbols and uses across files, each use graded by how its target was found.
//! - `impact`: from changed lines to changed symbols, what they reach, tests, and a risk with every addend.
//! - `rewrite`: drafts, the preview, its verification, its application.
//! - `validate`: checks over a scratch copy that has the preview applied.
//! - `query`: one question in words: the layers to ask, and the lines that answer it within a budget.
//! - `pipeline`: the stages in order, and nothing else.
//! - `bundle`: the documents, their schemas and digests; sealing, reading, verifying.
//! - `report`: terminal, Markdown, HTML, SARIF, annotations; one escaper for each of these sinks.
//! - `ops`: one file for each operation, with its request, its response and its errors with stable codes.
//! - `cli`: arguments, colours, progress, exit status; the one reader of clock and environment, the one printer.
//!
//! # What holds everywhere
//!
//! A layer states how it knows something and whether that is current; tier, ceiling and score follow and cannot be
//! passed in. Missing, disabled, stale and unavailable are values: an error means that the run cannot go on. Every
//! skip and every cut is a record or a note. Parallel work ends in a sort, and no clock, thread count, hash order or
//! absolute path reaches a document: equal input, equal bytes. The repository is hostile: its paths, sizes, depths,
//! links, rules, configuration and git data are bounded, and nothing that it names is run.
//!
//! # What is absent on purpose
//!
//! - No common trait for layers and no registry: the set is closed, and each answers another question. What is open
//!   (formats, languages, reports) is a table of rows.
//! - No store beside the files: an index that can be out of date would be one more thing to doubt.
//! - No `git` process: reading a stranger's repository with it can run a stranger's code.
//! - No application of a rewrite without a verified preview and an explicit grant; both are types.
//! - No network, but for questions to a provider of documentation that whoever runs the program has switched on
//!   (`docs/remote`): a repository can neither switch it on nor choose whom to ask.

mod bundle;
mod cli;
mod config;
mod deps;
mod docs;
mod graph;
mod history;
mod impact;
mod model;
mod ops;
mod pipeline;
mod precision;
mod query;
mod repo;
mod report;
mod rewrite;
mod structural;
mod syntax;
mod system;
mod validate;

pub use cli::{cortex, cortex_scan};
