//! What the scripts, properties and catalogs of a Gradle build say together.

use std::collections::BTreeMap;

use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Declared, Settled};
use crate::deps::format::Reading;
use crate::deps::project::{at_or_above, folder};
use crate::model::{Note, RepoPath};

use super::expression::{Expression, Value};
use super::script::Script;
use super::script_entry::declare;
use super::{Model, gradle_home, model, sbt_home};

/// Fills what each script declares, now that its variables can be known.
pub fn evaluate(readings: &mut [Reading]) {
    let found: Vec<(usize, Vec<Declared>, Vec<Note>)> = {
        let build = Build::new(readings);
        let is_overruled = build.scripts.values().any(|it| overrules(it));
        let of = |index: &usize| {
            let (mut declared, notes) = declare(&build, *index);
            for it in declared.iter_mut().filter(|_| is_overruled) {
                it.settled = Settled::Overruled;
            }
            (*index, declared, notes)
        };
        build.scripts.keys().map(of).collect()
    };
    for (index, declared, notes) in found {
        let Some(reading) = readings.get_mut(index) else { continue };
        reading.declared.extend(declared);
        reading.notes.extend(notes);
    }
}

/// Whether a script may have a say about versions beside those that it asks for; what such rules come to, and for which
/// projects, is known only to Gradle.
fn overrules(script: &Script) -> bool {
    const RULES: [&str; 6] =
        ["resolutionStrategy", "enforcedPlatform", "useVersion", "substitute", "force", "prefer"];
    RULES.iter().any(|it| script.text.contains(it))
}

/// The files of all builds.
pub struct Build<'r> {
    readings: &'r [Reading],
    pub scripts: BTreeMap<usize, &'r Script>,
    variables: BTreeMap<usize, BTreeMap<&'r str, &'r Expression>>,
    by_path: BTreeMap<&'r RepoPath, usize>,
    /// Of each folder: the scripts whose variables count below it, and its properties.
    shared: BTreeMap<Option<RepoPath>, Vec<usize>>,
    properties: BTreeMap<Option<RepoPath>, &'r BTreeMap<String, String>>,
    /// Of each folder that has `gradle/NAME.versions.toml`: the catalogs by name.
    catalogs: BTreeMap<Option<RepoPath>, BTreeMap<String, usize>>,
}

/// Where a name is used: a script, and the objects around it.
#[derive(Clone, Copy)]
pub struct Context<'c> {
    pub script: usize,
    pub object: &'c str,
}

