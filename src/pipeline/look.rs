//! One look at one file: read once, parsed at most once, outlined and searched in the same walk.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::model::{Evidence, Excerpt, LineIndex, RepoPath, distinguish};
use crate::repo::{File, HeadFile, Snapshot};
use crate::rewrite::{self, Draft};
use crate::structural::{Active, Found, Match, RuleSet};
use crate::syntax::{self, Language, Limits, Outline, Parsed, Survey};

/// What is to be done with every file.
#[derive(Clone, Copy)]
pub struct Task<'t> {
    pub snapshot: &'t Snapshot<'t>,
    /// The older state, when a change is under review: only what differs from it is searched.
    pub base: Option<&'t Snapshot<'t>>,
    pub rules: &'t RuleSet,
    pub limits: Limits,
    pub drafts: Drafts,
    pub known: Known,
}

impl<'t> Task<'t> {
    /// Only outlines, and of what is known by its name not even these; the rules are none.
    pub fn outlines(
        snapshot: &'t Snapshot<'t>,
        base: Option<&'t Snapshot<'t>>,
        rules: &'t RuleSet,
        limits: Limits,
    ) -> Self {
        Self { snapshot, base, rules, limits, drafts: Drafts::Leave, known: Known::Leave }
    }

    /// Looks at every file.
    pub fn looks(self) -> Vec<Look> {
        self.snapshot.files.par_iter().map(|file| look(self, file)).collect()
    }
}

/// What is done with a file that no rule is to look at, and whose content is known by its name and not new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    Read,
    /// Its outline is had from an earlier run, or made later.
    Leave,
}

/// Whether the rules with a fix draft their rewrite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drafts {
    Leave,
    Make,
}

/// What one look saw.
pub struct Look {
    pub path: RepoPath,
    /// None when the content could not be named.
    pub file: Option<HeadFile>,
    pub size: u64,
    pub language: Option<Language>,
    pub outline: Option<Outline>,
    /// Whether the outline is still to be had.
    pub is_left: bool,
    /// The text, when the file may differ from the base.
    pub text: Option<String>,
    pub hits: Vec<Hit>,
    /// How many more matches a rule has here than are kept, by its number.
    pub beyond: BTreeMap<usize, u64>,
    pub draft: Option<Draft>,
    pub search: Search,
    /// Why the file was not read or not parsed.
    pub unseen: Option<Unseen>,
}

/// Whether the rules looked at a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    Done,
    /// They should have, but the file is no text that can be parsed.
    Failed,
    /// It is the same as in the base, or no rule speaks its language.
    NotAsked,
}

/// A match with everything that outlives the file's text.
pub struct Hit {
    pub rule: usize,
    pub evidence: Evidence,
    pub excerpt: Excerpt,
    pub fix: Fix,
}

/// Whether a match can be rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fix {
    None,
    Available,
}

/// A file that was listed and not understood.
#[derive(Clone, Debug)]
pub struct Unseen {
    pub code: &'static str,
    pub detail: Option<String>,
}

/// NUL this early says that a file is no text, as git does.
const BINARY_WINDOW: usize = 8_000;

/// Looks at one file.
pub fn look(task: Task<'_>, file: &File) -> Look {
    let language = Language::of_path(&file.path);
    let mut look = Look {
        path: file.path.clone(),
        file: file.blob.map(|blob| HeadFile { path: file.path.clone(), mode: file.mode, blob }),
        size: file.size,
        language,
        outline: None,
        is_left: false,
        text: None,
        hits: Vec::new(),
        beyond: BTreeMap::new(),
        draft: None,
        search: Search::NotAsked,
        unseen: None,
    };
    let differs = differs(task.base, file);
    if language.is_none() && file.blob.is_some() && !differs {
        return look;
    }
    let is_known = file.blob.is_some() && (task.base.is_none() || !differs);
    if task.known == Known::Leave && is_known {
        look.is_left = language.is_some_and(syntax::has_outline);
        return look;
    }
    let content = match task.snapshot.read(file) {
        Ok(content) => content,
        Err(unread) => {
            let unseen = Unseen { code: unread.code(), detail: Some(unread.to_string()) };
            look.unseen = Some(unseen);
            return look;
        }
    };
    look.file = Some(HeadFile { path: file.path.clone(), mode: file.mode, blob: content.blob });
    let differs = differs
        && task.base.is_none_or(|base| base.find(&file.path).is_none_or(|it| it.blob != Some(content.blob)));
    match text(content.bytes) {
        Ok(text) => look.read(task, file, text, differs),
        Err(code) => look.refuse(task, Unseen { code, detail: None }, differs),
    }
    look
}

