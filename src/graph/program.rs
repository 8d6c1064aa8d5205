//! All files of a snapshot with the spaces in which their names live.
//!
//! A space is what one import names: a file in Python, JavaScript and Rust, a folder's package in Go, a package in
//! Java and Kotlin, a namespace in C#.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::build::SourceFile;
use super::roots::Roots;
use super::store::SymbolNumber;
use crate::syntax::{Definition, DefinitionKind, Import, Language, Outline, Role, is_test_file};

/// Languages whose files can name each other's symbols.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Family {
    Python,
    Script,
    Rust,
    Go,
    Jvm,
    CSharp,
}

pub(super) type SpaceNumber = u32;

/// How many imports of one file are followed; a file with more was written by a program, and says so in a note.
pub(super) const MOST_IMPORTS: usize = 1_000;

/// How many definitions of one name in one space are told apart; the others are as good as these.
const MOST_NAMESAKES: usize = 16;

/// A place in which names can be looked up: a space, or a module inside a file's space.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Module {
    pub(super) space: SpaceNumber,
    /// The qualified name of the module inside the space; empty for the space itself.
    pub(super) inner: String,
}

#[derive(Default)]
pub(super) struct Space {
    pub(super) files: Vec<u32>,
    /// Every definition of the files, by qualified name.
    members: Vec<SymbolNumber>,
}

pub(super) struct Row<'f> {
    pub(super) source: &'f SourceFile,
    pub(super) text_path: String,
    pub(super) family: Option<Family>,
    pub(super) is_test: bool,
    pub(super) symbol: SymbolNumber,
    pub(super) spaces: Vec<SpaceNumber>,
    /// The modules that the file defines inside itself.
    pub(super) modules: Vec<&'f Definition>,
    /// For each import, the module that it names, once that has been asked.
    targets: Vec<OnceLock<Option<Module>>>,
}

impl<'f> Row<'f> {
    /// The imports that are followed.
    pub(super) fn imports(&self) -> &'f [Import] {
        let imports = &self.source.outline.imports;
        imports.get(..MOST_IMPORTS).unwrap_or(imports)
    }

    /// The place for the target of one of this file's imports, by where it stands in their list.
    pub(super) fn target_of(&self, import: &Import) -> Option<&OnceLock<Option<Module>>> {
        let first = self.imports().as_ptr().addr();
        let offset = std::ptr::from_ref(import).addr().checked_sub(first)?;
        self.targets.get(offset / size_of::<Import>())
    }
}

pub(super) struct Program<'f> {
    pub(super) rows: Vec<Row<'f>>,
    pub(super) spaces: Vec<Space>,
    pub(super) roots: &'f Roots,
    /// Numbers of files by the text of their path.
    paths: BTreeMap<String, u32>,
    /// Spaces of packages and namespaces by family and name; of Go packages by folder.
    named: BTreeMap<(Family, String), SpaceNumber>,
    /// The file of each symbol.
    file_of: Vec<u32>,
    pub(super) rust: super::rust::Crates,
    pub(super) python: super::python::Modules,
    pub(super) bases: super::bases::Bases,
    /// The namespaces that declare what elements of a page take.
    pub(super) jsx: Vec<Module>,
}

impl Module {
    pub(super) const fn of(space: SpaceNumber) -> Self {
        Self { space, inner: String::new() }
    }

    /// The qualified name of a member.
    pub(super) fn qualified(&self, name: &str) -> String {
        if self.inner.is_empty() { name.to_owned() } else { [self.inner.as_str(), ".", name].concat() }
    }
}

pub(super) fn family(language: Language) -> Option<Family> {
    match language.name().as_str() {
        "python" => Some(Family::Python),
        "javascript" | "typescript" | "tsx" => Some(Family::Script),
        "rust" => Some(Family::Rust),
        "go" => Some(Family::Go),
        "java" | "kotlin" => Some(Family::Jvm),
        "csharp" => Some(Family::CSharp),
        _ => None,
    }
}

impl<'f> Program<'f> {
    pub(super) fn new(files: &'f [SourceFile], roots: &'f Roots) -> Self {
        let mut order: Vec<&SourceFile> = files.iter().collect();
        order.sort_by(|a, b| a.path.cmp(&b.path));
        order.dedup_by(|a, b| a.path == b.path);
        let mut program = Self {
            rows: Vec::new(),
            spaces: Vec::new(),
            roots,
            paths: BTreeMap::new(),
            named: BTreeMap::new(),
            file_of: Vec::new(),
            rust: super::rust::Crates::default(),
            python: super::python::Modules::default(),
            bases: super::bases::Bases::default(),
            jsx: Vec::new(),
        };
        for source in order {
            program.add(source);
        }
        program.fill_spaces();
        program.jsx = program.modules_with("JSX", "JSX.IntrinsicElements");
        program.python = super::python::Modules::of(&program);
        program.rust = super::rust::Crates::of(&program);
        program
    }

