//! Go modules, by hand-written files; the expectations are those of the reference on modules.

use super::{joined, text_at};
use crate::deps::{read, why};
use crate::model::RepoPath;

/// Each package as `name relation state: versions < what asks for it`.
#[track_caller]
fn check(files: &[(&str, &str)], expected: &[&str]) {
    let dependencies = joined(files);
    let shown = dependencies.dependencies.iter().map(|it| {
        let relation = match &it.relation {
            crate::deps::Relation::Direct => "direct",
            crate::deps::Relation::Transitive { .. } => "transitive",
            crate::deps::Relation::Unlinked => "unlinked",
        };
        let versions: Vec<String> =
            it.resolved.iter().map(|it| format!("{}:{}", it.version, it.place.span.start.line)).collect();
        let asked: Vec<String> = it
            .declared
            .iter()
            .map(|it| {
                format!("{} {} {}", it.raw_name, it.constraint.as_deref().unwrap_or("-"), it.source.name())
            })
            .collect();
        format!("{} {relation} {}: {} < {}", it.name, it.state.name(), versions.join(" "), asked.join(", "))
    });
    assert_eq!(shown.collect::<Vec<_>>(), expected);
}

/// <https://go.dev/ref/mod#go-mod-file-replace>: one version or all, by another module or by a folder.
#[test]
fn what_is_replaced_is_what_the_build_takes() {
    let module = "module x\ngo 1.21\nrequire (\n\ta v1.0.0\n\tb v1.0.0\n\tc v1.0.0 // indirect\n\td v1.0.0 // indirect; for e\n)\n\
        replace a => z v2.0.0+incompatible\nreplace b v1.1.0 => y v1.1.0\nreplace c => ./c\nreplace d v1.0.0 => d v1.0.1\n";
    let expected = [
        "b direct selected: v1.0.0:5 < b v1.0.0 registry",
        "c transitive local:  < c v1.0.0 path, c - path",
        "d transitive selected: v1.0.1:12 < d v1.0.0 registry, d v1.0.1 registry",
        "y unlinked unused:  < b v1.1.0 registry",
        "z direct selected: v2.0.0+incompatible:9 < a v1.0.0 registry, a v2.0.0+incompatible registry",
    ];
    check(&[("go.mod", module)], &expected);
}

/// <https://go.dev/ref/mod#go-mod-file-go>: from 1.17 on all that packages need is listed.
#[test]
fn an_old_module_states_minimums_only() {
    for language in ["", "go 1.16\n", "go 1\n"] {
        let module = format!("{language}require a v1.0.0\nrequire b v1.0.0 // indirect\n");
        let expected =
            ["a direct unlocked:  < a v1.0.0 registry", "b transitive unlocked:  < b v1.0.0 registry"];
        check(&[("go.mod", &module)], &expected);
        let notes = joined(&[("go.mod", &module)]).notes;
        assert_eq!(
            notes.iter().map(|it| it.code.as_str()).collect::<Vec<_>>(),
            ["dependency_build_list_unknown"]
        );
    }
    let replaced = "require a v1.0.0\nreplace a => b v1.1.0\n";
    check(&[("go.mod", replaced)], &["b direct selected: v1.1.0:2 < a v1.0.0 registry, a v1.1.0 registry"]);
    for language in ["1.17", "1.21rc2", "1.26.0", "2.0"] {
        let module = format!("go {language}\nrequire a v1.0.0\n");
        check(&[("go.mod", &module)], &["a direct selected: v1.0.0:2 < a v1.0.0 registry"]);
    }
}

#[test]
fn a_module_says_that_others_bring_one() {
    let module = "go 1.21\nrequire a v1.0.0\nrequire b v1.0.0 // indirect\n";
    let ways = |name: &str| -> Vec<(u32, Vec<String>)> {
        let found = why(&joined(&[("go.mod", module)]), name);
        let ways = found.into_iter().flat_map(|it| it.ways);
        ways.map(|it| (it.declared[0].place.span.start.line, it.steps)).collect()
    };
    assert_eq!(ways("a"), [(2, vec!["a@v1.0.0".to_owned()])]);
    assert_eq!(ways("b@v1.0.0"), [(3, vec!["b@v1.0.0".to_owned()])]);
    assert_eq!(ways("pkg:golang/b"), [(3, vec!["b@v1.0.0".to_owned()])]);
}

