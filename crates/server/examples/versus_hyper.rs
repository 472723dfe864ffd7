//! How fast GetItem of a 1 KB item is, against a bare hyper server that answers a constant body of that
//! size: `cargo run --release -p monotable-server --example versus_hyper [seconds]`.
//!
//! Both run in this process with two worker threads, one after another and several times, asked over 16
//! keep-alive connections by two threads that only send and read. What counts is the ratio.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "an example")]

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use monotable_api::{CreateTableInput, PutItemInput, ScalarAttributeType};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_server::ServerOptions;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const CONNECTIONS: usize = 16;
const ITEMS: usize = 1000;

fn main() {
    let seconds = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let time = Duration::from_secs(seconds.unwrap_or(3));
    let bare = start(bare());
    let ours = start(ours());
    for round in 1..=3 {
        let (bare, ours) = (measure(bare, time), measure(ours, time));
        println!(
            "round {round}: bare hyper {bare:.0}/s, GetItem {ours:.0}/s, ratio {:.2}",
            ours / bare
        );
    }
}

/// Runs a server on a runtime of its own.
fn start(server: impl Future<Output = SocketAddr>) -> SocketAddr {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let address = runtime.block_on(server);
    std::mem::forget(runtime);
    address
}

async fn ours() -> SocketAddr {
    let engine = Arc::new(Engine::in_memory().unwrap());
    let table = CreateTableInput::new("Songs", "pk", ScalarAttributeType::S);
    engine.create_table(table).unwrap();
    for number in 0..ITEMS {
        let item = Item::new()
            .with("pk", key(number).as_str())
            .with("data", "x".repeat(1000).as_str());
        engine.put_item(PutItemInput::new("Songs", item)).unwrap();
    }
    let server = ServerOptions::new().port(0).bind(engine).await.unwrap();
    let address = server.address();
    tokio::spawn(server.run(std::future::pending()));
    address
}

async fn bare() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let body = Bytes::from("x".repeat(1060));
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            stream.set_nodelay(true).unwrap();
            let body = body.clone();
            tokio::spawn(async move {
                let service = service_fn(|request: Request<hyper::body::Incoming>| {
                    let body = body.clone();
                    async move {
                        request.into_body().collect().await.unwrap();
                        Ok::<_, Infallible>(Response::new(Full::new(body)))
                    }
                });
                drop(
                    http1::Builder::new()
                        .serve_connection(TokioIo::new(stream), service)
                        .await,
                );
            });
        }
    });
    address
}

fn key(number: usize) -> String {
    format!("song-{number:06}")
}

fn request(number: usize) -> Vec<u8> {
    let body = format!(
        r#"{{"TableName":"Songs","Key":{{"pk":{{"S":"{}"}}}}}}"#,
        key(number)
    );
    format!(
        "POST / HTTP/1.1\r\nhost: 127.0.0.1:8000\r\naccept-encoding: identity\r\n\
         x-amz-target: DynamoDB_20120810.GetItem\r\ncontent-type: application/x-amz-json-1.0\r\n\
         user-agent: bench\r\nx-amz-date: 20260101T000000Z\r\n\
         authorization: AWS4-HMAC-SHA256 Credential=AKID/20260101/us-east-1/dynamodb/aws4_request, \
         SignedHeaders=content-type;host;x-amz-date;x-amz-target, \
         Signature=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Requests per second.
fn measure(address: SocketAddr, time: Duration) -> f64 {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let (done, stop) = (
        Arc::new(AtomicU64::new(0)),
        Arc::new(AtomicBool::new(false)),
    );
    let started = Instant::now();
    runtime.block_on(async {
        let clients: Vec<_> = (0..CONNECTIONS)
            .map(|client| tokio::spawn(ask(address, client, Arc::clone(&done), Arc::clone(&stop))))
            .collect();
        tokio::time::sleep(time).await;
        stop.store(true, Ordering::Relaxed);
        for client in clients {
            client.await.unwrap();
        }
    });
    #[expect(clippy::cast_precision_loss, reason = "a rate")]
    let answered = done.load(Ordering::Relaxed) as f64;
    answered / started.elapsed().as_secs_f64()
}

async fn ask(address: SocketAddr, client: usize, done: Arc<AtomicU64>, stop: Arc<AtomicBool>) {
    let requests: Vec<_> = (0..ITEMS).map(request).collect();
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let mut buffer = vec![0; 8192];
    for request in requests.iter().cycle().skip(client * 61) {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        stream.write_all(request).await.unwrap();
        read_answer(&mut stream, &mut buffer).await;
        done.fetch_add(1, Ordering::Relaxed);
    }
}

async fn read_answer(stream: &mut TcpStream, buffer: &mut [u8]) {
    let mut filled = 0;
    loop {
        let read = stream
            .read(buffer.get_mut(filled..).unwrap())
            .await
            .unwrap();
        assert!(read > 0, "closed");
        filled += read;
        let text = buffer.get(..filled).unwrap();
        let Some(end) = text.windows(4).position(|window| window == b"\r\n\r\n") else {
            continue;
        };
        let head = std::str::from_utf8(text.get(..end).unwrap()).unwrap();
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        let length = head.split("content-length: ").nth(1).unwrap();
        let length: usize = length.split("\r\n").next().unwrap().parse().unwrap();
        if filled >= end + 4 + length {
            return;
        }
    }
}
