//! The log against `git log` and `git diff-tree`.

use std::collections::{BTreeMap, BTreeSet};

use super::fixture::{Fixture, git_in, open, text};
use crate::repo::{Alteration, Change, CommitId, GapCause, Log, Logged, LoggedFiles, Repository};

const ALL: usize = 1_000;

fn log(repository: &Repository, most: usize, known: BTreeMap<CommitId, Logged>) -> Log {
    repository.log(repository.head().commit.unwrap(), most, known).unwrap()
}

/// As `git diff-tree --name-status` writes it.
fn status(change: &Change) -> String {
    match &change.kind {
        Alteration::Added => format!("A\t{}", change.path),
        Alteration::Removed => format!("D\t{}", change.path),
        Alteration::Modified | Alteration::ModeOnly => format!("M\t{}", change.path),
        Alteration::Renamed { from, .. } => format!("R100\t{from}\t{}", change.path),
    }
}

/// Every kind of change, two branches and their merge.
fn busy() -> Fixture {
    let fixture = Fixture::with_git();
    fixture.write("lib/a.rs", "a\n");
    fixture.write("lib/b.rs", "b\n");
    fixture.write("lib.rs", "c\n");
    fixture.write("x", "a file\n");
    fixture.commit("Begin\n\nwith a body");
    fixture.git(&["mv", "lib/a.rs", "lib/moved.rs"]);
    fixture.write("lib/b.rs", "bb\n");
    fixture.commit("Move and change");
    fixture.git(&["checkout", "-q", "-b", "side"]);
    fixture.git(&["rm", "-q", "x"]);
    fixture.write("x/y", "now a folder\n");
    fixture.git(&["update-index", "--chmod=+x", "lib.rs"]);
    fixture.git(&["add", "x"]);
    fixture.git(&["commit", "-q", "-m", "Make a folder of a file"]);
    fixture.git(&["checkout", "-q", "-f", "main"]);
    fixture.write("new.rs", "n\n");
    fixture.commit("Add");
    fixture.git(&["merge", "-q", "--no-ff", "-m", "Merge side", "side"]);
    fixture
}

#[test]
fn the_changes_of_each_commit_are_those_that_git_lists() {
    let fixture = busy();
    let log = log(&fixture.open(), ALL, BTreeMap::new());
    assert_eq!((log.commits.len(), log.gap), (5, None));
    let order: Vec<&str> = log.commits.iter().map(|it| it.subject.as_str()).collect();
    assert_eq!((order[0], order[4]), ("Merge side", "Begin"));
    for commit in &log.commits {
        let id = commit.id.to_string();
        let said = text(&fixture.git(&["log", "-1", "--format=%P|%an|%ct|%s", &id]));
        let parents: Vec<String> = commit.parents.iter().map(ToString::to_string).collect();
        let own = format!("{}|{}|{}|{}", parents.join(" "), commit.author, commit.time, commit.subject);
        assert_eq!(own, said);
        let LoggedFiles::Changed(changes) = &commit.files else {
            assert_eq!((&commit.files, commit.parents.len()), (&LoggedFiles::Merge, 2));
            continue;
        };
        let command = ["diff-tree", "-r", "--root", "-M100%", "--name-status", "--no-commit-id", &id];
        let listed = text(&fixture.git(&command));
        let expected: BTreeSet<String> = listed.lines().map(str::to_owned).collect();
        assert_eq!(changes.iter().map(status).collect::<BTreeSet<_>>(), expected, "{}", commit.subject);
    }
}

#[test]
fn what_is_known_is_not_read_again_and_what_came_since_is() {
    let fixture = busy();
    let whole = log(&fixture.open(), ALL, BTreeMap::new());
    // A mark that only what was handed over can bear.
    let marked = |it: &Logged| (it.id, Logged { subject: "known".to_owned(), ..it.clone() });
    let known: BTreeMap<CommitId, Logged> = whole.commits.iter().map(marked).collect();
    fixture.write("later.rs", "l\n");
    fixture.commit("Later");
    let again = log(&fixture.open(), ALL, known);
    let subjects: Vec<&str> = again.commits.iter().map(|it| it.subject.as_str()).collect();
    assert_eq!(subjects, ["Later", "known", "known", "known", "known", "known"]);
}

#[test]
fn where_a_history_is_cut_it_says_so() {
    let fixture = busy();
    let cut = log(&fixture.open(), 2, BTreeMap::new());
    assert_eq!((cut.commits.len(), cut.gap.map(|it| it.cause)), (2, Some(GapCause::Limit)));
    let url = format!("file://{}", fixture.root.display());
    let clone = |name: &str, options: &[&str]| {
        let place = fixture.outside().join(name);
        let target = place.to_str().unwrap().to_owned();
        git_in(&fixture.outside(), &[&["clone", "-q"], options, &[&url, &target]].concat());
        open(&place)
    };
    let shallow = log(&clone("shallow", &["--depth", "1"]), ALL, BTreeMap::new());
    assert_eq!((shallow.commits.len(), shallow.gap.map(|it| it.cause)), (1, Some(GapCause::Shallow)));
    fixture.git(&["config", "uploadpack.allowFilter", "true"]);
    // No contents: every change is known all the same.
    let blobless = log(&clone("blobless", &["--filter=blob:none", "--no-checkout"]), ALL, BTreeMap::new());
    assert_eq!(blobless.commits, log(&fixture.open(), ALL, BTreeMap::new()).commits);
    assert_eq!(blobless.gap, None);
    let treeless = log(&clone("treeless", &["--filter=tree:0", "--no-checkout"]), ALL, BTreeMap::new());
    assert_eq!((treeless.commits.len(), treeless.gap.map(|it| it.cause)), (5, Some(GapCause::Trees)));
    assert!(treeless.commits[1..].iter().all(|it| it.files == LoggedFiles::Unknown));
}
