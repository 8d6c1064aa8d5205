//! Project files and the files that they take in, as far as packages go:
//! <https://learn.microsoft.com/visualstudio/msbuild/msbuild-project-file-schema-reference>.
//!
//! A file is read into its elements in order; what they mean follows only when the files are put together.

use roxmltree::Node;

use crate::deps::document::Document;
use crate::deps::fact::{Declared, Scope};
use crate::deps::format::{Contents, Manifest, Parts};
use crate::deps::note::ENTRY_MALFORMED;
use crate::deps::xml::{Text, attribute, elements, field, is, parse, text};
use crate::model::{Location, Note};

use super::exact::{declared, settled};
use super::item::{Action, Item, Kind};

/// What a file says in one place.
#[derive(Clone, Debug)]
pub enum Element {
    /// A property with its name in lower case.
    Property {
        name: String,
        value: Written,
        conditions: Vec<String>,
    },
    /// The path of a file that is read here.
    Import(String),
    Item(Item),
}

/// A text and its place.
#[derive(Clone, Debug)]
pub struct Written {
    pub text: String,
    pub place: Location,
}

impl Written {
    pub fn of(document: &Document<'_>, text: Text) -> Self {
        Self { text: text.value, place: document.place(text.range) }
    }
}

/// # Errors
/// When the file is not XML.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let tree = parse(document)?;
    let root = tree.root_element();
    let mut reader = Reader {
        document,
        elements: Vec::new(),
        sdks: Vec::new(),
        notes: Vec::new(),
        conditions: Vec::new(),
    };
    // Other programs have files of such names too.
    if is(root, "Project") {
        for sdk in attribute(document, root, "Sdk").iter().flat_map(split_sdks) {
            reader.sdks.push(sdk.declared(document));
        }
        reader.project(root, 0);
    }
    let resolved = reader.sdks.iter().filter_map(settled).collect();
    let manifest = Manifest { msbuild: reader.elements, ..Manifest::default() };
    Ok(Parts { contents: Contents::Manifest(manifest), declared: reader.sdks, resolved, notes: reader.notes })
}

/// A package of the build itself, at an exact version.
struct Sdk {
    name: String,
    version: Text,
}

impl Sdk {
    fn declared(self, document: &Document<'_>) -> Declared {
        declared(document, &self.name, Some(&self.version.value), self.version.range, Scope::Build)
    }
}

/// The parts of `Name/Version;Name` that state a version.
fn split_sdks(list: &Text) -> impl Iterator<Item = Sdk> {
    let mut at = 0;
    let parts: Vec<Sdk> = list
        .value
        .split(';')
        .filter_map(|part| {
            let start = at;
            at += part.len() + 1;
            let (name, version) = part.split_once('/')?;
            let from = list.range.start + start + name.len() + 1;
            let version = Text { value: version.trim().to_owned(), range: from..from + version.len() };
            (!version.value.is_empty()).then(|| Sdk { name: name.trim().to_owned(), version })
        })
        .collect();
    parts.into_iter()
}

struct Reader<'d, 't> {
    document: &'d Document<'t>,
    elements: Vec<Element>,
    sdks: Vec<Declared>,
    notes: Vec<Note>,
    /// Those of the elements that are open.
    conditions: Vec<String>,
}

impl Reader<'_, '_> {
    /// What stands below the root, or below one case of a choice.
    fn project(&mut self, node: Node<'_, '_>, depth: usize) {
        /// Choices nest no deeper in any hand-written file.
        const DEEPEST: usize = 32;
        if depth > DEEPEST {
            let message = "a choice is nested too deep and was left out";
            self.notes.push(self.document.note(ENTRY_MALFORMED, node.range().start, message));
            return;
        }
        for it in elements(node) {
            let open = self.conditions.len();
            self.conditions.extend(attribute(self.document, it, "Condition").map(|it| it.value));
            if is(it, "PropertyGroup") {
                elements(it).for_each(|it| self.property(it));
            } else if is(it, "ItemGroup") {
                elements(it).for_each(|it| self.item(it));
            } else if is(it, "ImportGroup") {
                elements(it).filter(|it| is(*it, "Import")).for_each(|it| self.import(it));
            } else if is(it, "Import") {
                self.import(it);
            } else if is(it, "Sdk") {
                self.sdk(it, "Name");
            } else if is(it, "Choose") {
                self.choose(it, depth);
            }
            self.conditions.truncate(open);
        }
    }

    fn choose(&mut self, node: Node<'_, '_>, depth: usize) {
        let mut others = Vec::new();
        for case in elements(node) {
            let open = self.conditions.len();
            self.conditions.extend(others.iter().map(|it| format!("!({it})")));
            if let Some(condition) = attribute(self.document, case, "Condition") {
                self.conditions.push(condition.value.clone());
                others.push(condition.value);
            }
            self.project(case, depth + 1);
            self.conditions.truncate(open);
        }
    }

    /// The conditions of an element and of all that hold it.
    fn conditions_of(&self, node: Node<'_, '_>) -> Vec<String> {
        let own = attribute(self.document, node, "Condition").map(|it| it.value);
        self.conditions.iter().cloned().chain(own).collect()
    }

    fn property(&mut self, node: Node<'_, '_>) {
        let value = text(self.document, node);
        let value = value.unwrap_or_else(|| Text { value: String::new(), range: node.range() });
        self.elements.push(Element::Property {
            name: node.tag_name().name().to_lowercase(),
            value: Written::of(self.document, value),
            conditions: self.conditions_of(node),
        });
    }

    fn import(&mut self, node: Node<'_, '_>) {
        self.sdk(node, "Sdk");
        if let Some(project) = attribute(self.document, node, "Project")
            && attribute(self.document, node, "Sdk").is_none()
        {
            self.elements.push(Element::Import(project.value));
        }
    }

    fn sdk(&mut self, node: Node<'_, '_>, name: &str) {
        let text = |name| attribute(self.document, node, name).filter(|it| !it.value.is_empty());
        if let (Some(name), Some(version)) = (text(name), text("Version")) {
            self.sdks.push(Sdk { name: name.value, version }.declared(self.document));
        }
    }

    fn item(&mut self, node: Node<'_, '_>) {
        let Some(kind) = Kind::of(node.tag_name().name()) else { return };
        let text = |name| attribute(self.document, node, name).filter(|it| !it.value.is_empty());
        let actions = [("Include", Action::Include), ("Update", Action::Update), ("Remove", Action::Remove)];
        let action = actions.into_iter().find_map(|(name, action)| Some((text(name)?, action)));
        let Some((names, action)) = action else {
            let message = format!("an entry `{}` names no package and was left out", node.tag_name().name());
            self.notes.push(self.document.note(ENTRY_MALFORMED, node.range().start, message));
            return;
        };
        let written = |name| {
            let text = field(self.document, node, name).filter(|it| !it.value.is_empty());
            text.map(|it| Written::of(self.document, it))
        };
        let is_private = field(self.document, node, "PrivateAssets")
            .is_some_and(|it| it.value.eq_ignore_ascii_case("all"));
        self.elements.push(Element::Item(Item {
            kind,
            action,
            names: Written::of(self.document, names),
            version: written("Version"),
            version_override: written("VersionOverride"),
            scope: if is_private { Scope::Dev } else { Scope::Normal },
            conditions: self.conditions_of(node),
        }));
    }
}
