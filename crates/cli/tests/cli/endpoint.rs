//! Commands on a server instead of a store.
#![cfg(feature = "aws")]

use crate::sandbox::{Outcome, Sandbox, Served};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn commands_work_on_an_endpoint() {
    let sandbox = Sandbox::new();
    let served = Served::start(&sandbox, &[]);
    let run =
        |arguments: &[&str]| sandbox.run(&[arguments, &["--endpoint-url", &served.url]].concat());
    run(&["table", "create", "Music", "Artist", "Song:N"]).succeeded();
    let line = |n: usize| format!("{{\"Artist\":\"a\",\"Song\":{n}}}\n");
    sandbox.write("songs", (0..200).map(line).collect::<String>());
    run(&["table", "put", "Music", "--file", "songs"]).succeeded();
    let query = run(&["table", "query", "Music", "a", "<3", "--output", "jsonl"]).succeeded();
    assert_eq!(query.stdout, (0..3).map(line).collect::<String>());
    run(&["table", "get", "Music", "a", "7"]).succeeded();
    let scan = run(&[
        "table",
        "scan",
        "Music",
        "--segments",
        "3",
        "--output",
        "jsonl",
    ])
    .succeeded();
    assert_eq!(scan.stdout.lines().count(), 200);
    run(&["table", "scan", "Nothing"]).failed(254, "ResourceNotFoundException");
    run(&["table", "delete", "Music", "--yes"]).succeeded();
    assert_eq!(run(&["table", "list"]).succeeded().stdout, "[]\n");
    served.stop();
}

#[test]
fn the_endpoint_can_come_from_the_environment() {
    let (sandbox, elsewhere) = (Sandbox::with_music(), Sandbox::new());
    let served = Served::start(&sandbox, &[]);
    let tables = |variables: &[(&str, &str)], arguments: &[&str]| {
        let mut command = elsewhere.command();
        command
            .args(["table", "list"])
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
        command.args(["table", "list", "--endpoint-url", &served.url]);
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
    let outcome = sandbox.run(&["table", "list", "--endpoint-url", "http://127.0.0.1:1"]);
    let outcome = outcome.failed(254, "127.0.0.1:1");
    assert!(
        outcome.stderr.contains("help: check the address"),
        "{outcome:?}"
    );
    sandbox
        .run(&["table", "list", "--endpoint-url", "nonsense"])
        .failed(253, "nonsense");
}

#[test]
fn a_target_is_called_what_it_is() {
    let sandbox = Sandbox::new();
    let embedded = sandbox.run(&["table", "create", "Songs", "Id"]).succeeded();
    assert_eq!(embedded.stderr, "created Songs in the store ./data\n");
    let served = Served::start(&sandbox, &["--in-memory"]);
    let made = format!("created Music on {}\n", served.url);
    let create = [
        "table",
        "create",
        "Music",
        "Id",
        "--endpoint-url",
        &served.url,
    ];
    assert_eq!(sandbox.run(&create).succeeded().stderr, made);
    // The address of AWS's tools is an address, too.
    let mut command = sandbox.command();
    command.args(["setup", "-m", "yggdrasil", "--aws"]);
    command.env("AWS_ENDPOINT_URL_DYNAMODB", &served.url);
    let setup = Outcome::of(command.output().unwrap()).succeeded();
    let made = format!("created Yggdrasil on {}\n", served.url);
    assert!(setup.stderr.ends_with(&made), "{setup:?}");
    served.stop();
}

/// Accepts connections, and closes each without an answer; says how many there were.
fn hang_up() -> (String, Arc<AtomicUsize>) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            counter.fetch_add(1, Ordering::SeqCst);
            drop(connection);
        }
    });
    (url, count)
}

#[test]
fn a_server_that_does_not_answer_is_named_at_the_first_failure() {
    let sandbox = Sandbox::new();
    // Nobody listens: one connection is tried, and no request.
    let get = [
        "get",
        "-m",
        "yggdrasil",
        "User",
        "UserId=ada",
        "--endpoint-url",
    ];
    let refused = sandbox.run(&[&get[..], &["http://127.0.0.1:1"]].concat());
    let refused = refused.failed(254, "http://127.0.0.1:1 cannot be reached");
    assert!(!refused.stderr.contains("Retryable"), "{refused:?}");
    assert!(
        refused.stderr.contains("help: check the address"),
        "{refused:?}"
    );

    // Somebody listens and hangs up: the user is told while the request is sent again.
    let (url, count) = hang_up();
    let lost = sandbox
        .run(&[&get[..], &[&url]].concat())
        .failed(254, "Retryable");
    let note = format!("note: {url} ");
    assert!(lost.stderr.starts_with(&note), "{lost:?}");
    assert_eq!(lost.stderr.matches("trying again").count(), 1, "{lost:?}");
    let attempts = count.load(Ordering::SeqCst);
    assert!(attempts > 2, "{attempts}");
}

/// Takes connections, and never answers.
#[test]
fn a_server_that_is_silent_is_named_while_the_command_waits() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let sandbox = Sandbox::new();
    let get = ["get", "-m", "yggdrasil", "User", "UserId=ada"];
    let mut command = sandbox.command();
    command.args(get).args(["--endpoint-url", &url]);
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    let stderr = child.stderr.take().unwrap();
    // The command itself would wait for longer than any test: that a line comes at all is what is asked.
    BufReader::new(stderr).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(
        line,
        format!("note: {url} has not answered yet; Ctrl-C ends the command\n")
    );
}

/// A web server: it answers every request in the same way, and counts them.
fn serve_page(head: &'static str) -> (String, Arc<AtomicUsize>) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            answer_with_page(&mut connection.unwrap(), head, &counter);
        }
    });
    (url, count)
}

fn answer_with_page(connection: &mut std::net::TcpStream, head: &str, counter: &AtomicUsize) {
    let mut reader = BufReader::new(connection.try_clone().unwrap());
    let (mut length, mut line) = (0, String::new());
    while reader.read_line(&mut line).unwrap_or(0) > 2 {
        let header = line.to_lowercase();
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        line.clear();
    }
    let mut body = vec![0; length];
    // A connection that was only tried has no request.
    if length == 0 || reader.read_exact(&mut body).is_err() {
        return;
    }
    counter.fetch_add(1, Ordering::SeqCst);
    let page = "<!DOCTYPE html><title>Hello</title>";
    let answer = format!(
        "HTTP/1.1 {head}\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{page}",
        page.len()
    );
    connection.write_all(answer.as_bytes()).unwrap();
}

#[test]
fn a_web_server_is_reported_at_its_first_answer() {
    let sandbox = Sandbox::new();
    let get = ["get", "-m", "yggdrasil", "User", "UserId=ada"];
    let commands: [&[&str]; 3] = [&get, &["table", "list"], &["setup", "-m", "yggdrasil"]];
    for head in ["200 OK", "404 Not Found", "501 Unsupported method ('POST')"] {
        for command in commands {
            let (url, count) = serve_page(head);
            let told = format!("{url} is not a DynamoDB: it answered ");
            let outcome = sandbox.run(&[command, &["--endpoint-url", &url]].concat());
            let outcome = outcome.failed(254, &told);
            let status = head.split(' ').next().unwrap();
            let found = format!("HTTP status {status} and text/html that begins with `<!DOCTYPE");
            assert!(outcome.stderr.contains(&found), "{outcome:?}");
            assert!(
                outcome
                    .stderr
                    .contains("help: check the address (--endpoint-url"),
                "{outcome:?}"
            );
            assert_eq!(count.load(Ordering::SeqCst), 1, "{command:?}: {outcome:?}");
        }
    }
}
