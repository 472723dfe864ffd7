//! Reads of many pages: streamed, limited, continued, and in parallel.

use crate::sandbox::Sandbox;
use std::collections::BTreeSet;

const COUNT: usize = 3000;

/// 3,000 items of 1 KB: several pages of 1 MB.
fn with_many() -> Sandbox {
    let sandbox = Sandbox::with_music();
    let text = "x".repeat(1000);
    let line = |n: usize| {
        format!(
            "{{\"Artist\":\"a{}\",\"Song\":\"{n:04}\",\"Released\":{n},\"text\":\"{text}\"}}\n",
            n % 3
        )
    };
    let lines: String = (0..COUNT).map(line).collect();
    sandbox
        .feed(&["table", "put", "Music", "-"], lines.as_bytes())
        .succeeded();
    sandbox
}

fn songs(text: &str) -> Vec<String> {
    let song = |line: &str| {
        let item: serde_json::Value = serde_json::from_str(line).unwrap();
        item["Song"].as_str().unwrap().to_owned()
    };
    text.lines().map(song).collect()
}

/// The key that the note on stderr tells, with the shell's quotes removed.
fn start_key(stderr: &str) -> Option<String> {
    let (_, rest) = stderr.split_once("--start-key '")?;
    Some(rest.trim_end().trim_end_matches('\'').replace(r"'\''", "'"))
}

#[test]
fn all_items_once() {
    let sandbox = with_many();
    for segments in ["1", "4"] {
        let scan = [
            "table",
            "scan",
            "Music",
            "--segments",
            segments,
            "--output",
            "jsonl",
        ];
        let found = songs(&sandbox.run(&scan).succeeded().stdout);
        assert_eq!(found.len(), COUNT);
        assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), COUNT);
    }
    let json = sandbox
        .run(&["table", "scan", "Music", "--segments", "3"])
        .succeeded()
        .stdout;
    let items: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(items.as_array().unwrap().len(), COUNT);

    // Limits with each way of reading.
    for arguments in [
        &["--limit", "10", "--segments", "4"][..],
        &["--limit", "2500"],
        &[
            "--limit",
            "7",
            "--filter",
            "Released > :y",
            "--values",
            r#"{":y":-1}"#,
        ],
    ] {
        let scan = [&["table", "scan", "Music", "--output", "jsonl"], arguments].concat();
        let outcome = sandbox.run(&scan).succeeded();
        assert_eq!(outcome.stdout.lines().count().to_string(), arguments[1]);
        assert!(outcome.stderr.contains("more items"), "{outcome:?}");
    }
}

#[test]
fn limited_reads_go_on_where_they_ended() {
    let sandbox = with_many();
    let filter = ["--filter", "Released >= :y", "--values", r#"{":y":100}"#];
    let reads: [(&[&str], usize); 4] = [
        (&["table", "query", "Music", "a1"], 1000),
        (&["table", "scan", "Music"], COUNT),
        (
            &[
                "table",
                "query",
                "Music",
                "a2",
                "--reverse",
                filter[0],
                filter[1],
                filter[2],
                filter[3],
            ],
            967,
        ),
        (
            &[
                "table",
                "scan",
                "Music",
                "--index",
                "ByRelease",
                "--ddb-json",
            ],
            COUNT,
        ),
    ];
    for (read, expected) in reads {
        let mut found = BTreeSet::new();
        let mut start: Option<String> = None;
        let mut rounds = 0;
        loop {
            let mut arguments = [read, &["--limit", "400", "--output", "jsonl"]].concat();
            if let Some(key) = &start {
                arguments.extend(["--start-key", key]);
            }
            let outcome = sandbox.run(&arguments).succeeded();
            for line in outcome.stdout.lines() {
                assert!(found.insert(line.to_owned()), "twice: {line}");
            }
            rounds += 1;
            start = start_key(&outcome.stderr);
            if start.is_none() {
                break;
            }
        }
        assert_eq!(found.len(), expected, "{read:?}");
        assert!(rounds > expected / 400, "{read:?}");
    }
}

#[test]
fn a_start_key_with_quotes_survives_the_shell() {
    let sandbox = Sandbox::with_music();
    let lines = "{\"Artist\":\"it's\",\"Song\":\"1\"}\n{\"Artist\":\"it's\",\"Song\":\"2\"}\n";
    sandbox
        .feed(&["table", "put", "Music", "-"], lines.as_bytes())
        .succeeded();
    let first = sandbox
        .run(&[
            "table", "query", "Music", "it's", "--limit", "1", "--output", "jsonl",
        ])
        .succeeded();
    let note = first
        .stderr
        .split_once("--start-key")
        .unwrap()
        .1
        .trim()
        .to_owned();
    let script = format!(
        "{} table query Music \"it's\" --output jsonl --start-key {note}",
        crate::sandbox::BINARY
    );
    let mut shell = std::process::Command::new("sh");
    crate::sandbox::clean(&mut shell);
    let output = shell
        .current_dir(sandbox.path())
        .args(["-c", &script])
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "{\"Artist\":\"it's\",\"Song\":\"2\"}\n"
    );
}
