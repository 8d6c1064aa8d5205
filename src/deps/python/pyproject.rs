//! `pyproject.toml`: the standard's tables, and those of Poetry, uv, PDM and Hatch.
//! <https://packaging.python.org/en/latest/specifications/pyproject-toml/>

use std::collections::BTreeMap;

use toml_edit::{Array, Document as Toml, Item, Value};

use crate::deps::document::Document;
use crate::deps::fact::{Declared, Scope, Source};
use crate::deps::format::{Contents, Manifest, Parts};
use crate::deps::note::ENTRY_MALFORMED;
use crate::deps::toml::{entries, parse};
use crate::model::{Note, Redacted};

use super::entry::{Wanted, both, of_value};
use super::pyproject_group;
use super::table::packages;
use super::version::common_name;

/// # Errors
/// When the file is not TOML.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let toml = parse(document)?;
    let mut reader = Reader { document, found: Vec::new() };
    reader.standard(&toml);
    if let Some(poetry) = at(&toml, &["tool", "poetry"]) {
        reader.poetry(poetry);
    }
    reader.tools(&toml);
    let (mut declared, notes) = reader.statements();
    let name = |path: &[&str]| at(&toml, path).and_then(Item::as_str).map(str::to_owned);
    let package = name(&["project", "name"]).or_else(|| name(&["tool", "poetry", "name"]));
    redirect(at(&toml, &["tool", "uv", "sources"]), package.as_deref(), &mut declared);
    let workspace = at(&toml, &["tool", "uv", "workspace"]).map(members);
    let contents = Contents::Manifest(Manifest { package, workspace, ..Manifest::default() });
    Ok(Parts { contents, declared, resolved: Vec::new(), notes })
}

/// The block of a script, which has the entries of a project at its top.
///
/// # Errors
/// When it is not TOML.
pub fn read_script(document: &Document<'_>) -> Result<Parts, Note> {
    let toml = parse(document)?;
    let mut reader = Reader { document, found: Vec::new() };
    reader.list(toml.get("dependencies"), Wanted { scope: Scope::Normal, condition: None });
    reader.tools(&toml);
    let (mut declared, notes) = reader.statements();
    redirect(at(&toml, &["tool", "uv", "sources"]), None, &mut declared);
    let contents = Contents::Manifest(Manifest::default());
    Ok(Parts { contents, declared, resolved: Vec::new(), notes })
}

/// The item at the end of a way of keys.
pub fn at<'t>(toml: &'t Toml<&str>, path: &[&str]) -> Option<&'t Item> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(toml.get(first)?, |item, key| item.get(key))
}

fn members(workspace: &Item) -> Vec<String> {
    let list = |name: &str| {
        let list = workspace.get(name).and_then(Item::as_array);
        list.into_iter().flatten().filter_map(Value::as_str)
    };
    list("members").map(str::to_owned).chain(list("exclude").map(|it| format!("!{it}"))).collect()
}

/// Sets where packages come from that uv takes from elsewhere, and that of the project's own extras.
fn redirect(sources: Option<&Item>, own: Option<&str>, declared: &mut [Declared]) {
    let own = own.map(common_name);
    let sources = sources.into_iter().flat_map(entries);
    let sources: BTreeMap<String, &Item> =
        sources.map(|(key, item)| (common_name(key.get()), item)).collect();
    for it in declared {
        if own.as_ref() == Some(&it.name) {
            it.source = Source::Workspace;
        }
        let Some(asked) = sources.get(&it.name) else { continue };
        // Of several sources under conditions the first stands for all.
        let first = asked.get(0).unwrap_or(asked);
        let text = |name: &str| first.get(name).and_then(Item::as_str);
        let kinds =
            [("git", Source::Git), ("path", Source::Path), ("url", Source::Url), ("index", Source::Registry)];
        if let Some((source, origin)) = kinds.iter().find_map(|(kind, it)| Some((*it, text(kind)?))) {
            it.source = source;
            it.origin = Some(Redacted::new(origin));
        } else if first.get("workspace").is_some() {
            it.source = Source::Workspace;
        }
    }
}

struct Reader<'d, 't> {
    document: &'d Document<'t>,
    found: Vec<Result<Declared, Note>>,
}

impl Reader<'_, '_> {
    /// The entries that were understood, and what is said of the others.
    fn statements(self) -> (Vec<Declared>, Vec<Note>) {
        let (mut declared, mut notes) = (Vec::new(), Vec::new());
        for it in self.found {
            match it {
                Ok(it) => declared.push(it),
                Err(note) => notes.push(note),
            }
        }
        (declared, notes)
    }

