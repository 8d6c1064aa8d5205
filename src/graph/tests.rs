//! Small programs of each language, with the edges that a reader finds in them.

use super::{EdgeKind, Graph, Roots, SourceFile, build};
use crate::model::RepoPath;
use crate::syntax::{Kinds, Language, Limits, parse, survey};

fn graph(files: &[(&str, &str)]) -> Graph {
    let path = |it: &str| it.parse::<RepoPath>().unwrap();
    let sources: Vec<SourceFile> = files
        .iter()
        .filter_map(|(name, text)| {
            let path = path(name);
            let language = Language::of_path(&path)?;
            let outline =
                survey(&parse((*text).to_owned(), language, Limits::default()).unwrap(), &Kinds::default())
                    .outline?;
            Some(SourceFile { path, language, outline })
        })
        .collect();
    let manifests: Vec<(RepoPath, &str)> = files.iter().map(|it| (path(it.0), it.1)).collect();
    build(&sources, &Roots::of_manifests(manifests.iter().map(|(path, text)| (path, *text))), None)
}

/// The edges but those of import statements, as `from kind to resolution`.
fn uses(graph: &Graph) -> Vec<String> {
    let name = |it: u32| graph.symbol(it).unwrap().id.as_str().split_once(':').unwrap().1.to_owned();
    let edges = graph.edges().iter().filter(|it| it.kind.name() != "imports");
    let line = |it: &super::Edge| {
        format!("{} {} {} {}", name(it.from), it.kind.name(), name(it.to), it.resolution.name())
    };
    let mut lines: Vec<String> = edges.map(line).collect();
    lines.sort();
    lines
}

fn check(files: &[(&str, &str)], expected: &[&str]) {
    assert_eq!(uses(&graph(files)), expected);
}

#[test]
fn python_follows_imports_classes_and_reexports() {
    check(
        &[
            ("src/shop/__init__.py", "from .cart import Cart as Basket\n"),
            (
                "src/shop/cart.py",
                "from shop import prices\nclass Base:\n    def log(self): ...\nclass Cart(Base):\n    def __init__(self): self.log()\n    def total(self):\n        return prices.rate(self.items)\n",
            ),
            ("src/shop/prices.py", "def rate(x): ...\ndef unused(x):\n    return other.rate(x)\n"),
            (
                "app.py",
                "import shop\nfrom shop import Basket\ndef run(it):\n    shop.Basket()\n    Basket().total()\n    it.log()\n",
            ),
        ],
        &[
            "app.py#run calls src/shop/cart.py#Base.log unique_reachable_member",
            "app.py#run calls src/shop/cart.py#Cart imported_name",
            "app.py#run calls src/shop/cart.py#Cart.__init__ imported_name",
            "app.py#run calls src/shop/cart.py#Cart.total typed",
            "src/shop/cart.py#Cart inherits src/shop/cart.py#Base same_file",
            "src/shop/cart.py#Cart.__init__ calls src/shop/cart.py#Base.log self_member",
            "src/shop/cart.py#Cart.total calls src/shop/prices.py#rate module_member",
        ],
    );
}

#[test]
fn fixtures_are_found_by_the_names_of_parameters() {
    check(
        &[
            (
                "tests/conftest.py",
                "import pytest\n@pytest.fixture\ndef shop(rate): ...\n@pytest.fixture()\ndef rate(): ...\n",
            ),
            (
                "tests/unit/test_a.py",
                "def test_shop(shop, tmp_path):\n    shop.open()\ndef helper(shop): ...\n",
            ),
        ],
        &[
            "tests/conftest.py#shop calls tests/conftest.py#rate same_file",
            "tests/unit/test_a.py#test_shop calls tests/conftest.py#shop same_package",
        ],
    );
}

#[test]
fn production_code_never_leads_to_tests_and_nothing_leads_where_no_import_does() {
    check(
        &[
            ("a.py", "import b\ndef f(x):\n    x.far()\n    x.mock()\n    b.g()\n"),
            ("b.py", "def g(): ...\n"),
            ("far.py", "class Far:\n    def far(self): ...\n"),
            (
                "tests/test_a.py",
                "from a import f\nclass Mock:\n    def mock(self): ...\ndef test_f():\n    f(Mock())\n",
            ),
        ],
        &[
            "a.py#f calls b.py#g module_member",
            "tests/test_a.py#test_f calls a.py#f imported_name",
            "tests/test_a.py#test_f calls tests/test_a.py#Mock same_file",
        ],
    );
}