/// What a name stands for.
pub enum Meaning<'r> {
    /// The expression of a variable in a script.
    Variable(usize, &'r str, &'r Expression),
    Text(&'r str),
    /// Entries of a catalog.
    Entries(Vec<&'r Declared>),
}

/// An expression with its variables put in: each part, none where it is open, at its piece.
pub type Evaluated = Vec<Option<String>>;

/// Variables that lead to variables go no deeper than this.
const DEEPEST: usize = 16;
/// More steps than any real script takes for one text.
const MOST_STEPS: usize = 64;
/// Scripts that a script applies directly or through others; the rest is not looked at.
const MOST_APPLIED: usize = 32;

impl<'r> Build<'r> {
    fn new(readings: &'r [Reading]) -> Self {
        let mut build = Self {
            readings,
            scripts: BTreeMap::new(),
            variables: BTreeMap::new(),
            by_path: BTreeMap::new(),
            shared: BTreeMap::new(),
            properties: BTreeMap::new(),
            catalogs: BTreeMap::new(),
        };
        for (index, reading) in readings.iter().enumerate() {
            let folder = folder(&reading.path);
            match model(reading) {
                Some(Model::Script(script)) => {
                    let variables =
                        script.variables.iter().map(|(name, value)| (name.as_str(), value)).collect();
                    build.variables.insert(index, variables);
                    build.scripts.insert(index, script);
                    build.by_path.insert(&reading.path, index);
                    let name = reading.path.file_name();
                    let shares = [
                        b"build.gradle".as_slice(),
                        b"build.gradle.kts",
                        b"settings.gradle",
                        b"settings.gradle.kts",
                    ]
                    .contains(&name);
                    if reading.ecosystem == Ecosystem::Ivy {
                        build.shared.entry(sbt_home(&reading.path)).or_default().push(index);
                    } else if shares || name.ends_with(b".kt") {
                        build.shared.entry(gradle_home(&reading.path)).or_default().push(index);
                    }
                }
                Some(Model::Properties(found)) => drop(build.properties.insert(folder, found)),
                Some(Model::Catalog(_)) => {
                    let name = String::from_utf8_lossy(reading.path.file_name());
                    let name = name.trim_end_matches(".versions.toml").to_owned();
                    let home = folder.and_then(|it| it.parent());
                    build.catalogs.entry(home).or_default().insert(name, index);
                }
                Some(Model::Pom(_) | Model::Published(_)) | None => {}
            }
        }
        build
    }

    pub fn ecosystem(&self, script: usize) -> Ecosystem {
        self.readings.get(script).map_or(Ecosystem::Gradle, |it| it.ecosystem)
    }

    pub fn path(&self, script: usize) -> Option<&'r RepoPath> {
        self.readings.get(script).map(|it| &it.path)
    }

    /// What a name stands for in a script: its own variable, else that of a script that it applies, else one of the
    /// folders from its own upwards, where a script wins over the properties; else an entry of a catalog.
    pub fn meaning(&self, context: Context<'_>, name: &str) -> Option<Meaning<'r>> {
        let script = context.script;
        let variable = |index: usize, name: &str| {
            let (name, value) = self.variables.get(&index)?.get_key_value(name)?;
            Some(Meaning::Variable(index, name, value))
        };
        // In an object its own variables, and those of the objects around it, need no prefix.
        let objects = std::iter::successors(Some(context.object), |it| {
            let outer = it.strip_suffix('.')?;
            Some(outer.rfind('.').and_then(|at| outer.get(..=at)).unwrap_or_default())
        });
        if let Some(found) = objects.into_iter().find_map(|it| variable(script, &format!("{it}{name}"))) {
            return Some(found);
        }
        let of = |index: usize| variable(index, name);
        for index in self.applied(script) {
            if let Some(found) = of(index) {
                return Some(found);
            }
        }
        let path = self.path(script)?;
        for folder in at_or_above(folder(path)) {
            let scripts = self.shared.get(&folder).into_iter().flatten();
            let scripts = scripts.flat_map(|it| std::iter::once(*it).chain(self.applied(*it)));
            if let Some(found) = scripts.filter(|it| *it != script).find_map(of) {
                return Some(found);
            }
            if let Some(found) = self.properties.get(&folder).and_then(|it| it.get(name)) {
                return Some(Meaning::Text(found));
            }
            if let Some(found) = self.of_catalog(folder.as_ref(), name) {
                return Some(found);
            }
        }
        None
    }

    /// `libs.versions.x`, `libs.x`, `libs.bundles.x` or `libs.plugins.x`.
    fn of_catalog(&self, folder: Option<&RepoPath>, name: &str) -> Option<Meaning<'r>> {
        let catalogs = self.catalogs.get(&folder.cloned())?;
        let (first, rest) = name.split_once('.')?;
        let renamed = || {
            let scripts = self.shared.get(&folder.cloned()).into_iter().flatten();
            let mut names =
                scripts.filter_map(|it| self.variables.get(it)?.get("defaultLibrariesExtensionName"));
            let is_name = |it: &Expression| matches!(it.pieces.as_slice(), [piece] if matches!(&piece.value, Value::Text(it) if it == first));
            names.any(|it| is_name(it)).then(|| catalogs.get("libs")).flatten()
        };
        let index = *catalogs.get(first).or_else(renamed)?;
        let reading = self.readings.get(index)?;
        let Some(Model::Catalog(catalog)) = model(reading) else { return None };
        let declared = |it: &usize| reading.declared.get(*it);
        let library = |it: &str| catalog.libraries.get(it).and_then(declared);
        if let Some(version) = rest.strip_prefix("versions.").and_then(|it| catalog.versions.get(it)) {
            return Some(Meaning::Text(&version.0));
        }
        if let Some(plugin) = rest.strip_prefix("plugins.").and_then(|it| catalog.plugins.get(it)) {
            return Some(Meaning::Entries(declared(plugin).into_iter().collect()));
        }
        if let Some(bundle) = rest.strip_prefix("bundles.").and_then(|it| catalog.bundles.get(it)) {
            return Some(Meaning::Entries(bundle.iter().filter_map(|it| library(it)).collect()));
        }
        Some(Meaning::Entries(vec![library(rest)?]))
    }

    /// The scripts that a script applies, and those that they apply.
    fn applied(&self, script: usize) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        let mut open = vec![script];
        while let Some(index) = open.pop() {
            let Some(it) = self.scripts.get(&index).filter(|_| found.len() < MOST_APPLIED) else { continue };
            for path in &it.applied {
                let target = self.applied_path(index, path).and_then(|it| self.by_path.get(&it).copied());
                if let Some(target) = target.filter(|it| *it != script && !found.contains(it)) {
                    found.push(target);
                    open.push(target);
                }
            }
        }
        found
    }

    /// The file that an `apply from` leads to: from the folder of the root where it says so, else from the script's.
    fn applied_path(&self, script: usize, path: &Expression) -> Option<RepoPath> {
        const ROOTS: [&str; 3] = ["rootDir", "rootProject.projectDir", "projectDir"];
        let mut text = String::new();
        for piece in &path.pieces {
            match &piece.value {
                Value::Text(it) => text.push_str(it),
                Value::Variable(name) if ROOTS.contains(&name.as_str()) => {}
                Value::Variable(name) => {
                    match self.variables.get(&script)?.get(name.as_str())?.pieces.as_slice() {
                        [only] => match &only.value {
                            Value::Text(it) => text.push_str(it),
                            Value::Variable(_) | Value::Computed => return None,
                        },
                        _ => return None,
                    }
                }
                Value::Computed => return None,
            }
        }
        let text = text.trim_start_matches(['/', '.']);
        let own = folder(self.path(script)?);
        at_or_above(own).find_map(|folder| {
            let path = match folder {
                Some(folder) => folder.join(text.as_bytes()).ok()?,
                None => RepoPath::new(text.as_bytes()).ok()?,
            };
            self.by_path.contains_key(&path).then_some(path)
        })
    }

    /// The pieces of an expression as texts.
    pub fn evaluate(&self, context: Context<'_>, expression: &Expression) -> Evaluated {
        let mut steps = 0;
        expression.pieces.iter().map(|it| self.value(context, &it.value, 0, &mut steps)).collect()
    }

    fn value(&self, context: Context<'_>, value: &Value, depth: usize, steps: &mut usize) -> Option<String> {
        *steps += 1;
        if depth > DEEPEST || *steps > MOST_STEPS {
            return None;
        }
        let name = match value {
            Value::Text(text) => return Some(text.clone()),
            Value::Computed => return None,
            Value::Variable(name) => name,
        };
        match self.meaning(context, name)? {
            Meaning::Text(text) => Some(text.to_owned()),
            Meaning::Variable(script, name, it) => {
                let object = name.rfind('.').and_then(|at| name.get(..=at)).unwrap_or_default();
                let context = Context { script, object };
                it.pieces.iter().map(|it| self.value(context, &it.value, depth + 1, steps)).collect()
            }
            // Where a text is needed a library is its name.
            Meaning::Entries(entries) => match entries.as_slice() {
                [only] => Some(only.name.clone()),
                _ => None,
            },
        }
    }
}
