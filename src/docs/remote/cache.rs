//! Answers that were given before, in the user's own state folder.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::ask::{Answer, Question};
use crate::model::{Digest, RepoPath, Timestamp};
use crate::system::{Root, write_file};

const SCHEMA: &str = "codecortex.docs-answer/1";
const MAX_BYTES: u64 = 8 << 20;

/// One kept answer. Whether it is about the very version is part of it, so that a general answer is never taken for an
/// exact one later.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    schema: String,
    fetched_at: Timestamp,
    ecosystem: String,
    library: String,
    version: Option<String>,
    question: String,
    answer: Answer,
}

/// An answer with the time at which it was given; none when there is none that can be read.
pub fn find(folder: &Path, provider: &str, question: &Question<'_>) -> Option<(Answer, Timestamp)> {
    let root = Root::open(folder).ok()?;
    let name = RepoPath::new(name(provider, question).as_bytes()).ok()?;
    let kept: Kept = serde_json::from_slice(&root.read(&name, MAX_BYTES).ok()?).ok()?;
    let is_meant = kept.schema == SCHEMA
        && kept.ecosystem == question.ecosystem.name()
        && kept.library == question.library
        && kept.version.as_deref() == question.version
        && kept.question == question.text;
    is_meant.then_some((kept.answer, kept.fetched_at))
}

/// Keeps an answer. One that cannot be kept is asked for again.
pub fn keep(folder: &Path, provider: &str, question: &Question<'_>, answer: &Answer, now: Timestamp) {
    let kept = Kept {
        schema: SCHEMA.to_owned(),
        fetched_at: now,
        ecosystem: question.ecosystem.name().to_owned(),
        library: question.library.to_owned(),
        version: question.version.map(str::to_owned),
        question: question.text.to_owned(),
        answer: answer.clone(),
    };
    let path: PathBuf = folder.join(name(provider, question));
    if let Ok(bytes) = serde_json::to_vec(&kept)
        && std::fs::create_dir_all(folder).is_ok()
    {
        drop(write_file(&path, &bytes));
    }
}

fn name(provider: &str, question: &Question<'_>) -> String {
    let parts = [
        provider,
        question.ecosystem.name(),
        question.library,
        question.version.unwrap_or(""),
        question.text,
    ];
    format!("{}.json", Digest::of(parts.join("\0").as_bytes()).short(40))
}
