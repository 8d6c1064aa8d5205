//! Small changes in real text, and what a reader says that they change and reach.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::{ChangedFile, Hunk, Impact, Side, assess};
use crate::graph::{Roots, SourceFile, build};
use crate::model::RepoPath;
use crate::syntax::{Kinds, Language, Limits, Outline, parse, survey};

fn outlined(path: &RepoPath, text: &str) -> Option<(Language, Outline)> {
    let language = Language::of_path(path)?;
    survey(&parse(text.to_owned(), language, Limits::default()).unwrap(), &Kinds::default())
        .outline
        .map(|it| (language, it))
}

fn hunks(before: &str, after: &str) -> Vec<Hunk> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let lines = |it: std::ops::Range<usize>| it.start as u32 + 1..it.end as u32 + 1;
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    let changed = ops.into_iter().filter(|it| it.tag() != DiffTag::Equal);
    changed.map(|it| Hunk { before: lines(it.old_range()), after: lines(it.new_range()) }).collect()
}

/// The impact of turning the first texts into the second; an empty text is no file.
fn impact(files: &[(&str, &str, &str)]) -> Impact {
    let paths: Vec<RepoPath> = files.iter().map(|it| it.0.parse().unwrap()).collect();
    let side = |at: usize, text: &str| outlined(&paths[at], text).filter(|_| !text.is_empty());
    let before: Vec<_> = files.iter().enumerate().map(|(at, it)| side(at, it.1)).collect();
    let after: Vec<_> = files.iter().enumerate().map(|(at, it)| side(at, it.2)).collect();
    let sources: Vec<SourceFile> = paths
        .iter()
        .zip(&after)
        .filter_map(|(path, it)| it.as_ref().map(|(language, outline)| (path, *language, outline.clone())))
        .map(|(path, language, outline)| SourceFile { path: path.clone(), language, outline })
        .collect();
    let graph = build(&sources, &Roots::default(), None);
    let mut changed = Vec::new();
    for (at, (_, old, new)) in files.iter().enumerate().filter(|(_, it)| it.1 != it.2) {
        let hunks = hunks(old, new);
        let lines = |of: fn(&Hunk) -> usize| hunks.iter().map(of).sum::<usize>() as u32;
        changed.push(ChangedFile {
            path: paths[at].clone(),
            language: Language::of_path(&paths[at]),
            before: (!old.is_empty())
                .then(|| Side { text: old, outline: before[at].as_ref().map(|it| &it.1) }),
            after: (!new.is_empty()).then(|| Side { text: new, outline: after[at].as_ref().map(|it| &it.1) }),
            added_lines: lines(|it| it.after.len()),
            removed_lines: lines(|it| it.before.len()),
            hunks,
        });
    }
    assess(&graph, &changed, None)
}

fn check_changes(path: &str, before: &str, after: &str, expected: &[&str]) {
    let impact = impact(&[(path, before, after)]);
    let name = |it: &str| it.split_once('#').unwrap().1.to_owned();
    let lines: Vec<String> = impact
        .changed
        .iter()
        .map(|it| format!("{} {}", it.change.name(), name(it.symbol.as_str())))
        .collect();
    assert_eq!(lines, expected, "{after}");
}

#[test]
fn the_white_space_around_a_new_member_is_no_change_of_its_class() {
    let before = "class C:\n    def a(self):\n        return 1\n\n    def c(self):\n        return 3\n";
    let after = before.replace("    def c", "    def b(self):\n        return 2\n\n    def c");
    check_changes("m.py", before, &after, &["added C.b"]);
}

/// Lines that stand where they stood can belong to another definition now, and equal lines in another order.
#[test]
fn what_changed_places_changed() {
    let before =
        "class A:\n    def run(self):\n        return 1\n\nclass B:\n    def run(self):\n        return 2\n";
    let after =
        before.replace("class A", "class C").replace("class B", "class A").replace("class C", "class B");
    check_changes("m.py", before, &after, &["body_changed B.run", "body_changed A.run"]);
    let before = "package p\n\nvar (\n\t_ I = A{}\n\t_ I = C{}\n)\n";
    check_changes(
        "p.go",
        before,
        &before.replace("\t_ I = C", "\t_ I = B{}\n\t_ I = C"),
        &["body_changed _~2", "added _~3"],
    );
    let before = "def f():\n    one()\n    two()\n    return 3\n";
    let after = "def f():\n    two()\n    one()\n    return 3\n";
    check_changes("m.py", before, after, &["body_changed f"]);
    let moved = "def g():\n    return 1\n\ndef f():\n    return 2\n";
    let after = "def f():\n    return 2\n\ndef g():\n    return 1\n";
    check_changes("m.py", moved, after, &["formatting_only f"]);
}

