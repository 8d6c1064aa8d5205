//! Types as they are written: one reader for all languages, since what they write differs in little but brackets.
//!
//! It takes what it knows and calls the rest unknown: a type that is not understood tells nothing of a value, and says
//! nothing wrong of it.

use tree_sitter::Node;

use super::reference::Name;
use super::tables::Tables;
use super::walk::Walk;

/// A type of one outline.
pub type WrittenNumber = u32;

/// A type by its parts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Written {
    /// `path.Name` with its arguments.
    Named(Name, Box<[WrittenNumber]>),
    /// `A | B`, `A & B`: what either has.
    Either(Box<[WrittenNumber]>),
    /// `Item[]`, `[]Item`, `[Item; 3]`.
    Sequence(WrittenNumber),
    /// `(A, B)`, `[A, B]`.
    Tuple(Box<[WrittenNumber]>),
    /// The parameters, and the result last.
    Function(Box<[WrittenNumber]>),
    Unknown,
}

/// Longer types are data.
const LONGEST: usize = 600;
const DEEPEST: u32 = 8;

/// Words before a type that say nothing of its members.
const PREFIXES: &[&str] = &[
    "mut", "dyn", "impl", "const", "readonly", "ref", "out", "params", "final", "vararg", "async", "unsafe",
    "suspend", "extends", "super", "in", "asserts", "chan", "unique", "abstract", "new",
];

impl<'t> Walk<'t> {
    /// The type that a node holds, with or without the colon or arrow before it.
    pub(super) fn written(&mut self, node: Node<'t>) -> Option<WrittenNumber> {
        let text = self.text_of(node);
        if text.len() > LONGEST {
            return None;
        }
        let text = text.trim_start_matches(|it: char| it.is_whitespace() || matches!(it, ':' | '-' | '>'));
        let mut reader =
            Reader { text, at: 0, depth: 0, quoted: self.habits.quotes_types, tables: &mut self.tables };
        let read = reader.whole();
        (*self.tables.written_at(read)? != Written::Unknown).then_some(read)
    }

    pub(super) fn written_of(&mut self, node: Option<Node<'t>>) -> Option<WrittenNumber> {
        self.written(node?)
    }
}

struct Reader<'r, 't> {
    text: &'t str,
    at: usize,
    depth: u32,
    /// Whether a quoted text is a type, as in Python.
    quoted: bool,
    tables: &'r mut Tables<'t>,
}

