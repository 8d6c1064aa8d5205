//! Which commit a comparison starts from.

use super::fixture::{Fixture, git_in, open, text};

#[test]
fn the_base_is_the_merge_base() {
    let fixture = Fixture::with_git();
    fixture.write("a.rs", "1");
    let root = fixture.commit("root");
    fixture.git(&["checkout", "-q", "-b", "topic"]);
    fixture.write("b.rs", "1");
    let topic = fixture.commit("topic");
    fixture.git(&["tag", "-a", "v1", "-m", "v1"]);
    fixture.git(&["checkout", "-q", "main"]);
    fixture.write("c.rs", "1");
    let main = fixture.commit("main");
    fixture.git(&["checkout", "-q", "--orphan", "island"]);
    let island = fixture.commit("island");
    fixture.git(&["checkout", "-q", "topic"]);
    let repository = fixture.open();
    let check = |spec: &str, commit: &str, head: Option<&str>, reason: &str| {
        let base = repository.resolve_base(spec).unwrap();
        let found = (base.commit.to_string(), base.head.map(|it| it.to_string()), base.reason.as_str());
        assert_eq!(found, (commit.to_owned(), head.map(str::to_owned), reason), "{spec}");
        assert_eq!(base.requested, spec);
    };
    check("main", &root, None, "it is the merge base of main and HEAD");
    check("HEAD~1", &root, None, "HEAD~1 is an ancestor of HEAD");
    check("HEAD", &topic, None, "HEAD is the current commit");
    check("v1..v1", &topic, Some(&topic), "both sides are v1");
    check(&main[..9], &root, None, &format!("it is the merge base of {} and HEAD", &main[..9]));
    check("main..v1", &root, Some(&topic), "it is the merge base of main and v1");
    check("v1...main", &root, Some(&main), "it is the merge base of v1 and main");
    check("main..", &root, Some(&topic), "it is the merge base of main and HEAD");
    check("island", &island, None, "island shares no history with HEAD, so it is itself the base");
    check("v1", &topic, None, "v1 is the same commit as HEAD");
    let reference = text(&fixture.git(&["merge-base", "main", "topic"]));
    assert_eq!(reference, root);
}

#[test]
fn what_is_not_a_commit_is_named_in_the_error() {
    let fixture = Fixture::with_git();
    fixture.write("a.rs", "1");
    fixture.commit("one");
    fixture.commit("two");
    let check = |spec: &str, expected: &str| {
        assert_eq!(fixture.open().resolve_base(spec).unwrap_err().to_string(), expected);
    };
    check("nowhere", "there is no commit `nowhere`");
    check("HEAD~5", "there is no commit `HEAD~5`");
    check("HEAD..gone", "there is no commit `gone`");
    for spec in
        ["", ":/two", "HEAD^{/one}", "HEAD:a.rs", "@{1}", "--all", "a..b..c", "x\ny", &"a".repeat(9999)]
    {
        let expected =
            format!("`{spec}` is not a revision: give a branch, a tag, a commit, or two of them as `A..B`");
        check(spec, &expected);
    }
    let url = format!("file://{}", fixture.root.display());
    git_in(&fixture.outside(), &["clone", "-q", "--depth", "1", &url, "shallow"]);
    let shallow = open(&fixture.outside().join("shallow"));
    let expected = "there is no commit `HEAD~1`; the clone is shallow: fetch more history (`fetch-depth: 2` or \
                    more in the checkout step, or `git fetch --unshallow`)";
    assert_eq!(shallow.resolve_base("HEAD~1").unwrap_err().to_string(), expected);
    assert!(shallow.resolve_base("origin/main").is_ok());
}

/// Two branches that part beyond the edge.
#[test]
fn the_edge_of_a_shallow_clone_ends_the_search() {
    let fixture = Fixture::with_git();
    let root = fixture.commit("root");
    fixture.git(&["checkout", "-q", "-b", "topic"]);
    fixture.commit("topic one");
    let topic = fixture.commit("topic two");
    fixture.git(&["checkout", "-q", "main"]);
    let main = fixture.commit("main one");
    let url = format!("file://{}", fixture.root.display());
    let base = |name: &str, arguments: &[&str], spec: &str| {
        git_in(
            &fixture.outside(),
            &[&["clone", "-q"], arguments, &["--no-single-branch", &url, name]].concat(),
        );
        let base = open(&fixture.outside().join(name)).resolve_base(spec).unwrap();
        (base.commit.to_string(), base.reason)
    };
    let none =
        "the shallow clone holds no merge base of origin/topic and HEAD, so origin/topic itself is the base";
    assert_eq!(base("one", &["--depth", "1"], "origin/topic"), (topic, none.to_owned()));
    let found = "it is the merge base of origin/topic and HEAD";
    // The cut is between `topic one` and `root`, but `root` is there as the parent of `main one`.
    assert_eq!(base("two", &["--depth", "2"], "origin/topic"), (root.clone(), found.to_owned()));
    assert_eq!(base("all", &[], "origin/topic"), (root, found.to_owned()));
    assert_eq!(base("self", &["--depth", "1"], "HEAD").0, main);
}
