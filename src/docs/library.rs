//! The sources of one package, read as far as a question needs them, and no further than a bound.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::Value;

use super::family::Family;
use super::package::{MANIFEST_BYTES, Package, below};
use super::script_lookup;
use crate::model::{Lines, RepoPath, Span};
use crate::syntax::{self, Definition, Kinds, Language, Limits, Outline};
use crate::system::FileKind;

/// The largest file of a package that is read: the largest declarations of published packages have about 1 MiB.
const FILE_BYTES: u64 = 2 << 20;

/// A package with its files as they are read.
pub struct Library<'p> {
    pub package: Package<'p>,
    files: RefCell<BTreeMap<RepoPath, Option<Rc<Module>>>>,
    allowance: Cell<Allowance>,
    /// The files that could not be read, each with the reason.
    unread: RefCell<Vec<Unread>>,
    /// The modules that the lookup at hand has been in, each with the name that it looked for there.
    seen: RefCell<BTreeSet<(RepoPath, String)>>,
    /// The files that paths inside the package stand for.
    probed: RefCell<BTreeMap<String, Option<RepoPath>>>,
    manifest: OnceCell<Option<Value>>,
    /// Where a crate begins.
    root: OnceCell<Option<CrateRoot>>,
}

/// Where a crate begins, as its manifest states it.
#[derive(Clone)]
pub struct CrateRoot {
    pub file: RepoPath,
    pub edition: Edition,
}

/// What of an edition of Rust decides where the path of a `use` begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Edition {
    /// At the root of the crate.
    Of2015,
    /// Where it stands.
    Later,
}

/// A file of a package, and why it was not read.
pub type Unread = (String, String);

/// What it costs to look for a file on the disk, in names that are compared.
const LOOK_AT_DISK: u64 = 1_000;

/// What it costs to look into a module, besides comparing its names.
const ENTER: u64 = 200;

/// How much of one package is still read.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    pub files: u32,
    pub bytes: u64,
    /// The work of following re-exports, in names that are compared.
    pub work: u64,
}

impl Allowance {
    /// For single names: what they are defined in, and what leads there.
    pub const NAMES: Self = Self { files: 200, bytes: 16 << 20, work: 20_000_000 };
    /// For everything that a package declares.
    pub const WHOLE: Self = Self { files: 5_000, bytes: 64 << 20, work: 1_000_000_000 };
}

/// One file of a package.
pub struct Module {
    pub path: RepoPath,
    pub text: String,
    pub outline: Outline,
    lines: Lines,
    /// The definitions by their qualified names, as indices into the outline.
    defined: BTreeMap<Box<str>, Vec<usize>>,
    /// `export = name`, and `module.exports = name`.
    pub assigned: Option<String>,
}

impl<'p> Library<'p> {
    pub const fn new(package: Package<'p>, allowance: Allowance) -> Self {
        Self {
            package,
            files: RefCell::new(BTreeMap::new()),
            allowance: Cell::new(allowance),
            unread: RefCell::new(Vec::new()),
            seen: RefCell::new(BTreeSet::new()),
            probed: RefCell::new(BTreeMap::new()),
            manifest: OnceCell::new(),
            root: OnceCell::new(),
        }
    }

    /// Whether a bound kept files from being read, or names from being followed.
    pub fn is_cut(&self) -> bool {
        let Allowance { files, work, .. } = self.allowance.get();
        files == 0 || work == 0
    }

    /// The files that could not be read, each with the reason.
    pub fn unread(&self) -> Vec<Unread> {
        self.unread.borrow().clone()
    }

    /// Begins the lookup of another name.
    pub fn begin(&self) {
        self.seen.borrow_mut().clear();
    }

    /// Whether the lookup is in a module for a name for the first time, and there is work left to look at it. Modules
    /// that hand on each other, and those that many ways lead to, are looked at once.
    pub fn enter(&self, module: &Module, name: String) -> bool {
        let entries = module.outline.definitions.len() + module.outline.imports.len();
        self.seen.borrow_mut().insert((module.path.clone(), name)) && self.spend(entries as u64 + ENTER)
    }

    /// Takes work off the allowance; false when there is none left.
    pub fn spend(&self, work: u64) -> bool {
        let Allowance { files, bytes, work: left } = self.allowance.get();
        let left = left.saturating_sub(work);
        self.allowance.set(Allowance { files, bytes, work: left });
        left > 0
    }

