//! Every limit, against clients that go beyond it.

use crate::client::{Client, SIGNED_BY_ANYONE, create_table, get, request, request_with};
use crate::running::{Gate, Running, eventually};
use monotable_server::{Limits, ServerOptions};
use std::sync::atomic::Ordering;
use std::time::Duration;

const SHORT: Duration = Duration::from_millis(300);

fn head(length: &str) -> String {
    format!(
        "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-amz-json-1.0\r\n\
         x-amz-target: DynamoDB_20120810.ListTables\r\n{SIGNED_BY_ANYONE}{length}\r\n\r\n"
    )
}

/// Asked again when the machine is so slow that the limits under test close the connection.
fn metrics(server: &Running) -> String {
    let mut text = None;
    eventually(|| {
        let mut client = Client::connect(server.address);
        client.try_send(get("/metrics"));
        text = client.reply().map(|reply| reply.text().to_owned());
        text.is_some()
    });
    text.unwrap()
}

fn refused(server: &Running, reason: &str) -> bool {
    let line = format!("monotable_refused_total{{reason=\"{reason}\"}}");
    metrics(server).contains(&line)
}

#[test]
fn a_long_body_is_refused() {
    let server = Running::limited(Limits {
        body_bytes: 1000,
        ..Limits::default()
    });
    let mut client = Client::connect(server.address);
    let padded = |length: usize| format!("{{}}{}", " ".repeat(length - 2));
    assert_eq!(client.ask(request("ListTables", &padded(1000))).status, 200);
    let reply = client.ask(request("ListTables", &padded(1001)));
    assert_eq!(reply.status, 413);
    assert!(reply.text().contains("1000 bytes"), "{}", reply.text());
    // Sent in pieces of unknown number, it is found out on the way.
    let mut client = Client::connect(server.address);
    client.send(head("transfer-encoding: chunked"));
    for _ in 0..11 {
        client.send(format!("64\r\n{}\r\n", " ".repeat(100)));
    }
    client.try_send("0\r\n\r\n");
    assert_eq!(client.reply().unwrap().status, 413);
    let counted = r#"{operation="ListTables",code="body_too_large"} 2"#;
    assert!(metrics(&server).contains(counted));
}

#[test]
fn an_endless_body_ends() {
    let server = Running::limited(Limits {
        body_bytes: 1000,
        ..Limits::default()
    });
    let mut client = Client::connect(server.address);
    client.send(head("transfer-encoding: chunked"));
    let piece = format!("4000\r\n{}\r\n", " ".repeat(0x4000));
    let mut sent = 0;
    while client.try_send(&piece) {
        sent += piece.len();
        assert!(sent < 500_000_000, "the server reads on and on");
    }
}

#[test]
fn a_long_head_is_refused() {
    let server = Running::limited(Limits {
        header_bytes: 8192,
        ..Limits::default()
    });
    let mut client = Client::connect(server.address);
    client.try_send(format!(
        "GET / HTTP/1.1\r\nhost: localhost\r\nx-long: {}\r\n\r\n",
        "x".repeat(100_000)
    ));
    assert_eq!(client.reply().map_or(431, |reply| reply.status), 431);
    let mut client = Client::connect(server.address);
    let many: String = (0..200).map(|n| format!("x-{n}: 1\r\n")).collect();
    client.try_send(format!("GET / HTTP/1.1\r\nhost: localhost\r\n{many}\r\n"));
    assert_eq!(client.reply().unwrap().status, 431);
}

#[test]
fn who_says_nothing_is_closed() {
    let server = Running::limited(Limits {
        header_timeout: SHORT,
        ..Limits::default()
    });
    assert!(Client::connect(server.address).is_closed());
    eventually(|| refused(&server, "header_timeout"));
}

#[test]
fn a_head_that_drips_is_closed() {
    let server = Running::limited(Limits {
        header_timeout: SHORT,
        ..Limits::default()
    });
    let mut client = Client::connect(server.address);
    // A head that never ends. Each byte comes well within the time; all of them together do not.
    let mut bytes = b"x".iter().copied().cycle();
    let mut sent = 0;
    while client.try_send([bytes.next().unwrap()]) {
        std::thread::sleep(SHORT / 10);
        sent += 1;
        assert!(sent < 500, "a slow head holds the server");
    }
    eventually(|| refused(&server, "header_timeout"));
}

#[test]
fn a_second_request_has_its_time_too() {
    let server = Running::limited(Limits {
        header_timeout: SHORT * 4,
        ..Limits::default()
    });
    let mut client = Client::connect(server.address);
    assert_eq!(client.ask(get("/healthz")).status, 200);
    client.send("GET / HT");
    assert!(client.is_closed());
}

#[test]
fn a_body_that_stops_is_closed() {
    let server = Running::limited(Limits {
        body_timeout: SHORT,
        ..Limits::default()
    });
    let mut silent = Client::connect(server.address);
    silent.send(head("content-length: 100"));
    let mut stopped = Client::connect(server.address);
    stopped.send(head("content-length: 100"));
    stopped.send("{");
    assert!(silent.is_closed());
    assert!(stopped.is_closed());
    eventually(|| refused(&server, "body_timeout"));
}

#[test]
fn a_body_that_drips_is_closed() {
    let server = Running::limited(Limits {
        body_timeout: SHORT,
        body_rate: 1_000_000,
        ..Limits::default()
    });
    let mut client = Client::connect(server.address);
    client.send(head("content-length: 1000000"));
    let mut sent = 0;
    while client.try_send(" ") {
        std::thread::sleep(SHORT / 10);
        sent += 1;
        assert!(sent < 2000, "a slow body holds the server");
    }
}

