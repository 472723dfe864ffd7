//! Memory: what clients can make large is counted, and who is slow loses it to others.

use crate::client::{Client, SIGNED_BY_ANYONE, create_table, get, get_item, put, request};
use crate::running::{Running, engine, eventually};
use crate::signed::{ALICE, KEYS, Signed, now};
use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use monotable_engine::Engine;
use monotable_server::{Credentials, Limits, ServerOptions};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Items of 390 KB that a batch reads: 16 MB.
const ITEMS: usize = 40;

fn metrics(server: &Running) -> String {
    let reply = Client::connect(server.address).ask(get("/metrics"));
    reply.text().to_owned()
}

fn held(server: &Running) -> usize {
    let text = metrics(server);
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("monotable_body_bytes_held "));
    line.unwrap().parse().unwrap()
}

fn refused(server: &Running, reason: &str) -> bool {
    metrics(server).contains(&format!("monotable_refused_total{{reason=\"{reason}\"}}"))
}

fn fill(client: &mut Client) {
    create_table(client);
    let value = "x".repeat(390_000);
    for number in 0..ITEMS {
        let item = format!(
            r#"{{"TableName":"Songs","Item":{{"pk":{{"S":"{number}"}},"v":{{"S":"{value}"}}}}}}"#
        );
        assert_eq!(client.ask(request("PutItem", &item)).status, 200);
    }
}

/// Asks for everything that `fill` has written.
fn batch() -> Vec<u8> {
    let keys: Vec<_> = (0..ITEMS)
        .map(|number| format!(r#"{{"pk":{{"S":"{number}"}}}}"#))
        .collect();
    let body = format!(
        r#"{{"RequestItems":{{"Songs":{{"Keys":[{}]}}}}}}"#,
        keys.join(",")
    );
    request("BatchGetItem", &body)
}

fn pressed() -> Limits {
    Limits {
        bytes_in_flight: 40 << 20,
        admission_timeout: Duration::from_secs(60),
        ..Limits::default()
    }
}

#[test]
fn answers_that_are_not_read_count_and_give_way_to_others() {
    let server = Running::limited(pressed());
    let mut client = Client::connect(server.address);
    fill(&mut client);
    let mut deaf = Client::connect(server.address);
    deaf.send(batch());
    // Its answer is made, and nobody takes it.
    eventually(|| (14 << 20..16 << 20).contains(&held(&server)));
    // There is no memory for a second one, until the first is given up.
    let answer = client.ask(batch());
    assert_eq!(answer.status, 200);
    assert!(answer.body.len() > 15_000_000);
    assert!(refused(&server, "slow_reader"));
    eventually(|| held(&server) == 0);
    // What the system has taken of it already comes, and no more.
    assert!(deaf.reply_if_whole_body().is_none());
}

#[test]
fn small_requests_go_on_while_answers_hold_all_memory() {
    let server = Running::limited(Limits {
        // Nobody gives way.
        pressed_rate: 0,
        ..pressed()
    });
    let mut client = Client::connect(server.address);
    fill(&mut client);
    let mut deaf = Client::connect(server.address);
    deaf.send(batch());
    eventually(|| held(&server) > 14 << 20);
    let mut waiting = Client::connect(server.address);
    waiting.send(batch());
    for round in 0..20 {
        let key = format!("small-{round}");
        assert_eq!(client.ask(put(&key)).status, 200);
        assert_eq!(client.ask(get_item(&key)).status, 200);
    }
    assert!(held(&server) > 14 << 20);
}

/// Counts the calls.
struct Counting {
    engine: Arc<Engine>,
    calls: AtomicUsize,
}

impl Dynamo for Counting {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move { self.engine.call(request).await })
    }
}

#[test]
fn no_second_answer_is_made_while_the_first_is_not_read() {
    let counting = Arc::new(Counting {
        engine: engine(),
        calls: AtomicUsize::new(0),
    });
    let server = Running::start(ServerOptions::new(), counting.clone());
    fill(&mut Client::connect(server.address));
    let before = counting.calls.load(Ordering::SeqCst);
    let made = || counting.calls.load(Ordering::SeqCst) - before;
    let mut deaf = Client::connect(server.address);
    for _ in 0..3 {
        deaf.send(batch());
    }
    eventually(|| made() == 1);
    // Long enough for a second one, if it were made.
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(made(), 1);
    for answer in 1..=3 {
        assert!(deaf.reply().unwrap().body.len() > 15_000_000);
        eventually(|| made() >= answer);
    }
    assert_eq!(made(), 3);
}

fn head(headers: &str, length: usize) -> String {
    format!(
        "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-amz-json-1.0\r\n\
         x-amz-target: DynamoDB_20120810.ListTables\r\n{headers}content-length: {length}\r\n\r\n"
    )
}

