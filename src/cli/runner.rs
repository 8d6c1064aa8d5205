//! Tests in the words of those who run them: each line can be handed over as it is.

use std::collections::BTreeMap;

use super::args::Runner;
use crate::bundle::AffectedTest;

/// The tests of a runner's language. A runner that is asked by file gets each file once, in the order of its first test.
pub fn lines(runner: Runner, tests: &[AffectedTest]) -> Vec<String> {
    let own = tests.iter().filter(|it| endings(runner).iter().any(|end| it.path.to_string().ends_with(end)));
    match runner {
        Runner::Pytest => own.map(node_id).collect(),
        Runner::Jest | Runner::Vitest => once(own.map(|it| it.path.to_string())),
        Runner::Cargo => once(own.filter_map(|it| it.name.as_ref().map(|it| last(it).to_owned()))),
        Runner::Nextest => once(own.filter_map(|it| {
            let name = it.name.as_ref()?;
            Some(format!("test(/(^|::){}$/)", name.replace('.', "::")))
        })),
        Runner::Go => packages(own),
        Runner::Junit => once(own.filter_map(|it| {
            let name = it.name.as_ref()?;
            let (class, method) = name.rsplit_once('.')?;
            Some(format!("{}#{method}", last(class)))
        })),
        Runner::List => own.map(plain).collect(),
    }
}

fn plain(test: &AffectedTest) -> String {
    let name = test.name.as_ref().map(|it| format!("::{it}")).unwrap_or_default();
    format!("{}{name}", test.path)
}

const fn endings(runner: Runner) -> &'static [&'static str] {
    match runner {
        Runner::Pytest => &[".py"],
        Runner::Jest | Runner::Vitest => &[".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts"],
        Runner::Cargo | Runner::Nextest => &[".rs"],
        Runner::Go => &[".go"],
        Runner::Junit => &[".java", ".kt"],
        Runner::List => &[""],
    }
}

fn node_id(test: &AffectedTest) -> String {
    let name = test.name.as_ref().map(|it| format!("::{}", it.replace('.', "::")));
    format!("{}{}", test.path, name.unwrap_or_default())
}

/// One line for each package: `./folder -run '^(TestA|TestB)$'`, or the folder alone where all of it is meant.
fn packages<'t>(tests: impl Iterator<Item = &'t AffectedTest>) -> Vec<String> {
    let mut order: Vec<String> = Vec::new();
    let mut names: BTreeMap<String, Option<Vec<String>>> = BTreeMap::new();
    for test in tests {
        let folder = test.path.parent().map_or_else(|| ".".to_owned(), |it| format!("./{it}"));
        if !names.contains_key(&folder) {
            order.push(folder.clone());
        }
        let known = names.entry(folder).or_insert_with(|| Some(Vec::new()));
        match (known.as_mut(), &test.name) {
            (Some(known), Some(name)) => known.push(last(name).to_owned()),
            (_, None) => *known = None,
            (None, Some(_)) => {}
        }
    }
    let line = |folder: String| match names.get(&folder) {
        Some(Some(names)) => format!("{folder} -run '^({})$'", names.join("|")),
        Some(None) | None => folder,
    };
    order.into_iter().map(line).collect()
}

fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

fn once(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    lines.filter(|it| seen.insert(it.clone())).collect()
}
