//! Requests to a server, and its answers, as text.

use std::io::{Read, Write};
use std::net::TcpStream;

/// An HTTP answer, as text.
fn http(url: &str, request: &str) -> String {
    let address = url.strip_prefix("http://").unwrap();
    let mut socket = TcpStream::connect(address).unwrap();
    socket.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    answer
}

pub(crate) fn get(url: &str, path: &str) -> String {
    http(
        url,
        &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
    )
}

/// A request with headers, each ended by a line break, and a body.
pub(crate) fn send(url: &str, line: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    http(
        url,
        &format!(
            "{line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
        ),
    )
}

pub(crate) fn post(url: &str, operation: &str, body: &str) -> String {
    post_for(url, "r", operation, body)
}

/// A request that is signed for a region.
pub(crate) fn post_for(url: &str, region: &str, operation: &str, body: &str) -> String {
    let length = body.len();
    http(
        url,
        &format!(
            "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Content-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.{operation}\r\n\
             Authorization: AWS4-HMAC-SHA256 Credential=k/20260101/{region}/dynamodb/aws4_request, SignedHeaders=host, Signature=0\r\n\
             X-Amz-Date: 20260101T000000Z\r\nContent-Length: {length}\r\n\r\n{body}"
        ),
    )
}
