//! Reports for people and for other tools, each made from a bundle alone, so that a stored bundle can be shown again.
//!
//! Everything in a bundle may come from a hostile repository: every text passes the escaper of the sink it goes to.

mod escape;
mod github;
mod html;
mod impact;
mod json;
mod markdown;
mod sarif;
mod template;
mod terminal;
mod view;

pub use escape::{
    json as escape_json, terminal as escape_terminal, terminal_source as escape_terminal_source,
};
pub use impact::{partner, risk};
pub use terminal::{Colours, terminal};

use crate::bundle::{Bundle, Extra};

/// Why a report could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error("the report has no JSON form: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the report's template fails: {0}")]
    Template(#[from] minijinja::Error),
}

/// A kind of report.
pub struct Format {
    /// As `--format` and `--output` name it.
    pub name: &'static str,
    pub media_type: &'static str,
    /// The file of the bundle that holds it; none for those that are made on request only.
    pub part: Option<&'static str>,
    pub render: fn(&Bundle) -> Result<Vec<u8>, ReportError>,
}

/// Every kind of report.
pub const FORMATS: &[Format] = &[
    Format { name: "human", media_type: "text/plain", part: None, render: terminal::plain },
    Format { name: "json", media_type: "application/json", part: None, render: json::render },
    Format {
        name: "markdown",
        media_type: "text/markdown",
        part: Some("report.md"),
        render: markdown::render,
    },
    Format { name: "html", media_type: "text/html", part: Some("report.html"), render: html::render },
    Format {
        name: "sarif",
        media_type: "application/sarif+json",
        part: Some("results.sarif"),
        render: sarif::render,
    },
    Format { name: "github", media_type: "text/plain", part: None, render: github::render },
];

/// The reports that every bundle holds.
///
/// # Errors
/// When one of them cannot be made.
pub fn parts(bundle: &Bundle) -> Result<Vec<Extra>, ReportError> {
    let stored = FORMATS.iter().filter_map(|format| format.part.map(|name| (format, name)));
    stored
        .map(|(format, name)| {
            Ok(Extra { name, media_type: format.media_type, bytes: (format.render)(bundle)? })
        })
        .collect()
}
