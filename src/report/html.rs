//! One page that needs nothing else: no request, no script, readable on paper and by a screen reader.

use super::ReportError;
use super::template::{self, Sink};
use super::view::{Limits, View};
use crate::bundle::Bundle;

const TEMPLATE: &str = include_str!("../../templates/report.html.j2");

/// A page with more rows than this is slow to open; the totals say what is left out.
const LIMITS: Limits = Limits { findings: 2_000, rows: 500 };

pub fn render(bundle: &Bundle) -> Result<Vec<u8>, ReportError> {
    Ok(template::render(TEMPLATE, Sink::Html, &View::new(bundle, LIMITS))?)
}
