//! Which added file is a removed one under another name, by the lines that both hold.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::model::RepoPath;

/// Files of each side that are compared; the number of pairs grows with the square.
pub const MAX_FILES: usize = 200;
/// Larger files are not compared.
pub const MAX_BYTES: u64 = 256 * 1024;
/// Neither are files with more different lines: the time for a pair grows with them.
const MAX_LINES: usize = 8_192;
/// What git takes for the same file.
const MIN_PERCENT: u64 = 50;

/// A file whose lines can be compared.
pub struct Candidate {
    path: RepoPath,
    /// Hash of every different line and the bytes of all its copies together, sorted.
    lines: Vec<(u64, u64)>,
    bytes: u64,
}

impl Candidate {
    /// None for a binary or an empty file, and for one with too many lines.
    pub fn new(path: RepoPath, content: &[u8]) -> Option<Self> {
        if content.is_empty() || memchr::memchr(0, content).is_some() {
            return None;
        }
        let mut lines: Vec<_> = content
            .split_inclusive(|byte| *byte == b'\n')
            .map(|line| {
                let mut hasher = DefaultHasher::new();
                line.hash(&mut hasher);
                (hasher.finish(), length(line))
            })
            .collect();
        lines.sort_unstable();
        lines.dedup_by(|later, kept| {
            let is_copy = later.0 == kept.0;
            kept.1 += if is_copy { later.1 } else { 0 };
            is_copy
        });
        if lines.len() > MAX_LINES {
            return None;
        }
        Some(Self { path, lines, bytes: length(content) })
    }
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

/// The best pairs of old and new, each file in at most one: by likeness, then same file name, then by paths.
pub fn pair(olds: &[Candidate], news: &[Candidate]) -> Vec<(RepoPath, RepoPath, u8)> {
    let mut scored = Vec::new();
    for old in olds {
        for new in news {
            if let Some(percent) = likeness(old, new) {
                let is_renamed = old.path.file_name() != new.path.file_name();
                scored.push((Reverse(percent), is_renamed, &old.path, &new.path));
            }
        }
    }
    scored.sort_unstable();
    let (mut used_olds, mut used_news) = (BTreeSet::new(), BTreeSet::new());
    let mut pairs = Vec::new();
    for (Reverse(percent), _, old, new) in scored {
        if !used_olds.contains(old) && !used_news.contains(new) {
            used_olds.insert(old);
            used_news.insert(new);
            pairs.push((old.clone(), new.clone(), percent));
        }
    }
    pairs
}

fn likeness(old: &Candidate, new: &Candidate) -> Option<u8> {
    let larger = old.bytes.max(new.bytes);
    if old.bytes.min(new.bytes) * 100 < larger * MIN_PERCENT {
        return None;
    }
    let (mut left, mut right) = (old.lines.iter().peekable(), new.lines.iter().peekable());
    let mut shared = 0;
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        match a.0.cmp(&b.0) {
            std::cmp::Ordering::Less => left.next(),
            std::cmp::Ordering::Greater => right.next(),
            std::cmp::Ordering::Equal => {
                shared += a.1.min(b.1);
                right.next();
                left.next()
            }
        };
    }
    let percent = shared * 100 / larger;
    u8::try_from(percent).ok().filter(|_| percent >= MIN_PERCENT)
}
