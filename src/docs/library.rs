//! The sources of one package, read as far as a question needs them, and no further than a bound.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use super::package::{Package, below};
use crate::model::{LineIndex, Point, RepoPath, Span};
use crate::syntax::{self, Definition, Kinds, Language, Limits, Outline};
use crate::system::FileKind;

/// The largest file of a package that is read: the largest declarations of published packages have about 1 MiB.
const FILE_BYTES: u64 = 2 << 20;

/// A package with its files as they are read.
pub struct Library<'p> {
    pub package: Package<'p>,
    files: RefCell<BTreeMap<RepoPath, Option<Rc<Module>>>>,
    allowance: Cell<Allowance>,
}

/// How much of one package is still read.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    pub files: u32,
    pub bytes: u64,
}

impl Allowance {
    /// For single names: what they are defined in, and what leads there.
    pub const NAMES: Self = Self { files: 200, bytes: 16 << 20 };
    /// For everything that a package declares.
    pub const WHOLE: Self = Self { files: 5_000, bytes: 64 << 20 };
}

/// One file of a package.
pub struct Module {
    pub path: RepoPath,
    pub text: String,
    pub outline: Outline,
}

impl<'p> Library<'p> {
    pub const fn new(package: Package<'p>, allowance: Allowance) -> Self {
        Self { package, files: RefCell::new(BTreeMap::new()), allowance: Cell::new(allowance) }
    }

    /// Whether a bound kept files from being read.
    pub fn is_cut(&self) -> bool {
        self.allowance.get().files == 0
    }

    pub fn has_file(&self, path: &RepoPath) -> bool {
        self.package.root.stat(path).is_ok_and(|it| it.kind == FileKind::Regular)
    }

    /// The text of a file that is no module.
    pub fn text(&self, path: &RepoPath, limit: u64) -> Option<String> {
        String::from_utf8(self.package.root.read(path, limit).ok()?).ok()
    }

    /// A file with its outline; none for what cannot be read or parsed.
    pub fn module(&self, path: &RepoPath) -> Option<Rc<Module>> {
        if let Some(known) = self.files.borrow().get(path) {
            return known.clone();
        }
        let module = self.read(path).map(Rc::new);
        self.files.borrow_mut().insert(path.clone(), module.clone());
        module
    }

    fn read(&self, path: &RepoPath) -> Option<Module> {
        let language = Language::of_path(path)?;
        let Allowance { files, bytes } = self.allowance.get();
        let files = files.checked_sub(1)?;
        let read = self.package.root.read(path, FILE_BYTES).ok()?;
        match bytes.checked_sub(read.len() as u64) {
            Some(bytes) => self.allowance.set(Allowance { files, bytes }),
            None => {
                self.allowance.set(Allowance { files: 0, bytes });
                return None;
            }
        }
        let text = String::from_utf8(read).ok()?;
        let parsed = syntax::parse(text, language, Limits::default()).ok()?;
        let outline = syntax::survey(&parsed, &Kinds::default()).outline?;
        Some(Module { path: path.clone(), text: parsed.text().to_owned(), outline })
    }

    /// A path inside the package, as its documents name it.
    pub fn shown(&self, path: &RepoPath) -> String {
        let path = path.to_string();
        let folder = self.package.folder.to_string();
        path.strip_prefix(&folder).and_then(|it| it.strip_prefix('/')).unwrap_or(&path).to_owned()
    }

    /// A path below the package's folder.
    pub fn below(&self, path: &str) -> Option<RepoPath> {
        below(Some(&self.package.folder), path)
    }
}

impl Module {
    pub fn slice(&self, span: Span) -> &str {
        let lines = LineIndex::new(&self.text);
        self.between(&lines, span.start, span.end)
    }

    fn between(&self, lines: &LineIndex<'_>, start: Point, end: Point) -> &str {
        let range = lines.offset(start).zip(lines.offset(end));
        range.and_then(|(start, end)| self.text.get(start..end)).unwrap_or_default()
    }

    /// What stands before a definition's name: comments, attributes, decorators, modifiers.
    pub fn lead(&self, definition: &Definition) -> &str {
        self.slice(Span { start: definition.span.start, end: definition.name_span.start })
    }

    /// The definitions with a qualified name.
    pub fn defined<'m>(&'m self, qualified: &'m str) -> impl Iterator<Item = &'m Definition> {
        self.outline.definitions.iter().filter(move |it| &*it.qualified == qualified)
    }
}
