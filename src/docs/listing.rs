//! What the installed version of a package declares, for who asks.

use super::declaration::{Declaration, declaration};
use super::family::Family;
use super::library::{Allowance, Library, Module, Unread};
use super::package::Package;
use super::{python_lookup, rust_lookup, script_lookup};
use crate::model::Note;
use crate::syntax::{Definition, DefinitionKind, Role, Visibility};

/// How many files a note has room for.
const MOST_NAMES: usize = 5;

/// The declarations that a question is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Those whose name is asked for first, then those that only mention it; each group by file and line.
    pub declarations: Vec<Declaration>,
    /// How many there are with those left out.
    pub total: usize,
    /// Whether a bound kept files from being read.
    pub is_cut: bool,
    /// The files that could not be read, each with the reason.
    pub unread: Vec<Unread>,
    /// Whether no file was found that the package begins with.
    pub has_no_entry: bool,
}

impl Listing {
    /// Whether nothing is missing for all that is known.
    pub const fn is_complete(&self) -> bool {
        !self.is_cut && self.unread.is_empty() && !self.has_no_entry
    }

    /// What of a package could not be read.
    pub fn note(&self, package: &str) -> Option<Note> {
        let missing = "declarations of it may be missing";
        let message = if self.has_no_entry {
            format!("no file was found that {package} begins with (a link is not followed): {missing}")
        } else {
            let files =
                self.unread.iter().take(MOST_NAMES).map(|(path, reason)| format!("{path} ({reason})"));
            let files = files.collect::<Vec<_>>().join(", ");
            let more = self.unread.len().saturating_sub(MOST_NAMES);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            (!files.is_empty())
                .then(|| format!("of {package} could not be read: {files}{more}; {missing}"))?
        };
        Some(Note::new("docs_unread", message))
    }
}

/// How well a declaration answers, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Name,
    PartOfName,
    Mentioned,
}

/// The declarations that have every word of the question in their name, or in what is said of them. Without a question,
/// all that others can name.
pub fn listing(package: Package<'_>, question: Option<&str>, most: usize) -> Listing {
    let library = Library::new(package, Allowance::WHOLE);
    let modules = match library.package.family {
        Family::Script => script_lookup::reachable(&library),
        Family::Python => python_lookup::reachable(&library),
        Family::Rust => rust_lookup::reachable(&library),
    };
    let words: Vec<String> = question.unwrap_or_default().split_whitespace().map(str::to_lowercase).collect();
    let mut found: Vec<(Rank, Declaration)> = Vec::new();
    for module in &modules {
        let open = module.outline.definitions.iter().filter(|it| is_open(&library, module, it));
        found.extend(open.filter_map(|it| ranked(declaration(&library, module, it), &words)));
    }
    let place = |it: &(Rank, Declaration)| (it.0, it.1.path.clone(), it.1.line, it.1.column);
    found.sort_by_cached_key(place);
    let total = found.len();
    found.truncate(most);
    let (is_cut, unread) = (library.is_cut(), library.unread());
    let has_no_entry = modules.is_empty() && unread.is_empty() && !is_cut;
    Listing { declarations: found.into_iter().map(|it| it.1).collect(), total, is_cut, unread, has_no_entry }
}

fn ranked(declaration: Declaration, words: &[String]) -> Option<(Rank, Declaration)> {
    let name = declaration.name.to_lowercase();
    let last = name.rsplit('.').next().unwrap_or(&name);
    let documentation = declaration.documentation.as_deref().unwrap_or_default();
    let text = format!("{} {documentation}", declaration.signature).to_lowercase();
    let rank = if words.iter().all(|it| last == it || name == *it) {
        Rank::Name
    } else if words.iter().all(|it| name.contains(it.as_str())) {
        Rank::PartOfName
    } else if words.iter().all(|it| name.contains(it.as_str()) || text.contains(it.as_str())) {
        Rank::Mentioned
    } else {
        return None;
    };
    Some((rank, declaration))
}

/// Whether others can name it: exported, and inside no function.
fn is_open(library: &Library<'_>, module: &Module, definition: &Definition) -> bool {
    if !library.spend(1 + module.outline.imports.len() as u64) {
        return false;
    }
    let around = |it: &Definition| module.outline.definitions.get(it.container?);
    let chain = || std::iter::successors(Some(definition), |it| around(it));
    let is_local = chain().skip(1).any(|it| it.kind.runs()) || chain().any(|it| it.role == Role::Test);
    if is_local || !definition.kind.has_name() || definition.kind == DefinitionKind::Module {
        return false;
    }
    let is_marked = |it: &Definition| it.visibility == Visibility::Exported;
    match library.package.family {
        Family::Script => {
            let inside = chain().take_while(|it| it.container.is_some());
            script_lookup::is_exported(module, definition) && inside.into_iter().all(is_marked)
        }
        Family::Rust => chain().all(is_marked),
        Family::Python => chain().all(is_marked) && !definition.name.starts_with("__"),
    }
}
