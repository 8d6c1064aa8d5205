//! Who uses which dependency, by the outlines of the files, and what of that its installed version calls deprecated.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::compare::Comparison;
use super::dependencies::DependencyFacts;
use super::finding::{Finding, Findings};
use super::look::{Drafts, Known, Look, Task, look};
use super::{World, limits};
use crate::config::{Config, Level};
use crate::deps::{Change, Dependencies};
use crate::docs::{self, Machine, Packages, Places, Source, Usages};
use crate::model::{
    Detail, Evidence, Excerpt, Fingerprint, LineIndex, Point, Reason, RepoPath, Severity, Staged, Standing,
};
use crate::repo::{Options, Repository, Snapshot, SnapshotError, View};
use crate::structural::RuleSet;
use crate::syntax::Language;

/// The id of the one rule that this program brings along.
pub const DEPRECATED_USE: &str = "deprecated-use";

/// Who uses the dependencies of a working tree, for a question that needs no scan.
///
/// # Errors
/// When the files cannot be listed.
pub fn usages(
    repository: &Repository,
    config: &Config,
    machine: &Machine,
    dependencies: &Dependencies,
) -> Result<Usages, SnapshotError> {
    let options = Options { max_file_bytes: config.limits.max_file_bytes, scope: None };
    let snapshot = repository.snapshot(View::Worktree, &options)?;
    let rules = RuleSet::default();
    let task = Task {
        snapshot: &snapshot,
        base: None,
        rules: &rules,
        limits: limits(config),
        drafts: Drafts::Leave,
        known: Known::Read,
    };
    let asked = snapshot
        .files
        .par_iter()
        .filter(|it| Language::of_path(&it.path).is_some_and(|it| docs::is_imported_from(dependencies, it)));
    let looks: Vec<Look> = asked.map(|file| look(task, file)).collect();
    let places = Places::open(repository.root(), machine);
    let sources = sources(&looks);
    let packages = Packages::new(dependencies, &places, &sources);
    Ok(docs::usages(&packages, &packages.uses(&sources)))
}

/// What the installed packages say of a run's files.
pub struct Said {
    pub state: Staged<()>,
    /// Records with the standing that the finding of each has.
    records: Vec<(Evidence, Standing)>,
}

/// Says who uses the dependencies of a run, and looks up what of that is deprecated.
pub fn of_run(
    world: &World<'_>,
    facts: &mut DependencyFacts,
    looks: &[Look],
    comparison: Option<&Comparison>,
) -> Said {
    let places = Places::open(world.repository.root(), world.machine);
    let sources = sources(looks);
    let packages = Packages::new(&facts.dependencies, &places, &sources);
    let uses = packages.uses(&sources);
    facts.usages = docs::usages(&packages, &uses);
    if world.config.rules.severity.get(DEPRECATED_USE) == Some(&Level::Off) {
        let reason = Reason::new("docs_off", "`rules.severity` switches `deprecated-use` off");
        return Said { state: Staged::disabled(reason), records: Vec::new() };
    }
    let Staged { value, state, notes } = docs::deprecated_uses(&facts.dependencies, &places, &uses);
    let older = comparison.map(|it| Older::of(it, &packages, &places, facts));
    let records = value.into_iter().filter_map(|it| {
        let standing = older.as_ref().map_or(Some(Standing::Unknown), |older| older.standing(&it))?;
        Some((it, standing))
    });
    Said { records: records.collect(), state: Staged { value: (), state, notes } }
}

