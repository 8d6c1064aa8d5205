//! `pom.xml`: <https://maven.apache.org/pom.html>. What it says alone; `evaluate` settles it with the other files.

use std::collections::BTreeMap;

use roxmltree::Node;

use crate::deps::document::Document;
use crate::deps::format::{Contents, Manifest, Parts};
use crate::deps::note::ENTRY_MALFORMED;
use crate::model::{Location, Note};

use super::Model;
use super::xml::{at, child, elements, named, parse, text};

/// One pom, as written.
#[derive(Clone, Debug)]
pub struct Pom {
    pub group: Option<String>,
    pub artifact: String,
    pub version: Option<String>,
    /// The entry of the parent, and the path that it gives to it; an empty one means that there is none.
    pub parent: Option<(Entry, Option<String>)>,
    pub properties: BTreeMap<String, String>,
    /// The properties of each profile.
    pub profiles: BTreeMap<String, BTreeMap<String, String>>,
    pub entries: Vec<Entry>,
}

/// Coordinates in a pom, as written.
#[derive(Clone, Debug)]
pub struct Entry {
    pub role: Role,
    pub group: String,
    pub artifact: String,
    pub version: Option<String>,
    pub kind: Option<String>,
    pub classifier: Option<String>,
    pub scope: Option<String>,
    pub optional: Option<String>,
    /// The file of a dependency of the scope `system`.
    pub file: Option<String>,
    pub profile: Option<String>,
    /// The text of the version, or of the artifact's name when there is none.
    pub place: Location,
}

/// What coordinates stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    Parent,
    Dependency,
    /// No dependency: what a version or a scope is taken from where a dependency states none.
    Managed,
    /// A pom whose managed dependencies count here too.
    Import,
    Plugin,
    ManagedPlugin,
    /// What a plugin or the build itself needs.
    Tool,
}

/// # Errors
/// When the file is no XML, or no pom.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let tree = parse(document)?;
    let root = tree.root_element();
    if root.tag_name().name() != "project" {
        return Err(document.unreadable(root.range().start, "its root is no `project`"));
    }
    let mut reader = Reader { document, entries: Vec::new(), notes: Vec::new() };
    reader.model(root, None);
    let mut profiles = BTreeMap::new();
    let mut values = properties(document, root);
    let mut modules = modules(document, root);
    for profile in at(root, &["profiles", "profile"]) {
        let id = child(document, profile, "id").map_or_else(|| "default".to_owned(), |it| it.value);
        reader.model(profile, Some(&id));
        modules.extend(self::modules(document, profile));
        let own = properties(document, profile);
        // Maven takes it unless one of the machine's own is switched on instead.
        let by_default =
            at(profile, &["activation", "activeByDefault"]).into_iter().find_map(|it| text(document, it));
        if by_default.is_some_and(|it| it.value == "true") {
            values.extend(own.clone());
        }
        profiles.entry(id).or_insert_with(BTreeMap::new).extend(own);
    }
    let own = |name: &str| child(document, root, name).map(|it| it.value);
    let parent = named(root, "parent").next().and_then(|it| {
        let entry = reader.entry(it, Role::Parent, None, None)?;
        let path = named(it, "relativePath").next();
        Some((entry, path.map(|it| text(document, it).map(|it| it.value).unwrap_or_default())))
    });
    let artifact = own("artifactId");
    let Reader { entries, notes, .. } = reader;
    let pom = Pom {
        group: own("groupId"),
        artifact: artifact.clone().unwrap_or_default(),
        version: own("version"),
        parent,
        properties: values,
        profiles,
        entries,
    };
    let contents = Contents::Manifest(Manifest {
        package: artifact,
        workspace: (!modules.is_empty()).then_some(modules),
        jvm: Some(Model::Pom(Box::new(pom))),
        ..Manifest::default()
    });
    Ok(Parts { contents, declared: Vec::new(), resolved: Vec::new(), notes })
}