#[test]
fn python_hunks_lead_to_definitions() {
    let before = "import os\n\nRATE = 1\n\nclass Cart:\n    limit = 1\n\n    def total(self, x):\n        return x\n\n    def log(self): ...\n\nprint(RATE)\n";
    let check = |after: &str, expected: &[&str]| check_changes("a.py", before, after, expected);
    check(&before.replace("return x", "return x + 1"), &["body_changed Cart.total"]);
    check(&before.replace("return x", "return  x  # same"), &["formatting_only Cart.total"]);
    check(&before.replace("self, x", "self, x, y"), &["signature_changed Cart.total"]);
    check(&before.replace("    def log(self): ...\n\n", ""), &["removed Cart.log"]);
    check(&before.replace("def total", "def sum"), &["renamed Cart.sum"]);
    check(&before.replace("print(RATE)", "print(RATE, 2)"), &["body_changed "]);
    check(&before.replace("import os", "import os, sys"), &[]);
    check(&before.replace("RATE = 1\n", "RATE = 2\n"), &["body_changed RATE"]);
    check(&before.replace("class Cart:", "class Cart(Base):"), &["signature_changed Cart"]);
    check(&before.replace("    def log", "    # why\n    def log"), &["formatting_only Cart.log"]);
    check(&before.replace("    def log", "    @cached\n    def log"), &["signature_changed Cart.log"]);
}

#[test]
fn typescript_hunks_lead_to_definitions() {
    let before = "import { a } from './a'\n\nexport const sum = (x: number) => {\n  return x\n}\n\nexport class Cart {\n  price(x: number) {\n    return x\n  }\n}\n\nit('adds', () => {\n  sum(1)\n})\n";
    let check = |after: &str, expected: &[&str]| check_changes("src/a.test.ts", before, after, expected);
    check(&before.replacen("return x", "return x + 1", 1), &["body_changed sum"]);
    check(&before.replacen("x: number", "x: string", 1), &["signature_changed sum"]);
    check(&before.replace("    return x", "    return x // same"), &["formatting_only Cart.price"]);
    check(&before.replace("sum(1)", "sum(2)"), &["body_changed adds"]);
    check(&before.replace("const sum", "const total"), &["renamed total"]);
    check(&[before, "\nexport function late() {}\n"].concat(), &["added late"]);
}

#[test]
fn what_a_field_holds_is_its_body() {
    let before = "class Till {\n  pay = (a: number) => {\n    return a\n  }\n  rate = 1\n}\n";
    let check = |after: &str, expected: &[&str]| check_changes("m.ts", before, after, expected);
    check(&before.replace("return a", "return a + 1"), &["body_changed Till.pay"]);
    check(&before.replace("a: number", "a: string"), &["signature_changed Till.pay"]);
    check(&before.replace("rate = 1", "rate = 2"), &["body_changed Till.rate"]);
}

#[test]
fn rust_hunks_lead_to_definitions() {
    let before = "use std::fmt;\n\n/// A cart.\npub struct Cart {\n    items: u8,\n}\n\nimpl Cart {\n    pub fn total(&self) -> u8 {\n        self.items\n    }\n}\n";
    let check = |after: &str, expected: &[&str]| check_changes("src/a.rs", before, after, expected);
    check(&before.replace("        self.items", "        self.items + 1"), &["body_changed Cart.total"]);
    check(&before.replace("-> u8", "-> u16"), &["signature_changed Cart.total"]);
    check(&before.replace("items: u8", "items: u16"), &["signature_changed Cart.items"]);
    check(&before.replace("A cart", "The cart"), &["formatting_only Cart"]);
    check(&before.replace("impl Cart", "impl<T> Cart"), &["body_changed "]);
}

#[test]
fn go_hunks_lead_to_definitions() {
    let before = "package shop\n\ntype Cart struct {\n\tItems int\n}\n\nfunc (c *Cart) Sum() int {\n\treturn c.Items\n}\n\nfunc old() {}\n";
    let check = |after: &str, expected: &[&str]| check_changes("a.go", before, after, expected);
    check(&before.replace("return c.Items", "return c.Items + 1"), &["body_changed Cart.Sum"]);
    check(&before.replace("Sum() int", "Sum() int64"), &["signature_changed Cart.Sum"]);
    check(&before.replace("Items int", "Items int64"), &["signature_changed Cart.Items"]);
    check("", &["removed ", "removed Cart", "removed Cart.Items", "removed Cart.Sum", "removed old"]);
}

