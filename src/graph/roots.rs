//! What manifests say about where modules lie, as plain data.

use jsonc_parser::{JsonObject, JsonValue};
use serde_json::Value;

use crate::model::RepoPath;

/// Where modules lie. Empty is fine: layouts by convention are found without it.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    pub node: Vec<NodePackage>,
    pub aliases: Vec<PathAlias>,
    pub go: Vec<GoModule>,
    pub crates: Vec<CrateRoot>,
}

/// A package of a JavaScript workspace. A folder is relative to the repository, `""` for its root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodePackage {
    pub name: String,
    pub folder: String,
    /// The entry file as the manifest names it.
    pub main: Option<String>,
}

/// One pattern of `paths`, or `baseUrl` as the pattern `*`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PathAlias {
    /// The folder in which the alias holds.
    pub scope: String,
    /// With at most one `*`.
    pub pattern: String,
    /// Paths relative to the repository, with at most one `*`.
    pub targets: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GoModule {
    pub path: String,
    pub folder: String,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CrateRoot {
    /// As code names it, with `_`.
    pub name: String,
    pub folder: String,
}

impl Roots {
    /// Reads `package.json`, `tsconfig*.json`, `jsconfig.json`, `go.mod` and `Cargo.toml`; others are passed over, and
    /// so is what cannot be read: the graph then falls back to conventions.
    pub fn of_manifests<'m>(manifests: impl IntoIterator<Item = (&'m RepoPath, &'m str)>) -> Self {
        let mut roots = Self::default();
        for (path, text) in manifests {
            let path = path.to_string();
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
            match name {
                "package.json" => roots.node.extend(node_package(folder, text)),
                "go.mod" => roots.go.extend(go_module(folder, text)),
                "Cargo.toml" => roots.crates.extend(crate_root(folder, text)),
                "jsconfig.json" => roots.aliases.extend(aliases(folder, text)),
                _ if name.starts_with("tsconfig") && name.ends_with(".json") => {
                    roots.aliases.extend(aliases(folder, text));
                }
                _ => {}
            }
        }
        roots.sort();
        roots
    }

    fn sort(&mut self) {
        self.node.sort();
        self.aliases.sort();
        self.go.sort_by(|a, b| b.path.len().cmp(&a.path.len()).then_with(|| a.cmp(b)));
        self.crates.sort();
    }
}

fn node_package(folder: &str, text: &str) -> Option<NodePackage> {
    let manifest: Value = serde_json::from_str(text).ok()?;
    let name = manifest.get("name")?.as_str()?.to_owned();
    let field = |name: &str| manifest.get(name).and_then(Value::as_str).map(str::to_owned);
    let main = field("source").or_else(|| field("module")).or_else(|| field("main"));
    Some(NodePackage { name, folder: folder.to_owned(), main })
}

fn go_module(folder: &str, text: &str) -> Option<GoModule> {
    let line = text.lines().find_map(|it| it.trim().strip_prefix("module "))?;
    let path = line.split("//").next().unwrap_or(line).trim().trim_matches('"').to_owned();
    Some(GoModule { path, folder: folder.to_owned() })
}

fn crate_root(folder: &str, text: &str) -> Option<CrateRoot> {
    let manifest = text.parse::<toml_edit::DocumentMut>().ok()?;
    let name_in = |table: &str| manifest.get(table)?.get("name")?.as_str().map(str::to_owned);
    let name = name_in("lib").or_else(|| name_in("package"))?.replace('-', "_");
    Some(CrateRoot { name, folder: folder.to_owned() })
}

fn aliases(folder: &str, text: &str) -> Vec<PathAlias> {
    let parsed = jsonc_parser::parse_to_value(text, &jsonc_parser::ParseOptions::default());
    let Some(JsonValue::Object(config)) = parsed.ok().flatten() else { return Vec::new() };
    let Some(options) = config.get_object("compilerOptions") else { return Vec::new() };
    let base = options.get_string("baseUrl");
    let anchor = joined(folder, base.map_or(".", |it| it.as_ref()));
    let target = |it: &JsonValue<'_>| match it {
        JsonValue::String(text) => Some(joined(&anchor, text)),
        JsonValue::Number(_)
        | JsonValue::Boolean(_)
        | JsonValue::Object(_)
        | JsonValue::Array(_)
        | JsonValue::Null => None,
    };
    let paths = options.get_object("paths").cloned().map(JsonObject::take_inner).unwrap_or_default();
    let mut aliases: Vec<PathAlias> = paths
        .into_iter()
        .map(|(pattern, targets)| PathAlias {
            scope: folder.to_owned(),
            pattern: pattern.to_string(),
            targets: list(&targets).filter_map(target).collect(),
        })
        .collect();
    if base.is_some() {
        let targets = vec![joined(&anchor, "*")];
        aliases.push(PathAlias { scope: folder.to_owned(), pattern: "*".to_owned(), targets });
    }
    aliases
}

fn list<'j, 't>(value: &'j JsonValue<'t>) -> impl Iterator<Item = &'j JsonValue<'t>> {
    let items = match value {
        JsonValue::Array(items) => Some(items),
        JsonValue::Number(_)
        | JsonValue::Boolean(_)
        | JsonValue::Object(_)
        | JsonValue::String(_)
        | JsonValue::Null => None,
    };
    items.into_iter().flat_map(|it| it.iter())
}

/// A relative path below a folder, with `.` and `..` worked out; what leads out of the repository stays at its root.
pub fn joined(folder: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|it| !it.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}
