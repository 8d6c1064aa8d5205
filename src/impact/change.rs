//! From changed lines to changed symbols, on both sides of the change.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::hunk::{ChangedFile, Side};
use super::lines::{Owner, Words, owners};
use super::signature::{body, signature};
use crate::model::{
    ChangeDetail, ChangeKind, Detail, Evidence, Kind, LineIndex, Location, Method, Redacted, RepoPath, Span,
    SymbolId,
};
use crate::syntax::{Definition, DefinitionKind, Language, Outline, Visibility};

/// A symbol that a change touches.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    pub path: RepoPath,
    /// Where it stands after the change; for a removed one before it.
    pub span: Span,
    pub symbol: SymbolId,
    /// What it was called, for a renamed one.
    pub former: Option<SymbolId>,
    pub change: ChangeKind,
    /// None for what stands outside every definition.
    pub kind: Option<DefinitionKind>,
    pub visibility: Visibility,
}

impl Change {
    /// The record that a bundle keeps of it. What is gone has no place in the newer text but its file.
    pub fn evidence(&self) -> Evidence {
        let span = if self.change == ChangeKind::Removed { Span::FILE } else { self.span };
        let place = Location { path: self.path.clone(), span };
        let message = format!("{} {}", self.change.name(), self.symbol);
        let mut evidence = Evidence::new(
            Kind::GitHistory,
            Method::GitDiff,
            place,
            self.symbol.as_str(),
            Redacted::new(message),
        );
        evidence.symbol = Some(self.symbol.clone());
        evidence.detail = Detail::Change(ChangeDetail { change: self.change });
        evidence
    }
}

/// A definition by its name and its place among those of the same name.
type Key = (Box<str>, u32);

struct View<'c> {
    outline: &'c Outline,
    text: &'c str,
    index: LineIndex<'c>,
    words: Words<'c>,
    /// All lines by owner.
    own: BTreeMap<Owner, Vec<u32>>,
    /// Changed lines by owner.
    touched: BTreeMap<Owner, Vec<u32>>,
    keys: BTreeMap<Key, usize>,
}

/// The symbols that a file's change touches; none when it has no outline.
pub(super) fn changes(file: &ChangedFile<'_>) -> Vec<Change> {
    let Some(language) = file.language else { return Vec::new() };
    let before =
        file.before.and_then(|it| view_of(it, language, file.hunks.iter().map(|it| it.before.clone())));
    let after = file.after.and_then(|it| view_of(it, language, file.hunks.iter().map(|it| it.after.clone())));
    let context = Context { path: &file.path, language };
    let mut changes = context.compare(before.as_ref(), after.as_ref());
    context.pair_renamed(&mut changes, before.as_ref(), after.as_ref());
    without_holders(changes.into_iter().map(|it| it.0).collect())
}

/// Leaves out definitions of which only the white space around a changed member differs: the member says it all.
fn without_holders(changes: Vec<Change>) -> Vec<Change> {
    let present = changes.iter().filter(|it| it.change != ChangeKind::Removed);
    let mut spans: Vec<Span> = present.map(|it| it.span).collect();
    spans.sort();
    // Definitions nest or stand apart: what starts inside another lies inside it.
    let holds_another = |it: &Change| {
        let from = spans.partition_point(|other| other.start < it.span.start);
        let inside = spans.iter().skip(from).take_while(|other| other.start < it.span.end);
        inside.take(2).any(|other| *other != it.span)
    };
    changes.into_iter().filter(|it| it.change != ChangeKind::FormattingOnly || !holds_another(it)).collect()
}

