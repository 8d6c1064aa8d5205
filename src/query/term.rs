//! Words and identifiers as terms: what is compared when a question meets the names and comments of a repository.

/// What programmers shorten, with the word that it stands for. Both sides become one term.
const SHORT: &[(&str, &str)] = &[
    ("addr", "address"),
    ("arg", "argument"),
    ("args", "argument"),
    ("async", "asynchronous"),
    ("auth", "authentication"),
    ("cert", "certificate"),
    ("certs", "certificate"),
    ("cfg", "configuration"),
    ("cmd", "command"),
    ("conf", "configuration"),
    ("config", "configuration"),
    ("conn", "connection"),
    ("ctx", "context"),
    ("db", "database"),
    ("del", "delete"),
    ("dest", "destination"),
    ("dir", "directory"),
    ("doc", "document"),
    ("docs", "document"),
    ("dst", "destination"),
    ("dup", "duplicate"),
    ("dupe", "duplicate"),
    ("env", "environment"),
    ("err", "error"),
    ("expr", "expression"),
    ("fmt", "format"),
    ("fn", "function"),
    ("fs", "filesystem"),
    ("func", "function"),
    ("impl", "implementation"),
    ("info", "information"),
    ("init", "initialize"),
    ("iter", "iterator"),
    ("lang", "language"),
    ("len", "length"),
    ("loc", "location"),
    ("max", "maximum"),
    ("min", "minimum"),
    ("msg", "message"),
    ("num", "number"),
    ("opt", "option"),
    ("opts", "option"),
    ("param", "parameter"),
    ("params", "parameter"),
    ("pos", "position"),
    ("prev", "previous"),
    ("proc", "process"),
    ("prop", "property"),
    ("props", "property"),
    ("ref", "reference"),
    ("regex", "regexp"),
    ("rel", "relative"),
    ("repo", "repository"),
    ("req", "request"),
    ("res", "response"),
    ("resp", "response"),
    ("spec", "specification"),
    ("src", "source"),
    ("stat", "statistics"),
    ("stats", "statistics"),
    ("str", "string"),
    ("sync", "synchronous"),
    ("temp", "temporary"),
    ("tmp", "temporary"),
    ("util", "utility"),
    ("utils", "utility"),
    ("val", "value"),
    ("var", "variable"),
    ("ws", "websocket"),
];

/// Endings that do not tell one thing from another, longest first, with how much of a word must be left.
const ENDINGS: &[(&str, usize)] = &[
    ("izations", 3),
    ("ization", 3),
    ("ations", 4),
    ("ation", 4),
    ("ators", 4),
    ("ator", 4),
    ("ating", 4),
    ("ated", 4),
    ("ates", 4),
    ("ions", 4),
    ("ate", 4),
    ("ion", 4),
    ("izing", 3),
    ("izers", 3),
    ("izer", 3),
    ("ized", 3),
    ("izes", 3),
    ("ize", 3),
    ("ings", 3),
    ("ing", 3),
    ("ers", 4),
    ("ors", 4),
    ("er", 4),
    ("or", 4),
    ("ed", 3),
    ("es", 3),
    ("ly", 4),
    ("s", 3),
    ("e", 3),
];

/// The parts of an identifier or a path, in lower case: `parseHTTPHeader` and `parse_http_header` have the same.
pub fn parts(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut letters = text.chars().peekable();
    let mut before = None;
    while let Some(letter) = letters.next() {
        if !letter.is_alphanumeric() {
            flush(&mut part, &mut parts);
            before = None;
            continue;
        }
        let is_hump = letter.is_uppercase()
            && before.is_some_and(|it: char| {
                // `parseX`, and the last capital of `HTTPHeader`.
                !it.is_uppercase() || letters.peek().is_some_and(|it| it.is_lowercase())
            });
        if is_hump {
            flush(&mut part, &mut parts);
        }
        part.extend(letter.to_lowercase());
        before = Some(letter);
    }
    flush(&mut part, &mut parts);
    parts
}

fn flush(part: &mut String, parts: &mut Vec<String>) {
    if !part.is_empty() {
        parts.push(std::mem::take(part));
    }
}

/// A word of lower-case letters as it is compared.
pub fn term(word: &str) -> String {
    let whole = SHORT.binary_search_by(|it| it.0.cmp(word)).ok().and_then(|it| SHORT.get(it));
    stem(whole.map_or(word, |it| it.1))
}

/// The terms of a text, in order.
pub fn terms(text: &str) -> Vec<String> {
    parts(text).iter().map(|it| term(it)).collect()
}

fn stem(word: &str) -> String {
    if !word.is_ascii() || word.len() < 4 || word.ends_with("ss") {
        return word.to_owned();
    }
    let root = ENDINGS.iter().find_map(|(ending, least)| {
        let root = word.strip_suffix(ending)?;
        (root.len() >= *least && root.bytes().any(|it| b"aeiouy".contains(&it))).then_some(root)
    });
    let root = root.unwrap_or(word);
    let root = match root.strip_suffix("ie").or_else(|| root.strip_suffix('i')) {
        Some(it) if it.len() >= 2 => [it, "y"].concat(),
        Some(_) | None => root.to_owned(),
    };
    undoubled(root)
}

/// `running` leaves `runn`, which is `run`.
fn undoubled(mut root: String) -> String {
    let mut last = root.bytes().rev();
    let is_double = match (last.next(), last.next()) {
        (Some(one), Some(other)) => one == other && !b"aeiouls".contains(&one),
        _ => false,
    };
    if is_double && root.len() > 3 {
        root.pop();
    }
    root
}

#[cfg(test)]
mod tests {
    use super::{SHORT, parts, term};

    #[test]
    fn identifiers_fall_apart_at_humps_and_marks() {
        for (text, expected) in [
            ("parseHTTPHeader", "parse http header"),
            ("parse_http_header", "parse http header"),
            ("RFPDupeFilter", "rfp dupe filter"),
            ("sha256Sum", "sha256 sum"),
            ("src/net/tcp-stream.rs", "src net tcp stream rs"),
            ("__init__", "init"),
            ("ÜberGröße", "über größe"),
            ("", ""),
        ] {
            assert_eq!(parts(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn words_of_one_family_are_one_term() {
        for family in [
            &["parse", "parses", "parser", "parsing", "parsed", "parsers"][..],
            &["compress", "compression", "compressed", "compressing"],
            &["validate", "validation", "validator", "validating"],
            &["configuration", "config", "cfg", "configurations"],
            &["duplicate", "dupe", "duplicates", "duplicated"],
            &["run", "running"],
            &["retry", "retries", "retried"],
            &["authentication", "authenticate", "auth"],
            &["serialize", "serializer", "serialization"],
            &["route", "router", "routing", "routes"],
        ] {
            let first = term(family[0]);
            for word in family {
                assert_eq!(term(word), first, "{word}");
            }
        }
    }

    #[test]
    fn words_of_different_families_stay_apart() {
        for (one, other) in
            [("cookie", "cook"), ("class", "clas"), ("header", "heap"), ("string", "str1"), ("pass", "pas")]
        {
            assert_ne!(term(one), term(other), "{one} {other}");
        }
    }

    #[test]
    fn the_table_can_be_searched() {
        assert!(SHORT.is_sorted_by(|one, other| one.0 < other.0));
    }
}
