//! Annotations of a GitHub workflow run.
//!
//! GitHub shows at most ten errors and ten warnings of a step; the rest is counted in a last line. The lines stand
//! between `stop-commands` marks of the caller's choosing only where repository text could start a line, which the
//! escaper rules out.

use std::fmt::Write as _;

use super::{ReportError, escape};
use crate::bundle::{Bundle, Finding};
use crate::model::{Severity, Standing};

/// What GitHub shows of one level and step.
const SHOWN: usize = 10;

pub fn render(bundle: &Bundle) -> Result<Vec<u8>, ReportError> {
    let mut shown: Vec<(&str, &Finding)> = Vec::new();
    let mut left_out = String::new();
    for (level, severities) in [
        ("error", &[Severity::Error] as &[Severity]),
        ("warning", &[Severity::Warning]),
        ("notice", &[Severity::Info, Severity::Hint]),
    ] {
        let mut of_level: Vec<&Finding> =
            bundle.findings.iter().filter(|it| severities.contains(&it.severity)).collect();
        of_level.sort_by_key(|it| it.status);
        shown.extend(of_level.iter().take(SHOWN).map(|it| (level, *it)));
        if let Some(more @ 1..) = of_level.len().checked_sub(SHOWN) {
            writeln!(
                left_out,
                "{more} more of level {level} {} in the bundle",
                if more == 1 { "is" } else { "are" }
            )
            .expect("because writing to a String does not fail");
        }
    }
    // What the change brings comes first, whatever its level: it is what a reviewer is there for.
    shown.sort_by_key(|(_, it)| it.status);
    let text: String = shown.into_iter().map(|(level, it)| annotation(level, it)).collect();
    Ok((text + &left_out).into_bytes())
}

fn annotation(level: &str, finding: &Finding) -> String {
    let path = escape::workflow_property(&finding.path.to_string());
    let title = escape::workflow_property(&finding.rule);
    let message = escape::workflow_message(finding.message.as_str());
    let new = if finding.status == Standing::New { " (new)" } else { "" };
    // GitHub takes an end column only on the line of the start.
    let columns = if finding.start_line == finding.end_line {
        format!(",col={},endColumn={}", finding.start_column, finding.end_column)
    } else {
        String::new()
    };
    let (line, end) = (finding.start_line, finding.end_line);
    format!("::{level} file={path},line={line},endLine={end}{columns},title={title}::{message}{new}\n")
}
