//! Each language's fixture against its listing, and the walk against hostile text.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use proptest::prelude::{prop_assert, proptest};

use super::{Access, ImportForm, Outline, Qualifier, Role, Value, ValueNumber, Written, WrittenNumber};
use crate::syntax::{Kinds, Language, Limits, parse, survey};

fn outline_of(text: &str, language: &str) -> Outline {
    let language = Language::of_name(language).unwrap();
    // A loaded machine is no reason to give a file up.
    let limits = Limits { deadline: Duration::from_secs(600), ..Limits::default() };
    survey(&parse(text.to_owned(), language, limits).unwrap(), &Kinds::default()).outline.unwrap()
}

fn listing(outline: &Outline) -> String {
    let mut text = String::new();
    for package in &outline.packages {
        writeln!(text, "package {package}").unwrap();
    }
    for it in &outline.definitions {
        let body = it.body_start.map_or("-".to_owned(), |it| it.to_string());
        let test = if it.role == Role::Test { " test" } else { "" };
        let declared = it.declared.map_or(String::new(), |it| format!(": {}", written(outline, it)));
        let value = it.value.map_or(String::new(), |it| format!(" = {}", value_of(outline, it)));
        let access = if it.access == Access::Runs { " runs" } else { "" };
        writeln!(
            text,
            "define {} {} [{}..{} name {} body {body}] {}{test}{access}{declared}{value}",
            it.kind.name(),
            it.qualified,
            it.span.start,
            it.span.end,
            it.name_span.start,
            it.visibility.name(),
        )
        .unwrap();
    }
    for it in &outline.imports {
        let names: Vec<String> = it
            .names
            .iter()
            .map(|it| {
                it.alias.as_ref().map_or(it.name.to_string(), |alias| format!("{} as {alias}", it.name))
            })
            .collect();
        let form = if it.form == ImportForm::ReExport { " re-export" } else { "" };
        let dots = ".".repeat(it.dots as usize);
        writeln!(
            text,
            "import {} {dots}{} {{{}}} {}{form}",
            it.kind.name(),
            it.module,
            names.join(", "),
            it.span.start
        )
        .unwrap();
    }
    for it in &outline.references {
        let qualifier = match it.qualifier {
            Qualifier::Absent => String::new(),
            Qualifier::Named(name) => format!("{}|", outline.text(name)),
            Qualifier::Value(value) => format!("{}|", value_of(outline, value)),
            Qualifier::Expression => "()|".to_owned(),
        };
        let within = it.within.map_or("-", |it| outline.definitions[it as usize].qualified.as_ref());
        writeln!(text, "{} {qualifier}{} {} in {within}", it.kind.name(), outline.text(it.name), it.start)
            .unwrap();
    }
    list_bindings(outline, &mut text);
    writeln!(text, "errors {}", outline.errors).unwrap();
    text
}

fn list_bindings(outline: &Outline, text: &mut String) {
    for it in outline.all_bindings() {
        let declared = it.declared.map_or(String::new(), |it| format!(": {}", written(outline, it)));
        let value = it.value.map_or(String::new(), |it| format!(" = {}", value_of(outline, it)));
        let place = it.parameter.map_or(String::new(), |it| format!(" parameter {it}"));
        writeln!(text, "bind {} {}{place}{declared}{value}", it.function, outline.text(it.name)).unwrap();
    }
}

fn value_of(outline: &Outline, number: ValueNumber) -> String {
    let inner = |it: ValueNumber| value_of(outline, it);
    match outline.value(number).unwrap() {
        Value::Name(name) => outline.text(name).to_owned(),
        Value::Member(of, name) => format!("{}.{}", inner(of), outline.text(name)),
        Value::Call(of, argument) => format!("{}({})", inner(of), argument.map_or(String::new(), inner)),
        Value::New(of) => format!("new {}", inner(of)),
        Value::Item(of) => format!("{}[]", inner(of)),
        Value::Part(of, place) => format!("{}[{place}]", inner(of)),
        Value::Awaited(of) => format!("await {}", inner(of)),
        Value::Entered(of) => format!("enter {}", inner(of)),
        Value::Either(one, other) => format!("({} or {})", inner(one), inner(other)),
        Value::Of(it) => format!("a {}", written(outline, it)),
        Value::Passed { callee, argument, parameter } => {
            format!("<{}: argument {argument}, parameter {parameter}>", inner(callee))
        }
        Value::Injected(name) => format!("<fixture {}>", outline.text(name)),
        Value::Literal => "literal".to_owned(),
    }
}

