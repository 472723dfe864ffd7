//! Shutting down loses nothing.

use crate::client::{Client, create_table, get, put, request};
use crate::running::{Gate, Running, engine, eventually};
use monotable_api::{DynamoExt, ScanInput};
use monotable_server::{Limits, ServerOptions};
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Duration;

#[test]
fn requests_in_progress_are_answered_and_no_new_ones_taken() {
    let gate = Gate::new();
    let mut server = Running::start(ServerOptions::new(), gate.clone());
    let mut idle = Client::connect(server.address);
    let mut clients: Vec<Client> = (0..5).map(|_| Client::connect(server.address)).collect();
    for client in &mut clients {
        client.send(request("ListTables", "{}"));
    }
    gate.wait_for(5);
    let mut half = Client::connect(server.address);
    let whole = request("ListTables", "{ }");
    half.send(&whole[..whole.len() - 1]);
    // Five are at work, one is being read, and one asks for this.
    eventually(|| {
        let reply = Client::connect(server.address).ask(get("/metrics"));
        reply.text().contains("monotable_requests_in_flight 7\n")
    });
    server.begin_stop();
    // Idle connections are closed at once, and nobody can connect.
    assert!(idle.is_closed());
    let address = server.address;
    eventually(|| TcpStream::connect(address).is_err());
    assert_eq!(gate.left.load(Ordering::SeqCst), 0);
    // A request that had begun is read to its end.
    half.send("}");
    gate.wait_for(6);
    gate.open(6);
    for client in clients.iter_mut().chain([&mut half]) {
        let reply = client.reply().expect("an answer");
        assert_eq!(reply.text(), r#"{"TableNames":[]}"#);
        assert!(client.is_closed());
    }
    server.join();
}

#[test]
fn stuck_requests_are_given_up() {
    let gate = Gate::new();
    let limits = Limits {
        shutdown_timeout: Duration::from_millis(100),
        ..Limits::default()
    };
    let mut server = Running::start(ServerOptions::new().limits(limits), gate.clone());
    let mut client = Client::connect(server.address);
    client.send(request("ListTables", "{}"));
    gate.wait_for(1);
    server.begin_stop();
    server.join();
    assert!(client.is_closed());
    assert_eq!(gate.left.load(Ordering::SeqCst), 1);
}

#[test]
fn every_acknowledged_write_is_there() {
    let engine = engine();
    let mut server = Running::start(ServerOptions::new(), engine.clone());
    create_table(&mut Client::connect(server.address));
    let acknowledged = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for worker in 0..6 {
            let (address, acknowledged) = (server.address, &acknowledged);
            scope.spawn(move || {
                let mut client = Client::connect(address);
                for round in 0.. {
                    let key = format!("{worker}-{round}");
                    if !client.try_send(put(&key)) {
                        break;
                    }
                    match client.reply() {
                        Some(reply) if reply.status == 200 => {
                            acknowledged.lock().unwrap().push(key)
                        }
                        _ => break,
                    }
                }
            });
        }
        eventually(|| acknowledged.lock().unwrap().len() > 200);
        server.begin_stop();
    });
    server.join();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let found = runtime
        .block_on(engine.scan(ScanInput::new("Songs")))
        .unwrap();
    let text = String::from_utf8(serde_json::to_vec(&found).unwrap()).unwrap();
    let acknowledged = acknowledged.into_inner().unwrap();
    for key in &acknowledged {
        assert!(text.contains(&format!("\"{key}\"")), "{key} is lost");
    }
}
