//! The same commands on a server instead of a store.
#![cfg(feature = "aws")]

use crate::sandbox::{Outcome, Sandbox, Served};

#[test]
fn commands_work_on_an_endpoint() {
    let sandbox = Sandbox::new();
    let served = Served::start(&sandbox, &[]);
    let run =
        |arguments: &[&str]| sandbox.run(&[arguments, &["--endpoint-url", &served.url]].concat());
    run(&["create-table", "Music", "Artist", "Song:N"]).succeeded();
    let line = |n: usize| format!("{{\"Artist\":\"a\",\"Song\":{n}}}\n");
    sandbox.write("songs", (0..200).map(line).collect::<String>());
    run(&["put", "Music", "--file", "songs"]).succeeded();
    let query = run(&["query", "Music", "a", "<3", "--output", "jsonl"]).succeeded();
    assert_eq!(query.stdout, (0..3).map(line).collect::<String>());
    run(&["get", "Music", "a", "7"]).succeeded();
    let scan = run(&["scan", "Music", "--segments", "3", "--output", "jsonl"]).succeeded();
    assert_eq!(scan.stdout.lines().count(), 200);
    run(&["scan", "Nothing"]).failed(254, "ResourceNotFoundException");
    run(&["delete-table", "Music", "--yes"]).succeeded();
    assert_eq!(run(&["tables"]).succeeded().stdout, "[]\n");
    served.stop();
}

#[test]
fn the_endpoint_can_come_from_the_environment() {
    let (sandbox, elsewhere) = (Sandbox::with_music(), Sandbox::new());
    let served = Served::start(&sandbox, &[]);
    let tables = |variables: &[(&str, &str)], arguments: &[&str]| {
        let mut command = elsewhere.command();
        command
            .arg("tables")
            .args(arguments)
            .envs(variables.iter().copied());
        Outcome::of(command.output().unwrap())
    };
    let endpoint = ("AWS_ENDPOINT_URL_DYNAMODB", served.url.as_str());
    assert!(
        tables(&[endpoint], &[])
            .succeeded()
            .stdout
            .contains("Music")
    );
    assert!(
        tables(&[endpoint], &["--aws"])
            .succeeded()
            .stdout
            .contains("Music")
    );
    tables(&[endpoint], &["--store", "here"]).failed(253, "no store at here");
    tables(&[endpoint, ("MONOTABLE_STORE", "here")], &[]).failed(253, "no store at here");
    let ignored = ("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true");
    tables(&[endpoint, ignored], &[]).failed(253, "no store at ./data");
    served.stop();
}

#[test]
fn a_wrong_secret_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "keys",
        "[a]\naws_access_key_id = AKID\naws_secret_access_key = right\n",
    );
    let served = Served::start(&sandbox, &["--in-memory", "--credentials", "keys"]);
    let tables = |secret: &str| {
        let mut command = sandbox.command();
        command.args(["tables", "--endpoint-url", &served.url]);
        command
            .env("AWS_ACCESS_KEY_ID", "AKID")
            .env("AWS_SECRET_ACCESS_KEY", secret);
        Outcome::of(command.output().unwrap())
    };
    assert_eq!(tables("right").succeeded().stdout, "[]\n");
    let outcome = tables("wrong").failed(254, "InvalidSignatureException");
    assert!(
        outcome.stderr.contains("help: check the credentials"),
        "{outcome:?}"
    );
    served.stop();
}

#[test]
fn an_address_where_nobody_listens() {
    let sandbox = Sandbox::new();
    // A port that was free a moment ago may be another test's by now; nobody listens on the first one.
    let outcome = sandbox.run(&["tables", "--endpoint-url", "http://127.0.0.1:1"]);
    let outcome = outcome.failed(254, "127.0.0.1:1");
    assert!(
        outcome.stderr.contains("help: check the address"),
        "{outcome:?}"
    );
    sandbox
        .run(&["tables", "--endpoint-url", "nonsense"])
        .failed(253, "nonsense");
}