const PRICES: &str = "def rate(x):\n    return x\ndef gone(): ...\n";
const CART: &str = "from prices import rate\nclass Cart:\n    def total(self):\n        return rate(1)\n";
const TESTS: &str = "from cart import Cart\ndef test_total():\n    Cart().total()\ndef test_other(): ...\n";

#[test]
fn a_change_reaches_callers_and_their_tests_with_the_path() {
    let changed = PRICES.replace("return x", "return x * 2");
    let impact = impact(&[
        ("prices.py", PRICES, &changed),
        ("cart.py", CART, CART),
        ("tests/test_cart.py", TESTS, TESTS),
        ("other.py", "import os\n", "import os\n"),
    ]);
    let lines: Vec<String> = impact
        .affected
        .iter()
        .map(|it| format!("{} {} {} {}", it.distance, it.symbol, it.tier.name(), it.weakest.name()))
        .collect();
    let expected = [
        "1 python:cart.py# inferred_high import",
        "1 python:cart.py#Cart.total inferred_high imported_name",
        "2 python:tests/test_cart.py#test_total inferred_high typed",
    ];
    assert_eq!(lines, expected);
    let via: Vec<&str> = impact.affected[2].via.iter().map(|it| it.as_str()).collect();
    assert_eq!(
        via,
        ["python:prices.py#rate", "python:cart.py#Cart.total", "python:tests/test_cart.py#test_total"]
    );
    let tests: Vec<(&str, u32)> =
        impact.tests.iter().map(|it| (it.symbol.as_ref().unwrap().as_str(), it.line)).collect();
    assert_eq!(tests, [("python:tests/test_cart.py#test_total", 2)]);
    let evidence: Vec<_> = impact.affected[2].evidence().map(|it| it.tier().name()).collect();
    assert_eq!(evidence, ["inferred_high"]);
}

#[test]
fn module_code_reaches_all_that_imports_it_and_formatting_reaches_nothing() {
    let files = |after: &str| {
        let after = after.to_owned();
        impact(&[
            ("prices.py", PRICES, &after),
            ("cart.py", CART, CART),
            ("tests/test_cart.py", TESTS, TESTS),
        ])
    };
    let module = files(&[PRICES, "print(1)\n"].concat());
    let reached: Vec<&str> = module.affected.iter().map(|it| it.symbol.as_str()).collect();
    assert_eq!(reached, ["python:cart.py#", "python:tests/test_cart.py#"]);
    let tests: Vec<_> = module.tests.iter().map(|it| (it.path.to_string(), it.symbol.is_none())).collect();
    assert_eq!(tests, [("tests/test_cart.py".to_owned(), true)]);
    let formatted = files(&PRICES.replace("return x", "return x  # why"));
    assert!(formatted.affected.is_empty() && formatted.changed.len() == 1);
    let removed = files(&PRICES.replace("def gone(): ...\n", ""));
    assert_eq!(removed.affected.len(), 1);
    assert!(removed.notes.iter().any(|it| it.code == "removed_symbol"));
}

#[test]
fn what_cannot_be_seen_is_noted() {
    let impact = impact(&[
        ("Cargo.lock", "a\n", "b\n"),
        ("a.sql", "select 1\n", "select 2\n"),
        ("a.py", "def f(): ...\n", "def f(:\n"),
    ]);
    let codes: Vec<&str> = impact.notes.iter().map(|it| it.code.as_str()).collect();
    assert_eq!(
        codes,
        ["changed_file_parse_partial", "configuration_changed", "language_without_outline", "parse_partial"]
    );
}

/// The tests that a change of the first file reaches, as they are listed; a file as a whole by its path alone.
fn check_tests(files: &[(&str, &str, &str)], expected: &[&str]) {
    let tests = impact(files).tests;
    let listed = tests.iter().map(|it| it.symbol.as_ref().map_or(it.path.to_string(), ToString::to_string));
    let listed: Vec<String> = listed.map(|it| it.rsplit(':').next().unwrap_or_default().to_owned()).collect();
    assert_eq!(listed, expected);
}

#[test]
fn what_a_suite_runs_it_runs_for_every_test_in_it() {
    let source = "export function make() {\n  return 1\n}\n";
    let tests = "import { make } from './a'\n\ndescribe('one', () => {\n  beforeEach(() => {\n    make()\n  })\n  it('first', () => {})\n})\n\ndescribe('two', () => {\n  it('second', () => {})\n})\n";
    let changed = source.replace("return 1", "return 2");
    check_tests(&[("a.ts", source, &changed), ("a.test.ts", tests, tests)], &["a.test.ts#one.first"]);
}

