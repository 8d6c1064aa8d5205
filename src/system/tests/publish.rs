//! Results are there as a whole, and only where they may be.

use std::os::unix::fs::symlink;
use std::path::Path;

use tempfile::TempDir;

use super::super::publish::{Target, publish, write_file};
use super::super::root::Root;
use crate::model::RepoPath;

fn parts(content: &str) -> Vec<(String, Vec<u8>)> {
    vec![("bundle.json".to_owned(), content.into()), ("report.md".to_owned(), content.into())]
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<_> = entries.map(|it| it.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn results_replace_earlier_ones_and_nothing_else() {
    let keep = TempDir::new().unwrap();
    let out = keep.path().join("deep/out");
    for content in ["1", "2"] {
        publish(Target::Folder(out.clone()), &parts(content)).unwrap();
        assert_eq!(std::fs::read_to_string(out.join("report.md")).unwrap(), content);
    }
    assert_eq!(names(&keep.path().join("deep")), ["out"]);
    let foreign = keep.path().join("foreign");
    std::fs::create_dir(&foreign).unwrap();
    publish(Target::Folder(foreign.clone()), &parts("3")).unwrap();
    std::fs::remove_file(foreign.join("bundle.json")).unwrap();
    let error = publish(Target::Folder(foreign.clone()), &parts("4")).unwrap_err().to_string();
    assert!(error.contains("is not a folder of earlier results"), "{error}");
    assert_eq!(names(&foreign), ["report.md"]);
    std::fs::write(keep.path().join("file"), "x").unwrap();
    assert!(publish(Target::Folder(keep.path().join("file")), &parts("5")).is_err());
    assert!(publish(Target::Folder(keep.path().join("x")), &[("../y".to_owned(), Vec::new())]).is_err());
    assert_eq!(names(keep.path()), ["deep", "file", "foreign"]);
}

#[test]
fn a_link_inside_the_repository_is_not_written_through() {
    let keep = TempDir::new().unwrap();
    let (root, outside) = (keep.path().join("root"), keep.path().join("outside"));
    std::fs::create_dir(&root).unwrap();
    std::fs::create_dir(&outside).unwrap();
    let jail = Root::open(&root).unwrap();
    let out = || Target::Confined(&jail, RepoPath::new(b".codecortex/out").unwrap());
    publish(out(), &parts("1")).unwrap();
    assert_eq!(names(&root.join(".codecortex/out")), ["bundle.json", "report.md"]);
    std::fs::remove_dir_all(root.join(".codecortex")).unwrap();
    symlink("../outside", root.join(".codecortex")).unwrap();
    let error = publish(out(), &parts("2")).unwrap_err().to_string();
    assert!(error.contains("a symbolic link is in the way"), "{error}");
    std::fs::remove_file(root.join(".codecortex")).unwrap();
    std::fs::create_dir(root.join(".codecortex")).unwrap();
    symlink("../../outside", root.join(".codecortex/out")).unwrap();
    assert!(publish(out(), &parts("3")).is_err());
    assert!(names(&outside).is_empty());
}

#[test]
fn a_file_is_written_whole() {
    let keep = TempDir::new().unwrap();
    let path = keep.path().join("r.sarif");
    write_file(&path, b"1").unwrap();
    write_file(&path, b"2").unwrap();
    symlink("r.sarif", keep.path().join("link")).unwrap();
    write_file(&keep.path().join("link"), b"3").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"3");
    assert_eq!(names(keep.path()), ["link", "r.sarif"]);
    write_file(Path::new("/dev/null"), b"4").unwrap();
    assert!(write_file(Path::new("/dev/full"), b"5").is_err());
    assert!(write_file(keep.path(), b"6").is_err());
    assert!(write_file(&keep.path().join("no/where"), b"7").is_err());
}
