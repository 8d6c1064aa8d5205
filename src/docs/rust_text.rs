//! Doc comments and attributes of Rust.

use super::declaration::Deprecated;

const ATTRIBUTE: &str = "#[deprecated";

/// The documentation before a name, and its `#[deprecated]`. One behind `cfg_attr` holds only sometimes and is left out.
pub fn read(lead: &str) -> (Option<String>, Option<Deprecated>) {
    let lines = || lead.lines().map(str::trim_start);
    let documentation: Vec<&str> = lines()
        .filter_map(|it| it.strip_prefix("///"))
        .map(|it| it.strip_prefix(' ').unwrap_or(it))
        .collect();
    let mut offset = 0;
    let attribute = lead.split_inclusive('\n').find_map(|line| {
        let start = offset + (line.len() - line.trim_start().len());
        offset += line.len();
        line.trim_start().starts_with(ATTRIBUTE).then(|| lead.get(start + ATTRIBUTE.len()..))?
    });
    let deprecated = attribute.map(|rest| {
        let inside = rest.strip_prefix('(').map_or("", |it| it.split(")]").next().unwrap_or_default());
        let note = inside.split("note").nth(1).or_else(|| rest.strip_prefix(" ="));
        Deprecated::new(note.and_then(quoted).unwrap_or_default())
    });
    ((!documentation.is_empty()).then(|| documentation.join("\n")), deprecated)
}

/// The first text in quotes.
fn quoted(text: &str) -> Option<&str> {
    let start = text.find('"')? + 1;
    let rest = text.get(start..)?;
    rest.get(..rest.find('"')?)
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::docs::declaration::Deprecated;

    #[track_caller]
    fn check(lead: &str, expected: Option<&str>) {
        assert_eq!(read(lead).1, expected.map(|it| Deprecated { note: it.to_owned() }), "{lead}");
    }

    /// <https://doc.rust-lang.org/reference/attributes/diagnostics.html#the-deprecated-attribute>
    #[test]
    fn the_attribute_is_read_in_its_forms() {
        check("#[deprecated]\npub fn ", Some(""));
        check("#[deprecated = \"use b\"]\npub fn ", Some("use b"));
        check(
            "/// x\n#[inline]\n#[deprecated(since = \"1.0\", note = \"use `b`\")]\npub fn ",
            Some("use `b`"),
        );
        check("#[deprecated(\n    since = \"1.0\",\n    note = \"a\"\n)]\npub fn ", Some("a"));
        check("/// #[deprecated]\npub fn ", None);
        check("#[cfg_attr(feature = \"x\", deprecated)]\npub fn ", None);
    }
}
