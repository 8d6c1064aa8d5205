//! Docstrings, decorators and warnings of Python, as far as they say that something is deprecated.

use super::declaration::{Deprecated, one_line};
use super::library::Module;
use super::python_warning::warned;
use crate::model::{Point, Span};
use crate::syntax::{Definition, DefinitionKind};

/// The docstring, and what decorators, warnings and directives say of deprecation.
pub fn read(module: &Module, definition: &Definition) -> (Option<String>, Option<Deprecated>) {
    let lead = module.lead(definition);
    let body = definition.body_start.map(|start| {
        let start = Point { column: 1, ..start };
        module.slice(Span { start, end: definition.span.end })
    });
    let body = body
        .filter(|_| definition.kind.runs() || definition.kind == DefinitionKind::Class)
        .unwrap_or_default();
    let documentation = docstring(body);
    let deprecated = decorated(lead)
        .or_else(|| documentation.as_deref().and_then(directive))
        .or_else(|| if definition.kind.runs() { warned(body) } else { warned_when_made(module, definition) });
    (documentation, deprecated)
}

/// A decorator whose last name is `deprecated`: of `warnings`, `typing_extensions`, or the package of that name.
fn decorated(lead: &str) -> Option<Deprecated> {
    let mut rest = lead;
    loop {
        let at = rest.find('@')?;
        let line_start = rest.get(..at)?.rfind('\n').map_or(0, |it| it + 1);
        let is_first = rest.get(line_start..at)?.trim().is_empty();
        rest = rest.get(at + 1..)?;
        let end =
            rest.find(|it: char| !(it.is_alphanumeric() || it == '_' || it == '.')).unwrap_or(rest.len());
        let name = rest.get(..end)?;
        if is_first && name.rsplit('.').next() == Some("deprecated") {
            let arguments = rest.get(end..).filter(|it| it.starts_with('(')).map(balanced);
            return Some(Deprecated::new(&arguments.map(strings).unwrap_or_default()));
        }
    }
}

/// The warning that making an instance gives.
fn warned_when_made(module: &Module, definition: &Definition) -> Option<Deprecated> {
    ["__init__", "__new__"].iter().find_map(|name| {
        let qualified = format!("{}.{name}", definition.qualified);
        let inner = module.defined(&qualified).find(|it| definition.span.encloses(&it.span))?;
        let start = Point { column: 1, ..inner.body_start? };
        warned(module.slice(Span { start, end: inner.span.end }))
    })
}

/// `.. deprecated:: 1.2` or `:deprecated: …` at the docstring's own indentation: deeper ones are about a parameter.
fn directive(documentation: &str) -> Option<Deprecated> {
    let lines: Vec<&str> = documentation.lines().collect();
    let own =
        lines.iter().skip(1).filter(|it| !it.trim().is_empty()).map(|it| indentation(it)).min().unwrap_or(0);
    let at = lines.iter().enumerate().position(|(number, line)| {
        let is_own = number == 0 || indentation(line) == own;
        let line = line.trim_start();
        is_own && (line.starts_with(".. deprecated::") || line.starts_with(":deprecated:"))
    })?;
    let first =
        lines.get(at)?.trim().trim_start_matches(".. deprecated::").trim_start_matches(":deprecated:");
    let more = lines.iter().skip(at + 1).take_while(|it| !it.trim().is_empty() && indentation(it) > own);
    let parts: Vec<&str> = std::iter::once(first).chain(more.copied()).collect();
    Some(Deprecated::new(&parts.join(" ")))
}

const QUOTES: [&str; 2] = ["\"\"\"", "'''"];

/// The text that a body begins with.
fn docstring(body: &str) -> Option<String> {
    let (start, end) = docstring_range(body)?;
    body.get(start..end).map(str::to_owned)
}

pub fn docstring_end(body: &str) -> usize {
    docstring_range(body).map_or(0, |it| it.1)
}

fn docstring_range(body: &str) -> Option<(usize, usize)> {
    let text = body.trim_start().trim_start_matches(['r', 'R', 'u', 'U']);
    let start = body.len() - text.len();
    let quote = QUOTES.into_iter().find(|it| text.starts_with(it)).or_else(|| {
        let first = text.get(..1)?;
        ["\"", "'"].into_iter().find(|it| *it == first)
    })?;
    let inside = text.get(quote.len()..)?;
    let length = inside.find(quote)?;
    Some((start + quote.len(), start + quote.len() + length))
}

pub fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The text from an opening round bracket to the one that closes it. Brackets in strings count too, so that it may end
/// late, never early by more than what a string unbalances.
pub fn balanced(text: &str) -> &str {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return text.get(..=at).unwrap_or(text);
                }
            }
            _ => {}
        }
    }
    text
}

/// The first string of some arguments, joined with those that stand directly behind it.
pub fn strings(arguments: &str) -> String {
    let mut joined = String::new();
    let mut rest = arguments;
    while let Some(at) = rest.find(['"', '\'']) {
        let is_next =
            rest.get(..at).is_some_and(|it| it.chars().all(|it| it.is_whitespace() || "(frb".contains(it)));
        if !joined.is_empty() && !is_next {
            break;
        }
        let Some(quote) = rest.get(at..=at) else { break };
        let quote = QUOTES
            .into_iter()
            .find(|it| rest.get(at..).is_some_and(|text| text.starts_with(it)))
            .unwrap_or(quote);
        let Some(inside) = rest.get(at + quote.len()..) else { break };
        let Some(end) = inside.find(quote) else { break };
        joined.push_str(inside.get(..end).unwrap_or_default());
        rest = inside.get(end + quote.len()..).unwrap_or_default();
    }
    one_line(&joined)
}

#[cfg(test)]
mod tests {
    use super::{decorated, directive};
    use crate::docs::declaration::Deprecated;

    fn note(it: Option<Deprecated>) -> Option<String> {
        it.map(|it| it.note)
    }

    #[test]
    fn decorators_of_that_name_count() {
        assert_eq!(note(decorated("@deprecated\ndef ")).as_deref(), Some(""));
        assert_eq!(
            note(decorated("@typing_extensions.deprecated(\"use b\")\ndef ")).as_deref(),
            Some("use b")
        );
        assert_eq!(
            note(decorated("@a\n@warnings.deprecated(\n    'x'\n    'y', category=None)\nasync def "))
                .as_deref(),
            Some("xy")
        );
        assert_eq!(note(decorated("@deprecated_alias(a='b')\ndef ")), None);
        assert_eq!(note(decorated("# mail a@deprecated\ndef ")), None);
    }

    /// <https://www.sphinx-doc.org/en/master/usage/restructuredtext/directives.html#directive-deprecated>
    #[test]
    fn a_directive_counts_where_it_is_about_the_whole() {
        let text = "Does.\n\n    .. deprecated:: 1.2\n       Use b.\n\n    More.\n    ";
        assert_eq!(note(directive(text)).as_deref(), Some("1.2 Use b."));
        let inner = "Does.\n\n    Args:\n        x: y\n            .. deprecated:: 1.2\n    ";
        assert_eq!(note(directive(inner)), None);
        assert_eq!(note(directive("Deprecated, or not.")), None);
    }
}