#[test]
fn typescript_follows_extensions_barrels_aliases_and_workspaces() {
    check(
        &[
            (
                "tsconfig.json",
                "{ // paths\n \"compilerOptions\": { \"baseUrl\": \".\", \"paths\": { \"@/*\": [\"src/*\"] } } }",
            ),
            ("packages/core/package.json", "{\"name\": \"@shop/core\"}"),
            (
                "packages/core/src/index.ts",
                "export * from './sum.js'\nexport { default as Cart } from './cart'\n",
            ),
            ("packages/core/src/sum.ts", "export const sum = (a: number) => a\n"),
            ("packages/core/src/cart.ts", "export default class Cart { constructor() {} }\n"),
            ("src/util.ts", "export function pick() {}\nexport { pick as choose }\n"),
            (
                "src/main.tsx",
                "import { sum, Cart } from '@shop/core'\nimport { choose } from '@/util'\nimport * as util from './util'\nexport const Page = () => { sum(1); new Cart(); choose(); util.pick(); return <Page /> }\n",
            ),
        ],
        &[
            "src/main.tsx#Page calls packages/core/src/cart.ts#Cart imported_name",
            "src/main.tsx#Page calls packages/core/src/cart.ts#Cart.constructor imported_name",
            "src/main.tsx#Page calls packages/core/src/sum.ts#sum imported_name",
            "src/main.tsx#Page calls src/util.ts#pick imported_name",
        ],
    );
}

#[test]
fn rust_follows_modules_uses_and_implementations() {
    check(
        &[
            ("Cargo.toml", "[package]\nname = \"the-shop\"\n"),
            ("src/lib.rs", "mod cart;\npub mod prices;\npub use cart::Cart;\n"),
            (
                "src/cart.rs",
                "use crate::prices::{self, Rate};\npub struct Cart;\nimpl Cart {\n    pub fn total(&self) { self.log(); prices::rate(); Rate::new() }\n    fn log(&self) {}\n}\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn adds() { assert!(Cart.total()) }\n}\n",
            ),
            (
                "src/prices.rs",
                "pub fn rate() {}\npub struct Rate;\nimpl Rate { pub fn new() { super::Cart::make() } }\n",
            ),
            (
                "src/main.rs",
                "use the_shop::Cart;\nfn main() { let cart = Cart; the_shop::prices::rate(); cart.total() }\n",
            ),
        ],
        &[
            "src/cart.rs#Cart.total calls src/cart.rs#Cart.log self_member",
            "src/cart.rs#Cart.total calls src/prices.rs#Rate.new module_member",
            "src/cart.rs#Cart.total calls src/prices.rs#rate module_member",
            "src/cart.rs#Cart.total references src/prices.rs#Rate imported_name",
            "src/cart.rs#tests.adds calls src/cart.rs#Cart.total module_member",
            "src/cart.rs#tests.adds references src/cart.rs#Cart imported_name",
            "src/main.rs#main calls src/cart.rs#Cart.total typed",
            "src/main.rs#main calls src/prices.rs#rate module_member",
            "src/main.rs#main references src/cart.rs#Cart imported_name",
            "src/prices.rs#Rate.new references src/cart.rs#Cart module_member",
        ],
    );
}

#[test]
fn go_follows_packages_and_embedded_types() {
    check(
        &[
            ("go.mod", "module example.org/shop // the shop\n"),
            (
                "money/money.go",
                "package money\nfunc Zero() int { return 0 }\ntype Ledger struct{}\nfunc (l *Ledger) Log() {}\n",
            ),
            (
                "cart.go",
                "package shop\nimport \"example.org/shop/money\"\ntype Cart struct { money.Ledger }\nfunc (c *Cart) Sum() int { c.Log(); helper(); return money.Zero() }\n",
            ),
            ("helper.go", "package shop\nfunc helper() {}\n"),
            (
                "cart_test.go",
                "package shop\nimport \"testing\"\nfunc TestSum(t *testing.T) { c := Cart{}; c.Sum() }\n",
            ),
        ],
        &[
            "cart.go#Cart inherits money/money.go#Ledger module_member",
            "cart.go#Cart.Sum calls helper.go#helper same_package",
            "cart.go#Cart.Sum calls money/money.go#Ledger.Log self_member",
            "cart.go#Cart.Sum calls money/money.go#Zero module_member",
            "cart.go#Cart.Sum references cart.go#Cart same_file",
            "cart_test.go#TestSum calls cart.go#Cart.Sum typed",
            "cart_test.go#TestSum references cart.go#Cart same_package",
            "money/money.go#Ledger.Log references money/money.go#Ledger same_file",
        ],
    );
}