#[test]
fn slow_unsigned_bodies_get_no_memory() {
    let server = Running::with(
        ServerOptions::new()
            .credentials(Credentials::parse(KEYS).unwrap())
            .clock(now)
            .limits(Limits {
                bytes_in_flight: 8 << 20,
                ..Limits::default()
            }),
    );
    let unknown_key = SIGNED_BY_ANYONE
        .replace("20260101T000000Z", "20130609T100015Z")
        .replace("20260101", "20130609")
        .replace("host;x-amz-date", "host;x-amz-date;x-amz-target");
    let stale = unknown_key
        .replace("AKID", ALICE.0)
        .replace("T100015Z", "T093000Z");
    let heads = [
        (String::new(), "MissingAuthenticationTokenException"),
        (unknown_key, "UnrecognizedClientException"),
        (stale, "InvalidSignatureException"),
    ];
    let mut clients = Vec::new();
    for (headers, exception) in &heads {
        for _ in 0..5 {
            let mut client = Client::connect(server.address);
            client.send(head(headers, 4 << 20));
            // More than is read without memory.
            client.send(" ".repeat(100_000));
            clients.push((client, exception));
        }
    }
    // All of them are there, and the signed ones are served beside them.
    for _ in 0..20 {
        assert_eq!(Signed::by(ALICE).sign().send(&server).status, 200);
    }
    let request = {
        use base64::Engine as _;
        let text = format!("{}:{}", ALICE.0, ALICE.1);
        let text = base64::engine::general_purpose::STANDARD.encode(text);
        format!("GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic {text}\r\n\r\n")
    };
    let text = Client::connect(server.address)
        .ask(request)
        .text()
        .to_owned();
    assert!(text.contains("monotable_body_bytes_held 0\n"), "{text}");
    for (mut client, exception) in clients {
        let reply = client.reply().unwrap();
        assert_eq!(reply.exception(), *exception);
    }
}

#[test]
fn a_client_that_asks_first_need_not_send_a_body_in_vain() {
    let server = crate::signed::server();
    let mut client = Client::connect(server.address);
    client.send(head("expect: 100-continue\r\n", 1 << 20));
    // Not told to go on.
    let reply = client.reply_at_once().unwrap();
    assert_eq!(reply.exception(), "MissingAuthenticationTokenException");
}

#[test]
fn a_slow_body_gives_its_memory_to_others() {
    let server = Running::limited(Limits {
        bytes_in_flight: 1 << 20,
        admission_timeout: Duration::from_secs(60),
        ..Limits::default()
    });
    let mut slow = Client::connect(server.address);
    slow.send(head(SIGNED_BY_ANYONE, 300_000));
    slow.send(" ".repeat(20_000));
    eventually(|| held(&server) > 100_000);
    let whole = format!("{{}}{}", " ".repeat(300_000));
    let mut client = Client::connect(server.address);
    assert_eq!(client.ask(request("ListTables", &whole)).status, 200);
    let reply = slow.reply().unwrap();
    assert_eq!(
        (reply.status, reply.exception()),
        (408, "ThrottlingException".to_owned())
    );
    assert_eq!(reply.header("connection"), Some("close"));
    assert!(slow.is_closed());
    assert!(metrics(&server).contains("code=\"slow_body\"} 1"));
    eventually(|| held(&server) == 0);
}

#[test]
fn a_body_that_sends_next_to_nothing_holds_nothing() {
    let server = Running::limited(Limits {
        bytes_in_flight: 1 << 20,
        ..Limits::default()
    });
    let mut clients: Vec<_> = (0..30).map(|_| Client::connect(server.address)).collect();
    for client in &mut clients {
        client.send(head(SIGNED_BY_ANYONE, 16 << 20));
        client.send("{ ");
    }
    eventually(|| metrics(&server).contains("monotable_requests_in_flight 31\n"));
    assert_eq!(held(&server), 0);
}

#[test]
fn answers_belong_to_their_requests() {
    let server = Running::limited(Limits::default());
    create_table(&mut Client::connect(server.address));
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let address = server.address;
            scope.spawn(move || {
                let mut client = Client::connect(address);
                for round in 0..100 {
                    let key = format!("{worker}-{round}");
                    assert_eq!(client.ask(put(&key)).text(), "{}");
                    // Three at once, of which each has its own answer.
                    let keys = [key.clone(), format!("{worker}-none"), key];
                    for key in &keys {
                        client.send(get_item(key));
                    }
                    for key in &keys {
                        let reply = client.reply().unwrap();
                        let found = reply.json()["Item"]["pk"]["S"].as_str().map(str::to_owned);
                        let expected = (!key.ends_with("none")).then(|| key.clone());
                        assert_eq!(found, expected);
                    }
                }
            });
        }
    });
}

#[test]
fn an_answer_that_is_longer_as_json_than_was_set_aside_is_refused_or_fits() {
    let nulls = vec![r#"{"NULL":true}"#; 190_000].join(",");
    let item =
        format!(r#"{{"TableName":"Songs","Item":{{"pk":{{"S":"a"}},"v":{{"L":[{nulls}]}}}}}}"#);
    for (bytes_in_flight, status) in [(256 << 20, 200), (4 << 20, 400)] {
        let server = Running::limited(Limits {
            bytes_in_flight,
            ..Limits::default()
        });
        let mut client = Client::connect(server.address);
        create_table(&mut client);
        assert_eq!(client.ask(request("PutItem", &item)).status, 200);
        let reply = client.ask(get_item("a"));
        assert_eq!(reply.status, status, "{bytes_in_flight}");
        if status == 400 {
            assert_eq!(reply.exception(), "ThrottlingException");
        } else {
            assert!(reply.body.len() > 2_500_000, "{}", reply.body.len());
        }
        eventually(|| held(&server) == 0);
    }
}
