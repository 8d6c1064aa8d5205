//! Text that has been through the redactor: the only kind that a record, a report or a log takes.

use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::{Captures, Regex};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::address::{MASK, without_credentials};

/// Text in which whatever looks like a credential has been replaced. There is no way to make one without the
/// replacement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(from = "String")]
pub struct Redacted(String);

/// A shape of credential: a text that every instance holds, and the shape, whose group `secret` is replaced.
struct Shape {
    hints: &'static [&'static str],
    pattern: &'static str,
}

/// The published formats of common credentials, and secret-like names that are given a value.
const SHAPES: &[Shape] = &[
    Shape {
        hints: &["PRIVATE KEY"],
        pattern: r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?<secret>[\s\S]*?)(?:-----END [A-Z ]*PRIVATE KEY-----|\z)",
    },
    Shape {
        hints: &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        pattern: r"\b(?<secret>gh[pousr]_[A-Za-z0-9]{30,})",
    },
    Shape { hints: &["github_pat_"], pattern: r"\b(?<secret>github_pat_[A-Za-z0-9_]{40,})" },
    Shape { hints: &["glpat-"], pattern: r"\b(?<secret>glpat-[A-Za-z0-9_-]{20,})" },
    Shape { hints: &["AKIA", "ASIA"], pattern: r"\b(?<secret>A[KS]IA[A-Z0-9]{16})\b" },
    Shape { hints: &["xox"], pattern: r"\b(?<secret>xox[abeoprs]-[A-Za-z0-9-]{10,})" },
    Shape {
        hints: &["sk_live_", "rk_live_", "sk_test_"],
        pattern: r"\b(?<secret>[rs]k_(?:live|test)_[A-Za-z0-9]{16,})",
    },
    Shape { hints: &["sk-"], pattern: r"\b(?<secret>sk-[A-Za-z0-9_-]{20,})" },
    Shape { hints: &["AIza"], pattern: r"\b(?<secret>AIza[A-Za-z0-9_-]{35})" },
    Shape { hints: &["npm_"], pattern: r"\b(?<secret>npm_[A-Za-z0-9]{36})" },
    Shape { hints: &["pypi-"], pattern: r"\b(?<secret>pypi-[A-Za-z0-9_-]{50,})" },
    Shape {
        hints: &["eyJ"],
        pattern: r"\b(?<secret>eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)",
    },
    Shape { hints: &["earer"], pattern: r"\b[Bb]earer\s+(?<secret>[A-Za-z0-9._~+/=-]{16,})" },
    Shape {
        hints: &["pass", "secret", "token", "key", "credential"],
        pattern: r#"(?i)\b[A-Z0-9_-]*(?:password|passwd|secret|token|api_?key|access_?key|private_?key|credential)s?["']?\s*[:=]\s*["'](?<secret>[^"'\s]{8,})["']"#,
    },
    Shape {
        hints: &["pass", "secret", "token", "key", "credential"],
        pattern: r#"(?m)\b[A-Z0-9_]*(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL)S?(?:_[A-Z0-9]+)*=(?<secret>[^\s"'$\[]{8,})"#,
    },
];

/// The hints of all shapes, and the number of the shape that each belongs to.
static HINTS: LazyLock<(AhoCorasick, Vec<usize>)> = LazyLock::new(|| {
    let numbered =
        || SHAPES.iter().enumerate().flat_map(|(shape, it)| it.hints.iter().map(move |hint| (shape, hint)));
    let hints = AhoCorasick::builder().ascii_case_insensitive(true).build(numbered().map(|it| it.1));
    (hints.expect("because the hints are constants"), numbered().map(|it| it.0).collect())
});

static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    SHAPES.iter().map(|it| Regex::new(it.pattern).expect("because the patterns are constants")).collect()
});

impl Redacted {
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let mut text = match without_credentials(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(masked) => masked,
        };
        for shape in hinted(&text) {
            if let Some(pattern) = PATTERNS.get(shape)
                && pattern.is_match(&text)
            {
                text = pattern.replace_all(&text, mask).into_owned();
            }
        }
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The shapes that a text may hold, in order.
fn hinted(text: &str) -> Vec<usize> {
    let (hints, shapes) = &*HINTS;
    let found =
        hints.find_overlapping_iter(text).filter_map(|it| shapes.get(it.pattern().as_usize()).copied());
    let mut found: Vec<usize> = found.collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The whole match with its secret masked.
fn mask(captures: &Captures<'_>) -> String {
    let (Some(whole), Some(secret)) = (captures.get(0), captures.name("secret")) else {
        return MASK.to_owned();
    };
    let (before, after) = (secret.start() - whole.start(), secret.end() - whole.start());
    let whole = whole.as_str();
    format!("{}{MASK}{}", whole.get(..before).unwrap_or_default(), whole.get(after..).unwrap_or_default())
}

impl From<String> for Redacted {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<Redacted> for String {
    fn from(text: Redacted) -> Self {
        text.0
    }
}

impl fmt::Display for Redacted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::Redacted;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(Redacted::new(text).as_str(), expected);
        assert_eq!(Redacted::new(expected).as_str(), expected, "a second pass changes nothing");
    }

    #[test]
    fn credentials_are_masked_and_their_surroundings_kept() {
        check("t = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz'", "t = '[redacted]'");
        check("see https://user:hunter22@example.org/x", "see https://user:[redacted]@example.org/x");
        check("Authorization: Bearer abcdefghijklmnop.q", "Authorization: Bearer [redacted]");
        check("API_KEY=abcdefgh1234 next", "API_KEY=[redacted] next");
        check(r#"{"password": "correct horse"}"#, r#"{"password": "correct horse"}"#);
        check(r#"{"password": "correct-horse"}"#, r#"{"password": "[redacted]"}"#);
        check(
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
            "-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----",
        );
        check("token = next_token()", "token = next_token()");
        check("for key in keys: pass", "for key in keys: pass");
    }

    proptest! {
        #[test]
        fn redaction_is_idempotent(text in "[ -~]{0,80}") {
            let once = Redacted::new(text);
            prop_assert_eq!(Redacted::new(once.as_str()), once);
        }
    }
}
