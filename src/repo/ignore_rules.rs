//! The ignore files of a folder and of the folders above it.
//!
//! They are read through the jail after a look at what they are, because a FIFO named `.gitignore` would block a
//! reader for ever, and with a bound, because compiled patterns take a hundred times the memory of their text.

use std::path::Path;
use std::rc::Rc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::model::{Note, RepoPath, counted};
use crate::system::{Folder, FolderEntry};

/// The most bytes of one ignore file.
pub const MAX_IGNORE_FILE: u64 = 256 * 1024;
/// The later in this list, the stronger.
const NAMES: [&[u8]; 2] = [b".gitignore", b".ignore"];

/// The rules that hold in a folder; those of the folder itself are stronger than those above it.
#[derive(Debug, Default)]
pub struct IgnoreRules {
    above: Option<Rc<Self>>,
    /// The strongest first.
    own: Vec<Gitignore>,
}

impl IgnoreRules {
    /// The rules of one file that holds for the whole repository, weaker than all others.
    pub fn of_exclude(text: &[u8], notes: &mut Vec<Note>) -> Rc<Self> {
        let path = RepoPath::new(b".git/info/exclude").expect("because this is a relative path");
        Rc::new(Self { above: None, own: compile(None, &path, text, notes).into_iter().collect() })
    }

    /// The rules inside `folder`, which has these entries.
    pub fn enter(
        above: &Rc<Self>,
        path: Option<&RepoPath>,
        folder: (&Folder, &[FolderEntry]),
        notes: &mut Vec<Note>,
    ) -> Rc<Self> {
        let mut own = Vec::new();
        for name in NAMES {
            if folder.1.iter().any(|it| it.name == name) {
                own.extend(read(path, folder.0, name, notes));
            }
        }
        if own.is_empty() {
            return Rc::clone(above);
        }
        own.reverse();
        Rc::new(Self { above: Some(Rc::clone(above)), own })
    }

    /// Whether the strongest rule that speaks of this path says to leave it out.
    pub fn ignores(&self, path: &RepoPath, is_folder: bool) -> bool {
        let mut rules = Some(self);
        while let Some(level) = rules {
            for matcher in &level.own {
                match matcher.matched(path.as_path(), is_folder) {
                    Match::None => {}
                    Match::Ignore(_) => return true,
                    Match::Whitelist(_) => return false,
                }
            }
            rules = level.above.as_deref();
        }
        false
    }
}

fn read(path: Option<&RepoPath>, folder: &Folder, name: &[u8], notes: &mut Vec<Note>) -> Option<Gitignore> {
    let file = match path {
        Some(path) => path.join(name),
        None => RepoPath::new(name),
    }
    .ok()?;
    match folder.read(name, MAX_IGNORE_FILE) {
        Ok((text, _)) => compile(path, &file, &text, notes),
        Err(error) => {
            let message = format!("this ignore file has no effect: {error}");
            notes.push(Note::new("ignore_file_unread", message).at(file));
            None
        }
    }
}

fn compile(
    folder: Option<&RepoPath>,
    file: &RepoPath,
    text: &[u8],
    notes: &mut Vec<Note>,
) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new(folder.map_or(Path::new(""), RepoPath::as_path));
    let mut refused = 0_usize;
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    for line in text.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let is_added = std::str::from_utf8(line).is_ok_and(|line| builder.add_line(None, line).is_ok());
        refused += usize::from(!is_added);
    }
    if refused > 0 {
        let lines = counted(refused as u64, "line");
        let message = format!("without effect: {lines} of this ignore file that no pattern can be read from");
        notes.push(Note::new("ignore_line_refused", message).at(file.clone()));
    }
    match builder.build() {
        Ok(rules) => Some(rules),
        Err(_) => {
            let message = "this ignore file has no effect: its patterns are too large together";
            notes.push(Note::new("ignore_file_unread", message).at(file.clone()));
            None
        }
    }
}
