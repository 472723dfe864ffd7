//! The program itself, with the one server that it brings along. Never a time.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use std::process::{Command, Output};

fn contest(options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_contest"))
        .args(["--items", "100", "--requests", "300", "--seconds", "1"])
        .args([
            "--peers",
            "/nonexistent",
            "--monotable",
            "/nonexistent/monotable",
        ])
        .args(options)
        .output()
        .unwrap()
}

#[test]
fn the_bare_server_is_measured_and_missing_ones_are_named() {
    let output = contest(&["--json", "--check"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let servers = report["servers"].as_array().unwrap();
    assert_eq!(servers.len(), 7);
    for server in &servers[..6] {
        let why = server["not_installed"].as_str().unwrap();
        assert!(why.contains("/nonexistent"), "{server}");
    }
    let bare = &servers[6]["measured"];
    let phases = bare["phases"].as_array().unwrap();
    assert_eq!(phases.len(), 1);
    assert_eq!(phases[0]["phase"], "get");
    assert!(phases[0]["requests"].as_u64().unwrap() >= 300);
    assert!(bare["idle_mb"].as_f64().unwrap() > 0.0);
    assert_eq!(report["verdicts"].as_array().unwrap().len(), 0);
}

#[test]
fn the_text_has_a_line_for_each_server() {
    let output = contest(&["--servers", "dynoxide,bare", "--only", "get"]);
    let text = String::from_utf8(output.stdout).unwrap();
    for line in [
        "machine: ",
        "items: 100 of 1 KB",
        "dynoxide ",
        "bare ",
        "get          bare ",
    ] {
        let found = text.lines().any(|printed| printed.starts_with(line));
        assert!(found, "no line {line:?} in:\n{text}");
    }
    assert!(
        text.contains("not installed: no /nonexistent/dynoxide/bin/dynoxide"),
        "{text}"
    );
}

#[test]
fn a_server_that_does_not_start_fails_the_run() {
    let output = contest(&["--monotable", "/bin/false", "--servers", "monotable-disk"]);
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("monotable-disk: it ended at once"),
        "{errors}"
    );
}
