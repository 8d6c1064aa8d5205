//! A question as tokens: words, names in backticks, and pieces of code in backticks.

/// One token of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// As it stands there, without the punctuation of the sentence.
    pub text: String,
    pub lower: String,
    pub shape: Shape,
}

/// What a token looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Word,
    /// Written as only code is: `snake_case`, `camelCase`, `a.b`, `a::b`, `call()`, or one name in backticks.
    Name,
    /// More than a name in backticks: a pattern of syntax.
    Pattern,
    /// A path with a slash, or a file name with an ending that code has.
    Path,
}

/// Endings of files that make a dotted word a file and not a member.
const ENDINGS: [&str; 18] = [
    "py", "rs", "go", "js", "ts", "tsx", "jsx", "mjs", "java", "kt", "cs", "toml", "json", "yaml", "yml",
    "lock", "md", "cfg",
];

/// No question has more; the rest of a longer text is not read.
const MOST_TOKENS: usize = 400;

/// Splits a question. Backticks that are not closed quote nothing.
pub fn tokens(question: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = question;
    while let Some((before, after)) = rest.split_once('`') {
        words(before, &mut tokens);
        match after.split_once('`') {
            Some((quoted, after)) => {
                tokens.extend(code(quoted.trim()));
                rest = after;
            }
            None => rest = after,
        }
    }
    words(rest, &mut tokens);
    tokens.truncate(MOST_TOKENS);
    tokens
}

fn words(text: &str, tokens: &mut Vec<Token>) {
    for word in text.split_whitespace() {
        let inner = word.trim_matches(|it: char| !it.is_alphanumeric() && !"_@$()/.".contains(it));
        let inner = inner.trim_end_matches(['.', '/']).trim_start_matches('(');
        let (inner, is_call) = match inner.strip_suffix("()") {
            Some(it) => (it, true),
            None => (inner.trim_end_matches([')', '(']), false),
        };
        let inner = inner.strip_suffix("'s").or_else(|| inner.strip_suffix("’s")).unwrap_or(inner);
        if inner.is_empty() {
            continue;
        }
        let shape = if is_call { Shape::Name } else { shape(inner) };
        tokens.push(token(inner, shape));
    }
}

fn token(text: &str, shape: Shape) -> Token {
    Token { text: text.to_owned(), lower: text.to_lowercase(), shape }
}

fn code(quoted: &str) -> Option<Token> {
    let name = quoted.strip_suffix("()").unwrap_or(quoted);
    if name.is_empty() {
        return None;
    }
    let is_name = name.split(['.', ':', '#']).filter(|it| !it.is_empty()).all(is_identifier);
    Some(match shape(quoted) {
        _ if is_name && !is_file(name) => token(name, Shape::Name),
        Shape::Path => token(quoted, Shape::Path),
        // A package such as `@scope/name` or `left-pad`.
        Shape::Word | Shape::Name if !quoted.contains([' ', '(', '$']) => token(quoted, Shape::Name),
        Shape::Word | Shape::Name | Shape::Pattern => token(quoted, Shape::Pattern),
    })
}

fn is_identifier(text: &str) -> bool {
    text.chars().all(|it| it.is_alphanumeric() || it == '_') && !text.starts_with(|it: char| it.is_numeric())
}

fn is_file(text: &str) -> bool {
    text.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && ENDINGS.contains(&ending))
}

fn shape(text: &str) -> Shape {
    if text.contains(['(', '$', '{', '=']) {
        return Shape::Pattern;
    }
    if is_file(text) || text.contains('/') && !text.starts_with('@') && text.split('/').count() > 2 {
        return Shape::Path;
    }
    let inner = text.trim_matches('_');
    let has_mark = inner.contains(['_', '#']) || inner.contains("::") || text.starts_with('_');
    let dotted = inner.split('.').count() > 1
        && inner.split('.').all(|it| !it.is_empty() && is_identifier(it))
        // `e.g` and `i.e` are no members.
        && inner.split('.').any(|it| it.chars().count() > 1);
    let mut letters = inner.chars();
    letters.next();
    let has_small = inner.chars().any(char::is_lowercase);
    let has_hump = has_small && letters.any(char::is_uppercase) && !text.contains(['-', '/']);
    if has_mark || dotted || has_hump { Shape::Name } else { Shape::Word }
}

#[cfg(test)]
mod tests {
    use super::{Shape, tokens};

    #[track_caller]
    fn check(question: &str, expected: &[(&str, Shape)]) {
        let found = tokens(question);
        let found: Vec<(&str, Shape)> = found.iter().map(|it| (it.text.as_str(), it.shape)).collect();
        assert_eq!(found, expected, "{question}");
    }

    #[test]
    fn names_patterns_and_paths_are_told_from_words() {
        use Shape::{Name, Path, Pattern, Word};
        check("Where is AuthService?", &[("Where", Word), ("is", Word), ("AuthService", Name)]);
        check("Who calls refresh_token?", &[("Who", Word), ("calls", Word), ("refresh_token", Name)]);
        check("Find `old_api($X)`.", &[("Find", Word), ("old_api($X)", Pattern)]);
        check("`parse` or `left-pad`", &[("parse", Name), ("or", Word), ("left-pad", Name)]);
        check("open() in src/a/b.rs", &[("open", Name), ("in", Word), ("src/a/b.rs", Path)]);
        check("Request.copy, e.g. here", &[("Request.copy", Name), ("e.g", Word), ("here", Word)]);
        check("an unclosed ` tick", &[("an", Word), ("unclosed", Word), ("tick", Word)]);
        check("the HTTP client's pool", &[("the", Word), ("HTTP", Word), ("client", Word), ("pool", Word)]);
        check("", &[]);
    }
}
