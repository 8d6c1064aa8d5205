//! Where rules come from: the repository's own folders, an `sgconfig.yml`, and what the caller names.

use std::path::{Path, PathBuf};

use ast_grep_config::GlobalRules;
use serde::Deserialize;

use super::problem::Problem;
use super::rule::{self, Inline, Origin, Rule};
use crate::model::{Note, RepoPath};
use crate::system::{FileKind, Root, Unread};

/// A place that rules are read from.
pub enum Source<'s> {
    /// A folder of the repository; a missing one is only noted when somebody asked for it.
    Folder { root: &'s Root, path: RepoPath, wanted: Wanted },
    /// `sgconfig.yml` at the repository root, with its `ruleDirs` and `utilDirs`.
    SgConfig { root: &'s Root },
    /// A file or folder that the caller names, wherever it lies.
    Named(&'s Path),
    /// One pattern from the command line.
    Inline(&'s Inline),
}

/// Whether a missing folder is worth a word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    IfPresent,
    Configured,
}

/// What all sources together gave.
#[derive(Default)]
pub struct Loaded {
    pub rules: Vec<Rule>,
    pub problems: Vec<Problem>,
    pub notes: Vec<Note>,
}

/// A rule file is text that people write.
const MAX_RULE_FILE: u64 = 1024 * 1024;
/// A folder of rules, all of it.
const MAX_RULE_FILES: usize = 10_000;
const MAX_DEPTH: usize = 32;

/// Reads the rules of every source, in order.
pub fn load(sources: &[Source<'_>]) -> Loaded {
    let mut loaded = Loaded::default();
    for source in sources {
        match source {
            Source::Folder { root, path, wanted } => loaded.folder(root, path, *wanted),
            Source::SgConfig { root } => loaded.sgconfig(root),
            Source::Named(path) => loaded.named(path),
            Source::Inline(inline) => match rule::from_inline(inline) {
                Ok(rule) => loaded.rules.extend(rule),
                Err(problem) => loaded.problems.push(problem),
            },
        }
    }
    loaded.problems.sort();
    loaded
}

/// What this program reads of ast-grep's project file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SgConfig {
    #[serde(default)]
    rule_dirs: Vec<String>,
    #[serde(default)]
    util_dirs: Vec<String>,
    custom_languages: Option<std::collections::BTreeMap<String, serde::de::IgnoredAny>>,
}

impl Loaded {
    fn problem(&mut self, label: &str, line: usize, message: &dyn std::fmt::Display) {
        let origin = Origin { label: label.to_owned(), line };
        self.problems.push(Problem { origin, rule: None, message: message.to_string() });
    }

    fn text(&mut self, label: &str, bytes: Result<Vec<u8>, Unread>) -> Option<String> {
        match bytes.map(String::from_utf8) {
            Ok(Ok(text)) => return Some(text),
            Ok(Err(_)) => self.problem(label, 1, &"the rule file is not UTF-8"),
            Err(unread) => self.problem(label, 1, &unread),
        }
        None
    }

    fn read(&mut self, label: &str, bytes: Result<Vec<u8>, Unread>, utilities: &GlobalRules) {
        let Some(text) = self.text(label, bytes) else { return };
        let (rules, problems) = rule::read(label, &text, utilities);
        self.rules.extend(rules);
        self.problems.extend(problems);
    }

    fn folder(&mut self, root: &Root, path: &RepoPath, wanted: Wanted) {
        self.rules_of(root, path, wanted, &GlobalRules::default());
    }

    fn rules_of(&mut self, root: &Root, path: &RepoPath, wanted: Wanted, utilities: &GlobalRules) {
        match rule_files(root, Some(path)) {
            Ok(files) => {
                for file in files {
                    self.read(&file.to_string(), root.read(&file, MAX_RULE_FILE), utilities);
                }
            }
            Err(Unread::Missing) if wanted == Wanted::IfPresent => {}
            Err(unread) => {
                self.problem(&path.to_string(), 1, &format!("rules cannot be read from here: {unread}"));
            }
        }
    }

    fn sgconfig(&mut self, root: &Root) {
        const NAME: &str = "sgconfig.yml";
        let path: RepoPath = NAME.parse().expect("because the name is a plain file name");
        let bytes = match root.read(&path, MAX_RULE_FILE) {
            Err(Unread::Missing) => return,
            other => other,
        };
        let Some(text) = self.text(NAME, bytes) else { return };
        let config: SgConfig = match ast_grep_config::from_str(&text) {
            Ok(config) => config,
            Err(error) => {
                let line = error.location().and_then(|it| usize::try_from(it.line()).ok()).unwrap_or(1);
                return self.problem(NAME, line, &error.to_string().lines().next().unwrap_or_default());
            }
        };
        if config.custom_languages.is_some_and(|it| !it.is_empty()) {
            let message = "`customLanguages` names libraries; they are code and are not loaded".to_owned();
            self.notes.push(Note::new("custom_language_refused", message).at(path.clone()));
        }
        let utilities = self.utilities(root, &path, &config.util_dirs);
        for folder in self.inside(&path, &config.rule_dirs) {
            self.rules_of(root, &folder, Wanted::Configured, &utilities);
        }
    }

    /// The folders of a list that lie inside the repository; a note for each that does not.
    fn inside(&mut self, config: &RepoPath, folders: &[String]) -> Vec<RepoPath> {
        let mut found = Vec::new();
        for folder in folders {
            let plain = folder.trim_end_matches('/');
            match RepoPath::new(plain.strip_prefix("./").unwrap_or(plain).as_bytes()) {
                Ok(path) => found.push(path),
                Err(error) => {
                    let message = format!("rules cannot be read from `{folder}`: {error}");
                    self.problem(&config.to_string(), 1, &message);
                }
            }
        }
        found
    }

    fn utilities(&mut self, root: &Root, config: &RepoPath, folders: &[String]) -> GlobalRules {
        let mut documents = Vec::new();
        for folder in self.inside(config, folders) {
            for file in rule_files(root, Some(&folder)).unwrap_or_default() {
                let label = file.to_string();
                if let Some(text) = self.text(&label, root.read(&file, MAX_RULE_FILE)) {
                    documents.push((Origin { label, line: 1 }, text));
                }
            }
        }
        rule::utilities(&documents).unwrap_or_else(|problem| {
            self.problems.push(problem);
            GlobalRules::default()
        })
    }

    fn named(&mut self, path: &Path) {
        let label = path.display().to_string();
        let (folder, file) = match (path.is_dir(), path.file_name()) {
            (false, Some(name)) => {
                (path.parent().map(Path::to_path_buf), RepoPath::new(name.as_encoded_bytes()).ok())
            }
            _ => (Some(path.to_path_buf()), None),
        };
        let folder = folder.filter(|it| !it.as_os_str().is_empty()).unwrap_or_else(|| PathBuf::from("."));
        let root = match Root::open(&folder) {
            Ok(root) => root,
            Err(error) => return self.problem(&label, 1, &error),
        };
        let files = match file {
            Some(file) => Ok(vec![file]),
            None => rule_files(&root, None),
        };
        match files {
            Ok(files) if files.is_empty() => {
                self.problem(&label, 1, &"the folder holds no `.yml` or `.yaml` file");
            }
            Ok(files) => {
                for file in files {
                    let label = folder.join(file.as_path()).display().to_string();
                    self.read(&label, root.read(&file, MAX_RULE_FILE), &GlobalRules::default());
                }
            }
            Err(unread) => self.problem(&label, 1, &unread),
        }
    }
}

/// The rule files below a folder, sorted.
fn rule_files(root: &Root, folder: Option<&RepoPath>) -> Result<Vec<RepoPath>, Unread> {
    let mut found = Vec::new();
    let mut open = vec![(0, folder.cloned())];
    while let Some((depth, folder)) = open.pop() {
        for entry in root.folder(folder.as_ref())?.entries()? {
            let path = match &folder {
                Some(folder) => folder.join(&entry.name),
                None => RepoPath::new(&entry.name),
            };
            let Ok(path) = path else { continue };
            match entry.kind {
                FileKind::Directory if depth < MAX_DEPTH => open.push((depth + 1, Some(path))),
                FileKind::Regular if matches!(path.extension(), Some(b"yml" | b"yaml")) => found.push(path),
                FileKind::Regular | FileKind::Directory | FileKind::Symlink | FileKind::Special => {}
            }
        }
        if found.len() > MAX_RULE_FILES {
            return Err(Unread::Failed(format!("the folder holds more than {MAX_RULE_FILES} rule files")));
        }
    }
    found.sort();
    Ok(found)
}
