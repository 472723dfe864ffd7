//! Spoiled requests: whatever arrives, no answer is a 5xx, nothing panics, and the server goes on.
//!
//! The short form runs among the tests. The long form:
//! `MONOTABLE_CASES=200000 cargo test -p monotable-server --release --test http fuzz`, with
//! `MONOTABLE_SEED` for another sequence.

use crate::client::{Client, SIGNED_BY_ANYONE, create_table, request};
use crate::running::{Running, engine};
use monotable_server::{Limits, ServerOptions};
use std::time::Duration;

const BODIES: &[(&str, &str)] = &[
    (
        "ListTables",
        r#"{"Limit":3,"ExclusiveStartTableName":"abc"}"#,
    ),
    ("DescribeTable", r#"{"TableName":"Songs"}"#),
    (
        "GetItem",
        r##"{"TableName":"Songs","Key":{"pk":{"S":"a"}},"ProjectionExpression":"#a.b[0]","ExpressionAttributeNames":{"#a":"x"}}"##,
    ),
    (
        "PutItem",
        r#"{"TableName":"Songs","Item":{"pk":{"S":"a"},"n":{"N":"1e30"},"b":{"B":"AAEC"},"m":{"M":{"l":{"L":[{"NULL":true},{"BOOL":false}]}}},"s":{"SS":["x","y"]}},"ConditionExpression":"attribute_not_exists(pk) OR size(n) > :z","ExpressionAttributeValues":{":z":{"N":"0"}},"ReturnValues":"ALL_OLD"}"#,
    ),
    (
        "UpdateItem",
        r#"{"TableName":"Songs","Key":{"pk":{"S":"a"}},"UpdateExpression":"SET c = if_not_exists(c, :o) + :o REMOVE x ADD n :o","ExpressionAttributeValues":{":o":{"N":"1"}},"ReturnValues":"UPDATED_NEW"}"#,
    ),
    (
        "DeleteItem",
        r#"{"TableName":"Songs","Key":{"pk":{"S":"a"}},"ReturnConsumedCapacity":"TOTAL"}"#,
    ),
    (
        "Query",
        r#"{"TableName":"Songs","KeyConditionExpression":"pk = :p","FilterExpression":"contains(s, :p) AND n BETWEEN :a AND :b","ExpressionAttributeValues":{":p":{"S":"a"},":a":{"N":"0"},":b":{"N":"9"}},"Limit":5}"#,
    ),
    (
        "Scan",
        r#"{"TableName":"Songs","TotalSegments":4,"Segment":1,"Select":"COUNT"}"#,
    ),
    (
        "BatchGetItem",
        r#"{"RequestItems":{"Songs":{"Keys":[{"pk":{"S":"a"}},{"pk":{"S":"b"}}]}}}"#,
    ),
    (
        "BatchWriteItem",
        r#"{"RequestItems":{"Songs":[{"PutRequest":{"Item":{"pk":{"S":"z"}}}},{"DeleteRequest":{"Key":{"pk":{"S":"y"}}}}]}}"#,
    ),
    (
        "TransactWriteItems",
        r#"{"TransactItems":[{"Put":{"TableName":"Songs","Item":{"pk":{"S":"t"}}}},{"ConditionCheck":{"TableName":"Songs","Key":{"pk":{"S":"u"}},"ConditionExpression":"attribute_exists(pk)"}}],"ClientRequestToken":"token"}"#,
    ),
    (
        "TransactGetItems",
        r#"{"TransactItems":[{"Get":{"TableName":"Songs","Key":{"pk":{"S":"t"}}}}]}"#,
    ),
    (
        "UpdateTable",
        r#"{"TableName":"Songs","BillingMode":"PAY_PER_REQUEST"}"#,
    ),
    ("DescribeTimeToLive", r#"{"TableName":"Songs"}"#),
    (
        "UpdateTimeToLive",
        r#"{"TableName":"Songs","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"expires"}}"#,
    ),
];

/// Bits of text that mean something somewhere.
const TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    ":",
    ",",
    "null",
    "true",
    "-1",
    "1e999",
    "99999999999999999999",
    "\"\"",
    "\\u0000",
    "\\ud800",
    "{\"S\":\"\"}",
    "{\"N\":\"x\"}",
    "{\"NULL\":false}",
    "{\"M\":{}}",
    "[[[[[[[[",
    "attribute_exists(",
    " AND ",
    "#",
    ":p",
    "\u{0}",
    "\u{ff}",
    "%",
    "/",
    ";",
    "=",
    "gzip",
    "chunked",
    "X-Amz-Algorithm=",
];

const LINES: &[&str] = &[
    "content-encoding: gzip\r\n",
    "content-encoding: deflate\r\n",
    "transfer-encoding: chunked\r\n",
    "accept-encoding: gzip\r\n",
    "expect: 100-continue\r\n",
    "connection: close\r\n",
    "origin: null\r\n",
    "host: b\r\n",
    "x-amz-target: DynamoDBStreams_20120810.ListStreams\r\n",
    "authorization: AWS4-\r\n",
    "date: x\r\n",
    "content-type: text/plain\r\n",
    "upgrade: h2c\r\nconnection: upgrade\r\n",
];

fn pick<'a, T>(random: &mut fastrand::Rng, from: &'a [T]) -> &'a T {
    &from[random.usize(..from.len())]
}