/// <https://go.dev/ref/mod#go-mod-file-exclude>: a requirement of an excluded version is not taken; one of a branch is
/// looked up first.
#[test]
fn what_is_excluded_or_no_version_settles_nothing() {
    let module =
        "go 1.21\nrequire (\n\ta v1.0.0\n\tb main\n\tc v1.0.0\n)\nexclude a v1.0.0\nexclude c v1.0.1\n";
    let expected = [
        "a direct unlocked:  < a v1.0.0 registry",
        "b direct unlocked:  < b main registry",
        "c direct selected: v1.0.0:5 < c v1.0.0 registry",
    ];
    check(&[("go.mod", module)], &expected);
}

/// <https://go.dev/ref/mod#workspaces>: the newest version, the workspace's word before that of its modules.
#[test]
fn a_workspace_has_one_version_of_a_module() {
    let files = [
        ("go.work", "go 1.21\nuse ./one\nuse two\nreplace c => c v1.9.0\n"),
        (
            "one/go.mod",
            "module one\ngo 1.21\nrequire (\n\ta v1.10.0\n\tc v1.0.0\n)\nreplace c v1.0.0 => ../c\n",
        ),
        ("two/go.mod", "module two\ngo 1.21\nrequire (\n\ta v1.9.0\n\tone v0.0.0\n)\n"),
        ("other/go.mod", "module other\ngo 1.21\nrequire a v1.0.0\n"),
    ];
    let expected = [
        "a direct selected: v1.10.0:4 < a v1.10.0 registry, a v1.9.0 registry",
        "c direct selected: v1.9.0:4 < c v1.9.0 registry, c v1.0.0 registry, c - path",
        "one direct local:  < one v0.0.0 workspace",
        "a direct selected: v1.0.0:3 < a v1.0.0 registry",
    ];
    check(&files, &expected);
}

#[test]
fn a_list_of_checksums_adds_checksums_and_nothing_else() {
    let sum = "a v1.0.0 h1:aa=\na v1.0.0/go.mod h1:ab=\na v0.9.0 h1:ac=\nnever v1.0.0 h1:ad=\n";
    let module = "go 1.21\nrequire a v1.0.0\nrequire b v1.0.0\n";
    let dependencies = joined(&[("go.mod", module), ("go.sum", sum), ("other/go.sum", "b v1.0.0 h1:bb=\n")]);
    let shown: Vec<_> = dependencies
        .dependencies
        .iter()
        .flat_map(|it| &it.resolved)
        .map(|it| (it.pin().to_string(), it.checksum.as_deref()))
        .collect();
    assert_eq!(shown, [("a@v1.0.0".to_owned(), Some("h1:aa=")), ("b@v1.0.0".to_owned(), None)]);
}

/// <https://go.dev/ref/mod#vendoring>: without the module's own file its marks say what is direct.
#[test]
fn copied_modules_belong_to_the_folder_above() {
    let copied = "# a v1.0.0\n## explicit; go 1.21\na/p\n# b v1.0.0 => c v1.2.0\n## go 1.21\nb/p\n# d v1.0.0 => ./d\n## explicit\nd\n# e v1.0.0 => f v1.0.0\n";
    let path: RepoPath = "x/vendor/modules.txt".parse().unwrap();
    let reading = read(&path, copied.as_bytes()).unwrap();
    let files = [(path, copied.as_bytes().to_vec())];
    assert!(reading.resolved.iter().all(|it| text_at(&files, &it.place) == it.version));
    let alone = joined(&[("x/vendor/modules.txt", copied)]);
    assert!(alone.dependencies.iter().all(|it| it.project.as_ref().unwrap().to_string() == "x"));
    check(
        &[("vendor/modules.txt", copied)],
        &["a direct locked: v1.0.0:1 < ", "c unlinked locked: v1.2.0:4 < "],
    );
    let module = "go 1.21\nrequire a v1.0.0 // indirect\nrequire b v1.0.0\nreplace b => c v1.2.0\n";
    let expected = [
        "a transitive locked: v1.0.0:2 v1.0.0:1 < a v1.0.0 registry",
        "c direct locked: v1.2.0:4 v1.2.0:4 < b v1.0.0 registry, b v1.2.0 registry",
    ];
    check(&[("go.mod", module), ("vendor/modules.txt", copied)], &expected);
}
