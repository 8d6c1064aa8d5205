//! The words of a text by line, without comments and white space; and which definition a line belongs to.

use crate::syntax::{Language, Outline};

/// What stands on one line, in order. In Python the depth of a line counts, as it does to the language.
pub(super) struct Words<'t>(Vec<Vec<&'t str>>);

/// How comments and strings are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Python,
    /// Slashes for comments; a string ends on its line.
    Slashes,
    /// Slashes for comments; a string in double quotes may run over lines.
    LongStrings,
}

/// What a line begins inside of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    Comment,
    /// A string that may run over lines, by its closing text.
    Text(&'static str),
}

impl<'t> Words<'t> {
    pub(super) fn of(text: &'t str, language: Language) -> Self {
        let style = match language.name().as_str() {
            "python" => Style::Python,
            "rust" | "csharp" => Style::LongStrings,
            _ => Style::Slashes,
        };
        let is_python = style == Style::Python;
        let mut open = Open::Nothing;
        let lines = text.lines().map(|line| {
            let mut words = Vec::new();
            let depth = line.len() - line.trim_start().len();
            let was_open = open;
            words_of(line, style, &mut open, &mut words);
            if is_python && was_open == Open::Nothing && !words.is_empty() {
                words.insert(0, line.get(..depth).unwrap_or_default());
            }
            words
        });
        Self(lines.collect())
    }

    /// The words of a line counted from 1.
    pub(super) fn line(&self, line: u32) -> &[&'t str] {
        let index = (line as usize).checked_sub(1);
        index.and_then(|it| self.0.get(it)).map_or(&[], Vec::as_slice)
    }

    pub(super) fn within(&self, lines: impl Iterator<Item = u32>) -> Vec<&'t str> {
        lines.flat_map(|it| self.line(it)).copied().collect()
    }
}

fn words_of<'t>(line: &'t str, style: Style, open: &mut Open, words: &mut Vec<&'t str>) {
    let mut rest = line;
    let mut unpaired = None;
    while !rest.is_empty() {
        let (taken, is_word) = match *open {
            Open::Comment => (end_of(rest, "*/", open), false),
            Open::Text(closing) => (end_of(rest, closing, open), true),
            Open::Nothing => next_word(rest, style, open, &mut unpaired),
        };
        let (word, after) = rest.split_at_checked(taken.max(1)).unwrap_or((rest, ""));
        if is_word {
            words.push(word.trim_end());
        }
        rest = after;
    }
}

/// Up to behind the closing text, or all when it is not on this line.
fn end_of(rest: &str, closing: &str, open: &mut Open) -> usize {
    match rest.find(closing) {
        Some(at) => {
            *open = Open::Nothing;
            at + closing.len()
        }
        None => rest.len(),
    }
}

/// The length of what comes next outside comments and strings, and whether it counts. `unpaired` is a quote that has
/// no partner on the rest of the line: it is not looked for again.
fn next_word(rest: &str, style: Style, open: &mut Open, unpaired: &mut Option<char>) -> (usize, bool) {
    let first = rest.chars().next().unwrap_or(' ');
    let is_name = |it: char| it.is_alphanumeric() || it == '_' || it == '$';
    if first.is_whitespace() {
        return (rest.find(|it: char| !it.is_whitespace()).unwrap_or(rest.len()), false);
    }
    if style == Style::Python && first == '#' || style != Style::Python && rest.starts_with("//") {
        return (rest.len(), false);
    }
    if style != Style::Python && rest.starts_with("/*") {
        *open = Open::Comment;
        return (2, false);
    }
    let long = if style == Style::Python { ["\"\"\"", "'''"] } else { ["\"\"\"", "`"] };
    if let Some(quote) = long.iter().find(|it| rest.starts_with(**it)) {
        *open = Open::Text(quote);
        return (quote.len(), true);
    }
    match first {
        '"' | '\'' if *unpaired == Some(first) => (1, true),
        '"' | '\'' => match quoted(rest, first) {
            Some(length) => (length, true),
            None if first == '"' && style == Style::LongStrings => {
                *open = Open::Text("\"");
                (1, true)
            }
            None => {
                *unpaired = Some(first);
                (1, true)
            }
        },
        _ if is_name(first) => (rest.find(|it| !is_name(it)).unwrap_or(rest.len()), true),
        _ => (first.len_utf8(), true),
    }
}

/// The length of a string that ends on its line; a lone quote may be a lifetime.
fn quoted(rest: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, it) in rest.char_indices().skip(1) {
        match it {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if it == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Who owns a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owner {
    /// An import statement: it changes what is known, not what the file does.
    Import,
    /// What stands outside every definition.
    Module,
    Definition(usize),
}

/// The innermost owner of each line of a text.
pub(super) fn owners(outline: &Outline, text: &str) -> Vec<Owner> {
    let mut owners = vec![Owner::Module; text.lines().count()];
    let mut paint = |first: u32, last: u32, owner: Owner| {
        let lines = (first as usize).saturating_sub(1)..(last as usize).min(owners.len());
        for line in owners.get_mut(lines).unwrap_or_default() {
            *line = owner;
        }
    };
    for it in &outline.imports {
        paint(it.span.start.line, it.span.end.line, Owner::Import);
    }
    for (number, it) in outline.definitions.iter().enumerate().filter(|it| it.1.kind.owns_lines()) {
        // A span that ends in column 1 does not reach into that line.
        let last = if it.span.end.column == 1 { it.span.end.line - 1 } else { it.span.end.line };
        paint(it.span.start.line, last, Owner::Definition(number));
    }
    owners
}

#[cfg(test)]
mod tests {
    use super::Words;
    use crate::syntax::Language;

    #[test]
    fn comments_and_white_space_are_no_words() {
        let check = |language: &str, left: &str, right: &str, expected: bool| {
            let language = Language::of_name(language).unwrap();
            let words = |text| Words::of(text, language).0.concat().concat();
            assert_eq!(words(left) == words(right), expected, "{left:?} {right:?}");
        };
        check("rust", "fn f() { g(1) } // a", "fn f()\n{\n    /* b\n c */ g(1)\n}", true);
        check("rust", "f(\"a // b\")", "f(\"a // c\")", false);
        check("rust", "fn f<'a>(x: &'a str) {}", "fn f<'b>(x: &'a str) {}", false);
        check("python", "x = 1  # a", "x  =  1", true);
        check("python", "if a:\n    b()\n    c()", "if a:\n    b()\nc()", false);
        check("python", "x = \"\"\"a\n# b\n\"\"\"", "x = \"\"\"a\n# c\n\"\"\"", false);
        check("rust", "f(\"a\n// b\")", "f(\"a\n// c\")", false);
        check("typescript", "x = `a\n// b`", "x = `a\n// c`", false);
    }
}