    fn add(&mut self, source: &'f SourceFile) {
        let file = narrow(self.rows.len());
        let text_path = source.path.to_string();
        let family = family(source.language);
        let names = super::packages::space_names(family, &text_path, &source.outline);
        let spaces = match (names, family) {
            (Some(names), Some(family)) => {
                let mut spaces = Vec::new();
                for name in names {
                    let next = narrow(self.spaces.len());
                    let space = *self.named.entry((family, name)).or_insert(next);
                    if space == next {
                        self.spaces.push(Space::default());
                    }
                    spaces.push(space);
                }
                spaces
            }
            _ => {
                self.spaces.push(Space::default());
                vec![narrow(self.spaces.len() - 1)]
            }
        };
        for space in &spaces {
            if let Some(space) = self.spaces.get_mut(*space as usize) {
                space.files.push(file);
            }
        }
        self.paths.insert(text_path.clone(), file);
        let symbol = narrow(self.file_of.len());
        self.file_of.extend(std::iter::repeat_n(file, source.outline.definitions.len() + 1));
        let is_test = is_test_file(&source.path, source.language);
        let modules =
            source.outline.definitions.iter().filter(|it| it.kind == DefinitionKind::Module).collect();
        let imports = source.outline.imports.len().min(MOST_IMPORTS);
        let targets = std::iter::repeat_with(OnceLock::new).take(imports).collect();
        self.rows.push(Row { source, text_path, family, is_test, symbol, spaces, modules, targets });
    }

    fn fill_spaces(&mut self) {
        let mut spaces = std::mem::take(&mut self.spaces);
        for space in &mut spaces {
            let rows = space.files.iter().filter_map(|it| self.rows.get(*it as usize));
            space.members = rows
                .flat_map(|row| {
                    let named =
                        row.source.outline.definitions.iter().enumerate().filter(|it| it.1.kind.has_name());
                    named.map(|(number, _)| row.symbol + 1 + narrow(number))
                })
                .collect();
            space.members.sort_by_key(|it| self.qualified(*it));
        }
        self.spaces = spaces;
    }

    /// The modules of a name that define another name below them.
    fn modules_with(&self, module: &str, qualified: &str) -> Vec<Module> {
        let spaces = (0..narrow(self.spaces.len())).filter(|it| !self.defined(*it, qualified).is_empty());
        spaces.take(MOST_NAMESAKES).map(|space| Module { space, inner: module.to_owned() }).collect()
    }

    /// The number of symbols: definitions, and one for each file.
    pub(super) fn symbols(&self) -> SymbolNumber {
        narrow(self.file_of.len())
    }

    pub(super) fn file_of(&self, symbol: SymbolNumber) -> u32 {
        self.file_of.get(symbol as usize).copied().unwrap_or(0)
    }

    pub(super) fn row_of(&self, symbol: SymbolNumber) -> Option<&Row<'f>> {
        self.rows.get(*self.file_of.get(symbol as usize)? as usize)
    }

    pub(super) fn definition(&self, symbol: SymbolNumber) -> Option<&'f Definition> {
        let row = self.row_of(symbol)?;
        let number = symbol.checked_sub(row.symbol)?.checked_sub(1)?;
        row.source.outline.definitions.get(number as usize)
    }

    fn qualified(&self, symbol: SymbolNumber) -> &'f str {
        self.definition(symbol).map_or("", |it| &it.qualified)
    }

    pub(super) fn file_at(&self, path: &str) -> Option<u32> {
        self.paths.get(path).copied()
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.paths.keys().map(String::as_str)
    }

    pub(super) fn space_named(&self, family: Family, name: &str) -> Option<SpaceNumber> {
        self.named.get(&(family, name.to_owned())).copied()
    }

    pub(super) fn space_of_file(&self, file: u32) -> Option<SpaceNumber> {
        self.rows.get(file as usize)?.spaces.first().copied()
    }

    pub(super) fn module_of_file(&self, file: u32) -> Option<Module> {
        self.space_of_file(file).map(Module::of)
    }

    /// The definitions of a space with a qualified name.
    pub(super) fn defined(&self, space: SpaceNumber, qualified: &str) -> &[SymbolNumber] {
        let members = self.spaces.get(space as usize).map_or(&[][..], |it| &it.members);
        let start = members.partition_point(|it| self.qualified(*it) < qualified);
        let rest = members.get(start..).unwrap_or_default();
        let same = rest.iter().take_while(|it| self.qualified(**it) == qualified);
        let count = same.take(MOST_NAMESAKES).count();
        rest.get(..count).unwrap_or_default()
    }

    /// The members that a type has itself.
    pub(super) fn members(&self, of: SymbolNumber, name: &str) -> Vec<SymbolNumber> {
        let (Some(row), Some(owner)) = (self.row_of(of), self.definition(of)) else { return Vec::new() };
        let qualified = [&owner.qualified, ".", name].concat();
        let found = row.spaces.iter().flat_map(|it| self.defined(*it, &qualified));
        found.copied().filter(|it| *it != of).collect()
    }

    /// Whether a symbol is test code: by its file, or by a definition around it that is a test by its attributes.
    pub(super) fn is_test_code(&self, symbol: SymbolNumber) -> bool {
        let Some(row) = self.row_of(symbol) else { return false };
        if row.is_test {
            return true;
        }
        let is_told_by_shape = matches!(row.family, Some(Family::Rust | Family::Jvm | Family::CSharp));
        let number = symbol.checked_sub(row.symbol + 1);
        is_told_by_shape && number.is_some_and(|it| is_inside_test(&row.source.outline, it as usize))
    }
}

fn is_inside_test(outline: &Outline, definition: usize) -> bool {
    let mut around = Some(definition);
    while let Some(definition) = around.and_then(|it| outline.definitions.get(it).map(|found| (it, found))) {
        if definition.1.role == Role::Test {
            return true;
        }
        around = definition.1.container.filter(|it| *it < definition.0);
    }
    false
}

pub(super) fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
