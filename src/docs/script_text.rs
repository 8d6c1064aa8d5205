//! JSDoc, as far as it says what something is and that it is deprecated.

use super::declaration::Deprecated;

const TAG: &str = "@deprecated";

/// The documentation before a name, and what it says of deprecation: the last comment block, if nothing but code that
/// leads to the name follows it.
pub fn read(lead: &str) -> (Option<String>, Option<Deprecated>) {
    let Some(block) = last_block(lead) else { return (None, None) };
    let lines: Vec<&str> = block.lines().map(|it| it.trim().trim_start_matches('*').trim()).collect();
    let tag = lines.iter().position(|it| is_tag(it));
    let deprecated = tag.map(|at| {
        let first = lines.get(at).map_or("", |it| it.get(TAG.len()..).unwrap_or_default());
        let more = lines.iter().skip(at + 1).take_while(|it| !it.is_empty() && !it.starts_with('@'));
        let parts: Vec<&str> = std::iter::once(first).chain(more.copied()).collect();
        Deprecated::new(&parts.join(" "))
    });
    (Some(lines.join("\n")), deprecated)
}

/// The text of the last `/** … */`.
pub fn last_block(lead: &str) -> Option<&str> {
    let end = lead.rfind("*/")?;
    let before = lead.get(..end)?;
    let start = before.rfind("/**")?;
    before.get(start + 3..)
}

fn is_tag(line: &str) -> bool {
    line.strip_prefix(TAG).is_some_and(|rest| !rest.starts_with(|it: char| it.is_alphanumeric() || it == '_'))
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::docs::declaration::Deprecated;

    #[track_caller]
    fn check(lead: &str, expected: Option<&str>) {
        let deprecated = read(lead).1;
        assert_eq!(deprecated, expected.map(|it| Deprecated { note: it.to_owned() }), "{lead}");
    }

    /// <https://jsdoc.app/tags-deprecated>
    #[test]
    fn only_the_tag_of_the_last_block_counts() {
        check("/** @deprecated */\nexport function ", Some(""));
        check(
            "/**\n * Old.\n * @param x y\n * @deprecated since 2,\n *  use b\n * @see c\n */\n",
            Some("since 2, use b"),
        );
        check("/** The deprecated way, see @deprecated. */", None);
        check("/** @deprecatedly */", None);
        check("/* @deprecated */", None);
        check("// @deprecated\n", None);
        check("/** @deprecated a */\n/** b */\n", None);
    }
}
