//! `/healthz` and `/readyz`.

use crate::client::{Client, get};
use crate::running::Running;
use monotable_server::ServerOptions;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[test]
fn a_server_that_cannot_write_is_alive_and_not_ready() {
    let is_full = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&is_full);
    let readiness = move || {
        if asked.load(Ordering::SeqCst) {
            Err("disk full: /srv/data has 12 bytes left".to_owned())
        } else {
            Ok(())
        }
    };
    let server = Running::with(ServerOptions::new().readiness(readiness));
    let mut client = Client::connect(server.address);
    for path in ["/healthz", "/readyz"] {
        let reply = client.ask(get(path));
        assert_eq!((reply.status, reply.text()), (200, "ok\n"), "{path}");
    }
    is_full.store(true, Ordering::SeqCst);
    assert_eq!(client.ask(get("/healthz")).status, 200);
    let reply = client.ask(get("/readyz"));
    assert_eq!(reply.status, 503);
    assert!(
        reply
            .text()
            .contains("disk full: /srv/data has 12 bytes left"),
        "{}",
        reply.text()
    );
    is_full.store(false, Ordering::SeqCst);
    assert_eq!(client.ask(get("/readyz")).status, 200);
}

#[test]
fn probes_need_no_key_and_no_host_of_ours() {
    let server = crate::signed::server();
    for path in ["/healthz", "/readyz"] {
        let request = format!("GET {path} HTTP/1.1\r\nHost: probe.example\r\n\r\n");
        assert_eq!(Client::connect(server.address).ask(request).status, 200);
    }
}

#[test]
fn a_readiness_that_panics_is_no_readiness() {
    let readiness = || panic!("planted");
    let server = Running::with(ServerOptions::new().readiness(readiness));
    let mut client = Client::connect(server.address);
    assert_eq!(client.ask(get("/readyz")).status, 503);
    assert_eq!(client.ask(get("/healthz")).status, 200);
}
