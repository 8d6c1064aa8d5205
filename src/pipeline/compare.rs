//! What the base holds of the files that changed: their text, their outline, and the findings they had.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::look::{Look, Task, hits};
use crate::model::{Fingerprint, Note, RepoPath};
use crate::repo::{self, Alteration, Change, HeadFile, Snapshot};
use crate::structural::Active;
use crate::syntax::{self, Language, Outline, Survey};

/// The comparison of both states.
#[derive(Default)]
pub struct Comparison {
    pub files: Vec<Compared>,
    /// Of the findings in the older state of the changed files.
    pub fingerprints: BTreeSet<Fingerprint>,
    pub notes: Vec<Note>,
}

/// A file that differs from the base.
pub struct Compared {
    pub change: Change,
    /// The older text, when it is text.
    pub text: Option<String>,
    pub outline: Option<Outline>,
    fingerprints: Vec<Fingerprint>,
    note: Option<Note>,
}

/// Compares the looks at the newer state with the base.
pub fn compare(task: Task<'_>, base: &Snapshot<'_>, looks: &[Look]) -> Comparison {
    let files: Vec<HeadFile> = looks.iter().filter_map(|it| it.file.clone()).collect();
    let repo::Changes { changes, mut notes } = repo::changes(base, task.snapshot, &files);
    let mut compared: Vec<Compared> = changes.into_par_iter().map(|it| older(task, base, it)).collect();
    let fingerprints = compared.iter_mut().flat_map(|it| std::mem::take(&mut it.fingerprints)).collect();
    notes.extend(compared.iter_mut().filter_map(|it| it.note.take()));
    Comparison { files: compared, fingerprints, notes }
}

fn older(task: Task<'_>, base: &Snapshot<'_>, change: Change) -> Compared {
    let mut compared = Compared { change, text: None, outline: None, fingerprints: Vec::new(), note: None };
    let path = match &compared.change.kind {
        Alteration::Added | Alteration::ModeOnly => return compared,
        Alteration::Removed | Alteration::Modified => compared.change.path.clone(),
        Alteration::Renamed { from, .. } => from.clone(),
    };
    let Some(file) = base.find(&path) else { return compared };
    match base.read(file) {
        Ok(content) => match String::from_utf8(content.bytes) {
            Ok(text) if !text.contains('\0') => compared.read(task, &path, text),
            Ok(_) | Err(_) => {}
        },
        Err(unread) => {
            let message = format!("its older state cannot be read, so its changes are not known: {unread}");
            compared.note = Some(Note::new("base_unread", message).at(path));
        }
    }
    compared
}

impl Compared {
    fn read(&mut self, task: Task<'_>, path: &RepoPath, text: String) {
        self.text = Some(text.clone());
        let Some(language) = Language::of_path(path) else { return };
        let active = task.rules.active(path, language, &text);
        if active.is_none() && !syntax::has_outline(language) {
            return;
        }
        let Ok(parsed) = syntax::parse(text, language, task.limits) else { return };
        let wanted = active.as_ref().map(Active::kinds).unwrap_or_default();
        let Survey { outline, nodes } = syntax::survey(&parsed, &wanted);
        self.outline = outline;
        if let Some(active) = active {
            let found = active.found(&parsed, &nodes);
            // Under the newer name, so that a renamed file keeps its findings.
            let found = hits(task.rules, &parsed, &found.matches, &self.change.path);
            self.fingerprints = found.into_iter().map(|it| it.evidence.fingerprint).collect();
        }
    }
}
