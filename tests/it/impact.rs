//! `cortex impact`, `cortex tests` and `cortex graph edges`, over a small shop in several languages.

use serde_json::{Value, json};

use super::fixture::Repo;

fn shop() -> Repo {
    let repo = Repo::with(&[
        ("shop/__init__.py", ""),
        (
            "shop/cart.py",
            "class Cart:\n    def __init__(self):\n        self.items = []\n\n    def total(self):\n        return 1\n",
        ),
        (
            "shop/till.py",
            "from shop.cart import Cart\n\n\nclass Till:\n    def __init__(self, cart: Cart):\n        self.cart = cart\n\n    def pay(self):\n        return self.cart.total()\n",
        ),
        (
            "tests/conftest.py",
            "import pytest\nfrom shop.till import Till\nfrom shop.cart import Cart\n\n\n@pytest.fixture\ndef till():\n    return Till(Cart())\n",
        ),
        (
            "tests/test_till.py",
            "class TestTill:\n    def test_pay(self, till):\n        assert till.pay() == 1\n\n\ndef test_other():\n    assert True\n",
        ),
        ("web/sum.ts", "export const sum = (a: number, b: number) => a + b\n"),
        ("web/sum.test.ts", "import { sum } from './sum'\ntest('adds up', () => { sum(1, 2) })\n"),
        ("go.mod", "module example.org/shop\n"),
        ("money/money.go", "package money\n\nfunc Zero() int { return 0 }\n"),
        (
            "money/money_test.go",
            "package money\n\nimport \"testing\"\n\nfunc TestZero(t *testing.T) { Zero() }\nfunc TestNone(t *testing.T) {}\n",
        ),
        ("Cargo.toml", "[package]\nname = \"shop\"\n"),
        (
            "src/lib.rs",
            "pub fn rate() -> u32 { 1 }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn is_one() { assert_eq!(super::rate(), 1); }\n}\n",
        ),
        ("java/a/Bag.java", "package a;\nclass Bag { int size() { return 0; } }\n"),
        ("java/a/BagTest.java", "package a;\nclass BagTest { @Test void isEmpty() { new Bag().size(); } }\n"),
    ]);
    repo.write("shop/cart.py", repo.read("shop/cart.py").replace("return 1", "return 2"));
    repo.write("web/sum.ts", "export const sum = (a: number, b: number) => b + a\n");
    repo.write("money/money.go", "package money\n\nfunc Zero() int { return 1 - 1 }\n");
    repo.write("src/lib.rs", repo.read("src/lib.rs").replace("{ 1 }", "{ 2 - 1 }"));
    repo.write("java/a/Bag.java", "package a;\nclass Bag { int size() { return 1; } }\n");
    repo
}

#[test]
fn the_json_of_an_impact_is_the_agreed_interface() {
    let repo = shop();
    let impact = repo.cortex(&["impact", "--json"]).ends(0).json();
    let changed: Vec<Value> = impact["changed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| json!([it["symbol"], it["path"], it["start_line"], it["end_line"], it["change"]]))
        .collect();
    assert_eq!(changed[2], json!(["python:shop/cart.py#Cart.total", "shop/cart.py", 5, 6, "body_changed"]));
    let pay = impact["affected"].as_array().unwrap().iter().find(|it| it["path"] == "shop/till.py").unwrap();
    assert_eq!(
        *pay,
        json!({
            "symbol": "python:shop/till.py#Till.pay",
            "path": "shop/till.py",
            "line": 9,
            "distance": 1,
            "via": ["python:shop/cart.py#Cart.total", "python:shop/till.py#Till.pay"],
            "trust": "inferred_high",
            "confidence": 0.93,
        })
    );
    let test =
        impact["tests"].as_array().unwrap().iter().find(|it| it["path"] == "tests/test_till.py").unwrap();
    assert_eq!(test["name"], "TestTill.test_pay");
    assert_eq!(
        test["via"],
        json!([
            "python:shop/cart.py#Cart.total",
            "python:shop/till.py#Till.pay",
            "python:tests/test_till.py#TestTill.test_pay",
        ])
    );
    let factors = impact["risk"]["factors"].as_array().unwrap();
    assert!(factors.iter().all(|it| it["name"].is_string() && it["share"].is_number()), "{factors:?}");
}

#[test]
fn tests_are_listed_in_the_words_of_each_runner() {
    let repo = shop();
    let listed = |runner: &str| repo.cortex(&["tests", "--format", runner]).ends(0).stdout;
    assert_eq!(listed("pytest"), "tests/test_till.py::TestTill::test_pay\n");
    assert_eq!(listed("vitest"), "web/sum.test.ts\n");
    assert_eq!(listed("go"), "./money -run '^(TestZero)$'\n");
    assert_eq!(listed("cargo"), "is_one\n");
    assert_eq!(listed("nextest"), "test(/(^|::)tests::is_one$/)\n");
    assert_eq!(listed("junit"), "BagTest#isEmpty\n");
    assert_eq!(listed("list").lines().count(), 5);
    let first = repo.cortex(&["tests", "--top", "1", "--json"]).ends(0).json();
    assert_eq!((first["tests"].as_array().unwrap().len(), &first["left_out"]), (1, &json!(4)));
}

#[test]
fn what_someone_names_is_weighed_as_if_it_changed() {
    let repo = shop();
    let named = repo.cortex(&["tests", "--symbol", "Cart.total"]).ends(0).stdout;
    assert_eq!(named, "tests/test_till.py::TestTill.test_pay\n");
    let below = repo.cortex(&["tests", "--path", "money/money.go"]).ends(0).stdout;
    assert_eq!(below, "money/money_test.go::TestZero\n");
    repo.cortex(&["impact", "--symbol", "nobody"]).fails(2, "symbol_unknown");
    repo.cortex(&["impact", "--base", "nowhere"]).fails(2, "revision_unknown");
    repo.cortex(&["impact", "--symbol", "a", "--base", "HEAD"]).ends(2);
}

#[test]
fn each_edge_is_a_line_with_both_places() {
    let repo = shop();
    let edges = repo.cortex(&["graph", "edges", "--json", "--kind", "calls", "shop"]).ends(0).stdout;
    let lines: Vec<Value> = edges.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    assert_eq!(lines.len(), 1, "{edges}");
    assert_eq!(lines[0]["from"], json!({ "path": "shop/till.py", "line": 9, "column": 26 }));
    assert_eq!(lines[0]["to"], json!({ "path": "shop/cart.py", "line": 5, "column": 9 }));
    assert_eq!(
        (&lines[0]["kind"], &lines[0]["resolution"], &lines[0]["confidence"]),
        (&json!("calls"), &json!("typed"), &json!(0.93))
    );
}
