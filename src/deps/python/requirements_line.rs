//! The lines of a requirements file, with their continuations and without their comments.

use std::borrow::Cow;

/// What pip takes for one line. Its text has the length of what is written, so that offsets into both are the same.
#[derive(Debug)]
pub struct Line<'t> {
    pub start: usize,
    /// Without the comment.
    pub text: Cow<'t, str>,
    /// Behind the `#`.
    pub comment: Option<&'t str>,
}

/// Joins the lines that end in a back slash.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        let parts = text.get(start..)?.split_inclusive('\n');
        let mut is_joined = false;
        for part in parts {
            at += part.len();
            let is_comment = part.trim_start().starts_with('#');
            if is_comment || !part.trim_end_matches(['\n', '\r']).ends_with('\\') {
                break;
            }
            is_joined = true;
        }
        (at > start).then(|| line(text.get(start..at).unwrap_or_default(), start, is_joined))
    })
}

fn line(written: &str, start: usize, is_joined: bool) -> Line<'_> {
    let before_blank =
        |at: usize| written.get(..at).is_none_or(|it| it.is_empty() || it.ends_with(char::is_whitespace));
    let comment = written.match_indices('#').map(|it| it.0).find(|it| before_blank(*it));
    let text = written.get(..comment.unwrap_or(written.len())).unwrap_or_default();
    let text = if is_joined { Cow::Owned(unbroken(text)) } else { Cow::Borrowed(text) };
    Line { start, text, comment: comment.and_then(|it| written.get(it + 1..)).map(str::trim) }
}

/// The text with blanks for its line ends and the back slashes before them.
fn unbroken(text: &str) -> String {
    text.replace("\\\r\n", "   ").replace("\\\n", "  ")
}

#[cfg(test)]
mod tests {
    use super::lines;

    /// Each line as `start|text|comment`.
    #[test]
    fn lines_are_those_of_pip() {
        let text = "a==1 \\\r\n  --hash=x # c\r\n# no \\\nb#c\n\nd \\";
        let shown: Vec<String> = lines(text)
            .map(|it| format!("{}|{}|{}", it.start, it.text.trim_end(), it.comment.unwrap_or("-")))
            .collect();
        assert_eq!(shown, ["0|a==1      --hash=x|c", "24||no \\", "31|b#c|-", "35||-", "36|d \\|-"]);
    }
}
