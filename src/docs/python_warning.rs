//! A warning in the body of a function of Python, where it says that the function itself is deprecated.

use super::declaration::Deprecated;
use super::python_text::{balanced, docstring_end, indentation, strings};

/// The warning of a body that every call gives. It is a statement of the body's own block, so under no condition, and no
/// statement before it can return: a `return` stands at most in what the body defines. A `raise` may stand before it: that
/// call fails, and every one that does not still warns.
pub fn warned(body: &str) -> Option<Deprecated> {
    let indent = indentation(body.lines().find(|it| !it.trim().is_empty())?);
    let mut offset = 0;
    let mut after = docstring_end(body);
    for line in body.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        if start < after || indentation(line) != indent {
            continue;
        }
        let statement = line.trim_start();
        let call =
            ["warnings.warn(", "warn(", "_warnings.warn("].iter().find(|it| statement.starts_with(**it));
        let Some(call) = call else { continue };
        let from = start + (line.len() - statement.len()) + call.len() - 1;
        let arguments = balanced(body.get(from..).unwrap_or_default());
        after = from + arguments.len();
        if arguments.contains("DeprecationWarning") {
            if returns(body.get(..start).unwrap_or_default()) {
                return None;
            }
            return Some(Deprecated::new(&strings(arguments)));
        }
    }
    None
}

/// Whether some statements have a `return` of their own, not one of a function or class that they define.
fn returns(statements: &str) -> bool {
    let code = without_texts(statements);
    let mut inside: Option<usize> = None;
    for line in code.lines().filter(|it| !it.trim().is_empty()) {
        let indent = indentation(line);
        // A bracket that closes the parameters stands as far out as the `def`.
        if inside.is_some_and(|it| indent > it || line.trim_start().starts_with(')')) {
            continue;
        }
        let mut words =
            line.split(|it: char| !(it.is_alphanumeric() || it == '_')).filter(|it| !it.is_empty());
        let defines = matches!(
            (words.clone().next(), words.clone().nth(1)),
            (Some("def" | "class"), _) | (Some("async"), Some("def"))
        );
        inside = defines.then_some(indent);
        if !defines && words.any(|it| it == "return") {
            return true;
        }
    }
    false
}

/// The code with neither comments nor the insides of strings.
fn without_texts(code: &str) -> String {
    let mut kept = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find(['"', '\'', '#']) {
        let (before, text) = rest.split_at(at);
        kept.push_str(before);
        let length = match text.bytes().next() {
            Some(b'#') => text.find('\n').unwrap_or(text.len()),
            _ => string_length(text),
        };
        rest = text.get(length..).unwrap_or_default();
    }
    kept.push_str(rest);
    kept
}

/// The length of a string with its quotes; what is not closed goes on to the end.
fn string_length(text: &str) -> usize {
    let first = text.get(..1).unwrap_or_default();
    let triple = first.repeat(3);
    let quote = if text.starts_with(&triple) { triple.as_str() } else { first };
    let mut at = quote.len();
    while let Some(rest) = text.get(at..).filter(|it| !it.is_empty()) {
        if rest.starts_with(quote) {
            return at + quote.len();
        }
        let mut characters = rest.chars();
        let first = characters.next().map_or(0, char::len_utf8);
        let escaped = characters.next().map_or(0, char::len_utf8);
        at += if rest.starts_with('\\') { first + escaped } else { first };
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::warned;
    use crate::docs::declaration::Deprecated;

    fn note(it: Option<Deprecated>) -> Option<String> {
        it.map(|it| it.note)
    }

    #[test]
    fn a_warning_counts_when_every_call_gives_it() {
        let body = "    \"\"\"Text.\"\"\"\n    x = 1\n    warnings.warn(\n        \"use \" \"b\", DeprecationWarning, 2\n    )\n";
        assert_eq!(note(warned(body)).as_deref(), Some("use b"));
        assert_eq!(note(warned("    if old:\n        warnings.warn('x', DeprecationWarning)\n")), None);
        assert_eq!(note(warned("    warnings.warn('slow', UserWarning)\n    return 1\n")), None);
        assert_eq!(
            note(warned("    '''\n    warnings.warn('x', DeprecationWarning)\n    '''\n    return 1\n")),
            None
        );
    }

    #[test]
    fn a_warning_does_not_count_where_a_call_can_return_before_it() {
        #[track_caller]
        fn check(before: &str, expected: Option<&str>) {
            let body = format!(
                "    \"\"\"Text.\"\"\"\n{before}    warnings.warn('x', DeprecationWarning)\n    return 1\n"
            );
            assert_eq!(note(warned(&body)).as_deref(), expected, "{before}");
        }
        check("    if a is None:\n        return b\n", None);
        check("    if a is None: return b\n", None);
        check("    for it in a:\n        if it:\n            return it\n", None);
        check("    try:\n        return b\n    except E:\n        pass\n", None);
        check("    if a is None:\n        raise E('return')\n", Some("x"));
        check("    if a is None:\n        a = 1  # or return\n", Some("x"));
        check("    text = \"\"\"\n    return\n    \"\"\"\n    other = 'it\\'s return'\n", Some("x"));
        check("    def inner(\n        a,\n    ):\n        return a\n    returned = inner(1)\n", Some("x"));
        check("    async def inner(a):\n        return a\n    if a:\n        return 2\n", None);
    }
}
