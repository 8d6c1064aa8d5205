//! One dependency file as text with places, and the notes about it.

use std::borrow::Cow;
use std::ops::Range;

use crate::model::{LineIndex, Location, Note, RepoPath};

use super::note::{CONFLICTED, NOT_TEXT, TOO_LARGE, TOO_MANY, UNREADABLE};

/// The largest file that is read: the largest lockfiles of public repositories have about 10 MiB.
pub const MAX_BYTES: usize = 32 << 20;

/// The most packages of one lockfile that are read, ten times what the largest public ones have.
pub const MAX_PACKAGES: usize = 100_000;

/// The text of a file, without a byte-order mark.
pub struct Document<'t> {
    pub path: &'t RepoPath,
    pub text: &'t str,
    lines: LineIndex<'t>,
}

impl<'t> Document<'t> {
    /// # Errors
    /// When the file is too large or not text; the note says so.
    pub fn open(path: &'t RepoPath, bytes: &'t [u8]) -> Result<Self, Note> {
        if bytes.len() > MAX_BYTES {
            let message = format!("the file is larger than {MAX_BYTES} bytes and was not read");
            return Err(Note::new(TOO_LARGE, message).at(path.clone()));
        }
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Self { path, text, lines: LineIndex::new(text) }),
            Err(error) => {
                let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
                let point = LineIndex::new(std::str::from_utf8(valid).unwrap_or_default()).point(valid.len());
                Err(Note::new(NOT_TEXT, "the file is not UTF-8 and was not read")
                    .at_point(path.clone(), point))
            }
        }
    }

    pub fn note(&self, code: &'static str, offset: usize, message: impl Into<String>) -> Note {
        Note::new(code, message).at_point(self.path.clone(), self.lines.point(offset))
    }

    /// For readers whose time or space grows fast with the size of a file.
    ///
    /// # Errors
    /// When the file is larger; the note says so.
    pub fn at_most(&self, most: usize) -> Result<(), Note> {
        if self.text.len() <= most {
            return Ok(());
        }
        Err(self.note(TOO_LARGE, 0, format!("the file is larger than {most} bytes and was not read")))
    }

    /// That the packages from here on are left out.
    pub fn too_many(&self, offset: usize) -> Note {
        let message = format!("the lockfile lists more than {MAX_PACKAGES} packages; the rest was left out");
        self.note(TOO_MANY, offset, message)
    }

    /// Why the file does not parse: the mark of a merge conflict when it has one, else the parser's reason.
    pub fn unreadable(&self, offset: usize, reason: &str) -> Note {
        match opening(self.text) {
            Some(mark) => self.conflicted(mark),
            None => self.note(UNREADABLE, offset, format!("the file was not read: {}", first_line(reason))),
        }
    }

    /// Refuses a file with a whole conflict of a merge in it, which many formats would take for entries of two states
    /// at once. No format has a use for such lines; a text of several lines that shows them is not told apart.
    ///
    /// # Errors
    /// When it holds one; the note says where.
    pub fn without_conflict(self) -> Result<Self, Note> {
        match conflict(self.text) {
            Some(mark) => Err(self.conflicted(mark)),
            None => Ok(self),
        }
    }

    fn conflicted(&self, mark: usize) -> Note {
        let message = "the file holds an unresolved merge conflict and was not read; resolve it first";
        self.note(CONFLICTED, mark, message)
    }

    pub fn place(&self, range: Range<usize>) -> Location {
        Location { path: self.path.clone(), span: self.lines.span(range) }
    }
}

/// What git writes before the first side of a conflict.
const OPENING: &str = "<<<<<<<";

/// The offset of the first line that opens a conflict.
fn opening(text: &str) -> Option<usize> {
    let inside = || text.match_indices('\n').map(|it| it.0 + 1);
    let is_mark = |at: &usize| text.get(*at..).is_some_and(|it| it.starts_with(OPENING));
    std::iter::once(0).chain(inside()).find(is_mark)
}

/// The offset of the first conflict that has all its marks: `<<<<<<< `, `=======` and `>>>>>>> ` in this order.
fn conflict(text: &str) -> Option<usize> {
    let first = opening(text)?;
    let (mut start, mut is_divided) = (None, false);
    let mut at = first;
    for line in text.get(first..)?.split_inclusive('\n') {
        let mark = line.trim_end();
        match start {
            _ if is_side(mark, OPENING) => (start, is_divided) = (Some(at), false),
            Some(_) if mark == "=======" => is_divided = true,
            Some(start) if is_divided && is_side(mark, ">>>>>>>") => return Some(start),
            Some(_) | None => {}
        }
        at += line.len();
    }
    None
}

/// Whether a line is the mark of one side, behind which git writes whose it is.
fn is_side(line: &str, mark: &str) -> bool {
    line.strip_prefix(mark).is_some_and(|it| it.is_empty() || it.starts_with(' '))
}

/// A file in UTF-8: one of UTF-16 says so by its byte-order mark, as the shell of Windows writes them, and pip and XML
/// take them.
pub fn utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    let read: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return Cow::Borrowed(bytes),
    };
    let (units, []) = bytes.as_chunks::<2>() else { return Cow::Borrowed(bytes) };
    let units: Vec<u16> = units.iter().map(|it| read(*it)).collect();
    String::from_utf16(&units).map_or(Cow::Borrowed(bytes), |it| Cow::Owned(it.into_bytes()))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
