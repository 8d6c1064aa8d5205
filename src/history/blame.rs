//! Which commits wrote a few lines of a file, within a time limit.
//!
//! The lines are followed from a commit to its parents: to the one that has the same content, else through the
//! difference to each of them in turn. What no parent has, the commit wrote. At the border of a shallow clone it is not
//! known who did.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::time::{Duration, Instant};

use crate::model::{Note, Reason, RepoPath, counted};
use crate::repo::{self, CommitId, CommitText, Hunk, Past, Repository};
use crate::system::Unread;

/// The longest that all questions of a run take together.
const MOST_TIME: Duration = Duration::from_secs(2);
/// More lines than this are nobody's question.
const MOST_LINES: usize = 5_000;

/// Who wrote the lines of one file.
pub struct Blame {
    /// By commit: when, who, what it is called, and which of the lines, by their numbers in the file asked about.
    pub written: BTreeMap<CommitId, Written>,
    /// Lines of which it is not known.
    pub unknown: usize,
    pub notes: Vec<Note>,
}

pub struct Written {
    pub time: i64,
    pub author: String,
    pub subject: String,
    pub lines: BTreeSet<u32>,
}

/// A line, in the file of a commit and in the file asked about.
#[derive(Clone, Copy)]
struct Line {
    here: u32,
    asked: u32,
}

/// Lines that a commit or something before it wrote.
type Suspects = BTreeMap<CommitId, BTreeMap<RepoPath, Vec<Line>>>;

/// Follows lines of files of one commit.
///
/// # Errors
/// When there is no git data or no such commit.
pub fn blame(
    repository: &Repository,
    commit: CommitId,
    files: &[(RepoPath, Vec<u32>)],
) -> Result<Vec<Blame>, Reason> {
    let (past, end) = (repository.past()?, Instant::now() + MOST_TIME);
    files.iter().map(|(path, lines)| Search::new(&past, commit)?.run(path, lines, end)).collect()
}

struct Search<'p> {
    past: &'p Past,
    suspects: Suspects,
    queue: BinaryHeap<(i64, Reverse<CommitId>)>,
    commits: BTreeMap<CommitId, CommitText>,
    start: CommitId,
    blame: Blame,
}

impl<'p> Search<'p> {
    fn new(past: &'p Past, start: CommitId) -> Result<Self, Reason> {
        let unread = |it: Unread| Reason::new("history_unread", format!("the commit `{start}`: {it}"));
        let first = past.commit(start).map_err(unread)?;
        let queue = BinaryHeap::from([(first.time, Reverse(start))]);
        let blame = Blame { written: BTreeMap::new(), unknown: 0, notes: Vec::new() };
        let commits = BTreeMap::from([(start, first)]);
        Ok(Self { past, suspects: Suspects::new(), queue, commits, start, blame })
    }

    fn run(mut self, path: &RepoPath, lines: &[u32], end: Instant) -> Result<Blame, Reason> {
        let asked = lines.iter().take(MOST_LINES).map(|it| Line { here: *it, asked: *it }).collect();
        let mut left = lines.len().saturating_sub(MOST_LINES);
        self.suspects.entry(self.start).or_default().insert(path.clone(), asked);
        while let Some((_, Reverse(id))) = self.queue.pop() {
            if Instant::now() > end {
                left += self.suspects.values().flatten().map(|it| it.1.len()).sum::<usize>();
                break;
            }
            let Some(commit) = self.commits.remove(&id) else { continue };
            for (path, lines) in self.suspects.remove(&id).unwrap_or_default() {
                let count = lines.len();
                if let Err(error) = self.look(id, &commit, &path, lines) {
                    self.blame.unknown += count;
                    let message = format!(
                        "of {} it is not known who wrote them: {error}",
                        counted(count as u64, "line")
                    );
                    self.blame.notes.push(Note::new("blame_unavailable", message).at(path));
                }
            }
        }
        if left > 0 {
            self.blame.unknown += left;
            let message =
                format!("who wrote {} was not looked up: it takes too long", counted(left as u64, "line"));
            self.blame.notes.push(Note::new("blame_limited", message).at(path.clone()));
        }
        Ok(self.blame)
    }

    /// Hands the lines of a file on to the parents, or to the commit itself.
    fn look(
        &mut self,
        id: CommitId,
        commit: &CommitText,
        path: &RepoPath,
        mut lines: Vec<Line>,
    ) -> Result<(), Unread> {
        let blob = self.past.find(commit, path)?.ok_or(Unread::Missing)?;
        let mut differing = Vec::new();
        for parent in &commit.parents {
            let before = self.past.commit(*parent)?;
            let name = match self.past.find(&before, path)? {
                Some(same) if same == blob => {
                    self.pass(*parent, before, path.clone(), lines);
                    return Ok(());
                }
                Some(_) => Some(path.clone()),
                None => self.past.name_before(&before, commit, path),
            };
            match name {
                Some(name) if &name != path => {
                    self.pass(*parent, before, name, lines);
                    return Ok(());
                }
                Some(name) => differing.push((*parent, before, name)),
                None => {}
            }
        }
        let text = if differing.is_empty() { String::new() } else { self.past.text(blob)? };
        // A failure halfway must not leave lines counted twice: everything is read before anything is handed on.
        let texts = differing.iter().map(|it| {
            let blob = self.past.find(&it.1, &it.2)?.ok_or(Unread::Missing)?;
            self.past.text(blob)
        });
        let texts = texts.collect::<Result<Vec<String>, Unread>>()?;
        for ((parent, before, name), older) in differing.into_iter().zip(texts) {
            let hunks = repo::hunks(&older, &text);
            let (kept, changed): (Vec<_>, Vec<_>) =
                lines.into_iter().map(|it| (it, older_line(&hunks, it.here))).partition(|it| it.1.is_some());
            let kept = kept.into_iter().filter_map(|(it, here)| Some(Line { here: here?, ..it })).collect();
            self.pass(parent, before, name, kept);
            lines = changed.into_iter().map(|it| it.0).collect();
        }
        if !lines.is_empty() {
            let written = self.blame.written.entry(id).or_insert_with(|| Written {
                time: commit.time,
                author: commit.author.clone(),
                subject: commit.subject.clone(),
                lines: BTreeSet::new(),
            });
            written.lines.extend(lines.iter().map(|it| it.asked));
        }
        Ok(())
    }

    fn pass(&mut self, parent: CommitId, commit: CommitText, path: RepoPath, lines: Vec<Line>) {
        if lines.is_empty() {
            return;
        }
        self.suspects.entry(parent).or_default().entry(path).or_default().extend(lines);
        if !self.commits.contains_key(&parent) {
            self.queue.push((commit.time, Reverse(parent)));
            self.commits.insert(parent, commit);
        }
    }
}

/// Where a line stood before; none for one that the difference brought.
pub fn older_line(hunks: &[Hunk], line: u32) -> Option<u32> {
    let last = hunks.iter().take_while(|it| it.after.start <= line).last();
    match last {
        None => Some(line),
        Some(it) if it.after.contains(&line) => None,
        Some(it) => Some(line - it.after.end + it.before.end),
    }
}
