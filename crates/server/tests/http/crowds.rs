//! More connections than there may be.

use crate::client::{Client, get, request};
use crate::running::{Gate, Running, engine, eventually};
use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use monotable_engine::Engine;
use monotable_server::{Limits, ServerOptions};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn limits(connections: usize) -> Limits {
    Limits {
        connections,
        ..Limits::default()
    }
}

#[test]
fn idle_connections_make_room_for_new_ones() {
    let server = Running::limited(limits(8));
    let mut idle: Vec<Client> = (0..8)
        .map(|_| {
            let mut client = Client::connect(server.address);
            assert_eq!(client.ask(get("/healthz")).status, 200);
            client
        })
        .collect();
    let mut served = Vec::new();
    for _ in 0..6 {
        let mut client = Client::connect(server.address);
        assert_eq!(client.ask(request("ListTables", "{}")).status, 200);
        served.push(client);
    }
    // The longest idle went first.
    for client in idle.drain(..6) {
        let mut client = client;
        assert!(client.is_closed());
    }
    for client in &mut idle {
        assert_eq!(client.ask(get("/healthz")).status, 200);
    }
    let text = idle[0].ask(get("/metrics")).text().to_owned();
    assert!(
        text.contains("monotable_connections_dismissed_total 6\n"),
        "{text}"
    );
    assert!(!text.contains("reason=\"connections\""), "{text}");
}

#[test]
fn five_hundred_and_twelve_idle_connections_lock_nobody_out() {
    let server = Running::limited(limits(64));
    let mut idle = Vec::new();
    for _ in 0..512 {
        let mut client = Client::connect(server.address);
        assert_eq!(client.ask(get("/healthz")).status, 200);
        idle.push(client);
    }
    let mut client = Client::connect(server.address);
    assert_eq!(client.ask(request("ListTables", "{}")).status, 200);
    eventually(|| {
        let text = client.ask(get("/metrics")).text().to_owned();
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("monotable_connections_open "));
        line.unwrap().parse::<usize>().unwrap() <= 64
    });
}

#[test]
fn connections_that_never_say_anything_make_room_too() {
    let server = Running::limited(limits(4));
    let silent: Vec<Client> = (0..4).map(|_| Client::connect(server.address)).collect();
    // Who has just come is given a moment; then it counts as idle.
    eventually(|| {
        let mut client = Client::connect(server.address);
        client.try_send(get("/healthz"));
        client.reply().is_some_and(|reply| reply.status == 200)
    });
    drop(silent);
}

#[test]
fn one_connection_too_many_is_told_so() {
    let gate = Gate::new();
    let server = Running::start(ServerOptions::new().limits(limits(2)), gate.clone());
    let mut busy: Vec<Client> = (0..2).map(|_| Client::connect(server.address)).collect();
    for client in &mut busy {
        client.send(request("ListTables", "{}"));
    }
    gate.wait_for(2);
    let mut third = Client::connect(server.address);
    third.try_send(request("ListTables", "{}"));
    let reply = third.reply().unwrap();
    assert_eq!(reply.status, 503);
    assert_eq!(reply.exception(), "ServiceUnavailableException");
    assert!(third.is_closed());
    gate.open(2);
    for client in &mut busy {
        assert_eq!(client.reply().unwrap().status, 200);
    }
    // A place that becomes free is given away again.
    eventually(|| {
        let mut next = Client::connect(server.address);
        next.try_send(get("/healthz"));
        next.reply().is_some_and(|reply| reply.status == 200)
    });
    let text = Client::connect(server.address).ask(get("/metrics"));
    assert!(text.text().contains("reason=\"connections\""));
}

/// A `Dynamo` that keeps its thread busy for a while with every ListTables.
struct Laborious {
    engine: Arc<Engine>,
    calls: AtomicUsize,
}

impl Dynamo for Laborious {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        if matches!(request, Request::ListTables(_)) {
            std::thread::sleep(Duration::from_millis(3));
            self.calls.fetch_add(1, Ordering::SeqCst);
        }
        self.engine.call(request)
    }
}

/// Eight clients send two hundred requests each at once. Whoever sends one at a time is served between them, and not behind them.
#[test]
fn requests_that_are_sent_at_once_take_turns_with_those_of_others() {
    let laborious = Arc::new(Laborious {
        engine: engine(),
        calls: AtomicUsize::new(0),
    });
    let server = Running::start(ServerOptions::new(), laborious.clone());
    let mut bystander = Client::connect(server.address);
    assert_eq!(bystander.ask(get("/healthz")).status, 200);
    let (clients, requests) = (8, 200);
    let mut crowd: Vec<Client> = (0..clients)
        .map(|_| {
            let mut client = Client::connect(server.address);
            client.send(request("ListTables", "{}").repeat(requests));
            client
        })
        .collect();
    eventually(|| laborious.calls.load(Ordering::SeqCst) > clients);
    let mut served = 0;
    while laborious.calls.load(Ordering::SeqCst) < clients * requests {
        assert_eq!(bystander.ask(request("DescribeLimits", "{}")).status, 200);
        served += 1;
    }
    assert!(
        served >= 40,
        "{served} requests of somebody else were served"
    );
    for client in &mut crowd {
        for _ in 0..requests {
            assert_eq!(client.reply().unwrap().status, 200);
        }
    }
}
