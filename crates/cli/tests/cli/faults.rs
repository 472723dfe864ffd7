//! What a user is told when the service refuses: each message says what to do.
#![cfg(feature = "aws")]

use crate::sandbox::Sandbox;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Answers every request with this exception.
fn refusing(status: u16, exception: &'static str, message: &'static str) -> String {
    answering(move |_| (status, refusal(exception, message)))
}

fn refusal(exception: &str, message: &str) -> String {
    format!(
        "{{\"__type\":\"com.amazonaws.dynamodb.v20120810#{exception}\",\"message\":\"{message}\"}}"
    )
}

/// Answers the request of an operation with a status and a body.
fn answering(answer: impl Fn(&str) -> (u16, String) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let answer = Arc::clone(&answer);
            std::thread::spawn(move || {
                let mut reader = BufReader::new(connection.try_clone().unwrap());
                let mut length = 0;
                let mut operation = String::new();
                loop {
                    let mut line = String::new();
                    if reader.read_line(&mut line).unwrap_or(0) == 0 {
                        return;
                    }
                    if let Some((_, named)) = line.trim().split_once("DynamoDB_20120810.") {
                        operation = named.to_owned();
                    }
                    let line = line.trim().to_ascii_lowercase();
                    if let Some(given) = line.strip_prefix("content-length:") {
                        length = given.trim().parse().unwrap();
                    }
                    if line.is_empty() {
                        break;
                    }
                }
                let mut body = vec![0; length];
                let _ = reader.read_exact(&mut body);
                let (status, body) = answer(&operation);
                let length = body.len();
                let answer = format!(
                    "HTTP/1.1 {status} Said\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
                );
                let _ = connection.write_all(answer.as_bytes());
            });
        }
    });
    url
}

#[test]
fn every_refusal_of_the_service_says_what_to_do() {
    let sandbox = Sandbox::new();
    for (status, exception, message, told) in [
        (
            400,
            "UnrecognizedClientException",
            "The security token included in the request is invalid.",
            "credentials",
        ),
        (
            400,
            "ExpiredTokenException",
            "The security token included in the request is expired",
            "has expired: sign in again",
        ),
        (
            400,
            "InvalidSignatureException",
            "Credential should be scoped to a valid region.",
            "--region",
        ),
        (
            400,
            "InvalidSignatureException",
            "The request signature we calculated does not match the signature you provided.",
            "AWS_SECRET_ACCESS_KEY",
        ),
        (
            400,
            "InvalidSignatureException",
            "Signature expired: 20261118T000000Z is now earlier than 20261118T010000Z",
            "the clock of this machine is wrong",
        ),
        (
            400,
            "MissingAuthenticationTokenException",
            "Request must contain a valid (registered) AWS Access Key ID.",
            "no usable credentials",
        ),
        (
            400,
            "ResourceNotFoundException",
            "Requested resource not found",
            "setup",
        ),
        (
            400,
            "AccessDeniedException",
            "User is not authorized",
            "lacks this action",
        ),
        (
            400,
            "ThrottlingException",
            "Rate of requests exceeds the allowed throughput.",
            "trying again did not help",
        ),
        (
            400,
            "ProvisionedThroughputExceededException",
            "The level of configured provisioned throughput for the table was exceeded.",
            "raise its units",
        ),
    ] {
        let url = refusing(status, exception, message);
        let words = [
            "get",
            "-m",
            "yggdrasil",
            "User",
            "UserId=ada",
            "--endpoint-url",
            &url,
        ];
        let outcome = sandbox.run(&words).failed(254, exception);
        assert!(outcome.stderr.contains(told), "{exception}: {outcome:?}");
    }
}

/// A table that another program gives an index: it is being made at first, and there after some looks.
fn half_created(looks: usize) -> String {
    let seen = AtomicUsize::new(0);
    answering(move |operation| match operation {
        "DescribeTable" => {
            let looked = seen.fetch_add(1, Ordering::SeqCst);
            let status = if looked < looks { "CREATING" } else { "ACTIVE" };
            (200, described_table(status))
        }
        "Query" => (
            400,
            refusal(
                "ValidationException",
                "Cannot read from backfilling global secondary index: GSI1",
            ),
        ),
        "TransactWriteItems" => (400, refusal("ValidationException", "nothing is asked")),
        _ => (200, "{}".to_owned()),
    })
}