/// What the base has of them: with one, only what the change brings or touches is found.
struct Older {
    changed: BTreeSet<RepoPath>,
    fingerprints: BTreeSet<Fingerprint>,
    /// Packages whose version the change moves, by ecosystem and name.
    moved: BTreeSet<(&'static str, String)>,
}

impl Older {
    fn of(
        comparison: &Comparison,
        packages: &Packages,
        places: &Places<'_>,
        facts: &DependencyFacts,
    ) -> Self {
        let sources = comparison.files.iter().filter_map(|it| {
            let path = &it.change.path;
            Some(Source { path, language: Language::of_path(path)?, outline: it.outline.as_ref()? })
        });
        let sources: Vec<Source<'_>> = sources.collect();
        let uses = packages.uses(&sources);
        let older = docs::deprecated_uses(&facts.dependencies, places, &uses).value;
        let moved = facts.changes.iter().filter(|it| match it.change {
            Change::Version { .. } | Change::Added { .. } => true,
            Change::Removed { .. }
            | Change::Constraint { .. }
            | Change::Origin { .. }
            | Change::Checksum { .. } => false,
        });
        Self {
            changed: comparison.files.iter().map(|it| it.change.path.clone()).collect(),
            fingerprints: older.into_iter().map(|it| it.fingerprint).collect(),
            moved: moved.map(|it| (it.ecosystem.name(), it.name.clone())).collect(),
        }
    }

    /// None for what the change neither touches nor decides. Whether the base's version of a moved package deprecates
    /// it too is not known.
    fn standing(&self, record: &Evidence) -> Option<Standing> {
        let is_moved = match &record.detail {
            Detail::Deprecation(it) => {
                self.moved.iter().any(|(ecosystem, name)| *ecosystem == it.ecosystem && *name == it.package)
            }
            Detail::None
            | Detail::Match(_)
            | Detail::Dependency(_)
            | Detail::Change(_)
            | Detail::Reach(_)
            | Detail::Check(_)
            | Detail::History(_) => false,
        };
        if self.changed.contains(&record.place.path) && !self.fingerprints.contains(&record.fingerprint) {
            return Some(Standing::New);
        }
        if is_moved {
            return Some(Standing::Unknown);
        }
        self.changed.contains(&record.place.path).then_some(Standing::Existing)
    }
}

impl Said {
    /// Adds the findings to those of the rules, within the same bounds.
    pub fn report(self, snapshot: &Snapshot<'_>, config: &Config, found: &mut Findings) -> Staged<()> {
        let severity = config.rules.severity.get(DEPRECATED_USE).and_then(|it| it.severity());
        let severity = severity.unwrap_or(Severity::Info);
        let mut texts: BTreeMap<RepoPath, String> = BTreeMap::new();
        for (evidence, standing) in self.records {
            if found.findings.len() as u64 >= config.limits.max_findings {
                found.cut += 1;
                continue;
            }
            let path = evidence.place.path.clone();
            let text = texts.entry(path.clone()).or_insert_with(|| text(snapshot, &path));
            let lines = LineIndex::new(text);
            if is_member_of_value(&path, text, &lines, evidence.place.span.start) {
                continue;
            }
            let excerpt = Excerpt::of(&lines, evidence.place.span);
            found.findings.push(Finding::of(
                DEPRECATED_USE.to_owned(),
                severity,
                standing,
                &evidence,
                excerpt,
            ));
            found.evidence.push(evidence);
        }
        found.findings.sort_by(|left, right| {
            (&left.place, &left.rule, &left.fingerprint).cmp(&(&right.place, &right.rule, &right.fingerprint))
        });
        self.state
    }
}

/// Whether a name of a Rust file is a method or a field of a value: what stands before it can be a variable that is called
/// as a crate is, and then no import says what it has.
fn is_member_of_value(path: &RepoPath, text: &str, lines: &LineIndex<'_>, start: Point) -> bool {
    let before = lines.offset(start).and_then(|it| text.get(..it));
    path.extension() == Some(b"rs") && before.is_some_and(|it| it.ends_with('.') && !it.ends_with(".."))
}

fn text(snapshot: &Snapshot<'_>, path: &RepoPath) -> String {
    let content = snapshot.find(path).and_then(|it| snapshot.read(it).ok());
    content.and_then(|it| String::from_utf8(it.bytes).ok()).unwrap_or_default()
}

fn sources(looks: &[Look]) -> Vec<Source<'_>> {
    let sources = looks.iter().filter_map(|it| {
        Some(Source { path: &it.path, language: it.language?, outline: it.outline.as_ref()? })
    });
    sources.collect()
}