impl<'t> Reader<'_, 't> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, text: &str) -> bool {
        self.skip_space();
        let is_there = self.rest().starts_with(text);
        if is_there {
            self.at += text.len();
        }
        is_there
    }

    fn unknown(&mut self) -> WrittenNumber {
        self.tables.written(Written::Unknown)
    }

    /// Alternatives of types.
    fn whole(&mut self) -> WrittenNumber {
        self.depth += 1;
        if self.depth > DEEPEST {
            self.depth -= 1;
            self.at = self.text.len();
            return self.unknown();
        }
        let _ = self.eat("|");
        let mut parts = vec![self.single()];
        loop {
            self.skip_space();
            let rest = self.rest();
            let is_more = (rest.starts_with('|') && !rest.starts_with("||"))
                || (rest.starts_with('&') && !rest.starts_with("&&"))
                || (rest.starts_with('+') && !self.quoted);
            if !is_more {
                break;
            }
            self.at += 1;
            parts.push(self.single());
        }
        self.depth -= 1;
        match parts.as_slice() {
            [only] => *only,
            _ => self.tables.written(Written::Either(parts.into())),
        }
    }

    fn single(&mut self) -> WrittenNumber {
        self.prefixes();
        if self.eat("...") {
            if !self.rest().starts_with(|it: char| is_name(it) || "*[(".contains(it)) {
                return self.unknown();
            }
            let item = self.single();
            return self.tables.written(Written::Sequence(item));
        }
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return self.unknown() };
        let read = match first {
            '(' => self.bracketed(),
            '[' => self.square(),
            '{' => {
                self.skip_balanced();
                self.unknown()
            }
            '"' | '\'' | '`' => self.quotation(first),
            _ if is_name(first) => self.named(),
            _ => {
                self.at = self.text.len();
                self.unknown()
            }
        };
        self.suffixes(read)
    }

    /// `&'a mut`, `*`, `? extends`, `<-chan` and their like.
    fn prefixes(&mut self) {
        loop {
            self.skip_space();
            let rest = self.rest();
            if let Some(word) = PREFIXES.iter().find(|it| is_word(rest, it)) {
                self.at += word.len();
            } else if rest.starts_with(['&', '*', '?', '@', '~']) {
                self.at += 1;
            } else if rest.starts_with("<-") {
                self.at += 2;
            } else if let Some(lifetime) = lifetime(rest).filter(|_| !self.quoted) {
                self.at += lifetime;
            } else {
                return;
            }
        }
    }

    fn suffixes(&mut self, mut read: WrittenNumber) -> WrittenNumber {
        loop {
            self.skip_space();
            let rest = self.rest();
            if rest.starts_with("[]") {
                self.at += 2;
                read = self.tables.written(Written::Sequence(read));
            } else if rest.starts_with("[") && !self.quoted {
                // `Type['member']`.
                self.skip_balanced();
                read = self.unknown();
            } else if rest.starts_with("?:") || !rest.starts_with(['?', '!']) {
                return read;
            } else {
                self.at += 1;
            }
        }
    }

    fn quotation(&mut self, quote: char) -> WrittenNumber {
        let inside = self.rest().get(1..).and_then(|it| it.split(quote).next()).unwrap_or_default();
        self.at += inside.len() + 2;
        if !self.quoted {
            return self.unknown();
        }
        let mut inner =
            Reader { text: inside, at: 0, depth: self.depth, quoted: true, tables: &mut *self.tables };
        inner.whole()
    }

    /// Parameters of a function, a tuple, or one type in brackets.
    fn bracketed(&mut self) -> WrittenNumber {
        self.at += 1;
        let mut parts = self.list(')');
        if self.eat("=>") || self.eat("->") {
            parts.push(self.whole());
            return self.tables.written(Written::Function(parts.into()));
        }
        match parts.as_slice() {
            [only] => *only,
            _ => self.tables.written(Written::Tuple(parts.into())),
        }
    }

    /// `[]Item`, `[3]Item`, `[Item; 3]`, `[A, B]`.
    fn square(&mut self) -> WrittenNumber {
        self.at += 1;
        let parts = self.list(']');
        let rest = self.rest();
        if rest.starts_with(['*', '[', '(']) || rest.starts_with(is_name) {
            let item = self.single();
            return self.tables.written(Written::Sequence(item));
        }
        match parts.as_slice() {
            [only] => self.tables.written(Written::Sequence(*only)),
            _ => self.tables.written(Written::Tuple(parts.into())),
        }
    }

    fn named(&mut self) -> WrittenNumber {
        let rest = self.rest();
        let length = rest.find(|it: char| !is_name(it) && it != '.' && it != ':').unwrap_or(rest.len());
        let path = rest.get(..length).unwrap_or(rest);
        let path = without_label(path).trim_end_matches(['.', ':']);
        self.at += path.len();
        if matches!(path, "fn" | "func" | "Fn" | "FnMut" | "FnOnce" | "function") {
            return self.function();
        }
        if matches!(path, "keyof" | "typeof" | "infer") {
            let _ = self.single();
            return self.unknown();
        }
        let name = self.tables.names.intern(path);
        let mut parts = Vec::new();
        let rest = self.rest();
        if rest.starts_with('<') || rest.starts_with("::<") {
            self.at += if rest.starts_with('<') { 1 } else { 3 };
            parts = self.list('>');
        } else if rest.starts_with('[') && !rest.starts_with("[]") && (self.quoted || !is_literal(rest)) {
            self.at += 1;
            parts = self.list(']');
            // `map[Key]Item`.
            let rest = self.rest();
            if rest.starts_with(['*', '[']) || rest.starts_with(is_name) {
                parts.push(self.single());
            }
        }
        self.tables.written(Written::Named(name, parts.into()))
    }

    fn function(&mut self) -> WrittenNumber {
        self.skip_space();
        if !self.rest().starts_with('(') {
            return self.unknown();
        }
        self.at += 1;
        let mut parts = self.list(')');
        let has_arrow = self.eat("->");
        self.skip_space();
        let result = if has_arrow || self.rest().starts_with(|it: char| is_name(it) || "(*[".contains(it)) {
            self.whole()
        } else {
            self.unknown()
        };
        parts.push(result);
        self.tables.written(Written::Function(parts.into()))
    }

    /// Types between commas up to the closing bracket, each without its label.
    fn list(&mut self, closing: char) -> Vec<WrittenNumber> {
        let mut parts = Vec::new();
        while !self.rest().is_empty() {
            self.skip_space();
            if self.rest().starts_with(closing) {
                self.at += 1;
                return parts;
            }
            let start = self.at;
            let mut part = self.whole();
            if self.eat("?:")
                || self.eat(": ")
                || self.eat(":")
                || self.rest().starts_with(" = ")
                || self.eat("=")
            {
                let _ = self.eat("=");
                part = self.whole();
            } else if self.rest().starts_with(|it: char| is_name(it) || "*[".contains(it)) && closing == ')' {
                // `name Type`.
                part = self.whole();
            }
            parts.push(part);
            self.skip_space();
            let stop = self.rest().find([',', closing]).unwrap_or(self.rest().len());
            self.at += stop;
            if self.rest().starts_with(',') {
                self.at += 1;
            }
            if self.at <= start {
                break;
            }
        }
        parts
    }

    /// Behind the bracket that closes the one here.
    fn skip_balanced(&mut self) {
        let mut open = 0i32;
        for (offset, it) in self.rest().char_indices() {
            match it {
                '(' | '[' | '{' => open += 1,
                ')' | ']' | '}' => open -= 1,
                _ => {}
            }
            if open == 0 {
                self.at += offset + it.len_utf8();
                return;
            }
        }
        self.at = self.text.len();
    }
}

/// What stands before a single colon: that of a label, none of a path.
fn without_label(path: &str) -> &str {
    let mut colons = path.match_indices(':').map(|it| it.0).peekable();
    while let Some(at) = colons.next() {
        if colons.peek() != Some(&(at + 1)) {
            return path.get(..at).unwrap_or(path);
        }
        colons.next();
    }
    path
}

fn is_name(it: char) -> bool {
    it.is_alphanumeric() || matches!(it, '_' | '$')
}

fn is_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|it| it.starts_with(char::is_whitespace))
}

/// The length of `'a` where no quote closes it.
fn lifetime(text: &str) -> Option<usize> {
    let name = text.strip_prefix('\'')?;
    let length = name.find(|it: char| !is_name(it)).unwrap_or(name.len());
    (!name.get(length..)?.starts_with('\'')).then_some(length + 1)
}

/// `['member']` or `[0]` behind a type: a part of it, not its arguments.
fn is_literal(text: &str) -> bool {
    text.get(1..)
        .is_some_and(|it| it.starts_with(['\'', '"', '`']) || it.starts_with(|it: char| it.is_ascii_digit()))
}
