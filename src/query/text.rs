//! The lines of a file and what of them belongs to a definition: the comment about it, its head, its body.

use std::ops::Range;

use crate::model::LineIndex;
use crate::syntax::Definition;

/// The text of a file by lines, counted from 1.
pub struct Text<'t> {
    index: LineIndex<'t>,
}

/// How long a head or a documentation may be; what is longer is data.
const MOST_HEAD: u32 = 12;
const MOST_DOCUMENTATION: u32 = 80;

/// The lines of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Comments and decorators above.
    pub above: Range<u32>,
    /// The line of the name and the rest of the signature.
    pub head: Range<u32>,
    /// The string below the head that documents it, as Python has them.
    pub below: Range<u32>,
    pub body: Range<u32>,
}

impl<'t> Text<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { index: LineIndex::new(text) }
    }

    /// A line, without its break.
    pub fn line(&self, number: u32) -> Option<&'t str> {
        let line = usize::try_from(number).ok()?.checked_sub(1)?;
        self.index.line(line).map(|it| it.trim_end_matches('\r'))
    }

    /// Which lines of a definition say what.
    pub fn extent(&self, definition: &Definition) -> Extent {
        let first = definition.span.start.line;
        let name = definition.name_span.start.line.max(first);
        let end = definition.span.end.line.max(name);
        // A span that ends before the first column of a line does not hold that line.
        let end = if definition.span.end.column == 1 && end > name { end } else { end + 1 };
        let head_end = match definition.body_start {
            Some(body) if body.line > name => {
                // A brace, or an indented block below the head.
                let is_alone = self.line(body.line).is_none_or(|it| it.trim() == "{");
                if is_alone { body.line + 1 } else { body.line }
            }
            Some(_) => name + 1,
            None => end.min(name + 1),
        };
        let head_end = head_end.clamp(name + 1, (name + MOST_HEAD).min(end.max(name + 1)));
        let below_end = self.documentation(head_end, end);
        Extent {
            above: name.saturating_sub(MOST_DOCUMENTATION).max(first)..name,
            head: name..head_end,
            below: head_end..below_end,
            body: below_end..end.max(below_end),
        }
    }

    /// The end of a string that stands alone at the start of a body.
    fn documentation(&self, start: u32, end: u32) -> u32 {
        let Some(first) = self.line(start).filter(|_| start < end) else { return start };
        let opened = first.trim_start().trim_start_matches(['r', 'R', 'u', 'U']);
        let Some(mark) = ["\"\"\"", "'''"].into_iter().find(|it| opened.starts_with(it)) else {
            return start;
        };
        let rest = opened.get(mark.len()..).unwrap_or_default();
        if rest.contains(mark) {
            return start + 1;
        }
        let limit = end.min(start + MOST_DOCUMENTATION);
        let close = (start + 1..limit).find(|it| self.line(*it).is_some_and(|it| it.contains(mark)));
        close.map_or(limit, |it| it + 1)
    }
}
