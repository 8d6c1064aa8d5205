//! Whatever is done to a repository, in whatever order: nothing that differs from what was sealed is ever current.
#![expect(clippy::disallowed_methods, reason = "a test sets the times that it is about")]

use std::collections::BTreeSet;
use std::time::SystemTime;

use proptest::prelude::{Just, ProptestConfig, Strategy, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::sample::select;
use proptest::test_runner::TestCaseError;

use super::freshness::{CONFIGURATION, DOCUMENTS, Ground, OTHER, git, pause};
use crate::precision::{Freshness, Index};

#[derive(Clone, Copy, Debug)]
enum Step {
    /// Contents of one size, of which the first is the sealed one.
    Write(usize, usize),
    WriteAndPutTimeBack(usize, usize),
    Replace(usize, usize),
    Lengthen(usize),
    Touch(usize),
    Exchange(usize, usize),
    Remove(usize),
    AddSource(&'static str),
    RemoveSource(&'static str),
    Ignore(&'static [u8]),
    GitAdd,
    Pause,
    Settle,
    Clone,
    Copy,
    DamageCache,
}

const SOURCES: [&str; 3] = ["new.ts", "lib/new.ts", "deep/er/new.ts"];

/// The documents, the configuration, and one file that nothing hangs on.
fn files() -> Vec<(&'static str, &'static [u8])> {
    DOCUMENTS.iter().chain([&CONFIGURATION, &OTHER]).copied().collect()
}

fn content(file: usize, variant: usize) -> Vec<u8> {
    let mut bytes = files()[file].1.to_vec();
    if variant > 0 {
        bytes[0] = b"xy"[variant - 1];
    }
    bytes
}

fn step() -> impl Strategy<Value = Step> {
    let (file, variant) = (0..5_usize, 0..3_usize);
    prop_oneof![
        3 => (file.clone(), variant.clone()).prop_map(|(file, it)| Step::Write(file, it)),
        3 => (file.clone(), variant.clone()).prop_map(|(file, it)| Step::WriteAndPutTimeBack(file, it)),
        2 => (file.clone(), variant).prop_map(|(file, it)| Step::Replace(file, it)),
        1 => file.clone().prop_map(Step::Lengthen),
        2 => file.clone().prop_map(Step::Touch),
        1 => (file.clone(), file.clone()).prop_map(|(a, b)| Step::Exchange(a, b)),
        1 => file.prop_map(Step::Remove),
        1 => select(&SOURCES[..]).prop_map(Step::AddSource),
        2 => select(&SOURCES[..]).prop_map(Step::RemoveSource),
        1 => select(vec![b"new.ts\n".as_slice(), b""]).prop_map(Step::Ignore),
        2 => Just(Step::GitAdd),
        1 => Just(Step::Pause),
        4 => Just(Step::Settle),
        1 => Just(Step::Clone),
        1 => Just(Step::Copy),
        1 => Just(Step::DamageCache),
    ]
}

fn take(ground: &Ground, step: Step) {
    let name = |file: usize| files()[file].0;
    let is_there = |file: usize| ground.path(name(file)).exists();
    match step {
        Step::Write(file, variant) => ground.write(name(file), &content(file, variant)),
        Step::WriteAndPutTimeBack(file, variant) if is_there(file) => {
            let time = ground.time(name(file));
            ground.write(name(file), &content(file, variant));
            ground.set_time(name(file), time);
        }
        Step::Replace(file, variant) if is_there(file) => {
            ground.replace(name(file), &content(file, variant));
        }
        Step::Lengthen(file) => ground.write(name(file), &[content(file, 0), b"\n".to_vec()].concat()),
        Step::Touch(file) if is_there(file) => ground.set_time(name(file), SystemTime::now()),
        Step::Exchange(a, b) if is_there(a) && is_there(b) => {
            std::fs::rename(ground.path(name(a)), ground.path("aside")).unwrap();
            if a != b {
                std::fs::rename(ground.path(name(b)), ground.path(name(a))).unwrap();
            }
            std::fs::rename(ground.path("aside"), ground.path(name(b))).unwrap();
        }
        Step::Remove(file) if is_there(file) => std::fs::remove_file(ground.path(name(file))).unwrap(),
        Step::AddSource(path) => ground.write(path, b"x\n"),
        Step::RemoveSource(path) if ground.path(path).exists() => {
            std::fs::remove_file(ground.path(path)).unwrap();
        }
        Step::Ignore(text) => ground.write(".gitignore", text),
        Step::GitAdd => git(&ground.root, &["add", "-A"]),
        Step::Pause => pause(),
        Step::Settle => drop(ground.settle()),
        Step::Clone => {
            git(&ground.root, &["add", "-A"]);
            git(&ground.root, &["commit", "-q", "--allow-empty", "-m", "x"]);
            ground.become_clone();
        }
        Step::Copy => ground.become_copy(),
        Step::DamageCache => ground.write(".codecortex/cache/precision.json", b"{"),
        Step::WriteAndPutTimeBack(..)
        | Step::Replace(..)
        | Step::Touch(_)
        | Step::Exchange(..)
        | Step::Remove(_)
        | Step::RemoveSource(_) => {}
    }
}

/// What an index hangs on besides its documents, read from the files themselves.
fn is_as_sealed_around(ground: &Ground, ignored: bool) -> bool {
    let configuration = std::fs::read(ground.path(CONFIGURATION.0)).ok();
    let has_new = SOURCES.iter().any(|it| ground.path(it).exists()) && !ignored;
    configuration.as_deref() == Some(CONFIGURATION.1) && !has_new
}

fn judge(ground: &Ground, tracked: &BTreeSet<&str>, settled: bool) -> Result<(), TestCaseError> {
    let file = ground.index();
    let index = Index::parse(&file.bytes).unwrap();
    let repository = ground.repository();
    let freshness = if settled {
        Freshness::settle(&repository, &index, &file)
    } else {
        Freshness::check(&repository, &index, &file)
    };
    let ignored = std::fs::read(ground.path(".gitignore")).is_ok_and(|it| !it.is_empty());
    let hidden = ignored && tracked.is_empty();
    let around = is_as_sealed_around(ground, hidden);
    for (number, (path, sealed)) in DOCUMENTS.iter().enumerate() {
        let bytes = std::fs::read(ground.path(path)).ok();
        let is_as_sealed = around && bytes.as_deref() == Some(*sealed);
        let doubt = freshness.doubt(number);
        prop_assert!(doubt.is_some() || is_as_sealed, "{} is current and is not as sealed", path);
        let read = bytes.map(|it| freshness.doubt_of_content(number, &it));
        prop_assert!(
            read != Some(None) || is_as_sealed,
            "{} is current when read and is not as sealed",
            path
        );
        if settled {
            prop_assert_eq!(doubt.is_none(), is_as_sealed, "{}: {:?}", path, doubt);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn nothing_that_differs_is_current(steps in proptest::collection::vec(step(), 1..14)) {
        let ground = Ground::sealed();
        let mut tracked = BTreeSet::new();
        for step in steps {
            take(&ground, step);
            if matches!(step, Step::GitAdd | Step::Clone) {
                let there = SOURCES.iter().filter(|it| ground.path(it).exists());
                let ignored = std::fs::read(ground.path(".gitignore")).is_ok_and(|it| !it.is_empty());
                tracked = if ignored { tracked } else { there.copied().collect() };
            }
            judge(&ground, &tracked, false)?;
        }
        judge(&ground, &tracked, true)?;
    }
}