fn view_of<'c>(
    side: Side<'c>,
    language: Language,
    lines: impl Iterator<Item = Range<u32>>,
) -> Option<View<'c>> {
    let outline = side.outline?;
    let mut view = View {
        outline,
        text: side.text,
        index: LineIndex::new(side.text),
        words: Words::of(side.text, language),
        own: BTreeMap::new(),
        touched: BTreeMap::new(),
        keys: keys(outline),
    };
    let owners = owners(outline, side.text);
    for (line, owner) in (1..).zip(&owners) {
        view.own.entry(*owner).or_default().push(line);
    }
    for line in lines.flatten() {
        let owner = (line as usize).checked_sub(1).and_then(|it| owners.get(it));
        let is_blank =
            view.index.line((line as usize).saturating_sub(1)).is_none_or(|it| it.trim().is_empty());
        if is_blank && owner.is_none_or(|it| *it == Owner::Module) {
            continue;
        }
        view.touched.entry(owner.copied().unwrap_or(Owner::Module)).or_default().push(line);
    }
    Some(view)
}

fn keys(outline: &Outline) -> BTreeMap<Key, usize> {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    let numbered = outline.definitions.iter().enumerate().map(|(number, it)| {
        let count = seen.entry(&it.qualified).or_insert(0);
        *count += 1;
        ((it.qualified.clone(), *count), number)
    });
    numbered.filter(|it| outline.definitions.get(it.1).is_some_and(|it| it.kind.owns_lines())).collect()
}

impl<'c> View<'c> {
    fn definition(&self, number: usize) -> Option<&'c Definition> {
        self.outline.definitions.get(number)
    }

    fn has_namesake(&self, number: usize) -> bool {
        let name = self.definition(number).map(|it| it.qualified.clone());
        name.is_some_and(|name| self.keys.contains_key(&(name, 2)))
    }

    fn touched(&self, owner: Owner) -> &[u32] {
        self.touched.get(&owner).map_or(&[], Vec::as_slice)
    }

    /// The words of all lines that belong to an owner. What was moved, or took another's place, is told by them alone.
    fn own_words(&self, owner: Owner) -> Vec<&'c str> {
        self.words.within(self.own.get(&owner).into_iter().flatten().copied())
    }

    /// The words of the changed lines that belong to an owner.
    fn changed_words(&self, owner: Owner) -> Vec<&'c str> {
        self.words.within(self.touched(owner).iter().copied())
    }
}

struct Context<'p> {
    path: &'p RepoPath,
    language: Language,
}

