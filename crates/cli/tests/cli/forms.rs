//! Output forms, notations, and colour.

use crate::sandbox::{BINARY, Outcome, Sandbox, clean};
use std::process::Command;

const SONG: &str = r#"{"Artist":"Nina Simone","Released":1965,"Song":"Feeling Good"}"#;

fn with_songs() -> Sandbox {
    let sandbox = Sandbox::with_music();
    let songs =
        format!("{SONG}\n{{\"Artist\":\"Prince\",\"Song\":\"1999\",\"Tags\":[\"a\",null,true]}}\n");
    sandbox
        .feed(&["table", "put", "Music", "-"], songs.as_bytes())
        .succeeded();
    sandbox
}

#[test]
fn json_is_the_default_of_a_pipe() {
    let sandbox = with_songs();
    let scan = sandbox.run(&["table", "scan", "Music"]).succeeded();
    let items: serde_json::Value = serde_json::from_str(&scan.stdout).unwrap();
    assert_eq!(items.as_array().unwrap().len(), 2);
    assert_eq!(
        scan.stdout,
        serde_json::to_string_pretty(&items).unwrap() + "\n"
    );
    assert_eq!(scan.stderr, "");
    assert_eq!(
        scan.stdout,
        sandbox
            .run(&["table", "scan", "Music", "--output", "json"])
            .stdout
    );

    let get = sandbox
        .run(&["table", "get", "Music", "Nina Simone", "Feeling Good"])
        .succeeded();
    let item: serde_json::Value = serde_json::from_str(&get.stdout).unwrap();
    assert_eq!(item["Released"], 1965);
}

#[test]
fn jsonl_is_an_item_per_line() {
    let sandbox = with_songs();
    let get = [
        "table",
        "get",
        "Music",
        "Nina Simone",
        "Feeling Good",
        "--output",
        "jsonl",
    ];
    assert_eq!(sandbox.run(&get).succeeded().stdout, format!("{SONG}\n"));
    let prince = r#"{"Artist":"Prince","Song":"1999","Tags":["a",null,true]}"#;
    assert_eq!(sandbox.items("Music"), [SONG, prince]);
}

#[test]
fn a_table_has_its_keys_first() {
    let sandbox = with_songs();
    let query = sandbox
        .run(&[
            "table",
            "query",
            "Music",
            "Nina Simone",
            "--output",
            "table",
        ])
        .succeeded();
    assert_eq!(
        query.stdout,
        "Artist       Song          Released\nNina Simone  Feeling Good  1965\n"
    );
    let tables = sandbox
        .run(&["table", "list", "--output", "table"])
        .succeeded()
        .stdout;
    let mut lines = tables.lines();
    assert_eq!(
        lines
            .next()
            .unwrap()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" "),
        "name status key indexes items bytes"
    );
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("Music  ACTIVE  Artist:S Song:S  {\"ByRelease\":\"Released:N\"}")
    );
}

#[test]
fn an_empty_answer_is_an_empty_array() {
    let sandbox = Sandbox::with_music();
    assert_eq!(
        sandbox.run(&["table", "scan", "Music"]).succeeded().stdout,
        "[]\n"
    );
    assert_eq!(
        sandbox
            .run(&["table", "scan", "Music", "--output", "jsonl"])
            .succeeded()
            .stdout,
        ""
    );
    assert_eq!(
        sandbox
            .run(&["table", "scan", "Music", "--output", "table"])
            .succeeded()
            .stdout,
        ""
    );
}