/// Changes a few places: bytes flipped, cut, doubled, or replaced by something meaningful.
fn spoil(random: &mut fastrand::Rng, bytes: &mut Vec<u8>) {
    for _ in 0..random.usize(0..4) {
        let at = random.usize(..=bytes.len());
        let end = (at + random.usize(0..12)).min(bytes.len());
        match random.u8(0..5) {
            0 if at < bytes.len() => bytes[at] = random.u8(..),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            3 => drop(bytes.splice(at..end, pick(random, TOKENS).bytes())),
            _ => drop(bytes.splice(at..at, pick(random, TOKENS).bytes())),
        }
    }
}

fn spoiled(random: &mut fastrand::Rng) -> Vec<u8> {
    let (operation, body) = *pick(random, BODIES);
    let mut body = body.as_bytes().to_vec();
    spoil(random, &mut body);
    let target = if random.u8(..) < 20 {
        *pick(random, TOKENS)
    } else {
        operation
    };
    let line = if random.u8(..) < 40 {
        *pick(random, LINES)
    } else {
        ""
    };
    let query = if random.u8(..) < 20 {
        *pick(random, TOKENS)
    } else {
        ""
    };
    let mut head = format!(
        "POST /{query} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-amz-json-1.0\r\n\
         x-amz-target: DynamoDB_20120810.{target}\r\n{SIGNED_BY_ANYONE}{line}content-length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    if random.u8(..) < 30 {
        spoil(random, &mut head);
    }
    [head, body].concat()
}

#[test]
fn spoiled_requests_never_break_the_server() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let cases: u64 = number("MONOTABLE_CASES").unwrap_or(1500);
    let seed = number("MONOTABLE_SEED").unwrap_or(1);
    // A request that says it is longer than it is ends with the connection, so nothing here waits.
    let limits = Limits {
        body_timeout: Duration::from_secs(30),
        ..Limits::default()
    };
    let server = Running::start(ServerOptions::new().limits(limits), engine());
    create_table(&mut Client::connect(server.address));
    let mut random = fastrand::Rng::with_seed(seed);
    let mut answered = 0;
    for case in 0..cases {
        let bytes = spoiled(&mut random);
        let mut client = Client::connect(server.address);
        client.try_send(&bytes);
        client.close_writing_if_open();
        while let Some(reply) = client.reply_if_whole() {
            answered += 1;
            let shown = String::from_utf8_lossy(&bytes);
            assert!(
                reply.status < 500,
                "seed {seed}, case {case}: {} to\n{shown}",
                reply.status
            );
        }
    }
    assert!(
        answered > cases / 2,
        "most spoiled requests get an answer: {answered}"
    );
    let mut client = Client::connect(server.address);
    assert_eq!(client.ask(request("ListTables", "{}")).status, 200);
    let text = client.ask(crate::client::get("/metrics")).text().to_owned();
    assert!(!text.contains("code=\"panic\""), "{text}");
    assert!(!text.contains("InternalServerError"), "{text}");
}