    fn standard(&mut self, toml: &Toml<&str>) {
        let wanted = |scope| Wanted { scope, condition: None };
        self.list(at(toml, &["build-system", "requires"]), wanted(Scope::Build));
        self.list(at(toml, &["project", "dependencies"]), wanted(Scope::Normal));
        for (extra, list) in at(toml, &["project", "optional-dependencies"]).into_iter().flat_map(entries) {
            self.list(Some(list), Wanted { scope: Scope::Optional, condition: Some(&in_extra(extra.get())) });
        }
        if let Some(groups) = toml.get("dependency-groups") {
            pyproject_group::read(self.document, groups, &mut self.found);
        }
    }

    fn poetry(&mut self, poetry: &Item) {
        let normal = Wanted { scope: Scope::Normal, condition: None };
        let extras = extras(poetry);
        let before = self.found.len();
        if let Some(table) = poetry.get("dependencies") {
            packages(self.document, table, normal, &mut self.found);
        }
        for it in self.found.get_mut(before..).unwrap_or_default().iter_mut().flatten() {
            it.target = both(extras.get(&it.name).map(String::as_str), it.target.as_deref());
        }
        let old = poetry.get("dev-dependencies").map(|it| ("dev", it));
        let groups = poetry.get("group").into_iter().flat_map(entries);
        let groups = groups.filter_map(|(group, item)| Some((group.get(), item.get("dependencies")?)));
        for (group, table) in old.into_iter().chain(groups) {
            let condition = pyproject_group::in_group(group);
            let wanted = if group == "main" {
                normal
            } else {
                Wanted { scope: Scope::Dev, condition: Some(&condition) }
            };
            packages(self.document, table, wanted, &mut self.found);
        }
        // The version of the interpreter is no package.
        self.found.retain(|it| it.as_ref().map_or(true, |it| it.name != "python"));
    }

    fn tools(&mut self, toml: &Toml<&str>) {
        let condition = pyproject_group::in_group("dev");
        let dev = Wanted { scope: Scope::Dev, condition: Some(&condition) };
        self.list(at(toml, &["tool", "uv", "dev-dependencies"]), dev);
        for name in ["constraint-dependencies", "override-dependencies", "build-constraint-dependencies"] {
            let wanted = Wanted { scope: Scope::Override, condition: None };
            self.list(at(toml, &["tool", "uv", name]), wanted);
        }
        for (group, list) in at(toml, &["tool", "pdm", "dev-dependencies"]).into_iter().flat_map(entries) {
            let condition = pyproject_group::in_group(group.get());
            self.list(Some(list), Wanted { scope: Scope::Dev, condition: Some(&condition) });
        }
        for (environment, table) in at(toml, &["tool", "hatch", "envs"]).into_iter().flat_map(entries) {
            let condition = in_environment(environment.get());
            for name in ["dependencies", "extra-dependencies"] {
                self.list(table.get(name), Wanted { scope: Scope::Dev, condition: Some(&condition) });
            }
        }
    }

    fn list(&mut self, list: Option<&Item>, wanted: Wanted<'_>) {
        let Some(list) = list else { return };
        match list.as_array() {
            Some(it) => self.values(it, wanted),
            None => {
                let offset = list.span().map_or(0, |it| it.start);
                let message =
                    format!("the {} dependencies are not a list and were left out", wanted.scope.name());
                self.found.push(Err(self.document.note(ENTRY_MALFORMED, offset, message)));
            }
        }
    }

    fn values(&mut self, list: &Array, wanted: Wanted<'_>) {
        self.found.extend(list.iter().map(|it| of_value(self.document, it, wanted)));
    }
}

/// That an extra is asked for, in the language of lockfiles.
pub fn in_extra(extra: &str) -> String {
    format!("'{}' in extras", common_name(extra))
}

/// That Hatch makes an environment, which lockfiles have no word for: they list none.
pub fn in_environment(environment: &str) -> String {
    format!("'{}' in hatch.envs", common_name(environment))
}

/// The conditions of the Poetry dependencies that extras list.
fn extras(poetry: &Item) -> BTreeMap<String, String> {
    let mut conditions: BTreeMap<String, String> = BTreeMap::new();
    for (extra, item) in poetry.get("extras").into_iter().flat_map(entries) {
        for name in item.as_array().into_iter().flatten().filter_map(Value::as_str) {
            let condition = conditions.entry(common_name(name)).or_default();
            if !condition.is_empty() {
                condition.push_str(" or ");
            }
            condition.push_str(&in_extra(extra.get()));
        }
    }
    conditions
}
