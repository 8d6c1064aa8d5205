//! Scripts that say in a comment what they need (PEP 723):
//! <https://packaging.python.org/en/latest/specifications/inline-script-metadata/>.

use crate::deps::document::Document;
use crate::deps::format::Parts;
use crate::deps::note::UNREADABLE;
use crate::model::{Note, RepoPath};

use super::pyproject;

const OPENING: &str = "# /// script";
const CLOSING: &str = "# ///";

/// Whether a file is a script by its name and may say what it needs.
pub fn is_script(path: &RepoPath) -> bool {
    path.as_bytes().ends_with(b".py")
}

/// Whether a script's text has the mark of a block.
pub fn has_mark(bytes: &[u8]) -> bool {
    memchr::memmem::find_iter(bytes, OPENING).any(|at| {
        let before = at.checked_sub(1).and_then(|it| bytes.get(it));
        let after = bytes.get(at + OPENING.len());
        before.is_none_or(|it| *it == b'\n') && after.is_none_or(|it| matches!(it, b'\n' | b'\r'))
    })
}

/// # Errors
/// When the block is not TOML, or there are two.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let blocks = blocks(document.text);
    if let Some(second) = blocks.get(1) {
        let message = "the file was not read: it has a second `script` block, and there must be only one";
        return Err(document.note(UNREADABLE, second.start, message));
    }
    let text = blocks.first().map_or_else(String::new, |it| alone(document.text, it));
    let block = Document::open(document.path, text.as_bytes())?;
    pyproject::read_script(&block)
}

struct Block {
    start: usize,
    end: usize,
}

/// The blocks of the kind `script`: from the opening line to the last closing line of the comment that it begins.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<usize> = None;
    let mut closed: Option<usize> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let shown = line.trim_end_matches(['\n', '\r']);
        let is_content = shown == "#" || shown.starts_with("# ");
        if open.is_some() && shown == CLOSING {
            closed = Some(at);
        } else if !is_content || open.is_none() || (closed.is_some() && shown == OPENING) {
            blocks.extend(open.take().zip(closed.take()).map(|(start, end)| Block { start, end }));
            open = (shown == OPENING).then_some(at + line.len());
        }
        at += line.len();
    }
    blocks.extend(open.zip(closed).map(|(start, end)| Block { start, end }));
    blocks
}

/// The block's lines without what makes them comments, each where it stands in the file; blanks for all others.
fn alone(text: &str, block: &Block) -> String {
    let mut alone = String::with_capacity(text.len());
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let is_inside = (block.start..block.end).contains(&at);
        at += line.len();
        let blank = |it: char| if it == '\n' { '\n' } else { ' ' };
        match line.strip_prefix('#').filter(|_| is_inside) {
            Some(rest) => alone.extend([" ", rest]),
            None => alone.extend(line.bytes().map(|it| blank(char::from(it)))),
        }
    }
    alone
}

#[cfg(test)]
mod tests {
    use super::{alone, blocks, has_mark};

    #[test]
    fn a_block_ends_at_the_last_closing_line_of_its_comment() {
        let text = "#!/usr/bin/env python\n# /// script\n# a = 1\n# ///\n#\n# b = 2\n# ///\n\nprint()\n";
        let found = blocks(text);
        assert_eq!(found.len(), 1);
        let shown = alone(text, &found[0]);
        assert_eq!(shown.len(), text.len());
        assert_eq!(shown.split_whitespace().collect::<Vec<_>>().join(" "), "a = 1 /// b = 2");
        assert_eq!(shown.find("a = 1"), text.find("a = 1"));
    }

    #[test]
    fn what_is_not_closed_or_of_another_kind_is_no_block() {
        for text in
            ["# /// script\n# a = 1\n", "# /// other\n# a = 1\n# ///\n", "x = '''\n # /// script\n'''\n"]
        {
            assert!(blocks(text).is_empty(), "{text}");
        }
        assert_eq!(blocks("# /// script\n# ///\nx\n# /// script\n# ///\n").len(), 2);
        assert!(
            has_mark(b"a\n# /// script\r\n")
                && !has_mark(b"a # /// script\n")
                && !has_mark(b"# /// scripts\n")
        );
    }
}
