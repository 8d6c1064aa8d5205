//! A summary for a pull request: counts first, the weightiest findings, the rest folded away.

use super::template::{self, Sink};
use super::view::{Limits, View};
use super::{ReportError, escape};
use crate::bundle::Bundle;

const TEMPLATE: &str = include_str!("../../templates/report.md.j2");

/// What one comment may hold leaves room for these.
const LIMITS: Limits = Limits { findings: 20, rows: 30 };

/// GitHub drops a step summary above 1 MiB as a whole.
const MAX_BYTES: usize = 900 * 1024;

pub fn render(bundle: &Bundle) -> Result<Vec<u8>, ReportError> {
    let mut text = template::render(TEMPLATE, Sink::Markdown, &View::new(bundle, LIMITS))?;
    if text.len() > MAX_BYTES {
        let whole = String::from_utf8_lossy(&text);
        let kept = whole.floor_char_boundary(MAX_BYTES);
        let last_line = whole.get(..kept).and_then(|it| it.rfind('\n')).unwrap_or(kept);
        let note = escape::markdown("The rest is left out here; the bundle holds all of it.");
        text = format!("{}\n\n{note}\n", whole.get(..last_line).unwrap_or_default()).into_bytes();
    }
    Ok(text)
}
