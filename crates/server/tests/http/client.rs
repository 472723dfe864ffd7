//! A client that sends what it is told, also what no client should.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Headers of a request that is whole but signed by nobody in particular.
pub(crate) const SIGNED_BY_ANYONE: &str = "authorization: AWS4-HMAC-SHA256 \
    Credential=AKID/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, \
    Signature=00\r\nx-amz-date: 20260101T000000Z\r\n";

pub(crate) struct Client {
    stream: TcpStream,
    /// Read and not used yet.
    buffer: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Client {
    pub(crate) fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        // A guard against hanging; no test waits for it.
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            stream,
            buffer: Vec::new(),
        }
    }

    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).unwrap();
    }

    /// Sends as far as the server takes it.
    pub(crate) fn try_send(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        self.stream.write_all(bytes.as_ref()).is_ok()
    }

    pub(crate) fn close_writing(&mut self) {
        self.stream.shutdown(std::net::Shutdown::Write).unwrap();
    }

    /// As above, also when the server was faster.
    pub(crate) fn close_writing_if_open(&mut self) {
        drop(self.stream.shutdown(std::net::Shutdown::Write));
    }

    /// The next answer, or nothing when the connection ends before it does.
    pub(crate) fn reply_if_whole(&mut self) -> Option<Reply> {
        while self.fill() {}
        let is_whole = find(&self.buffer, b"\r\n\r\n").is_some();
        if is_whole { self.reply() } else { None }
    }

    /// The next answer with all of its body, or nothing when the connection ends before it does.
    pub(crate) fn reply_if_whole_body(&mut self) -> Option<Reply> {
        while self.fill() {}
        let end = find(&self.buffer, b"\r\n\r\n")? + 4;
        let head = String::from_utf8_lossy(&self.buffer[..end]).into_owned();
        let length = head.split("content-length: ").nth(1)?;
        let length: usize = length.split("\r\n").next()?.parse().ok()?;
        if self.buffer.len() - end < length {
            return None;
        }
        self.reply()
    }

    /// The next answer, which must be the first thing that comes: not the word to go on.
    pub(crate) fn reply_at_once(&mut self) -> Option<Reply> {
        while self.buffer.is_empty() && self.fill() {}
        assert!(!self.buffer.starts_with(b"HTTP/1.1 100"), "told to go on");
        self.reply()
    }

    /// The next answer, or nothing when the server has closed the connection.
    pub(crate) fn reply(&mut self) -> Option<Reply> {
        self.reply_to("POST")
    }

    pub(crate) fn reply_to(&mut self, method: &str) -> Option<Reply> {
        let end = loop {
            if let Some(at) = find(&self.buffer, b"\r\n\r\n") {
                break at + 4;
            }
            if !self.fill() {
                assert!(self.buffer.is_empty(), "half a head: {:?}", self.buffer);
                return None;
            }
        };
        let head = String::from_utf8(self.buffer.drain(..end).collect()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let mut reply = Reply {
            status,
            head,
            body: Vec::new(),
        };
        if status == 100 {
            return self.reply_to(method);
        }
        if method != "HEAD" {
            let length: usize = reply
                .header("content-length")
                .map_or(0, |n| n.parse().unwrap());
            while self.buffer.len() < length {
                assert!(self.fill(), "half a body");
            }
            reply.body = self.buffer.drain(..length).collect();
        }
        Some(reply)
    }

    pub(crate) fn ask(&mut self, request: impl AsRef<[u8]>) -> Reply {
        self.send(request);
        self.reply().expect("an answer")
    }

    /// Whether the server has closed the connection without another word. Waits for it.
    pub(crate) fn is_closed(&mut self) -> bool {
        self.buffer.is_empty() && !self.fill()
    }

    fn fill(&mut self) -> bool {
        let mut piece = [0; 65536];
        match self.stream.read(&mut piece) {
            Ok(0) => false,
            Ok(read) => {
                self.buffer.extend_from_slice(&piece[..read]);
                true
            }
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => false,
            Err(error) => panic!("{error}"),
        }
    }
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.split("\r\n").skip(1);
        let mut pairs = lines.filter_map(|line| line.split_once(": "));
        let found = pairs.find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value)
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The exception's name, without where it was raised.
    pub(crate) fn exception(&self) -> String {
        let json = self.json();
        let name = json["__type"].as_str().unwrap();
        name.rsplit('#').next().unwrap().to_owned()
    }
}

/// A request as an SDK makes it, up to its signature.
pub(crate) fn request(operation: &str, body: &str) -> Vec<u8> {
    request_with(operation, "", body.as_bytes())
}

/// With more headers, each ending in a line break.
pub(crate) fn request_with(operation: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-amz-json-1.0\r\n\
         x-amz-target: DynamoDB_20120810.{operation}\r\n{SIGNED_BY_ANYONE}{headers}\
         content-length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

pub(crate) fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n")
}

pub(crate) fn create_table(client: &mut Client) {
    let reply = client.ask(request(
        "CreateTable",
        r#"{"TableName":"Songs","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]}"#,
    ));
    assert_eq!(reply.status, 200, "{}", reply.text());
}

pub(crate) fn put(key: &str) -> Vec<u8> {
    request(
        "PutItem",
        &format!(r#"{{"TableName":"Songs","Item":{{"pk":{{"S":"{key}"}}}}}}"#),
    )
}

pub(crate) fn get_item(key: &str) -> Vec<u8> {
    request(
        "GetItem",
        &format!(r#"{{"TableName":"Songs","Key":{{"pk":{{"S":"{key}"}}}}}}"#),
    )
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
}