impl Context<'_> {
    /// Every change with the number of its definition, on the side where it stands.
    fn compare(&self, before: Option<&View<'_>>, after: Option<&View<'_>>) -> Vec<(Change, Option<usize>)> {
        let empty = BTreeMap::new();
        let old = before.map_or(&empty, |it| &it.keys);
        let new = after.map_or(&empty, |it| &it.keys);
        let all: BTreeSet<&Key> = old.keys().chain(new.keys()).collect();
        let mut changes = Vec::new();
        for key in all {
            let change = match (before, old.get(key), after, new.get(key)) {
                (Some(before), Some(old), Some(after), Some(new)) => {
                    let kind = self.changed(before, *old, after, *new);
                    kind.and_then(|it| self.change(after, *new, key, it)).map(|it| (it, Some(*new)))
                }
                (_, _, Some(after), Some(new)) => {
                    self.change(after, *new, key, ChangeKind::Added).map(|it| (it, Some(*new)))
                }
                (Some(before), Some(old), _, _) => {
                    self.change(before, *old, key, ChangeKind::Removed).map(|it| (it, Some(*old)))
                }
                _ => None,
            };
            changes.extend(change);
        }
        changes.extend(self.module_change(before, after).map(|it| (it, None)));
        changes
    }

    fn changed(&self, before: &View<'_>, old: usize, after: &View<'_>, new: usize) -> Option<ChangeKind> {
        let (was, is) = (Owner::Definition(old), Owner::Definition(new));
        let is_touched = !before.touched(was).is_empty() || !after.touched(is).is_empty();
        // A new namesake shifts the numbers of those below it: which of them is which, only the changed lines tell.
        let is_numbered = before.has_namesake(old) || after.has_namesake(new);
        let is_same = match (is_numbered, is_touched) {
            (true, false) => return None,
            (true, true) => before.changed_words(was) == after.changed_words(is),
            (false, _) => before.own_words(was) == after.own_words(is),
        };
        if is_same {
            return is_touched.then_some(ChangeKind::FormattingOnly);
        }
        let old = signature(before.definition(old)?, &before.index, before.text, self.language);
        let new = signature(after.definition(new)?, &after.index, after.text, self.language);
        Some(if old == new { ChangeKind::BodyChanged } else { ChangeKind::SignatureChanged })
    }

    fn change(&self, view: &View<'_>, number: usize, key: &Key, change: ChangeKind) -> Option<Change> {
        let definition = view.definition(number)?;
        let symbol = self.symbol(key);
        Some(Change {
            path: self.path.clone(),
            span: definition.span,
            symbol,
            former: None,
            change,
            kind: Some(definition.kind),
            visibility: definition.visibility,
        })
    }

    fn symbol(&self, (qualified, count): &Key) -> SymbolId {
        let name = if *count == 1 { qualified.to_string() } else { format!("{qualified}~{count}") };
        SymbolId::of_definition(&self.language.name(), self.path, &name)
    }

    /// A change outside every definition is one of the file as a module.
    fn module_change(&self, before: Option<&View<'_>>, after: Option<&View<'_>>) -> Option<Change> {
        let touched = |view: Option<&View<'_>>| view.is_some_and(|it| !it.touched(Owner::Module).is_empty());
        if !touched(before) && !touched(after) {
            return None;
        }
        let words = |view: Option<&View<'_>>| -> Vec<String> {
            let words = view.map(|it| it.changed_words(Owner::Module)).unwrap_or_default();
            words.into_iter().map(str::to_owned).collect()
        };
        let change = match (before, after) {
            (Some(_), Some(_)) if words(before) == words(after) => ChangeKind::FormattingOnly,
            (Some(_), Some(_)) => ChangeKind::BodyChanged,
            (None, _) => ChangeKind::Added,
            (Some(_), None) => ChangeKind::Removed,
        };
        Some(Change {
            path: self.path.clone(),
            span: Span::FILE,
            symbol: SymbolId::of_definition(&self.language.name(), self.path, ""),
            former: None,
            change,
            kind: None,
            visibility: Visibility::Exported,
        })
    }

    /// One definition gone and one new, of the same kind and with the same body, are one with a new name.
    fn pair_renamed(
        &self,
        changes: &mut Vec<(Change, Option<usize>)>,
        before: Option<&View<'_>>,
        after: Option<&View<'_>>,
    ) {
        let (Some(before), Some(after)) = (before, after) else { return };
        let mut removed: BTreeMap<(DefinitionKind, String), Vec<SymbolId>> = BTreeMap::new();
        for (change, number) in changes.iter().filter(|it| it.0.change == ChangeKind::Removed) {
            let definition = number.and_then(|it| before.definition(it));
            let body = definition.map(|it| body(it, &before.index, before.text, self.language));
            if let (Some(kind), Some(body)) = (change.kind, body.filter(|it| !it.is_empty())) {
                removed.entry((kind, body)).or_default().push(change.symbol.clone());
            }
        }
        let mut gone = BTreeSet::new();
        for (change, number) in changes.iter_mut().filter(|it| it.0.change == ChangeKind::Added) {
            let Some(definition) = number.and_then(|it| after.definition(it)) else { continue };
            let body = body(definition, &after.index, after.text, self.language);
            let same = removed.get_mut(&(definition.kind, body));
            if let Some(former) = same.filter(|it| it.len() == 1).and_then(Vec::pop) {
                gone.insert(former.clone());
                change.change = ChangeKind::Renamed;
                change.former = Some(former);
            }
        }
        changes.retain(|it| it.0.change != ChangeKind::Removed || !gone.contains(&it.0.symbol));
    }
}
