//! The short form of the benchmark: that it completes and prints every line. Never a time.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::process::Command;

fn bench(options: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_bench"))
        .args(["--items", "20000"])
        .args(options)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(errors.contains("20000 of 20000 items: done"), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_line_is_printed() {
    let text = bench(&[]);
    for line in [
        "machine: ",
        "items: 20000 items of 1024 encoded bytes",
        "cache: 64 MB",
        "get ",
        "query of 20 items ",
        "durable put, 32 writers ",
        "put of existing items ",
        "put with two indexes ",
        "  of existing items ",
        "overhead of get ",
        "overhead of query ",
        "overhead of put, relaxed ",
        "memory after load ",
        "durable put, 32 writers: ",
        "load of 20000 items (plain): ",
        "load of 10000 items (few): ",
    ] {
        let found = text.lines().any(|printed| printed.starts_with(line));
        assert!(found, "no line {line:?} in:\n{text}");
    }
}

#[test]
fn only_what_is_asked_for_is_measured() {
    let text = bench(&["--only", "get,memory", "--output", "json"]);
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let names: Vec<&str> = report["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["get", "memory after load"]);
    assert!(report["lines"][0]["engine"]["per_second"].is_number());
    assert!(report["machine"]["cores"].is_number());
}

#[test]
fn a_load_tells_its_stalls_and_what_reads_take_afterwards() {
    let text = bench(&["--value-bytes", "400", "--only", "load"]);
    for line in [
        "items: 20000 items of 400 encoded bytes",
        "load ",
        "get, 20 k to 1 k ",
        "query, 20 k to 1 k ",
        "seconds of each million: ",
    ] {
        let found = text.lines().any(|printed| printed.starts_with(line));
        assert!(found, "no line {line:?} in:\n{text}");
    }
}
