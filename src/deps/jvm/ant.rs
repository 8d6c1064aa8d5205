//! Ant's `build.xml` with the tasks of Maven or its resolver, and `ivy.xml`:
//! <https://maven.apache.org/resolver-ant-tasks/>, <https://ant.apache.org/ivy/history/latest-milestone/ivyfile.html>.

use std::collections::BTreeMap;
use std::ops::Range;

use roxmltree::Node;

use crate::deps::document::Document;
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Declared, Scope, Settled, Source};
use crate::deps::format::{Contents, Manifest, Parts};
use crate::deps::note::{ENTRY_MALFORMED, UNEVALUATED};
use crate::model::{Note, Redacted};

use super::evaluate::is_name;
use super::expand::expand_by;
use super::xml::{Text, at, attribute, named, parse};

/// `build.xml`. That of another tool, or of a build without dependencies, declares none.
///
/// # Errors
/// When the file is no XML.
pub fn build(document: &Document<'_>) -> Result<Parts, Note> {
    if document.text.contains(PREFIX) && !document.text.contains("xmlns:artifact") {
        // Files without the namespace are about; places stay as they are.
        let bound = document.text.replace("<artifact:", "<artifact-").replace("</artifact:", "</artifact-");
        return tasks(&Document::open(document.path, bound.as_bytes())?);
    }
    tasks(document)
}

/// The tasks of Maven stand in a namespace whose prefix is by custom this one.
const PREFIX: &str = "<artifact:";

fn tasks(document: &Document<'_>) -> Result<Parts, Note> {
    let tree = parse(document)?;
    let mut properties = BTreeMap::new();
    // The first definition wins.
    for it in tree.descendants().filter(|it| it.has_tag_name("property")) {
        if let Some((name, value)) = it.attribute("name").zip(it.attribute("value")) {
            properties.entry(name).or_insert(value);
        }
    }
    let mut reader =
        Reader { document, ecosystem: Ecosystem::Maven, properties, declared: Vec::new(), notes: Vec::new() };
    let is_dependency = |it: &Node<'_, '_>| it.is_element() && it.tag_name().name() == "dependency";
    for node in tree.descendants().filter(is_dependency) {
        let part = |name: &str| attribute(document, node, name);
        if let Some(coordinates) = part("coords") {
            reader.coordinates(&coordinates);
        } else if let (Some(group), Some(artifact)) = (part("groupId"), part("artifactId")) {
            let scope = part("scope").map(|it| it.value);
            reader.push(&group, &artifact, part("version"), scope.as_deref());
        }
    }
    Ok(reader.parts())
}

/// # Errors
/// When the file is no XML, or of another kind.
pub fn ivy(document: &Document<'_>) -> Result<Parts, Note> {
    let tree = parse(document)?;
    let root = tree.root_element();
    if root.tag_name().name() != "ivy-module" {
        return Err(document.unreadable(root.range().start, "its root is no `ivy-module`"));
    }
    let own = named(root, "info").next().and_then(|it| attribute(document, it, "organisation"));
    let mut reader = Reader {
        document,
        ecosystem: Ecosystem::Ivy,
        properties: BTreeMap::new(),
        declared: Vec::new(),
        notes: Vec::new(),
    };
    for node in at(root, &["dependencies", "dependency"]) {
        let part = |name: &str| attribute(document, node, name);
        // One of the same organisation need not name it.
        match (part("org").or_else(|| own.clone()), part("name")) {
            (Some(group), Some(name)) => {
                let configuration = part("conf").map(|it| it.value);
                reader.push(&group, &name, part("rev"), configuration.as_deref());
            }
            (None | Some(_), None | Some(_)) => {
                let message = "a dependency without its name was left out";
                reader.notes.push(document.note(ENTRY_MALFORMED, node.range().start, message));
            }
        }
    }
    Ok(reader.parts())
}

struct Reader<'d, 't> {
    document: &'d Document<'t>,
    ecosystem: Ecosystem,
    properties: BTreeMap<&'t str, &'t str>,
    declared: Vec<Declared>,
    notes: Vec<Note>,
}

impl Reader<'_, '_> {
    /// `group:artifact:version`, with a type and a classifier before the version, or a scope behind it.
    fn coordinates(&mut self, written: &Text) {
        const SCOPES: [&str; 5] = ["compile", "provided", "runtime", "test", "system"];
        let mut parts: Vec<&str> = written.value.split(':').collect();
        let scope = parts.pop_if(|it| SCOPES.contains(it)).map(str::to_owned);
        let [group, artifact, .., version] = parts.as_slice() else {
            let message = "coordinates without a version were left out";
            self.notes.push(self.document.note(ENTRY_MALFORMED, written.range.start, message));
            return;
        };
        let behind = scope.as_ref().map_or(0, |it| it.len() + 1);
        let end = written.range.end.saturating_sub(behind);
        let text = |value: &str, range: Range<usize>| Text { value: value.to_owned(), range };
        let start = written.range.start;
        let version = text(version, end.saturating_sub(version.len())..end);
        let group = text(group, start..start + group.len());
        let artifact = text(artifact, group.range.end + 1..group.range.end + 1 + artifact.len());
        self.push(&group, &artifact, Some(version), scope.as_deref());
    }

    fn value(&mut self, text: &Text) -> Option<String> {
        let value = expand_by(&|key| self.properties.get(key).copied(), &text.value);
        value
            .map_err(|it| {
                let message =
                    format!("`{}` has no value in this file; what is written with it is unknown", it.0);
                let message = Redacted::new(message);
                self.notes.push(self.document.note(UNEVALUATED, text.range.start, message.as_str()));
            })
            .ok()
    }

    fn push(&mut self, group: &Text, artifact: &Text, version: Option<Text>, scope: Option<&str>) {
        let (Some(group_name), Some(artifact_name)) = (self.value(group), self.value(artifact)) else {
            return;
        };
        if !is_name(&group_name) || !is_name(&artifact_name) {
            let message = format!("`{group_name}:{artifact_name}` is no name of a package and was left out");
            self.notes.push(self.document.note(
                ENTRY_MALFORMED,
                group.range.start,
                Redacted::new(message).as_str(),
            ));
            return;
        }
        let evaluated = version.as_ref().and_then(|it| self.value(it));
        let place = version.as_ref().map_or_else(|| artifact.range.clone(), |it| it.range.clone());
        let constraint = version.map(|it| it.value);
        let name = format!("{group_name}:{artifact_name}");
        self.declared.push(Declared {
            ecosystem: self.ecosystem,
            raw_name: name.clone(),
            name,
            evaluated: evaluated.filter(|it| constraint.as_ref() != Some(it)),
            settled: Settled::Unknown,
            constraint,
            place: self.document.place(place),
            scope: match scope.map(|it| it.split("->").next().unwrap_or_default()) {
                Some("test") => Scope::Dev,
                Some("provided") => Scope::Peer,
                Some("optional") => Scope::Optional,
                Some(_) | None => Scope::Normal,
            },
            target: None,
            source: Source::Registry,
            origin: None,
            via: None,
        });
    }

    fn parts(self) -> Parts {
        let contents = Contents::Manifest(Manifest::default());
        Parts { contents, declared: self.declared, resolved: Vec::new(), notes: self.notes }
    }
}
