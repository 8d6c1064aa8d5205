//! What names and imports answer where a precision index does not: every result at its own tier.

use super::error::OpError;
use crate::config::Config;
use crate::graph::Lookup;
use crate::model::{Evidence, Point, Reason, RepoPath, SymbolId};
use crate::pipeline::{self, Asking, Memory};
use crate::precision::Question;
use crate::repo::Repository;

/// What a question is about.
#[derive(Clone, Copy)]
pub enum Subject<'s> {
    Place(Question, &'s RepoPath, Point),
    /// The definitions of a name.
    Name(&'s str),
}

/// What names say.
#[derive(Default)]
pub struct Named {
    pub symbol: Option<SymbolId>,
    pub results: Vec<Evidence>,
    /// Why there is nothing.
    pub gap: Option<Reason>,
}

/// Outlines every file and answers from the definitions, uses and imports in them.
///
/// # Errors
/// When the files of the repository cannot be listed.
pub fn answer(
    repository: &Repository,
    config: &Config,
    memory: &Memory,
    subject: Subject<'_>,
) -> Result<Named, OpError> {
    let sources = pipeline::sources(repository, config, memory, Asking::NamesAlone)
        .map_err(|it| OpError::incomplete("scan_impossible", it))?;
    let lookup = Lookup::new(&sources.files, &sources.roots, None);
    let (question, meant) = match subject {
        Subject::Name(name) => (Question::Definition, lookup.called(name)),
        Subject::Place(question, path, point) => (question, lookup.at(path, point)),
    };
    if meant.is_empty() {
        return Ok(Named { gap: Some(nothing(subject)), ..Named::default() });
    }
    let results = match question {
        Question::Definition => lookup.definitions(&meant),
        Question::References => lookup.references(&meant),
        Question::Implementations => lookup.implementations(&meant),
    };
    let gap = results.is_empty().then(|| {
        let message = "no name or import leads there; what a language leaves implicit, and calls through values, take an index";
        Reason::new("names_lead_nowhere", message)
    });
    Ok(Named { symbol: lookup.identity(&meant), results, gap })
}

fn nothing(subject: Subject<'_>) -> Reason {
    let message = match subject {
        Subject::Place(_, path, point) => format!(
            "names and imports lead nowhere from {path}:{point}; what is local to a function, or depends on a type, \
             takes an index"
        ),
        Subject::Name(name) => format!("no file defines the name `{name}`"),
    };
    Reason::new("names_lead_nowhere", message)
}
