//! Programs that misbehave, as small shell scripts.

use std::ffi::OsStr;
use std::path::Path;
use std::time::{Duration, Instant};

use super::super::process::{Command, Extent, Outcome, Status, resolve, run};

const SEARCH: &str = "relative:/usr/local/bin:/usr/bin:/bin";

fn shell(script: &str, timeout: Duration) -> (Outcome, Duration) {
    let command = Command {
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), script.into()],
        folder: "/".into(),
        environment: vec![("PATH".into(), SEARCH.into()), ("GIVEN".into(), "1".into())],
        timeout,
        output_limit: 1000,
    };
    let begin = Instant::now();
    let outcome = run(&command);
    (outcome, begin.elapsed())
}

const LONG: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(300);

#[test]
fn an_outcome_says_how_it_ended_and_what_was_said() {
    let (outcome, _) = shell("echo out; echo err >&2; exit 3", LONG);
    assert_eq!(outcome.status, Status::Exited(3));
    assert_eq!(
        (outcome.stdout.bytes.as_slice(), outcome.stdout.extent),
        (b"out\n".as_slice(), Extent::Whole)
    );
    assert_eq!(outcome.stderr.bytes, b"err\n");
    assert_eq!(shell("kill -9 $$", LONG).0.status, Status::Signaled(9));
    assert_eq!(shell("read line", LONG).0.status, Status::Exited(1), "stdin is empty");
    let (outcome, _) = shell("env | grep -v -e ^PWD= -e ^SHLVL= -e ^_= -e ^OLDPWD= | sort", LONG);
    let shown = String::from_utf8(outcome.stdout.bytes).unwrap();
    let names: Vec<_> = shown.lines().map(|it| it.split('=').next().unwrap()).collect();
    assert_eq!(names, ["CORTEX_CHILD", "GIVEN", "PATH"]);
}

#[test]
fn a_program_that_ignores_the_request_to_end_is_killed() {
    let (outcome, time) = shell("trap '' TERM INT; while :; do sleep 1; done", SHORT);
    assert_eq!(outcome.status, Status::TimedOut);
    assert!(time < SHORT + Duration::from_secs(2), "{time:?}");
}

#[test]
fn a_flood_on_both_pipes_is_cut() {
    let (outcome, time) = shell("yes error >&2 & yes", SHORT);
    assert_eq!((outcome.status, outcome.stdout.extent), (Status::TimedOut, Extent::Cut));
    assert_eq!((outcome.stdout.bytes.len(), outcome.stderr.bytes.len()), (1000, 1000));
    assert!(time < SHORT + Duration::from_secs(2), "{time:?}");
}

#[test]
fn a_grandchild_in_its_own_session_neither_delays_nor_stays() {
    let name = format!("86{}", std::process::id());
    let (outcome, time) = shell(&format!("setsid sleep {name} & sleep {name} & sleep 0.2; echo done"), LONG);
    assert_eq!((outcome.status, outcome.stdout.bytes.as_slice()), (Status::Exited(0), b"done\n".as_slice()));
    assert_eq!(outcome.stdout.extent, Extent::Abandoned);
    assert!(time < Duration::from_secs(3), "{time:?}");
    let is_left = || {
        std::fs::read_dir("/proc").unwrap().flatten().any(|it| {
            std::fs::read(it.path().join("cmdline"))
                .is_ok_and(|line| line.split(|it| *it == 0).any(|it| it == name.as_bytes()))
        })
    };
    let begin = Instant::now();
    while is_left() {
        assert!(begin.elapsed() < Duration::from_secs(5), "a process is left");
        std::thread::yield_now();
    }
}

#[test]
fn a_program_is_found_by_the_given_path_only() {
    assert_eq!(resolve(OsStr::new("sh"), OsStr::new("relative:/bin")).as_deref(), Some(Path::new("/bin/sh")));
    assert_eq!(resolve(OsStr::new("sh"), OsStr::new("")), None);
    assert_eq!(resolve(OsStr::new("./sh"), OsStr::new("/bin")), None);
    assert_eq!(resolve(OsStr::new("/etc/passwd"), OsStr::new("/bin")), None, "not executable");
    let command = Command {
        program: "/nowhere/program".into(),
        arguments: Vec::new(),
        folder: "/".into(),
        environment: Vec::new(),
        timeout: SHORT,
        output_limit: 10,
    };
    assert!(matches!(run(&command).status, Status::NotStarted(_)));
    assert!(matches!(run(&Command { program: "sh".into(), ..command }).status, Status::NotStarted(_)));
}
