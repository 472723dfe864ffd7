//! The access log.

use crate::client::{Client, create_table, get, put, request};
use crate::running::{Running, eventually};
use crate::signed::{ALICE, KEYS, Signed, now};
use monotable_server::{AccessLog, Credentials, ServerOptions};
use serde_json::Value;
use std::num::NonZeroU32;
use std::path::Path;
use tempfile::TempDir;

/// A secret in the place of the id.
const MISTAKEN: &str = "je7MtGbClwBF2Zp9Utkh3yCo8nvbEXAMPLEKEY00";

const FILES: NonZeroU32 = NonZeroU32::new(2).unwrap();

fn open(path: &Path, bytes: u64) -> AccessLog {
    AccessLog::to_file(path, bytes, FILES).unwrap()
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The lines, once there are as many.
fn wait_for(path: &Path, number: usize) -> Vec<Value> {
    eventually(|| lines(path).len() >= number);
    lines(path)
}

#[test]
fn a_line_tells_who_did_what_and_how_it_ended() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("access.log");
    let server = Running::with(ServerOptions::new().access_log(open(&path, 1 << 20)));
    let mut client = Client::connect(server.address);
    create_table(&mut client);
    let reply = client.ask(put("secret-key"));
    assert_eq!(client.ask(get("/healthz")).status, 200);
    assert_eq!(
        client
            .ask(request(
                "GetItem",
                r#"{"TableName":"Nowhere","Key":{"pk":{"S":"x"}}}"#
            ))
            .status,
        400
    );
    let statement = r#"{"Statement":"SELECT * FROM Songs WHERE pk = 'secret-key'"}"#;
    assert_eq!(
        client.ask(request("ExecuteStatement", statement)).status,
        200
    );
    let found = wait_for(&path, 5);
    let line = &found[1];
    assert_eq!(line["id"], reply.header("x-amzn-requestid").unwrap());
    assert_eq!(line["operation"], "PutItem");
    assert_eq!(line["tables"], serde_json::json!(["Songs"]));
    assert_eq!(
        (line["status"].as_u64(), &line["error"]),
        (Some(200), &Value::Null)
    );
    assert_eq!(
        (line["key"].as_str(), line["verified"].as_bool()),
        (Some("AKID"), Some(false))
    );
    assert_eq!(line["refused"], false);
    assert_eq!(line["bytes_out"], 2);
    assert!(line["bytes_in"].as_u64().unwrap() > 40);
    assert!(line["microseconds"].as_u64().unwrap() > 0);
    assert!(line["peer"].as_str().unwrap().starts_with("127.0.0.1:"));
    assert!(line["time"].as_str().unwrap().ends_with('Z'));
    assert_eq!(
        (found[2]["operation"].as_str(), &found[2]["key"]),
        (Some("/healthz"), &Value::Null)
    );
    assert_eq!(found[3]["error"], "ResourceNotFoundException");
    assert_eq!(found[4]["tables"], serde_json::json!(["Songs"]));
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(!text.contains("secret-key"), "{text}");
}

#[test]
fn no_value_and_no_secret_is_ever_in_it() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("access.log");
    let server = Running::with(
        ServerOptions::new()
            .credentials(Credentials::parse(KEYS).unwrap())
            .clock(now)
            .access_log(open(&path, 1 << 20)),
    );
    let mut signed = Signed::by(ALICE);
    assert_eq!(signed.sign().send(&server).status, 200);
    signed.presigned = Some(std::time::Duration::from_secs(60));
    let presigned = signed.sign();
    let signature = presigned
        .query
        .split("X-Amz-Signature=")
        .nth(1)
        .unwrap()
        .to_owned();
    assert_eq!(presigned.send(&server).status, 200);
    let mut forged = Signed::by((ALICE.0, "wrong")).sign();
    forged.body = r#"{"hidden":"value"}"#.to_owned();
    assert_eq!(forged.send(&server).status, 400);
    let mut client = Client::connect(server.address);
    // Somebody takes a secret for the id.
    let mistaken = Signed::by((MISTAKEN, ALICE.1)).sign();
    assert_eq!(mistaken.send(&server).status, 400);
    client.ask(
        "POST /hidden-path?hidden=query HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n",
    );
    let found = wait_for(&path, 5);
    assert_eq!(
        (found[0]["key"].as_str(), found[0]["verified"].as_bool()),
        (Some(ALICE.0), Some(true))
    );
    assert_eq!(found[3]["key"], "(unknown)");
    assert_eq!(
        (
            found[2]["refused"].as_bool(),
            found[2]["verified"].as_bool()
        ),
        (Some(true), Some(false))
    );
    assert_eq!(found[2]["error"], "InvalidSignatureException");
    let text = std::fs::read_to_string(&path).unwrap();
    for hidden in [ALICE.1, MISTAKEN, signature.as_str(), "hidden"] {
        assert!(!text.contains(hidden), "{hidden} is in {text}");
    }
}

#[test]
fn a_full_file_is_renamed_and_the_oldest_one_removed() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("access.log");
    let server = Running::with(ServerOptions::new().access_log(open(&path, 2_000)));
    let mut client = Client::connect(server.address);
    for _ in 0..60 {
        assert_eq!(client.ask(get("/healthz")).status, 200);
    }
    drop(client);
    drop(server);
    let mut names: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["access.log", "access.log.1", "access.log.2"]);
    for name in names {
        let file = folder.path().join(name);
        assert!(!lines(&file).is_empty());
        assert!(std::fs::metadata(&file).unwrap().len() <= 2_500);
    }
}

#[test]
fn a_file_that_was_moved_away_is_begun_anew() {
    let folder = TempDir::new().unwrap();
    let (path, moved) = (
        folder.path().join("access.log"),
        folder.path().join("moved"),
    );
    let log = open(&path, 1 << 20);
    let server = Running::with(ServerOptions::new().access_log(log.clone()));
    let mut client = Client::connect(server.address);
    client.ask(get("/healthz"));
    wait_for(&path, 1);
    std::fs::rename(&path, &moved).unwrap();
    log.reopen();
    client.ask(get("/healthz"));
    wait_for(&path, 1);
    assert_eq!(lines(&moved).len(), 1);
}

#[test]
fn a_full_disk_costs_lines_and_no_request() {
    // Whatever is written to it, there is no space left.
    let server =
        Running::with(ServerOptions::new().access_log(open(Path::new("/dev/full"), 1 << 20)));
    let mut client = Client::connect(server.address);
    for _ in 0..50 {
        assert_eq!(client.ask(get("/healthz")).status, 200);
    }
    eventually(|| {
        let text = client.ask(get("/metrics")).text().to_owned();
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("monotable_access_log_dropped_total "));
        line.unwrap().parse::<u64>().unwrap() >= 50
    });
}
