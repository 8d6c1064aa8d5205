//! A second reading of what a grammar misreads.
//!
//! The grammar of TypeScript takes a signature that begins with `<` for the arguments of the type that ends the line
//! before it, unless a semicolon stands between them; everything behind is then lost. The outline is read from a text
//! that has one there, in the place of a space, so that every position holds.

use super::parse::{Parsed, parse};

/// The text read again with what the grammar misses; none where there is nothing to mend, or it does not help.
pub(super) fn mended(parsed: &Parsed) -> Option<Parsed> {
    let root = parsed.tree().root_node();
    if &*parsed.language.name() != "typescript" || !root.has_error() {
        return None;
    }
    let text = separated(parsed.text())?;
    let again = parse(text, parsed.language, parsed.limits).ok()?;
    let is_better =
        !again.tree().root_node().has_error() || root.is_error() && !again.tree().root_node().is_error();
    is_better.then_some(again)
}

fn separated(text: &str) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let (mut offset, mut ends_type, mut is_changed) = (0, false, false);
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let indent = line.len() - line.trim_start().len();
        let is_lost = trimmed.starts_with('<') && ends_type;
        let space = (offset + indent).checked_sub(1).filter(|_| is_lost && indent > 0);
        if let Some(space) = space.and_then(|it| bytes.get_mut(it)).filter(|it| matches!(it, b' ' | b'\t')) {
            *space = b';';
            is_changed = true;
        }
        offset += line.len();
        let is_remark = trimmed.is_empty() || ["//", "/*", "*"].iter().any(|it| trimmed.starts_with(it));
        if !is_remark {
            ends_type =
                trimmed.ends_with(['>', ']', ')', '}']) || trimmed.ends_with(|it: char| it.is_alphanumeric());
        }
    }
    if is_changed { String::from_utf8(bytes).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::separated;
    use crate::syntax::{Kinds, Language, Limits, parse, survey};

    #[test]
    fn signatures_without_semicolons_do_not_hide_what_follows() {
        let text = "interface A {\n  // one\n  <P>(a: B<P>): C<P>\n\n  // two\n  <P>(a: P): C<\n    P\n  >\n  <Q>(a: Q): Q\n}\nexport type Z = string\n";
        let parsed =
            parse(text.to_owned(), Language::of_name("typescript").unwrap(), Limits::default()).unwrap();
        let outline = survey(&parsed, &Kinds::default()).outline.unwrap();
        let names: Vec<&str> = outline.definitions.iter().map(|it| it.qualified.as_ref()).collect();
        assert_eq!(names, ["A", "A.()", "A.()", "A.()", "Z"]);
        assert_eq!(outline.definitions.last().unwrap().name_span.start.to_string(), "11:13");
        assert_eq!(separated("a\n<b>\n"), None, "at the start of a line there is no room");
    }
}