#[test]
fn a_slow_body_that_keeps_the_rate_is_served() {
    let server = Running::limited(Limits {
        body_timeout: Duration::from_secs(20),
        body_rate: 10,
        ..Limits::default()
    });
    let mut client = Client::connect(server.address);
    client.send(head("content-length: 30"));
    for _ in 0..15 {
        std::thread::sleep(SHORT / 10);
        client.send("  ");
    }
    // Blanks alone are no JSON; that it was read to its end is what counts.
    assert_eq!(
        client.reply().unwrap().exception(),
        "SerializationException"
    );
}

#[test]
fn an_idle_connection_is_closed_and_a_busy_one_is_not() {
    let server = Running::limited(Limits {
        idle_timeout: SHORT * 6,
        ..Limits::default()
    });
    let mut client = Client::connect(server.address);
    for _ in 0..10 {
        assert_eq!(client.ask(get("/healthz")).status, 200);
        std::thread::sleep(SHORT);
    }
    assert!(client.is_closed());
}

#[test]
fn work_takes_as_long_as_it_takes() {
    let gate = Gate::new();
    let limits = Limits {
        header_timeout: SHORT * 2,
        body_timeout: SHORT * 2,
        idle_timeout: SHORT * 2,
        write_timeout: SHORT * 2,
        ..Limits::default()
    };
    let server = Running::start(ServerOptions::new().limits(limits), gate.clone());
    let mut client = Client::connect(server.address);
    client.send(request("ListTables", "{}"));
    gate.wait_for(1);
    std::thread::sleep(SHORT * 4);
    gate.open(1);
    assert_eq!(client.reply().unwrap().status, 200);
}

#[test]
fn who_does_not_read_is_closed() {
    let server = Running::limited(Limits {
        write_timeout: SHORT,
        ..Limits::default()
    });
    let mut client = Client::connect(server.address);
    create_table(&mut client);
    let value = "x".repeat(390_000);
    let item =
        format!(r#"{{"TableName":"Songs","Item":{{"pk":{{"S":"a"}},"v":{{"S":"{value}"}}}}}}"#);
    assert_eq!(client.ask(request("PutItem", &item)).status, 200);
    let mut deaf = Client::connect(server.address);
    let ask = request("GetItem", r#"{"TableName":"Songs","Key":{"pk":{"S":"a"}}}"#);
    // More than the buffers of both sides hold.
    for _ in 0..200 {
        if !deaf.try_send(&ask) {
            break;
        }
    }
    eventually(|| refused(&server, "write_timeout"));
    eventually(|| metrics(&server).contains("monotable_body_bytes_held 0"));
}

#[test]
fn bodies_wait_for_memory_and_then_are_throttled() {
    let gate = Gate::new();
    let limits = Limits {
        bytes_in_flight: 1_000_000,
        admission_timeout: SHORT,
        ..Limits::default()
    };
    let server = Running::start(ServerOptions::new().limits(limits), gate.clone());
    let body = format!("{{}}{}", " ".repeat(300_000));
    let mut holding = Client::connect(server.address);
    holding.send(request("ListTables", &body));
    gate.wait_for(1);
    let mut throttled = Client::connect(server.address);
    let reply = throttled.ask(request("ListTables", &body));
    assert_eq!(
        (reply.status, reply.exception()),
        (400, "ThrottlingException".to_owned())
    );
    // A small one still fits.
    let mut small = Client::connect(server.address);
    small.send(request("ListTables", "{}"));
    gate.wait_for(2);
    gate.open(3);
    assert_eq!(holding.reply().unwrap().status, 200);
    assert_eq!(small.reply().unwrap().status, 200);
    assert_eq!(throttled.ask(request("ListTables", &body)).status, 200);
    assert!(metrics(&server).contains("monotable_body_bytes_held 0"));
}

#[test]
fn a_waiting_body_is_served_when_memory_is_free() {
    let gate = Gate::new();
    let limits = Limits {
        bytes_in_flight: 1_000_000,
        admission_timeout: Duration::from_secs(60),
        ..Limits::default()
    };
    let server = Running::start(ServerOptions::new().limits(limits), gate.clone());
    let body = format!("{{}}{}", " ".repeat(300_000));
    let mut first = Client::connect(server.address);
    first.send(request("ListTables", &body));
    gate.wait_for(1);
    let mut second = Client::connect(server.address);
    // A body of unknown size counts as the largest, which is more than there is, and is let in alone.
    second.send(request_with(
        "ListTables",
        "content-encoding: identity\r\n",
        body.as_bytes(),
    ));
    std::thread::sleep(SHORT);
    assert_eq!(gate.entered.load(Ordering::SeqCst), 1);
    gate.open(2);
    assert_eq!(first.reply().unwrap().status, 200);
    assert_eq!(second.reply().unwrap().status, 200);
}

#[test]
fn nesting_has_a_limit() {
    let server = Running::limited(Limits::default());
    let mut client = Client::connect(server.address);
    let deep = format!(
        r#"{{"TableName":"Songs","Item":{{"pk":{}"#,
        r#"{"M":{"a":"#.repeat(100_000)
    );
    let reply = client.ask(request("PutItem", &deep));
    assert_eq!(
        (reply.status, reply.exception()),
        (400, "SerializationException".to_owned())
    );
    let list = "[".repeat(1_000_000);
    assert_eq!(client.ask(request("PutItem", &list)).status, 400);
}