/// The folders of the modules, relative to the pom.
fn modules(document: &Document<'_>, node: Node<'_, '_>) -> Vec<String> {
    let modules = at(node, &["modules", "module"]).into_iter().filter_map(|it| text(document, it));
    // A module can also be named by its pom.
    modules.map(|it| it.value.strip_suffix("/pom.xml").unwrap_or(&it.value).to_owned()).collect()
}

fn properties(document: &Document<'_>, node: Node<'_, '_>) -> BTreeMap<String, String> {
    let properties = named(node, "properties").flat_map(elements);
    let value = |it: Node<'_, '_>| text(document, it).map(|it| it.value).unwrap_or_default();
    properties.map(|it| (it.tag_name().name().to_owned(), value(it))).collect()
}

struct Reader<'d, 't> {
    document: &'d Document<'t>,
    entries: Vec<Entry>,
    notes: Vec<Note>,
}

/// The group of a plugin that states none.
const PLUGINS: &str = "org.apache.maven.plugins";

impl Reader<'_, '_> {
    /// The part of a pom that a profile has too.
    fn model(&mut self, node: Node<'_, '_>, profile: Option<&str>) {
        self.all(&at(node, &["dependencies", "dependency"]), Role::Dependency, profile);
        self.all(&at(node, &["dependencyManagement", "dependencies", "dependency"]), Role::Managed, profile);
        for (path, role) in [
            (["build", "plugins", "plugin"].as_slice(), Role::Plugin),
            (&["reporting", "plugins", "plugin"], Role::Plugin),
            (&["build", "pluginManagement", "plugins", "plugin"], Role::ManagedPlugin),
        ] {
            for plugin in at(node, path) {
                let entry = self.entry(plugin, role, Some(PLUGINS), profile);
                self.entries.extend(entry);
                self.all(&at(plugin, &["dependencies", "dependency"]), Role::Tool, profile);
                self.configured(plugin, profile);
            }
        }
        self.all(&at(node, &["build", "extensions", "extension"]), Role::Tool, profile);
    }

    /// The artifacts that the configuration of a plugin names: those that `dependency:copy` fetches, and the paths of
    /// annotation processors.
    fn configured(&mut self, plugin: Node<'_, '_>, profile: Option<&str>) {
        let executions = at(plugin, &["executions", "execution", "configuration"]);
        for configuration in named(plugin, "configuration").chain(executions) {
            for path in [
                ["artifactItems", "artifactItem"],
                ["annotationProcessorPaths", "path"],
                ["annotationProcessorPaths", "annotationProcessorPath"],
            ] {
                self.all(&at(configuration, &path), Role::Tool, profile);
            }
        }
    }

    fn all(&mut self, nodes: &[Node<'_, '_>], role: Role, profile: Option<&str>) {
        for node in nodes {
            let entry = self.entry(*node, role, None, profile);
            self.entries.extend(entry);
        }
    }

    fn entry(
        &mut self,
        node: Node<'_, '_>,
        role: Role,
        default_group: Option<&str>,
        profile: Option<&str>,
    ) -> Option<Entry> {
        let part = |name: &str| child(self.document, node, name);
        let value = |name: &str| part(name).map(|it| it.value);
        let group = value("groupId").or_else(|| default_group.map(str::to_owned));
        let (Some(group), Some(artifact)) = (group, part("artifactId")) else {
            let message = format!("a `{}` without its name was left out", node.tag_name().name());
            self.notes.push(self.document.note(ENTRY_MALFORMED, node.range().start, message));
            return None;
        };
        let version = part("version");
        let place = self.document.place(version.as_ref().unwrap_or(&artifact).range.clone());
        let scope = value("scope");
        let is_import = role == Role::Managed && scope.as_deref() == Some("import");
        Some(Entry {
            role: if is_import { Role::Import } else { role },
            group,
            artifact: artifact.value,
            version: version.map(|it| it.value),
            kind: value("type"),
            classifier: value("classifier"),
            scope,
            optional: value("optional"),
            file: value("systemPath"),
            profile: profile.map(str::to_owned),
            place,
        })
    }
}
