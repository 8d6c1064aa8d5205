//! One escaper for each kind of sink. What cannot be seen is made visible everywhere.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character acts on its surroundings instead of being seen: controls, bidirectional overrides, zero-width
/// and tag characters, and the line separators that only some programs honour.
const fn is_unseen(character: char) -> bool {
    matches!(character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn replaced<'t>(
    text: &'t str,
    is_special: impl Fn(char) -> bool,
    write: impl Fn(char, &mut String),
) -> Cow<'t, str> {
    if !text.contains(&is_special) {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_special(character) { write(character, &mut result) } else { result.push(character) }
    }
    Cow::Owned(result)
}

fn shown(character: char, result: &mut String) {
    match character {
        '\n' => result.push_str("\\n"),
        '\r' => result.push_str("\\r"),
        '\t' => result.push_str("\\t"),
        _ => write!(result, "\\u{{{:x}}}", u32::from(character))
            .expect("because writing to a String does not fail"),
    }
}

/// For one line of a terminal.
pub fn terminal(text: &str) -> Cow<'_, str> {
    replaced(text, is_unseen, shown)
}

/// For a line of source in a terminal: a tab is seen as white space, so it may stay one.
pub fn terminal_source(text: &str) -> Cow<'_, str> {
    replaced(text, |it| it != '\t' && is_unseen(it), shown)
}

/// For JSON text that may be printed: what is unseen can only stand inside strings, where JSON has its own escape.
pub fn json(text: &str) -> Cow<'_, str> {
    // The writer of JSON has escaped C0 already; what is left to look for starts at DEL.
    if text.bytes().all(|it| it < 0x7f) {
        return Cow::Borrowed(text);
    }
    let is_special = |it: char| it != '\n' && is_unseen(it);
    replaced(text, is_special, |character, result| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            write!(result, "\\u{unit:04x}").expect("because writing to a String does not fail");
        }
    })
}

/// For running text of GitHub-flavoured Markdown, on one line: no markup, no HTML, no mention, no reference.
pub fn markdown(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '&' => result.push_str("&amp;"),
            '@' => result.push_str("&#64;"),
            '#' => result.push_str("&#35;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '!' | '|' | '~' | '$' => {
                result.push('\\');
                result.push(character);
            }
            unseen if is_unseen(unseen) => {
                let mut visible = String::new();
                shown(unseen, &mut visible);
                result.push_str(&visible.replace('\\', "\\\\").replace('{', "\\{").replace('}', "\\}"));
            }
            _ => result.push(character),
        }
    }
    // A scheme would become a link without any markup.
    result.replace("://", ":&#47;/").replace("www.", "www&#46;")
}

/// For a code span of Markdown, also inside a table: fenced by more back-ticks than it holds.
pub fn markdown_code(text: &str) -> String {
    let text = terminal(text);
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let padding = if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    format!("{fence}{padding}{}{padding}{fence}", text.replace('|', "\\|"))
}

/// For the text and the attributes of HTML, on one line: a report that a build prints must not start a line of its own.
pub fn html(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '&' => result.push_str("&amp;"),
            '"' => result.push_str("&quot;"),
            '\'' => result.push_str("&#39;"),
            '\t' => result.push(character),
            unseen if is_unseen(unseen) => shown(unseen, &mut result),
            _ => result.push(character),
        }
    }
    result
}

/// For the message of a GitHub workflow command.
pub fn workflow_message(text: &str) -> String {
    let visible = replaced(text, |it| !matches!(it, '\n' | '\r') && is_unseen(it), shown);
    visible.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// For a property of a GitHub workflow command.
pub fn workflow_property(text: &str) -> String {
    workflow_message(text).replace(':', "%3A").replace(',', "%2C")
}

/// For the path of a URI reference (RFC 3986): everything but unreserved characters and `/` is percent-encoded.
pub fn uri_path(bytes: &[u8]) -> String {
    let mut result = String::with_capacity(bytes.len() + 8);
    for byte in bytes {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                result.push(char::from(*byte));
            }
            _ => write!(result, "%{byte:02X}").expect("because writing to a String does not fail"),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    use super::{
        html, is_unseen, json, markdown, markdown_code, terminal, uri_path, workflow_message,
        workflow_property,
    };

    #[test]
    fn each_sink_is_told_data_and_never_orders() {
        assert_eq!(terminal("a\u{1b}[31mb\r\n\u{202e}"), "a\\u{1b}[31mb\\r\\n\\u{202e}");
        assert_eq!(
            markdown("<b>*x*</b> @you #1 [a](b)"),
            "&lt;b&gt;\\*x\\*&lt;/b&gt; &#64;you &#35;1 \\[a\\]\\(b\\)"
        );
        assert_eq!(markdown("see https://x.y"), "see https:&#47;/x.y");
        assert_eq!(markdown_code("a`b``c|"), "```a`b``c\\|```");
        assert_eq!(markdown_code("`"), "`` ` ``");
        assert_eq!(html("<a href=\"x\">'&\u{7}"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;\\u{7}");
        assert_eq!(workflow_message("50%\n::error::x"), "50%25%0A::error::x");
        assert_eq!(workflow_property("a:b,c%"), "a%3Ab%2Cc%25");
        assert_eq!(uri_path("a b/é%".as_bytes()), "a%20b/%C3%A9%25");
    }

    proptest! {
        #[test]
        fn nothing_unseen_passes(text in any::<String>()) {
            prop_assert!(!terminal(&text).contains(is_unseen));
            prop_assert!(!markdown(&text).contains(is_unseen));
            prop_assert!(!markdown_code(&text).contains(is_unseen));
            prop_assert!(!workflow_message(&text).contains(is_unseen));
            prop_assert!(!html(&text).contains(|it| it != '\t' && is_unseen(it)));
            prop_assert!(!markdown(&text).contains(['<', '>']));
        }

        #[test]
        fn escaped_json_means_the_same(text in any::<String>()) {
            let written = serde_json::to_string(&text).unwrap();
            let escaped = json(&written);
            prop_assert!(!escaped.contains(is_unseen));
            prop_assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), text);
        }
    }
}
