//! The log: one line for each request, and never a secret, a key or a value in it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_engine::Engine;
use monotable_server::{Credentials, ServerOptions};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use tracing_subscriber::fmt::MakeWriter;

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

const REQUEST: &str = "POST / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
    content-type: application/x-amz-json-1.0\r\nx-amz-target: DynamoDB_20120810.GetItem\r\n\
    x-amz-security-token: TOKEN-SECRET\r\nx-amz-date: 20260101T000000Z\r\n\
    authorization: AWS4-HMAC-SHA256 Credential=AKIDSECRET/20260101/us-east-1/dynamodb/aws4_request, \
    SignedHeaders=host, Signature=SIGNATURE-SECRET\r\ncontent-length: 55\r\n\r\n\
    {\"TableName\":\"Songs\",\"Key\":{\"pk\":{\"S\":\"VALUE-SECRET\"}}} ";

fn ask(options: ServerOptions, request: &str) -> String {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let engine = Arc::new(Engine::in_memory().unwrap());
        let server = options.port(0).bind(engine).await.unwrap();
        let address = server.address();
        let request = request.to_owned();
        let (done, stop) = tokio::sync::oneshot::channel();
        std::thread::spawn(move || {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            done.send(answer).unwrap();
        });
        let answer = Arc::new(Mutex::new(String::new()));
        let kept = Arc::clone(&answer);
        server
            .run(async move { *kept.lock().unwrap() = stop.await.unwrap() })
            .await;
        answer.lock().unwrap().clone()
    })
}

#[test]
fn requests_are_logged_without_secrets() {
    let lines = Lines::default();
    tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_ansi(false)
        .with_writer(lines.clone())
        .init();
    let answer = ask(ServerOptions::new(), REQUEST);
    assert!(answer.contains("ResourceNotFoundException"), "{answer}");
    let keys = "[a]\naws_access_key_id=AKIDSECRET\naws_secret_access_key=KEY-SECRET\n";
    let strict = ServerOptions::new().credentials(Credentials::parse(keys).unwrap());
    assert!(ask(strict, REQUEST).contains("Signature expired"));
    let foreign = REQUEST.replace("host: localhost", "host: evil.example");
    assert!(ask(ServerOptions::new(), &foreign).contains("403 Forbidden"));

    let log = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    let ours: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("monotable_server"))
        .collect();
    let id = answer
        .split("x-amzn-requestid: ")
        .nth(1)
        .unwrap()
        .split("\r\n")
        .next()
        .unwrap();
    let line = ours
        .iter()
        .find(|line| line.contains(id))
        .expect("a line with the request's id");
    for part in [
        "DEBUG",
        "GetItem",
        "400",
        "ResourceNotFoundException",
        "microseconds=",
        "bytes_in=55",
        "peer=127.0.0.1:",
    ] {
        assert!(line.contains(part), "{part} is missing in {line}");
    }
    let count = |wanted: &str| ours.iter().filter(|line| line.contains(wanted)).count();
    assert_eq!(count("listening"), 3);
    assert_eq!(count("stopped"), 3);
    assert_eq!(count("InvalidSignatureException"), 1);
    assert_eq!(
        count("INFO"),
        7,
        "starts, stops and one refusal:\n{}",
        ours.join("\n")
    );
    for line in &ours {
        assert!(!line.contains("SECRET"), "{line}");
    }
}
