//! Panics, failures and clients that go away.

use crate::client::{Client, get, request};
use crate::running::{Gate, Running, eventually};
use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use monotable_server::ServerOptions;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Panics at once, panics later, fails, or answers, by operation.
struct Broken;

impl Dynamo for Broken {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        match request {
            Request::ListTables(_) => panic!("planted: at once"),
            Request::DescribeLimits(_) => Box::pin(async {
                tokio::task::yield_now().await;
                panic!("planted: later")
            }),
            Request::DescribeEndpoints(_) => {
                Box::pin(async { Err(Error::internal("the disk is gone")) })
            }
            _ => Box::pin(async { Err(Error::not_found("nothing here")) }),
        }
    }
}

#[test]
fn a_panic_is_an_answer() {
    let server = Running::start(ServerOptions::new(), Arc::new(Broken));
    let mut client = Client::connect(server.address);
    for operation in ["ListTables", "DescribeLimits", "ListTables"] {
        let reply = client.ask(request(operation, "{}"));
        assert_eq!(reply.status, 500);
        assert_eq!(reply.exception(), "InternalServerError");
        assert!(!reply.text().contains("planted"), "{}", reply.text());
    }
    let failed = client.ask(request("DescribeEndpoints", "{}"));
    assert_eq!(
        (failed.status, failed.exception()),
        (500, "InternalServerError".to_owned())
    );
    // The same connection goes on.
    let table = client.ask(request("DescribeTable", r#"{"TableName":"Songs"}"#));
    assert_eq!(table.exception(), "ResourceNotFoundException");
    let metrics = client.ask(get("/metrics"));
    let text = metrics.text();
    assert!(
        text.contains(r#"{operation="ListTables",code="panic"} 2"#),
        "{text}"
    );
    assert!(text.contains("monotable_requests_in_flight 1\n"), "{text}");
}

#[test]
fn a_client_that_goes_away_leaves_nothing_behind() {
    let gate = Gate::new();
    let server = Running::start(ServerOptions::new(), gate.clone());
    for round in 1..=20 {
        let mut client = Client::connect(server.address);
        client.send(request("ListTables", "{}"));
        gate.wait_for(round);
        drop(client);
    }
    // Half of a body.
    for _ in 0..20 {
        let whole = request("ListTables", "{                }");
        Client::connect(server.address).send(&whole[..whole.len() - 5]);
    }
    gate.open(20);
    eventually(|| gate.left.load(Ordering::SeqCst) == 20);
    let mut client = Client::connect(server.address);
    eventually(|| {
        let text = client.ask(get("/metrics")).text().to_owned();
        text.contains("monotable_connections_open 1\n")
            && text.contains("monotable_requests_in_flight 1\n")
            && text.contains("monotable_body_bytes_held 0\n")
    });
}