/// Whether a file may differ from the base; without one, every file does.
fn differs(base: Option<&Snapshot<'_>>, file: &File) -> bool {
    base.is_none_or(|base| match base.find(&file.path) {
        Some(older) => file.blob.is_none() || older.blob != file.blob || older.mode != file.mode,
        None => true,
    })
}

fn text(bytes: Vec<u8>) -> Result<String, &'static str> {
    let window = bytes.get(..BINARY_WINDOW).unwrap_or(&bytes);
    if memchr::memchr(0, window).is_some() {
        return Err("binary");
    }
    String::from_utf8(bytes).map_err(|_| "not_utf8")
}

impl Look {
    /// Records that a file in a known language could not be taken as text; where rules should have looked at it, that
    /// they did not.
    fn refuse(&mut self, task: Task<'_>, unseen: Unseen, differs: bool) {
        let Some(language) = self.language else { return };
        let asked = differs && task.rules.asks_for(&self.path, language);
        self.search = if asked { Search::Failed } else { Search::NotAsked };
        self.unseen = Some(unseen);
    }

    fn read(&mut self, task: Task<'_>, file: &File, text: String, differs: bool) {
        let keep = (differs && task.base.is_some()).then(|| text.clone());
        self.text = keep;
        let Some(language) = self.language else { return };
        let active = if differs { task.rules.active(&file.path, language, &text) } else { None };
        if differs && task.rules.asks_for(&file.path, language) {
            self.search = Search::Done;
        }
        if active.is_none() && !syntax::has_outline(language) {
            return;
        }
        let parsed = match syntax::parse(text, language, task.limits) {
            Ok(parsed) => parsed,
            Err(refusal) => {
                let unseen = Unseen { code: "not_parsed", detail: Some(refusal.to_string()) };
                return self.refuse(task, unseen, active.is_some());
            }
        };
        let wanted = active.as_ref().map(Active::kinds).unwrap_or_default();
        let Survey { outline, nodes } = syntax::survey(&parsed, &wanted);
        self.outline = outline;
        let Some(active) = active else { return };
        let Found { matches, beyond } = active.found(&parsed, &nodes);
        self.beyond = beyond;
        self.hits = hits(task.rules, &parsed, &matches, &file.path);
        if task.drafts == Drafts::Make {
            self.draft = rewrite::draft(&file.path, &parsed, &matches, task.rules, task.limits);
        }
    }
}

/// The matches as evidence, in the order of the text, equal ones told apart.
pub fn hits(rules: &RuleSet, parsed: &Parsed, matches: &[Match], path: &RepoPath) -> Vec<Hit> {
    let text = parsed.text();
    let index = LineIndex::new(text);
    let ruled = || matches.iter().filter_map(|it| rules.get(it.rule).map(|rule| (it, rule)));
    let mut evidence: Vec<Evidence> = ruled().map(|(it, rule)| it.evidence(rule, path, text)).collect();
    distinguish(&mut evidence);
    let described = ruled().zip(evidence).map(|((it, _), evidence)| Hit {
        rule: it.rule,
        evidence,
        excerpt: Excerpt::of(&index, it.span),
        fix: if it.fix.is_some() { Fix::Available } else { Fix::None },
    });
    described.collect()
}

/// Takes the drafts out of the looks.
pub fn drafts(looks: &mut [Look]) -> Vec<Draft> {
    looks.iter_mut().filter_map(|it| it.draft.take()).collect()
}