#[test]
fn java_kotlin_and_csharp_follow_packages_and_bases() {
    check(
        &[
            ("src/main/java/a/Base.java", "package a;\npublic class Base { protected void log() {} }\n"),
            (
                "src/main/java/a/Cart.java",
                "package a;\nimport static b.Money.zero;\nimport b.*;\nclass Cart extends Base { Cart() { log(); zero(); Money.of(); } }\n",
            ),
            (
                "src/main/java/b/Money.java",
                "package b;\npublic class Money { static int zero() { return 0; } static int of() { return 1; } }\n",
            ),
            ("src/main/kotlin/c/Main.kt", "package c\nimport b.Money as Cash\nfun main() { Cash.zero() }\n"),
            (
                "Shop/Cart.cs",
                "using Shop.Money;\nnamespace Shop { class Cart { void Run() { new Ledger(); Help(); } void Help() {} } }\n",
            ),
            ("Shop/Ledger.cs", "namespace Shop.Money;\nclass Ledger { public Ledger() {} }\n"),
        ],
        &[
            "Shop/Cart.cs#Cart.Run calls Shop/Cart.cs#Cart.Help self_member",
            "Shop/Cart.cs#Cart.Run calls Shop/Ledger.cs#Ledger imported_name",
            "Shop/Cart.cs#Cart.Run calls Shop/Ledger.cs#Ledger.Ledger imported_name",
            "src/main/java/a/Cart.java#Cart inherits src/main/java/a/Base.java#Base same_package",
            "src/main/java/a/Cart.java#Cart.Cart calls src/main/java/a/Base.java#Base.log self_member",
            "src/main/java/a/Cart.java#Cart.Cart calls src/main/java/b/Money.java#Money.of module_member",
            "src/main/java/a/Cart.java#Cart.Cart calls src/main/java/b/Money.java#Money.zero imported_name",
            "src/main/java/a/Cart.java#Cart.Cart references src/main/java/b/Money.java#Money imported_name",
            "src/main/kotlin/c/Main.kt#main calls src/main/java/b/Money.java#Money.zero module_member",
            "src/main/kotlin/c/Main.kt#main references src/main/java/b/Money.java#Money imported_name",
        ],
    );
}

#[test]
fn an_overridden_method_leads_to_what_replaces_it() {
    check(
        &[("a.py", "class A:\n    def f(self): ...\nclass B(A):\n    def f(self):\n        super().f()\n")],
        &[
            "a.py#A.f overridden a.py#B.f self_member",
            "a.py#B inherits a.py#A same_file",
            "a.py#B.f calls a.py#A.f self_member",
        ],
    );
}

#[test]
fn the_place_of_every_edge_lies_in_the_file_that_it_begins_in() {
    let base = "class Base:\n    def run(self):\n        return 1\n";
    let sub = "from base import Base\n\n\nclass Sub(Base):\n\n\n    def run(self):\n        return 2\n";
    let files = [("base.py", base), ("sub.py", sub)];
    let graph = graph(&files);
    let overrides: Vec<_> = graph.edges().iter().filter(|it| it.kind == EdgeKind::Overridden).collect();
    // `run` of the base stands on its second line, that of the subclass on its seventh.
    assert_eq!(overrides.iter().map(|it| it.place.start.line).collect::<Vec<_>>(), [2]);
}

#[test]
fn loops_of_reexports_and_bases_end() {
    let graph = graph(&[
        ("a.ts", "export * from './b'\nimport { x } from './b'\nx()\n"),
        ("b.ts", "export * from './a'\nexport * from './b'\n"),
        ("c.py", "from c import *\nclass A(B): ...\nclass B(A):\n    def f(self): self.g()\n"),
    ]);
    assert!(graph.edges().len() < 20);
}

#[test]
fn many_namesakes_do_not_multiply() {
    let text = ["def f(): ...\n".repeat(2_000), "f()\n".repeat(2_000), "x.f()\n".repeat(2_000)].concat();
    let graph = graph(&[("a.py", &text), ("b.py", "from a import *\ndef g():\n    f()\n")]);
    assert_eq!(graph.edges().iter().filter(|it| it.candidates == 16).count(), 32);
}

#[test]
fn what_could_not_be_followed_is_noted() {
    let graph = graph(&[("a.py", "from .gone import x\ndef f(:\n"), ("b.ts", "import x from './gone'\n")]);
    let codes: Vec<String> =
        graph.notes.iter().map(|it| format!("{} {}", it.code, it.path.as_ref().unwrap())).collect();
    assert_eq!(codes, ["import_unresolved a.py", "import_unresolved b.ts", "parse_partial a.py"]);
}