/// Tests in a function run in the files that call it, under no name of their own there.
#[test]
fn tests_in_a_function_belong_to_the_files_that_call_it() {
    let source = "export function make() {\n  return 1\n}\n";
    let common = "import { make } from './a'\n\nexport const runTest = () => {\n  describe('all', () => {\n    it('makes', () => {\n      make()\n    })\n  })\n}\n";
    let user = "import { runTest } from './common.test'\n\ndescribe('b', () => {\n  runTest()\n  it('own', () => {})\n})\n";
    let other = "it('other', () => {})\n";
    let changed = source.replace("return 1", "return 2");
    let files = [
        ("a.ts", source, changed.as_str()),
        ("b.test.ts", user, user),
        ("c.test.ts", other, other),
        ("common.test.ts", common, common),
    ];
    check_tests(&files, &["common.test.ts#runTest.all.makes", "b.test.ts#b.own", "b.test.ts"]);
}

#[test]
fn the_language_calls_methods_of_what_is_made() {
    let source = "class Bar:\n    def __exit__(self, *it):\n        return 1\n\n    def quiet(self):\n        return 1\n\ndef bar():\n    return Bar()\n";
    let tests = "from a import bar\n\ndef test_bar():\n    with bar() as it:\n        pass\n\ndef test_other(): ...\n";
    let changed = source.replacen("return 1", "return 2", 1);
    check_tests(&[("a.py", source, &changed), ("test_a.py", tests, tests)], &["test_a.py#test_bar"]);
    let changed = source.replace("def quiet(self):\n        return 1", "def quiet(self):\n        return 2");
    check_tests(&[("a.py", source, &changed), ("test_a.py", tests, tests)], &[]);
}

#[test]
fn who_takes_a_class_as_a_value_may_make_one() {
    let source = "class Command:\n    def __init__(self):\n        self.a = 1\n\ndef command(cls=None):\n    if cls is None:\n        cls = cast(Command)\n    return cls()\n\ndef told(it: Command):\n    return it\n";
    let tests =
        "from a import command, told\n\ndef test_made():\n    command()\n\ndef test_told():\n    told(1)\n";
    let changed = source.replace("self.a = 1", "self.a = 2");
    check_tests(&[("a.py", source, &changed), ("test_a.py", tests, tests)], &["test_a.py#test_made"]);
}

#[test]
fn hooks_run_for_the_tests_beside_them_and_of_heirs() {
    let source = "def make():\n    return 1\n";
    let tests = "from a import make\n\nclass TestBase:\n    def setUp(self):\n        make()\n\n    def test_base(self): ...\n\nclass TestHeir(TestBase):\n    def test_heir(self): ...\n\nclass TestOther:\n    def test_other(self): ...\n";
    let changed = source.replace("return 1", "return 2");
    let expected = ["test_a.py#TestBase.test_base", "test_a.py#TestHeir.test_heir"];
    check_tests(&[("a.py", source, &changed), ("test_a.py", tests, tests)], &expected);
}

#[test]
fn tests_stand_in_the_order_of_how_rarely_and_surely_they_use_the_change() {
    let source = "def rare():\n    return 1\n\ndef often():\n    return rare()\n";
    let tests = "from a import often, rare\n\ndef test_a():\n    often()\n\ndef test_b():\n    often()\n\ndef test_c():\n    rare()\n\ndef test_rare_one():\n    often()\n";
    let changed = source.replace("return 1", "return 2");
    let expected = ["test_a.py#test_c", "test_a.py#test_rare_one", "test_a.py#test_a", "test_a.py#test_b"];
    check_tests(&[("a.py", source, &changed), ("test_a.py", tests, tests)], &expected);
}

#[test]
fn a_constructor_runs_with_those_of_heirs() {
    let source = "export class Base {\n  constructor() {\n    this.a = 1\n  }\n}\n\nexport class Heir extends Base {\n  constructor() {\n    super()\n  }\n}\n";
    let tests =
        "import { Heir } from './a'\n\nit('makes', () => {\n  new Heir()\n})\n\nit('not', () => {})\n";
    let changed = source.replace("this.a = 1", "this.a = 2");
    check_tests(&[("a.ts", source, &changed), ("a.test.ts", tests, tests)], &["a.test.ts#makes"]);
}