fn described_table(index: &str) -> String {
    format!(
        r#"{{"Table": {{"TableName": "Main", "TableStatus": "ACTIVE",
            "KeySchema": [{{"AttributeName": "PK", "KeyType": "HASH"}}],
            "AttributeDefinitions": [
                {{"AttributeName": "PK", "AttributeType": "S"}}, {{"AttributeName": "GSI1PK", "AttributeType": "S"}}],
            "GlobalSecondaryIndexes": [{{"IndexName": "GSI1", "IndexStatus": "{index}",
                "KeySchema": [{{"AttributeName": "GSI1PK", "KeyType": "HASH"}}],
                "Projection": {{"ProjectionType": "ALL"}}}}]}}}}"#
    )
}

const INDEXED: &str = r#"
monotable = 1
model     = "indexed"

[table.Main]
key  = ["PK"]
GSI1 = ["GSI1PK"]

[entity.Thing]
key  = ["THING#{id}"]
GSI1 = ["COLOUR#{colour}"]

[entity.Thing.attributes]
id     = "ulid, generated"
colour = "red | blue"

[access.things_of_colour]
GSI1    = ["COLOUR#{colour}"]
returns = ["Thing"]
"#;

#[test]
fn a_half_created_index_is_waited_for_by_setup_and_named_by_queries() {
    let sandbox = Sandbox::new();
    sandbox.write("model.toml", INDEXED);
    let url = half_created(usize::MAX);
    let words = [
        "query",
        "things_of_colour",
        "colour=red",
        "--endpoint-url",
        &url,
    ];
    let outcome = sandbox
        .run(&words)
        .failed(254, "backfilling global secondary index: GSI1");
    assert!(
        outcome.stderr.contains("`setup` waits for it"),
        "{outcome:?}"
    );

    let url = half_created(3);
    let outcome = sandbox.run(&["setup", "--endpoint-url", &url]).succeeded();
    assert!(outcome.stderr.contains("GSI1"), "{outcome:?}");
}

#[test]
fn a_missing_index_is_told_with_what_makes_it() {
    let sandbox = Sandbox::new();
    sandbox.write("model.toml", INDEXED);
    let url = refusing(
        400,
        "ValidationException",
        "The table does not have the specified index: GSI1",
    );
    let words = [
        "query",
        "things_of_colour",
        "colour=red",
        "--endpoint-url",
        &url,
    ];
    let outcome = sandbox.run(&words).failed(254, "the specified index: GSI1");
    assert!(
        outcome.stderr.contains("run `setup` to make it"),
        "{outcome:?}"
    );
}

#[test]
fn a_model_that_needs_what_a_server_lacks_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("model.toml", INDEXED);
    // A server that does not know transactions is found out, and nothing else is asked of it.
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let url = answering(move |operation| {
        if operation != "TransactWriteItems" {
            counted.fetch_add(1, Ordering::SeqCst);
        }
        (400, refusal("UnknownOperationException", ""))
    });
    let words = [
        "create",
        "-m",
        "yggdrasil",
        "User",
        "UserId=ada",
        "Email=a@x.org",
        "PasswordHash=x",
    ];
    let words = [&words[..], &["--endpoint-url", &url]].concat();
    let outcome = sandbox.run(&words).failed(2, "no transactions");
    assert!(
        outcome
            .stderr
            .contains("entity.InTree.attributes.UserId refers to a row"),
        "{outcome:?}"
    );
    assert_eq!(asked.load(Ordering::SeqCst), 0);

    // What a user says of a server is believed.
    let url = answering(|_| (200, "{}".to_owned()));
    let run = |without: &str, model: &str| {
        let words = [
            "get",
            "-m",
            model,
            "User",
            "UserId=ada",
            "--endpoint-url",
            &url,
        ];
        sandbox.run(&[&words[..], &["--without", without]].concat())
    };
    run("transactions", "yggdrasil").failed(2, "entity.InTree.attributes.UserId refers to a row");
    run("ttl,tags", "yggdrasil").failed(254, "NotFound");
    run("ttl,pitr", "yggdrasil").failed(2, "table.Yggdrasil.pitr is declared");
    run("wings", "yggdrasil").failed(2, "there is no ability `wings`: transactions, ");
    let mut command = sandbox.command();
    let words = [
        "get",
        "-m",
        "yggdrasil",
        "User",
        "UserId=ada",
        "--endpoint-url",
        &url,
    ];
    let output = command
        .args(words)
        .env("MONOTABLE_WITHOUT", "transactions")
        .output();
    let outcome = crate::sandbox::Outcome::of(output.unwrap());
    outcome.failed(2, "entity.InTree.attributes.UserId refers to a row");
}
