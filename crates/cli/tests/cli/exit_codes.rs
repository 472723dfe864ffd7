//! Every exit code, and the words that come with it.

use crate::sandbox::{Sandbox, Served};
use std::process::Stdio;

#[test]
fn help_and_version_succeed() {
    let sandbox = Sandbox::new();
    let version = sandbox.run(&["--version"]).succeeded().stdout;
    assert_eq!(
        version.trim(),
        concat!("monotable ", env!("CARGO_PKG_VERSION"))
    );
    assert!(
        sandbox
            .run(&["--help"])
            .succeeded()
            .stdout
            .contains("Exit codes")
    );
}

#[test]
fn wrong_usage_is_2() {
    let sandbox = Sandbox::with_music();
    sandbox.run(&[]).failed(2, "Usage");
    sandbox
        .run(&["qurey", "Music"])
        .failed(2, "similar subcommand");
    sandbox
        .run(&["table", "scan", "Music", "--limit", "0"])
        .failed(2, "--limit");
    sandbox
        .run(&["table", "scan", "Music", "--output", "xml"])
        .failed(2, "jsonl");
    sandbox
        .run(&[
            "table",
            "scan",
            "Music",
            "--store",
            "a",
            "--endpoint-url",
            "http://127.0.0.1:1",
        ])
        .failed(2, "cannot be used with");
    sandbox
        .run(&["table", "scan", "Music", "--region", "eu-west-1"])
        .failed(2, "--aws");
    sandbox
        .run(&["table", "scan", "Music", "--index", "Other"])
        .failed(2, "its indexes are ByRelease");
    sandbox
        .run(&["table", "scan", "Music", "--values", "{"])
        .failed(2, "--values: not JSON");
    sandbox
        .run(&["table", "query", "Music"])
        .failed(2, "PARTITION_KEY");
    sandbox
        .run(&["table", "get", "Music", "only one"])
        .failed(2, "Artist:S Song:S");
    sandbox
        .run(&["table", "put", "Music", "[1]"])
        .failed(2, "nothing was written");
    sandbox
        .run(&["table", "delete", "Music"])
        .failed(2, "--yes");
}

#[test]
fn configuration_is_253_and_makes_no_directory() {
    let sandbox = Sandbox::new();
    for command in [
        &["table", "list"][..],
        &["table", "scan", "Music"],
        &["table", "get", "Music", "a", "b"],
        &["table", "put", "Music", "{}"],
        &["table", "delete", "Music", "--yes"],
    ] {
        let outcome = sandbox.run(command).failed(253, "no store at ./data");
        assert!(
            outcome
                .stderr
                .contains("help: create one with `monotable serve`"),
            "{outcome:?}"
        );
        assert_eq!(outcome.stdout, "");
    }
    std::fs::create_dir(sandbox.path().join("empty")).unwrap();
    sandbox
        .run(&["table", "list", "--store", "empty"])
        .failed(253, "no store at empty");
    let names: Vec<_> = std::fs::read_dir(sandbox.path()).unwrap().collect();
    assert_eq!(names.len(), 1, "{names:?}");

    sandbox.write("empty/file", "x");
    sandbox
        .run(&["table", "list", "--store", "empty"])
        .failed(253, "not a Monotable store");
}

#[test]
fn the_store_can_be_named_by_the_environment() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command();
    let status = command
        .env("MONOTABLE_STORE", "elsewhere")
        .args(["table", "create", "Music", "Artist"]);
    assert!(status.status().unwrap().success());
    assert!(sandbox.path().join("elsewhere").exists());
    let tables = sandbox
        .run(&["table", "list", "--store", "elsewhere"])
        .succeeded();
    assert!(tables.stdout.contains("\"Music\""));
    let mut command = sandbox.command();
    let output = command
        .env("MONOTABLE_STORE", "elsewhere")
        .args(["table", "list", "--store", "other"])
        .output();
    assert_eq!(output.unwrap().status.code(), Some(253));
}

#[test]
fn a_store_in_use_says_that_a_server_may_be_running() {
    let sandbox = Sandbox::with_music();
    let served = Served::start(&sandbox, &[]);
    let outcome = sandbox
        .run(&["table", "list"])
        .failed(253, "is open in another process");
    assert!(
        outcome
            .stderr
            .contains("--endpoint-url http://127.0.0.1:8000"),
        "{outcome:?}"
    );
    sandbox
        .run(&["serve", "--port", "0"])
        .failed(253, "is open in another process");
    served.stop();
    sandbox.run(&["table", "list"]).succeeded();
}

#[test]
fn errors_of_the_service_are_254() {
    let sandbox = Sandbox::with_music();
    let outcome = sandbox
        .run(&["table", "scan", "Nothing"])
        .failed(254, "ResourceNotFoundException");
    assert!(
        outcome.stderr.contains("help: `monotable table list`"),
        "{outcome:?}"
    );
    sandbox
        .run(&["table", "scan", "Music", "--filter", "Released >"])
        .failed(254, "Invalid FilterExpression");
    sandbox
        .run(&["table", "create", "Music", "a"])
        .failed(254, "ResourceInUseException");
}

#[test]
fn anything_else_is_255() {
    let sandbox = Sandbox::with_music();
    let outcome = sandbox.run(&["table", "get", "Music", "a", "b"]);
    let outcome = outcome.failed(
        255,
        r#"no item with the key {"Artist":"a","Song":"b"} in Music"#,
    );
    assert_eq!(outcome.stdout, "");
    sandbox
        .run(&["table", "put", "Music", "--file", "missing.jsonl"])
        .failed(255, "missing.jsonl");
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    let sandbox = Sandbox::with_music();
    let line = |n: usize| format!("{{\"Artist\":\"{n}\",\"Song\":\"{}\"}}\n", "x".repeat(1000));
    let items: String = (0..3000).map(line).collect();
    sandbox
        .feed(&["table", "put", "Music", "-"], items.as_bytes())
        .succeeded();
    for form in ["json", "jsonl", "table"] {
        let mut command = sandbox.command();
        command.args(["table", "scan", "Music", "--output", form]);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The pipe holds less than the three megabytes that are written.
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{form}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{form}");
    }
}

#[test]
fn deleting_needs_a_yes() {
    let sandbox = Sandbox::with_music();
    sandbox
        .feed(&["table", "delete", "Music"], b"Music\n")
        .failed(2, "--yes");
    assert!(
        sandbox
            .run(&["table", "list"])
            .succeeded()
            .stdout
            .contains("Music")
    );
    sandbox
        .run(&["table", "delete", "Music", "--yes"])
        .succeeded();
    assert_eq!(sandbox.run(&["table", "list"]).succeeded().stdout, "[]\n");
}
