//! `serve`: starting, answering, refusing, and stopping without losing anything.

use crate::http::{get, post};
use crate::sandbox::{Sandbox, Served};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;

#[test]
fn a_server_answers_and_stops_with_either_signal() {
    for signal in ["TERM", "INT"] {
        let sandbox = Sandbox::new();
        let served = Served::start(&sandbox, &[]);
        assert!(get(&served.url, "/healthz").starts_with("HTTP/1.1 200"));
        let tables = post(&served.url, "ListTables", "{}");
        assert!(tables.ends_with(r#"{"TableNames":[]}"#), "{tables}");
        served.signal(signal);
        let outcome = served.ended().succeeded();
        assert!(outcome.stderr.contains("stopping"), "{outcome:?}");
        assert!(!outcome.stderr.contains('\x1b'), "{outcome:?}");
        // The store is there for commands, and free.
        assert_eq!(sandbox.run(&["table", "list"]).succeeded().stdout, "[]\n");
    }
}

#[test]
fn what_was_acknowledged_right_before_the_end_is_there() {
    let sandbox = Sandbox::with_music();
    for round in 0..5 {
        let served = Served::start(&sandbox, &[]);
        let item = format!(
            r#"{{"TableName":"Music","Item":{{"Artist":{{"S":"a"}},"Song":{{"S":"{round}"}}}}}}"#
        );
        assert!(post(&served.url, "PutItem", &item).starts_with("HTTP/1.1 200"));
        served.stop();
        assert_eq!(sandbox.items("Music").len(), round + 1);
    }
}

#[test]
fn memory_leaves_nothing_on_disk() {
    let sandbox = Sandbox::new();
    let served = Served::start(&sandbox, &["--in-memory"]);
    assert!(post(&served.url, "ListTables", "{}").contains("TableNames"));
    served.stop();
    assert_eq!(std::fs::read_dir(sandbox.path()).unwrap().count(), 0);
}

#[test]
fn a_taken_port_is_a_configuration_error() {
    let sandbox = Sandbox::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let outcome = sandbox.run(&["serve", "--in-memory", "--port", &port]);
    outcome.failed(253, "another process listens on 127.0.0.1");
}

#[test]
fn a_public_address_needs_credentials() {
    let sandbox = Sandbox::new();
    let outcome = sandbox.run(&["serve", "--in-memory", "--port", "0", "--host", "0.0.0.0"]);
    let outcome = outcome.failed(253, "can be reached from other machines");
    for option in ["--credentials", "--insecure"] {
        assert!(outcome.stderr.contains(option), "{outcome:?}");
    }
    let served = Served::start(
        &sandbox,
        &["--in-memory", "--host", "0.0.0.0", "--insecure"],
    );
    assert!(get(&served.url, "/healthz").starts_with("HTTP/1.1 200"));
    served.stop();
}

#[test]
fn credentials_are_checked_and_never_shown() {
    let sandbox = Sandbox::new();
    let start =
        |file: &str| sandbox.run(&["serve", "--in-memory", "--port", "0", "--credentials", file]);
    start("missing").failed(253, "cannot read the credentials missing");
    sandbox.write(
        "bad",
        "[a]\naws_access_key_id = AKID\naws_secret_access_key hunter2\n",
    );
    let outcome = start("bad").failed(253, "the credentials bad");
    assert!(!outcome.stderr.contains("hunter2"), "{outcome:?}");

    sandbox.write(
        "keys",
        "[a]\naws_access_key_id = AKID\naws_secret_access_key = hunter2\n",
    );
    let path = sandbox.path().join("keys");
    for (mode, is_warned) in [(0o644, true), (0o600, false)] {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        let served = Served::start(
            &sandbox,
            &["--in-memory", "--credentials", "keys", "--log", "trace"],
        );
        let refused = post(&served.url, "ListTables", "{}");
        assert!(
            refused.starts_with("HTTP/1.1 4") && !refused.contains("TableNames"),
            "{refused}"
        );
        let outcome = served.stop();
        assert_eq!(
            outcome.stderr.contains("chmod 600 keys"),
            is_warned,
            "{outcome:?}"
        );
        assert!(!outcome.stderr.contains("hunter2"), "{outcome:?}");
    }
}

/// The value of a metric that counts.
fn count(metrics: &str, name: &str) -> u64 {
    let mut lines = metrics.lines().filter_map(|line| line.strip_prefix(name));
    let value = lines.find_map(|rest| rest.strip_prefix(' '));
    value.expect(metrics).parse().expect(metrics)
}

#[test]
fn metrics_tell_of_the_store() {
    let sandbox = Sandbox::with_music();
    let served = Served::start(&sandbox, &[]);
    let item = r#"{"TableName":"Music","Item":{"Artist":{"S":"a"},"Song":{"S":"b"}}}"#;
    // The store may write things of its own at any moment, so counts are compared with those before.
    let before = get(&served.url, "/metrics");
    assert!(post(&served.url, "PutItem", item).starts_with("HTTP/1.1 200"));
    let metrics = get(&served.url, "/metrics");
    for name in ["bucket{le=\"1\"}", "sum", "count"] {
        let name = format!("monotable_commit_group_requests_{name}");
        assert!(
            count(&metrics, &name) > count(&before, &name),
            "{name}: {before}\n{metrics}"
        );
    }
    assert!(
        metrics.contains("monotable_table_items{table=\"Music\"}"),
        "{metrics}"
    );
    let disk = metrics
        .lines()
        .find_map(|line| line.strip_prefix("monotable_store_disk_bytes "));
    assert!(disk.unwrap().parse::<f64>().unwrap() > 0.0);
    for line in [
        "monotable_commit_stalls_total 0",
        "monotable_commit_refused_writes_total 0",
        "monotable_commit_longest_seconds ",
        "monotable_store_level0_runs ",
        "monotable_store_sealed_memtables ",
        "monotable_store_scrub_bytes_total 0",
        "monotable_store_scrub_passes_total 0",
        "monotable_store_damaged_files 0",
    ] {
        let found = metrics.lines().any(|printed| printed.starts_with(line));
        assert!(found, "no line {line:?} in {metrics}");
    }
    served.stop();
}

#[test]
fn logs_are_structured_and_hold_no_values() {
    let sandbox = Sandbox::with_music();
    let served = Served::start(&sandbox, &["--log", "debug", "--log-format", "json"]);
    let item = r#"{"TableName":"Music","Item":{"Artist":{"S":"secret-artist"},"Song":{"S":"b"}}}"#;
    assert!(post(&served.url, "PutItem", item).starts_with("HTTP/1.1 200"));
    let outcome = served.stop();
    assert!(!outcome.stderr.contains("secret-artist"));
    assert!(outcome.stderr.contains("PutItem"), "{outcome:?}");
    for line in outcome.stderr.lines() {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(event["level"].is_string(), "{line}");
    }
    let served = Served::start(&sandbox, &["--log", "off"]);
    assert_eq!(served.stop().stderr, "");
    sandbox.run(&["serve", "--log", "loud"]).failed(2, "--log");
}

#[test]
fn relaxed_durability_survives_a_stop() {
    let sandbox = Sandbox::with_music();
    let served = Served::start(&sandbox, &["--durability", "relaxed"]);
    let item = r#"{"TableName":"Music","Item":{"Artist":{"S":"a"},"Song":{"S":"b"}}}"#;
    assert!(post(&served.url, "PutItem", item).starts_with("HTTP/1.1 200"));
    served.stop();
    assert_eq!(sandbox.items("Music").len(), 1);
}