#[test]
fn numbers_keep_all_their_digits() {
    let sandbox = Sandbox::with_music();
    let numbers = [
        "12345678901234567890123456789012345678",
        "-0.12345678901234567890123456789012345678",
        "9007199254740993",
        "0.1",
    ];
    for (n, number) in numbers.iter().enumerate() {
        let item = format!(r#"{{"Artist":"a","N":{number},"Song":"{n}"}}"#);
        sandbox.run(&["table", "put", "Music", &item]).succeeded();
        let get = sandbox.run(&[
            "table",
            "get",
            "Music",
            "a",
            &n.to_string(),
            "--output",
            "jsonl",
        ]);
        assert_eq!(get.succeeded().stdout, format!("{item}\n"));
    }
    let long = format!(r#"{{"Artist":"a","Song":"b","N":{}}}"#, "1".repeat(39));
    sandbox
        .run(&["table", "put", "Music", &long])
        .failed(2, "N: Attempting to store more than 38 significant digits");
}

#[test]
fn ddb_json_keeps_every_type() {
    let sandbox = Sandbox::with_music();
    let item = r#"{"Artist":{"S":"a"},"B":{"B":"AP8="},"BS":{"BS":["AQ=="]},"L":{"L":[{"NULL":true},{"M":{"x":{"NS":["1","2.5"]}}}]},"Song":{"S":"b"},"T":{"BOOL":true}}"#;
    sandbox
        .run(&["table", "put", "Music", item, "--ddb-json"])
        .succeeded();
    let dump = sandbox
        .run(&["table", "scan", "Music", "--ddb-json", "--output", "jsonl"])
        .succeeded();
    assert_eq!(dump.stdout, format!("{item}\n"));
    assert_eq!(dump.stderr, "");

    // The dump, written to another table, gives the same dump.
    sandbox
        .run(&["table", "create", "Copy", "Artist", "Song"])
        .succeeded();
    sandbox
        .feed(
            &["table", "put", "Copy", "-", "--ddb-json"],
            dump.stdout.as_bytes(),
        )
        .succeeded();
    let copy = sandbox
        .run(&["table", "scan", "Copy", "--ddb-json", "--output", "jsonl"])
        .succeeded();
    assert_eq!(copy.stdout, dump.stdout);

    // Plain JSON warns that it cannot do that.
    let plain = sandbox
        .run(&["table", "scan", "Music", "--output", "jsonl"])
        .succeeded();
    assert_eq!(
        plain.stdout,
        "{\"Artist\":\"a\",\"B\":\"AP8=\",\"BS\":[\"AQ==\"],\"L\":[null,{\"x\":[1,2.5]}],\"Song\":\"b\",\"T\":true}\n"
    );
    assert!(
        plain.stderr.contains("--ddb-json keeps their types"),
        "{plain:?}"
    );
}

#[test]
fn colour_only_where_it_is_wanted() {
    let sandbox = with_songs();
    let run = |variables: &[(&str, &str)], arguments: &[&str]| {
        let mut command = sandbox.command();
        command.args(arguments).envs(variables.iter().copied());
        Outcome::of(command.output().unwrap())
    };
    let scan = ["table", "scan", "Music", "--output", "table"];
    assert!(!run(&[], &scan).stdout.contains('\x1b'));
    assert!(
        run(&[("CLICOLOR_FORCE", "1")], &scan)
            .stdout
            .starts_with("\x1b[1mArtist")
    );
    assert!(
        !run(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &scan)
            .stdout
            .contains('\x1b')
    );
    let wrong = ["table", "scan", "Nothing"];
    assert!(
        run(&[], &wrong)
            .stderr
            .starts_with("error: ResourceNotFound")
    );
    assert!(
        run(&[("CLICOLOR_FORCE", "1")], &wrong)
            .stderr
            .starts_with("\x1b[")
    );
    assert!(!run(&[("NO_COLOR", "1")], &wrong).stderr.contains('\x1b'));
}

/// `script` of util-linux gives a command a terminal.
#[test]
fn a_terminal_gets_a_table() {
    let sandbox = with_songs();
    let mut command = Command::new("script");
    clean(&mut command);
    let line = format!("{BINARY} table query Music Prince");
    command
        .current_dir(sandbox.path())
        .args(["-qec", &line, "/dev/null"]);
    command.env("NO_COLOR", "1").env("TERM", "xterm");
    let Ok(output) = command.output() else {
        return;
    };
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("Artist  Song  Tags\r\nPrince  1999  "),
        "{text}"
    );
}