fn written(outline: &Outline, number: WrittenNumber) -> String {
    let list = |parts: &[WrittenNumber], between: &str| {
        parts.iter().map(|it| written(outline, *it)).collect::<Vec<_>>().join(between)
    };
    match outline.written(number).unwrap() {
        Written::Named(name, parts) if parts.is_empty() => outline.text(*name).to_owned(),
        Written::Named(name, parts) => format!("{}<{}>", outline.text(*name), list(parts, ", ")),
        Written::Either(parts) => list(parts, " | "),
        Written::Sequence(of) => format!("{}[]", written(outline, *of)),
        Written::Tuple(parts) => format!("({})", list(parts, ", ")),
        Written::Function(parts) => format!("fn({})", list(parts, ", ")),
        Written::Unknown => "?".to_owned(),
    }
}

/// The type that a variable is declared with, as it is understood.
fn declared(text: &str, language: &str) -> String {
    let outline = outline_of(text, language);
    outline.definitions.last().unwrap().declared.map_or("-".to_owned(), |it| written(&outline, it))
}

#[test]
fn types_are_understood_as_far_as_they_tell_of_members() {
    let python = [
        ("x: list[a.Item] | None", "list<a.Item> | None"),
        ("x: 'Item[str]'", "Item<str>"),
        ("x: Callable[[A, B], C]", "Callable<(A, B), C>"),
        ("x: t.Callable[..., A]", "t.Callable<?, A>"),
        ("x: dict[str, tuple[A, ...]]", "dict<str, tuple<A, ?>>"),
        ("x: Annotated[A, 'b c']", "Annotated<A, b>"),
    ];
    let typescript = [
        ("let x: readonly Item[]", "Item[]"),
        ("let x: Promise<A | null>", "Promise<A | null>"),
        ("let x: (c: Context<E>, next?: Next) => R", "fn(Context<E>, Next, R)"),
        ("let x: [a: A, ...rest: B[]]", "(A, B[])"),
        ("let x: { a: A }", "-"),
        ("let x: keyof A", "-"),
        ("let x: A['member']", "-"),
        ("let x: Map<string, Set<A>>", "Map<string, Set<A>>"),
    ];
    for (text, expected) in python {
        assert_eq!(declared(text, "python"), expected, "{text}");
    }
    for (text, expected) in typescript {
        assert_eq!(declared(text, "typescript"), expected, "{text}");
    }
}

#[test]
fn every_language_reads_its_fixture() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/outline");
    for name in ["a.py", "a.js", "a.ts", "a.tsx", "a.rs", "a.go", "A.java", "a.kt", "a.cs"] {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let language = Language::of_path(&name.parse().unwrap()).unwrap();
        let actual = listing(&outline_of(&text, &language.name()));
        let golden = folder.join(format!("{name}.outline"));
        #[expect(clippy::disallowed_methods, reason = "the test renews its own golden file on demand")]
        if std::env::var("CORTEX_BLESS").is_ok() {
            std::fs::write(&golden, &actual).unwrap();
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(actual, expected, "{name}; CORTEX_BLESS=1 renews it");
    }
}

#[test]
fn broken_text_is_counted_and_what_is_whole_is_kept() {
    let outline = outline_of("def f(:\n    pass\n\ndef g():\n    return h(1)\n", "python");
    assert!(outline.errors > 0);
    assert!(outline.definitions.iter().any(|it| &*it.name == "g"));
}

#[test]
fn a_place_in_a_file_of_one_line_is_counted_in_characters() {
    let text = "const é = f(1);".repeat(60_000);
    let outline = outline_of(&text, "javascript");
    let last = outline.references.last().unwrap();
    assert_eq!(last.start.column as usize, 59_999 * 15 + 11);
}

proptest! {
    #[test]
    fn no_text_stops_the_walk(text in "[a-z(){};:.,=<>@#\"'`\\n \\[\\]é]{0,200}", which in 0usize..9) {
        let names = ["python", "javascript", "typescript", "tsx", "rust", "go", "java", "kotlin", "csharp"];
        let outline = outline_of(&text, names[which]);
        for it in &outline.definitions {
            prop_assert!(it.span.encloses(&it.name_span), "{text:?}");
        }
    }
}
