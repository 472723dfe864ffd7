//! Whole tables: made, held against the model, copied out and in.

use super::{Rows, words};
use crate::sandbox::{kill, wait};
use std::io::Write;
use std::process::Stdio;

#[test]
fn tables_are_made_once() {
    let rows = Rows::new();
    rows.run("setup").succeeded();
    let again = rows.run("setup").succeeded();
    assert!(
        again.stderr.contains("Yggdrasil is there already"),
        "{again:?}"
    );
    assert_eq!(again.stdout, "");
    let rows = Rows::new();
    rows.sandbox
        .run(&["table", "create", "Yggdrasil", "Id"])
        .succeeded();
    rows.run("setup")
        .failed(254, "Integrity: table `Yggdrasil` exists with another key");
}

#[test]
fn verify_finds_what_was_planted() {
    let rows = Rows::with_persons(2);
    let clean = rows.run("verify").succeeded();
    assert_eq!(clean.stdout, "");
    assert!(
        clean.stderr.contains("no violations; 4 rows and 4 guards"),
        "{clean:?}"
    );

    let scan = rows
        .sandbox
        .run(&["table", "get", "Yggdrasil", "USER#ada", "TREE#byron"])
        .succeeded();
    let wrong = scan
        .stdout
        .replace(r#""PersonCount": 2"#, r#""PersonCount": 7"#);
    rows.sandbox
        .run(&["table", "put", "Yggdrasil", &wrong])
        .succeeded();
    let found = rows
        .run("verify")
        .failed(1, "1 violation; 4 rows and 4 guards");
    assert!(found.stdout.starts_with("counter: Tree"), "{found:?}");
    assert_eq!(found.stdout.lines().count(), 1);
    let lines = rows.run("verify --output jsonl").failed(1, "1 violation");
    let violation: serde_json::Value = serde_json::from_str(&lines.stdout).unwrap();
    assert_eq!(violation["wrong"], "counter");
    assert_eq!(violation["entity"], "Tree");

    let planned = rows.run("verify --repair").failed(1, "1 violation");
    assert!(
        planned.stdout.starts_with("would repair: Tree") && planned.stdout.contains("to 2"),
        "{planned:?}"
    );
    let repaired = rows.run("verify --repair --yes").succeeded();
    assert!(
        repaired.stderr.contains("repair: 1 row written"),
        "{repaired:?}"
    );
    let again = rows.run("verify --repair --yes").succeeded();
    assert!(again.stderr.contains("repair: 0 rows written"), "{again:?}");
    rows.run("verify --job job").succeeded();
    let job = std::fs::read_dir(rows.sandbox.path().join("job")).unwrap();
    assert_eq!(job.count(), 0, "a job that is done leaves nothing");
    rows.run("verify").succeeded();

    rows.sandbox
        .run(&[
            "table",
            "put",
            "Yggdrasil",
            r#"{"PK":"USER#x","SK":"PROFILE","EntityType":"User","UserId":"x","Email":5}"#,
        ])
        .succeeded();
    let found = rows.run("verify").failed(1, "violations; 5 rows");
    assert!(found.stdout.contains("value: User"), "{found:?}");
}

#[test]
fn a_backup_restores() {
    let rows = Rows::with_persons(3);
    rows.run("backup saved.jsonl").succeeded();
    let piped = rows.run("backup").succeeded();
    let saved = std::fs::read_to_string(rows.sandbox.path().join("saved.jsonl")).unwrap();
    assert_eq!(piped.stdout, saved);
    let own = saved
        .lines()
        .filter(|line| line.contains("monotable#store"));
    assert_eq!((saved.lines().count(), own.count()), (11, 1));
    assert!(!saved.contains("monotable#secret"));
    let copy = rows.run("restore saved.jsonl --store copy").succeeded();
    assert!(
        copy.stderr.contains("10 items written to the store copy"),
        "{copy:?}"
    );
    assert_eq!(rows.run("backup --store copy").succeeded().stdout, saved);
    rows.run("verify --store copy").succeeded();
    let fed = rows
        .sandbox
        .feed(&words("restore --store piped"), saved.as_bytes());
    fed.succeeded();
    assert_eq!(rows.run("backup --store piped").succeeded().stdout, saved);
    let bad = rows
        .sandbox
        .feed(&words("restore --store piped"), b"{\"table\":\"Other\"}\n");
    bad.failed(2, "line 1");
    rows.run("backup nowhere/saved.jsonl")
        .failed(255, "cannot write nowhere/saved.jsonl");
    let names = std::fs::read_dir(rows.sandbox.path()).unwrap();
    let left = names.filter(|entry| {
        entry
            .as_ref()
            .unwrap()
            .file_name()
            .to_string_lossy()
            .starts_with(".monotable")
    });
    assert_eq!(left.count(), 0);
}

#[test]
fn a_restore_that_waits_for_stdin_can_be_interrupted() {
    let rows = Rows::new();
    let mut command = rows.sandbox.command();
    command.args(words("restore")).stdin(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // More than a pipe holds: when all of it is taken, the command is reading and catches signals.
    let line = r#"{"table":"Yggdrasil","item":{"PK":{"S":"a"},"SK":{"S":"b"}}}"#;
    stdin
        .write_all(format!("{line}\n").repeat(3_000).as_bytes())
        .unwrap();
    kill("INT", child.id());
    assert_eq!(wait(&mut child), Some(130));
}

#[test]
fn a_dry_run_of_setup_says_what_it_would_make() {
    let rows = Rows::new();
    let planned = rows.run("setup --dry-run").succeeded();
    let wanted = "would create Yggdrasil in the store ./data\n\
                  would give Yggdrasil its point-in-time recovery\n";
    assert_eq!(planned.stderr, wanted);
    assert!(!rows.sandbox.path().join("data").exists());
    rows.run("setup").succeeded();
    let planned = rows.run("setup --dry-run").succeeded();
    assert_eq!(
        planned.stderr,
        "Yggdrasil is there already in the store ./data\n"
    );
    let rows = Rows::new();
    rows.sandbox
        .run(&["table", "create", "Yggdrasil", "Id"])
        .succeeded();
    rows.run("setup --dry-run")
        .failed(254, "Integrity: table `Yggdrasil` exists with another key");
}

#[test]
fn a_dry_run_of_backup_and_restore_writes_nothing() {
    let rows = Rows::with_persons(2);
    let planned = rows.run("backup copy.jsonl --dry-run").succeeded();
    assert!(
        planned.stderr.contains("would write 8 items of"),
        "{planned:?}"
    );
    assert!(!rows.sandbox.path().join("copy.jsonl").exists());
    rows.run("backup copy.jsonl").succeeded();
    let planned = rows.run("restore copy.jsonl --store ./copy --dry-run");
    let planned = planned.succeeded();
    assert!(
        planned.stderr.contains("would write 8 items to"),
        "{planned:?}"
    );
    assert!(!rows.sandbox.path().join("copy").exists());
    rows.sandbox
        .write("bad.jsonl", "{\"table\": \"Other\", \"item\": {}}\n");
    rows.run("restore bad.jsonl --store ./copy --dry-run")
        .failed(2, "line 1: the model has no table `Other`");
}

#[test]
fn a_dry_run_of_verify_and_adopt_writes_nothing() {
    let rows = Rows::with_persons(2);
    let key = ["table", "get", "Yggdrasil", "USER#ada", "TREE#byron"];
    let tree = rows.sandbox.run(&key).succeeded().stdout;
    let wrong = tree.replace(r#""PersonCount": 2"#, r#""PersonCount": 7"#);
    let wrong = wrong.replacen('{', "{\"DeletingAt\": \"2025-01-01T00:00:00.000Z\",", 1);
    let put = ["table", "put", "Yggdrasil", wrong.as_str()];
    rows.sandbox.run(&put).succeeded();
    let stored = rows.sandbox.run(&key).succeeded().stdout;
    let planned = rows.run("verify --finish --convert --repair --dry-run");
    let planned = planned.failed(1, "1 violation");
    assert!(
        planned
            .stdout
            .contains("would finish: end the delete of Tree"),
        "{planned:?}"
    );
    assert!(planned.stdout.contains("would repair: Tree"), "{planned:?}");
    assert!(
        planned.stderr.contains("nothing was written"),
        "{planned:?}"
    );
    rows.run("adopt --dry-run").failed(1, "1 violation left");
    assert_eq!(rows.sandbox.run(&key).succeeded().stdout, stored);
    rows.run("verify --repair --yes --dry-run")
        .failed(2, "cannot be used with");
}
