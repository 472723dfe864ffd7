//! Connections share threads, and a request that computes for long holds up none of the others.

use crate::client::{Client, request};
use crate::running::{Running, eventually};
use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use monotable_server::ServerOptions;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A scan keeps its thread busy until it is let go, or for a minute. Everything else is answered at once.
#[derive(Default)]
struct LongScan {
    has_begun: AtomicBool,
    has_ended: AtomicBool,
    may_end: AtomicBool,
}

impl Dynamo for LongScan {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            if matches!(request, Request::Scan(_)) {
                self.has_begun.store(true, Ordering::SeqCst);
                let end = Instant::now() + Duration::from_secs(60);
                while !self.may_end.load(Ordering::SeqCst) && Instant::now() < end {
                    std::thread::sleep(Duration::from_millis(1));
                }
                self.has_ended.store(true, Ordering::SeqCst);
            }
            Err(Error::not_found("nothing here"))
        })
    }
}

#[test]
fn a_long_scan_holds_up_no_other_connection() {
    let dynamo = Arc::new(LongScan::default());
    let server = Running::start(ServerOptions::new(), dynamo.clone());
    // More than there are threads, so that some share the thread of the scan's connection.
    let lanes = std::thread::available_parallelism().map_or(1, usize::from);
    let connect = |_| Client::connect(server.address);
    let mut others: Vec<Client> = (0..3 * lanes).map(connect).collect();
    let mut scanning = Client::connect(server.address);
    let ask_all = |clients: &mut Vec<Client>| {
        for client in clients {
            let reply = client.ask(request("DescribeTable", r#"{"TableName":"Songs"}"#));
            assert_eq!(reply.exception(), "ResourceNotFoundException");
        }
    };
    ask_all(&mut others);
    scanning.send(request("Scan", r#"{"TableName":"Songs"}"#));
    eventually(|| dynamo.has_begun.load(Ordering::SeqCst));
    ask_all(&mut others);
    let has_ended = dynamo.has_ended.load(Ordering::SeqCst);
    assert!(!has_ended, "the others were answered after the scan");
    dynamo.may_end.store(true, Ordering::SeqCst);
    let scanned = scanning.reply().unwrap();
    assert_eq!(scanned.exception(), "ResourceNotFoundException");
}