    /// The first of some paths below the package's folder that is a file; it is looked for once.
    pub fn probe(&self, path: &str, candidates: impl Iterator<Item = String>) -> Option<RepoPath> {
        if let Some(known) = self.probed.borrow().get(path) {
            return known.clone();
        }
        if !self.spend(LOOK_AT_DISK) {
            return None;
        }
        let mut candidates = candidates.filter_map(|it| self.below(&it));
        let found = candidates.find(|it| self.has_file(it));
        self.probed.borrow_mut().insert(path.to_owned(), found.clone());
        found
    }

    /// `package.json`.
    pub fn manifest(&self) -> Option<&Value> {
        let read = || serde_json::from_str(&self.text(&self.below("package.json")?, MANIFEST_BYTES)?).ok();
        self.manifest.get_or_init(read).as_ref()
    }

    /// Where a crate begins, as its manifest is read.
    pub fn root(&self, read: impl FnOnce() -> Option<CrateRoot>) -> Option<CrateRoot> {
        self.root.get_or_init(read).clone()
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
        // Styles and data are imported too.
        Family::of_language(language).filter(|it| *it == self.package.family)?;
        let Allowance { files, bytes, work } = self.allowance.get();
        let files = files.checked_sub(1)?;
        let read = match self.package.root.read(path, FILE_BYTES) {
            Ok(read) => read,
            Err(unread) => return self.not_read(path, unread.to_string()),
        };
        match bytes.checked_sub(read.len() as u64) {
            Some(bytes) => self.allowance.set(Allowance { files, bytes, work }),
            None => {
                self.allowance.set(Allowance { files: 0, bytes, work });
                return None;
            }
        }
        let Ok(text) = String::from_utf8(read) else { return self.not_read(path, "it is not UTF-8") };
        let parsed = match syntax::parse(text, language, Limits::default()) {
            Ok(parsed) => parsed,
            Err(refusal) => return self.not_read(path, refusal.to_string()),
        };
        let outline = syntax::survey(&parsed, &Kinds::default()).outline?;
        let assigned = script_lookup::assigned(parsed.text()).map(str::to_owned);
        let lines = Lines::of(parsed.text());
        let mut defined: BTreeMap<Box<str>, Vec<usize>> = BTreeMap::new();
        for (index, it) in outline.definitions.iter().enumerate() {
            defined.entry(it.qualified.clone()).or_default().push(index);
        }
        Some(Module { path: path.clone(), text: parsed.text().to_owned(), outline, lines, defined, assigned })
    }

    fn not_read(&self, path: &RepoPath, reason: impl Into<String>) -> Option<Module> {
        self.unread.borrow_mut().push((self.shown(path), reason.into()));
        None
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
        let lines = self.lines.index(&self.text);
        let range = lines.offset(span.start).zip(lines.offset(span.end));
        range.and_then(|(start, end)| self.text.get(start..end)).unwrap_or_default()
    }

    /// What stands before a definition's name: comments, attributes, decorators, modifiers.
    pub fn lead(&self, definition: &Definition) -> &str {
        self.slice(Span { start: definition.span.start, end: definition.name_span.start })
    }