#[test]
fn the_second_of_a_name_has_an_identity_of_its_own() {
    let graph = graph(&[("a.py", "def f(): ...\ndef f(): ...\n")]);
    let ids: Vec<&str> = graph.symbols().iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["python:a.py#", "python:a.py#f", "python:a.py#f~2"]);
}

#[test]
fn types_of_receivers_are_followed_in_java() {
    check(
        &[
            (
                "a/Shop.java",
                "package a;\nclass Shop { Cart cart; Cart open() { return cart; } static Shop of() { return new Shop(); } }\nclass Cart { void add() {} }\n",
            ),
            (
                "a/Main.java",
                "package a;\nclass Main {\n  void run(Shop shop, java.util.List<Cart> many) {\n    shop.open().add();\n    var other = Shop.of();\n    other.cart.add();\n    for (Cart it : many) { it.add(); }\n  }\n}\n",
            ),
        ],
        &[
            "a/Main.java#Main.run calls a/Shop.java#Cart.add typed",
            "a/Main.java#Main.run calls a/Shop.java#Shop.of module_member",
            "a/Main.java#Main.run calls a/Shop.java#Shop.open typed",
            "a/Main.java#Main.run references a/Shop.java#Cart same_package",
            "a/Main.java#Main.run references a/Shop.java#Shop same_package",
            "a/Main.java#Main.run references a/Shop.java#Shop.cart typed",
            "a/Shop.java#Shop.cart references a/Shop.java#Cart same_file",
            "a/Shop.java#Shop.of calls a/Shop.java#Shop same_file",
            "a/Shop.java#Shop.of references a/Shop.java#Shop same_file",
            "a/Shop.java#Shop.open references a/Shop.java#Cart same_file",
            "a/Shop.java#Shop.open references a/Shop.java#Shop.cart self_member",
        ],
    );
}

#[test]
fn types_of_receivers_are_followed_in_csharp() {
    check(
        &[
            (
                "a/Shop.cs",
                "namespace A; class Shop { public Cart Open() => new Cart(); public Cart Main { get; } }\nclass Cart { public void Add() {} }\n",
            ),
            (
                "a/Main.cs",
                "namespace A; class Main {\n  void Run(Shop shop) {\n    shop.Open().Add();\n    var cart = shop.Main;\n    cart?.Add();\n    foreach (var it in new List<Cart>()) { it.Add(); }\n  }\n}\n",
            ),
        ],
        &[
            "a/Main.cs#Main.Run calls a/Shop.cs#Cart.Add typed",
            "a/Main.cs#Main.Run calls a/Shop.cs#Shop.Open typed",
            "a/Main.cs#Main.Run references a/Shop.cs#Cart same_package",
            "a/Main.cs#Main.Run references a/Shop.cs#Shop same_package",
            "a/Main.cs#Main.Run references a/Shop.cs#Shop.Main typed",
            "a/Shop.cs#Shop.Main references a/Shop.cs#Cart same_file",
            "a/Shop.cs#Shop.Open calls a/Shop.cs#Cart same_file",
            "a/Shop.cs#Shop.Open references a/Shop.cs#Cart same_file",
        ],
    );
}

#[test]
fn types_of_receivers_are_followed_in_kotlin() {
    check(
        &[
            (
                "a/Shop.kt",
                "package a\nclass Shop(val cart: Cart) { fun open(): Cart = cart }\nclass Cart { fun add() {} }\n",
            ),
            (
                "a/Main.kt",
                "package a\nfun run(shop: Shop, many: List<Cart>) {\n  shop.open().add()\n  val other = Shop(Cart())\n  other.cart.add()\n  for (it in many) { it.add() }\n}\n",
            ),
        ],
        &[
            "a/Main.kt#run calls a/Shop.kt#Cart same_package",
            "a/Main.kt#run calls a/Shop.kt#Cart.add typed",
            "a/Main.kt#run calls a/Shop.kt#Shop same_package",
            "a/Main.kt#run calls a/Shop.kt#Shop.open typed",
            "a/Main.kt#run references a/Shop.kt#Cart same_package",
            "a/Main.kt#run references a/Shop.kt#Shop same_package",
            "a/Main.kt#run references a/Shop.kt#Shop.cart typed",
            "a/Shop.kt#Shop.cart references a/Shop.kt#Cart same_file",
            "a/Shop.kt#Shop.open references a/Shop.kt#Cart same_file",
            "a/Shop.kt#Shop.open references a/Shop.kt#Shop.cart self_member",
        ],
    );
}
