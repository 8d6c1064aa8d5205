//! One requirement of a Python package: <https://packaging.python.org/en/latest/specifications/dependency-specifiers/>.

use std::ops::Range;

/// A requirement, as ranges of its text.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Requirement {
    pub name: Range<usize>,
    /// The clauses, without parentheses around them.
    pub constraint: Option<Range<usize>>,
    /// The address of `name @ address`.
    pub address: Option<Range<usize>>,
    pub marker: Option<Range<usize>>,
}

/// Where and why a text is no requirement.
#[derive(Debug, PartialEq, Eq)]
pub struct Malformed {
    pub offset: usize,
    pub reason: &'static str,
}

const OPERATORS: [&str; 8] = ["===", "==", "~=", "!=", "<=", ">=", "<", ">"];

/// # Errors
/// When the text is no requirement.
pub fn requirement(text: &str) -> Result<Requirement, Malformed> {
    let mut reader = Reader { text, at: 0 };
    reader.blank();
    let name = reader.name()?;
    reader.blank();
    reader.extras()?;
    reader.blank();
    let mut found = Requirement { name, ..Requirement::default() };
    if reader.takes('@') {
        reader.blank();
        let length = reader.rest().find(char::is_whitespace).unwrap_or(reader.rest().len());
        if length == 0 {
            return Err(reader.malformed("an address is missing behind `@`"));
        }
        found.address = Some(reader.at..reader.at + length);
        reader.at += length;
    } else {
        let is_enclosed = reader.takes('(');
        let end = if is_enclosed { ')' } else { ';' };
        let length = reader.rest().find(end).unwrap_or(reader.rest().len());
        found.constraint = reader.clauses(length)?;
        if is_enclosed && !reader.takes(')') {
            return Err(reader.malformed("a closing parenthesis is missing"));
        }
    }
    reader.blank();
    if reader.takes(';') {
        found.marker = Some(trimmed(text, reader.at..text.len()));
    } else if !reader.rest().is_empty() {
        return Err(reader.malformed("the requirement goes on where it should end"));
    }
    Ok(found)
}

/// The range without white space at its ends.
pub fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (inner.len() - inner.trim_start().len());
    start..start + inner.trim().len()
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn malformed(&self, reason: &'static str) -> Malformed {
        Malformed { offset: self.at, reason }
    }

    fn blank(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn takes(&mut self, letter: char) -> bool {
        let is_there = self.rest().starts_with(letter);
        if is_there {
            self.at += letter.len_utf8();
        }
        is_there
    }

    fn name(&mut self) -> Result<Range<usize>, Malformed> {
        let is_inner = |it: char| it.is_ascii_alphanumeric() || "._-".contains(it);
        let length = self.rest().find(|it| !is_inner(it)).unwrap_or(self.rest().len());
        let name = self.rest().get(..length).unwrap_or_default();
        let is_end = |it: Option<char>| it.is_some_and(|it| it.is_ascii_alphanumeric());
        if !is_end(name.chars().next()) || !is_end(name.chars().next_back()) {
            return Err(self.malformed("a package's name is expected"));
        }
        let start = self.at;
        self.at += length;
        Ok(start..self.at)
    }

    fn extras(&mut self) -> Result<(), Malformed> {
        if !self.takes('[') {
            return Ok(());
        }
        self.blank();
        while !self.takes(']') {
            self.name()?;
            self.blank();
            if !self.takes(',') && !self.rest().starts_with(']') {
                return Err(self.malformed("the list of extras is not closed"));
            }
            self.blank();
        }
        Ok(())
    }

    /// Reads clauses up to an end and gives their range; none when there are none.
    fn clauses(&mut self, length: usize) -> Result<Option<Range<usize>>, Malformed> {
        let range = trimmed(self.text, self.at..self.at + length);
        let listed = self.text.get(range.clone()).unwrap_or_default();
        let mut at = range.start;
        // One comma may stand behind the last clause.
        for clause in listed.strip_suffix(',').unwrap_or(listed).split(',') {
            if !listed.is_empty() && !is_clause(clause) {
                let offset = trimmed(self.text, at..at + clause.len()).start;
                return Err(Malformed { offset, reason: "a version clause such as `>=1.0` is expected" });
            }
            at += clause.len() + 1;
        }
        self.at += length;
        Ok((!listed.is_empty()).then_some(range))
    }
}

fn is_clause(clause: &str) -> bool {
    let clause = clause.trim();
    let Some((operator, version)) = OPERATORS.iter().find_map(|it| Some((*it, clause.strip_prefix(it)?)))
    else {
        return false;
    };
    let version = version.trim_start();
    let is_letter = |it: char| it.is_ascii_alphanumeric() || "._*+!-".contains(it);
    let is_arbitrary = operator == "===" && !version.contains(char::is_whitespace);
    !version.is_empty() && (is_arbitrary || version.chars().all(is_letter))
}

#[cfg(test)]
mod tests {
    use super::{Malformed, requirement};

    /// `name|constraint|address|marker`, or the offset of what is wrong.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let shown = match requirement(text) {
            Ok(it) => [Some(it.name), it.constraint, it.address, it.marker]
                .map(|it| it.map_or("-", |it| text.get(it).unwrap()))
                .join("|"),
            Err(Malformed { offset, .. }) => offset.to_string(),
        };
        assert_eq!(shown, expected, "{text}");
    }

    /// The examples of the specification first.
    #[test]
    fn requirements_are_what_the_specification_takes_them_for() {
        check("A", "A|-|-|-");
        check("A.B-C_D", "A.B-C_D|-|-|-");
        check("name<=1", "name|<=1|-|-");
        check("name>=3,<2", "name|>=3,<2|-|-");
        check("name@http://foo.com", "name|-|http://foo.com|-");
        check(
            "name [fred,bar] @ http://foo.com ; python_version=='2.7'",
            "name|-|http://foo.com|python_version=='2.7'",
        );
        check(
            "name[quux, strange];python_version<'2.7' and platform_version=='2'",
            "name|-|-|python_version<'2.7' and platform_version=='2'",
        );
        check("requests [security,tests] >= 2.8.1, == 2.8.* ; x", "requests|>= 2.8.1, == 2.8.*|-|x");
        check("a (>=1, <2) ; m", "a|>=1, <2|-|m");
        check("a[]==1", "a|==1|-|-");
        check("a===1 ", "a|===1|-|-");
        check("a >= 1 ,", "a|>= 1 ,|-|-");
        for (text, offset) in [
            ("", "0"),
            ("-a", "0"),
            ("a-", "0"),
            ("a b", "2"),
            ("a (>=1", "6"),
            ("a >=", "2"),
            ("a ^1", "2"),
            ("a 1.0", "2"),
            ("a >=1,,<2", "6"),
            ("a == 2.6.1raven == 5", "2"),
            ("a[b", "3"),
            ("a @ ", "4"),
            ("a @ x y", "6"),
            ("é", "0"),
        ] {
            check(text, offset);
        }
    }
}