    /// The definitions with a qualified name.
    pub fn defined<'m>(&'m self, qualified: &str) -> impl Iterator<Item = &'m Definition> + use<'m> {
        let indices = self.defined.get(qualified).into_iter().flatten();
        indices.filter_map(|it| self.outline.definitions.get(*it))
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test makes the packages that it is about")]
mod tests {
    use std::fmt::Write as _;

    use tempfile::TempDir;

    use super::{Allowance, Library};
    use crate::docs::family::Family;
    use crate::docs::package::Package;
    use crate::docs::{python_lookup, script_lookup};
    use crate::system::Root;

    fn with_library<T>(
        family: Family,
        files: &[(String, String)],
        test: impl FnOnce(&Library<'_>) -> T,
    ) -> T {
        let keep = TempDir::new().unwrap();
        std::fs::create_dir(keep.path().join("p")).unwrap();
        for (name, text) in files {
            std::fs::write(keep.path().join("p").join(name), text).unwrap();
        }
        let root = Root::open(keep.path()).unwrap();
        let (folder, modules) = match family {
            Family::Python => ("p", (0..files.len()).map(|it| format!("m{it}")).collect()),
            Family::Script | Family::Rust => ("p", Vec::new()),
        };
        let folder = folder.parse().unwrap();
        let package = Package { family, version: "1".to_owned(), root: &root, folder, modules };
        test(&Library::new(package, Allowance::NAMES))
    }

    /// How many modules were parsed, and the work that was done.
    fn done(library: &Library<'_>) -> (usize, u64) {
        let parsed = library.files.borrow().values().flatten().count();
        (parsed, Allowance::NAMES.work - library.allowance.get().work)
    }

    /// Modules each of which hands on the next one twice: there are as many ways as powers of two.
    fn script_chain(length: usize) -> Vec<(String, String)> {
        let line = |next: usize| format!("export * from './m{next}.js';\n");
        let module = |it: usize| (format!("m{it}.js"), line(it + 1).repeat(2));
        let mut files: Vec<_> = (0..length - 1).map(module).collect();
        files.push((
            format!("m{}.js", length - 1),
            "/** @deprecated old */\nexport function last() {}\n".to_owned(),
        ));
        files.push(("package.json".to_owned(), r#"{"version": "1", "main": "m0.js"}"#.to_owned()));
        files
    }

    #[test]
    fn modules_that_many_ways_lead_to_are_looked_at_once() {
        with_library(Family::Script, &script_chain(40), |library| {
            for name in 0..16 {
                assert_eq!(script_lookup::find(library, "", &[&format!("absent{name}")]), []);
            }
            let (parsed, work) = done(library);
            assert_eq!(parsed, 40);
            // 16 names in 40 modules, and 40 files that are looked for once.
            assert!(work < 16 * 40 * 210 + 50 * 1_000, "{work}");
            assert!(!library.is_cut());
            let found = script_lookup::find(library, "", &["last"]);
            assert_eq!(found.iter().map(|it| it.deprecated.is_some()).collect::<Vec<_>>(), [true]);
        });
    }

    #[test]
    fn modules_in_a_cycle_are_looked_at_once() {
        let all = "export * from './m0.js';\nexport * from './m1.js';\nexport * from './m2.js';\n";
        let mut files: Vec<_> = (0..3).map(|it| (format!("m{it}.js"), all.to_owned())).collect();
        files.push(("package.json".to_owned(), r#"{"version": "1", "main": "m0.js"}"#.to_owned()));
        with_library(Family::Script, &files, |library| {
            assert_eq!(script_lookup::find(library, "", &["absent"]), []);
            let (parsed, work) = done(library);
            assert_eq!(parsed, 3);
            assert!(work < 3 * 210 + 5 * 1_000, "{work}");
        });
    }

    #[test]
    fn a_module_of_python_that_is_handed_on_twice_is_looked_at_once() {
        let module = |it: usize| {
            let mut text = String::new();
            for _ in 0..2 {
                writeln!(text, "from m{} import *", it + 1).unwrap();
            }
            (format!("m{it}.py"), text)
        };
        let files: Vec<_> = (0..40).map(module).collect();
        with_library(Family::Python, &files, |library| {
            assert_eq!(python_lookup::find(library, &["m0", "absent"]), []);
            let (parsed, work) = done(library);
            assert_eq!(parsed, 40);
            assert!(work < 40 * 210 + 90 * 1_000, "{work}");
        });
    }

    /// What a declaration costs does not grow with the file that it stands in.
    #[test]
    fn a_declaration_costs_what_it_holds() {
        let text = "/** Text. */\nexport declare function name(a: string): void;\n".repeat(2_000);
        let manifest = ("package.json".to_owned(), r#"{"version": "1", "types": "m.d.ts"}"#.to_owned());
        with_library(Family::Script, &[("m.d.ts".to_owned(), text), manifest], |library| {
            assert_eq!(script_lookup::find(library, "", &["name"]).len(), 2_000);
            let (_, work) = done(library);
            assert!(work < 2_000 * 10 + 10_000, "{work}");
        });
    }

    /// Each of the modules that are named but not there makes the path longer, so that no two lookups are the same.
    #[test]
    fn a_bound_ends_what_never_repeats() {
        let text = "from m0.a import *\nfrom m0.b import *\nfrom m0.c import *\n".to_owned();
        with_library(Family::Python, &[("m0.py".to_owned(), text)], |library| {
            assert_eq!(python_lookup::find(library, &["m0", "absent"]), []);
            assert!(library.is_cut());
            assert_eq!(done(library), (1, Allowance::NAMES.work));
            assert!(library.seen.borrow().len() < 100_000);
        });
    }
}
