//! A question as it is understood: its aim, and what it is about.

use super::aim::{Aim, Seen, aim};
use super::known::Known;
use super::term::{parts, term};
use super::token::{Shape, Token, tokens};

/// A question with everything that answering needs of it.
#[derive(Clone, Debug)]
pub struct Question {
    pub text: String,
    pub aim: Aim,
    /// The names of code in it, those that are defined here first.
    pub names: Vec<String>,
    /// The files and folders in it, as they are written.
    pub paths: Vec<String>,
    /// A piece of code with holes.
    pub pattern: Option<String>,
    /// The package in it that the repository depends on.
    pub package: Option<String>,
    /// What else it says, as terms to compare, in order and each once.
    pub words: Vec<String>,
    /// Those of them that are no part of a name.
    pub others: Vec<String>,
}

/// Words that say how something is asked and not what.
const IDLE: &[&str] = &[
    "a",
    "about",
    "again",
    "all",
    "am",
    "an",
    "and",
    "any",
    "anywhere",
    "are",
    "as",
    "at",
    "be",
    "been",
    "before",
    "being",
    "between",
    "but",
    "by",
    "can",
    "class",
    "code",
    "could",
    "decide",
    "decided",
    "decides",
    "defined",
    "definition",
    "did",
    "do",
    "does",
    "doing",
    "done",
    "every",
    "exactly",
    "explain",
    "file",
    "find",
    "for",
    "from",
    "function",
    "get",
    "gets",
    "give",
    "given",
    "go",
    "goes",
    "had",
    "happen",
    "happens",
    "has",
    "have",
    "here",
    "how",
    "i",
    "if",
    "implemented",
    "in",
    "into",
    "is",
    "it",
    "its",
    "just",
    "kind",
    "like",
    "made",
    "make",
    "makes",
    "many",
    "me",
    "method",
    "much",
    "my",
    "no",
    "not",
    "of",
    "on",
    "one",
    "only",
    "or",
    "our",
    "out",
    "over",
    "part",
    "place",
    "please",
    "responsible",
    "same",
    "should",
    "show",
    "so",
    "some",
    "such",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "through",
    "to",
    "too",
    "under",
    "up",
    "us",
    "use",
    "used",
    "user",
    "uses",
    "using",
    "via",
    "was",
    "way",
    "we",
    "were",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "while",
    "who",
    "whose",
    "why",
    "will",
    "with",
    "without",
    "work",
    "works",
    "would",
    "you",
    "your",
    "happening",
    "thing",
    "things",
    "called",
    "calls",
    "call",
    "several",
    "own",
];

/// Words behind which a name stands, whatever that name looks like.
const INTRODUCING: &[&str] = &[
    "calls",
    "call",
    "uses",
    "use",
    "does",
    "is",
    "implements",
    "extends",
    "change",
    "cover",
    "covers",
    "of",
    "explain",
    "show",
    "where",
    "definition",
    "rename",
    "delete",
    "remove",
    "in",
    "used",
    "imports",
    "to",
    "exercise",
];

/// Words before which a name stands.
const NAMING: &[&str] = &[
    "class",
    "function",
    "method",
    "trait",
    "struct",
    "interface",
    "type",
    "module",
    "middleware",
    "defined",
    "declared",
    "called",
    "used",
    "work",
    "decorator",
    "enum",
    "macro",
    "hook",
    "component",
    "option",
    "helper",
    "constant",
];

impl Question {
    pub fn read(text: &str, known: &Known) -> Self {
        let tokens = tokens(text);
        let package = package(&tokens, known);
        let is_package = |it: &Token| package.as_ref() == Some(&it.lower);
        let mut names: Vec<String> = Vec::new();
        for (number, token) in tokens.iter().enumerate() {
            if is_name(&tokens, number, known) && !is_package(token) && !names.contains(&token.text) {
                names.push(token.text.clone());
            }
        }
        names.sort_by_key(|it| !known.defines(it));
        let of_shape = |shape: Shape| tokens.iter().filter(move |it| it.shape == shape);
        let paths: Vec<String> = of_shape(Shape::Path).map(|it| it.text.clone()).collect();
        let seen = Seen {
            tokens: &tokens,
            names_something: !names.is_empty(),
            names_own: names.iter().any(|it| known.defines(it)),
            names_path: !paths.is_empty(),
            names_package: package.is_some(),
        };
        Self {
            text: text.to_owned(),
            aim: aim(&seen),
            pattern: of_shape(Shape::Pattern).next().map(|it| it.text.clone()),
            words: words(&tokens, &names, Names::Included),
            others: words(&tokens, &names, Names::LeftOut),
            names,
            paths,
            package,
        }
    }
}

fn package(tokens: &[Token], known: &Known) -> Option<String> {
    let is_free =
        |it: &&Token| it.shape != Shape::Pattern && it.lower.len() > 1 && !IDLE.contains(&it.lower.as_str());
    let mut free = tokens.iter().filter(is_free);
    free.find(|it| known.depends_on(&it.lower) && !known.defines(&it.text)).map(|it| it.lower.clone())
}

/// Whether a token is meant as a name of code: by how it is written, or because such a name is defined here and the
/// words around it call for one.
fn is_name(tokens: &[Token], number: usize, known: &Known) -> bool {
    let Some(token) = tokens.get(number) else { return false };
    match token.shape {
        Shape::Name => return true,
        Shape::Pattern | Shape::Path => return false,
        Shape::Word => {}
    }
    if IDLE.contains(&token.lower.as_str()) || !known.defines_thing(&token.text) {
        return false;
    }
    let beside = |at: Option<usize>| at.and_then(|it| tokens.get(it)).map_or("", |it| it.lower.as_str());
    let before = beside(number.checked_sub(1));
    let after = beside(number.checked_add(1));
    let is_capital = number > 0 && token.text.starts_with(char::is_uppercase);
    is_capital
        || NAMING.contains(&after)
        || after.is_empty() && INTRODUCING.contains(&before)
        || ["calls", "does", "implements", "extends", "explain", "rename"].contains(&before)
}

/// Whether the names count among the words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    Included,
    LeftOut,
}

/// The terms of what a question says.
fn words(tokens: &[Token], names: &[String], of_names: Names) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for token in tokens.iter().filter(|it| it.shape != Shape::Pattern && it.shape != Shape::Path) {
        let is_name = names.contains(&token.text);
        if is_name && of_names == Names::LeftOut || IDLE.contains(&token.lower.as_str()) && !is_name {
            continue;
        }
        for part in parts(&token.text) {
            let word = term(&part);
            if word.len() > 1 && !words.contains(&word) && !IDLE.contains(&part.as_str()) {
                words.push(word);
            }
        }
    }
    words
}
