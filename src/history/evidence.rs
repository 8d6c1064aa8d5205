//! What the history says, as records.

use super::blame::Written;
use super::mined::FileHistory;
use super::together::Partner;
use crate::model::{
    Confidence, Detail, Evidence, HistoryDetail, HistoryFact, Kind, Location, Method, Point, Reason,
    Redacted, RepoPath, Span, Tier, Timestamp, counted,
};
use crate::repo::{CommitId, Logged};

/// Digits of a commit in words.
const SHORT: usize = 10;

fn record(
    place: Location,
    (fact, commits): (HistoryFact, Vec<String>),
    method: Method,
    message: String,
) -> Evidence {
    let subject = commits.first().cloned().unwrap_or_default();
    let mut evidence = Evidence::new(Kind::GitHistory, method, place, &subject, Redacted::from(message));
    evidence.detail = Detail::History(HistoryDetail { fact, commits });
    evidence
}

fn whole(path: &RepoPath) -> Location {
    Location { path: path.clone(), span: Span::FILE }
}

fn names(commits: &[&Logged]) -> Vec<String> {
    commits.iter().map(|it| it.id.to_string()).collect()
}

fn said(id: CommitId, time: i64, author: &str, subject: &str) -> String {
    let date: String = Timestamp::from_unix(time).to_string().chars().take(10).collect();
    format!("{} {date} {author}: {subject}", id.short(SHORT))
}

impl FileHistory<'_> {
    /// The newest changes, each a fact, and the fixes among them, which are read from subjects and so inferred.
    pub fn evidence(&self, most: usize) -> Vec<Evidence> {
        let changes = self.commits.iter().take(most).map(|it| {
            let message = said(it.id, it.time, &it.author, &it.subject);
            record(
                whole(&self.path),
                (HistoryFact::Changed, vec![it.id.to_string()]),
                Method::GitLog,
                message,
            )
        });
        let mut found: Vec<Evidence> = changes.collect();
        let fixes: Result<&Vec<&Logged>, &Reason> = self.fixes.as_ref();
        if let Ok(fixes) = fixes
            && !fixes.is_empty()
        {
            let message =
                format!("{} in the twelve months before the newest commit", fixes_in_words(fixes.len()));
            let fact = (HistoryFact::Fixed, names(fixes));
            found.push(record(whole(&self.path), fact, Method::GitLog, message).at_most(Tier::Inferred));
        }
        found
    }
}

pub fn fixes_in_words(count: usize) -> String {
    match count {
        1 => "1 fix".to_owned(),
        _ => format!("{count} fixes"),
    }
}

impl Partner<'_> {
    /// A habit, not a rule.
    pub fn evidence(&self) -> Evidence {
        let (both, all) = (self.both.len() as u32, self.all as u32);
        let of = counted(u64::from(all), "change");
        let message = format!("changed in {both} of {of} of {}, and not in this one", self.of);
        let fact = HistoryFact::ChangedTogether { with: self.of.clone(), both, all };
        let mut evidence = record(whole(&self.path), (fact, names(&self.both)), Method::GitLog, message);
        evidence.confidence = Confidence::new(self.confidence()).unwrap_or(Confidence::FULL);
        evidence.at_most(Tier::Weak)
    }
}

impl Written {
    /// The lines of a file that a commit wrote.
    pub fn evidence(&self, path: &RepoPath, commit: CommitId) -> Evidence {
        let lines = self.lines.len() as u32;
        let (first, last) = (self.lines.first().copied(), self.lines.last().copied());
        let point = |line: u32| Point { line, column: 1 };
        let span =
            Span { start: point(first.unwrap_or(1)), end: point(last.map_or(1, |it| it.saturating_add(1))) };
        let message = format!(
            "{} written by {}",
            counted(u64::from(lines), "line"),
            said(commit, self.time, &self.author, &self.subject)
        );
        let fact = (HistoryFact::Written { lines }, vec![commit.to_string()]);
        record(Location { path: path.clone(), span }, fact, Method::GitDiff, message)
    }
}
