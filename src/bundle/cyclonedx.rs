//! A bill of materials in CycloneDX 1.6: <https://cyclonedx.org/docs/1.6/json/>.
//!
//! It has no time and no serial number, so that equal input gives equal bytes.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::deps::{self, Declared, Relation, Resolved};

use super::checksum::{Hash, hash};

/// The document.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Bom {
    bom_format: &'static str,
    spec_version: &'static str,
    version: u32,
    metadata: Metadata,
    components: Vec<Component>,
    dependencies: Vec<Needs>,
}

#[derive(Debug, Serialize)]
struct Metadata {
    tools: Tools,
    component: Component,
}

#[derive(Debug, Serialize)]
struct Tools {
    components: Vec<Component>,
}

#[derive(Debug, Default, Serialize)]
struct Component {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(rename = "bom-ref", skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<&'static str>,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    hashes: BTreeSet<Hash>,
    #[serde(skip_serializing_if = "Option::is_none")]
    purl: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    properties: Vec<Property>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Found>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Property {
    name: &'static str,
    value: String,
}

#[derive(Debug, Serialize)]
struct Found {
    occurrences: BTreeSet<Occurrence>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Occurrence {
    location: String,
    line: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Needs {
    #[serde(rename = "ref")]
    reference: String,
    depends_on: BTreeSet<String>,
}

/// What the repository itself is called in the document; no package URL is spelled so.
const ROOT: &str = "repository";

/// Every package that a project depends on, each version once; one without a known version has none. `tool` is the name
/// and the version of this program.
pub fn cyclonedx(dependencies: &deps::Dependencies, name: &str, tool: &str) -> Bom {
    let mut parts: BTreeMap<String, Part<'_>> = BTreeMap::new();
    let mut direct = BTreeSet::new();
    for dependency in dependencies.dependencies.iter().filter(|it| !it.is_unused()) {
        let unknown = dependency.resolved.is_empty().then_some(None);
        for version in dependency.resolved.iter().map(Some).chain(unknown) {
            let purl = dependency.ecosystem.purl(&dependency.name, version.map(|it| it.version.as_str()));
            let relation = version.map_or(&dependency.relation, |it| &it.relation);
            let part = parts.entry(purl.clone()).or_insert_with(|| Part::of(dependency));
            part.resolved.extend(version);
            if *relation == Relation::Direct {
                part.declared.extend(&dependency.declared);
                direct.insert(purl);
            }
        }
    }
    let (tool, tool_version) = tool.split_once(' ').unwrap_or((tool, ""));
    let known: BTreeSet<&String> = parts.keys().collect();
    let root = Needs { reference: ROOT.to_owned(), depends_on: direct };
    let needs = parts.iter().map(|(purl, part)| part.needs(purl, &known));
    Bom {
        bom_format: "CycloneDX",
        spec_version: "1.6",
        version: 1,
        dependencies: std::iter::once(root).chain(needs).collect(),
        components: parts.iter().map(|(purl, part)| part.component(purl)).collect(),
        metadata: Metadata {
            tools: Tools {
                components: vec![Component {
                    kind: "application",
                    name: tool.to_owned(),
                    version: Some(tool_version.to_owned()),
                    ..Component::default()
                }],
            },
            component: Component {
                kind: "application",
                reference: Some(ROOT.to_owned()),
                name: name.to_owned(),
                ..Component::default()
            },
        },
    }
}

/// All statements about one version.
struct Part<'d> {
    dependency: &'d deps::Dependency,
    declared: Vec<&'d Declared>,
    resolved: Vec<&'d Resolved>,
}

impl<'d> Part<'d> {
    const fn of(dependency: &'d deps::Dependency) -> Self {
        Self { dependency, declared: Vec::new(), resolved: Vec::new() }
    }

    fn component(&self, purl: &str) -> Component {
        let full = self.dependency.name.as_str();
        // A scope of npm, or the group of a package of Maven.
        let scoped = full.rsplit_once('/').filter(|_| full.starts_with('@')).or_else(|| full.split_once(':'));
        let places = self.declared.iter().map(|it| &it.place).chain(self.resolved.iter().map(|it| &it.place));
        let occurrences =
            places.map(|it| Occurrence { location: it.path.to_string(), line: it.span.start.line });
        let constraints = self.declared.iter().filter_map(|it| it.constraint.clone());
        let mut properties: Vec<Property> =
            constraints.map(|value| Property { name: "cortex:constraint", value }).collect();
        properties.sort();
        properties.dedup();
        Component {
            kind: "library",
            reference: Some(purl.to_owned()),
            group: scoped.map(|it| it.0.to_owned()),
            name: scoped.map_or(full, |it| it.1).to_owned(),
            version: self.resolved.first().map(|it| it.version.clone()),
            scope: self.scope(),
            hashes: self.resolved.iter().filter_map(|it| hash(it.checksum.as_deref()?)).collect(),
            purl: Some(purl.to_owned()),
            properties,
            evidence: Some(Found { occurrences: occurrences.collect() }),
        }
    }

    /// Whether the project needs it to run; none where no file says.
    fn scope(&self) -> Option<&'static str> {
        let stated =
            self.resolved.iter().map(|it| it.scope).chain(self.declared.iter().map(|it| Some(it.scope)));
        let stated: Vec<Option<deps::Scope>> = stated.collect();
        if stated.contains(&Some(deps::Scope::Normal)) {
            return Some("required");
        }
        // Whatever brings a package with it may need it to run.
        let is_told = |it: &Option<deps::Scope>| it.is_some_and(|it| it != deps::Scope::Indirect);
        (!stated.is_empty() && stated.iter().all(is_told)).then_some("optional")
    }

    fn needs(&self, purl: &str, known: &BTreeSet<&String>) -> Needs {
        let ecosystem = self.dependency.ecosystem;
        let pins = self.resolved.iter().flat_map(|it| &it.dependencies);
        let depends_on = pins.map(|it| ecosystem.purl(&it.name, Some(&it.version)));
        Needs {
            reference: purl.to_owned(),
            depends_on: depends_on.filter(|it| known.contains(it) && it != purl).collect(),
        }
    }
}
